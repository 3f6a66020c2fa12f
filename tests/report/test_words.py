"""What every form of a report says: one confidence, no policy twice, no promise where there is none."""

from dataclasses import replace

import numpy as np
import pytest

from trust_helpers import OfflineData, instances, report
from trust_helpers.formatting import rounded_down, visible
from trust_helpers.planning import arm_intervals, may_be_alike, shortlist
from trust_helpers.report.forms import as_markdown
from trust_helpers.report.words import (
    DOUBTED,
    About,
    Words,
    arm_rows,
    headline,
    method_rows,
    odds,
)


@pytest.fixture(scope="module")
def starved():
    log = instances.data_starved(200).sample(np.random.default_rng(3))
    return report(OfflineData(log.means, log.counts, 0.5, [f"arm {i}" for i in range(200)]))


PLAIN = Words()


def test_the_same_policy_is_never_shown_twice(starved):
    for made in (starved, report(OfflineData([5.0, 0.0], [400, 400], 1.0)), report(OfflineData([1.0], [3], 1.0))):
        policies = [one.weights.tobytes() for one in (*made.decisions, *made.promises[-1:])]
        assert len(made.choices) == len(set(policies))
    top, _ = method_rows(report(OfflineData([5.0, 0.0, 0.0], [400, 400, 400], 1.0)), PLAIN)[0]
    assert "greedy, LCB" in top[0]
    assert top[-1] != "none"


def test_there_is_one_confidence(starved):
    text = starved.summary()
    assert text.count("nine times in ten") == 1 + (starved.one.lower_bound > starved.own.lower_bound)
    assert text.count("90 %") == 1  # the intervals
    assert "80 %" not in text


def test_the_papers_band_says_its_own_confidence_and_none_is_zero():
    data = OfflineData([0.1, 0.5, 0.9], [30, 30, 30], 1.0)
    assert "(80 %)" in report(data, 0.1, "paper").summary()
    hopeless = report(data, 0.5, "paper")
    assert hopeless.recommended.confidence == 0
    assert "nothing can be promised" in headline(hopeless, About())
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


def test_what_to_do_comes_first_and_then_what_is_assumed(starved):
    text = starved.summary()
    assert text.startswith("Leave out these ")
    second = text.split("\n\n")[1]
    assert (
        "assumes that rewards are independent (one tells nothing about another), the noise of one reward is" in second
    )


def test_doubts_are_said_in_every_form():
    rng = np.random.default_rng(0)
    arm, coins = np.repeat(np.arange(50), 40), rng.integers(0, 2, 2000)
    made = report(OfflineData.from_samples(arm, coins, 0.5))
    assert made.doubts
    assert "NOT TO BE RELIED ON" in made.summary()
    assert "NOT TO BE RELIED ON" in made.to_html()
    assert "NOT TO BE RELIED ON" in made.to_markdown()
    for form in (made.summary(), made.to_html(), made.to_markdown().replace("\\", ""), repr(made)):
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
    assert set(bars) == {6}


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
    assert "a mean reward of at least 0.9999," in text
    assert sure.to_dict()["methods"][-1]["lower_bound"] == 0.9999954


@pytest.mark.parametrize("form", FORMS)
def test_no_confidence_below_one_is_said_to_be_one_in_any_form(sure, form):
    text = getattr(sure, form)().replace("\\", "").replace("&nbsp;", " ")
    assert "99.999 %" in text
    assert "100 % interval" not in text
    assert "100 % confidence" not in text
    assert "100 % of the time" not in text


def test_intervals_are_rounded_outwards_in_every_form():
    made = report(OfflineData.from_counts([3, 1], [10, 10]))
    low, high = arm_intervals(made.data, 0.1)
    assert f"{low[0]:.7f} {high[0]:.7f}" == "0.0872644 0.6066242"
    for text in (made.summary(), made.to_html(), made.to_markdown()):
        assert "8.726 to 60.67 %" in text


@pytest.mark.parametrize("means", [[0.9, 0.9, 0.9], [9.0, 0.1, 0.1]])
def test_without_a_promise_no_reason_speaks_of_one(means):
    made = report(OfflineData(means, [10, 10, 10], 1.0), 0.5, "paper")
    assert "nothing can be promised" in made.summary()
    assert made.why == "its lower bound is the highest, but at this delta the bounds compared need not hold together"
    for text in (made.summary(), made.to_html(), made.to_markdown()):
        assert "highest promise" not in text
        assert "its promise, none" not in text


EMAILS = About(arm="Subject line", reward="opens")


def test_the_headline_speaks_the_tables_words_in_its_units():
    made = report(OfflineData.from_counts([60, 55, 20, 10], [200] * 4, ["Hello", "Hi", "Dear all", "You"]))
    least = rounded_down(100 * made.recommended.lower_bound)
    assert headline(made, EMAILS).endswith(f": at least {least} % opens, nine times in ten")
    ratings = report(OfflineData.from_samples(["a", "b"] * 40, [5.0, 1.5] * 40, "range:1:5"))
    said = headline(ratings, About(arm="bakery", reward="rating"))
    assert said == f"Use the bakery a: a mean rating of at least {rounded_down(ratings.recommended.lower_bound)}" + (
        ", nine times in ten"
    )
    assert Words("city", "x").many(2) == "2 cities"


def test_where_nothing_stands_out_that_is_the_headline_and_the_advice():
    made = report(OfflineData.from_counts([10] * 30, [20] * 30))
    own = made.promises[0]
    assert made.untold
    np.testing.assert_array_equal(made.advised.weights, own.weights)
    assert (made.advised.lower_bound, made.advised.confidence) == (own.lower_bound, 0.9)
    assert made.choices[0][1] == made.advised
    assert method_rows(made, PLAIN)[0][0][-1] == rounded_down(own.lower_bound)
    assert headline(made, EMAILS) == (
        f"Nothing stands out: all 30 subject lines alike are worth at least "
        f"{rounded_down(100 * own.lower_bound)} % opens, nine times in ten"
    )
    assert own.lower_bound <= 0.5
    told = report(OfflineData.from_counts([1] * 15 + [19] * 15, [20] * 30))
    assert not told.untold
    assert "Nothing stands out" not in told.summary()


def test_arms_that_differ_stand_out_though_cloning_alone_would_have_promised_as_much():
    """Arms that are all alike are said to differ once in ten, but for four standard errors of 200 logs."""
    won = [94, 89, 111, 53, 37, 116, 42, 97, 33, 32, 59, 65, 34, 38]
    sent = [494, 479, 531, 229, 190, 539, 159, 394, 186, 285, 366, 340, 331, 162]
    made = report(OfflineData.from_counts(won, sent))
    assert made.recommended.lower_bound <= made.own.lower_bound
    assert not may_be_alike(made.data, 0.1)
    assert headline(made, EMAILS).startswith("Use all 14 subject lines in these shares: at least ")
    assert made.expected(made.advised) > made.own.estimate
    rng = np.random.default_rng(0)
    alike = [OfflineData.from_counts(rng.binomial(sent, 0.2), sent) for _ in range(200)]
    assert 0.1 - 4 * 0.021 < np.mean([not may_be_alike(log, 0.1) for log in alike]) < 0.1 + 4 * 0.021


def test_one_alone_is_named_only_if_it_promises_as_much_as_all():
    far = report(OfflineData.from_counts([190, 20, 20], [200] * 3, list("abc")))
    assert "It is one arm: there is nothing to mix" in far.summary()
    assert far.to_dict()["one"] == {"arm": "a", "lower_bound": far.one.lower_bound, "useful": True}
    emails = report(OfflineData.from_counts([60, 55, 20, 10] * 5, [100] * 20))
    mixed = replace(emails, decisions=(*emails.decisions[:-1], replace(emails.promises[-1], lower_bound=0.99)))
    assert mixed.recommended.support > 1
    assert f"take only one: the arm 0, at least {rounded_down(100 * mixed.one.lower_bound)} %" in mixed.summary()
    near = report(OfflineData.from_counts([11, 10, 9] * 10, [20] * 30))
    assert near.one.lower_bound < near.own.lower_bound
    assert "no single arm has a useful promise" in near.summary()
    assert near.to_dict()["one"]["useful"] is False


def test_the_best_arm_is_on_the_shortlist_and_hopeless_arms_are_not():
    """It leaves the best out at most once in ten: of 200 logs at most 35 but with probability 1e-4 (binomial)."""
    rng, p = np.random.default_rng(0), np.array([0.5, 0.45, 0.4, 0.1])
    lists = [shortlist(OfflineData.from_counts(rng.binomial(60, p), [60] * 4), 0.1) for _ in range(200)]
    assert sum(0 not in one for one in lists) <= 35
    assert sum(3 in one for one in lists) <= 35
    assert np.mean([1 in one for one in lists]) > 0.8
    means = OfflineData.from_counts([30, 35, 1], [60] * 3)
    assert shortlist(means, 0.1) == [1, 0]


def test_what_to_expect_is_not_flattered_by_the_choice():
    """Over many logs the best mean so far is far above what it earns, and what is expected of it is near."""
    rng, so_far, honest, earned = np.random.default_rng(1), [], [], []
    for _ in range(40):
        p = rng.beta(8, 8, 100)
        made = report(OfflineData.from_counts(rng.binomial(10, p), np.full(100, 10)))
        best = made.decisions[0]
        so_far.append(best.estimate)
        honest.append(made.expected(best))
        earned.append(best.weights @ p)
    assert np.mean(so_far) - np.mean(earned) > 0.15
    error = np.std(np.subtract(honest, earned)) / np.sqrt(40)
    assert abs(np.mean(honest) - np.mean(earned)) < 3.5 * error + 0.01


def test_every_method_that_took_part_has_a_row_with_what_it_does_and_the_recommended_is_first(starved):
    rows = method_rows(starved, PLAIN)
    assert starved.choices[0][1] is starved.recommended
    assert rows[0][0][-1] == rounded_down(starved.recommended.lower_bound)
    named = ", ".join(row[0] for row, _ in rows)
    for one in (*starved.decisions[:-1], starved.split):
        assert one.method in named
    for form in (starved.summary(), starved.to_html(), starved.to_markdown()):
        for _, does in rows:
            assert does in form.replace("\\", "")


def test_the_list_of_arms_stops_after_the_ten_best_others_unless_all_are_asked_for():
    rng = np.random.default_rng(0)
    won = rng.binomial(40, np.linspace(0.1, 0.6, 60))
    made = report(OfflineData.from_counts(won, np.full(60, 40)))
    for everything, listed in ((False, min(made.advised.support, 25) + 10), (True, 60)):
        rows = arm_rows(made, About(everything=everything), 25)
        assert len(rows) == listed
    means = made.data.means[made.advised.weights == 0]
    others = [row.values[1] for row in arm_rows(made, About(), 25)[-10:]]
    np.testing.assert_allclose(others, np.sort(means)[::-1][:10])
