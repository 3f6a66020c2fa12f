"""Files written whole or not at all, and never over an input, another output, a link or a device.

:func:`plan_outputs` looks at every output before the work; :func:`write_all` writes new content beside its place and
renames it when all of it is on the disk. A link is written through; an existing file keeps its mode.
"""

import os
import shutil
import stat
import sys
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from .errors import TrustError

__all__ = ["Output", "plan_outputs", "write_all", "write_whole"]

STANDARD = {"-", "/dev/stdout"}
STREAMS = {0: "standard input", 1: "standard output", 2: "standard error"}


@dataclass(frozen=True)
class Output:
    """Where something is to be written: as it was asked for, and the file behind all links; None is standard output.

    >>> Output("--json out.json", Path("out.json")).path.name
    'out.json'
    """

    asked: str
    path: Path | None


def plan_outputs(asked: Iterable[tuple[str, str | os.PathLike[str]]], inputs: Iterable[str] = ()) -> list[Output]:
    """The outputs of options and their paths; TrustError, before any work, for one that cannot be written without loss.

    Refused are a missing or read-only folder, a folder, a device or pipe, a read-only file (for root too), an output
    that is one of the ``inputs`` by whatever path or link, and two outputs that are one file. ``-`` stands for standard
    output, and among the inputs for standard input.

    >>> [output.path for output in plan_outputs([("--json", "-")])]
    [None]
    """
    planned = []
    for option, path in asked:
        name = f"{option} {os.fspath(path)}".strip()
        with _said_of(name):
            planned.append(Output(name, _file_behind(name, os.fspath(path))))
    taken: dict[Hashable, str] = {}
    for given in inputs:
        taken[_key(0 if given == "-" else given) or given] = f"the input {STREAMS[0] if given == '-' else given}"
    for number in (1, 2):
        _take(taken, STREAMS[number], _key(number))
    for output in planned:
        _take(taken, output.asked, _key(output.path) if output.path else STREAMS[1])
    return planned


def write_all(contents: Sequence[tuple[Output, bytes]]) -> None:
    """Write every content, all of them safely on the disk before the first takes its place.

    >>> write_all([(Output("--json -", None), b"{}")])
    {}
    """
    with ExitStack() as stack:
        ready = []
        for output, content in contents:
            if output.path is not None:
                with _said_of(output.asked):
                    ready.append((output, stack.enter_context(_beside(output.path, content))))
        for output, spare in ready:
            with _said_of(output.asked):
                os.replace(spare, output.path)  # type: ignore[arg-type]
    for output, content in contents:
        if output.path is None:
            sys.stdout.flush()
            if hasattr(sys.stdout, "buffer"):
                sys.stdout.buffer.write(content)
            else:  # a notebook's
                sys.stdout.write(content.decode())


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write one file, whole or not at all; text as UTF-8. Raises TrustError if it cannot be.

    >>> write_whole("no such folder/out.txt", "text")
    Traceback (most recent call last):
    trust_helpers.errors.TrustError: the output no such folder/out.txt cannot be written: its folder ...
    """
    (output,) = plan_outputs([("the output", path)])
    write_all([(output, content.encode() if isinstance(content, str) else content)])


@contextmanager
def _beside(path: Path, content: bytes) -> Iterator[Path]:
    """The content on the disk under a spare name, with the mode of the file that it will replace."""
    spare = path.with_name(f".{uuid4().hex}.trust-helpers")
    try:
        with spare.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, spare)
        yield spare
    finally:
        spare.unlink(missing_ok=True)


@contextmanager
def _said_of(asked: str) -> Iterator[None]:
    """What the system objects to, as one of our errors that names the output."""
    try:
        yield
    except TrustError:
        raise
    except (OSError, ValueError) as error:
        raise TrustError(f"{asked} cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _file_behind(name: str, text: str) -> Path | None:
    """The file that a path leads to, or None for standard output; TrustError unless it can be written."""
    if text in STANDARD:
        return None
    path = Path(os.path.realpath(text))
    found = path.stat() if path.exists() else None
    wrong = {
        "its path is empty": not text,
        "its links lead in a circle": path.is_symlink(),
        "it is a folder": path.is_dir() or (found is None and text.endswith(os.sep)),
        f"its folder {path.parent} does not exist": not path.parent.is_dir(),
        "it is a device or a pipe, not a file (- is standard output)": found and not stat.S_ISREG(found.st_mode),
        "the file is read-only": found and not (found.st_mode & 0o222 and os.access(path, os.W_OK)),
        f"its folder {path.parent} is read-only": not os.access(path.parent, os.W_OK | os.X_OK),
    }
    reason = next((reason for reason, is_so in wrong.items() if is_so), None)
    if reason is not None:
        raise TrustError(f"{name} cannot be written: {reason}")
    return path


def _take(taken: dict[Hashable, str], name: str, key: Hashable) -> None:
    """Note that a file is to be written; raise if it is an input or another output already is that file."""
    other = taken.get(key, "")
    if other.startswith("the input"):
        raise TrustError(f"{name} is {other}: it would be overwritten")
    if other and name not in STREAMS.values():  # standard output and error may well be one
        raise TrustError(f"{other} and {name} are one file: each output needs its own")
    if key is not None:
        taken[key] = name


def _key(path: str | Path | int) -> Hashable:
    """What tells a file from others: itself if it is there, else its folder and name; None for what is no file."""
    with suppress(OSError, ValueError):
        if isinstance(path, int):
            found = os.fstat(path)
            return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
        real = Path(os.path.realpath(path))
        found = real.stat() if real.exists() else real.parent.stat()
        return (found.st_dev, found.st_ino) if real.exists() else (found.st_dev, found.st_ino, real.name.casefold())
    return None
