"""The paper's test: Wilcoxon's signed ranks with zeros ranked (Algorithms WP~ and C~)."""

from __future__ import annotations

from typing import final

from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.scored import ScoredTest
from dpwilcoxon.statistics.scores import RANKS, Score


@final
class Pratt(ScoredTest):
    """Sum of sign(d) * rank(|d|) over all rows, plus Laplace noise of scale 2n / epsilon."""

    name = "pratt"
    summary = "signed ranks with zeros ranked: the test of Couch et al. (2018)"

    def score(self, design: Design) -> Score:  # noqa: ARG002 - ranks need no design
        """Doubled ranks."""
        return RANKS
