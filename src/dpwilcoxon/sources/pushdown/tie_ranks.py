"""The signed-rank statistic of a relation of differences, computed where the rows are.

An engine groups the differences by size and ranks the groups; what comes back are a few sums.
That is enough for every score, because a score is a parabola on each of a few pieces of ranks: on
a piece, a tie group of ranks first..last with net = positives - negatives adds

    net * (linear + quadratic * (first + last - 1))

so the sums of net and of net * (first + last) of the groups within a piece do. The few groups
that lie across a border of two pieces come back one by one and are scored here.

Sizes may be split into ranges that are ranked side by side, which is what lets many machines work
on one sample. Whatever the ranges, no tie group is cut, because equal sizes share a range, and
the ranks of a range are offset by the number of rows below it. The sizes at which ranges begin
are data: they stay in the engine, as the columns of a relation with one row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.pushdown.dialects import Dialect
from dpwilcoxon.statistics.scores import Score
from dpwilcoxon.statistics.tie_groups import ZeroMethod, check_range, signed_score_sum

Rows = Sequence[tuple[Any, ...]]
RunQuery = Callable[[str], Rows]


def tie_groups(differences: str) -> str:
    """Each size among the differences `d`: its rows, and positives - negatives.

    Grouping comes before everything else, so however many rows share a size, they reach the
    ranking as one.
    """
    net = "CAST(sum(CASE WHEN d > 0 THEN 1 WHEN d < 0 THEN -1 ELSE 0 END) AS BIGINT)"
    return (
        f"SELECT abs(d) AS size, count(*) AS n_rows, {net} AS net "
        f"FROM ({differences}) AS differences GROUP BY abs(d)"
    )


@dataclass(frozen=True)
class RangeSizes:
    """How many pairs have no change, and how many are in each range of sizes."""

    n_zero: int
    in_order: tuple[int, ...]

    @property
    def n(self) -> int:
        """The number of pairs."""
        return self.n_zero + sum(self.in_order)

    def offsets(self, zero_method: ZeroMethod) -> list[int]:
        """How many pairs are ranked below each range."""
        first = self.n_zero if zero_method is ZeroMethod.PRATT else 0
        return list(accumulate(self.in_order[:-1], initial=first))


@dataclass(frozen=True)
class TieRanks:
    """Queries about tie groups, of which each pair is in one.

    Parameters
    ----------
    groups
        A query like that of `tie_groups`.
    splits
        A query with one row of sizes s0 <= s1 <= ..., at each of which a range begins.
    n_ranges
        One more than there are splits.
    """

    dialect: Dialect
    groups: str
    splits: str | None = None
    n_ranges: int = 1

    def range_sizes(self, run: RunQuery, n: int) -> RangeSizes:
        """Count the pairs of each range; `n` is how many there have to be."""
        found = {int(place): int(rows) for place, rows in run(self.range_counts())}
        sizes = RangeSizes(found.pop(-1, 0), tuple(found.get(i, 0) for i in range(self.n_ranges)))
        if sizes.n != n:
            raise SourceError("The table changed while it was read; try again.")
        return sizes

    def total(self, run: RunQuery, sizes: RangeSizes, score: Score, zero_method: ZeroMethod) -> int:
        """Compute the statistic in lattice units.

        Parameters
        ----------
        run : callable
            Runs a query and returns its rows.
        sizes : RangeSizes
            How many pairs there are.
        score : Score
            The cumulative scores of the test.
        zero_method : ZeroMethod
            Whether zeros take the lowest ranks or are dropped.
        """
        check_range(score, sizes.n)
        borders = tuple(piece.start for piece in score.pieces[1:])
        return _scored(run(self.sums(sizes.offsets(zero_method), borders)), score)

    def range_counts(self) -> str:
        """How many pairs are in each range of sizes; the range -1 is that of the zeros."""
        return f"SELECT place, sum(n_rows) FROM ({self._placed()}) AS placed GROUP BY place"

    def sums(self, offsets: Sequence[int], borders: Sequence[int]) -> str:
        """Sums of the groups within each piece, and the groups across a border.

        Rows of (piece, last, rows, sum of net, sum of net * (first + last)); `piece` is -1 for a
        single group across a border, and only then `last` and `rows` are of that group.
        """
        below = (
            "sum(n_rows) OVER (PARTITION BY place ORDER BY size "
            "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
        )
        ranked = (
            f"SELECT n_rows, net, {self._offset(offsets)} + CAST({below} AS BIGINT) AS last "
            f"FROM ({self._placed()}) AS placed WHERE size > 0"
        )
        pieces = f"SELECT n_rows, net, last, {self._piece(borders)} AS piece FROM ({ranked}) AS r"
        crossing = "CASE WHEN piece = -1 THEN {0} ELSE 0 END"
        keys = f"piece, {crossing.format('last')}, {crossing.format('n_rows')}"
        total, exact = self.dialect.total.format, self.dialect.to_exact
        ranks = f"{exact('2 * last - n_rows + 1')} * net"  # more than 64 bits, from 2^31 rows on
        return f"SELECT {keys}, {total('net')}, {total(ranks)} FROM ({pieces}) AS p GROUP BY {keys}"

    def _placed(self) -> str:
        """The groups with their range, which is -1 for the zeros."""
        beside = f" CROSS JOIN ({self.splits}) AS splits" if self.splits else ""
        place = f"CASE WHEN size = 0 THEN -1 ELSE {_search(0, self.n_ranges - 1)} END"
        few = self.dialect.broadcast.format("splits") if self.splits else ""
        return (
            f"SELECT {few}size, n_rows, net, {place} AS place "
            f"FROM ({self.groups}) AS tie_groups{beside}"
        )

    def _offset(self, offsets: Sequence[int]) -> str:
        if len(offsets) == 1:
            return str(offsets[0])
        cases = " ".join(f"WHEN {place} THEN {offset}" for place, offset in enumerate(offsets))
        return f"CASE place {cases} END"

    def _piece(self, borders: Sequence[int]) -> str:
        starts = [0, *borders]
        cases = [
            f"WHEN last - n_rows >= {start} AND last <= {stop} THEN {piece}"
            for piece, (start, stop) in enumerate(pairwise(starts))
        ]
        cases.append(f"WHEN last - n_rows >= {starts[-1]} THEN {len(borders)}")
        return f"CASE {' '.join(cases)} ELSE -1 END"


def _search(low: int, high: int) -> str:
    """SQL for the range of a size: as few comparisons as a search in halves needs."""
    if low == high:
        return str(low)
    middle = (low + high) // 2
    return (
        f"CASE WHEN size < s{middle} THEN {_search(low, middle)} "
        f"ELSE {_search(middle + 1, high)} END"
    )


def _scored(rows: Rows, score: Score) -> int:
    total = 0
    for piece, last, n_rows, net, net_ranks in rows:
        if piece == -1:
            group = [np.array([int(each)], dtype=np.int64) for each in (last, n_rows, net)]
            total += signed_score_sum(group[0], group[1], group[2], score)
            continue
        on_piece = score.pieces[int(piece)]
        slope = on_piece.quadratic
        total += (on_piece.linear - slope) * int(net) + slope * int(net_ranks)
    return total
