"""The search for the integer at which a tail reaches a level."""

import numpy as np
import pytest

from dpwilcoxon.nulls.integer_search import least_integer


def stairs(t):
    """A tail that falls by one every four integers, like that of a nearly noise-free statistic."""
    return -np.floor(np.asarray(t) / 4.0)


@pytest.mark.parametrize("guess", [-1e6, -3.0, 0.0, 17.0, 1e9])
@pytest.mark.parametrize("step", [1.0, 1000.0])
def test_finds_the_least_integer_from_any_guess(guess, step):
    """On a staircase, where interpolation would fail, and however far away the guess."""
    level = np.array([-10.0, -2.5, 0.0, 0.5, 3.0])
    found = least_integer(stairs, level, np.full(level.shape, guess), step)
    np.testing.assert_array_equal(found, [40, 12, 0, 0, -12])


def test_infinite_guesses_are_answers():
    """A level of probability 0 or 1 has its answer at infinity, beside finite ones."""
    guess = np.array([np.inf, 3.0, -np.inf])
    found = least_integer(stairs, np.array([-np.inf, -1.0, 0.0]), guess, 1.0)
    np.testing.assert_array_equal(found, [np.inf, 4.0, -np.inf])
    only = least_integer(stairs, np.array([-np.inf]), np.array([np.inf]), 1.0)
    np.testing.assert_array_equal(only, [np.inf])


def test_stops_where_integers_are_not_floats():
    """Beyond 2^53 the neighbour of a float is not its integer neighbour: the search still ends."""
    found = least_integer(lambda t: -np.asarray(t), np.array([-1e18]), np.array([9e17]), 1.0)
    assert found[0] == pytest.approx(1e18, rel=1e-15)
