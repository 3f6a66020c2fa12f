"""Logs as people keep them, from files and frames, with errors that point at lines."""

import bz2
import gzip
import io
import lzma
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pytest
import zstandard

from trust_helpers import DataError, TrustError
from trust_helpers.logs import Form, frame_log, read_counts, read_log, read_moments, read_wide
from trust_helpers.reading import fast
from trust_helpers.reading.source import find_source

PLAIN = "arm,reward\na,1.5\nb,2\na,-3e-1\n"


@pytest.fixture
def file(tmp_path):
    def write(content, name="log.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write


def samples(log):
    return list(zip(log.arms, log.rewards.tolist(), strict=True))


EXPECTED = [("a", 1.5), ("b", 2.0), ("a", -0.3)]


def zipped(content, *names):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, content)
    return buffer.getvalue()


WRITTEN = {
    "windows": PLAIN.replace("\n", "\r\n"),
    "old mac": PLAIN.replace("\n", "\r"),
    "no last line end": PLAIN.rstrip(),
    "blank lines at the end": PLAIN + "\n\n  \n,\n",
    "semicolons and decimal commas": "arm;reward\na;1,5\nb;2\na;-3e-1\n",
    "tabs": PLAIN.replace(",", "\t"),
    "bars": PLAIN.replace(",", "|"),
    "quotes": '"arm","reward"\n"a","1.5"\n"b","2"\n"a","-3e-1"\n',
    "spaces": " arm , reward \n a , 1.5\nb, 2 \na,-3e-1\n",
    "capitals": PLAIN.replace("arm,reward", "Arm,REWARD"),
    "UTF-8 with a mark": b"\xef\xbb\xbf" + PLAIN.encode(),
    "UTF-16": PLAIN.encode("utf-16"),
    "gzip": gzip.compress(PLAIN.encode()),
    "bz2": bz2.compress(PLAIN.encode()),
    "xz": lzma.compress(PLAIN.encode()),
    "zstd": zstandard.compress(PLAIN.encode()),
    "zip": zipped(PLAIN, "inner.csv"),
    "zip from a Mac": zipped(PLAIN, "inner.csv", "__MACOSX/._inner.csv"),
    "JSON lines": '{"arm": "a", "reward": 1.5}\n\n{"reward": 2, "arm": "b"}\n{"arm": "a", "reward": "-0.3", "x": 1}\n',
}


@pytest.mark.parametrize("written", WRITTEN)
def test_the_same_log_however_it_is_written(file, written):
    assert samples(read_log(file(WRITTEN[written]), "arm", "reward")) == EXPECTED


@pytest.mark.parametrize("kind", ["parquet", "arrow", "stream", "xlsx"])
def test_the_same_log_in_a_binary_table(tmp_path, kind):
    path = tmp_path / "log.csv"  # told by content, not by name
    frame = pl.DataFrame({"arm": ["a", "b", "a"], "reward": [1.5, 2, -0.3]})
    if kind == "xlsx":
        pd.DataFrame(frame.to_dict(as_series=False)).to_excel(tmp_path / "log.xlsx", index=False)
        (tmp_path / "log.xlsx").rename(path)
    else:
        {"parquet": frame.write_parquet, "arrow": frame.write_ipc, "stream": frame.write_ipc_stream}[kind](path)
    assert samples(read_log(path, "arm", "reward")) == EXPECTED


@pytest.fixture
def workbook(tmp_path):
    def write(*rows):
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(tmp_path / "log.xlsx")
        return tmp_path / "log.xlsx"

    return write


def test_a_workbook_is_read_as_text_would_be(workbook):
    log = read_log(
        workbook(["n", "Arm", "n", "reward"], [1, 7, 2, True], [1, 5, 2, 0], [1, 7, 2, 0.5]), "arm", "reward"
    )
    assert samples(log) == [(7, 1.0), (5, 0.0), (7, 0.5)]
    assert log.notices == ("the column 'Arm' is taken for 'arm'",)
    assert read_log(workbook(["arm", "reward"], ["007", 1], ["7", 0]), "arm", "reward").names == ("007", "7")
    assert samples(read_wide(workbook(["a", "b"], [1, 2], [3, None]))) == [("a", 1.0), ("a", 3.0), ("b", 2.0)]


def test_a_workbook_that_its_reader_would_change_is_refused(workbook, capfd):
    many = [[i % 7, 1] for i in range(2000)]
    for message, rows in {
        "2 columns are called 'reward'": [["arm", "reward", "reward"], ["a", 1, 2]],
        "arm names must be all of one kind": [["arm", "reward"], [1, 1], ["1", 0]],
        "arm names must be all of one kind, not texts and numbers": [["arm", "reward"], *many, ["x", 1]],
        "'reward' is not a finite number in row 3": [["arm", "reward", None], ["a", 1], ["b", "n/a"]],
        "no column 'arm'; it has 'My results'": [["My results"], [], ["arm", "reward"], ["a", 1]],
        "the file is empty": [],
    }.items():
        with pytest.raises(DataError, match=message):
            read_log(workbook(*rows), "arm", "reward")
    with pytest.raises(DataError, match="2 columns are called 'a'"):
        read_wide(workbook(["a", "a"], [1, 2]))
    assert capfd.readouterr().err == ""


def test_a_complaint_has_the_row_that_the_spreadsheet_shows(workbook):
    blank = [[], [], ["arm", "reward"], ["a", 1], [], ["b", "n/a"], [], [], [None, 3], ["c", 2]]
    with pytest.raises(DataError, match=r"'reward' is not a finite number in row 6$"):
        read_log(workbook(*blank[:6]), "arm", "reward")
    with pytest.raises(DataError, match=r"missing an arm in row 9$"):
        read_log(workbook(*blank), "arm", "reward")
    assert read_log(workbook(*blank), "arm", "reward", skip_bad_rows=True).where(1).startswith("row 10 of ")
    with pytest.raises(DataError, match=r"not a finite number in row 5$"):
        read_wide(workbook(["a", "b"], [1, None], [], [None, 2], [3, "x"]))


def test_a_wide_frame_counts_rows_and_not_cells(tmp_path):
    pl.DataFrame({"a": ["1", None, "2"], "b": ["3", "4", "?"]}).write_parquet(tmp_path / "wide")
    with pytest.raises(DataError, match=r"not a finite number in row 3$"):
        read_wide(tmp_path / "wide")


def test_what_was_taken_for_granted_is_said(file):
    log = read_log(file("Arm;reward\na ;yes\n a;NO\nb;0,5\n"), "arm", "reward")
    assert log.notices == (
        "columns are separated by semicolons",
        "the decimal mark is a comma",
        "the column 'Arm' is taken for 'arm'",
        "yes and true count as 1, no and false as 0",
        "spaces around names are left out: ' a' and 'a ' are one arm",
    )
    assert samples(log) == [("a", 1.0), ("a", 0.0), ("b", 0.5)]
    assert read_log(file(PLAIN), "arm", "reward").notices == ()


def test_arms_in_text_are_text_and_elsewhere_keep_their_type(file, tmp_path):
    assert read_log(file("arm,reward\n007,1\n7,2\nNA,3\n"), "arm", "reward").names == ("007", "7", "NA")
    pl.DataFrame({"arm": [7, 5], "reward": [1, 2]}).write_parquet(tmp_path / "t")
    assert read_log(tmp_path / "t", "arm", "reward").names == (5, 7)
    assert read_log(file('{"arm": 7, "reward": 1}\n{"arm": 5, "reward": true}\n'), "arm", "reward").names == (5, 7)


SAID = {
    "12%": (Form(percent=True), 0.12),
    "7 %": (Form(percent=True), 0.07),
    "$1,234.50": (Form(currency=True, thousands=","), 1234.5),
    "-€ 3": (Form(currency=True), -3.0),
    "12 EUR": (Form(currency=True), 12.0),
    "1.234,5": (Form(decimal=",", thousands="."), 1234.5),
    "1 234": (Form(thousands=" "), 1234.0),
    "1,234": (Form(thousands=","), 1234.0),
    "0,25": (Form(decimal=","), 0.25),
}


@pytest.mark.parametrize("text", SAID)
def test_numbers_dressed_up_are_read_only_when_it_is_said(file, text):
    form, value = SAID[text]
    path = file(f"arm;reward\na;{text}\n")
    assert read_log(path, "arm", "reward", form=form).rewards.tolist() == [value]
    if text != "0,25":  # unmistakable
        with pytest.raises(DataError, match=r"--(percent|currency|thousands|decimal)|on line 2"):
            read_log(path, "arm", "reward")


@pytest.mark.parametrize(
    "text", ["1_000", "١٢", "0x10", "1,2,3", "1.5.5", "--1", "nan", "inf", "1e400", "12%", "maybe", ""]
)
def test_what_is_no_number_is_refused(file, text):
    with pytest.raises(DataError, match="on line 3"):
        read_log(file(f'arm,reward\na,1\nb,"{text}"\n'), "arm", "reward")


BAD = {
    "no column 'reward' (did you mean 'rewards'?); it has 'arm', 'rewards'": "arm,rewards\na,1\n",
    "no column 'arm'": "option,reward\na,1\n",
    "2 columns are called 'reward'": "arm,reward,reward\na,1,2\n",
    "2 columns are called 'arm'": "Arm,ARM,reward\na,b,1\n",
    "the file is empty": "",
    "the file is empty ": "\n\n",
    "a header and no rows": "arm,reward\n",
    "'reward' is not a finite number on line 3": "arm,reward\na,1\nb,good\nc,2\n",
    "on line 2, 3, 4, 5, 6 and 2 more": "arm,reward\n" + "a,nan\n" * 7,
    "not a finite number on line 4": "arm,reward\na,1\nb,2\nc,inf\n",
    "not a finite number on line 2": "arm,reward\na,\n",
    "not a finite number on line 3": "arm,reward\na,1\nb\n",
    "'arm' is missing an arm on line 3": "arm,reward\na,1\n  ,2\n",
    "'arm' is missing an arm on line 4": "arm,reward\na,1\nb,1\n\nc,2\n",
    "not a finite number on line 5": 'arm,reward\n"a\nb\nc",1\nb,x\n',
    "not a finite number on line 6": '"arm\n",reward\n"a\nb",1\nb,2\nc,x\n',
    "line 3 has 4 cells, the header 2": "arm,reward\na,1\nb,2,3,4\n",
    "cannot be read as CSV: line 3": 'arm,reward\na,1\n"b,2\n',
    "'1,234' may be a decimal comma or groups of thousands": "arm;reward\na;1,234\nb;12,500\n",
    "'12%' would be one with --percent": "arm,reward\na,12%\n",
    "'$3' would be one with --currency": "arm,reward\na,$3\n",
    "is not UTF-8: say --encoding": b"arm,reward\n\xe9,1\n",
    "it is no text, or UTF-16 without a mark": "arm,reward\na,1\n".encode("utf-16-le"),
    "a zip file must have one member, it has 2": zipped(PLAIN, "one", "two"),
    "cannot be read": gzip.compress(PLAIN.encode())[:25],
    "cannot be read as parquet": b"PAR1 but nothing else",
    "an old feather file cannot be read": b"FEA1 and so on",
    "cannot be read as xlsx": zipped("nothing", "[Content_Types].xml"),
    "cannot be read as arrow-stream": b"\xff\xff\xff\xff and so on",
    "line 2 has 'reward' twice": '{"arm": "a", "reward": 1}\n{"arm": "b", "reward": 1, "reward": 2}\n',
    "'1.234,5 €' would be one with --currency --decimal , --thousands .": "arm;reward\na;1.234,5 €\n",
    "line 2 is not a JSON object": '{"arm": "a", "reward": 1}\n[1]\n',
    "line 1 is not a JSON object": '[\n{"arm": "a", "reward": 1}]\n',
    "arm names must be all of one kind, not 1 and '1'": '{"arm": 1, "reward": 1}\n{"arm": "1", "reward": 1}\n',
    "arm names must be all of one kind, not 1 and True": '{"arm": 1, "reward": 1}\n{"arm": true, "reward": 1}\n',
    "missing an arm on line 3": '{"arm": "a", "reward": 1}\n\n{"reward": 1}\n',
}


@pytest.mark.parametrize("message", BAD)
def test_bad_files_are_refused_with_the_line(file, message):
    with pytest.raises(DataError) as caught:
        read_log(file(BAD[message]), "arm", "reward")
    assert message.strip() in str(caught.value)
    assert "log.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_missing_or_a_folder(tmp_path):
    for path in (tmp_path / "nowhere.csv", tmp_path, "nul\x00"):
        with pytest.raises(DataError, match="cannot be read"):
            read_log(path, "arm", "reward")


def test_an_encoding_that_is_said(file):
    path = file("arm,reward\né,1\n", encoding="latin-1")
    assert read_log(path, "arm", "reward", form=Form(encoding="latin-1")).names == ("é",)
    with pytest.raises(DataError, match="it is not utf-16"):
        read_log(file(b"arm,reward\na,1\n"), "arm", "reward", form=Form(encoding="utf-16"))
    with pytest.raises(TrustError, match="the encoding 'klingon' is not known"):
        Form(encoding="klingon")


@pytest.mark.parametrize(
    "form",
    [{"sep": "ab"}, {"sep": "\n"}, {"decimal": ";"}, {"thousands": "1"}, {"thousands": "."}, {"encoding": "\x00"}],
)
def test_a_form_that_makes_no_sense(form):
    with pytest.raises(TrustError):
        Form(**form)


def test_bad_rows_are_left_out_and_counted_when_asked(file):
    log = read_log(file("arm,reward\na,1\nonly,x\n,3\nb,4\n"), "arm", "reward", skip_bad_rows=True)
    assert (samples(log), log.skipped, log.names) == ([("a", 1.0), ("b", 4.0)], 2, ("a", "b"))
    with pytest.raises(DataError, match="none of its 1 rows is usable"):
        read_log(file("arm,reward\na,x\n"), "arm", "reward", skip_bad_rows=True)


def test_clicks_and_impressions_add_up(file):
    log = read_counts(file("ad,clicks,shown\nb,1,10\na,0,5\nb,2,20\n"), "ad", "clicks", "shown")
    assert log.names == ("a", "b")
    assert (log.successes.tolist(), log.counts.tolist()) == ([0, 3], [5, 30])


def test_one_try_is_a_log(file):
    log = read_counts(file("arm,k,n\na,0,1\nb,1,1\n"), "arm", "k", "n")
    assert (log.successes.tolist(), log.counts.tolist()) == ([0, 1], [1, 1])
    assert read_moments(file("arm,n,m\na,1,2.5\n"), "arm", "n", "m").counts.tolist() == [1]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("6,5", "'k' is above column 'n'"),
        ("-1,5", "'k' is not a whole"),
        ("1,2.5", "'n' is not a whole"),
        ("0,0", "'n'"),
    ],
)
def test_clicks_that_cannot_be(file, row, message):
    with pytest.raises(DataError, match=rf"{message}.* on line 3"):
        read_counts(file(f"arm,k,n\na,1,2\nb,{row}\n"), "arm", "k", "n")


def test_several_rows_of_moments_are_those_of_all_samples(file):
    rng = np.random.default_rng(0)
    parts = [rng.normal(size=n) for n in (5, 1, 7)]
    rows = "".join(f"a,{p.size},{p.mean()!r},{p.std(ddof=1)!r}\n" if p.size > 1 else f"a,1,{p[0]!r},\n" for p in parts)
    log = read_moments(file("arm,n,m,s\n" + rows.replace("np.float64(", "").replace(")", "")), "arm", "n", "m", "s")
    together = np.concatenate(parts)
    assert log.counts.tolist() == [13]
    np.testing.assert_allclose(log.means, together.mean(), rtol=1e-14)
    np.testing.assert_allclose(log.squares, ((together - together.mean()) ** 2).sum(), rtol=1e-13)
    assert read_moments(file("arm,n,m\na,2,1\n"), "arm", "n", "m").squares is None


def test_moments_that_cannot_be(file):
    for row, message in {
        "0,1,1": "'n' is not a whole",
        "2,1,-1": "'s' is negative",
        "2,1,": "'s' is not a finite",
    }.items():
        with pytest.raises(DataError, match=rf"{message}.* on line 2"):
            read_moments(file(f"arm,n,m,s\na,{row}\n"), "arm", "n", "m", "s")


def test_a_column_for_each_arm(file, tmp_path):
    log = read_wide(file("red;green\n1,5;\n2;4\n;\n;3\n"))
    assert sorted(samples(log)) == [("green", 3.0), ("green", 4.0), ("red", 1.5), ("red", 2.0)]
    with pytest.raises(DataError, match="on line 3"):
        read_wide(file("red,green\n1,2\nx,1\n"))
    with pytest.raises(DataError, match="2 columns are called 'a'"):
        read_wide(file("a, a\n1,2\n"))
    pl.DataFrame({"red": [1.5, 2.0], "green": [None, 4.0]}).write_parquet(tmp_path / "w")
    assert sorted(samples(read_wide(tmp_path / "w"))) == [("green", 4.0), ("red", 1.5), ("red", 2.0)]


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_frames_of_every_kind(make):
    log = frame_log(make({"arm": [7, 5, 7], "reward": [1, 2, 4]}), "arm", "reward")
    assert (log.names, log.rewards.tolist()) == ((5, 7), [1, 2, 4])
    assert all(type(name) is int for name in log.names)
    assert frame_log(make({"arm": ["x", "y"], "reward": [True, False]}), "arm", "reward").names == ("x", "y")
    with pytest.raises(DataError, match="the frame: no column 'reward'"):
        frame_log(make({"arm": [1]}), "arm", "reward")


def test_a_frame_that_is_not_made_yet_and_what_is_no_frame():
    lazy = pl.DataFrame({"arm": ["a", "b"], "reward": [1, 0]}).lazy()
    assert samples(frame_log(lazy, "arm", "reward")) == [("a", 1.0), ("b", 0.0)]
    for other in (3, None, [("a", 1)], "log.csv", np.ones((2, 2))):
        with pytest.raises(DataError, match=f"the frame: {type(other).__name__} is no frame and no mapping"):
            frame_log(other, "arm", "reward")
    with pytest.raises(DataError, match="column 'arm' has 2 cells, column 'reward' has 1"):
        frame_log({"arm": ["a", "b"], "reward": [1]}, "arm", "reward")
    twice = pd.DataFrame([["a", 1, 2]], columns=["arm", "reward", "reward"])
    with pytest.raises(DataError, match="2 columns are called 'reward'"):
        frame_log(twice, "arm", "reward")


def test_missing_values_of_every_kind_are_an_error():
    for nothing in (None, float("nan"), pd.NA, pd.NaT, np.datetime64("NaT")):
        with pytest.raises(DataError, match="missing an arm in row 2"):
            frame_log({"arm": ["a", nothing], "reward": [1, 2]}, "arm", "reward")
        with pytest.raises(DataError, match="not a finite number in row 1"):
            frame_log({"arm": ["a", "b"], "reward": [nothing, 2]}, "arm", "reward")
    with pytest.raises(DataError, match="not a finite number in row 2"):
        frame_log(pd.DataFrame({"arm": ["a", "b"], "reward": pd.array([1, None], dtype="Int64")}), "arm", "reward")


def test_a_plain_install_reads_the_same(file, monkeypatch):
    quick = read_log(file(PLAIN), "arm", "reward")
    monkeypatch.setattr(fast, "has", lambda name: False)
    plain = read_log(file(PLAIN), "arm", "reward")
    assert samples(quick) == samples(plain)


def test_the_digest_is_that_of_the_file(file):
    import hashlib

    path = file(gzip.compress(PLAIN.encode()))
    assert find_source(path).digest() == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("rows", ["a,3,1e19\n", "a,3,9e18\na,3,9e18\n", f"a,3,{2**53 - 1}\na,1,1\n"])
def test_more_tries_than_can_be_counted_are_refused_naming_the_arm(file, rows):
    path = file(f"arm,k,n\n{rows}b,1,5\n")
    for read in (lambda: read_counts(path, "arm", "k", "n"), lambda: read_moments(path, "arm", "n", "k")):
        with pytest.raises(DataError, match=r"^count of arm 'a' is .*: at most 9,007,199,254,740,991 samples"):
            read()
