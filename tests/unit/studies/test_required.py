"""The number of pairs a test needs: right, certain to the stated degree, or honestly not there."""

import numpy as np
import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Alternative
from dpwilcoxon.studies.effort import Effort
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import rejection_rates
from dpwilcoxon.studies.required import MOST_PAIRS, affordable_replicates, required_pairs

PRATT = PlannedTest.parse("pratt", epsilon=1)


def test_the_power_is_reached_there_and_not_before():
    """An independent, larger simulation agrees: 60,000 replicates, four standard errors."""
    population = Population(effect=1.0)
    found = required_pairs(population, PRATT, Effort(power=0.8, tolerance=0.5, seed=1))
    assert found.low <= found.n <= found.high <= found.low + 1
    for n, reached in ((found.low - 1, False), (found.high, True)):
        (rate,) = rejection_rates(population, n, [PRATT(n)], replicates=60_000, seed=2)
        if reached:
            assert rate.probability > 0.8 - 4 * rate.standard_error
        else:
            assert rate.probability < 0.8 + 4 * rate.standard_error


def test_any_function_of_n_is_a_test():
    """A rule of which the power is known: 1 - 1/n reaches 0.96 at 25."""
    found = required_pairs(
        Population(), lambda n: lambda batch: np.full(len(batch), 1.0 - 1.0 / n), Effort(power=0.96)
    )
    assert found.n == 25


def test_an_answer_repeats():
    """The same seed gives the same answer on any number of threads, another seed another power."""
    arguments = {"population": Population(effect=0.8), "test": PRATT}
    first = required_pairs(**arguments, effort=Effort(seed=5, jobs=1))
    assert first == required_pairs(**arguments, effort=Effort(seed=5, jobs=3))
    assert first.power != required_pairs(**arguments, effort=Effort(seed=6)).power


def test_no_answer():
    """Without a change no number of pairs helps."""
    found = required_pairs(Population(), PRATT, Effort(seed=1), most_pairs=2000)
    assert (found.n, found.low, found.high) == (None, None, None)
    assert found.power.probability == pytest.approx(0.05, abs=0.02)
    assert found.most_pairs == 2000


def test_a_change_in_the_other_direction_is_no_answer():
    """A one-sided test never finds what goes the other way."""
    test = PlannedTest.parse("pratt", 1, alternative=Alternative.LESS)
    assert required_pairs(Population(effect=1.0), test, Effort(seed=1), most_pairs=500).n is None


def test_what_cannot_be():
    """Mistakes are named."""
    with pytest.raises(InvalidArgument, match="tolerance"):
        required_pairs(Population(effect=1.0), PRATT, Effort(tolerance=0.0))
    with pytest.raises(InvalidArgument, match="power"):
        required_pairs(Population(effect=1.0), PRATT, Effort(power=1.0))


def test_estimates_stay_affordable():
    """Fewer replicates of larger samples, but never none."""
    assert affordable_replicates(10) > affordable_replicates(10_000) > 0
    assert affordable_replicates(MOST_PAIRS) >= 100
