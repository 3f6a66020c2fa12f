"""What a file is, by its first bytes."""

import bz2
import gzip
import hashlib
import io
import lzma
import zipfile

import pytest

from trust_helpers import DataError
from trust_helpers.reading.source import find_source

TABLE = b"arm,reward\na,1\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress], ids=lambda pack: pack.__module__)
def test_content_is_unpacked_and_the_digest_is_of_what_was_given(tmp_path, pack):
    path = tmp_path / "log.csv"  # whatever its name says
    path.write_bytes(pack(TABLE))
    source = find_source(path)
    assert source.kind == "text"
    with source.open() as stream:
        assert stream.read() == TABLE
    assert source.digest() == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(("start", "kind"), [(b"PAR1", "parquet"), (b"ARROW1", "arrow"), (b"PAR", "text")])
def test_binary_tables_are_told_by_their_mark(tmp_path, start, kind):
    path = tmp_path / "table"
    path.write_bytes(start + b"rest")
    assert find_source(path).kind == kind


def test_an_old_feather_file_is_refused(tmp_path):
    path = tmp_path / "table"
    path.write_bytes(b"FEA1rest")
    with pytest.raises(DataError, match="write it again as feather version 2"):
        find_source(path)


def archive(*names):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        for name in names:
            made.writestr(name, TABLE)
    return buffer.getvalue()


@pytest.mark.parametrize(("names", "found"), [(["a.csv"], "text"), (["folder/", "a.csv"], "text")])
def test_a_zip_file_of_one_member_is_that_member(tmp_path, names, found):
    path = tmp_path / "log.zip"
    path.write_bytes(archive(*names))
    assert find_source(path).kind == found
    assert find_source(path).content == TABLE


def test_a_workbook_is_a_zip_file_too(tmp_path):
    path = tmp_path / "log.xlsx"
    path.write_bytes(archive("[Content_Types].xml", "sheet"))
    assert find_source(path).kind == "xlsx"


def test_two_members_and_half_a_file_are_refused(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(archive("a.csv", "b.csv"))
    with pytest.raises(DataError, match="must have one member, it has 2"):
        find_source(path)
    path.write_bytes(gzip.compress(TABLE * 100)[:40])
    with pytest.raises(DataError, match="cannot be read"):
        find_source(path)
