"""A pilot's pairs as a population."""

import numpy as np

from dpwilcoxon.pairs import Pairs
from dpwilcoxon.sources.arrays import pairs_from_arrays
from dpwilcoxon.statistics.keys import SignedKeys
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.pilots import pilot_of


def test_signs_order_ties_and_zeros_are_kept():
    """Sizes become their ranks among the distinct ones."""
    pairs = pairs_from_arrays([0.5, -0.25, 0.0, 10.0, -0.5, 0.25])
    assert pilot_of(pairs).differences.tolist() == [2.0, -1.0, 0.0, 3.0, -2.0, 1.0]
    without_zero = Pairs(SignedKeys.from_differences(np.array([3.0, -7.0, 3.0])))
    assert pilot_of(without_zero).differences.tolist() == [1.0, -2.0, 1.0]


def test_samples_come_from_it():
    """Drawn with replacement."""
    population = Population(pilot_of(pairs_from_arrays([1, 2, -4, 0])), effect=1.0)
    drawn = population.draw(np.random.default_rng(1), 50, 8)
    assert set(np.unique(drawn)) == {1.0, 2.0, -3.0, 0.0}
