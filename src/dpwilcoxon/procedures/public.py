"""The tests without privacy, for comparison on simulated or public data: not releasable."""

from __future__ import annotations

from typing import final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray, IntArray
from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.base import RejectionRule, StudyProcedure
from dpwilcoxon.statistics.batches import SampleBatch
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.tie_groups import TieGroups, ZeroMethod


class _NormalPublicTest(StudyProcedure):
    """Compares w with a normal whose variance is that of random signs on the observed ranks."""

    methods = (Method.NORMAL_LAPLACE,)

    def automatic_method(self, design: Design) -> Method:  # noqa: ARG002 - there is only one
        """The normal law, which is the normal-Laplace one without noise."""
        return Method.NORMAL_LAPLACE

    def pvalue(self, groups: TieGroups, alternative: Alternative) -> float:
        """Normal p-value without continuity correction; 1 when every difference is zero."""
        ranks = groups.ranks(RANKS, self.zero_method)
        variance = float(np.sum((groups.n_positive + groups.n_negative) * ranks**2))
        total = groups.statistic(RANKS, self.zero_method)
        return float(_normal_pvalue(np.array([total]), np.array([variance]), alternative)[0])

    def rejection_rule(
        self,
        design: Design,
        alpha: float,
        alternative: Alternative,
        method: Method = Method.AUTO,
    ) -> RejectionRule:
        """1 where the p-value is at most alpha, else 0."""
        self.resolve_method(design, method)

        def rule(batch: SampleBatch) -> FloatArray:
            totals = batch.totals(RANKS, self.zero_method)
            variances = batch.variances(RANKS, self.zero_method)
            return (_normal_pvalue(totals, variances, alternative) <= alpha).astype(np.float64)

        return rule


def _normal_pvalue(totals: IntArray, variances: FloatArray, alternative: Alternative) -> FloatArray:
    from scipy.special import ndtr

    z = totals / np.sqrt(np.where(variances > 0, variances, 1.0))
    if alternative is Alternative.TWO_SIDED:
        p = 2.0 * ndtr(-np.abs(z))
    else:
        p = ndtr(-z if alternative is Alternative.GREATER else z)
    return np.where(variances > 0, p, 1.0)


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
