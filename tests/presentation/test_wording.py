"""What every form of a report says: one confidence, no policy twice, no promise where there is none."""

from dataclasses import replace

import numpy as np
import pytest

from trust_helpers import OfflineData, instances, report
from trust_helpers.formatting import visible
from trust_helpers.presentation.drawing import Curve
from trust_helpers.presentation.intervals import arm_intervals
from trust_helpers.presentation.markdown import as_markdown
from trust_helpers.presentation.wording import DOUBTED, About, advice, odds, policy_rows


@pytest.fixture(scope="module")
def starved():
    log = instances.data_starved(200).sample(np.random.default_rng(3))
    return report(OfflineData(log.means, log.counts, 0.5, [f"arm {i}" for i in range(200)]))


def rows(text, start):
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(start))
    return lines[first + 1 : lines.index("", first)] if "" in lines[first:] else lines[first + 1 :]


def test_the_same_policy_is_never_shown_twice(starved):
    for made in (starved, report(OfflineData([5.0, 0.0], [400, 400], 1.0)), report(OfflineData([1.0], [3], 1.0))):
        policies = [one.weights.tobytes() for one in made.decisions[:-1]]
        assert len(policy_rows(made)) == len(set(policies))
    top = policy_rows(report(OfflineData([5.0, 0.0, 0.0], [400, 400, 400], 1.0)))[0]
    assert top.methods.startswith("greedy, LCB")
    assert top.promise != "none"
    assert top.recommended


def test_there_is_one_confidence(starved):
    text = starved.summary()
    assert text.count("90 % confidence") == 2
    assert "80 %" not in text


def test_the_papers_band_says_its_own_confidence_and_none_is_zero():
    data = OfflineData([0.1, 0.5, 0.9], [30, 30, 30], 1.0)
    assert "(80 %)" in report(data, 0.1, "paper").summary()
    hopeless = report(data, 0.5, "paper")
    assert hopeless.recommended.confidence == 0
    assert "with no promise" in hopeless.summary()
    assert "nothing can be promised" in advice(hopeless)
    assert " 0 %" not in hopeless.summary()
    assert hopeless.to_dict()["methods"][-1]["lower_bound"] is None


def test_the_reason_fits_the_policy(starved):
    assert starved.recommended.support > 1
    assert "any single arm is too uncertain" in starved.summary()
    alone = report(OfflineData([5.0, 0.0, 0.0], [400, 400, 400], 1.0))
    assert alone.recommended.support == 1
    assert "single arm is too uncertain" not in alone.summary()


def test_a_split_that_finds_nothing_better_than_the_logs_own_proportions_is_not_said_to(starved):
    own = starved.data.counts / starved.data.n_samples
    found = replace(starved.recommended, weights=own, method="combined (split)")
    made = replace(starved, decisions=(*starved.decisions[:-1], found))
    assert "stays with the log's own proportions" in made.why
    shifted = np.append(own[:-2], [own[-2] / 2, own[-1] + own[-2] / 2])
    other = replace(starved, decisions=(*starved.decisions[:-1], replace(found, weights=shifted)))
    assert "this mixture has the highest promise" in other.why


def test_ticks_say_nothing_twice():
    line = np.linspace(0, 1, 40)
    marks = {0: 6, 8: 6, 16: 6, 23: 4, 31: 4, 37: 2, 39: 1}
    assert Curve(line, line, line, marks, best=37, confidence=0.9).ticks == {0: 6, 23: 4, 37: 2}
    assert Curve(line, line, line, marks, best=8, confidence=0.9).ticks == {0: 6, 8: 6, 23: 4, 37: 2, 39: 1}


def test_what_is_assumed_comes_first(starved):
    assert starved.summary().startswith("Assumed: rewards are independent, the noise of one reward is Gaussian")


def test_doubts_are_said_in_every_form():
    rng = np.random.default_rng(0)
    arm, coins = np.repeat(np.arange(50), 40), rng.integers(0, 2, 2000)
    made = report(OfflineData.from_samples(arm, coins, 0.5))
    assert made.doubts
    assert "NOT TO BE RELIED ON" in made.summary()
    assert "Not to be relied on" in made.to_html()
    assert "Not to be relied on" in made.to_markdown()
    assert f"confidence, {DOUBTED} (estimate" in made.summary()
    for form in (made.to_html(), made.to_markdown().replace("\\", ""), repr(made)):
        assert f"nine times in ten ({DOUBTED})" in form
    assert made.to_dict()["reliable"] is False


@pytest.mark.parametrize(
    ("delta", "text"),
    [
        (0.1, "nine times in ten"),
        (0.05, "19 times in 20"),
        (0.3, "70 % of the time"),
        (1e-5, "99.999 % of the time"),
        (0.1 + 4e-10, "89.99 % of the time"),
    ],
)
def test_odds_in_words(delta, text):
    assert odds(delta) == text


NAMES = [
    "\x1b[31mred",
    "\u202etab",
    "two\nlines",
    "a\rb",
    "x" * 100_000,
    "|*_`<script>alert(1)</script>",
    "=cmd()",
    "猫",
]


@pytest.fixture(scope="module")
def awkward():
    return report(OfflineData(np.linspace(0, 0.1, 8), np.full(8, 4), 0.5, NAMES))


@pytest.mark.parametrize("form", ["summary", "to_html", "to_markdown"])
def test_names_are_data_in_every_form(awkward, form):
    text = getattr(awkward, form)()
    assert not {c for c in text if not c.isprintable() and c != "\n"}
    assert "x" * 200 not in text
    assert "猫" in text
    assert "\\x1b" in text.replace("\\\\", "\\")
    if form != "summary":
        assert "<script>alert" not in text


def test_a_table_of_markdown_keeps_its_shape(awkward):
    lines = [line for line in as_markdown(awkward, 8, About(log="a|b")).splitlines() if line.startswith("|")]
    bars = [line.replace("\\|", "").count("|") for line in lines]
    assert set(bars) == {6, 5}


def test_long_names_are_cut_in_the_middle():
    assert visible("begin" + "x" * 100 + "end", 20) == "beginxxxx...xxxxxend"
    assert len(visible("\x00" * 100, 30)) == 30


def test_intervals_are_the_textbooks():
    low, high = arm_intervals(OfflineData.from_counts([0, 4, 10], [10, 10, 10]), 0.05)
    np.testing.assert_allclose(low, [0, 0.12155, 0.69150], atol=1e-5)  # Clopper and Pearson (1934)
    np.testing.assert_allclose(high, [0.30850, 0.73762, 1], atol=1e-5)
    low, high = arm_intervals(OfflineData([1.0, 2.0], [4, 16], 2.0), 0.05)
    np.testing.assert_allclose(high - low, 2 * 1.959964 * 2 / np.sqrt([4, 16]), rtol=1e-6)
    low, high = arm_intervals(OfflineData([1.0, 5.0], [4, 4], "range:1:5"), 0.1)
    assert (low >= 1).all()
    assert (high <= 5).all()


FORMS = ["summary", "to_html", "to_markdown", "_repr_html_", "__repr__"]


@pytest.fixture(scope="module")
def sure():
    """A log whose bound is 0.9999954 at a confidence of 99.999 %, which the law of a deviation needs no draws for."""
    many = report(OfflineData([1.0, 0.0], [10**6, 10], "sd:1e-6"), 1e-5)
    best = replace(many.recommended, lower_bound=0.9999954)
    return replace(many, decisions=(*many.decisions[:-1], best))


@pytest.mark.parametrize("form", FORMS)
def test_no_promise_is_rounded_up_in_any_form(sure, form):
    text = getattr(sure, form)().replace("\\", "")
    assert "worth at least 0.9999 per try" in text
    assert sure.to_dict()["methods"][-1]["lower_bound"] == 0.9999954


@pytest.mark.parametrize("form", FORMS)
def test_no_confidence_below_one_is_said_to_be_one_in_any_form(sure, form):
    text = getattr(sure, form)().replace("\\", "").replace("&nbsp;", " ")
    assert text.count("99.999 %") >= 1
    assert "100 % interval" not in text
    assert "100 % confidence" not in text
    assert "100 % of the time" not in text


def test_the_picture_rounds_promises_down_and_no_confidence_up():
    one = np.array([0.99999])
    drawn = Curve(one, one, one, {0: 1}, best=0, confidence=0.99999)
    assert "with 99.999 % confidence" in drawn.title
    assert drawn.described.endswith("has 1 and 0.9999.")


def test_intervals_are_rounded_outwards_in_every_form():
    made = report(OfflineData.from_counts([3, 1], [10, 10]))
    low, high = arm_intervals(made.data, 0.1)
    assert f"{low[0]:.7f} {high[0]:.7f}" == "0.0872644 0.6066242"
    for text in (made.to_html(), made.to_markdown()):
        assert "0.08726 to 0.6067" in text


@pytest.mark.parametrize("means", [[0.9, 0.9, 0.9], [9.0, 0.1, 0.1]])
def test_without_a_promise_no_reason_speaks_of_one(means):
    made = report(OfflineData(means, [10, 10, 10], 1.0), 0.5, "paper")
    assert "with no promise" in made.summary()
    assert made.why == "its lower bound is the highest, but at this delta the bounds compared need not hold together"
    for text in (made.summary(), made.to_html(), made.to_markdown()):
        assert "highest promise" not in text
        assert "its promise, none" not in text
    assert "was chosen after looking, which leaves it no promise." in made.to_html()
