"""Names as they may be shown: data must not move the cursor, turn the text around, or fill the screen."""

__all__ = ["quoted", "visible"]

WIDEST = 60


def visible(text: object, width: int = WIDEST) -> str:
    r"""A text with control, escape and direction characters written out, and cut in the middle if it is long.

    >>> print(visible("red\x1b[31m and \u202eback"))
    red\x1b[31m and \u202eback
    >>> visible("abcdefghijklmnopqrstuvwxyz", 11)
    'abcd...wxyz'
    """
    plain = str(text)
    if len(plain) > width:  # escaping makes it longer still, and both ends are all that is shown
        plain = plain[:width] + plain[-width:]
    plain = plain if plain.isprintable() else "".join(c if c.isprintable() else _escaped(c) for c in plain)
    if len(plain) <= width:
        return plain
    rest = width - 3
    return f"{plain[: (rest + 1) // 2]}...{plain[len(plain) - rest // 2 :]}"


def quoted(text: object, width: int = WIDEST) -> str:
    """The same in quotes, as Python writes it; what is no text stays as it is.

    >>> quoted("a"), quoted(7)
    ("'a'", '7')
    """
    return visible(repr(text), width)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
