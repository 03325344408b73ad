"""The private sign test: how many rows went up, less how many went down."""

from __future__ import annotations

from typing import final

from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.scored import ScoredTest
from dpwilcoxon.statistics.scores import SIGNS, Score


@final
class Sign(ScoredTest):
    """Sum of sign(d) over all rows, plus Laplace noise of scale 2 / epsilon."""

    name = "sign"
    summary = "signs alone: the limit of capped ranks, with the least noise a rank test can have"

    def score(self, design: Design) -> Score:  # noqa: ARG002 - signs need no design
        """One for every row."""
        return SIGNS
