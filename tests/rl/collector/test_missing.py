"""The queue: what is missing, in the order in which it is wanted."""

import pytest
from made_up_runs import BUDGET, SMALL, measure, score

from trust_helpers.rl.collector.command import main
from trust_helpers.rl.collector.missing import collect_commands, cql_commands, queue_commands
from trust_helpers.rl.collector.processes import ready
from trust_helpers.rl.collector.recipe import TrainingRun


def words(commands):
    """Each command without the names of its options."""
    return [" ".join(word for word in command if not word.startswith("--")) for command in commands]


def test_an_empty_store_wants_everything_seed_by_seed(tmp_path):
    missing = words(queue_commands(tmp_path, SMALL, BUDGET))
    assert len(missing) == len(set(missing)) == 32 + 32
    robots = ("Ant", "HalfCheetah", "Walker2d", "Hopper")
    assert missing[:8] == [f"collect {env} 2023 {setting}" for setting in ("low", "high") for env in robots]
    assert missing[8] == "collect Ant 2024 low"
    assert missing[16:18] == ["cql Ant 2023 low", "cql Ant 2023 high"]
    assert missing[24] == "collect Ant 2025 low"
    assert missing[-1] == "cql Hopper 2026 high"


def test_what_is_done_is_not_wanted_again(tmp_path):
    measure(tmp_path, TrainingRun("Ant", 2023))
    measure(tmp_path, TrainingRun("HalfCheetah", 2023), segments=1)
    wanted = ["Walker2d 2023 low", "Hopper 2023 low", "HalfCheetah 2023 high", "Walker2d 2023 high"]
    assert words(collect_commands(tmp_path, SMALL))[:4] == [f"collect {one}" for one in wanted]
    sets = ["cql Ant 2023 low", "cql Ant 2023 high", "cql HalfCheetah 2023 low"]
    assert words(cql_commands(tmp_path, SMALL, BUDGET)) == sets
    score(tmp_path, TrainingRun("Ant", 2023), "low")
    score(tmp_path, TrainingRun("Ant", 2023), "high", parts=1)
    assert words(cql_commands(tmp_path, SMALL, BUDGET)) == sets[1:]
    missing = words(queue_commands(tmp_path, SMALL, BUDGET))
    assert len(missing) == 29 + 31
    assert not {"collect Ant 2023 low", "collect Ant 2023 high", "cql Ant 2023 low"} & set(missing)


def test_a_command_waits_for_a_run_that_is_under_way(tmp_path):
    low, high = (["collect", "--env", "Ant", "--seed", "2025", "--setting", setting] for setting in ("low", "high"))
    other = ["collect", "--env", "Hopper", "--seed", "2025", "--setting", "low"]
    learn, judge = (["cql", "--env", "Ant", "--seed", "2025", "--setting", setting] for setting in ("low", "high"))
    assert ready([low, high], []) == 0
    assert ready([high, other], [low]) == 1  # one run is collected by one process
    assert ready([high], [low]) is None
    assert ready([learn], [high]) is None  # what it learns from is not there yet
    assert ready([judge], [learn]) == 0
    assert ready([], []) is None
    same_seed = queue_commands(tmp_path, SMALL, BUDGET)
    assert ready(same_seed[1:], same_seed[:1]) == 0  # other robots do not wait


@pytest.mark.parametrize("which", [collect_commands, queue_commands])
def test_the_commands_are_ones_that_the_command_line_takes(which, tmp_path, capsys):
    budget = (BUDGET,) if which is queue_commands else ()
    for command in which(tmp_path, SMALL, *budget)[::12]:
        with pytest.raises(SystemExit, match="0"):
            main([*command, "--help"])
