"""How much one row can change the statistic, over every small database there is."""

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest

from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.capped import FINENESS, Capped
from dpwilcoxon.statistics.batches import SampleBatch
from dpwilcoxon.statistics.keys import SignedKeys
from dpwilcoxon.statistics.scores import RANKS, SIGNS, capped_ranks
from dpwilcoxon.statistics.signed_rank import signed_rank_total

GRID = range(-3, 4)  # differences of three sizes with either sign, and none
MOST_ROWS = 5


def statistic_of_every_database(n, score):
    """T of all databases of n differences on the grid: one axis for each row."""
    databases = itertools.product(GRID, repeat=n)
    totals = [
        signed_rank_total(SignedKeys.from_differences(np.array(rows)), score) for rows in databases
    ]
    return np.array(totals).reshape((len(GRID),) * n)


def largest_change(statistics):
    """Max |T - T'| over all pairs of databases that differ in one row."""
    return max(np.ptp(statistics, axis=row).max() for row in range(statistics.ndim))


@pytest.mark.parametrize("n", range(1, MOST_ROWS + 1))
def test_sensitivity_of_signed_ranks_is_exactly_4n(n):
    """No replacement of one row changes T = 2w by more than 4n, and one does: 2n on w's scale."""
    assert largest_change(statistic_of_every_database(n, RANKS)) == 4 * n


@dataclass(frozen=True)
class CoarseCap:
    """a(r) = min(r, cap) on any lattice, even one so coarse that half of all ties are rounded."""

    cap: int
    lattice: int

    def cumulative(self, rank):
        """A(rank), elementwise."""
        below = np.minimum(rank, self.cap)
        return self.lattice * (below * (below + 1) // 2 + (rank - below) * self.cap)

    def total(self, n):
        """A(n)."""
        return int(self.cumulative(n))


@lru_cache
def every_database(n, grid=GRID):
    """All databases of n differences on the grid, ready to be scored."""
    return SampleBatch.of_differences(np.array(list(itertools.product(grid, repeat=n)), float))


def batch_sensitivity(n, score, grid=GRID):
    """Max |T - T'| over all neighbours, from all databases at once."""
    return largest_change(every_database(n, grid).totals(score).reshape((len(grid),) * n))


@pytest.mark.parametrize("n", range(1, MOST_ROWS + 1))
@pytest.mark.parametrize("cap", range(1, MOST_ROWS + 1))
def test_sensitivity_of_capped_ranks_is_exactly_twice_the_cap(n, cap):
    """2 max(a), with ties, zeros and the rounding of ties across the cap, for every cap.

    The bound the procedure adds noise for is that number, neither less nor more.
    """
    procedure, design = Capped(cap), Design.parse(n, 1)
    score = procedure.score(design)
    changed = batch_sensitivity(n, score)
    assert changed == procedure.sensitivity(design) == 2 * min(cap, n) * score.lattice


@pytest.mark.parametrize("n", range(1, MOST_ROWS + 1))
@pytest.mark.parametrize("cap", range(1, MOST_ROWS + 1))
def test_what_is_released_has_the_sensitivity_that_was_measured(n, cap):
    """The door computes one sample at a time, the tests above all at once: the same integers.

    So whoever caps averaged ranks on the way to a release, and not in the studies, fails here.
    """
    score = Capped(cap).score(Design.parse(n, 1))
    together = every_database(n).totals(score).reshape((len(GRID),) * n)
    np.testing.assert_array_equal(statistic_of_every_database(n, score), together)


def test_sensitivity_of_signs_is_two():
    """A row that goes from down to up, whatever its size."""
    for n in range(1, MOST_ROWS + 1):
        assert batch_sensitivity(n, SIGNS) == 2


@pytest.mark.parametrize("lattice", [1, 2, 3, 6])
def test_rounding_costs_nothing_on_the_coarsest_lattices(lattice):
    """Ties of up to six rows, many of them rounded by half a unit: still twice the largest score.

    Here rounding is as large compared with the scores as it can be.
    """
    for n, cap in itertools.product(range(2, 7), range(1, 6)):
        grid = GRID if n < 6 else range(-2, 3)
        changed = batch_sensitivity(n, CoarseCap(cap, lattice), grid)
        assert changed == 2 * lattice * min(cap, n)


def capped_average(row, cap):
    """The mistake: cap the average rank of a tie, instead of averaging capped ranks."""
    sizes = [abs(value) for value in row]
    total = Fraction(0)
    for value in row:
        smaller, equal = (sum(test(abs(value))) for test in _comparisons(sizes))
        average = Fraction(2 * smaller + equal + 1, 2)
        total += ((value > 0) - (value < 0)) * min(average, cap)
    return total


def _comparisons(sizes):
    yield lambda size: [each < size for each in sizes]
    yield lambda size: [each == size for each in sizes]


def test_capping_averaged_ranks_would_break_the_bound():
    """n = 5, cap 2: the mistake changes by 5 where 4 is promised, averaged capped ranks by 4.

    So whoever changes the order of capping and averaging makes this test fail.
    """
    grid = range(-2, 3)
    databases = list(itertools.product(grid, repeat=5))
    mistaken = np.array([float(capped_average(row, 2)) for row in databases]).reshape((5,) * 5)
    assert largest_change(mistaken) == 5.0
    right = capped_ranks(2, FINENESS)
    assert batch_sensitivity(5, right, grid) == 4 * right.lattice
    tied = np.array([[-1.0, 1.0, 1.0, 1.0, 1.0]])
    capped_then_averaged = SampleBatch.of_differences(tied).totals(right)[0] / right.lattice
    assert capped_then_averaged == pytest.approx(3 * 9 / 5, abs=1 / 256)  # not 3 * 2
