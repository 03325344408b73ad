"""A typed SQL expression as numbers that can be subtracted: floats, or exact integers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from dpwilcoxon.columns import Kind
from dpwilcoxon.errors import DataError
from dpwilcoxon.sources.pushdown.dialects import Dialect

# A float64 is a whole number of 2^-k for some k. One k for a column, in steps of FINENESS_STEP:
# scaled by it, floats become integers, whose sums do not depend on the order of the rows.
FINENESS_STEP = 8
FINEST = 112
LARGEST_SCALED = 2.0**94
_LOW_BITS = 32


@dataclass(frozen=True)
class Measure:
    """What the values of an expression are, and how to write one as a number.

    Parameters
    ----------
    kind
        FLOAT, INTEGER, DECIMAL or TIME.
    number
        SQL with {0} for the value: a float, or a whole number of `unit`.
    unit
        What one of the whole numbers is worth; of times, in seconds.
    zoned
        Of TIME: instants, known by their time zones.
    has_nan
        Whether a value may be not-a-number, which counts as missing.
    is_none
        SQL with {0} for the value, of what else counts as missing: times at infinity.
    """

    kind: Kind
    number: str = "{0}"
    unit: Fraction = Fraction(1)
    zoned: bool = False
    has_nan: bool = False
    is_none: str | None = None

    @property
    def is_float(self) -> bool:
        """Whether the numbers are floats."""
        return self.kind is Kind.FLOAT

    def is_gap(self, value: str, dialect: Dialect) -> str:
        """SQL that tells a missing value: NULL, NaN, or a time without end."""
        gaps = [f"{value} IS NULL"]
        if self.has_nan:
            gaps.append(dialect.is_nan.format(value))
        if self.is_none is not None:
            gaps.append(self.is_none.format(value))
        return f"({' OR '.join(gaps)})"

    def as_whole(self, fineness: int, dialect: Dialect) -> Measure:
        """The same floats as exact integers, multiples of 2^-fineness.

        A product with a power of two is exact, and so are both halves of it, which every engine
        converts to integers of 64 bits; what a float beyond 2^53 becomes as a decimal is another
        matter.
        """
        scaled = f"({{0}} * {2.0**fineness!r})"
        low = 2.0**_LOW_BITS
        high = f"floor({scaled} / {low!r})"
        exact = dialect.to_exact
        number = (
            f"({exact(f'CAST({high} AS BIGINT)')} * {2**_LOW_BITS} + "
            f"CAST({scaled} - {high} * {low!r} AS BIGINT))"
        )
        return replace(self, kind=Kind.DECIMAL, number=number, unit=Fraction(1, 2**fineness))


def fineness_sql(value: str, dialect: Dialect) -> str:
    """SQL for the smallest fineness that makes a float whole, or one more than the finest.

    Floats that are too large anyhow are not multiplied: some engines call infinity an error.
    """
    steps = [*range(0, FINEST + 1, FINENESS_STEP), FINEST + 1]

    def search(low: int, high: int) -> str:
        if low == high:
            return str(steps[low])
        middle = (low + high) // 2
        scaled = f"{value} * {2.0 ** steps[middle]!r}"
        return (
            f"CASE WHEN {scaled} = {dialect.nearest_even.format(scaled)} "
            f"THEN {search(low, middle)} "
            f"ELSE {search(middle + 1, high)} END"
        )

    found = search(0, len(steps) - 1)
    return f"CASE WHEN abs({value}) <= {LARGEST_SCALED!r} THEN {found} ELSE {FINEST + 1} END"


def common_unit(measures: tuple[Measure, ...], names: tuple[str, ...]) -> Fraction:
    """The finest unit of columns that are to be subtracted from each other."""
    first, last = measures[0], measures[-1]
    nouns = [each.kind.noun for each in (first, last)]
    if nouns[0] != nouns[1]:
        raise DataError(
            f"`{names[0]}` holds {nouns[0]} and `{names[-1]}` holds {nouns[1]}, which cannot be "
            "subtracted; bring both to one kind."
        )
    if first.is_float != last.is_float:
        raise DataError(
            f"Of `{names[0]}` and `{names[-1]}`, one holds floats and the other exact numbers; "
            "convert both to one type first."
        )
    if first.zoned != last.zoned:
        raise DataError(
            f"Of `{names[0]}` and `{names[-1]}`, one has times with a time zone and the other "
            "without; give both a time zone, or neither."
        )
    return min(each.unit for each in measures)
