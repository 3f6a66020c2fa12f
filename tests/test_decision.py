"""A decision: how it is drawn from, and what it says of itself."""

import numpy as np
import pandas as pd
import pytest

from trust_helpers import DataError, Decision, TrustError

MIXED = Decision(np.array([0.5, 0.0, 0.3, 0.2]), 0.7, 0.4, 0.9, "TRUST")


def test_arms_are_drawn_as_often_as_they_weigh():
    drawn = MIXED.sample(np.random.default_rng(0), 20_000)
    share = np.bincount(drawn, minlength=4) / 20_000
    error = np.sqrt(MIXED.weights * (1 - MIXED.weights) / 20_000)
    assert (abs(share - MIXED.weights) <= 4 * error).all()
    assert MIXED.sample(np.random.default_rng(0), (2, 3)).shape == (2, 3)
    assert MIXED.sample(np.random.default_rng(0)) in (0, 2, 3)


def test_it_says_what_it_promises():
    assert MIXED.support == 3
    assert repr(MIXED) == "<Decision: TRUST, 3 of 4 arms, estimate 0.7, at least 0.4 with 90 % confidence>"


@pytest.mark.parametrize(("bound", "confidence"), [(-np.inf, 1.0), (0.4, 0.0)])
def test_no_promise_is_called_that(bound, confidence):
    made = Decision(np.ones(1), 0.7, bound, confidence, "greedy")
    assert repr(made).endswith("estimate 0.7, no promise>")


def test_the_heaviest_arms_are_drawn_first():
    figure = pytest.importorskip("matplotlib.figure").Figure()
    target = MIXED.plot(figure.gca(), top=2)
    assert [bar.get_width() for bar in target.patches] == [0.5, 0.3]
    assert [label.get_text() for label in target.get_yticklabels()] == ["0", "2"]


def test_it_promises_no_more_than_it_has():
    made = Decision(np.ones(1), 1235437.9, 1235436.99, 0.99999, "LCB")
    assert repr(made).endswith("estimate 1,235,438, at least 1,235,436 with 99.999 % confidence>")
    nearly = Decision(np.ones(1), 1.0, 0.9999954, 0.9, "LCB")
    assert repr(nearly).endswith("estimate 1, at least 0.9999 with 90 % confidence>")


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Index, iter])
def test_a_frame_takes_names_of_any_kind(kind):
    assert MIXED.to_frame(kind(["a", "b", "c", "d"]))["arm"].tolist() == ["a", "b", "c", "d"]
    assert MIXED.to_frame()["arm"].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("names", [["a", "b"], [], np.array(["a"] * 5)])
def test_a_frame_has_a_name_for_each_arm(names):
    with pytest.raises(DataError, match=f"^names has {len(names)} entries but there are 4 arms$"):
        MIXED.to_frame(names)


def test_a_seed_draws_as_its_generator_does():
    np.testing.assert_array_equal(MIXED.sample(5, 40), MIXED.sample(np.random.default_rng(5), 40))
    with pytest.raises(TrustError, match="seed is -1"):
        MIXED.sample(-1)
