"""One column of measurements, of any type, as exact numbers.

Whatever a caller brings (arrays, lists, data frames, files) becomes a :class:`Column`: numpy
values of a few known kinds plus a mask of missing entries. Only :mod:`dpwilcoxon.pairs`
subtracts columns, and only there is decided what exact means for each kind.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from dpwilcoxon.arraytypes import AnyArray, BoolArray


class Kind(enum.Enum):
    """What the values of a column are."""

    FLOAT = "float"  # float64 (float16 and float32 widened without loss)
    INTEGER = "integer"  # int64 or uint64; also booleans
    DECIMAL = "decimal"  # int64 multiples of 10 ** -places
    TIME = "time"  # int64 multiples of one unit: dates, timestamps
    DURATION = "duration"  # int64 multiples of one unit
    OBJECT = "object"  # Python numbers without limits: int, Decimal, Fraction


@dataclass(frozen=True)
class Column:
    """Values of one kind and, where some are missing, which."""

    kind: Kind
    values: AnyArray
    missing: BoolArray | None = None
    places: int = 0  # of Kind.DECIMAL
    unit: str = ""  # of Kind.TIME and Kind.DURATION, a numpy unit such as "D" or "us"

    def __len__(self) -> int:
        return len(self.values)
