"""Outputs that lose nothing: refused before any work if they would, and written whole or not at all.

:func:`plan_outputs` looks at every output before the work, :func:`write_all` puts all of them in place after it. New
content is written under no name at all where the system can do that, so that a full disk or a kill at any moment leaves
the old file, or none, and nothing beside it. A link is written through; an existing file keeps its mode.
"""

import os
import signal
import stat
import sys
import threading
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import uuid4

from ..errors import TrustError

__all__ = ["Output", "held", "plan_outputs", "write_all", "write_whole"]

STANDARD = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}
SPARE = ".trust-helpers."  # begins the name that new content has while it takes the place of an old file


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


def write_all(contents: Sequence[tuple[Output, bytes]]) -> None:
    """Write every content, all of them safely on the disk before the first takes its place."""
    with ExitStack() as stack:
        commits = []
        for output, content in contents:
            if output.path is not None:
                with _said(output.asked):
                    commits.append((output.asked, stack.enter_context(_staged(output.path, content))))
        with held():
            for asked, commit in commits:
                with _said(asked):
                    commit()
    for output, content in contents:
        if output.path is None:
            with _said("standard output"):
                _to_standard_output(content)


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write one file, whole or not at all; text as UTF-8. Raises TrustError if it cannot be."""
    data = content.encode() if isinstance(content, str) else content
    (output,) = plan_outputs([("the output", path)])
    write_all([(output, data)])


@contextmanager
def held() -> Iterator[None]:
    """Signals that end a process wait for the end of the block; only the main thread gets any."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    wanted = (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP"))
    known = [number for number in wanted if number is not None and signal.getsignal(number) is not None]
    before = {number: signal.signal(number, lambda number, _: came.append(number)) for number in known}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came[:1]:
            signal.raise_signal(number)


def _behind_links(name: str, text: str) -> Path | None:
    """The file that a path leads to, or None for standard output; TrustError unless it can be written."""
    if text in STANDARD:
        return None
    with _said(name):
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


@contextmanager
def _said(asked: str) -> Iterator[None]:
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


@contextmanager
def _staged(path: Path, content: bytes) -> Iterator[Callable[[], None]]:
    """The content on the disk of ``path``; yields the function that puts it in place."""
    try:
        handle = os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except (AttributeError, OSError):  # not every system and disk keeps files without a name
        with _staged_by_name(path, content) as commit:
            yield commit
        return
    try:
        _fill(handle, path, content)
        yield partial(_link, handle, path)
    finally:
        os.close(handle)


@contextmanager
def _staged_by_name(path: Path, content: bytes) -> Iterator[Callable[[], None]]:
    """The same under a spare name beside the file, removed whatever happens short of a kill that cannot be held."""
    with held():
        spare = _spare_name(path)
        handle = os.open(spare, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
        try:
            with os.fdopen(handle, "wb", closefd=True):
                _fill(handle, path, content)
            yield partial(os.replace, spare, path)
        finally:
            spare.unlink(missing_ok=True)


def _fill(handle: int, path: Path, content: bytes) -> None:
    """Write to the disk, with the mode and owner of the file that is replaced."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(handle, rest[: 1 << 20]) :]
    if path.exists() and hasattr(os, "fchmod"):
        old = path.stat()
        with suppress(PermissionError):  # a file of somebody else's that may be written becomes ours
            os.fchown(handle, old.st_uid, old.st_gid)
        os.fchmod(handle, stat.S_IMODE(old.st_mode))
    os.fsync(handle)


def _link(handle: int, path: Path) -> None:
    """Give a nameless file its name. An old file is replaced in one step, for which a spare name is needed."""
    source = f"/proc/self/fd/{handle}"
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        if not path.exists():
            with suppress(FileExistsError):
                os.link(source, path.name, dst_dir_fd=folder)
                return
        _sweep(path.parent)
        spare = _spare_name(path)
        try:
            os.link(source, spare.name, dst_dir_fd=folder)
            os.replace(spare, path)
        finally:
            spare.unlink(missing_ok=True)
    finally:
        os.fsync(folder)
        os.close(folder)


def _spare_name(path: Path) -> Path:
    return path.with_name(f"{SPARE}{os.getpid()}.{uuid4().hex[:8]}")


def _sweep(folder: Path) -> None:
    """Remove spare names whose process was killed between the two steps of :func:`_link`."""
    for spare in folder.glob(f"{SPARE}*.*"):
        process = spare.name.removeprefix(SPARE).partition(".")[0]
        if process.isdigit() and not Path("/proc", process).exists():
            spare.unlink(missing_ok=True)


def _to_standard_output(content: bytes) -> None:
    sys.stdout.flush()
    target = getattr(sys.stdout, "buffer", None)
    if target is None:
        sys.stdout.write(content.decode())
    else:
        target.write(content)
    sys.stdout.flush()
