"""The list of references: labels of author and year, titles in the case they are written in; a Sphinx extension."""

from collections import Counter
from collections.abc import Iterable, Iterator
from string import ascii_lowercase
from typing import Any

from pybtex.plugin import register_plugin
from pybtex.richtext import Text
from pybtex.style.formatting.unsrt import Style
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.template import field, sentence


class AuthorYearLabels(BaseLabelStyle):
    """Labels such as *Hoeffding, 1963* and *Zhang et al., 2024*, with a letter where two would be alike."""

    def format_labels(self, sorted_entries: Iterable[Any]) -> Iterator[str]:
        """The label of each entry, in order."""
        labels = [f"{_names(entry)}, {entry.fields['year']}" for entry in sorted_entries]
        shared, seen = Counter(labels), Counter[str]()
        for label in labels:
            seen[label] += 1
            yield label + (ascii_lowercase[seen[label] - 1] if shared[label] > 1 else "")


class BookStyle(Style):
    """The plain style with these labels, sorted by author, and with titles left as they are."""

    default_label_style = AuthorYearLabels
    default_sorting_style = "author_year_title"

    def format_title(self, e: Any, which_field: str, as_sentence: bool = True) -> Any:
        """A title; the plain style would put all but its first letter in lower case."""
        return sentence[field(which_field)] if as_sentence else field(which_field)


def _names(entry: Any) -> str:
    """One surname, two with *and*, or the first with *et al.*."""
    people = [" ".join([*person.prelast_names, *person.last_names]) for person in entry.persons["author"]]
    names = [str(Text.from_latex(name)) for name in people]  # without TeX's braces and accents
    return " and ".join(names) if len(names) < 3 else f"{names[0]} et al."


def name_entries(app: Any, env: Any) -> None:
    """Let ``references.md#key`` lead to the entry of that key, for pages that cite by links."""
    for place, listed in env.get_domain("cite").bibliographies.items():
        slugs = env.metadata[place.docname].setdefault("myst_slugs", {})
        slugs |= {key: (0, node["ids"][0], key) for key, node in listed.citation_nodes.items()}


def setup(app: Any) -> dict[str, Any]:
    """Register the style with Sphinx's bibliography, and the entries' names."""
    register_plugin("pybtex.style.formatting", "book", BookStyle)
    app.connect("env-updated", name_entries)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
