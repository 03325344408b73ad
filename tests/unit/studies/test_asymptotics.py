"""The formula is near the simulation wherever it claims to be, for any private test."""

import math

import pytest

from dpwilcoxon.procedures.base import PrivateProcedure
from dpwilcoxon.procedures.registry import PROCEDURES
from dpwilcoxon.studies.asymptotics import approximate_pairs, approximate_power
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import rejection_rates

PRIVATE = [name for name, each in PROCEDURES.items() if isinstance(each, PrivateProcedure)]
POPULATIONS = {
    "normal": Population.parse(effect=0.6),
    "zeros": Population.parse(effect=0.8, zero_fraction=0.3, zeros="random"),
    "heavy tails": Population.parse("student-t:1", effect=1.0),
    "ties": Population.parse("likert:4", effect=0.7),
    "factors": Population.parse("log-normal", effect=0.6),
    "pilot": Population.parse([1.0, 2.0, -0.5, 3.0, 0.0, -1.0, 2.5, 0.3], effect=0.7),
    "a function": Population.parse(lambda rng, size: rng.exponential(size=size) - 0.6),
}


@pytest.mark.parametrize("noise", ["laplace", "canonical"])
@pytest.mark.parametrize("procedure", PRIVATE)
@pytest.mark.parametrize("name", POPULATIONS)
@pytest.mark.parametrize(("n", "epsilon"), [(25, 2), (80, 0.3)])
def test_against_simulation(procedure, name, n, epsilon, noise):
    """Within 0.04 and four standard errors of 4,000 replicates (at most 0.02 more)."""
    population, test = POPULATIONS[name], PlannedTest.parse(procedure, epsilon, noise=noise)
    (simulated,) = rejection_rates(population, n, [test(n)], replicates=4000, seed=1)
    formula = approximate_power(population, test, n)
    assert abs(formula - simulated.probability) < 0.04 + 4 * simulated.standard_error


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_directions(alternative):
    """One-sided tests find changes in their own direction, more easily than two-sided ones."""
    test = PlannedTest.parse("pratt", 1, alternative=alternative)
    up, down = (approximate_power(Population(effect=each), test, 40) for each in (0.8, -0.8))
    if alternative == "two-sided":
        assert up == pytest.approx(down, abs=0.01)
        assert up < approximate_power(
            Population(effect=0.8), PlannedTest.parse("pratt", 1, alternative="greater"), 40
        )
    else:
        found, missed = (up, down) if alternative == "greater" else (down, up)
        assert found > 0.5
        assert missed < 1e-3


@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_without_a_change_the_formula_gives_the_level(alternative):
    """The chance asymmetry of its sample is taken out."""
    test = PlannedTest.parse("pratt", 1, 0.03, alternative)
    assert approximate_power(Population(), test, 300) == pytest.approx(0.03, abs=1e-3)


def test_the_guess_is_where_the_formula_gets_there():
    """The first n at which the approximate power reaches the target."""
    population, test = Population(effect=0.7), PlannedTest.parse("pratt", 0.5)
    n = approximate_pairs(population, test, 0.9)
    assert (
        approximate_power(population, test, n - 1) < 0.9 <= approximate_power(population, test, n)
    )


@pytest.mark.parametrize(
    ("population", "test", "guess"),
    [
        (Population(), PlannedTest.parse("pratt", 1), math.inf),
        (Population(effect=-1.0), PlannedTest.parse("pratt", 1, alternative="greater"), math.inf),
        (Population(effect=1.0), PlannedTest.parse("pratt", "1e-11"), math.inf),
        (Population(effect=1.0, zero_fraction=1.0), PlannedTest.parse("pratt", 1), math.inf),
        (Population(effect=1.0), PlannedTest.parse("public", 1), None),
    ],
)
def test_no_guess(population, test, guess):
    """Nothing to find, the other way, out of range, nothing that changes; and no formula."""
    assert (approximate_power(population, test, 20) is None) == (guess is None)
    assert approximate_pairs(population, test, 0.8) == guess


def test_everything_positive():
    """Even where the sample has no variance the noise is still there."""
    power = approximate_power(
        Population.parse([1.0]).with_effect(1.0), PlannedTest.parse("pratt", 0.05), 20
    )
    assert 0.05 < power < 0.2
