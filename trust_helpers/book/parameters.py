"""What a chapter lets you change, read from its ``parameters`` cell, and values for it, read from text.

One typed assignment with a comment is one parameter::

    arms: int = 10_000  # number of arms, half of them good, in [2, 10**6]
    delta: float = 0.1  # failure probability, in (0, 1)
    band: str = "paper"  # how the band is computed, in {paper, calibrated}
    log: str = ""  # path of a CSV file with one row per reward

The type is int, float, str, bool, list, list[int], list[float], list[str], or Optional[...] of one of these. Two
habits of the comment have a meaning, and nothing else is guessed: it may *end* with ``in`` and an interval (``inf`` and
powers allowed) or a set of words, which every value, or every element of a list, must belong to; and if it *starts*
with ``path``, a value given by the user is a path seen from where the user stands, not from the folder of the chapter.
"""

import ast
import io
import json
import math
import os
import re
import tokenize
from dataclasses import dataclass
from typing import Any

from ..errors import TrustError

__all__ = ["Choices", "Interval", "Parameter", "parse_value", "parse_values", "read_parameters"]

EXPECTED = {
    "int": "a whole number",
    "float": "a finite number",
    "bool": "true or false",
    "str": "text",
    "list": "a JSON list",
    "list[int]": "a JSON list of whole numbers",
    "list[float]": "a JSON list of finite numbers",
    "list[str]": "a JSON list of texts",
}
NUMBER = r"[+-]?(?:inf|[\d_]+\*\*\d+|[\d_]*\.?\d[\d_]*(?:e[+-]?\d+)?)"
INTERVAL = re.compile(rf"\bin ([\[(])\s*({NUMBER})\s*,\s*({NUMBER})\s*([\])])$")
CHOICES = re.compile(r"\bin \{([^{}]+)\}$")


@dataclass(frozen=True)
class Interval:
    """The numbers from ``low`` to ``high``, ends included or not as ``text`` is written: ``(0, 1]``."""

    low: float
    high: float
    text: str

    def __contains__(self, value: object) -> bool:
        """Whether ``value`` is a number that lies inside."""
        if not isinstance(value, int | float):
            return False
        above = value >= self.low if self.text.startswith("[") else value > self.low
        below = value <= self.high if self.text.endswith("]") else value < self.high
        return above and below

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Choices:
    """A few words, or numbers as they are written."""

    words: tuple[str, ...]

    def __contains__(self, value: object) -> bool:
        """Whether ``value`` is one of them."""
        return str(value) in self.words

    def __str__(self) -> str:
        return f"{{{', '.join(self.words)}}}"


@dataclass(frozen=True)
class Parameter:
    """One line of a ``parameters`` cell; ``allowed`` is the range its comment declares, if it does."""

    name: str
    kind: str
    optional: bool
    default: Any
    help: str
    allowed: Interval | Choices | None

    @property
    def type_name(self) -> str:
        """The type as the chapter writes it."""
        return f"Optional[{self.kind}]" if self.optional else self.kind

    @property
    def is_path(self) -> bool:
        """Whether a text given by the user names a file."""
        return self.kind == "str" and self.help.lower().startswith("path")


def parse_value(parameter: Parameter, text: str) -> Any:
    """The value that ``text`` stands for; TrustError, naming the parameter, if it is of the wrong type or out of range.

    Whole numbers may be written 2_000; lists are JSON; ``none`` is None where the type is Optional.
    """
    if parameter.optional and text.lower() == "none":
        return None
    try:
        value = _fitting(parameter.kind, _from_text(parameter.kind, text))
    except ValueError:
        raise TrustError(f"{parameter.name} = {text!r} is not {_expected(parameter)}") from None
    _refuse_outside(parameter, value)
    return os.path.abspath(os.path.expanduser(value)) if parameter.is_path and value else value


def parse_values(parameter: Parameter, text: str) -> list[Any]:
    """The values of a sweep, written with commas between them; TrustError if one is wrong or repeated."""
    parts = _json_parts(parameter, text) if parameter.kind.startswith("list") else text.split(",")
    values = [parse_value(parameter, part.strip()) for part in parts]
    for i, value in enumerate(values):
        if value in values[:i]:
            raise TrustError(f"the sweep repeats {parameter.name} = {value!r}")
    return values


def read_parameters(source: str) -> tuple[Parameter, ...]:
    """The parameters that a cell declares; TrustError, naming the line, for anything but typed literals and imports."""
    try:
        statements, comments = ast.parse(source).body, _comments(source)
    except SyntaxError as error:
        raise TrustError(f"line {error.lineno} is not Python: {error.msg}") from None
    found = []
    for node in statements:
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value):
            raise TrustError(f"{ast.unparse(node)!r} is not of the form 'name: type = value  # help'")
        found.append(_declared(node, node.target.id, comments.get(node.end_lineno or node.lineno, "")))
    return tuple(found)


def _declared(node: ast.AnnAssign, name: str, comment: str) -> Parameter:
    """One declaration, its default held to its own type and range."""
    kind, optional = _kind(name, ast.unparse(node.annotation))
    try:
        default = ast.literal_eval(node.value) if node.value else None
        if not (optional and default is None):
            default = _fitting(kind, default)
    except ValueError:
        raise TrustError(f"the default of {name} is not {EXPECTED[kind]}") from None
    parameter = Parameter(name, kind, optional, default, comment, _allowed(comment))
    _refuse_outside(parameter, default)
    return parameter


def _kind(name: str, annotation: str) -> tuple[str, bool]:
    """The type inside an annotation, and whether None is allowed beside it."""
    inner = re.fullmatch(r"(?:typing\.)?Optional\[(.*)\]", annotation)
    kind = inner[1] if inner else annotation
    if kind not in EXPECTED:
        raise TrustError(
            f"{name} has the type {annotation}; a parameter is {', '.join(EXPECTED)} or Optional[...] of one"
        )
    return kind, inner is not None


def _allowed(comment: str) -> Interval | Choices | None:
    """The range that ends a comment, if one does."""
    if match := INTERVAL.search(comment):
        left, low, high, right = match.groups()
        return Interval(_number(low), _number(high), f"{left}{low}, {high}{right}")
    if match := CHOICES.search(comment):
        return Choices(tuple(word.strip().strip("\"'") for word in match[1].split(",")))
    return None


def _number(text: str) -> float:
    """An end of an interval: a number, a power or infinity."""
    base, _, power = text.partition("**")
    return float(base) ** int(power or 1)


def _comments(source: str) -> dict[int, str]:
    """The comment on each line that has one."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {t.start[0]: t.string.lstrip("#").strip() for t in tokens if t.type == tokenize.COMMENT}


def _from_text(kind: str, text: str) -> Any:
    """What ``text`` says, of the type it should have if it can be; ValueError otherwise."""
    if kind == "str":
        return text
    if kind == "int":
        return int(text)
    if kind == "float":
        return float(text)
    return json.loads(text.lower() if kind == "bool" else text)


def _fitting(kind: str, value: Any) -> Any:
    """``value``, whole numbers made floats where floats are due; ValueError unless it is of type ``kind``."""
    if kind.startswith("list"):
        if not isinstance(value, list):
            raise ValueError(value)
        return [_fitting(kind[5:-1], element) for element in value] if kind != "list" else value
    if kind == "float" and type(value) is int:
        value = float(value)
    if type(value).__name__ != kind or (kind == "float" and not math.isfinite(value)):
        raise ValueError(value)
    return value


def _expected(parameter: Parameter) -> str:
    """What a value may be, in words."""
    within = f" in {parameter.allowed}" if parameter.allowed else ""
    return EXPECTED[parameter.kind] + within + (" or none" if parameter.optional else "")


def _refuse_outside(parameter: Parameter, value: Any) -> None:
    """Raise unless the value, or every element of it, is where the comment says it should be."""
    if parameter.allowed is None or value is None:
        return
    for element in value if isinstance(value, list) else [value]:
        if element not in parameter.allowed:
            raise TrustError(f"{parameter.name} = {element!r} is out of range, it must be in {parameter.allowed}")


def _json_parts(parameter: Parameter, text: str) -> list[str]:
    """Lists separated by commas, each as JSON again."""
    try:
        return [json.dumps(part) for part in json.loads(f"[{text}]")]
    except ValueError:
        raise TrustError(f"{parameter.name} = {text!r} is not a sequence of JSON lists") from None
