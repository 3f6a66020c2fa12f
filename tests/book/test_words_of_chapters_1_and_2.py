"""Sentences of chapters 1 and 2 whose truth depends on the parameters say what is true there, far from the default."""

import pytest
from kept_kernel import one_group

from trust_helpers.book.chapters import find_chapter, values_for
from trust_helpers.book.execute import book_folder, execute
from trust_helpers.book.notebook import recorded as numbers
from trust_helpers.paper import exact

pytestmark = one_group


@pytest.fixture
def recorded(tmp_path_factory, one_kernel):
    def run(name, **values):
        chapter = find_chapter(book_folder(), name)
        given = values_for(chapter, [(key, str(value)) for key, value in values.items()])
        return numbers(execute(chapter.path, tmp_path_factory.mktemp(name) / "out.ipynb", given))

    return run


def test_few_arms_in_chapter_1(recorded):
    said = recorded("01_lcb_failure", arms=20, replications=40, delta=0.49)
    assert said["greedy"] == pytest.approx(exact.greedy_value(20))
    assert said["top-kind"] == ("a good arm's" if said["lcb-truth"] == 1 else "a bad arm's")
    assert said["lcb-word"] == ("nothing" if said["lcb-bound"] < 0 else "little")
    assert said["lcb-kept"] == ("kept" if said["lcb-bound"] <= said["lcb-truth"] else "broken")
    assert said["verdict.table1.lcb_bound"] == "differs"
    assert said["shown"] == 20  # not forty of twenty
    assert said["cloning-bound"] == pytest.approx(exact.cloning_bound(20, 0.49))
    assert said["half-promise"] <= 8  # eight samples: half width 0.52, best mean about 1.25


def test_few_arms_in_chapter_2(recorded):
    said = recorded("02_stochastic_policies", arms=100, replications=20, draws=100, delta=0.2)
    assert said["verdict.text.bc_bound"] == "reproduced"
    for key in ("fixed", "ellipsoid", "all"):
        assert said[f"{key}-word"] == ("more" if said[f"{key}-bound"] > said["bc-bound"] else "less")
    assert said["top-real"] > said["bc-truth"]
    assert said["top-k"] > 10
