"""The tests without privacy, for comparison on simulated or public data: not releasable."""

from __future__ import annotations

import math
from typing import final

import numpy as np

from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.base import StudyProcedure
from dpwilcoxon.statistics.scores import RankScore
from dpwilcoxon.statistics.tie_groups import TieGroups, ZeroMethod


class _NormalPublicTest(StudyProcedure):
    """Compares w with a normal whose variance is that of random signs on the observed ranks."""

    methods = (Method.NORMAL_LAPLACE,)

    def automatic_method(self, design: Design) -> Method:  # noqa: ARG002 - there is only one
        """The normal law, which is the normal-Laplace one without noise."""
        return Method.NORMAL_LAPLACE

    def pvalue(self, groups: TieGroups, alternative: Alternative) -> float:
        """Normal p-value without continuity correction; 1 when every difference is zero."""
        score = RankScore()
        ranks = groups.ranks(score, self.zero_method)
        variance = float(np.sum((groups.n_positive + groups.n_negative) * ranks**2))
        if variance == 0.0:
            return 1.0
        z = groups.statistic(score, self.zero_method) / math.sqrt(variance)
        if alternative is Alternative.TWO_SIDED:
            return math.erfc(abs(z) / math.sqrt(2.0))
        upper = z if alternative is Alternative.GREATER else -z
        return 0.5 * math.erfc(upper / math.sqrt(2.0))


@final
class Public(_NormalPublicTest):
    """Wilcoxon's test as usually taught: zeros dropped."""

    name = "public"
    summary = "NOT PRIVATE: Wilcoxon's signed-rank test, zeros dropped"
    zero_method = ZeroMethod.WILCOX


@final
class PublicPratt(_NormalPublicTest):
    """Wilcoxon's test with Pratt's treatment of zeros."""

    name = "public-pratt"
    summary = "NOT PRIVATE: Wilcoxon's signed-rank test, zeros ranked (Pratt)"
    zero_method = ZeroMethod.PRATT
