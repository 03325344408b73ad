"""What subtracting two columns gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from dpwilcoxon.arraytypes import BoolArray, KeyArray
from dpwilcoxon.columns import Column


@dataclass(frozen=True, eq=False)
class Differences:
    """Signed keys of the differences; the key of a missing difference is zero."""

    keys: KeyArray
    n_missing: int = 0
    first_missing: int = 0  # its row, counted from 0
    comparable: bool = True  # with keys of other rows; ranks among these rows are not

    @classmethod
    def of(cls, keys: KeyArray, missing: BoolArray | None, *, comparable: bool = True) -> Self:
        """Keep keys together with what their mask says."""
        if missing is None or not missing.any():
            return cls(keys, comparable=comparable)
        n_missing, first = int(np.count_nonzero(missing)), int(np.argmax(missing))
        return cls(keys, n_missing, first, comparable)


def any_missing(columns: Sequence[Column]) -> BoolArray | None:
    """Tell in which rows a column says that its value is missing."""
    masks = [column.missing for column in columns if column.missing is not None]
    return np.logical_or.reduce(masks) if masks else None
