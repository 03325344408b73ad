"""What the types of an engine are as numbers that can be subtracted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from dpwilcoxon.columns import Kind
from dpwilcoxon.errors import SourceError
from dpwilcoxon.parameters import exact_fraction, exact_text
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.levels import no_such_level, same_level_twice
from dpwilcoxon.sources.pushdown.dialects import Dialect
from dpwilcoxon.sources.pushdown.measures import Measure

TRUTH = Measure(Kind.INTEGER, "CASE WHEN {0} THEN 1 ELSE 0 END")
WHOLE = Measure(Kind.INTEGER, "CAST({0} AS BIGINT)")
DAY, MICROSECOND = Fraction(86_400), Fraction(1, 10**6)


def floating(dialect: Dialect) -> Measure:
    """Floats of any width, which all are float64 too."""
    return Measure(Kind.FLOAT, f"CAST({{0}} AS {dialect.double})", has_nan=True)


def decimal(places: int, dialect: Dialect, *, has_nan: bool = False) -> Measure:
    """Decimals with so many places, as whole numbers of the last of them."""
    number = dialect.to_exact(f"{{0}} * {10**places}")
    return Measure(Kind.DECIMAL, number, Fraction(1, 10**places), has_nan=has_nan)


def days(number: str) -> Measure:
    """Dates."""
    return Measure(Kind.TIME, number, DAY)


def microseconds(number: str, *, zoned: bool = False) -> Measure:
    """Times on a clock, or instants if they are known by their time zones."""
    return Measure(Kind.TIME, number, MICROSECOND, zoned=zoned)


def measure_in(readings: Mapping[str, Measure], type_name: str, name: str) -> Measure:
    """Return how a type is read, or say that it is no measurement."""
    if type_name in readings:
        return readings[type_name]
    raise SourceError(
        f"`{name}` has type {type_name}, which is not a measurement; numbers, true/false, dates "
        "or timestamps are needed."
    )


@dataclass(frozen=True)
class Literals:
    """How a typed word is written as a value of an engine."""

    dialect: Dialect
    timestamp: str = "TIMESTAMP"
    zoned: str = "TIMESTAMPTZ"

    def of_levels(self, layout: Layout, kind: str, measure: Measure | None) -> list[str]:
        """The later and the earlier level of a layout as SQL."""
        found = []
        for level in reversed(layout.levels or ()):
            literal = self.of_level(level, measure)
            if literal is None:
                raise no_such_level(level, layout, kind)
            found.append(literal)
        if len(set(found)) < len(found):
            raise same_level_twice(layout)
        return found

    def of_level(self, level: str, measure: Measure | None) -> str | None:
        """The level as SQL, or None if it cannot be a value of what the measure reads.

        Without a measure it is text. Whatever is not text is read here, so that no engine has
        to be asked, and no failed question ends a transaction.
        """
        if measure is None:
            return self.text(level)
        try:
            return self._number_or_time(level, measure)
        except (ValueError, InvalidOperation):
            return None

    def text(self, text: str) -> str:
        """Write text as SQL."""
        from sqlglot import exp

        return str(exp.Literal.string(text).sql(dialect=self.dialect.name))

    def _number_or_time(self, level: str, measure: Measure) -> str | None:
        if measure is TRUTH:
            return level.upper() if level.lower() in ("true", "false") else None
        if measure.kind is not Kind.TIME:
            return exact_text(exact_fraction(Decimal(level), "levels"))
        if measure.unit == DAY:
            return f"CAST('{date.fromisoformat(level)}' AS DATE)"
        kind = self.zoned if measure.zoned else self.timestamp
        return f"CAST('{datetime.fromisoformat(level)}' AS {kind})"
