"""A rival: split the rows, run the public test on each part, and count rejections privately.

The subsample-and-aggregate idea of Kazan, Shi, Groce and Bray, The Test of Tests (2023).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray, IntArray
from dpwilcoxon.nulls.exact_counting import LARGEST_COUNTED_N, signed_rank_pmf
from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.base import RejectionRule
from dpwilcoxon.procedures.noisy_sums import NoisySumTest, laplace_tail, least_shift
from dpwilcoxon.statistics.batches import SampleBatch
from dpwilcoxon.statistics.scores import RANKS

LEAST_PART = 4  # rows: the exact test of fewer hardly has levels to choose from
MOST_PARTS = 400
NUMBERS_OF_PARTS = 24
PART_LEVELS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.45)
LARGEST_SHIFT = 100.0
CRITICAL_STEPS = 60
RANK_EFFICIENCY = math.sqrt(3.0 / math.pi)  # of the signed-rank test, for small normal shifts


@final
@dataclass(frozen=True)
class PartTest:
    """The exact public test of some parts of one size: reject from a critical value on.

    Parameters
    ----------
    parts, rows
        How many parts there are, of how many rows.
    critical
        The doubled statistic from which on a part rejects.
    level
        How often it does under H0 without ties and zeros.
    """

    parts: int
    rows: int
    critical: int
    level: float

    @classmethod
    def at_level(cls, parts: int, rows: int, level: float, alternative: Alternative) -> PartTest:
        """The test whose level is the largest attainable one up to `level`."""
        sides = 2 if alternative is Alternative.TWO_SIDED else 1
        largest = rows * (rows + 1)
        if rows > LARGEST_COUNTED_N:
            return cls._by_normal_law(parts, rows, level / sides, sides)
        tail = sides * np.cumsum(signed_rank_pmf(rows))  # P(T >= largest - 4 v), v = 0, 1, ...
        reaching = int(np.searchsorted(tail, level, side="right")) - 1
        if reaching < 0:
            return cls(parts, rows, largest + 1, 0.0)
        return cls(parts, rows, largest - 4 * reaching, float(tail[reaching]))

    @classmethod
    def _by_normal_law(cls, parts: int, rows: int, tail: float, sides: int) -> PartTest:
        from scipy.special import ndtr, ndtri

        sigma = math.sqrt(RANKS.sum_of_squares(rows))
        critical = math.ceil(-sigma * float(ndtri(tail)))
        return cls(parts, rows, critical, sides * float(ndtr(-critical / sigma)))

    def power(self, shift: float, alternative: Alternative) -> float:
        """About how often a part rejects when d / sd(d) is shifted, for normal differences."""
        from scipy.special import ndtr, ndtri

        sides = 2 if alternative is Alternative.TWO_SIDED else 1
        if self.level == 0.0:
            return 0.0
        distance = -float(ndtri(self.level / sides))
        mean = shift * math.sqrt(self.rows) * RANK_EFFICIENCY
        far = float(ndtr(-distance - mean)) if sides == 2 else 0.0  # noqa: PLR2004 - both sides
        return float(ndtr(mean - distance)) + far


@final
@dataclass(frozen=True)
class Split:
    """How the rows are split, and how many rejections are significant."""

    tests: tuple[PartTest, ...]
    critical: float

    @classmethod
    def of(
        cls, design: Design, parts: int, level: float, alpha: float, alternative: Alternative
    ) -> Split:
        """Parts of nearly equal size, at the sublevel closest to `level` from below."""
        rows, larger = divmod(design.n_pairs, parts)
        sizes = [(parts - larger, rows), (larger, rows + 1)]
        tests = tuple(
            PartTest.at_level(count, size, level, alternative) for count, size in sizes if count
        )
        law = _law_of_count(tests, [each.level for each in tests])
        return cls(tests, _critical_count(law, 1.0 / float(design.epsilon), alpha))

    def power(self, shift: float, scale: float, alternative: Alternative) -> float:
        """About the power of the whole for normal differences."""
        law = _law_of_count(self.tests, [each.power(shift, alternative) for each in self.tests])
        return _noisy_tail(law, self.critical, scale)


@final
class TestOfTests(NoisySumTest):
    """The number of parts in which the public signed-rank test rejects, plus Laplace noise.

    One row lies in one part, so it changes the count by at most 1, and the noise has scale
    1 / epsilon. The number of parts and the level of their tests are those with which the least
    shift of normal differences is found with a power of 80%: a choice from public numbers.
    """

    __test__ = False  # pytest: this is a statistical test
    name = "test-of-tests"
    summary = "STUDIES ONLY: public tests on parts of the rows, their rejections counted"

    def rejection_rule(
        self,
        design: Design,
        alpha: float,
        alternative: Alternative,
        method: Method = Method.AUTO,
    ) -> RejectionRule:
        """Split at random, test the parts, and integrate the noise out."""
        self.resolve_method(design, method)
        split = best_split(design, alpha, alternative)
        scale = 1.0 / float(design.epsilon)

        def rule(batch: SampleBatch) -> FloatArray:
            count = _rejections(batch, split, alternative).astype(np.float64)
            return laplace_tail(split.critical - count, scale)

        return rule


@lru_cache(maxsize=1024)
def best_split(design: Design, alpha: float, alternative: Alternative) -> Split:
    """The split that finds the least shift."""
    scale = 1.0 / float(design.epsilon)
    most = max(1, min(MOST_PARTS, design.n_pairs // LEAST_PART))
    best, least = None, math.inf
    for parts in np.unique(np.round(np.geomspace(1, most, NUMBERS_OF_PARTS)).astype(int)):
        for level in PART_LEVELS:
            split = Split.of(design, int(parts), level, alpha, alternative)
            power = partial(split.power, scale=scale, alternative=alternative)
            shift = least_shift(power, LARGEST_SHIFT)
            if best is None or shift < least:
                best, least = split, shift
    assert best is not None  # noqa: S101 - there is always one part
    return best


def _rejections(batch: SampleBatch, split: Split, alternative: Alternative) -> IntArray:
    """How many parts of each sample reject, the rows dealt to them at random."""
    order = np.argsort(_random_numbers(batch), axis=1)
    count, start = np.zeros(len(batch), dtype=np.int64), 0
    for test in split.tests:
        stop = start + test.parts * test.rows
        dealt = order[:, start:stop].reshape(len(batch), test.parts, test.rows)
        keys = np.take_along_axis(batch.keys[:, np.newaxis, :], np.sort(dealt, axis=2), axis=2)
        totals = SampleBatch(keys.reshape(-1, test.rows)).totals(RANKS)
        if alternative is Alternative.TWO_SIDED:
            totals = np.abs(totals)
        elif alternative is Alternative.LESS:
            totals = -totals
        count += (totals >= test.critical).reshape(len(batch), test.parts).sum(axis=1)
        start = stop
    return count


def _random_numbers(batch: SampleBatch) -> FloatArray:
    """Numbers to deal by, seeded by the samples themselves: a rule gives the same again."""
    rng = np.random.default_rng(batch.keys[0, -4:].tolist())
    return rng.random(batch.keys.shape)


def _law_of_count(tests: tuple[PartTest, ...], levels: list[float]) -> FloatArray:
    """P(0, 1, ... parts reject)."""
    from scipy.special import bdtr

    law = np.ones(1)
    for test, level in zip(tests, levels, strict=True):
        counts = np.arange(test.parts + 1)
        law = np.convolve(law, np.diff(bdtr(counts, test.parts, level), prepend=0.0))
    return law


def _critical_count(law: FloatArray, scale: float, alpha: float) -> float:
    """The count from which on count + noise is significant, solved to rounding."""
    low, high = -1.0, law.size - scale * math.log(alpha)
    for _ in range(CRITICAL_STEPS):
        middle = (low + high) / 2.0
        significant = _noisy_tail(law, middle, scale) <= alpha
        low, high = (low, middle) if significant else (middle, high)
    return high


def _noisy_tail(law: FloatArray, count: float, scale: float) -> float:
    """P(a count of this law plus noise >= count)."""
    return float(law @ laplace_tail(count - np.arange(law.size, dtype=np.float64), scale))
