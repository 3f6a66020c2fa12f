"""A log that contradicts its assumption is doubted; one that fits is not."""

import numpy as np
import pytest

from trust_helpers import OfflineData

RNG = np.random.default_rng
ARM = np.repeat(np.arange(200), 5)


def log(draw, sigma, arm=ARM, seed=0):
    return OfflineData.from_samples(arm, draw(RNG(seed), arm), sigma)


DOUBTED = {
    "0 of clicks": (lambda rng, arm: (rng.random(arm.size) < 0.03) * 1.0, "not continuous"),
    "revenue": (lambda rng, arm: (rng.random(arm.size) < 0.05) * rng.lognormal(5, 1, arm.size), "not continuous"),
    "ratings": (lambda rng, arm: rng.integers(1, 6, arm.size) * 1.0, "not continuous"),
    "exponential": (lambda rng, arm: rng.exponential(size=arm.size), "skewed"),
    "laplace": (lambda rng, arm: rng.laplace(size=arm.size), "not Gaussian"),
    "two levels": (lambda rng, arm: rng.normal(0, np.where(arm < 100, 0.3, 2.0)), "differs between arms"),
}


@pytest.mark.parametrize("kind", list(DOUBTED))
def test_noise_that_is_not_gaussian_of_one_level_is_doubted(kind):
    draw, said = DOUBTED[kind]
    data = log(draw, "pooled")
    assert any(said in doubt for doubt in data.law.doubts(data)), data.law.doubts(data)


@pytest.mark.parametrize("pulls", [2, 3, 20])
def test_gaussian_noise_is_hardly_ever_doubted(pulls):
    arm = np.repeat(np.arange(60), pulls)

    def normal(rng, a):
        return rng.normal(a, 1.0)

    logs = [log(normal, sigma, arm, seed) for seed in range(50) for sigma in ("pooled", 1.0)]
    doubted = sum(bool(data.law.doubts(data)) for data in logs)
    # each of four checks stays silent but for one log in thousands; two of a hundred would be a fault
    assert doubted <= 1


def test_rounded_gaussian_rewards_are_not_doubted():
    data = log(lambda rng, arm: np.round(rng.normal(arm / 50, 1.0), 1), "pooled")
    assert data.law.doubts(data) == ()


def test_a_level_that_repeats_contradict_is_doubted():
    data = log(lambda rng, arm: rng.normal(0, 1.3, arm.size), 1.0)
    (doubt,) = data.law.doubts(data)
    # 800 spare samples: the ratio is 1.3 within four errors of 1.3 / sqrt(1600)
    assert float(doubt.split(" differ ")[1].split()[0]) == pytest.approx(1.3, abs=0.13)
    wide = log(lambda rng, arm: rng.normal(0, 0.8, arm.size), 1.0)
    assert wide.law.doubts(wide) == ()  # a level stated too large is no danger


def test_a_standard_deviation_that_repeats_contradict_is_doubted():
    heavy = lambda rng, arm: rng.standard_t(5, arm.size)  # noqa: E731
    assert log(heavy, "sd:1.3").law.doubts(log(heavy, "sd:1.3")) == ()
    data = log(heavy, "sd:0.8")
    assert "stated sd" in data.law.doubts(data)[0]


def test_without_samples_or_repeats_nothing_is_doubted():
    assert OfflineData([0.0, 1.0], [3, 3], 1.0).law.doubts(OfflineData([0.0, 1.0], [3, 3], 1.0)) == ()
    alone = OfflineData.from_samples([1, 2, 3], [0.1, 0.5, 0.7], 1.0)
    assert alone.law.doubts(alone) == ()
    ranged = log(lambda rng, arm: (rng.random(arm.size) < 0.03) * 1.0, "range:0:1")
    assert ranged.law.doubts(ranged) == ()
