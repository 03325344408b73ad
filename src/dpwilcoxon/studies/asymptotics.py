"""A formula for the power of a private test: a first guess, and a check of simulations.

For many pairs the statistic without noise is nearly normal whatever the population. Its mean and
variance follow from one large sample, of which every difference stands for its share of the
population. With r(d) the expected rank of |d|, a the scores and s the sign,

    mean = n E[s a(r)],        variance = n Var[s a(r) + h],
    h(d) = (n - 1) E[s' a'(r') 1(|d'| > |d|)],

where h is what a row does to the ranks of the others (Hajek's projection). Adding the noise gives
the law of the closed form, with another centre and another variance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray, IntArray
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.nulls.closed_form import closed_form
from dpwilcoxon.parameters import Alternative
from dpwilcoxon.procedures.base import PrivateProcedure
from dpwilcoxon.statistics.scores import Score
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest

SAMPLE_SIZE = 1 << 16
SEED = 20180906  # any: the same formula gives the same numbers
LARGEST_GUESS = 10**9


def approximate_power(population: Population, test: PlannedTest, n_pairs: int) -> float | None:
    """Approximate the power of a private test; None for any other procedure.

    Mostly within 0.02 of simulations, and 0.04 for ten pairs; `docs/planning.md` has the figures.
    """
    procedure = test.procedure
    if not isinstance(procedure, PrivateProcedure):
        return None
    design = test.design(n_pairs)
    score, noise = procedure.score(design), procedure.noise(design)
    null = closed_form(math.sqrt(score.sum_of_squares(n_pairs)), noise)
    critical = float(null.critical_value(test.alpha, test.alternative))
    mean, sigma = _moments(population, score, n_pairs)
    changed = closed_form(sigma, noise)

    def above(distance: float) -> float:
        return float(changed.sf(distance))

    if test.alternative is Alternative.LESS:
        return above(mean - critical)
    power = above(critical - mean)
    return power if test.alternative is Alternative.GREATER else power + above(critical + mean)


def approximate_pairs(population: Population, test: PlannedTest, power: float) -> float | None:
    """Approximate the number of pairs with which a test reaches a power.

    Infinity if not even `LARGEST_GUESS` pairs do, or their noise would not fit 64 bits; None where
    there is no formula.
    """
    if not isinstance(test.procedure, PrivateProcedure):
        return None

    def reached(n: int) -> bool:
        approximate = approximate_power(population, test, n)
        return approximate is not None and approximate >= power

    below, above = 0, 1
    try:
        while not reached(above):
            below, above = above, 2 * above
            if population.is_null or above > LARGEST_GUESS:
                return math.inf
    except InvalidArgument:
        return math.inf
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if reached(middle) else (middle, above)
    return above


@final
@dataclass(frozen=True, eq=False)
class _Profile:
    """One large sample in the order of |d|."""

    signs: FloatArray
    share_below: FloatArray  # the share of smaller |d|; ties count by half
    first: IntArray  # where the tie group of each difference begins, and where it stops
    stop: IntArray

    @classmethod
    def of(cls, differences: FloatArray) -> _Profile:
        ordered = differences[np.argsort(np.abs(differences))]
        sizes = np.abs(ordered)
        first = np.searchsorted(sizes, sizes, side="left")
        stop = np.searchsorted(sizes, sizes, side="right")
        return cls(np.sign(ordered), (first + stop) / (2.0 * len(sizes)), first, stop)

    def mean(self, score: Score, n_pairs: int) -> float:
        """E[s a(r)]."""
        scores, _ = self._scores(score, n_pairs)
        return float((self.signs * scores).mean())

    def variance(self, score: Score, n_pairs: int) -> float:
        """Var[s a(r) + h]."""
        scores, slopes = self._scores(score, n_pairs)
        above = np.append(np.cumsum((self.signs * slopes)[::-1])[::-1], 0.0) / len(scores)
        pushed = (above[self.first] + above[self.stop]) / 2.0
        return float(np.var(self.signs * scores + (n_pairs - 1) * pushed))

    def _scores(self, score: Score, n_pairs: int) -> tuple[FloatArray, FloatArray]:
        """The scores at the expected ranks, and how they rise from there."""
        ranks = 1.0 + (n_pairs - 1) * self.share_below
        number = np.searchsorted([piece.start for piece in score.pieces], ranks) - 1
        linear, quadratic = (
            np.array([getattr(piece, name) for piece in score.pieces], dtype=np.float64)[number]
            for name in ("linear", "quadratic")
        )
        return linear + quadratic * (2.0 * ranks - 1.0), 2.0 * quadratic


@lru_cache(maxsize=8)
def _profile(population: Population) -> _Profile:
    return _Profile.of(population.draw(np.random.default_rng(SEED), 1, SAMPLE_SIZE)[0])


def _moments(population: Population, score: Score, n_pairs: int) -> tuple[float, float]:
    """Mean and standard deviation of the statistic of a sample without noise."""
    profile = _profile(population)
    mean = profile.mean(score, n_pairs)
    if population.family.null_without_effect:  # what chance gave the sample in spite of symmetry
        mean -= _profile(population.with_effect(0.0)).mean(score, n_pairs)
    sigma = math.sqrt(n_pairs * profile.variance(score, n_pairs))
    return n_pairs * mean, max(sigma, 1e-9 * score.total(n_pairs))
