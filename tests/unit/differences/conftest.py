"""Exact differences by fractions, to compare signed keys with."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from dpwilcoxon.differences import subtract


def _canonical(sizes, minus):
    """Ranks among the distinct sizes and zero, with the sign."""
    rank = {size: place for place, size in enumerate(sorted({0, *sizes}))}
    return [(rank[size], bool(sign)) for size, sign in zip(sizes, minus, strict=True)]


def _assert_differences(columns, expected, step=None):
    """Compare keys with the expected differences: same order of sizes, ties, zeros and signs."""
    keys = subtract(columns, step).keys
    found = _canonical((keys >> np.uint64(1)).tolist(), (keys & np.uint64(1)).tolist())
    assert found == _canonical([abs(d) for d in expected], [d < 0 for d in expected])


def _in_steps(difference, step):
    """The number of steps nearest to a difference, halves to even."""
    if isinstance(difference, float) and math.isinf(difference):
        return difference
    return round(Fraction(difference) / step)


@pytest.fixture(scope="session")
def assert_differences():
    """Check the keys of some columns against expected differences."""
    return _assert_differences


@pytest.fixture(scope="session")
def in_steps():
    """Round a difference exactly."""
    return _in_steps
