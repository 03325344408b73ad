"""Many cases at once: each what it is alone, and samples drawn once for all that share them."""

import numpy as np

from dpwilcoxon.studies.cases import Case, crossed
from dpwilcoxon.studies.comparison import powers
from dpwilcoxon.studies.families import Custom
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import rejection_rates


def test_cases_come_back_in_order():
    """Whatever is grouped inside, each estimate belongs to its case."""
    tests = [PlannedTest.parse("pratt", each) for each in (0.2, 2)]
    populations = [Population(effect=each) for each in (0.3, 1.0)]
    cases = crossed(tests, populations, (30, 12))
    estimates = powers(cases, replicates=300, seed=4)
    for case, estimate in zip(cases, estimates, strict=True):
        (alone,) = rejection_rates(
            case.population, case.n, [case.test(case.n)], replicates=300, seed=4
        )
        assert estimate == alone


def test_samples_are_drawn_once():
    """Five tests of the same population and size cost one simulation."""
    calls = []

    def draw(rng, size):
        calls.append(size)
        return rng.normal(size=size)

    population = Population(Custom(draw), 0.5)
    cases = [Case(population, PlannedTest.parse("pratt", each), 20) for each in range(1, 6)]
    powers(cases, replicates=100, seed=1)
    assert calls == [(20, 100)]


def test_shared_luck_makes_comparisons_precise():
    """The difference of two tests varies far less from seed to seed than either does."""
    cases = [
        Case(Population(effect=0.6), PlannedTest.parse("pratt", each), 50) for each in (1, 1.1)
    ]
    found = np.array(
        [[each.probability for each in powers(cases, replicates=200, seed=seed)]
         for seed in range(20)]
    )  # fmt: skip
    assert np.std(found[:, 1] - found[:, 0]) < 0.2 * np.std(found[:, 0])
