"""The queue: what is missing, in the order in which it is wanted."""

import pytest
from made_up_runs import BUDGET, SMALL, measure, score

from trust_helpers.rl.collector.command import main
from trust_helpers.rl.collector.recipe import Run
from trust_helpers.rl.collector.todo import collect_commands, cql_commands, queue_commands


def words(commands):
    """Each command without the names of its options."""
    return [" ".join(word for word in command if not word.startswith("--")) for command in commands]


def test_an_empty_store_wants_everything_seed_by_seed(tmp_path):
    todo = words(queue_commands(tmp_path, SMALL, BUDGET))
    assert len(todo) == len(set(todo)) == 16 + 32
    assert todo[:4] == [f"collect {env} 2023" for env in ("Ant", "HalfCheetah", "Walker2d", "Hopper")]
    assert todo[4] == "collect Ant 2024"
    assert todo[8:10] == ["cql Ant 2023 low", "cql Ant 2023 high"]
    assert todo[16] == "collect Ant 2025"
    assert todo[-1] == "cql Hopper 2026 high"


def test_what_is_done_is_not_wanted_again(tmp_path):
    measure(tmp_path, Run("Ant", 2023))
    measure(tmp_path, Run("HalfCheetah", 2023), segments=1)
    assert words(collect_commands(tmp_path, SMALL))[:2] == ["collect HalfCheetah 2023", "collect Walker2d 2023"]
    sets = ["cql Ant 2023 low", "cql Ant 2023 high", "cql HalfCheetah 2023 low"]
    assert words(cql_commands(tmp_path, SMALL, BUDGET)) == sets
    score(tmp_path, Run("Ant", 2023), "low")
    score(tmp_path, Run("Ant", 2023), "high", parts=1)
    assert words(cql_commands(tmp_path, SMALL, BUDGET)) == sets[1:]
    todo = words(queue_commands(tmp_path, SMALL, BUDGET))
    assert len(todo) == 15 + 31
    assert not {"collect Ant 2023", "cql Ant 2023 low"} & set(todo)


@pytest.mark.parametrize("which", [collect_commands, queue_commands])
def test_the_commands_are_ones_that_the_command_line_takes(which, tmp_path, capsys):
    budget = (BUDGET,) if which is queue_commands else ()
    for command in which(tmp_path, SMALL, *budget)[::12]:
        with pytest.raises(SystemExit, match="0"):
            main([*command, "--help"])
