"""The exact law by counting: subsets of the ranks by their sum.

Without ties and zeros the doubled statistic is T = n(n+1) - 4 V, V the sum of the ranks that got a
negative sign, and each of the 2^n sign patterns is equally likely: the law is a count of subsets.
All of it costs n^3 / 4 additions; the part near the largest T, where V is small, costs little at
any n. Everything here is a sum of positive terms or a difference that loses at most one bit, so
tails of any depth keep their relative accuracy.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls.base import LOG_2
from dpwilcoxon.nulls.rank_transform import log_transform_from_top

LARGEST_COUNTED_N = 1000  # 2^n must not overflow
LEAST_REMAINDER = 1e-12  # what is smaller is lost in the rounding of the total it is taken from


@lru_cache(maxsize=8)
def subset_counts(n: int, largest_sum: int) -> FloatArray:
    """The number of subsets of 1..n with sum 0, 1, ..., largest_sum; cached, so read-only."""
    counts = np.zeros(largest_sum + 1)
    counts[0] = 1.0
    reached = 0
    for rank in range(1, min(n, largest_sum) + 1):
        reached = min(reached + rank, largest_sum)
        counts[rank : reached + 1] += counts[: reached + 1 - rank]
    counts.setflags(write=False)
    return counts


@lru_cache(maxsize=8)
def signed_rank_counts(n: int) -> FloatArray:
    """The number of subsets of 1..n with sum 0, 1, ..., n(n+1)/2; cached, so read-only."""
    if not 1 <= n <= LARGEST_COUNTED_N:
        raise InvalidArgument(
            f"`n` must lie in 1..{LARGEST_COUNTED_N} for the law of the signed-rank sum to be "
            f"counted; got {n}."
        )
    largest = n * (n + 1) // 2
    half = subset_counts(n, largest // 2)  # the law is symmetric
    counts = np.concatenate([half, half[::-1][1 - largest % 2 :]])
    counts.setflags(write=False)
    return counts


def signed_rank_pmf(n: int) -> FloatArray:
    """P(V = 0), ..., P(V = n(n+1)/2), V the sum of the ranks of one sign, without ties and zeros.

    The classical noise-free law: the paper's w is 2 V - n(n+1)/2 if V counts the positive ranks,
    and the doubled statistic is T = 2 w. Relative accuracy in every entry.
    """
    return np.ldexp(signed_rank_counts(n), -n)


class CountedTail:
    """P(T~ >= t), looked up in counts by v, the lattice point T = n(n+1) - 4 v.

    With a = exp(-1/b) the noise has P(L >= k) = a^k / (1 + a) for k >= 0 and 1 - a^(1-k) / (1 + a)
    for k <= 0. So each lattice point below t lifts a^(t-T) / (1 + a) of its mass into the tail, and
    each point from t on leaks a^(T-t+1) / (1 + a), less than half, out of it.

    Parameters
    ----------
    n
        Number of ranks.
    noise
        The noise that is added.
    points
        How many lattice points to count from the top; all of them by default. The mass of the
        others is known in total, which is accurate for t some ten standard deviations (of the law
        tilted to t) above the last point that is counted.
    """

    def __init__(self, n: int, noise: DiscreteLaplace, points: int | None = None) -> None:
        counts = signed_rank_counts(n) if points is None else subset_counts(n, points - 1)
        self._largest = n * (n + 1)
        self._log_unit = -n * LOG_2
        self._rate = 1.0 / noise.scale
        share = 1.0 / (1.0 + noise.ratio)
        discount = math.exp(-4.0 * self._rate)
        remainder = 0.0 if points is None else _remainder(n, self._rate, counts)
        # index v + 1, so that v = -1 (t above every lattice point) has an entry
        self._at_or_above = np.append(0.0, np.cumsum(counts))
        self._leaked = share * np.append(0.0, _discounted_sums(counts, discount))
        from_below = np.append(remainder, counts[::-1])
        self._lifted = share * _discounted_sums(from_below, discount)[::-1]

    def log_upper_tail(self, t: FloatArray) -> FloatArray:
        """Log of P(T~ >= t) for integers t >= 1, given as a one-dimensional array of floats."""
        last = np.maximum(np.floor((self._largest - t) / 4.0), -1.0)  # v of the last T >= t
        index = last.astype(np.int64) + 1
        down = t - (self._largest - 4.0 * (last + 1.0))  # to the first lattice point below t
        log_lifted = np.log(self._lifted[index]) - self._rate * down
        leak = np.exp(np.minimum(self._rate * (down - 5.0), 0.0))  # up to the last point: 4 - down
        kept = self._at_or_above[index] - leak * self._leaked[index]
        with np.errstate(divide="ignore"):
            return np.asarray(self._log_unit + np.logaddexp(log_lifted, np.log(kept)))


def _remainder(n: int, rate: float, counts: FloatArray) -> float:
    """Sum over the points beyond the counted ones of their counts, discounted to the first."""
    log_total = log_transform_from_top(n, rate)
    counted = np.exp(np.log(counts) - 4.0 * rate * np.arange(counts.size) - log_total).sum()
    rest = 1.0 - float(counted)
    if rest < LEAST_REMAINDER:
        return 0.0
    return math.exp(math.log(rest) + log_total + 4.0 * rate * counts.size)


def _discounted_sums(mass: FloatArray, factor: float) -> FloatArray:
    """U[j] = mass[j] + factor * U[j-1], by doubling the length of the window that is summed."""
    sums = mass.copy()
    window, discount = 1, factor
    while window < sums.size and discount > 0.0:
        sums[window:] += discount * sums[:-window]
        window, discount = 2 * window, discount * discount
    return sums
