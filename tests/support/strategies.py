"""Random problems for property tests: hard precisions, tied rewards, every kind of radius."""

import numpy as np
from hypothesis import strategies as st

from trust_helpers import TrustRegion


@st.composite
def problems(draw, most_arms=12):
    """A region, a reward vector and a radius.

    Precisions span six orders of magnitude or are all equal; rewards are rounded so that ties are common, or all
    equal; radii run from 0 to beyond the largest.
    """
    d = draw(st.integers(1, most_arms))
    exponents = st.lists(st.floats(-3, 3), min_size=d, max_size=d)
    precision = draw(
        st.one_of(exponents.map(lambda e: 10.0 ** np.array(e)), st.floats(-3, 3).map(lambda e: np.full(d, 10.0**e)))
    )
    rewards = st.one_of(
        st.lists(st.floats(-5, 5), min_size=d, max_size=d),
        st.lists(st.integers(1, 5).map(float), min_size=d, max_size=d),
        st.floats(-5, 5).map(lambda value: [value] * d),
    )
    share = draw(st.one_of(st.sampled_from([0.0, 1.0, 1.5]), st.floats(-3, 0).map(lambda e: 10.0**e)))
    region = TrustRegion(precision)
    return region, np.array(draw(rewards)), share * region.largest_radius


def size(x):
    """What an absolute error in a reward is measured against: rounding grows with the largest reward."""
    return max(float(np.abs(x).max()), 1e-3)


@st.composite
def recentred(draw):
    """A problem around a random reference, some of whose weights are zero."""
    region, x, _ = draw(problems())
    raw = np.array(draw(st.lists(st.integers(0, 5), min_size=x.size, max_size=x.size)), dtype=float)
    raw[draw(st.integers(0, x.size - 1))] += 1
    other = TrustRegion(region.precision, reference=raw / raw.sum())
    share = draw(st.one_of(st.sampled_from([0.0, 1.0, 1.5]), st.floats(-3, 0).map(lambda e: 10.0**e)))
    return other, x, share * other.largest_radius
