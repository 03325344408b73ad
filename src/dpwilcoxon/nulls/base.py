"""What every null distribution offers.

A null describes the released integer T~ = T + noise when nothing changed: its law is symmetric
about zero and lives on the integers (lattice units; the paper's w~ is T~ / lattice). Because
releases are integers the tails are inclusive on both sides: ``sf(t)`` is P(T~ >= t) and
``cdf(t)`` is P(T~ <= t); at an integer t they add up to 1 + P(T~ = t).

A null supplies :meth:`SymmetricNull.logsf` and its two inverses, :meth:`SymmetricNull.upper_point`
and :meth:`SymmetricNull.logppf`; everything else follows from symmetry.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.parameters import Alternative

LOG_2 = math.log(2.0)
SMALLEST_FLOAT = math.ulp(0.0)


def pvalue_of(log_pvalue: ArrayLike) -> FloatArray:
    """The p-value of a logarithm, never 0: at least the smallest positive float.

    All p-values are computed here: another exponential can differ in the last bit.
    """
    return np.maximum(np.exp(log_pvalue), SMALLEST_FLOAT)


class SymmetricNull(ABC):
    """The law of a released statistic under H0, in lattice units."""

    @abstractmethod
    def logsf(self, t: ArrayLike) -> FloatArray:
        """Log of P(T~ >= t)."""

    @abstractmethod
    def upper_point(self, log_p: ArrayLike) -> FloatArray:
        """The least t with log P(T~ >= t) <= log_p."""

    @abstractmethod
    def logppf(self, log_q: ArrayLike) -> FloatArray:
        """The least t with log P(T~ <= t) >= log_q, as deep in the lower tail as wanted."""

    def sf(self, t: ArrayLike) -> FloatArray:
        """P(T~ >= t)."""
        return np.exp(self.logsf(t))

    def logcdf(self, t: ArrayLike) -> FloatArray:
        """Log of P(T~ <= t)."""
        return self.logsf(np.negative(t))

    def cdf(self, t: ArrayLike) -> FloatArray:
        """P(T~ <= t)."""
        return np.exp(self.logcdf(t))

    def ppf(self, q: ArrayLike) -> FloatArray:
        """The least t with P(T~ <= t) >= q."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.logppf(np.log(q))

    def log_pvalue(self, t: ArrayLike, alternative: Alternative) -> FloatArray:
        """Log p-value; two-sided it is P(|T~| >= |t|)."""
        if alternative is Alternative.GREATER:
            return self.logsf(t)
        if alternative is Alternative.LESS:
            return self.logcdf(t)
        return np.minimum(LOG_2 + self.logsf(np.abs(t)), 0.0)

    def pvalue(self, t: ArrayLike, alternative: Alternative) -> FloatArray:
        """The p-value, never 0: at least the smallest positive float."""
        return pvalue_of(self.log_pvalue(t, alternative))

    def critical_value(self, alpha: ArrayLike, alternative: Alternative) -> FloatArray:
        """The point nearest to zero at which the p-value is at most alpha (negative for less)."""
        log_alpha = np.log(alpha)
        if alternative is Alternative.TWO_SIDED:
            return self.upper_point(log_alpha - LOG_2)
        point = self.upper_point(log_alpha)
        return -point if alternative is Alternative.LESS else point
