"""``python -m trust_helpers.rl`` answers bad requests in one line, and works on what it is asked for in order."""

import sys
from types import ModuleType

import pytest

from trust_helpers.rl.collector import command
from trust_helpers.rl.collector.store import InUse
from trust_helpers.rl.names import ENVIRONMENTS, SETTINGS


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["collect", "--env", "Hoper", "--seed", "2023"], "'Hoper'"),
        (["collect", "--env", "Hopper", "--seed", "1"], "2023"),
        (["learn", "--setting", "middle"], "'middle'"),
        (["learn", "--method", "dreaming"], "'dreaming'"),
        ([], "COMMAND"),
    ],
)
def test_a_bad_request_is_one_line_and_exit_code_2(arguments, complaint, capsys):
    assert command.main(arguments) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1


def test_a_missing_package_is_named_with_the_extra(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "sbx", None)
    assert command.main(["collect"]) == 1
    assert "collecting needs sbx: pip install 'trust-helpers[rl]'" in capsys.readouterr().err


@pytest.fixture
def worked_on(monkeypatch):
    """The data sets that collecting is asked for; the low one of Ant 2023 is another process's."""
    asked, fake = [], ModuleType("collect")

    def collect(run, setting, bar):
        if (run.name, setting) == ("Ant-2023", "low"):
            raise InUse("Ant-2023 is in use")
        asked.append(f"{run.name} {setting}")

    fake.collect = collect
    monkeypatch.setitem(sys.modules, "sbx", ModuleType("sbx"))
    monkeypatch.setitem(sys.modules, "trust_helpers.rl.collector.collect", fake)
    return asked


def test_everything_is_worked_on_seed_by_seed_but_for_what_is_in_use(worked_on, tmp_path, capsys):
    assert command.main(["collect", "--store", str(tmp_path)]) == 0
    assert len(worked_on) == len(set(worked_on)) == 31
    first = [f"{env}-2023 {setting}" for setting in SETTINGS for env in ENVIRONMENTS]
    assert worked_on[:8] == [*(one for one in first if one != "Ant-2023 low"), "Hopper-2024 low"]
    assert capsys.readouterr().out == "Ant-2023 is in use\n"


def test_what_is_asked_for_can_be_narrowed(worked_on, tmp_path):
    assert command.main(["collect", "--env", "Hopper", "--setting", "high", "--store", str(tmp_path)]) == 0
    assert worked_on == [f"Hopper-{seed} high" for seed in (2023, 2024, 2025, 2026)]
