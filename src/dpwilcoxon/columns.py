"""One column of measurements, of any type, as exact numbers.

Whatever a caller brings (arrays, lists, data frames, files) becomes a :class:`Column`: numpy
values of a few known kinds plus a mask of missing entries. How two columns are subtracted
depends on what they are, never on the values in them: if one unusual value changed how all the
others are computed, replacing one row could change many ranks.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from dpwilcoxon.arraytypes import AnyArray, BoolArray
from dpwilcoxon.errors import InternalError

WORD_DIGITS = 18  # that always fit 64 bits; the difference of two such numbers fits them, too
LARGEST_AMONG_FLOATS = 2**52  # of integers, so that the difference of two is a float64 as well


class Kind(enum.Enum):
    """What the values of a column are."""

    FLOAT = "float"  # any width, NaN for missing; also numpy's long double
    INTEGER = "integer"  # any width, signed or not; also booleans
    DECIMAL = "decimal"  # int64 multiples of 10 ** -places
    TIME = "time"  # int64 multiples of one unit since 1970: dates, timestamps
    DURATION = "duration"  # int64 multiples of one unit
    OBJECT = "object"  # Python numbers without limits: int, Decimal, Fraction; infinity

    @property
    def noun(self) -> str:
        """What an error message calls such values."""
        return {Kind.TIME: "dates or times", Kind.DURATION: "durations"}.get(self, "numbers")


@dataclass(frozen=True, eq=False, repr=False)
class Column:
    """Values of one kind and, where some are missing, which."""

    kind: Kind
    values: AnyArray
    missing: BoolArray | None = None  # what the values hold there does not matter
    places: int = 0  # of Kind.DECIMAL
    unit: str = ""  # of Kind.TIME and Kind.DURATION, a numpy unit such as "D" or "us"
    zoned: bool = False  # of Kind.TIME: instants, known by their time zones
    floats_among_integers: int = 0  # of Kind.FLOAT: how many there are, if integers are there, too
    name: str = ""  # for error messages

    def __post_init__(self) -> None:
        if self.values.ndim != 1:
            raise InternalError("The values of a column must be one-dimensional.")
        if self.missing is not None and len(self.missing) != len(self.values):
            raise InternalError("The mask of a column must be as long as its values.")

    def __len__(self) -> int:
        return len(self.values)

    def with_missing(self, missing: BoolArray) -> Column:
        """Return the column with these rows missing too."""
        if not missing.any():
            return self
        if self.missing is not None:
            missing = missing | self.missing
        return replace(self, missing=missing)

    def __repr__(self) -> str:
        return f"Column({self.kind}, n={len(self)})"  # never a value
