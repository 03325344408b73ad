"""What both tests of Task and Clifton (2016) share, with the conventions as parameters.

The tests drop zeros, divide W by a standard deviation sigma and add Laplace noise to the score
z = W / sigma. The noise is set for an assumed smallest number m of rows that count,

    b_m = (2m / sigma_m) / epsilon,    sigma_m^2 = m (m + 1) (2m + 1) / 6,

and z + noise is compared with an upper bound on its quantile (Couch et al., "Comparison to
Previous Work"): with alpha = beta + gamma - beta gamma,

    P(z > z_{1-beta}) = beta,  P(noise > g) = gamma,  hence  P(z + noise > z_{1-beta} + g) < alpha,

where g = -b_m ln(2 gamma) is the Laplace quantile as corrected by Couch et al. The "+" variants
use the quantile of z + noise itself.

Text, tables and published scripts of the paper do not always take these steps in the same way.
What they differ in is a parameter here, and the defaults are what the text describes.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.nulls.normal_laplace import log_upper_tail, upper_tail_point
from dpwilcoxon.parameters import Alternative, Choice, Design, Method
from dpwilcoxon.procedures.base import RejectionRule
from dpwilcoxon.procedures.noisy_sums import NoisySumTest, rejection_probability
from dpwilcoxon.statistics.batches import SampleBatch
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.tie_groups import ZeroMethod


class Tails(Choice):
    """How the level of a two-sided test is spent on its critical value."""

    SPLIT = "split"  # alpha / 2 in each tail
    WHOLE = "whole"  # alpha in each tail: |z| is compared with a one-sided critical value


class Sigma(Choice):
    """The number of rows whose standard deviation divides W."""

    NONZERO = "nonzero"  # those that are not zero, with the dummies: a function of the data
    ALL = "all"  # every row, with the dummies: a fixed number


def sigma_of(rows: float | FloatArray) -> FloatArray:
    """Standard deviation of W under H0 for so many rows that count, without ties."""
    squares = np.asarray(rows * (rows + 1.0) * (2.0 * rows + 1.0) / 6.0)
    return np.asarray(np.sqrt(squares), dtype=np.float64)


def noise_scale(rows: float, epsilon: float) -> float:
    """b_m: the scale of the noise on z if at least m = `rows` rows count."""
    return 2.0 * rows / float(sigma_of(rows)) / epsilon


def upper_bound(one_sided: float, gamma: float, scale: float) -> float:
    """z_{1-beta} + g: more than the upper point of z + noise at this one-sided level.

    Raises
    ------
    InvalidArgument
        If gamma leaves nothing of the level.

    Examples
    --------
    The paper's table for n = 100 has 3.091 for epsilon 1 and alpha .05, with m = n:

    >>> round(upper_bound(0.05, 0.01, noise_scale(100, 1.0)), 3)
    3.091
    """
    if one_sided <= gamma:
        raise InvalidArgument(
            "`alpha` must leave each tail more than `gamma`, which Task and Clifton spend on the "
            f"noise; got {one_sided:g} in a tail and gamma {gamma:g}. Take a larger `alpha`."
        )
    from scipy.special import ndtri

    beta = (one_sided - gamma) / (1.0 - gamma)
    return float(-ndtri(beta)) - math.log(2.0 * gamma) * scale


@dataclass(frozen=True, kw_only=True)
class TaskClifton(NoisySumTest):
    """Noise on a z-score of which only the smallest number of rows is known.

    Parameters
    ----------
    tails
        Whether a two-sided test at level alpha has alpha / 2 in each tail, or alpha.
    sigma
        Which rows the standard deviation that divides W counts.
    """

    zero_method: ClassVar[ZeroMethod] = ZeroMethod.WILCOX

    tails: Tails | str = Tails.SPLIT
    sigma: Sigma | str = Sigma.NONZERO

    def __post_init__(self) -> None:
        object.__setattr__(self, "tails", Tails.parse(self.tails))
        object.__setattr__(self, "sigma", Sigma.parse(self.sigma))

    @abstractmethod
    def assumed_rows(self, design: Design) -> float:
        """m: how many rows count at least, as the critical value sees it."""

    def noise_rows(self, design: Design) -> float:
        """m as the noise sees it."""
        return self.assumed_rows(design)

    @property
    def dummies(self) -> int:
        """How many rows are added to the data."""
        return 0

    def centre(self, design: Design) -> float:  # noqa: ARG002 - rows of data favour no side
        """Where z lies on average when nothing changed and nothing is zero."""
        return 0.0

    def statistic(self, batch: SampleBatch) -> FloatArray:
        """W of each sample, dummies included."""
        return batch.totals(RANKS, self.zero_method) / RANKS.lattice

    @abstractmethod
    def upper_critical_value(self, design: Design, one_sided: float) -> float:
        """What z + noise has to reach at a one-sided level."""

    def critical_value(self, design: Design, alpha: float, alternative: Alternative) -> float:
        """What z + noise, or its absolute value, has to reach."""
        split = alternative is Alternative.TWO_SIDED and self.tails is Tails.SPLIT
        return self.upper_critical_value(design, alpha / 2.0 if split else alpha)

    def z_scores(self, batch: SampleBatch) -> FloatArray:
        """W divided by its standard deviation; 0 where no row counts."""
        rows = np.full(len(batch), batch.n_pairs + self.dummies, dtype=np.float64)
        if self.sigma is Sigma.NONZERO:
            rows -= batch.n_zero
        return self.statistic(batch) / np.where(rows > 0, sigma_of(rows), 1.0)

    def rejection_rule(
        self,
        design: Design,
        alpha: float,
        alternative: Alternative,
        method: Method = Method.AUTO,
    ) -> RejectionRule:
        """P(z + noise reaches the critical value), with the noise integrated out."""
        self.resolve_method(design, method)
        critical = self.critical_value(design, alpha, alternative)
        scale = noise_scale(self.noise_rows(design), float(design.epsilon))

        def rule(batch: SampleBatch) -> FloatArray:
            return rejection_probability(self.z_scores(batch), critical, scale, alternative)

        return rule


@dataclass(frozen=True, kw_only=True)
class BoundedCriticalValue(TaskClifton):
    """Task and Clifton's own critical value: an upper bound.

    Parameters
    ----------
    gamma
        What the bound spends on the noise.
    """

    gamma: float = 0.01

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 < self.gamma < 0.5:  # noqa: PLR2004 - half of the noise is positive
            raise InvalidArgument(f"`gamma` must lie between 0 and 0.5; got {self.gamma}.")

    def upper_critical_value(self, design: Design, one_sided: float) -> float:
        """z_{1-beta} + g."""
        scale = noise_scale(self.assumed_rows(design), float(design.epsilon))
        return upper_bound(one_sided, self.gamma, scale)


@dataclass(frozen=True, kw_only=True)
class ExactCriticalValue(TaskClifton):
    """The "+" variants: the quantile of z + noise where nothing changed and nothing is zero."""

    def upper_critical_value(self, design: Design, one_sided: float) -> float:
        """Found in closed form, where the paper simulates."""
        return float(upper_tail_point(math.log(one_sided), *self._null(design)))

    def critical_value(self, design: Design, alpha: float, alternative: Alternative) -> float:
        """The same, where dummies that do not cancel move the null away from zero."""
        centre = self.centre(design)
        if alternative is not Alternative.TWO_SIDED:
            towards = centre if alternative is Alternative.GREATER else -centre
            return self.upper_critical_value(design, alpha) + towards
        outer = super().critical_value(design, alpha, alternative)
        if centre == 0.0:
            return outer
        from scipy.optimize import brentq

        wanted = alpha if self.tails is Tails.SPLIT else 2.0 * alpha
        null = self._null(design)

        def excess(critical: float) -> float:
            tails = np.exp(log_upper_tail([critical - centre, critical + centre], *null))
            return float(tails.sum()) - wanted

        return float(brentq(excess, outer, outer + abs(centre)))

    def _null(self, design: Design) -> tuple[float, float]:
        """Standard deviation of z, to which dummies contribute no chance, and the noise scale."""
        n = design.n_pairs
        sigma = float(sigma_of(n) / sigma_of(n + self.dummies))
        return sigma, noise_scale(self.assumed_rows(design), float(design.epsilon))
