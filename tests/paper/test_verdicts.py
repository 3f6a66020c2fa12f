"""One verdict per claim: which it is, who decided, and that pages cannot disagree."""

import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from trust_helpers.book.notebook import recorded
from trust_helpers.paper import Claim, claim, claims, tables, verdict, verdicts
from trust_helpers.paper.verdicts import WORDS, count, judge, reason

pytestmark = pytest.mark.xdist_group("replication")  # they share bands

GOLDEN = Path(__file__).parents[1] / "golden"
EXACT = {
    "text.lcb_width": "reproduced",
    "text.lcb_samples": "reproduced",
    "text.bc_bound": "reproduced",
    "table1.behaviour": "reproduced",
    "table1.greedy": "reproduced",
    "table1.lcb": "reproduced",
    "table1.max_reward": "reproduced",
    "table1.lcb_bound": "differs",
    "table2.lcb_mean": "differs",
    "table2.lcb_bound": "within spread",
    "table2.lcb_min": "within spread",
}
SIMULATED = {
    "table1.trust": "differs",
    "table1.improvement": "differs",
    "table1.trust_bound": "reproduced",
    "text.critical_radius": "differs",
    "table2.trust_mean": "within spread",
    "table2.trust_variance": "within spread",
    "table2.trust_min": "within spread",
    "table2.lcb_variance": "differs",
}


@pytest.mark.parametrize(("key", "word"), (EXACT | SIMULATED).items())
def test_verdict(key, word):
    one = verdict(key)
    assert (one.word, one.judge) == (word, "exact" if key in EXACT else "simulation")


def test_trusts_bound_in_table_2_is_at_the_edge_and_the_reason_says_so():
    # Within a few thousandths of the 97.5 % quantile: the word may turn with the number of draws, the reason says how.
    one = verdict("table2.trust_bound")
    assert abs(one.high - one.claim.value) < 0.005
    assert re.search(r"draws; with the fewest allowed, 5,345, the bound would be lower by 0\.01\d", one.reason)


def test_rounding_is_forgiven_and_nothing_else():
    assert judge(Claim("x", "0.98", "", ""), 2.0, 1.0, 3.0) == "differs"
    assert judge(Claim("x", "1.0", "", ""), 2.0, 1.04, 3.0) == "within spread"
    assert judge(Claim("x", "2", "", ""), 2.51, 2.51, 2.51) == "differs"


def test_every_claim_has_a_verdict_with_a_reason():
    made = verdicts()
    assert [one.claim.key for one in made] == [one.key for one in claims()]
    assert all(one.reason.endswith(".") and one.word in WORDS for one in made)
    assert sum(count(made).values()) == len(claims())
    assert count(verdicts("time."))["not comparable"] == 4


def test_pages_show_what_the_package_says():
    shown = [recorded(json.loads(path.read_text(encoding="utf-8"))) for path in GOLDEN.glob("*.ipynb")]
    judged = [(key, page) for page in shown for key in page if key.startswith("verdict.")]
    assert len(judged) > len(claims())
    for name, page in judged:
        one = verdict(name.removeprefix("verdict."))
        assert page[name] == one.word
        assert page.get(f"ours.{one.claim.key}", np.nan) == pytest.approx(one.ours, rel=1e-9, nan_ok=True)


def test_claims_of_one_table_are_judged_by_one_seed():
    assert verdict("table1.trust").ours - 0.5 == pytest.approx(verdict("table1.improvement").ours)
    assert np.isnan(verdict("time.trust_most").ours)
    assert claim("table1.trust") is verdict("table1.trust").claim


def test_a_score_that_was_not_made_is_not_compared(monkeypatch):
    monkeypatch.setattr(tables, "table3", lambda: {"table3.Hopper.low.TRUST": np.array([-1.0])})
    words = [verdict.__wrapped__(f"table3.Hopper.low.{method}").word for method in ("CQL", "TRUST")]
    assert words == ["not comparable", "differs"]


@pytest.mark.parametrize(("updates", "word"), [(tables.PAPER_UPDATES, "differs"), (50_000, "not comparable")])
def test_cql_of_another_amount_of_work_is_not_compared(monkeypatch, updates, word):
    monkeypatch.setattr(tables, "table3", lambda: {"table3.Hopper.low.CQL": np.array([-1.0])})
    monkeypatch.setattr(tables, "cql_score", lambda *run: SimpleNamespace(updates=updates))
    one = verdict.__wrapped__("table3.Hopper.low.CQL")
    assert one.word == word
    assert one.reason.startswith(f"Ours had {updates:,} updates")


def test_without_any_cql_its_hours_are_not_compared_and_the_reason_says_so(monkeypatch):
    monkeypatch.setattr(tables, "cql_hours", lambda: np.array([]))
    one = verdict.__wrapped__("time.cql_least")
    assert (one.word, np.isnan(one.ours)) == ("not comparable", True)
    assert one.reason == "CQL has not been trained on any of these data sets."


@pytest.mark.parametrize(("best", "words"), [((500.0, 1_200.0), "Other logging"), ((500.0, 900.0), "Out of reach")])
def test_a_score_that_one_run_could_reach_is_not_out_of_reach(monkeypatch, best, words):
    truths = {
        run: SimpleNamespace(truth=SimpleNamespace(values=np.array([0.0, most]))) for run, most in enumerate(best)
    }
    monkeypatch.setattr(tables, "data_sets", lambda: (("Hopper.low", ((0,), (1,))),))
    # the package has a function of the module's name
    monkeypatch.setattr(sys.modules["trust_helpers.paper.verdicts"], "logged_returns", truths.__getitem__)
    assert claim("table3.Hopper.low.TRUST").value == 999  # above the mean of both
    said = reason("table3.Hopper.low.TRUST")
    assert said.startswith(words)
    assert said.endswith(f" {max(best):,.0f}.")
