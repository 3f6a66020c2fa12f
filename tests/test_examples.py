"""Examples are run: those of the docstrings by pytest itself, the README's Python here."""

import re
from pathlib import Path

import pytest

from trust_helpers import Decision

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(
    r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)


@pytest.fixture
def user(tmp_path, monkeypatch):
    """Where a user stands who has a log: ratings from 1 to 5, under the names that the README calls its columns."""
    rows = [(f"option {i % 7}", 1 + (i * i + i // 3) % 5) for i in range(40)]
    lines = [f"{name},{name},{reward},{reward}" for name, reward in rows]
    (tmp_path / "log.csv").write_text("\n".join(["arm,lecturer,reward,rating", *lines]) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_the_readme_has_python():
    assert BLOCKS


@pytest.mark.parametrize("block", BLOCKS)
def test_the_readmes_python_runs(user, block):
    names = {}
    exec(compile(block, "README.md", "exec"), names)
    decisions = [getattr(made, "recommended", made) for made in names.values()]
    decisions = [made for made in decisions if isinstance(made, Decision)]
    assert decisions
    for decision in decisions:
        assert decision.weights.sum() == pytest.approx(1)
        assert decision.lower_bound <= decision.estimate
