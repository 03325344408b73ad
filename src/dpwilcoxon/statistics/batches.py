"""Many samples of one size at once, for studies: sorted once, tested in every way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from dpwilcoxon.arraytypes import FloatArray, IntArray, KeyArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.statistics import compiled
from dpwilcoxon.statistics.keys import write_float_keys
from dpwilcoxon.statistics.scores import Score
from dpwilcoxon.statistics.tie_groups import ZeroMethod, check_range, rounded_scores

_ONE = np.uint64(1)
_TOP_BIT = np.uint64(63)


@dataclass(frozen=True, eq=False, repr=False)
class SampleBatch:
    """Samples of differences as signed keys, one sample per row, each in the order of |d|.

    What is computed for one score is kept, so that every epsilon, level and test with that score
    shares it.
    """

    keys: KeyArray
    _totals: dict[tuple[Score, ZeroMethod], IntArray] = field(default_factory=dict, init=False)

    @classmethod
    def of_differences(cls, differences: FloatArray) -> SampleBatch:
        """Order each row of a matrix of differences, none of them NaN, by size."""
        if differences.ndim != 2 or differences.shape[1] == 0:  # noqa: PLR2004 - samples by pairs
            raise InvalidArgument("A batch needs a matrix with one sample per row.")
        rows = np.array(differences, dtype=np.float64, order="C")
        keys = np.empty(rows.shape, dtype=np.uint64)
        if (loops := compiled.loops_for_batches()) is not None:
            loops.order_rows(rows, rows.view(np.uint64), keys)
        else:
            write_float_keys(rows, keys)
            keys.sort(axis=1)
        return cls(keys)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def n_pairs(self) -> int:
        """The size of every sample."""
        return int(self.keys.shape[1])

    @property
    def differences(self) -> FloatArray:
        """The differences, each row in the order of |d|."""
        bits = (self.keys >> _ONE) | (self.keys << _TOP_BIT)
        return np.asarray(bits.view(np.float64))

    @property
    def n_zero(self) -> IntArray:
        """How many differences of each sample are zero."""
        if not (self.keys[:, 0] < np.uint64(2)).any():  # zeros come first
            return np.zeros(len(self), dtype=np.int64)
        return np.asarray(np.count_nonzero(self.keys < np.uint64(2), axis=1), np.int64)

    def totals(self, score: Score, zero_method: ZeroMethod = ZeroMethod.PRATT) -> IntArray:
        """The statistic of each sample, in lattice units."""
        if zero_method is ZeroMethod.WILCOX and not self.n_zero.any():
            zero_method = ZeroMethod.PRATT  # there is nothing to drop
        if (score, zero_method) not in self._totals:
            check_range(score, self.n_pairs)
            self._totals[score, zero_method] = self._sum(score, zero_method)
        return self._totals[score, zero_method]

    def variances(self, score: Score, zero_method: ZeroMethod = ZeroMethod.PRATT) -> FloatArray:
        """The variance of each total under random signs, given the sizes of the differences."""
        check_range(score, self.n_pairs)
        if (loops := compiled.loops_for_batches()) is not None:
            squares = np.empty(len(self))
            loops.square_rows(
                self.keys, self._cumulative(score), self._dropped(zero_method), squares
            )
            return squares
        if not self.has_ties:
            n_zero, dropped = self.n_zero, self._dropped(zero_method)
            squares = np.diff(self._cumulative(score), prepend=0).astype(np.float64) ** 2
            up_to = np.cumsum(squares)
            return np.asarray(up_to[self.n_pairs - dropped] - up_to[n_zero - dropped])
        groups = self._groups(zero_method)
        average = groups.gain(score) / groups.rows
        squares = np.where(groups.is_zero, 0.0, groups.rows * average**2)
        return np.asarray(np.add.reduceat(squares, groups.starts))

    def _sum(self, score: Score, zero_method: ZeroMethod) -> IntArray:
        if (loops := compiled.loops_for_batches()) is not None:
            totals = np.empty(len(self), dtype=np.int64)
            cumulative, dropped = self._cumulative(score), self._dropped(zero_method)
            loops.score_rows(self.keys, score.table, cumulative, dropped, totals)
            return totals
        dropped = self._dropped(zero_method)
        if self.has_ties or dropped.any():
            return self._sum_of_groups(score, zero_method)
        # Without ties: the scores of all rows but the zeros, less twice those of negative ones.
        cumulative = self._cumulative(score)
        negative = (self.keys & _ONE).view(np.int64) @ np.diff(cumulative)
        return np.asarray(cumulative[-1] - cumulative[self.n_zero] - 2 * negative, np.int64)

    def _sum_of_groups(self, score: Score, zero_method: ZeroMethod) -> IntArray:
        groups = self._groups(zero_method)
        net = np.where(groups.is_zero, 0, groups.net)
        scores = rounded_scores(groups.gain(score), groups.rows, net)
        return np.asarray(np.add.reduceat(scores, groups.starts), np.int64)

    def _cumulative(self, score: Score) -> IntArray:
        """A(0) .. A(n)."""
        return score.cumulative(np.arange(self.n_pairs + 1, dtype=np.int64))

    def _dropped(self, zero_method: ZeroMethod) -> IntArray:
        """How many zeros of each sample take no rank."""
        if zero_method is ZeroMethod.PRATT:
            return np.zeros(len(self), dtype=np.int64)
        return self.n_zero

    @property
    def has_ties(self) -> bool:
        """Whether any two differences of a sample that are not zero have the same size."""
        size = self.keys >> _ONE
        return bool(((size[:, 1:] == size[:, :-1]) & (size[:, 1:] > 0)).any())

    def _ends(self) -> IntArray:
        """Where tie groups end in the flattened keys; the end of a row ends a group."""
        size = (self.keys >> _ONE).reshape(-1)
        is_last = np.empty(size.shape, dtype=np.bool_)
        np.not_equal(size[1:], size[:-1], out=is_last[:-1])
        is_last[self.n_pairs - 1 :: self.n_pairs] = True
        return np.flatnonzero(is_last) + 1

    def _groups(self, zero_method: ZeroMethod) -> _Groups:
        ends, keys = self._ends(), self.keys.reshape(-1)
        negative = np.cumsum(keys & _ONE, dtype=np.int64)[ends - 1]
        rows = np.diff(ends, prepend=0)
        net = rows - 2 * np.diff(negative, prepend=0)
        sample = (ends - 1) // self.n_pairs
        last = ends - sample * self.n_pairs
        starts = np.flatnonzero(np.diff(sample, prepend=-1))
        if zero_method is ZeroMethod.WILCOX:
            last = np.maximum(last - self.n_zero[sample], rows)  # of zeros, which count for nothing
        return _Groups(last, rows, net, starts, keys[ends - 1] < np.uint64(2))


class _Groups(NamedTuple):
    """The tie groups of all samples, one after the other."""

    last: IntArray  # ranks
    rows: IntArray
    net: IntArray  # positive less negative rows
    starts: IntArray  # the first group of each sample
    is_zero: np.ndarray[tuple[int], np.dtype[np.bool_]]

    def gain(self, score: Score) -> IntArray:
        """The sum of the scores of each group."""
        return score.cumulative(self.last) - score.cumulative(self.last - self.rows)
