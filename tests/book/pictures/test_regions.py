"""Trust regions: thresholds and improvements are drawn as the solver has them."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawing import data_of, horizontal_lines, vertical_lines

from trust_helpers import OfflineData
from trust_helpers.book import pictures

RNG = np.random.default_rng(11)
DATA = OfflineData(RNG.normal(size=30), RNG.integers(1, 6, 30), RNG.uniform(0.4, 1.6, 30))


def test_thresholds_and_arms_played_agree_with_the_policies():
    order = np.argsort(-DATA.means)
    x, p = DATA.means[order], DATA.precision[order]
    gaps = [p[: j + 1] * (x[: j + 1] - x[j + 1]) for j in range(29)]
    f = np.array([(gap * (x[: j + 1] - x[j + 1])).sum() / gap.sum() ** 2 for j, gap in enumerate(gaps)])
    radius = 0.2 * DATA.region.largest_radius
    figure, (above, below) = plt.subplots(2)
    pictures.draw_thresholds_and_arms_played(above, below, DATA.region, f, radius)
    figure.canvas.draw()
    j, heights = data_of(above.lines[0])
    assert (j[0], j[-1]) == (1, 29)
    total = DATA.precision.sum()
    assert heights == pytest.approx(f * total)
    assert horizontal_lines(above) == pytest.approx([total * radius**2 + 1])
    share, played = data_of(below.lines[0])
    for i in (0, 700, 1_400, 1_999):
        weights = DATA.region.policy(DATA.means, share[i] * DATA.region.largest_radius * (1 - 1e-9))
        assert played[i] == (weights > 0).sum()
    assert vertical_lines(below) == pytest.approx([0.2])
    plt.close(figure)


def test_the_improvement_leaves_its_straight_line_when_arms_drop_out(ax):
    radii = np.linspace(0, DATA.region.largest_radius, 200)
    best = DATA.region.suprema(DATA.means, radii[::-1])[::-1]
    pictures.draw_best_improvement_against_radius(ax, DATA, radii, best)
    (share, straight), (_, drawn) = (data_of(line) for line in ax.lines)
    assert (share[0], share[-1]) == (0.0, 1.0)
    assert (drawn == best).all()
    all_played = [(DATA.region.policy(DATA.means, radius) > 0).all() for radius in radii]
    first_out = all_played.index(False)
    assert 1 < first_out < 100
    assert drawn[:first_out] == pytest.approx(straight[:first_out])
    later = first_out + 8
    assert drawn[later] < straight[later]
    assert np.isnan(straight[-1])  # not beyond all that can be gained
