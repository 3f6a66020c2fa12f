"""Reading logs from CSV files, with errors that point at lines."""

import numpy as np
import pytest

from trust_helpers import DataError, OfflineData


@pytest.fixture
def csv(tmp_path):
    def write(text, name="log.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_reads_quotes_commas_unicode_and_other_columns(csv):
    path = csv('day,option,gain\n1,"a, ""x""",1.5\n2,naïve 猫,2\n3,"a, ""x""",0.5\n')
    data = OfflineData.from_csv(path, arm="option", reward="gain", sigma=1.0)
    assert data.names == ('a, "x"', "naïve 猫")
    np.testing.assert_allclose(data.means, [1, 2])
    np.testing.assert_array_equal(data.counts, [2, 1])


def test_reads_whole_true_and_scientific_rewards(csv):
    data = OfflineData.from_csv(csv("arm,reward\na,1\nb,True\nc,false\nd,2.5e-1\n"), sigma=1.0)
    np.testing.assert_allclose(data.means, [1, 1, 0, 0.25])


def test_arms_are_text_even_when_they_look_like_numbers_or_missing(csv):
    data = OfflineData.from_csv(csv("arm,reward\n007,1\n7,2\nNA,3\n"), sigma=1.0)
    assert data.names == ("007", "7", "NA")


BAD = {
    "no column 'reward'; it has 'arm', 'score'": "arm,score\na,1\n",
    "no column 'arm'": "option,reward\na,1\n",
    "the file is empty": "",
    "a header and no rows": "arm,reward\n",
    "'reward' is not a finite number on line 3": "arm,reward\na,1\nb,good\nc,2\n",
    "on line 2, 3, 4, 5, 6 and 2 more": "arm,reward\n" + "a,nan\n" * 7,
    "not a finite number on line 4": "arm,reward\na,1\nb,2\nc,inf\n",
    "not a finite number on line 2": "arm,reward\na,\n",
    "'arm' is missing an arm on line 3": "arm,reward\na,1\n  ,2\n",
    "not a finite number on line 5": 'arm,reward\n"a\nb\nc",1\nb,x\n',
    "cannot be read as CSV": "arm,reward\na,1\nb,2,3,4\n",
}


@pytest.mark.parametrize("message", BAD)
def test_bad_files_are_refused_with_the_line(csv, message):
    with pytest.raises(DataError) as caught:
        OfflineData.from_csv(csv(BAD[message]), sigma=1.0)
    assert message in str(caught.value)
    assert "log.csv" in str(caught.value)


def test_a_file_that_is_missing_or_not_text(tmp_path, csv):
    with pytest.raises(DataError, match="cannot be read as CSV"):
        OfflineData.from_csv(tmp_path / "nowhere.csv", sigma=1.0)
    with pytest.raises(DataError, match="cannot be read as CSV"):
        OfflineData.from_csv(csv("arm,reward\né,1\n", encoding="latin-1"), sigma=1.0)
