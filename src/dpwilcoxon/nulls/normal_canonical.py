r"""The closed form for canonical noise: a normal variable plus W Z + U.

With b = exp(-1 / scale of Z), the edges e(k) = W (k + 1/2) of the windows, and the loss function
psi(y) = E (G - y)+ = phi(y) - y Phi(-y) of a standard normal G,

    P(N(0, sigma^2) + W Z + U >= t)
        = sigma/W (1 - b)^2 / (1 + b) * sum over k >= 0 of
              b^k [ psi((t - e(k)) / sigma) - psi((t + e(k)) / sigma) ].

The law of the noise is flat between edges and falls at each of them by a factor b; each edge adds
one term. The sum is taken in logarithms, over the terms that count: those near the largest, and
where psi has become a straight line the rest of the series is summed exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import CanonicalNoise
from dpwilcoxon.nulls.base import LOG_2, SymmetricNull
from dpwilcoxon.nulls.normal_laplace import CONTINUITY_CORRECTION, ROOT_HALF

LOG_ROOT_2_PI = 0.5 * math.log(2.0 * math.pi)
REACH = 12.0  # deviations from the largest term beyond which terms are below 1e-20 of it
STRAIGHT = -9.0  # from here on psi(y) is -y to the last digit
FAR = 40.0  # from here on a series is more accurate than a difference
BLOCK = 1 << 18  # terms that are in memory at a time
WIDEST_SEARCH = 200
BISECTIONS = 62  # of the distance between two guesses: to the last digit


def log_loss(y: FloatArray) -> FloatArray:
    """Log of psi(y) = E (G - y)+, G standard normal."""
    from scipy.special import erfcx

    upper = np.maximum(y, 0.0)
    squares = np.maximum(upper, FAR) ** -2
    series = np.ones(squares.shape)  # squares - 3 squares^2 + 15 squares^3 - 105 squares^4 + ...
    for factor in (11.0, 9.0, 7.0, 5.0, 3.0):
        series = 1.0 - factor * squares * series
    series *= squares
    # psi(y) = phi(y) (1 - y R(y)), R Mills' ratio, for y >= 0
    mills = math.sqrt(math.pi / 2.0) * erfcx(upper * ROOT_HALF)
    share = np.where(upper < FAR, 1.0 - upper * mills, series)
    log_upper = np.log(share) - 0.5 * upper**2 - LOG_ROOT_2_PI
    if not (y < 0.0).any():
        return np.asarray(log_upper)
    # psi(y) = psi(-y) - y
    lower = np.maximum(-y, 0.0)
    mills = math.sqrt(math.pi / 2.0) * erfcx(lower * ROOT_HALF)
    mirrored = np.exp(-0.5 * lower**2 - LOG_ROOT_2_PI) * (1.0 - lower * mills)
    return np.where(y < 0.0, np.log(np.maximum(mirrored, 0.0) + lower), log_upper)


@final
@dataclass(frozen=True)
class NormalCanonicalNull(SymmetricNull):
    """The closed form with a continuity correction: P(T~ >= t) is the continuous law at t - 1/2.

    Parameters
    ----------
    sigma
        Standard deviation of the noise-free statistic, in lattice units.
    noise
        The noise that was added.
    """

    sigma: float
    noise: CanonicalNoise

    def __post_init__(self) -> None:
        if not (math.isfinite(self.sigma) and self.sigma > 0):
            raise InvalidArgument(f"`sigma` must be positive and finite; got {self.sigma}.")

    def logsf(self, t: ArrayLike) -> FloatArray:
        """Log of P(T~ >= t), for any real t."""
        given = np.subtract(t, CONTINUITY_CORRECTION, dtype=np.float64)
        distance = np.abs(given.reshape(-1))
        finite = np.isfinite(distance)
        log_tail = np.where(np.isnan(distance), np.nan, -np.inf)
        log_tail[finite] = self._log_tail(distance[finite])
        below = given.reshape(-1) < 0.0
        log_tail[below] = np.log1p(-np.exp(log_tail[below]))
        return log_tail.reshape(given.shape)

    def upper_point(self, log_p: ArrayLike) -> FloatArray:
        """The real t at which log P(T~ >= t) is log_p."""
        given = np.asarray(log_p, dtype=np.float64)
        level = given.reshape(-1)
        with np.errstate(divide="ignore"):
            log_tail = np.where(level > -LOG_2, np.log(-np.expm1(level)), level)
        inside = np.isfinite(log_tail)
        distance = np.where(inside, 0.0, -log_tail)  # probability 0 lies at infinity
        distance[inside] = self._solve(log_tail[inside])
        return CONTINUITY_CORRECTION + np.where(level > -LOG_2, -distance, distance).reshape(
            given.shape
        )

    def logppf(self, log_q: ArrayLike) -> FloatArray:
        """The real t at which log P(T~ <= t) is log_q."""
        return -self.upper_point(log_q)

    def _solve(self, log_tail: FloatArray) -> FloatArray:
        """The distances x >= 0 from which on the tail is at most that."""
        low = np.zeros(log_tail.shape)
        high = np.full(log_tail.shape, math.hypot(self.sigma, self.noise.scale))
        for _ in range(WIDEST_SEARCH):
            above = self._log_tail(high) > log_tail
            if not above.any():
                break
            low, high = np.where(above, high, low), np.where(above, 2.0 * high, high)
        for _ in range(BISECTIONS):
            middle = 0.5 * (low + high)
            above = self._log_tail(middle) > log_tail
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return high

    def _log_tail(self, x: FloatArray) -> FloatArray:
        """Log of the continuous tail at x >= 0."""
        log_tail = np.empty(x.shape)
        reach = 2.0 * REACH + min(self._peak, REACH) - STRAIGHT
        block = max(1, BLOCK // (math.ceil(reach * self._edges_per_sigma) + 2))
        for start in range(0, x.size, block):
            part = slice(start, start + block)
            nearer, farther = self._log_near(x[part]), self._log_far(x[part])
            log_tail[part] = nearer + np.log1p(-np.exp(np.minimum(farther - nearer, 0.0)))
        return np.minimum(log_tail + self._log_factor, -LOG_2)

    def _log_near(self, x: FloatArray) -> FloatArray:
        """Log of the sum over the edges e(k) on the side of t."""
        at_first = self._in_sigmas(x, 0.0)
        peak = np.minimum(self._peak, at_first)
        lowest = np.maximum(STRAIGHT, peak - REACH)
        first = np.maximum(np.ceil(self._edge_at(x, peak + REACH)), 0.0)
        last = np.maximum(np.ceil(self._edge_at(x, lowest)), first)  # the first one not summed
        count = int((last - first).max())
        edges = first[:, np.newaxis] + np.arange(count, dtype=np.float64)
        terms = log_loss(self._in_sigmas(x[:, np.newaxis], edges)) - self._rate * edges
        terms = np.where(edges < last[:, np.newaxis], terms, -np.inf)
        return _log_sum(np.column_stack([terms, self._log_rest(x, last, lowest)]))

    def _log_rest(self, x: FloatArray, last: FloatArray, lowest: FloatArray) -> FloatArray:
        """Log of the series from `last` on, where psi is a straight line; nothing elsewhere."""
        depth = np.maximum(-self._in_sigmas(x, last), 0.0)
        ratio, missing = math.exp(-self._rate), -math.expm1(-self._rate)
        with np.errstate(divide="ignore"):
            rest = np.log(depth / missing + ratio / missing**2 / self._edges_per_sigma)
        return np.where(lowest == STRAIGHT, rest - self._rate * last, -np.inf)

    def _log_far(self, x: FloatArray) -> FloatArray:
        """Log of the sum over the edges -e(k) on the other side of zero."""
        edges = np.arange(math.ceil(REACH * self._edges_per_sigma) + 1, dtype=np.float64)
        y = (x[:, np.newaxis] + self.noise.window * (edges + 0.5)) / self.sigma
        return _log_sum(log_loss(y) - self._rate * edges)

    def _in_sigmas(self, x: FloatArray, edge: FloatArray | float) -> FloatArray:
        return np.asarray((x - self.noise.window * (edge + 0.5)) / self.sigma)

    def _edge_at(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """The k, not rounded, of an edge that lies y deviations below x."""
        return np.asarray((x - self.sigma * y) / self.noise.window - 0.5)

    @property
    def _rate(self) -> float:
        """-log b."""
        return 1.0 / self.noise.step_scale

    @property
    def _edges_per_sigma(self) -> float:
        return self.sigma / self.noise.window

    @property
    def _peak(self) -> float:
        """About how many deviations below t the edge with the largest term lies."""
        return self.sigma / self.noise.scale

    @property
    def _log_factor(self) -> float:
        missing = -math.expm1(-self._rate)
        return math.log(self._edges_per_sigma * missing**2 / (2.0 - missing))


def _log_sum(log_terms: FloatArray) -> FloatArray:
    """Log of the sum of each row."""
    largest = log_terms.max(axis=1)
    return np.asarray(largest + np.log(np.exp(log_terms - largest[:, np.newaxis]).sum(axis=1)))
