"""Private tests that differ in their scores alone."""

from __future__ import annotations

import math

from dpwilcoxon.nulls.base import SymmetricNull
from dpwilcoxon.nulls.closed_form import closed_form
from dpwilcoxon.nulls.exact import LARGEST_EXACT_N, ExactRankNull
from dpwilcoxon.nulls.monte_carlo import MonteCarloNull
from dpwilcoxon.parameters import Design, Method
from dpwilcoxon.procedures.base import PrivateProcedure, Simulation


class ScoredTest(PrivateProcedure):
    """Sum of sign times tie-averaged score, plus noise; a subclass adds the scores.

    The scores must never fall, and climb and then stay (:mod:`dpwilcoxon.nulls.ladder`).
    """

    methods = (Method.EXACT, Method.NORMAL_LAPLACE, Method.MONTE_CARLO)

    def sensitivity(self, design: Design) -> int:
        """Twice the largest score, attained by the top-ranked row."""
        return self.score(design).sensitivity(design.n_pairs)

    def automatic_method(self, design: Design) -> Method:
        """Exact where it is affordable, which is up to 100,000 pairs; closed form beyond."""
        return Method.EXACT if design.n_pairs <= LARGEST_EXACT_N else Method.NORMAL_LAPLACE

    def null(self, design: Design, method: Method, simulation: Simulation) -> SymmetricNull:
        """The law of the noisy statistic of data without ties and zeros."""
        noise, score = self.noise(design), self.score(design)
        resolved = self.resolve_method(design, method)
        if resolved is Method.EXACT:
            return ExactRankNull(design.n_pairs, noise, score)
        sigma = math.sqrt(score.sum_of_squares(design.n_pairs))
        if resolved is Method.MONTE_CARLO:
            return MonteCarloNull(
                sigma, noise, simulation.draws, simulation.rng, simulation.progress
            )
        return closed_form(sigma, noise)
