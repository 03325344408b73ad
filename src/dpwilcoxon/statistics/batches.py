"""Many samples of one size at once, for studies: sorted once, tested in every way."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dpwilcoxon.arraytypes import FloatArray, IntArray, KeyArray
from dpwilcoxon.errors import InvalidArgument
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
        flat = np.array(differences, dtype=np.float64).reshape(-1)
        keys = np.empty(flat.shape, dtype=np.uint64)
        write_float_keys(flat, keys)
        return cls(np.sort(keys.reshape(differences.shape), axis=1))

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
        return np.asarray(np.count_nonzero(self.keys < np.uint64(2), axis=1), np.int64)

    def totals(self, score: Score, zero_method: ZeroMethod = ZeroMethod.PRATT) -> IntArray:
        """The statistic of each sample, in lattice units."""
        if (score, zero_method) not in self._totals:
            check_range(score, self.n_pairs)
            self._totals[score, zero_method] = self._sum(score, zero_method)
        return self._totals[score, zero_method]

    def variances(self, score: Score, zero_method: ZeroMethod = ZeroMethod.PRATT) -> FloatArray:
        """The variance of each total under random signs, given the sizes of the differences."""
        last, rows, _, starts = self._groups(zero_method)
        average = (score.cumulative(last) - score.cumulative(last - rows)) / rows
        zero = self._is_zero_group()
        return np.asarray(np.add.reduceat(np.where(zero, 0.0, rows * average**2), starts))

    def _sum(self, score: Score, zero_method: ZeroMethod) -> IntArray:
        last, rows, net, starts = self._groups(zero_method)
        net = np.where(self._is_zero_group(), 0, net)
        gain = score.cumulative(last) - score.cumulative(last - rows)
        return np.asarray(np.add.reduceat(rounded_scores(gain, rows, net), starts), np.int64)

    def _ends(self) -> IntArray:
        """Where tie groups end in the flattened keys; the end of a row ends a group."""
        size = (self.keys >> _ONE).reshape(-1)
        is_last = np.empty(size.shape, dtype=np.bool_)
        np.not_equal(size[1:], size[:-1], out=is_last[:-1])
        is_last[self.n_pairs - 1 :: self.n_pairs] = True
        return np.flatnonzero(is_last) + 1

    def _is_zero_group(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return self.keys.reshape(-1)[self._ends() - 1] < np.uint64(2)

    def _groups(self, zero_method: ZeroMethod) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Last rank, rows and net sign of each group, and the first group of each sample."""
        ends = self._ends()
        negative = np.cumsum(self.keys.reshape(-1) & _ONE, dtype=np.int64)[ends - 1]
        rows = np.diff(ends, prepend=0)
        net = rows - 2 * np.diff(negative, prepend=0)
        sample = (ends - 1) // self.n_pairs
        last = ends - sample * self.n_pairs
        starts = np.flatnonzero(np.diff(sample, prepend=-1))
        if zero_method is ZeroMethod.WILCOX:
            last = np.maximum(last - self.n_zero[sample], rows)  # of zeros, which count for nothing
        return last, rows, net, starts
