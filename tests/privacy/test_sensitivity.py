"""How much one row can change the statistic, over every small database there is."""

import itertools

import numpy as np
import pytest

from dpwilcoxon.statistics.keys import SignedKeys
from dpwilcoxon.statistics.scores import RANKS
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
