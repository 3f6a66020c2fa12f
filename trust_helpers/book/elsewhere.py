"""What a chapter that stands by itself refers to: works in the bibliography, and statements of other chapters."""

import re
from pathlib import Path
from typing import Any

from ..extras import need
from .myst import read_labels

__all__ = ["names_elsewhere", "read_citations"]

BIBLIOGRAPHY = "references.bib"
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


def names_elsewhere(chapter: Path) -> dict[str, str]:
    """What to call the labels of the other chapters, with the chapter they are in, and the works cited."""
    names: dict[str, str] = {}
    for path in sorted(chapter.parent.glob("*.md")):
        if path != chapter:
            text = path.read_text(encoding="utf-8")
            title = TITLE.search(text)
            place = f" of “{title[1].strip()}”" if title else ""
            names |= {label: name + place for label, name in read_labels([text]).items()}
    return names | read_citations(chapter.parent / BIBLIOGRAPHY)


def read_citations(path: Path) -> dict[str, str]:
    """``cite:KEY`` for every work of a bibliography, as authors and year: ``Auer et al. 2002``."""
    if not path.is_file():
        return {}
    entries = need("pybtex.database", "book").parse_file(str(path), bib_format="bibtex").entries
    return {
        f"cite:{key}": f"{_authors(entry)} {entry.fields.get('year', '')}".strip() for key, entry in entries.items()
    }


def _authors(entry: Any) -> str:
    """Last names, three or more cut short."""
    people = entry.persons.get("author") or entry.persons.get("editor") or []
    names = [_plain(" ".join([*person.prelast_names, *person.last_names])) for person in people]
    if not names:
        return _plain(entry.fields.get("title", entry.key))
    return f"{names[0]} et al." if len(names) > 2 else " and ".join(names)


def _plain(text: str) -> str:
    """LaTeX's accents as letters."""
    return str(need("pybtex.richtext", "book").Text.from_latex(text))
