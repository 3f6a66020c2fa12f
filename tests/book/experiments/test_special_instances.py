"""Two arms, where TRUST is a test, and strong signals, checked against closed forms."""

import numpy as np
import pytest
from scipy import stats

from trust_helpers import OfflineData, bounds, trust
from trust_helpers.book.experiments import special_instances as special
from trust_helpers.book.experiments.main_theorem import two_settings


@pytest.fixture(scope="module")
def settings():
    return two_settings(40, 0.1, seed=1)


def test_with_two_arms_trust_is_a_test():
    assert special.trust_and_test_differ_by(4_096, 0.1, seed=8) < 1e-3


def test_two_arm_losses_lie_between_the_lower_bound_and_claim_two():
    made = special.try_two_arms(seed=9, logs=400)
    lower = [bounds.two_arm_lower_bound((8 * m) ** -0.5, m // 2) for m in made.sizes]
    upper = [special.two_arm_upper_bound(m) for m in made.sizes]
    assert (made.worst[:, 0] < upper).all()
    assert (made.worst.min(axis=1) > lower).all()
    assert made.times > 2


def test_the_threshold_is_a_quantile_of_the_absolute_value():
    assert 2 * stats.norm.sf(special.threshold(500, 20)) == pytest.approx(1 / (2 * 20 * 500))


def test_strong_signals_keep_their_bound_and_turn_by_a_cosine(settings):
    made = special.try_strong_signals(settings["equal"].band, seed=10, logs=40)
    assert made.broken.verdict == "kept"
    assert (made.fixed >= made.bound).all()
    cosine = 0.5 / np.sqrt(1 + 4 * made.levels**2)
    assert np.abs(made.fixed - cosine).max() < 0.05  # the direction is turned, not lost
    instance = special.strong_signal(20, 0.05)
    log = instance.sample(np.random.default_rng(11))
    unit = OfflineData(log.means / 0.05, log.counts, 1.0)
    gain = trust(unit, 0.1, settings["equal"].band).weights @ instance.means - 0.5
    assert gain == pytest.approx(made.trust[0], abs=0.02)
