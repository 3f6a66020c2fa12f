"""Where outputs may go: each is looked at before any work, and refused if writing it would lose something."""

import os
import stat
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import TrustError

__all__ = ["Output", "plan_outputs", "said_of"]

STANDARD = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}


@dataclass(frozen=True)
class Output:
    """Where something is to be written: as it was asked for, and the file behind all links; None is standard output."""

    asked: str
    path: Path | None


def plan_outputs(asked: Iterable[tuple[str, str | os.PathLike[str]]], inputs: Iterable[str] = ()) -> list[Output]:
    """The outputs of options and their paths; TrustError, before any work, for one that cannot be written without loss.

    Refused are a missing or read-only folder, a folder, a device or pipe, a read-only file (for root too), an output
    that is one of the ``inputs`` by whatever path, link or case, and two outputs that are one file. ``-`` and
    ``/dev/stdout`` stand for standard output, and ``-`` among the inputs for standard input.
    """
    named = [(f"{option} {os.fspath(path)}", os.fspath(path)) for option, path in asked]
    planned, given = [Output(name, _behind_links(name, path)) for name, path in named], list(inputs)
    _refuse_input("standard output", _keys_of_stream(1), given)
    for output in planned:
        _refuse_input(output.asked, _keys(output.path) if output.path else set(), given)
        _refuse_stream(output)
    _refuse_twice(planned)
    return planned


@contextmanager
def said_of(asked: str) -> Iterator[None]:
    """What the system objects to, as one of our errors that names the output."""
    try:
        yield
    except BrokenPipeError:  # whoever read standard output has seen enough
        raise
    except OSError as error:
        raise TrustError(f"{asked} cannot be written: {error.strerror or error}") from None
    except ValueError as error:
        if isinstance(error, TrustError):
            raise
        raise TrustError(f"{asked!r} cannot be written: {error}") from None


def _behind_links(name: str, text: str) -> Path | None:
    """The file that a path leads to, or None for standard output; TrustError unless it can be written."""
    if text in STANDARD:
        return None
    if not text:
        raise TrustError(f"{name.strip()} cannot be written: its path is empty")
    with said_of(name):
        path = Path(os.path.realpath(text))
        found = path.stat() if path.exists() else None
        if path.is_symlink():
            raise TrustError(f"{name} cannot be written: its links lead in a circle")
        if path.is_dir() or (found is None and text.endswith(os.sep)):
            raise TrustError(f"{name} cannot be written: it is a folder")
        if not path.parent.is_dir():
            raise TrustError(f"{name} cannot be written: its folder {path.parent} does not exist")
        if found and not stat.S_ISREG(found.st_mode):
            raise TrustError(f"{name} cannot be written: it is a device or a pipe, not a file (- is standard output)")
        if found and not (found.st_mode & 0o222 and os.access(path, os.W_OK)):
            raise TrustError(f"{name} cannot be written: the file is read-only")
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise TrustError(f"{name} cannot be written: its folder {path.parent} is read-only")
        return path


def _refuse_input(asked: str, keys: set[Hashable], inputs: Sequence[str]) -> None:
    """Raise if a file with these keys is an input, or what standard input is redirected from."""
    for given in inputs:
        if keys & (_keys_of_stream(0) if given == "-" else _keys(Path(given))):
            source = "standard input" if given == "-" else given
            raise TrustError(f"{asked} is the input {source}: it would be overwritten")


def _refuse_stream(output: Output) -> None:
    """Raise if an output is the file that standard output or error is redirected to."""
    for number, stream in ((1, "standard output"), (2, "standard error")):
        if output.path and _keys(output.path) & _keys_of_stream(number):
            raise TrustError(f"{output.asked} and {stream} are one file: each output needs its own")


def _refuse_twice(outputs: Sequence[Output]) -> None:
    """Raise if two outputs are one file."""
    taken: dict[Hashable, Output] = {}
    for output in outputs:
        for key in _keys(output.path) if output.path else {"standard output"}:
            if key in taken:
                raise TrustError(f"{taken[key].asked} and {output.asked} are one file: each output needs its own")
            taken[key] = output


def _keys(path: Path) -> set[Hashable]:
    """What tells a file from others: itself if it is there; its folder and its name, capitals and small letters alike.

    On some systems names that differ in case are one file, and a folder may be copied to such a system.
    """
    keys: set[Hashable] = set()
    with suppress(OSError, ValueError):
        real = Path(os.path.realpath(path))
        folder = real.parent.stat()
        keys.add((folder.st_dev, folder.st_ino, _folded(real.name)))
        keys.add(_itself(real.stat()))
    return keys


def _keys_of_stream(number: int) -> set[Hashable]:
    """The file that an open standard stream is redirected from or to; none for a terminal, a pipe or a device."""
    with suppress(OSError):
        found = os.fstat(number)
        return {_itself(found)} if stat.S_ISREG(found.st_mode) else set()
    return set()


def _itself(found: os.stat_result) -> Hashable:
    return found.st_dev, found.st_ino


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
