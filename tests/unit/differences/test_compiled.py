"""Many plain rows are subtracted by compiled loops, with the keys that numpy gives."""

import math

import numpy as np
import pytest

from dpwilcoxon.columns import Column, Kind
from dpwilcoxon.differences import floats, subtract, whole_numbers

ROWS = 300
pytestmark = [
    pytest.mark.kernels,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),  # compiled loops never warn
]


def two_columns(kind):
    """Two columns of one type, some rows of which tie."""
    values = np.random.default_rng(3).normal(scale=9.0, size=(2, ROWS))
    dtype = np.float64 if kind is Kind.FLOAT else np.int64
    return [Column(kind, each.astype(dtype)) for each in values]


@pytest.fixture
def compiled(monkeypatch):
    """Let the few rows of these tests count as many."""
    monkeypatch.setattr("dpwilcoxon.statistics.compiled.KERNEL_FROM", ROWS)


@pytest.mark.parametrize("kind", [Kind.FLOAT, Kind.INTEGER])
def test_the_loops_give_the_keys_of_numpy(kind, monkeypatch):
    """From KERNEL_FROM rows on numpy is not asked any more, and nothing changes."""
    columns = two_columns(kind)
    expected = subtract(columns)
    monkeypatch.setattr("dpwilcoxon.statistics.compiled.KERNEL_FROM", ROWS)
    monkeypatch.setattr(floats, "_write_differences", None)
    monkeypatch.setattr(whole_numbers.WholeNumbers, "_write_chunk", None)
    assert np.array_equal(subtract(columns).keys, expected.keys)


@pytest.mark.usefixtures("compiled")
def test_missing_differences_are_still_found():
    """NaN makes the loop give up, and numpy tells how many rows are missing and which is first."""
    x, y = two_columns(Kind.FLOAT)
    expected = subtract([x, y]).keys
    x.values[[7, 9]] = math.nan
    found = subtract([x, y])
    assert (found.n_missing, found.first_missing) == (2, 7)
    assert np.array_equal(np.delete(found.keys, [7, 9]), np.delete(expected, [7, 9]))


@pytest.mark.usefixtures("compiled")
def test_differences_of_65_bits_are_ranked(assert_differences):
    """A difference that leaves no room for its sign makes the loop give up."""
    x, y = two_columns(Kind.INTEGER)
    x.values[5], y.values[5] = 2**63 - 1, -(2**63)
    assert_differences([x, y], [a - b for a, b in zip(*map(list_of, (x, y)), strict=True)])


@pytest.mark.usefixtures("compiled")
def test_other_columns_are_left_to_numpy(assert_differences):
    """Mixed types, columns with gaps between their values, and differences alone."""
    x, y = two_columns(Kind.INTEGER)
    difference = [a - b for a, b in zip(list_of(x), list_of(y), strict=True)]
    floating = Column(Kind.FLOAT, y.values.astype(np.float64))
    assert_differences([x, floating], difference)
    spread = Column(Kind.INTEGER, np.repeat(x.values, 2)[::2])
    assert_differences([spread, y], difference)
    assert_differences([x], list_of(x))


def list_of(column):
    """The values as Python numbers."""
    return column.values.tolist()
