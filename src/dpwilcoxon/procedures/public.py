"""The tests without privacy, for comparison on simulated or public data: not releasable."""

from __future__ import annotations

from typing import final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray, IntArray
from dpwilcoxon.nulls.random_signs import RandomSignLaw, doubled_ranks, law_of_random_signs
from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.base import RejectionRule, StudyProcedure
from dpwilcoxon.statistics.batches import SampleBatch
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.tie_groups import TieGroups, ZeroMethod


class _PublicTest(StudyProcedure):
    """Compares w with its law under random signs on the observed ranks, exact or normal."""

    methods = (Method.EXACT, Method.NORMAL_LAPLACE)
    uses_epsilon = False

    def automatic_method(self, design: Design) -> Method:  # noqa: ARG002 - one for every size
        """The normal law, which is the normal-Laplace one without noise: the paper's choice."""
        return Method.NORMAL_LAPLACE

    def pvalue(
        self,
        groups: TieGroups,
        alternative: Alternative,
        method: Method = Method.NORMAL_LAPLACE,
    ) -> float:
        """P-value given ties and zeros; 1 when every difference is zero.

        The normal law goes without a continuity correction.
        """
        total = groups.statistic(RANKS, self.zero_method)
        if method is Method.EXACT:
            return float(self._law(groups.sizes, groups.n_zero).pvalue(total, alternative))
        ranks = groups.ranks(RANKS, self.zero_method)
        variance = float(np.sum(groups.sizes * ranks**2))
        return float(_normal_pvalue(np.array([total]), np.array([variance]), alternative)[0])

    def rejection_rule(
        self,
        design: Design,
        alpha: float,
        alternative: Alternative,
        method: Method = Method.AUTO,
    ) -> RejectionRule:
        """1 where the p-value is at most alpha, else 0."""
        exact = self.resolve_method(design, method) is Method.EXACT
        pvalues = self._exact_pvalues if exact else self._normal_pvalues

        def rule(batch: SampleBatch) -> FloatArray:
            return (pvalues(batch, alternative) <= alpha).astype(np.float64)

        return rule

    def _normal_pvalues(self, batch: SampleBatch, alternative: Alternative) -> FloatArray:
        totals = batch.totals(RANKS, self.zero_method)
        return _normal_pvalue(totals, batch.variances(RANKS, self.zero_method), alternative)

    def _exact_pvalues(self, batch: SampleBatch, alternative: Alternative) -> FloatArray:
        """One law for all samples with as many zeros and no ties, one for each that has ties."""
        totals, n_zero = batch.totals(RANKS, self.zero_method), batch.n_zero
        tied, pvalues = np.zeros(len(batch), dtype=np.bool_), np.empty(len(batch))
        if batch.has_ties:
            sizes = np.abs(batch.differences)
            tied = np.any((sizes[:, 1:] == sizes[:, :-1]) & (sizes[:, 1:] > 0.0), axis=1)
        for zeros in np.unique(n_zero[~tied]):
            alike = ~tied & (n_zero == zeros)
            law = self._law(np.ones(batch.n_pairs - zeros, dtype=np.int64), int(zeros))
            pvalues[alike] = law.pvalue(totals[alike], alternative)
        for sample in np.flatnonzero(tied):
            _, counts = np.unique(sizes[sample, n_zero[sample] :], return_counts=True)
            law = self._law(counts, int(n_zero[sample]))
            pvalues[sample] = law.pvalue(totals[sample], alternative)
        return pvalues

    def _law(self, sizes: IntArray, n_zero: int) -> RandomSignLaw:
        lowest = n_zero if self.zero_method is ZeroMethod.PRATT else 0
        return law_of_random_signs(doubled_ranks(sizes, lowest))


def _normal_pvalue(totals: IntArray, variances: FloatArray, alternative: Alternative) -> FloatArray:
    from scipy.special import ndtr

    z = totals / np.sqrt(np.where(variances > 0, variances, 1.0))
    if alternative is Alternative.TWO_SIDED:
        p = 2.0 * ndtr(-np.abs(z))
    else:
        p = ndtr(-z if alternative is Alternative.GREATER else z)
    return np.where(variances > 0, p, 1.0)


@final
class Public(_PublicTest):
    """Wilcoxon's test as usually taught: zeros dropped."""

    name = "public"
    summary = "NOT PRIVATE: Wilcoxon's signed-rank test, zeros dropped"
    zero_method = ZeroMethod.WILCOX


@final
class PublicPratt(_PublicTest):
    """Wilcoxon's test with Pratt's treatment of zeros."""

    name = "public-pratt"
    summary = "NOT PRIVATE: Wilcoxon's signed-rank test, zeros ranked (Pratt)"
    zero_method = ZeroMethod.PRATT
