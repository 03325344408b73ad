"""The worked example: five rows, with zeros dropped (w = 8) and ranked (w = 10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from dpwilcoxon.paper import printed
from dpwilcoxon.paper.comparison import Comparison, Printed, Reading
from dpwilcoxon.paper.item import Cell, Item, NumberTable, Outcome
from dpwilcoxon.paper.session import Session
from dpwilcoxon.paper.typeset import TypesetTable
from dpwilcoxon.plots.numerals import MINUS
from dpwilcoxon.sources.arrays import pairs_from_arrays
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.signed_rank import tie_groups
from dpwilcoxon.statistics.tie_groups import TieGroups, ZeroMethod

BEFORE = [row[0] for row in printed.EXAMPLE_ROWS]
AFTER = [row[1] for row in printed.EXAMPLE_ROWS]
SIZES = [abs(after - before) for before, after in zip(BEFORE, AFTER, strict=True)]
SIGNS = [int(np.sign(after - before)) for before, after in zip(BEFORE, AFTER, strict=True)]


@final
class InitialTable(Item):
    """Differences and their signs."""

    name = "table-initial"
    title = "Worked example: the differences"
    place = "section 2.2, Initial Table"

    def measure(self, session: Session) -> Outcome:  # noqa: ARG002 - nothing is simulated
        """Subtract."""
        rows = list(zip(range(1, 6), BEFORE, AFTER, SIZES, SIGNS, strict=True))
        comparisons = [
            _exact(f"initial/d/{row[0]}", f"d of row {row[0]}", old[2], row[3])
            for row, old in zip(rows, printed.EXAMPLE_ROWS, strict=True)
        ]
        comparisons += [
            _exact(f"initial/s/{row[0]}", f"s of row {row[0]}", int(old[3]), row[4])
            for row, old in zip(rows, printed.EXAMPLE_ROWS, strict=True)
            if old[3] != "-"
        ]
        return _outcome(self.title, ("i", "u", "v", "d", "s"), rows, comparisons)


class RankedTable(Item):
    """Ranks, and the statistic."""

    zero_method: ZeroMethod
    ranked: Sequence[tuple[int, int, int, float]]
    statistic: int

    def measure(self, session: Session) -> Outcome:  # noqa: ARG002 - nothing is simulated
        """Rank and add up."""
        groups = tie_groups(pairs_from_arrays(AFTER, BEFORE).keys)
        rank_of = self._ranks(groups)
        w = groups.statistic(RANKS, self.zero_method) / RANKS.lattice
        key = self.name.removeprefix("table-")
        rows: list[tuple[Cell, ...]] = []
        comparisons = [_exact(f"{key}/w", "the statistic w", self.statistic, w)]
        for i, *old in self.ranked:
            d, s = SIZES[i - 1], SIGNS[i - 1]
            rows.append((i, d, s, rank_of[d]))
            for name, was, now in zip("dsr", old, (d, s, rank_of[d]), strict=True):
                comparisons.append(_exact(f"{key}/{name}/{i}", f"{name} of row {i}", was, now))
        rows_with_w = [*rows, ("w", "", "", w)]
        return _outcome(self.title, ("i", "d", "s", "r"), rows_with_w, comparisons, (len(rows),))

    def _ranks(self, groups: TieGroups) -> dict[int, float]:
        """The average rank of each |d|; the zeros tie at the lowest ranks."""
        distinct = sorted({size for size in SIZES if size})
        ranks = groups.ranks(RANKS, self.zero_method) / RANKS.lattice
        return {0: (groups.n_zero + 1) / 2, **dict(zip(distinct, map(float, ranks), strict=True))}


@final
class DroppedTable(RankedTable):
    """Algorithm W."""

    name = "table-w"
    title = "Worked example: zeros dropped"
    place = "section 2.2, Final Table"
    zero_method, ranked, statistic = ZeroMethod.WILCOX, printed.FINAL_TABLE, printed.W


@final
class PrattTable(RankedTable):
    """Algorithm WP."""

    name = "table-pratt"
    title = "Worked example: zeros ranked"
    place = "section 3, Final Table (Pratt)"
    zero_method, ranked, statistic = ZeroMethod.PRATT, printed.FINAL_TABLE_PRATT, printed.W_PRATT


def _exact(key: str, quantity: str, old: float, new: float) -> Comparison:
    return Comparison(
        f"example/{key}", quantity, Printed(old, 0.0), (Reading.exactly(float(new), "computed"),)
    )


def _outcome(
    title: str,
    header: tuple[str, ...],
    rows: Sequence[tuple[Cell, ...]],
    comparisons: Sequence[Comparison],
    groups: tuple[int, ...] = (),
) -> Outcome:
    texts = [tuple(_text(cell) for cell in row) for row in rows]
    typeset = TypesetTable(title, header, texts, groups)
    return Outcome(
        NumberTable(header, rows),
        typeset.draw,
        f"{title}: a small table.",
        tuple(comparisons),
        latex=typeset.to_latex(),
    )


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else f"{cell:g}".replace("-", MINUS)
