"""Differences of millions of plain rows, in one pass of a compiled loop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpwilcoxon.arraytypes import AnyArray, KeyArray
from dpwilcoxon.statistics.compiled import loops_for_rows

COMPILED_KINDS = [{(np.dtype(np.float64), True)}, {(np.dtype(np.int64), True)}]


def subtract_compiled(arrays: Sequence[AnyArray], keys: KeyArray) -> bool:
    """Write the signed keys of the differences of two columns, if that can be done in one pass.

    Parameters
    ----------
    arrays
        The columns, with nothing missing and nothing to round.
    keys
        Where the keys go.

    Returns
    -------
    bool
        False where the keys are of no use: there are few rows or one column, the columns are not
        both doubles or both 64-bit integers, or a difference is NaN or too large for a key.
    """
    kinds = {(array.dtype, array.flags.c_contiguous) for array in arrays}
    if len(arrays) == 1 or kinds not in COMPILED_KINDS:
        return False
    loops = loops_for_rows(len(keys))
    return loops is not None and loops.write_difference_keys(*arrays, keys)
