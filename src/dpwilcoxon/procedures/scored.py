"""Private tests that differ in their scores alone."""

from __future__ import annotations

import math

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.nulls.base import SymmetricNull
from dpwilcoxon.nulls.closed_form import closed_form
from dpwilcoxon.nulls.exact import LARGEST_EXACT_N, ExactRankNull
from dpwilcoxon.nulls.ladder import Ladder
from dpwilcoxon.nulls.monte_carlo import MonteCarloNull
from dpwilcoxon.parameters import Design, Method
from dpwilcoxon.procedures.base import PrivateProcedure, Simulation


class ScoredTest(PrivateProcedure):
    """Sum of sign times tie-averaged score, plus noise; a subclass adds the scores.

    The scores must never fall. Where they climb a step a rank and then stay
    (:mod:`dpwilcoxon.nulls.ladder`), the exact law is known.
    """

    methods = (Method.EXACT, Method.NORMAL_LAPLACE, Method.MONTE_CARLO)

    def sensitivity(self, design: Design) -> int:
        """Twice the largest score, attained by the top-ranked row."""
        return self.score(design).sensitivity(design.n_pairs)

    def automatic_method(self, design: Design) -> Method:
        """Exact where it is known and affordable, up to 100,000 pairs; else the closed form."""
        n = design.n_pairs
        is_exact = n <= LARGEST_EXACT_N and Ladder.describes(self.score(design), n)
        return Method.EXACT if is_exact else Method.NORMAL_LAPLACE

    def null(self, design: Design, method: Method, simulation: Simulation) -> SymmetricNull:
        """The law of the noisy statistic of data without ties and zeros."""
        noise, score = self.noise(design), self.score(design)
        resolved = self.resolve_method(design, method)
        if resolved is Method.EXACT:
            if not Ladder.describes(score, design.n_pairs):
                raise InvalidArgument(
                    f"`method` 'exact' is not known for the scores of {self.name!r}; use "
                    "'normal-laplace'."
                )
            return ExactRankNull(design.n_pairs, noise, score)
        sigma = math.sqrt(score.sum_of_squares(design.n_pairs))
        if resolved is Method.MONTE_CARLO:
            return MonteCarloNull(
                sigma, noise, simulation.draws, simulation.rng, simulation.progress
            )
        return closed_form(sigma, noise)
