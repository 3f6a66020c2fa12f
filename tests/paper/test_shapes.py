"""The paper's figures have the shapes from which it draws its conclusions."""

import pytest

from trust_helpers.paper.tables import shapes

pytestmark = pytest.mark.xdist_group("replication")  # they share bands


def test_the_figures_have_their_shapes():
    assert [(one.key, one.word) for one in shapes()] == [(f"figure {n}", "reproduced") for n in (1, 2, 3)]
