"""Paired samples that know, in public words, how they were made."""

from __future__ import annotations

import json
from dataclasses import dataclass

from dpwilcoxon.pairs import PairedSample
from dpwilcoxon.sources.layout import Layout, MissingCondition
from dpwilcoxon.statistics.scores import Score
from dpwilcoxon.statistics.tie_groups import ZeroMethod


@dataclass(frozen=True, eq=False, repr=False)
class DescribedSample:
    """A paired sample and the layout by which it was found, for the ledger of a budget."""

    sample: PairedSample
    layout: Layout
    table: str | None = None

    @property
    def n(self) -> int:
        """The number of pairs, which is public."""
        return self.sample.n

    def signed_rank_total(self, score: Score, zero_method: ZeroMethod) -> int:
        """The exact statistic in lattice units of the score; not private."""
        return self.sample.signed_rank_total(score, zero_method)

    @property
    def options(self) -> dict[str, str]:
        """Whatever else than columns, missing values and rounding decides which pairs these are."""
        return options_of(self.layout, self.table)

    def __repr__(self) -> str:
        return repr(self.sample)


def options_of(layout: Layout, table: str | None = None) -> dict[str, str]:
    """Write the options of a layout in one form, so that ledgers know a request again."""
    exclude = layout.missing_condition
    given = {
        "table": table,
        "unit": layout.unit,
        "condition": layout.condition,
        "levels": ",".join(layout.levels) if layout.levels else None,
        "value": layout.value,
        "aggregate": str(layout.aggregate) if layout.aggregate else None,
        "order_by": json.dumps(layout.order_by) if layout.order_by else None,
        "where": layout.where,
        "public_n": str(layout.public_n) if layout.public_n else None,
        "missing_condition": None if exclude is MissingCondition.RAISE else str(exclude),
    }
    return {name: text for name, text in given.items() if text is not None}
