"""Many points at once: each what it is alone, and samples drawn once for all that share them."""

import numpy as np

from dpwilcoxon.studies.comparison import Point, powers
from dpwilcoxon.studies.families import Custom
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import rejection_rates


def test_points_come_back_in_order():
    """Whatever is grouped inside, each estimate belongs to its point."""
    tests = [PlannedTest.parse("pratt", each) for each in (0.2, 2)]
    populations = [Population(effect=each) for each in (0.3, 1.0)]
    points = [Point(pop, n, test) for test in tests for n in (30, 12) for pop in populations]
    estimates = powers(points, replicates=300, seed=4)
    for point, estimate in zip(points, estimates, strict=True):
        (alone,) = rejection_rates(
            point.population, point.n_pairs, [point.test(point.n_pairs)], replicates=300, seed=4
        )
        assert estimate == alone


def test_samples_are_drawn_once():
    """Five tests of the same population and size cost one simulation."""
    calls = []

    def draw(rng, size):
        calls.append(size)
        return rng.normal(size=size)

    population = Population(Custom(draw), 0.5)
    points = [Point(population, 20, PlannedTest.parse("pratt", each)) for each in range(1, 6)]
    powers(points, replicates=100, seed=1)
    assert calls == [(20, 100)]


def test_shared_luck_makes_comparisons_precise():
    """The difference of two tests varies far less from seed to seed than either does."""
    points = [
        Point(Population(effect=0.6), 50, PlannedTest.parse("pratt", each)) for each in (1, 1.1)
    ]
    found = np.array(
        [[each.probability for each in powers(points, replicates=200, seed=seed)]
         for seed in range(20)]
    )  # fmt: skip
    assert np.std(found[:, 1] - found[:, 0]) < 0.2 * np.std(found[:, 0])
