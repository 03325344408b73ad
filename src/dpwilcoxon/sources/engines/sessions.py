"""What is asked of every engine that Ibis can reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.layout_expressions import LayoutExpressions
from dpwilcoxon.sources.pushdown.engine import Engine
from dpwilcoxon.sources.pushdown.tie_ranks import TieRanks


class EngineSession(Engine, Protocol):
    """An engine in a state that does not change while it is asked."""

    @property
    def way(self) -> str:
        """Which way the rows go, in public words."""

    def relation(self, sql: str) -> str:
        """The rows of a query, where they are computed with; asked for once."""

    def literals(
        self, source: str, expressions: LayoutExpressions, layout: Layout
    ) -> Sequence[str]:
        """The later and the earlier level as SQL; of wide tables none."""

    def source(self, sql: str) -> str:
        """A query of the same rows that can be asked again and again."""

    def ranks(self, differences: str) -> TieRanks:
        """How the differences are ranked here."""

    def close(self) -> None:
        """Leave nothing behind. Never fails."""
