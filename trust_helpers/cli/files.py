"""Outputs that lose nothing: written whole or not at all.

:func:`plan_outputs` looks at every output before the work, :func:`write_all` puts all of them in place after it. New
content is written under no name at all where the system can do that, so that a full disk or a kill at any moment leaves
the old file, or none, and nothing beside it. A link is written through; an existing file keeps its mode.
"""

import os
import signal
import stat
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

from .outputs import Output, plan_outputs, said_of

__all__ = ["Output", "held", "plan_outputs", "write_all", "write_whole"]

SPARE = ".trust-helpers."  # begins the name that new content has while it takes the place of an old file


def write_all(contents: Sequence[tuple[Output, bytes]]) -> None:
    """Write every content, all of them safely on the disk before the first takes its place."""
    with ExitStack() as stack:
        commits = []
        for output, content in contents:
            if output.path is not None:
                with said_of(output.asked):
                    commits.append((output.asked, stack.enter_context(_staged(output.path, content))))
        with held():
            for asked, commit in commits:
                with said_of(asked):
                    commit()
    for output, content in contents:
        if output.path is None:
            with said_of("standard output"):
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
    if path.exists() and hasattr(os, "fchown"):
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
