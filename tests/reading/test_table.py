"""Columns of a table of any kind, and a column that has the noise of each arm."""

import json

import numpy as np
import openpyxl
import polars as pl
import pytest

from trust_helpers import DataError, OfflineData, TrustError
from trust_helpers.logs import frame_log, read_counts, read_log, read_moments
from trust_helpers.reading.table import PLAIN, Asked, arm_levels, read_columns

ROWS = {"arm": ["b", "a", "b", "c"], "reward": [1.0, 2.0, 3.0, 4.0], "s": [2.0, 0.5, 2.0, 1.0]}
TWO = {"arm": ["b", "a", "c", "b"], "reward": [1.0, 2.0, 3.0, 4.0], "s": [2.0, 0.5, 1.0, 2.5]}


def written(folder, kind, rows):
    """The rows as a file of some kind."""
    frame, path = pl.DataFrame(rows), folder / "log"
    if kind == "xlsx":
        book = openpyxl.Workbook()
        for row in (frame.columns, *frame.rows()):
            book.active.append(row)
        book.save(path)
    elif kind == "json":
        path.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dicts()), encoding="utf-8")
    elif kind == "slow":  # words are left to the reader that goes cell by cell
        path.write_text(frame.write_csv().replace("1.0,", "yes,"), encoding="utf-8")
    else:
        {"csv": frame.write_csv, "parquet": frame.write_parquet}[kind](path)
    return path


@pytest.mark.parametrize("kind", ["csv", "slow", "json", "parquet", "xlsx"])
def test_every_kind_of_table_has_a_level_for_each_arm_and_complains_of_two(tmp_path, kind):
    log = read_log(written(tmp_path, kind, ROWS), "arm", "reward", level="s")
    assert dict(zip(log.names, log.levels.tolist(), strict=True)) == {"a": 0.5, "b": 2.0, "c": 1.0}
    first, second = {"parquet": (1, 4), "json": (1, 4)}.get(kind, (2, 5))
    unit = "row" if kind in {"parquet", "xlsx"} else "line"
    path = written(tmp_path, kind, TWO)
    with pytest.raises(DataError) as caught:
        read_log(path, "arm", "reward", level="s")
    assert str(caught.value) == (
        f"column 's' gives the arm 'b' two noise levels, 2 ({unit} {first} of {path}) and 2.5 ({unit} {second} of "
        f"{path}): an arm has one"
    )


def test_the_law_is_that_of_a_level_for_each_arm(tmp_path):
    path = written(tmp_path, "csv", ROWS)
    by_name = OfflineData.from_table(path, sigma={"a": 0.5, "b": 2.0, "c": 1.0})
    assert OfflineData.from_table(path, sigma="column:s") == by_name
    assert OfflineData.from_csv(path, sigma="column:S").sigma.tolist() == [0.5, 2.0, 1.0]
    assert OfflineData.from_frame(ROWS, sigma="column:s") == by_name
    assert by_name.law.assumes.startswith(
        "rewards are independent, the noise of one reward is Gaussian with standard deviation 0.5 to 2, as stated for "
    )


def test_totals_have_levels_too(tmp_path):
    path = tmp_path / "totals.csv"
    path.write_text("arm,n,m,sd,k,s\nb,4,0.5,1,2,2\na,1,1,,1,0.5\nb,4,1.5,1,4,2\n", encoding="utf-8")
    counts = read_counts(path, "arm", "k", "n", level="s")
    assert (counts.successes.tolist(), counts.levels.tolist()) == ([1, 6], [0.5, 2.0])
    for sd in (None, "sd"):
        totals = read_moments(path, "arm", "n", "m", sd, level="s")
        assert (totals.means.tolist(), totals.levels.tolist()) == ([1.0, 1.0], [0.5, 2.0])
        assert (totals.squares is None) == (sd is None)
        assert OfflineData.from_log(totals, "column:s").sigma.tolist() == [0.5, 2.0]
    assert totals.squares.tolist() == [0.0, 8.0]
    assert OfflineData.from_log(counts, "column:s").law.assumes.count("0.5 to 2, as stated for each arm") == 1


@pytest.mark.parametrize(
    ("level", "message"),
    [
        ("0", "column 's' is not above 0 on line 2"),
        ("-1", "column 's' is not above 0 on line 2"),
        ("", "column 's' is not a finite number on line 2"),
        ("inf", "column 's' is not a finite number on line 2"),
        ("2%", "column 's' is not a finite number on line 2 ('2%' would be one with --percent)"),
    ],
)
def test_a_level_is_a_number_above_zero(tmp_path, level, message):
    path = tmp_path / "log.csv"
    path.write_text(f"arm,reward,n,s\na,1,1,{level}\nb,1,1,1\n", encoding="utf-8")
    for read in (
        lambda **more: read_log(path, "arm", "reward", level="s", **more),
        lambda **more: read_moments(path, "arm", "n", "reward", level="s", **more),
        lambda **more: read_counts(path, "arm", "reward", "n", level="s", **more),
    ):
        with pytest.raises(DataError) as caught:
            read()
        assert message in str(caught.value)
        assert (read(skip_bad_rows=True).names, read(skip_bad_rows=True).skipped) == (("b",), 1)


def test_a_column_of_levels_has_to_be_there_and_named():
    with pytest.raises(DataError, match=r"no column 'sigma'; it has 'arm', 'reward', 's'"):
        frame_log(ROWS, "arm", "reward", level="sigma")
    with pytest.raises(TrustError, match=r"'column:' needs the name of a column"):
        OfflineData.from_frame(ROWS, sigma="column:")
    with pytest.raises(TrustError, match=r"sigma is 'column:s': it needs a table that has this column"):
        OfflineData([1.0, 2.0], [1, 1], "column:s")
    with pytest.raises(TrustError, match=r"sigma is 'column:s': it needs a table that has this column"):
        OfflineData.from_log(frame_log(ROWS, "arm", "reward"), "column:s")


def test_levels_are_those_of_trimmed_arms_and_of_kept_rows(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("arm,reward,s\na ,1,1\na,2,1\nb,x,7\nb,1,3\n", encoding="utf-8")
    found = read_columns(path, Asked("arm", ("reward",), level="s"), PLAIN, skip_bad_rows=True)
    np.testing.assert_array_equal(arm_levels(found, "s"), [1.0, 3.0])
    path.write_text("arm,reward,s\nb,x,7\na ,1,1\na,2,4\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"arm 'a' two noise levels, 1 \(line 3 of .*\) and 4 \(line 4 of "):
        read_log(path, "arm", "reward", skip_bad_rows=True, level="s")


def test_one_column_is_not_two_things(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("arm,reward\na,1\nb,2\n", encoding="utf-8")
    with pytest.raises(TrustError, match=r"^the column 'reward' is asked for twice"):
        read_log(path, "reward", "reward")
    with pytest.raises(TrustError, match=r"^the column 'n' is asked for twice"):
        read_counts(path, "arm", "n", "n")
    for read in (lambda: read_log(path, "Reward", "reward"), lambda: frame_log(ROWS, "Reward", "reward")):
        with pytest.raises(DataError, match=r"one column is taken for both 'Reward' and 'reward'$"):
            read()


def test_a_known_deviation_may_be_the_one_of_the_samples(tmp_path):
    path = tmp_path / "totals.csv"
    path.write_text("arm,n,m,s\na,4,0.5,1\nb,4,1.5,2\n", encoding="utf-8")
    assert read_moments(path, "arm", "n", "m", "s", level="s").levels.tolist() == [1.0, 2.0]
