"""What the book's pages need beyond Sphinx and its extensions; itself a Sphinx extension.

Every statement gets an ``id`` of its own only (sphinx-proof gives all their contents the same), a formula keeps the
full stop that follows it on its line and a number its per cent sign, a page that moved leaves a page behind that leads
to the new one, and a notebook offered for download is one in plain Markdown. Fields of which nothing is said, and
defaults that have no short name, are left out of the reference.
"""

import re
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes

from trust_helpers.book.prose import plain_notebook

# Pages of earlier editions, and where they are now.
MOVED = {"book/08_your_own_log": "book/09_your_own_log", "book/api": "book/api/package"}
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>This page has moved</title>
<link rel="canonical" href="{target}">
<meta http-equiv="refresh" content="0; url={target}">
</head>
<body><p>This page has moved: <a href="{target}">{target}</a>.</p></body>
</html>
"""


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("doctree-read", tell_ids_apart)
    app.connect("doctree-read", keep_together)
    app.connect("doctree-read", keep_per_cents)
    app.connect("autodoc-skip-member", skip_numbered_fields)
    app.connect("autodoc-process-signature", shorten_defaults)
    app.connect("build-finished", write_moved_pages)
    app.connect("build-finished", write_plain_notebooks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def skip_numbered_fields(app: Any, what: str, name: str, member: Any, skip: bool, options: Any) -> bool | None:
    """Leave out the fields of a named tuple that say nothing but their number; None is Sphinx's own choice."""
    return True if str(getattr(member, "__doc__", "")).startswith("Alias for field number") else None


def shorten_defaults(
    app: Any, what: str, name: str, member: Any, options: Any, arguments: str | None, returned: str | None
) -> tuple[str, str | None] | None:
    """Write ``...`` for a default that is an object without a name."""
    return (re.sub(r"=<.*?>(?=[,)])", "=...", arguments), returned) if arguments else None


def tell_ids_apart(app: Any, document: Any) -> None:
    """Number the sections that sphinx-proof wraps statements in; it calls them all ``proof-content``.

    They must keep an id: Sphinx asks every section for one when it numbers figures.
    """
    shared = [node for node in document.findall() if node.tagname == "section" and node["ids"] == ["proof-content"]]
    for number, section in enumerate(shared, 1):
        section["ids"] = [f"proof-content-{number}"]


def keep_together(app: Any, document: Any) -> None:
    """Wrap a formula in running text with what clings to it: ``-th``, a full stop, a comma, a bracket.

    A browser takes a formula for a box, and may break the line on either side of a box.
    """
    for formula in list(document.findall(nodes.math)):
        behind = formula.next_node(siblings=True, descend=False)
        found = re.match(r"-th[.,;:!?)\]]*|[.,;:!?)\]]+", str(behind)) if isinstance(behind, nodes.Text) else None
        if found:
            clings = found.group()
            parent, rest = formula.parent, nodes.Text(str(behind)[len(clings) :])
            parent.replace(behind, rest)
            whole = nodes.inline("", classes=["together"])
            parent.replace(formula, whole)
            whole += [formula, nodes.Text(clings)]


def keep_per_cents(app: Any, document: Any) -> None:
    """No line break between a number and its per cent sign, except in what a program prints."""
    for text in list(document.findall(nodes.Text)):
        if "literal" not in text.parent.tagname and re.search(r"\d %", text):
            text.parent.replace(text, nodes.Text(re.sub(r"(\d) %", "\\1\N{NO-BREAK SPACE}%", text)))


def write_moved_pages(app: Any, exception: Exception | None) -> None:
    """Write the pages that lead from an old address to the new one."""
    if exception is not None or app.builder.format != "html":
        return
    for old, new in MOVED.items():
        page, target = Path(app.outdir) / f"{old}.html", Path(app.outdir) / f"{new}.html"
        if target.exists() and not page.exists():
            relative = target.relative_to(page.parent).as_posix()
            page.write_text(PAGE.format(target=escape(relative, quote=True)), encoding="utf-8")


def write_plain_notebooks(app: Any, exception: Exception | None) -> None:
    """Let every notebook that the pages offer for download be the one that reads well without the book."""
    if exception is None and app.builder.format == "html":
        executed = Path(app.srcdir).parent / "executed"
        offered = [path for part in ("_downloads", "_sources") for path in Path(app.outdir, part).rglob("*.ipynb")]
        for path in offered:
            notebook = nbformat.read(executed / path.name, as_version=4)
            plain_notebook(notebook)
            nbformat.write(notebook, path)
