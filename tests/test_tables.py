"""Logs as people keep them, from files and frames, with errors that point at lines."""

import bz2
import gzip
import hashlib
import io
import lzma
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pytest
import zstandard

from trust_helpers import DataError, TrustError, tables
from trust_helpers.data import Log, Totals
from trust_helpers.tables import data_of, frame_log, read_counts, read_log, read_moments, read_wide

PLAIN = "arm,reward\na,1.5\nb,2\na,-3e-1\n"
EXPECTED = [("a", 1.5), ("b", 2.0), ("a", -0.3)]


@pytest.fixture
def file(tmp_path):
    def write(content):
        path = tmp_path / "log.csv"  # what it is its content tells, not its name
        if isinstance(content, pl.DataFrame):
            content.write_parquet(path)
        elif isinstance(content, list):
            book = openpyxl.Workbook()
            for row in content:
                book.active.append(row)
            book.save(path)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def arms(log):
    return [log.names[i] for i in log.arm]


def samples(log):
    return list(zip(arms(log), log.rewards.tolist(), strict=True))


def zipped(content, *names):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, content)
    return buffer.getvalue()


def feather(frame):
    frame.write_ipc(buffer := io.BytesIO())
    return buffer.getvalue()


FRAME = pl.DataFrame({"arm": ["a", "b", "a"], "reward": [1.5, 2, -0.3]})
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
    "parquet": FRAME,
    "categories": FRAME.with_columns(pl.col("arm").cast(pl.Categorical)),
    "feather": feather(FRAME),
    "workbook": [["arm", "reward"], ["a", 1.5], ["b", 2], ["a", -0.3], [None, None]],
}


@pytest.mark.parametrize("written", WRITTEN)
def test_the_same_log_however_it_is_written(file, written):
    assert samples(read_log(file(WRITTEN[written]), "arm", "reward")) == EXPECTED


def test_a_workbook_is_read_as_text_would_be_and_its_numbers_as_they_are_kept(file):
    log = read_log(file([["n", "Arm", "n", "reward"], [1, 7, 2, True], [1, 5, 2, 0], [1, 7, 2, 0.5]]))
    assert samples(log) == [("7", 1.0), ("5", 0.0), ("7", 0.5)]
    assert log.notices == ("the column 'Arm' is taken for 'arm'",)
    assert read_log(file([["arm", "reward"], ["007", 1], ["7", 0]])).names == ("007", "7")
    assert samples(read_wide(file([["a", "b"], [1, 2], [], [3, None]]))) == [("a", 1.0), ("b", 2.0), ("a", 3.0)]
    exact = [["arm", "reward"], ["a", 1 / 3], ["b", 1e-20], ["c", 2.0**53]]
    assert read_log(file(exact)).rewards.tolist() == [1 / 3, 1e-20, 2.0**53]
    assert read_log(file([[], [], *exact])).where(1).startswith("row 5 of ")


def test_what_was_taken_for_granted_is_said(file):
    log = read_log(file("Arm;reward\na ;yes\n a;NO\nb;0,5\n"))
    assert log.notices == (
        "columns are separated by semicolons",
        "the column 'Arm' is taken for 'arm'",
        "spaces around names are left out",
        "the decimal mark is a comma",
        "yes counts as 1 and no as 0",
    )
    assert samples(log) == [("a", 1.0), ("a", 0.0), ("b", 0.5)]
    assert read_log(file(PLAIN)).notices == ()


def test_arms_in_text_are_text_and_elsewhere_keep_their_type(file):
    assert read_log(file("arm,reward\n007,1\n7,2\nNA,3\n")).names == ("007", "7", "NA")
    assert read_log(file(pl.DataFrame({"arm": [7, 5], "reward": [1, 2]}))).names == (5, 7)
    assert read_log(file('{"arm": 7, "reward": 1}\n{"arm": 5, "reward": true}\n')).names == (5, 7)
    assert read_log(file('{"arm": 1, "reward": 1}\n{"arm": 0.5, "reward": 2.5}\n')).names == (0.5, 1)


JSON = '{"arm": %s, "reward": 1}\n{"arm": %s, "reward": 1}\n'
BAD = {
    "no column 'reward'; it has 'arm', 'rewards'": "arm,rewards\na,1\n",
    "no column 'arm'": "option,reward\na,1\n",
    "2 columns are called 'reward'": "arm,reward,reward\na,1,2\n",
    "2 columns are called 'arm'": "Arm,ARM,reward\na,b,1\n",
    "the file is empty": "",
    "the file is empty ": "\n\n",
    "a header and no rows": "arm,reward\n",
    "'reward' on line 3 is 'good', which is not a finite number": "arm,reward\na,1\nb,good\nc,2\n",
    "on line 2 is nan, which is not a finite number (and 6 more like it)": "arm,reward\n" + "a,nan\n" * 7,
    "'reward' on line 4 is inf": "arm,reward\na,1\nb,2\nc,inf\n",
    "'reward' on line 2 is empty": "arm,reward\na,\n",
    "'reward' on line 3 is empty": "arm,reward\na,1\nb\n",
    "'arm' on line 3 is empty": "arm,reward\na,1\n  ,2\n",
    "'arm' on line 4 is empty": "arm,reward\na,1\nb,1\n\nc,2\n",
    "'reward' on line 5 is 'x'": 'arm,reward\n"a\nb\nc",1\nb,x\n',
    "'reward' on line 6 is 'x'": '"arm\n",reward\n"a\nb",1\nb,2\nc,x\n',
    "'reward' on line 7 is 'x'": '\n\n"arm",reward\n"a\nb",1\nb,2\nc,x\n',
    "line 3 has 4 cells, the header 2": "arm,reward\na,1\nb,2,3,4\n",
    "cannot be read: line 3: unexpected end": 'arm,reward\na,1\n"b,2\n',
    "'1,234' may have a decimal comma or groups of thousands": "arm;reward\na;1,234\nb;12,500\n",
    "is '12%', which is not a finite number; signs of currency, % and marks": "arm,reward\na,12%\n",
    "is '$3', which is not a finite number; signs of currency, % and marks": "arm,reward\na,$3\n",
    "is '1,200.50', which is not a finite number; signs of": 'arm,reward\na,"1,200.50"\n',
    "b'\\xe9' on line 3 is not UTF-8: say --encoding": b"arm,reward\na,1\n\xe9,1\n",
    "a zip file must have one member, it has 2": zipped(PLAIN, "one", "two"),
    "cannot be read": gzip.compress(PLAIN.encode())[:25],
    "cannot be read: parquet: ": b"PAR1 but nothing else",
    "cannot be read: calamine error: ": zipped("nothing", "[Content_Types].xml"),
    "line 2 is not a JSON object": '{"arm": "a", "reward": 1}\n[]\n',
    "line 1 is not a JSON object": '[\n{"arm": "a", "reward": 1}]\n',
    "names must be all of one kind, not 1 and '1'": JSON % (1, '"1"'),
    "names must be all of one kind, not 1 and True": JSON % (1, "true"),
    "column 'arm' is of List(Int64): a name is a text or a number": JSON % ("[1]", "[2]"),
    "'arm' on line 3 is empty ": '{"arm": "a", "reward": 1}\n\n{"reward": 1}\n',
    "2 columns are called 'reward' ": [["arm", "reward", "reward"], ["a", 1, 2]],
    "'reward' on row 3 is 'n/a', which is not a finite number": [["arm", "reward", None], ["a", 1], ["b", "n/a"]],
    "'reward' on row 5 is 'n/a', which is not a finite number": [[], [], ["arm", "reward"], ["a", 1], ["b", "n/a"]],
    "column 'arm' on row 3 is empty": [["arm", "reward"], ["a", 1], [None, 3], ["c", 2]],
    "no column 'arm'; it has 'My results'": [["My results"], [], ["arm", "reward"], ["a", 1]],
    "the file is empty  ": [],
}


@pytest.mark.parametrize("message", BAD)
def test_bad_files_are_refused_with_the_line(file, message, capfd):
    with pytest.raises(DataError) as caught:
        read_log(file(BAD[message]))
    assert message.strip() in str(caught.value)
    assert "log.csv" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("text", ["1_000", "١٢", "0x10", "1,2,3", "1.5.5", "--1", "nan", "inf", "1e400", "maybe"])
def test_what_is_no_number_is_refused(file, text):
    with pytest.raises(DataError, match="on line 3"):
        read_log(file(f'arm,reward\na,1\nb,"{text}"\n'))


KINDS = {
    "wide": ("", read_wide),
    "counts": ("arm,k,n\na,1,2\n", lambda path: read_counts(path, "arm", "k", "n")),
    "moments": ("arm,n,m,s\n", lambda path: read_moments(path, "arm", "n", "m", "s")),
}
WIDE = pl.DataFrame({"a": ["1", None, "2"], "b": ["3", "4", "?"]})
OTHERS = [
    (
        "wide",
        "red,green\n1,2\nx,1\n",
        "'red' on line 3 is 'x', .* number; to choose among the rows say --arm red, among the .* --item red$",
    ),
    ("wide", "a, a\n1,2\n", "2 columns are called 'a'"),
    ("wide", [["a", "a"], [1, 2]], "2 columns are called 'a'"),
    ("wide", ",a\n1,2\n", "a column has no name"),
    ("wide", "a,b\n1,2\n,maybe\n", r"log.csv: column 'b' on line 3 is 'maybe', which is not a finite number$"),
    ("wide", WIDE, r"column 'b' on row 3 is '\?', which is not a finite number$"),
    ("wide", [["a", "b"], [1, None], [], [3, "x"]], r"column 'b' on row 4 is 'x', which is not a finite number$"),
    ("counts", "b,6,5\n", "'k' is above column 'n' on line 3"),
    ("counts", "b,-1,5\n", "'k' is not a whole number of at least 0 on line 3"),
    ("counts", "b,1,2.5\n", "'n' is not a whole number of at least 1 on line 3"),
    ("counts", "b,0,0\n", "'n' is not a whole number of at least 1 on line 3"),
    ("moments", "a,0,1,1\n", "'n' is not a whole number"),
    ("moments", "a,2,1,-1\n", "'s' is negative or empty"),
    ("moments", "a,2,1,\n", "'s' is negative or empty"),
    ("moments", "a,2,1,x\n", "'s' on line 2 is 'x'"),
]


@pytest.mark.parametrize(("kind", "content", "message"), OTHERS)
def test_what_cannot_be_in_other_tables_is_named_by_row_column_and_value(file, kind, content, message):
    header, read = KINDS[kind]
    with pytest.raises(DataError, match=message):
        read(file(header + content if header else content))


@pytest.mark.parametrize("rows", ["a,3,1e19\n", "a,3,9e18\na,3,9e18\n", f"a,3,{2**53 - 1}\na,1,1\n"])
def test_more_tries_than_can_be_counted_are_refused_naming_the_arm(file, rows):
    path = file(f"arm,k,n\n{rows}b,1,5\n")
    for read in (lambda: read_counts(path, "arm", "k", "n"), lambda: read_moments(path, "arm", "n", "k")):
        with pytest.raises(DataError, match=r"^count of arm 'a' is .*: at most 9,007,199,254,740,991 samples"):
            read()


def test_a_file_that_is_missing_or_a_folder(tmp_path):
    for path in (tmp_path / "nowhere.csv", tmp_path, "nul\x00"):
        with pytest.raises(DataError, match="cannot be read"):
            read_log(path)


def test_an_encoding_that_is_said_and_what_is_asked_for_twice(file):
    path = file("arm,reward\né,1\n".encode("latin-1"))
    assert read_log(path, encoding="latin-1").names == ("é",)
    for message, asked in [
        ("cannot be read: 'utf-16-le' codec can't decode", {"encoding": "utf-16"}),
        ("the encoding 'klingon' is not known", {"encoding": "klingon"}),
        ("the decimal mark is 'x'", {"decimal": "x"}),
        ("the column 'arm' is asked for twice", {"encoding": "latin-1", "reward": "arm"}),
        ("the column 'arm' is asked for twice", {"encoding": "latin-1", "item": "Arm"}),
    ]:
        with pytest.raises(TrustError, match=message):
            read_log(path, **asked)


def test_totals_add_up(file):
    log = read_counts(file("ad,clicks,shown\nb,1,10\na,0,1\nb,2,20\n"), "ad", "clicks", "shown")
    assert (log.names, log.successes.tolist(), log.counts.tolist()) == (("a", "b"), [0, 3], [1, 30])
    rng = np.random.default_rng(0)
    parts = [rng.normal(size=n) for n in (5, 1, 7)]
    rows = [f"a,{p.size},{float(p.mean())!r},{float(p.std(ddof=1)) if p.size > 1 else ''}\n" for p in parts]
    log, together = read_moments(file("arm,n,m,s\n" + "".join(rows)), "arm", "n", "m", "s"), np.concatenate(parts)
    assert log.counts.tolist() == [13]
    np.testing.assert_allclose(log.means, together.mean(), rtol=1e-14)
    np.testing.assert_allclose(log.squares, ((together - together.mean()) ** 2).sum(), rtol=1e-13)
    assert read_moments(file("arm,n,m\na,1,2.5\n"), "arm", "n", "m").squares is None


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_frames_of_every_kind(make):
    log = frame_log(make({"arm": [7, 5, 7], "reward": [1, 2, 4]}))
    assert (log.names, log.rewards.tolist()) == ((5, 7), [1, 2, 4])
    assert all(type(name) is int for name in log.names)
    assert frame_log(make({"arm": ["x", "y"], "reward": [True, False]})).names == ("x", "y")
    with pytest.raises(DataError, match="the frame: no column 'reward'"):
        frame_log(make({"arm": [1]}))


def test_a_frame_that_is_not_made_yet_and_what_is_no_frame():
    lazy = pl.DataFrame({"arm": ["a", "b"], "reward": [1, 0]}).lazy()
    assert samples(frame_log(lazy)) == [("a", 1.0), ("b", 0.0)]
    for other in (3, None, [("a", 1)], "log.csv", np.ones((2, 2))):
        with pytest.raises(DataError, match=f"the frame: {type(other).__name__} is no frame and no mapping"):
            frame_log(other)
    with pytest.raises(
        DataError, match=r"the frame: .*column 'reward' \(1\) does not match height of column 'arm' \(2\)"
    ):
        frame_log({"arm": ["a", "b"], "reward": [1]})
    twice = pd.DataFrame([["a", 1, 2]], columns=["arm", "reward", "reward"])
    with pytest.raises(DataError, match=r"the frame: .*Expected unique column names, got: - 'reward' 2 times"):
        frame_log(twice)


@pytest.mark.parametrize("nothing", [None, float("nan"), pd.NA, pd.NaT, np.datetime64("NaT")])
def test_missing_values_of_every_kind_are_an_error(nothing):
    with pytest.raises(DataError, match="column 'arm' on row 2 is empty"):
        frame_log({"arm": ["a", nothing], "reward": [1, 2]})
    with pytest.raises(DataError, match="column 'reward' on row 1 is empty"):
        frame_log({"arm": ["a", "b"], "reward": [nothing, 2]})
    with pytest.raises(DataError, match="column 'reward' on row 2 is empty"):
        frame_log(pd.DataFrame({"arm": ["a", "b"], "reward": pd.array([1, None], dtype="Int64")}))


def test_the_digest_is_that_of_the_file(file):
    path = file(gzip.compress(PLAIN.encode()))
    assert tables.open_table(path).digest() == hashlib.sha256(path.read_bytes()).hexdigest()


PAIRS = "yes no,TRUE False,pass fail,Won lost,success FAILURE,passed failed"


@pytest.mark.parametrize("pair", PAIRS.split(","))
def test_words_that_come_in_pairs_are_one_and_nothing(file, pair):
    one, two = pair.split()
    log = read_log(file(f"arm,reward\na, {one} \nb,{two}\nb,0.5\n"))
    assert log.rewards.tolist() == [1, 0, 0.5]
    assert log.notices == (f"{one.lower()} counts as 1 and {two.lower()} as 0",)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("restaurant,rating\nx,1\n", "--arm restaurant --reward rating"),
        ("subject line,opens\nx,1\n", "--arm 'subject line' --reward opens"),
        ("paid,arm\n1,x\n", "--arm arm --reward paid"),
        ("reward,which\n1,x\n", "--arm which --reward reward"),
        ("user,film,rating\n1,2,3\n", "--arm NAME --reward NAME"),
        ("ad,sends,opens\nx,20,1\ny,20,2\n", "--arm ad --successes opens --trials sends, if a row is a total"),
        ("ad,sends,opens\nx,20,1\nx,20,2\n", "--arm ad --reward opens"),  # one that differs within an arm
        ("site,yield,sd\nx,2,.5\nx,1,.5\ny,2,1\n", "--arm site --reward yield"),
        ("prompt,q,ok\na,1x,pass\na,2x,fail\nb,1x,pass\nb,2x,pass\n", "--arm prompt --reward ok --item q"),
        ("prompt,note,ok\na,1x,pass\na,1x,fail\nb,1x,pass\n", "--arm prompt --reward ok"),
        ("prompt,q1,q2\na,pass,1\nb,fail,0.5\n", "--wide --arm prompt to .* rows, --wide --item prompt to .*"),
    ],
)
def test_columns_that_are_not_there_are_proposed(file, table, said):
    with pytest.raises(DataError, match=f"no column .*; say {said}$"):
        read_log(file(table))


def test_decimal_commas_of_three_digits_are_asked_about_and_said(file):
    path = file("arm;reward\na;20,125\nb;1,500\n")
    with pytest.raises(DataError, match="column 'reward': '20,125' may have a decimal comma or groups of thousands"):
        read_log(path)
    assert read_log(path, decimal=",").rewards.tolist() == [20.125, 1.5]
    with pytest.raises(DataError, match="'20,125', which is not a finite number"):
        read_log(path, decimal=".")


def test_items_are_numbered_wherever_they_are_named(file):
    path = file("prompt,passed,question\nb,pass,q 10\na,fail, q9\nb,fail,q9\n")
    log = read_log(path, "prompt", "passed", item="question")
    assert (arms(log), log.rewards.tolist(), log.items.tolist()) == (["b", "a", "b"], [1, 0, 0], [0, 1, 1])
    made = frame_log(pd.DataFrame({"arm": ["a", "b"], "reward": [1, 0], "on": [7, 5]}), item="on")
    assert made.items.tolist() == [1, 0]
    with pytest.raises(DataError, match="column 'question' on line 3 is empty"):
        read_log(file("arm,reward,question\na,1,q\na,1,\n"), item="question")
    assert read_log(file(PLAIN)).items is None


def test_a_column_for_each_arm_whose_rows_are_items_by_name_or_by_place(file):
    log = read_wide(file("red;green\n1,5;\n2;4\n;\n;3\n"))
    assert sorted(samples(log)) == [("green", 3.0), ("green", 4.0), ("red", 1.5), ("red", 2.0)]
    assert sorted(samples(read_wide(file(pl.DataFrame({"b": [1.5], "a": [None]}))))) == [("b", 1.5)]
    for item in ("question", "Question"):
        log = read_wide(file("question;b;a\nq2;yes;\nq1;no;yes\n"), item=item)
        assert (log.names, arms(log), log.items.tolist()) == (("a", "b"), ["b", "b", "a"], [1, 0, 0])
    log = read_wide(path := file("b,a\n1,\n,\n0,1\n"))
    assert (arms(log), log.rewards.tolist(), log.items.tolist()) == (["b", "b", "a"], [1, 0, 1], [0, 1, 1])
    assert log.where(2) == f"line 4 of {path}, column 'a'"
    for table, message in {"q,b\nx,\n": "the log is empty, it has no reward", "q\nx\n": "no column of an arm"}.items():
        with pytest.raises(DataError, match=message):
            read_wide(file(table), item="q")


def test_a_row_for_each_arm_whose_columns_are_items(file):
    wide = file("prompt;q1;q2\nb;yes;\na;no;yes\nc;;\n")
    log = read_wide(wide, arm="Prompt")
    assert (log.names, arms(log), log.rewards.tolist()) == (("a", "b"), ["b", "a", "a"], [1, 0, 1])
    assert log.items.tolist() == [0, 0, 1]
    assert log.where(2) == f"line 3 of {wide}, column 'q2'"
    turned = read_wide(file("q;b;a;c\nq1;yes;no;\nq2;;yes;\n"), item="q")
    assert (turned.names, sorted(samples(turned))) == (log.names, sorted(samples(log)))
    assert turned.items.tolist() == [0, 0, 1]


def test_totals_taken_for_rewards_are_asked_about(file):
    with pytest.raises(DataError, match="each arm has one row: of totals say --successes and --trials, or --count"):
        data_of(read_log(file("arm,reward\na,30\nb,40\n")), None)
    with pytest.raises(DataError, match=r"the same throughout$"):
        data_of(read_log(file("arm,reward\na,30\nb,40\nb,40\n")), None)


def test_noise_levels_of_a_column_are_one_for_each_arm(file):
    assert read_log(file("arm,reward,s\nb,1,2\na,1,3\nb,4,2\n"), level="s").levels.tolist() == [3, 2]
    for table, message in {
        "arm,reward,s\nb,1,2\na,1,0\n": "column 's' is not above 0 on line 3",
        "arm,reward,s\nb,1,2\na,1,3\nb,4,2.5\n": "gives the arm 'b' two noise levels, 2 .line 2 .* and 2.5 .line 4 ",
    }.items():
        with pytest.raises(DataError, match=message):
            read_log(file(table), level="s")


def test_rewards_of_nothing_but_zero_and_one_need_no_noise_and_others_do(file):
    data, reading = data_of(read_log(file("arm,reward\na,pass\nb,fail\n")), None)
    assert (data.successes.tolist(), reading) == ([1, 0], "every reward is 0 or 1, and this is how we read them")
    assert data_of(Totals(("a",), np.array([2]), np.array([0.5]), successes=np.array([1])), None)[0].successes == [1]
    assert data_of(read_log(file(PLAIN)), "range:-1:2")[1] == ""
    with pytest.raises(DataError, match="means here go from 2 to 4: if they cannot exceed 4"):
        data_of(Totals(("a", "b"), np.array([2, 2]), np.array([2.0, 4.0])), None)


SEEN = [
    ([0, 287.5, 12], "here go from 0 to 287.5: if they cannot exceed 300 by their nature, --noise range:0:300;"),
    ([1, 5, 4], "go from 1 to 5: if they cannot lie outside 1 to 5 by their nature, --noise range:1:5;"),
    ([-42.0, 7.1], "cannot lie outside -50 to 8 by their nature, --noise range:-50:8;"),
    ([0.02, 0.031], "cannot exceed 0.04 by their nature, --noise range:0:0.04;"),
]


@pytest.mark.parametrize(("rewards", "said"), SEEN)
def test_what_can_be_said_of_the_noise_has_the_numbers_of_the_log(rewards, said):
    log = Log(("a",), np.zeros(len(rewards), int), np.array(rewards, dtype=float))
    with pytest.raises(DataError) as caught:
        data_of(log, None)
    assert said in str(caught.value)
    for option in ("--noise sd:", "--noise pooled"):
        assert option in str(caught.value)
    noise = [word.strip(";") for word in str(caught.value).split() if ":" in word and word[:3] in ("ran", "sd:")]
    for one in noise:
        data_of(log, one)  # what is proposed can be said


@pytest.mark.parametrize(("third", "noted"), [("q1,q2,q1,q2", True), ("q1,q2,q3,q4", False), ("q1,q1,q1,q1", False)])
def test_a_column_that_several_arms_share_and_no_arm_repeats_is_asked_about(file, third, noted):
    rows = zip("aabb", third.split(","), "1001", strict=True)
    table = file("arm,case no,reward\n" + "".join(f"{','.join(row)}\n" for row in rows))
    asked = ["if several arms were tried on one case no, say --item 'case no'"] * noted
    assert [n for n in read_log(table).notices if "--item" in n] == asked
    assert not [n for n in read_log(table, item="case no").notices if "--item" in n]
