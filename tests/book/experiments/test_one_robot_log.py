"""One log of returns: what is said of it, and what each law lets the methods promise."""

from dataclasses import replace

import numpy as np
import pytest

from trust_helpers import OfflineData, behaviour_cloning, trust
from trust_helpers.book.experiments import one_robot_log as one_log
from trust_helpers.book.experiments import robots
from trust_helpers.noise import neighbour_sigma
from trust_helpers.rl import logged_returns

DELTA, SEED, SIGMA = 0.1, 2024, 150.0


@pytest.fixture(scope="module")
def log():
    return logged_returns("Hopper", "high", 2023, SIGMA)


@pytest.fixture(scope="module")
def decisions(log):
    return robots.decisions_of(log.data, DELTA, robots.bands_for(log.data, DELTA, SEED))


def read(log):
    return lambda law: OfflineData.from_samples(range(log.data.n_arms), log.data.means, law)


def test_a_row_has_the_promise_or_a_dash_and_the_true_value_if_it_is_known(log, decisions):
    rows = {row["method"]: row for row in one_log.decision_rows(decisions, log.truth)}
    assert np.isnan(rows["greedy"]["promised"])
    assert rows["greedy"]["policies"] == 1
    best = log.truth.values[log.data.means.argmax()]
    assert rows["greedy"]["true value"].startswith(f"{best:,.0f}\N{NO-BREAK SPACE}")
    assert rows["LCB"]["promised"] == decisions["LCB"].lower_bound
    assert {row["true value"] for row in one_log.decision_rows(decisions, None)} == {"unknown"}


def test_words_follow_the_truth(log, decisions):
    mixture = trust(log.data, DELTA, "calibrated", SEED)
    said = one_log.words_of_one_log(log.data, decisions, mixture, log.truth)
    value, error = log.truth.of(mixture.weights)
    for shift, word in ((-1, "was kept"), (1, "was missed, by less than"), (3, "was missed, by more than")):
        promised = replace(mixture, lower_bound=value + shift * error)
        words = one_log.words_of_one_log(log.data, decisions, promised, log.truth)
        assert words["kept-word"].startswith(word)
    assert said["lcb-word"] == "LCB plays greedy's policy"
    blind = one_log.words_of_one_log(log.data, decisions, mixture, None)
    assert (blind["worth"], blind["kept-word"]) == ("unknown", "cannot be checked")
    assert blind["stein"] == said["stein"]


def test_lcb_is_not_greedy_where_the_best_return_has_the_fewest_episodes():
    data = OfflineData([900.0, 1_000.0], [100, 1], SIGMA)
    decisions = robots.decisions_of(data, DELTA, robots.bands_for(data, DELTA, SEED))
    said = one_log.words_of_one_log(data, decisions, trust(data, DELTA, "calibrated", SEED), None)
    assert said["lcb-word"] == "LCB differs from greedy"


def test_the_range_has_the_log_and_zero_in_it(log):
    laws = one_log.laws_of_returns(log.data, SIGMA)
    _, low, high = str(list(laws.values())[-1]).split(":")
    assert float(low) <= 0
    assert float(high) >= 2 * log.data.means.max() > float(high) - 100
    assert list(laws.values())[1] == neighbour_sigma(log.data.means)
    below = OfflineData(-log.data.means, log.data.counts, SIGMA)
    assert list(one_log.laws_of_returns(below, SIGMA).values())[-1] == f"range:-{high}:0"


def test_each_law_promises_what_its_methods_promise_and_one_episode_cannot_be_pooled(log):
    laws = one_log.laws_of_returns(log.data, SIGMA)
    known, _, pooled, deviation, _ = one_log.promises_under_each_law(read(log), laws, DELTA, SEED)
    assert known["TRUST"] == f"{trust(log.data, DELTA, 'calibrated', SEED).lower_bound:,.0f}"
    assert known["cloning"] == f"{behaviour_cloning(log.data, DELTA).lower_bound:,.0f}"
    assert {pooled[name] for name in ("cloning", "TRUST", "split")} == {"refuses"}
    assert (deviation["TRUST"], deviation["cloning"] != "refuses") == ("refuses", True)


def test_the_larger_the_level_the_less_is_promised_and_no_fewer_policies_are_mixed(log):
    rows = one_log.noise_level_rows(read(log), SIGMA, DELTA, SEED, log.truth)
    assert [row["told"] for row in rows] == [15.0, 75.0, 150.0, 300.0, 1_500.0]
    assert (np.diff([row["promised"] for row in rows]) < 0).all()
    assert (np.diff([row["policies"] for row in rows]) >= 0).all()


def test_a_promise_is_a_number_and_a_refusal_a_word():
    repeats = OfflineData.from_samples([0, 0, 1, 1], [1.0, 2.0, 1.5, 2.5], "pooled")
    assert one_log.promise_or_refusal(lambda: trust(repeats, DELTA)) != "refuses"
    once = ([0, 1], [1.0, 2.0], "pooled")
    assert one_log.promise_or_refusal(lambda: trust(OfflineData.from_samples(*once), DELTA)) == "refuses"
