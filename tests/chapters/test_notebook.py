"""What the chapters share."""

import pytest

from trust_helpers.chapters.notebook import table


def test_a_table_has_a_head_a_rule_and_a_line_for_each_row():
    shown = table([{"arm": "a", "value": 1.5}, {"arm": "b", "value": 2}])
    assert shown.data == "| arm | value |\n| --- | --- |\n| a | 1.5 |\n| b | 2 |"


def test_a_row_without_a_column_of_the_first_is_an_error():
    with pytest.raises(KeyError, match="value"):
        table([{"arm": "a", "value": 1}, {"arm": "b"}])
