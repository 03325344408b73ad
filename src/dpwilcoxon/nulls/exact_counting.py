"""The exact law by counting: subsets of the ranks by the sum of their scores.

Without ties and zeros the statistic is T = largest - step * V, V the sum of the scores (in units)
of the ranks that got a negative sign, and each of the 2^n sign patterns is equally likely: the law
is a count of subsets. All of it costs n^3 / 4 additions; the part near the largest T, where V is
small, costs little at any n. Everything here is a sum of positive terms or a difference that loses
at most one bit, so tails of any depth keep their relative accuracy.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls.base import LOG_2
from dpwilcoxon.nulls.ladder import Ladder
from dpwilcoxon.nulls.rank_transform import log_transform_from_top

LARGEST_COUNTED_N = 1000  # 2^n must not overflow
LEAST_REMAINDER = 1e-12  # what is smaller is lost in the rounding of the total it is taken from


@lru_cache(maxsize=8)
def subset_counts(n: int, cap: int, largest_sum: int) -> FloatArray:
    """How many subsets of the ranks 1..n have min(r, cap) adding up to 0, 1, ..., largest_sum.

    Cached, so read-only.
    """
    counts = np.zeros(largest_sum + 1)
    counts[0] = 1.0
    reached = 0
    for rank in range(1, min(cap, largest_sum) + 1):
        reached = min(reached + rank, largest_sum)
        counts[rank : reached + 1] += counts[: reached + 1 - rank]
    if n > cap:
        counts = _with_equal_scores(counts, n - cap, cap)
    counts.setflags(write=False)
    return counts


def _with_equal_scores(counts: FloatArray, rows: int, score: int) -> FloatArray:
    """Let any number of `rows` more, all of one score, join each subset."""
    joined = counts.copy()
    for members in range(1, min(rows, (counts.size - 1) // score) + 1):
        joined[members * score :] += float(math.comb(rows, members)) * counts[: -members * score]
    return joined


@lru_cache(maxsize=8)
def all_subset_counts(n: int, cap: int) -> FloatArray:
    """How many subsets of 1..n have each sum of min(r, cap) that there is; cached, so read-only."""
    if not 1 <= n <= LARGEST_COUNTED_N:
        raise InvalidArgument(
            f"`n` must lie in 1..{LARGEST_COUNTED_N} for the law of the signed-rank sum to be "
            f"counted; got {n}."
        )
    largest = Ladder(n, cap, 1).sum_in_units
    half = subset_counts(n, cap, largest // 2)  # the law is symmetric
    counts = np.concatenate([half, half[::-1][1 - largest % 2 :]])
    counts.setflags(write=False)
    return counts


def signed_rank_pmf(n: int) -> FloatArray:
    """P(V = 0), ..., P(V = n(n+1)/2), V the sum of the ranks of one sign, without ties and zeros.

    The classical noise-free law: the paper's w is 2 V - n(n+1)/2 if V counts the positive ranks,
    and the doubled statistic is T = 2 w. Relative accuracy in every entry.
    """
    return np.ldexp(all_subset_counts(n, n), -n)


class CountedTail:
    """P(T~ >= t), looked up in counts by v, the lattice point T = largest - step * v.

    With a = exp(-1/b) the noise has P(L >= k) = a^k / (1 + a) for k >= 0 and 1 - a^(1-k) / (1 + a)
    for k <= 0. So each lattice point below t lifts a^(t-T) / (1 + a) of its mass into the tail, and
    each point from t on leaks a^(T-t+1) / (1 + a), less than half, out of it.

    Parameters
    ----------
    ladder
        The scores of the ranks.
    noise
        The noise that is added.
    points
        How many lattice points to count from the top; all of them by default. The mass of the
        others is known in total, which is accurate for t some ten standard deviations (of the law
        tilted to t) above the last point that is counted.
    """

    def __init__(self, ladder: Ladder, noise: DiscreteLaplace, points: int | None = None) -> None:
        if points is None:
            counts = all_subset_counts(ladder.n, ladder.cap)
        else:
            counts = subset_counts(ladder.n, ladder.cap, points - 1)
        self._ladder = ladder
        self._rate = 1.0 / noise.scale
        share = 1.0 / (1.0 + noise.ratio)
        discount = math.exp(-ladder.step * self._rate)
        remainder = 0.0 if points is None else _remainder(ladder, self._rate, counts)
        # index v + 1, so that v = -1 (t above every lattice point) has an entry
        self._at_or_above = np.append(0.0, np.cumsum(counts))
        self._leaked = share * np.append(0.0, _discounted_sums(counts, discount))
        from_below = np.append(remainder, counts[::-1])
        self._lifted = share * _discounted_sums(from_below, discount)[::-1]

    def log_upper_tail(self, t: FloatArray) -> FloatArray:
        """Log of P(T~ >= t) for integers t >= 1, given as a one-dimensional array of floats."""
        largest, step = self._ladder.largest, self._ladder.step
        last = np.maximum(np.floor((largest - t) / step), -1.0)  # v of the last T >= t
        index = last.astype(np.int64) + 1
        down = t - (largest - step * (last + 1.0))  # to the first T below t
        up = step - down  # to the last T that is not
        log_lifted = np.log(self._lifted[index]) - self._rate * down
        leak = np.exp(np.minimum(-self._rate * (up + 1.0), 0.0))
        kept = self._at_or_above[index] - leak * self._leaked[index]
        with np.errstate(divide="ignore"):
            log_mass = np.logaddexp(log_lifted, np.log(kept))
        return np.asarray(log_mass - self._ladder.n * LOG_2)


def _remainder(ladder: Ladder, rate: float, counts: FloatArray) -> float:
    """Sum over the points beyond the counted ones of their counts, discounted to the first."""
    log_total, decay = log_transform_from_top(ladder, rate), rate * ladder.step
    counted = np.exp(np.log(counts) - decay * np.arange(counts.size) - log_total).sum()
    rest = 1.0 - float(counted)
    if rest < LEAST_REMAINDER:
        return 0.0
    return math.exp(math.log(rest) + log_total + decay * counts.size)


def _discounted_sums(mass: FloatArray, factor: float) -> FloatArray:
    """U[j] = mass[j] + factor * U[j-1], by doubling the length of the window that is summed."""
    sums = mass.copy()
    window, discount = 1, factor
    while window < sums.size and discount > 0.0:
        sums[window:] += discount * sums[:-window]
        window, discount = 2 * window, discount * discount
    return sums
