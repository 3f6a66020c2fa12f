"""What a file is, told by its first bytes: compressed or not, text or one of the binary tables."""

import bz2
import gzip
import hashlib
import io
import lzma
import sys
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO

from ..errors import DataError, TrustError
from ..extras import need

__all__ = ["Source", "find_source"]

FORMATS = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow-stream", b"FEA1": "an old feather file"}
EXCEL = "[Content_Types].xml"
BESIDE = "__MACOSX/"  # where a Mac puts what it knows of a zipped file besides its content


@dataclass(frozen=True)
class Source:
    r"""A table before it is read.

    Attributes
    ----------
    name : str
        What to call it in a complaint.
    kind : str
        "text", "parquet", "arrow", "arrow-stream" or "xlsx".
    content : Path or bytes
        The file itself, or what was read or decompressed.
    origin : Path or bytes
        What was given, before decompression.

    Examples
    --------
    >>> Source("a table", "text", b"arm,reward\n", b"arm,reward\n").open().read()
    b'arm,reward\n'
    """

    name: str
    kind: str
    content: Path | bytes
    origin: Path | bytes

    def open(self) -> IO[bytes]:
        """A stream of its bytes."""
        return self.content.open("rb") if isinstance(self.content, Path) else io.BytesIO(self.content)

    def digest(self) -> str:
        """The SHA-256 of what was given, to say later which log a report is about."""
        if isinstance(self.origin, bytes):
            return hashlib.sha256(self.origin).hexdigest()
        with self.origin.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def find_source(path: str | PathLike[str]) -> Source:
    """Open a file, or standard input for ``-``, and see what it is; DataError if it cannot be read.

    >>> find_source("no such file")
    Traceback (most recent call last):
    trust_helpers.errors.DataError: no such file: cannot be read: No such file or directory
    """
    name = "standard input" if path == "-" else str(path)
    origin: Path | bytes = b""
    try:
        if path == "-":
            if sys.stdin is None:
                raise DataError("standard input is closed")
            origin = sys.stdin.buffer.read()
        else:
            origin = Path(path)
            if not origin.is_file():  # a pipe can be read once
                origin = origin.read_bytes()
        return _look(name, origin)
    except (OSError, EOFError, lzma.LZMAError, zlib.error, zipfile.BadZipFile) as error:
        raise DataError(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except TrustError:
        raise
    except ValueError as error:
        raise DataError(f"{name!r} cannot be read: {error}") from None


def _look(name: str, origin: Path | bytes) -> Source:
    head = _head(origin)
    for magic, unpack in UNPACK.items():
        if head.startswith(magic):
            unpacked = unpack(name, origin)
            if isinstance(unpacked, Source):
                return unpacked
            return Source(name, _kind(name, unpacked[:8]), unpacked, origin)
    return Source(name, _kind(name, head), origin, origin)


def _head(origin: Path | bytes) -> bytes:
    if isinstance(origin, bytes):
        return origin[:8]
    with origin.open("rb") as file:
        return file.read(8)


def _kind(name: str, head: bytes) -> str:
    """Text, or which of the binary tables; a binary file that is none is refused."""
    kind = next((kind for magic, kind in FORMATS.items() if head.startswith(magic)), "text")
    if " " in kind:
        raise DataError(f"{name}: {kind} cannot be read; write it again as feather version 2 or parquet")
    return kind


def _bytes(origin: Path | bytes) -> bytes:
    return origin if isinstance(origin, bytes) else origin.read_bytes()


def _zstd(name: str, origin: Path | bytes) -> bytes:
    library = need("zstandard", "tables", f"{name}: zstd compression")
    try:
        with library.ZstdDecompressor().stream_reader(io.BytesIO(_bytes(origin)), read_across_frames=True) as stream:
            return stream.read()
    except library.ZstdError as error:
        raise DataError(f"{name}: cannot be read: {error}") from None


def _zip(name: str, origin: Path | bytes) -> "bytes | Source":
    """The one member of an archive, or a workbook, which is an archive too."""
    with zipfile.ZipFile(origin if isinstance(origin, Path) else io.BytesIO(origin)) as archive:
        if EXCEL in archive.namelist():
            return Source(name, "xlsx", origin, origin)
        members = [name for name in archive.namelist() if not name.endswith("/") and not name.startswith(BESIDE)]
        if len(members) != 1:
            raise DataError(f"{name}: a zip file must have one member, it has {len(members)}")
        if archive.getinfo(members[0]).flag_bits & 1:
            raise DataError(f"{name}: the zip file is encrypted")
        return archive.read(members[0])


UNPACK: dict[bytes, Callable[[str, Path | bytes], "bytes | Source"]] = {
    b"\x1f\x8b": lambda _, origin: gzip.decompress(_bytes(origin)),
    b"BZh": lambda _, origin: bz2.decompress(_bytes(origin)),
    b"\xfd7zXZ\x00": lambda _, origin: lzma.decompress(_bytes(origin)),
    b"\x28\xb5\x2f\xfd": _zstd,
    b"PK\x03\x04": _zip,
}
