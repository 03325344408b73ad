"""The least epsilon and the least effect: on their grid, where the power is, or not at all."""

from fractions import Fraction

import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.studies.effort import Effort
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import rejection_rates
from dpwilcoxon.studies.required_values import (
    EPSILONS,
    DecimalGrid,
    required_effect,
    required_epsilon,
)

PRATT = PlannedTest.parse("pratt", 1)


def power_of(population, n, test):
    """An independent simulation of 40,000 replicates."""
    (rate,) = rejection_rates(population, n, [test(n)], replicates=40_000, seed=99)
    return rate


def test_the_grid_has_three_digits():
    """Places and numbers match, across powers of ten."""
    grid = DecimalGrid(Fraction(1, 100), Fraction(1000))
    assert [float(grid.value(place)) for place in (0, 1, 899, 900, 901)] == [
        0.01,
        0.0101,
        0.0999,
        0.1,
        0.101,
    ]
    assert all(grid.place(grid.value(place)) == place for place in range(0, 4500, 7))
    assert grid.value(grid.place(Fraction("0.12349"))) == Fraction("0.123")
    assert EPSILONS.value(EPSILONS.place(EPSILONS.largest)) == 1000


def test_epsilon():
    """The power is there, and was not 3% earlier (four standard errors)."""
    population = Population(effect=1.0)
    found = required_epsilon(population, PRATT, 50, Effort(power=0.8, seed=1))
    assert found.low <= found.value <= found.high <= found.low * Fraction("1.03")
    at, before = (
        power_of(population, 50, PlannedTest.parse("pratt", each))
        for each in (found.high, found.low * Fraction("0.97"))
    )
    assert at.probability > 0.8 - 4 * at.standard_error
    assert before.probability < 0.8 + 4 * before.standard_error


def test_epsilon_is_sought_where_there_is_noise():
    """Canonical noise ends at epsilon 10, and so does the search."""
    canonical = PlannedTest.parse("pratt", 1, noise="canonical")
    found = required_epsilon(Population(effect=1.0), canonical, 34, Effort(power=0.8, seed=1))
    assert Fraction("0.9") < found.low <= found.value <= found.high < 1
    none = required_epsilon(Population(effect=2.0), canonical, 4, Effort(power=0.8, seed=1))
    assert (none.value, none.largest) == (None, 10)


@pytest.mark.parametrize(("alternative", "sign"), [("two-sided", 1), ("less", -1)])
def test_effect(alternative, sign):
    """Likewise for effects, which go down where the alternative does."""
    test = PlannedTest.parse("pratt", 1, alternative=alternative)
    found = required_effect(Population(effect=77.0), test, 60, Effort(power=0.7, seed=1))
    assert sign * found.value > 0
    assert found.low <= found.value <= found.high
    assert found.power.probability == pytest.approx(0.7, abs=0.02)
    rate = power_of(Population(effect=float(found.value)), 60, test)
    assert rate.probability == pytest.approx(0.7, abs=0.02)


def test_where_no_effect_can_be_detected():
    """For small n and epsilon even a change of everybody drowns in the noise, as the paper says."""
    found = required_effect(Population(), PlannedTest.parse("pratt", "0.01"), 5, Effort(power=0.99))
    assert (found.value, found.low, found.high) == (None, None, None)
    assert found.largest == 100
    assert found.power.probability == pytest.approx(0.05, abs=0.001)


def test_where_no_epsilon_suffices():
    """Ten pairs do not show a small change, noise or not."""
    found = required_epsilon(Population(effect=0.1), PRATT, 10, Effort(seed=1))
    assert found.value is None
    assert found.power.probability < 0.2


def test_noise_can_help_the_smallest_samples():
    """Five pairs never reach 0.05 two-sided without noise, and sometimes do with some."""
    found = required_epsilon(Population(effect=3.0), PRATT, 5, Effort(power=0.15, seed=1))
    assert found.value is not None
    assert found.value < 100


def test_pilots_have_shares_for_effects():
    """The share of a pilot's own change that is enough, at most all of it; never negative."""
    pilot = [2.0, 1.5, -0.5, 1.0, 0.8, -0.2, 3.0, 0.4]
    test = PlannedTest.parse("pratt", 2)
    assert 0 < required_effect(Population.parse(pilot), test, 60, Effort(seed=1)).value < 1
    down = PlannedTest.parse("pratt", 2, alternative="less")
    assert required_effect(Population.parse(pilot), down, 60, Effort(seed=1)).value is None


def test_answers_repeat():
    """The same seed on one thread and on three."""
    one, three = (
        required_effect(Population(), PRATT, 40, Effort(power=0.6, seed=3, jobs=jobs))
        for jobs in (1, 3)
    )
    assert one == three


def test_tolerances_are_positive():
    """Zero cannot be attained."""
    with pytest.raises(InvalidArgument, match="tolerance"):
        required_epsilon(Population(effect=1.0), PRATT, 40, Effort(tolerance=0))
