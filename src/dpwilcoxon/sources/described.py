"""Paired samples that know, in public words, how they were made."""

from __future__ import annotations

import json
import weakref
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Self

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.pairs import PairedSample
from dpwilcoxon.sources.layout import Layout, MissingCondition
from dpwilcoxon.statistics.scores import Score
from dpwilcoxon.statistics.tie_groups import ZeroMethod


@dataclass(frozen=True, eq=False, repr=False)
class DescribedSample:
    """A paired sample and the layout by which it was found, for the ledger of a budget.

    It holds what its rows are in, such as temporary files or the session of a database: until it
    is closed, or the context ends that it is used as, or nobody knows it any more.
    """

    sample: PairedSample
    layout: Layout
    table: str | None = None
    held: ExitStack = field(default_factory=ExitStack)
    _closing: weakref.finalize[[], DescribedSample] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_closing", weakref.finalize(self, self.held.close))

    @property
    def n(self) -> int:
        """The number of pairs, which is public."""
        return self.sample.n

    def signed_rank_total(self, score: Score, zero_method: ZeroMethod) -> int:
        """The exact statistic in lattice units of the score; not private."""
        if not self._closing.alive:
            raise InvalidArgument("The sample is closed; read the pairs again.")
        return self.sample.signed_rank_total(score, zero_method)

    @property
    def options(self) -> dict[str, str]:
        """Whatever else than columns, missing values and rounding decides which pairs these are."""
        return options_of(self.layout, self.table)

    def close(self) -> None:
        """Let go of everything but the number of pairs."""
        self._closing()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
