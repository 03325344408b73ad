"""The private sign test: how many rows went up, less how many went down.

Signs are integers, but their noise is drawn on a finer lattice: on the integers few p-values could
come out near a level, which then is not used up. At epsilon 1 that would cost 2 pairs of 36.
"""

from __future__ import annotations

from typing import final

from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.scored import ScoredTest
from dpwilcoxon.statistics.scores import Score, equal_scores

LATTICE = 128
FINE_SIGNS = equal_scores(LATTICE)


@final
class Sign(ScoredTest):
    """Sum of sign(d) over all rows, plus Laplace noise of scale 2 / epsilon."""

    name = "sign"
    summary = "signs alone: the limit of capped ranks, with the least noise a rank test can have"

    def score(self, design: Design) -> Score:  # noqa: ARG002 - signs need no design
        """One for every row."""
        return FINE_SIGNS
