"""Populations: zeros as promised, and nothing that cannot be."""

import numpy as np
import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.studies.models import Population


def draw(population, n, samples=50, seed=1):
    """A matrix of samples."""
    return population.draw(np.random.default_rng(seed), samples, n)


@pytest.mark.parametrize("fraction", [0.0, 0.1, 0.3, 0.55, 1.0])
def test_fixed_zeros(fraction):
    """Every sample has the wanted share of zeros, rounded; so does each beginning of it."""
    population = Population.parse(effect=1.0, zero_fraction=fraction)
    matrix = draw(population, 37)
    assert matrix.shape == (50, 37)
    for n in (1, 10, 37):
        assert set((matrix[:, :n] == 0).sum(axis=1)) == {int(np.floor(fraction * n + 0.5))}


def test_random_zeros():
    """Each pair is zero with the wanted probability: 50,000 pairs, four standard errors."""
    matrix = draw(Population.parse(effect=1.0, zero_fraction=0.3, zeros="random"), 1000)
    assert len(set((matrix == 0).sum(axis=1))) > 1
    assert abs((matrix == 0).mean() - 0.3) < 4 * np.sqrt(0.21 / matrix.size)


@pytest.mark.parametrize("zeros", ["fixed", "random"])
def test_zeros_take_no_luck_from_the_others(zeros):
    """With and without zeros the other differences are the same."""
    with_zeros = draw(Population.parse(effect=1.0, zero_fraction=0.4, zeros=zeros), 20)
    without = draw(Population.parse(effect=1.0), 20)
    kept = with_zeros != 0
    np.testing.assert_array_equal(with_zeros[kept], without[kept])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"zero_fraction": -0.1}, "zero_fraction"),
        ({"zero_fraction": 1.1}, "zero_fraction"),
        ({"zeros": "some"}, "zeros"),
        ({"effect": float("nan")}, "effect"),
    ],
)
def test_impossible_populations(arguments, message):
    """Each mistake is named."""
    with pytest.raises(InvalidArgument, match=message):
        Population.parse(**arguments)
