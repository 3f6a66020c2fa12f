"""The noise level over all data sets: counts by hand, and rows that say what was found."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from trust_helpers import OfflineData
from trust_helpers.chapters.experiments import robot_levels as levels
from trust_helpers.chapters.experiments import robots
from trust_helpers.rl import Logged, Truth
from trust_helpers.rl.levels import Told, tell
from trust_helpers.trials import Share


@pytest.fixture(scope="module")
def rows():
    return robots.play_all_runs(0.1, 2024, 150.0)


def told(kept, earned=1.0, promised=0.5):
    return Told(earned, promised, Share(kept, np.sqrt(kept * (1 - kept) / 100)))


def test_short_held_and_better_are_counted_by_hand():
    clear, near = told(0.6), told(0.85)  # below 90 % by 6 and by 1.4 of their standard errors
    one = {"same": clear, "neighbours": near, "measured": told(1.0, earned=2.0)}
    two = {"same": told(0.95, promised=1.5), "neighbours": clear, "measured": told(0.9)}
    found = levels.count_levels([[one], [two]], 0.1)
    assert found["same"] == {"worst": 0.6, "best": 0.95, "short": 1, "held": 1, "better": 0}
    assert found["neighbours"] == {"worst": 0.6, "best": 0.85, "short": 1, "held": 2, "better": 0}
    assert found["measured"] == {"worst": 0.9, "best": 1.0, "short": 0, "held": 2, "better": 1}


@pytest.mark.parametrize("unit", [1.0, 1e4, -1e4])
def test_what_differs_by_rounding_is_not_better(unit):
    ties = [
        {"same": told(0.9, unit), "neighbours": told(0.9, unit * (1 + by)), "measured": clear}
        for by, clear in ((1e-13, told(0.9, unit + 1e-4)), (-1e-13, told(0.9, unit)))
    ]
    assert {way: one["better"] for way, one in levels.count_levels([ties], 0.1).items()} == {
        "same": 0,
        "neighbours": 0,
        "measured": 1,
    }


def test_the_table_averages_over_the_seeds_of_a_row(rows):
    ways = ("same", "neighbours", "measured")
    heard = [[dict.fromkeys(ways, told(k / 10)) for k in range(len(row.runs))] for row in rows]
    lines = levels.level_rows(rows, heard, 150.0)
    assert list(lines[0])[2:] == ["told 150", "neighbours", "measured"]
    means = [f"{10 * (len(row.runs) - 1) / 2:.0f}\N{NO-BREAK SPACE}%" for row in rows]
    assert [line["measured"] for line in lines] == means


def test_gaussian_returns_are_as_far_from_their_value_as_students_law_says(rows):
    rng, row = np.random.default_rng(5), rows[0]
    d, n = 20_000, 5
    fresh = rng.normal(7, 3, (d, n))
    truth = Truth(np.arange(d), fresh.mean(axis=1), np.ones(d), fresh.std(axis=1, ddof=1), np.full(d, n))
    log = Logged(OfflineData(rng.normal(7, 3, d), np.ones(d), 150.0), truth)
    gaussian = replace(row, runs=(replace(row.runs[0], log=log),))
    seen, expected = levels.returns_far_from_their_value([gaussian], 3.0)
    assert abs(seen.value - expected) < 4 * seen.error
    normal = 2 * stats.norm.sf(3.0)
    assert abs(seen.value - normal) > 4 * seen.error  # the refuter: with values and deviations taken for the truth


def test_every_data_set_is_told_in_its_turn(rows):
    first = rows[:1]
    heard = levels.tell_every_data_set(first, 0.1, 2024, 2, np.random.default_rng(1))
    alone = tell(first[0].runs[0].log, 0.1, 2024, 2, np.random.default_rng(1))
    assert heard[0][0] == alone
    assert len(heard[0]) == len(first[0].runs)


def test_few_episodes_are_tried_on_three_data_sets_with_sampled_actions(rows):
    found = levels.try_few_episodes(rows, (3,), 0.1, 2, np.random.default_rng(1))
    assert [name.split("\N{NO-BREAK SPACE}")[0] for name in found] == ["Walker2d", "Hopper", "HalfCheetah"]
    sampled = {(row.env, row.setting): row for row in rows if row.reading == "sampled"}
    row = sampled["Walker2d", "low"]
    assert next(iter(found)) == f"{row.name}, {row.runs[0].seed}"


def test_a_share_is_shown_with_its_error():
    few = {3: Share(0.5, 0.07), 10: Share(0.9, 0.04)}
    (line,) = levels.few_episode_rows({"Hopper high, 2023": few})
    assert list(line) == ["data", "3 episodes", "10 episodes"]
    assert line["data"] == "Hopper high, 2023"
    assert line["3 episodes"].replace("\N{NO-BREAK SPACE}", " ") == "50 \N{PLUS-MINUS SIGN} 7 %"
    assert line["10 episodes"].startswith("90")
