"""Trust regions around a reference policy (Section 4 of the paper)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .checks import Array, finite_vector, frozen, positive_vector, radii_grid, simplex_vector, whole_number
from .errors import DataError, TrustError
from .solvers.any_reference import best_weights_around, suprema_around
from .solvers.cone import best_improvement_socp
from .solvers.sorted import GROUP, best_weights, suprema_of_sorted
from .values import Value

__all__ = ["TrustRegion"]


@dataclass(frozen=True, eq=False, init=False, repr=False)
class TrustRegion(Value):
    r"""The family of trust regions :math:`\mathsf C(\varepsilon)` of equation (9).

    It holds every step :math:`\Delta` for which :math:`\hat\mu+\Delta` is a mixture of the arms and
    :math:`\sum_i\Delta_i^2/p_i\le\varepsilon^2`.

    Parameters
    ----------
    precision : (d,) array
        :math:`p_i=N_i/\sigma_i^2`, the inverse variance of each arm's empirical mean.
    reference : (d,) array, optional
        The policy at the centre. By default the least noisy mixture, :math:`\hat\mu_i\propto p_i` (equation 7),
        for which one sort answers every radius. Any other policy is solved exactly too, one radius at a time.

    Raises
    ------
    DataError
        A precision that is not positive and finite, or a reference that is not a distribution over the arms.

    Examples
    --------
    >>> region = TrustRegion([1.0, 4.0, 2.0])
    >>> region.reference.round(3)
    array([0.143, 0.571, 0.286])
    >>> rewards = [0.4, -1.0, 0.7]
    >>> region.policy(rewards, 0.2).round(3)  # the best for these rewards within 0.2 of the reference
    array([0.211, 0.311, 0.478])
    >>> region.suprema(rewards, [0.2, 0.1]).round(3)  # what that gains, for two radii
    array([0.422, 0.211])
    """

    precision: Array
    reference: Array
    centred: bool

    def __init__(self, precision: ArrayLike, reference: ArrayLike | None = None) -> None:
        p = finite_vector(precision, "precision")
        p = positive_vector(p, p.size, "precision")
        mu = frozen(p / p.sum())
        nu = mu if reference is None else simplex_vector(reference, p.size, "reference")
        centred = bool(np.allclose(nu, mu, rtol=1e-12, atol=0))
        object.__setattr__(self, "precision", p)
        object.__setattr__(self, "reference", mu if centred else nu)
        object.__setattr__(self, "centred", centred)

    def __repr__(self) -> str:
        around = "the least noisy mixture" if self.centred else "another policy"
        return f"<TrustRegion: {self.n_arms:,} arms, around {around}, largest radius {self.largest_radius:.4g}>"

    @property
    def n_arms(self) -> int:
        """The number of arms d."""
        return int(self.precision.size)

    @cached_property
    def equal(self) -> bool:
        """Whether all precisions are the same number."""
        return bool((self.precision == self.precision[0]).all())

    @cached_property
    def largest_radius(self) -> float:
        r"""The distance from the reference to the farthest vertex, :math:`\varepsilon_0` of equation (14)."""
        if self.centred:
            return float(np.sqrt(max(1 / self.precision.min() - 1 / self.precision.sum(), 0.0)))
        return float(np.sqrt(((1 - 2 * self.reference) / self.precision).max() + self.reference_variance))

    @cached_property
    def reference_variance(self) -> float:
        r"""The variance :math:`\sum_i\hat\mu_i^2/p_i` of :math:`\hat\mu^\top\eta`, which is 1/S at the default."""
        return float((self.reference**2 / self.precision).sum())

    def radii(self, decay: float = 1.2, size: int = 40) -> Array:
        r"""The paper's grid :math:`E=\{\varepsilon_0,\varepsilon_0/\alpha,\dots\}` (equation 14), largest first."""
        if not np.isfinite(decay) or decay <= 1:
            raise TrustError(f"decay is {decay:g}: it must be larger than 1")
        return self.largest_radius / float(decay) ** np.arange(whole_number(size, "size"))

    def norm(self, improvement: ArrayLike) -> float:
        r"""The weighted length of an improvement, :math:`\sqrt{\sum_i\Delta_i^2/p_i}`."""
        delta = finite_vector(improvement, "improvement", size=self.n_arms)
        return float(np.sqrt((delta**2 / self.precision).sum()))

    def policy(self, x: ArrayLike, radius: float) -> Array:
        r"""The mixture :math:`\hat\mu+\hat\Delta_\varepsilon` that maximises :math:`w^\top x` within one radius."""
        vector, (eps,) = finite_vector(x, "x", size=self.n_arms), radii_grid(radius)
        if self.centred:
            return best_weights(vector, self.precision, float(eps))
        return best_weights_around(self.reference, vector, self.precision, float(eps))

    def improvement(self, x: ArrayLike, radius: float) -> Array:
        r"""The exact :math:`\arg\max_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top x` (equation 10)."""
        return self.policy(x, radius) - self.reference

    def improvement_cvxpy(self, x: ArrayLike, radius: float, solver: str = "CLARABEL", **options: float) -> Array:
        """The same maximiser from the paper's second-order cone program; needs the extra ``cvxpy``.

        ``options`` go to the solver. Raises SolverFailed unless the solver reports an optimum.
        """
        vector, (eps,) = finite_vector(x, "x", size=self.n_arms), radii_grid(radius)
        return best_improvement_socp(vector, self.precision, self.reference, float(eps), solver, **options)

    def suprema(self, x: ArrayLike, radii: ArrayLike) -> Array:
        r""":math:`\sup_{\Delta\in\mathsf C(\varepsilon)}\Delta^\top x` for every radius at once, the largest first.

        Of one vector x, or of each row of a batch, shape (m, d); the result then has shape (m, n).
        """
        grid = radii_grid(radii)
        batch = np.atleast_2d(np.asarray(x, dtype=float))
        if batch.ndim != 2 or batch.shape[1] != self.n_arms:
            raise DataError(f"x has shape {np.shape(x)} but there are {self.n_arms} arms")
        if not np.isfinite(batch).all():
            row, arm = np.argwhere(~np.isfinite(batch))[0]
            raise DataError(f"x of arm {arm} in row {row} is {batch[row, arm]:g}: every value must be finite")
        step = max(1, 16 * GROUP // self.n_arms)
        parts = [self._suprema(batch[i : i + step], grid) for i in range(0, len(batch), step)]
        values = np.concatenate(parts) if parts else np.empty((0, grid.size))
        return values[0] if np.ndim(x) == 1 else values

    def _suprema(self, x: Array, radii: Array) -> Array:
        if not self.centred:
            return suprema_around(self.reference, x, self.precision, radii)
        gaps = x.max(axis=1, keepdims=True) - x
        if self.equal:
            unit = np.sqrt(self.precision[0])
            gaps.sort(axis=1)
            return suprema_of_sorted(gaps, None, radii * unit)[0]
        order = np.argsort(gaps, axis=1, kind="stable")
        return suprema_of_sorted(np.take_along_axis(gaps, order, 1), self.precision[order], radii)[0]
