"""Pilot studies from files, as populations to draw from."""

from __future__ import annotations

import numpy as np

from dpwilcoxon.pairs import Pairs
from dpwilcoxon.studies.families import Pilot

_ONE = np.uint64(1)


def pilot_of(pairs: Pairs) -> Pilot:
    """Make a population of the pairs of a PUBLIC pilot study.

    Signed-rank tests see nothing of a difference but its sign and its rank, so the sizes are
    replaced by their ranks among the distinct ones; that keeps exact what was read exactly.
    """
    keys = pairs.keys.values
    distinct, rank = np.unique(keys >> _ONE, return_inverse=True)
    sizes = rank.astype(np.float64) + (distinct[0] != 0)
    return Pilot(np.where(keys & _ONE, -sizes, sizes))
