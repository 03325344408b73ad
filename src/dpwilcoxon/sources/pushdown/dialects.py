"""The few words in which SQL engines differ, of all that is said to them here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Dialect:
    """How one engine writes exact integers, floats and times; {0} and {1} are arguments."""

    name: str  # as sqlglot knows it
    exact: str  # the widest exact integer
    largest_exact: int | None  # the largest it can hold, if there is a limit
    double: str = "DOUBLE PRECISION"
    quote: str = '"'
    is_nan: str = "isnan({0})"
    # NaN in a column of any type, in whose text it may be a name
    is_nameless: str = "typeof({0}) IN ('float', 'double') AND CAST({0} AS STRING) = 'NaN'"
    quotient: str = "({0} // {1})"  # of exact integers that are not negative, rounded down
    nearest_even: str = "round({0})"  # of a float, to a whole float
    total: str = "sum({0})"  # of whole numbers of up to 64 bits or exact integers, never inexact
    broadcast: str = ""  # what tells it that a relation is small, in a SELECT

    def quoted(self, name: str) -> str:
        """Write `name` as an identifier."""
        return self.quote + name.replace(self.quote, self.quote * 2) + self.quote

    def to_exact(self, sql: str) -> str:
        """Write a whole number as an exact integer."""
        return f"CAST({sql} AS {self.exact})"

    def floor_divided(self, dividend: str, divisor: str) -> str:
        """Divide exact integers that are not negative, and round down."""
        return self.quotient.format(dividend, divisor)


DUCKDB: Final = Dialect(
    "duckdb",
    exact="HUGEINT",
    largest_exact=2**127 - 1,
    double="DOUBLE",
    is_nameless="typeof({0}) IN ('FLOAT', 'DOUBLE') AND CAST({0} AS VARCHAR) IN ('nan', '-nan')",
    nearest_even="round_even({0}, 0)",
)
POSTGRES: Final = Dialect(
    "postgres",
    exact="NUMERIC",
    largest_exact=None,
    is_nan="({0} = 'NaN')",
    is_nameless="CAST(pg_typeof({0}) AS TEXT) IN ('real', 'double precision', 'numeric') "
    "AND CAST({0} AS TEXT) = 'NaN'",
    quotient="div({0}, {1})",
)
SPARK: Final = Dialect(
    "spark",
    exact="DECIMAL(38, 0)",
    largest_exact=10**32,  # quotients have six decimals, which leaves 32 digits
    double="DOUBLE",
    quote="`",
    quotient="CAST((({0}) - ({0}) % ({1})) / ({1}) AS DECIMAL(38, 0))",
    nearest_even="rint({0})",
    total="sum(CAST({0} AS DECIMAL(38, 0)))",
    broadcast="/*+ BROADCAST({0}) */ ",
)
