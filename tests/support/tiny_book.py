"""A book of one small chapter, for the tests of what reads and runs chapters."""

HEADER = """---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
"""

PARAMETERS = """\
arms: int = 1_000  # number of arms, in [1, 10**6]
delta: float = 0.1  # failure probability, in (0, 1)
band: str = "paper"  # which band, in {paper, calibrated}
log: str = ""  # path of a CSV file
note: str = "a # b"  # anything"""

CHAPTER = """\
# A small chapter

:::{prf:theorem} Of numbers
:label: thm-small
```{math}
:label: eq-small
a &= b \\\\\\\\ &< c
```
:::

By {prf:ref}`thm-small` and {eq}`eq-small` twice the arms are {eval}`said["double"]`, see [the next](next.md).

```{code-cell} ipython3
:tags: [parameters]

PARAMETERS
```

```{code-cell} ipython3
from pathlib import Path

from trust_helpers import OfflineData
from trust_helpers.book.notebook import begin, record, said

begin()
record("double", 2 * arms, ".1f", key=True)
record("arms", arms, "d")
print("folder:", Path.cwd().name, "log:", log)
if log and Path(log).exists():
    OfflineData.from_csv(log, sigma=1.0)
```

```{code-cell} ipython3

# the cell that may fail
record("gap", 1 / (arms - 13), key=True)
```
""".replace("\\\\\\\\", "\\\\").replace("PARAMETERS", PARAMETERS)


def write_book(folder):
    """Write the chapter ``small`` and a page that is none, and return the folder."""
    folder.mkdir(exist_ok=True)
    (folder / "small.md").write_text(HEADER + "\n" + CHAPTER, encoding="utf-8")
    (folder / "about.md").write_text("# About\n\nNo parameters here.\n", encoding="utf-8")
    return folder
