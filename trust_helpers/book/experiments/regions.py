"""What chapter 3 tries out: the noise of a step beside the reference's own, and two solvers on the same problems."""

from collections.abc import Mapping

import numpy as np
from numpy.random import default_rng
from numpy.typing import ArrayLike

from ...checks import Array, whole_number
from ...data import OfflineData
from ...extras import need
from ...region import TrustRegion

__all__ = [
    "best_of_a_certificate",
    "correlations_of_centre_and_step",
    "difference_rows",
    "differences_from_the_formulas",
    "gaps_to_cone_solver",
    "noise_of_reference_and_step",
    "power_of_ten_above",
]

TIGHT = {"tol_gap_abs": 1e-9, "tol_gap_rel": 1e-9, "tol_feas": 1e-9}


def power_of_ten_above(differences: ArrayLike, floor: float) -> float:
    """The least power of ten that no difference reaches, and not less than ``floor``: rounding differs by machine.

    >>> power_of_ten_above([2e-9, -3e-8], 1e-12), power_of_ten_above([0.0], 1e-12)
    (1e-07, 1e-12)
    """
    worst = float(np.abs(np.asarray(differences, dtype=float)).max())
    return max(floor, float(f"1e{int(np.floor(np.log10(max(worst, 1e-300)))) + 1}"))


def difference_rows(checks: Mapping[str, tuple[ArrayLike, float]]) -> list[dict[str, str | float]]:
    """Rows of a table: what is compared, and the power of ten above all that was found.

    >>> difference_rows({"two ways": ([2e-9, -3e-8], 1e-12)})
    [{'what is compared': 'two ways', 'below': 1e-07}]
    """
    return [{"what is compared": name, "below": power_of_ten_above(*pair)} for name, pair in checks.items()]


def differences_from_the_formulas(data: OfflineData, seed: int) -> dict[str, tuple[Array, float]]:
    """What the formulas of the reference and of the trust region say less what other ways to them say.

    Each with a floor for :func:`power_of_ten_above`: what an optimiser's tolerance, or rounding, leaves open.

    >>> found = differences_from_the_formulas(OfflineData([0.0, 1.0, 2.0], [1, 2, 3], 0.5), 0)
    >>> all(power_of_ten_above(*pair) == pair[1] for pair in found.values())
    True
    """
    region, p, d = data.region, data.precision, data.n_arms
    w = default_rng(seed).dirichlet(np.ones(d), 1000)
    expanded = region.reference_variance + ((w - region.reference) ** 2 / p).sum(axis=1)
    longest = max(region.norm(corner - region.reference) for corner in np.eye(d))
    return {
        "the least noisy mixture, by an optimiser and by the formula": (_least_noisy(p) - p / p.sum(), 1e-5),
        "the square expanded, on 1,000 random policies": ((w**2 / p).sum(axis=1) - expanded, 1e-12),
        "the largest radius and the longest step to a corner": (np.array(region.largest_radius - longest), 1e-12),
    }


def _least_noisy(precision: Array) -> Array:
    """The mixture of least variance, from an optimiser; of the square, whose minimiser is found more exactly."""
    cp = need("cvxpy", "cvxpy", "the cone program")
    w = cp.Variable(precision.size, nonneg=True)
    cp.Problem(cp.Minimize(cp.sum_squares(w / np.sqrt(precision))), [cp.sum(w) == 1]).solve(solver="CLARABEL", **TIGHT)
    return np.asarray(w.value)


def noise_of_reference_and_step(
    precision: ArrayLike, centre: ArrayLike, target: ArrayLike | float, draws: int, seed: int
) -> tuple[Array, Array]:
    r"""Simulated :math:`c^\top\eta` and :math:`\Delta^\top\eta` for the step from the centre c to a target.

    ``target`` is a policy, or a radius: then the step is the luckiest one of that length, chosen anew for each draw.

    Returns
    -------
    (draws,) array, (draws,) array

    Examples
    --------
    >>> p = np.array([1.0, 4.0])
    >>> pair = noise_of_reference_and_step(p, p / p.sum(), [1.0, 0.0], 100_000, 0)
    >>> bool(abs(np.corrcoef(*pair)[0, 1]) < 4 / np.sqrt(100_000))
    True
    """
    region, middle = TrustRegion(precision), np.asarray(centre, dtype=float)
    size = whole_number(draws, "draws")
    eta = default_rng(seed).standard_normal((size, region.n_arms)) / np.sqrt(region.precision)
    if np.ndim(target) == 0:
        return eta @ middle, region.suprema(eta, target)[:, 0]
    return eta @ middle, eta @ (np.asarray(target, dtype=float) - middle)


def correlations_of_centre_and_step(
    data: OfflineData, radius: float, draws: int, seed: int
) -> list[dict[str, str | float]]:
    """Rows of a table: how the noise of a centre and of a step away from it are correlated, for three pairs.

    Around the least noisy reference the correlation is zero for a step fixed in advance, here to the best policy of
    the region, and for the luckiest step of that length; around plain cloning it is not.
    """
    target = data.region.policy(data.means, radius)
    pairs: list[tuple[str, str, ArrayLike, ArrayLike | float]] = [
        ("least noisy", "fixed in advance", data.region.reference, target),
        ("least noisy", "the luckiest of its length", data.region.reference, radius),
        ("plain cloning", "fixed in advance", data.counts / data.counts.sum(), target),
    ]
    rows: list[dict[str, str | float]] = []
    for centre, step, start, goal in pairs:
        noise = noise_of_reference_and_step(data.precision, start, goal, draws, seed)
        rows.append({"centre": centre, "step": step, "correlation": float(np.corrcoef(*noise)[0, 1])})
    return rows


def gaps_to_cone_solver(n_arms: int, problems: int, seed: int) -> Array:
    """How much more the closed form earns than the cone solver, on random problems.

    Counts from 1 to 19, noise levels that differ by a factor of up to four, rewards that are normal or, in every third
    problem, stars from 1 to 5, and radii from 2 % to 90 % of the largest.

    >>> bool(np.abs(gaps_to_cone_solver(10, 3, 0)).max() < 1e-6)
    True
    """
    rng = default_rng(seed)
    return np.array([_gap(n_arms, stars=i % 3 == 0, rng=rng) for i in range(whole_number(problems, "problems"))])


def _gap(n_arms: int, stars: bool, rng: np.random.Generator) -> float:
    """The difference on one problem."""
    region = TrustRegion(rng.integers(1, 20, n_arms) / rng.uniform(0.5, 2, n_arms) ** 2)
    x = rng.integers(1, 6, n_arms).astype(float) if stars else rng.normal(size=n_arms)
    eps = region.largest_radius * rng.uniform(0.02, 0.9)
    cone = region.improvement_cvxpy(x, eps, "CLARABEL", **TIGHT)
    return float(region.improvement(x, eps) @ x - cone @ x)


def best_of_a_certificate(region: TrustRegion, x: ArrayLike, level: float) -> tuple[float, float]:
    r"""Weak duality at a water level: an upper bound on every policy of a region, and what the closed form earns in it.

    With :math:`A=\sum_ip_i(x_i-\lambda)_+` and :math:`B=\sum_ip_i(x_i-\lambda)_+^2` the region is that of
    :math:`\kappa=B/A^2` and the bound :math:`\lambda+\theta\kappa+B/4\theta` at :math:`\theta=A/2`.

    >>> bound, value = best_of_a_certificate(TrustRegion(np.ones(4)), np.arange(4.0), 1.5)
    >>> round(bound - value, 12)
    0.0
    """
    rewards = np.asarray(x, dtype=float)
    above = np.maximum(rewards - level, 0)
    total, squares = float(region.precision @ above), float(region.precision @ above**2)
    kappa, theta = squares / total**2, total / 2
    radius = np.sqrt(max(kappa - region.reference_variance, 0.0))
    return level + theta * kappa + squares / (4 * theta), float(region.policy(rewards, radius) @ rewards)
