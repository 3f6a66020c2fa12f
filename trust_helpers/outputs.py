"""Files written whole or not at all, and never over an input, another output, a link or a device.

:func:`plan_outputs` looks at every output before the work; :func:`write_all` writes new content beside its place and
renames it when all of it is on the disk. A link is written through; an existing file keeps its mode.
"""

import os
import shutil
import stat
import sys
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from .errors import TrustError

__all__ = ["Output", "plan_outputs", "write_all", "write_whole"]

STANDARD = {"-", "/dev/stdout"}


@dataclass(frozen=True)
class Output:
    """Where something is to be written: as it was asked for, and the file behind all links; None is standard output."""

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
    taken = {_key(0 if one == "-" else one): f"the input {'standard input' if one == '-' else one}" for one in inputs}
    taken.pop(None, None)  # devices
    if (out := _key(1)) in taken:
        raise TrustError(f"standard output is {taken[out]}: it would be overwritten")
    taken[out] = "standard output"
    planned = []
    for option, path in asked:
        name = f"{option} {os.fspath(path)}".strip()
        with _naming(name):
            file = _file_behind(os.fspath(path))
            key = _key(file) if file else "-"
        if taken.get(key, "").startswith("the input"):
            raise TrustError(f"{name} is {taken[key]}: it would be overwritten")
        if key in taken:
            raise TrustError(f"{taken[key]} and {name} are one file: each output needs its own")
        taken[key] = name
        planned.append(Output(name, file))
    return planned


def write_all(contents: Sequence[tuple[Output, bytes]]) -> None:
    """Write every content, all of them safely on the disk before the first takes its place.

    >>> write_all([(Output("--json -", None), b"{}")])
    {}
    """
    files = [(output, output.path, content) for output, content in contents if output.path]
    ready = [(*one, one[1].with_name(f".{uuid4().hex}.trust-helpers")) for one in files]
    try:
        for output, path, content, spare in ready:
            with _naming(output.asked), spare.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
                if path.exists():
                    shutil.copymode(path, spare)
        for output, path, _, spare in ready:
            with _naming(output.asked):
                spare.replace(path)
    finally:
        for *_, spare in ready:
            spare.unlink(missing_ok=True)
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
def _naming(asked: str) -> Iterator[None]:
    """What the system objects to, as one of our errors that names the output."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise TrustError(f"{asked} cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _file_behind(text: str) -> Path | None:
    """The file that a path leads to, or None for standard output; an error unless it can be written."""
    if text in STANDARD:
        return None
    path, mode = Path(os.path.realpath(text)), None
    with suppress(FileNotFoundError):
        mode = os.stat(text).st_mode  # an error of its own where links lead in a circle
    wrong = {
        "its path is empty": not text,
        "it is a folder": path.is_dir() or (mode is None and text.endswith(os.sep)),
        f"its folder {path.parent} does not exist": not path.parent.is_dir(),
        "it is a device or a pipe, not a file (- is standard output)": mode and not stat.S_ISREG(mode),
        "the file is read-only": mode and not (mode & 0o222 and os.access(path, os.W_OK)),
        f"its folder {path.parent} is read-only": not os.access(path.parent, os.W_OK | os.X_OK),
    }
    for reason in (reason for reason, is_so in wrong.items() if is_so):
        raise ValueError(reason)
    return path


def _key(path: str | Path | int) -> Hashable:
    """What tells a file from others: itself if it is there, else its path in small letters; None if it is no file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return os.path.realpath(str(path)).casefold()
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
