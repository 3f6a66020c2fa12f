"""``python -m trust_helpers.rl`` answers bad requests in one line."""

import pytest

from trust_helpers.extras import MissingExtra
from trust_helpers.rl.collector.command import main
from trust_helpers.rl.collector.processes import Missing, needs, side_by_side


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["collect", "--env", "Hoper", "--seed", "2023"], "'Hoper'"),
        (["collect", "--env", "Hopper", "--seed", "1"], "2023"),
        (["collect", "--env", "Hopper"], "give --env and --seed, or --all"),
        (["collect", "--all", "--env", "Hopper"], "give --env and --seed, or --all"),
        (["collect", "--all", "--setting", "low"], "give --env and --seed, or --all"),
        (["collect", "--all", "--jobs", "0"], "--jobs is 0"),
        (["cql", "--setting", "middle", "--all"], "'middle'"),
        (["cql"], "give --env and --seed, or --all"),
        ([], "COMMAND"),
    ],
)
def test_a_bad_request_is_one_line_and_exit_code_2(arguments, complaint, capsys):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1


def test_a_missing_package_is_named_with_the_extra():
    with pytest.raises(MissingExtra, match=r"no_such_module: pip install 'trust-helpers\[rl\]'"):
        needs("numpy", "no_such_module")


def test_a_process_that_fails_is_named(tmp_path, capfd):
    with pytest.raises(Missing, match=r"1 of 2 failed: collect --env Hoper"):
        side_by_side([["collect", "--env", "Hoper"], ["export", "--help"]], tmp_path, jobs=2)
    assert "'Hoper'" in capfd.readouterr().err
