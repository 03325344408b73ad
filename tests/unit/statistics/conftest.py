"""The statistic by its definition, slowly, and a score that is not linear."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpwilcoxon.statistics.scores import capped_ranks
from dpwilcoxon.statistics.tie_groups import ZeroMethod


def _by_definition(differences, score, zero_method=ZeroMethod.PRATT):
    """Average the scores a(r) over the ranks of each tie group, in exact fractions."""
    if zero_method is ZeroMethod.WILCOX:
        differences = [d for d in differences if d != 0]
    a = [score.total(r) - score.total(r - 1) for r in range(1, len(differences) + 1)]
    total = 0
    for size in {abs(d) for d in differences} - {0}:
        smaller = sum(abs(d) < size for d in differences)
        group = [d for d in differences if abs(d) == size]
        net = sum(1 if d > 0 else -1 for d in group)
        average = Fraction(sum(a[smaller : smaller + len(group)]), len(group))
        total += _nearest(average * net)
    return total


def _nearest(value):
    """The nearest integer, halves away from zero."""
    rounded = int(abs(value) + Fraction(1, 2))
    return rounded if value > 0 else -rounded


@pytest.fixture(scope="session")
def by_definition():
    """Compute T of differences, a score and a zero method from the definition, in O(n^2)."""
    return _by_definition


def _capped(cap, lattice=2):
    return capped_ranks(cap, lattice // 2)


@pytest.fixture(scope="session")
def capped():
    """Make a(r) = min(r, cap) on an even lattice: a tie that straddles the cap has a fraction."""
    return _capped
