"""The paper's test: Wilcoxon's signed ranks with zeros ranked (Algorithms WP~ and C~)."""

from __future__ import annotations

import math
from typing import final

from dpwilcoxon.nulls.base import SymmetricNull
from dpwilcoxon.nulls.exact import LARGEST_EXACT_N, ExactRankNull
from dpwilcoxon.nulls.monte_carlo import MonteCarloNull
from dpwilcoxon.nulls.normal_laplace import NormalLaplaceNull
from dpwilcoxon.parameters import Design, Method
from dpwilcoxon.procedures.base import PrivateProcedure, Simulation
from dpwilcoxon.statistics.scores import RANKS, Score


@final
class Pratt(PrivateProcedure):
    """Sum of sign(d) * rank(|d|) over all rows, plus Laplace noise of scale 2n / epsilon."""

    name = "pratt"
    summary = "signed ranks with zeros ranked: the test of Couch et al. (2018)"
    methods = (Method.EXACT, Method.NORMAL_LAPLACE, Method.MONTE_CARLO)

    def score(self, design: Design) -> Score:  # noqa: ARG002 - ranks need no design
        """Doubled ranks."""
        return RANKS

    def sensitivity(self, design: Design) -> int:
        """4n on the doubled lattice (2n in the paper), attained by the top-ranked row."""
        return 2 * self.score(design).largest(design.n_pairs)

    def automatic_method(self, design: Design) -> Method:
        """Exact where it is affordable, which is up to 100,000 pairs; closed form beyond."""
        return Method.EXACT if design.n_pairs <= LARGEST_EXACT_N else Method.NORMAL_LAPLACE

    def null(self, design: Design, method: Method, simulation: Simulation) -> SymmetricNull:
        """The law of the noisy doubled statistic of data without ties and zeros."""
        noise = self.noise(design)
        resolved = self.resolve_method(design, method)
        if resolved is Method.EXACT:
            return ExactRankNull(design.n_pairs, noise)
        sigma = math.sqrt(self.score(design).sum_of_squares(design.n_pairs))
        if resolved is Method.MONTE_CARLO:
            return MonteCarloNull(
                sigma, noise, simulation.draws, simulation.rng, simulation.progress
            )
        return NormalLaplaceNull(sigma, noise)
