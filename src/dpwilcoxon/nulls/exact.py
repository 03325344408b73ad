"""The exact null of the noisy signed-rank statistic, without ties and zeros.

The law is that of T~ = sum of +-a(r) over the ranks r = 1..n, plus discrete noise, both with their
discreteness, for scores a(r) that climb and then stay: ranks, signs and what lies
between them. It is computed in two independent ways, by counting subsets of ranks where that is
cheaper (small n, or T near its largest value) and by a contour integral elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, final

import numpy as np
from numpy.typing import ArrayLike

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import CanonicalNoise, DiscreteLaplace, NoiseLaw
from dpwilcoxon.nulls.base import SymmetricNull
from dpwilcoxon.nulls.canonical_counting import CanonicalCountedTail
from dpwilcoxon.nulls.closed_form import closed_form
from dpwilcoxon.nulls.exact_contour import ContourTail
from dpwilcoxon.nulls.exact_counting import CountedTail
from dpwilcoxon.nulls.integer_search import least_integer
from dpwilcoxon.nulls.ladder import Ladder
from dpwilcoxon.statistics.scores import RANKS, Score

LARGEST_EXACT_N = 100_000
COUNTED_UP_TO = 256  # here both take about a millisecond; the counts grow like n^3
# Within 2500 lattice points of the largest T few signs are negative, the transform hardly dies
# away along a line, and counting is cheaper at every n. Not so below a cap of 128: there many
# signs can be negative, so that the counts would overflow, while a line has few terms.
LEAST_CAP_WITH_TOP = 128
TOP_POINTS = 2_500
TOP_POINTS_COUNTED = 8_192  # eleven tilted standard deviations further


class UpperTail(Protocol):
    """One computation of the exact law."""

    def log_upper_tail(self, t: FloatArray) -> FloatArray:
        """Log of P(T~ >= t) for integers t >= 1, given as a one-dimensional array of floats."""
        ...


class JoinedTail:
    """The contour integral, with counting near the largest T."""

    def __init__(self, ladder: Ladder, noise: DiscreteLaplace) -> None:
        self._ladder, self._noise = ladder, noise
        self._contour = ContourTail(ladder, noise)
        points = TOP_POINTS if ladder.cap >= LEAST_CAP_WITH_TOP else 0
        self._top_starts = float(ladder.largest - ladder.step * points)

    def log_upper_tail(self, t: FloatArray) -> FloatArray:
        """Log of P(T~ >= t) for integers t >= 1, given as a one-dimensional array of floats."""
        top = (t > self._top_starts) & (t < self._contour.residue_only)
        if not top.any():
            return self._contour.log_upper_tail(t)
        log_tail = np.empty(t.shape)
        log_tail[top] = self._top.log_upper_tail(t[top])
        log_tail[~top] = self._contour.log_upper_tail(t[~top])
        return log_tail

    @cached_property
    def _top(self) -> CountedTail:
        return CountedTail(self._ladder, self._noise, TOP_POINTS_COUNTED)


@final
@dataclass(frozen=True)
class ExactRankNull(SymmetricNull):
    """The exact law of T~ under H0 when no difference is zero and none are tied.

    Parameters
    ----------
    n_pairs
        Number of pairs, at most `LARGEST_EXACT_N`.
    noise
        The noise that was added, in the lattice units of the score.
    score
        The scores of the ranks; those of the paper's test unless given.
    """

    n_pairs: int
    noise: NoiseLaw
    score: Score = RANKS

    def __post_init__(self) -> None:
        if not 1 <= self.n_pairs <= LARGEST_EXACT_N:
            raise InvalidArgument(
                f"`method` 'exact' needs `n` in 1..{LARGEST_EXACT_N}; got {self.n_pairs}. Use "
                "`method` 'normal-laplace', the closed form, for more pairs."
            )

    def logsf(self, t: ArrayLike) -> FloatArray:
        """Log of P(T~ >= t), a step function of real t."""
        given = np.asarray(t, dtype=np.float64)
        least = np.ceil(given.reshape(-1))
        upper = least >= 1.0
        # P(T~ >= t) = 1 - P(T~ >= 1 - t) by symmetry
        log_tail = self._log_tail_of_any(np.where(upper, least, 1.0 - least))
        return np.where(upper, log_tail, np.log1p(-np.exp(log_tail))).reshape(given.shape)

    def upper_point(self, log_p: ArrayLike) -> FloatArray:
        """The least integer t with log P(T~ >= t) <= log_p."""
        given = np.asarray(log_p, dtype=np.float64)
        guess = self._closed_form.upper_point(given.reshape(-1))
        step = 1.0 + math.floor(0.01 * math.hypot(self._sigma, self.noise.scale))
        return least_integer(self.logsf, given.reshape(-1), guess, step).reshape(given.shape)

    def logppf(self, log_q: ArrayLike) -> FloatArray:
        """The least integer t with log P(T~ <= t) >= log_q."""
        log_q = np.asarray(log_q, dtype=np.float64)
        # minus the greatest u with logsf(u) >= log_q: the last point before logsf falls below
        point = self.upper_point(log_q)
        return np.where(self.logsf(point) == log_q, -point, 1.0 - point)

    def ppf(self, q: ArrayLike) -> FloatArray:
        """The least integer t with P(T~ <= t) >= q; undoes `cdf` in spite of rounded logarithms."""
        q = np.asarray(q, dtype=np.float64)
        point = super().ppf(q)
        point = np.where(self.cdf(point - 1.0) >= q, point - 1.0, point)
        return np.where(self.cdf(point) < q, point + 1.0, point)

    def _log_tail_of_any(self, t: FloatArray) -> FloatArray:
        """The log tail with infinite and undefined t allowed."""
        finite = np.isfinite(t)
        log_tail = self._tail.log_upper_tail(np.where(finite, t, 1.0))
        return np.where(finite, log_tail, -t)

    @cached_property
    def _tail(self) -> UpperTail:
        ladder = Ladder.of(self.score, self.n_pairs)
        counted, noise = self.n_pairs <= COUNTED_UP_TO, self.noise
        if isinstance(noise, CanonicalNoise):
            # its epsilon is so small that nothing but noise is left near the largest T
            return (CanonicalCountedTail if counted else ContourTail)(ladder, noise)
        return (CountedTail if counted else JoinedTail)(ladder, noise)

    @cached_property
    def _closed_form(self) -> SymmetricNull:
        return closed_form(self._sigma, self.noise)

    @property
    def _sigma(self) -> float:
        return math.sqrt(self.score.sum_of_squares(self.n_pairs))
