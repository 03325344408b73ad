"""SQL that makes one pair of the rows of each privacy unit.

Three steps: the rows of the cohort with what they say of each side of the pair; per unit and side
the number of rows, of gaps, and one aggregated number; and one difference for each unit. Only
the difference of the numbers of one unit ever enters the pair of that unit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from dpwilcoxon.sources.layout import Aggregate
from dpwilcoxon.sources.pushdown.dialects import Dialect
from dpwilcoxon.sources.pushdown.measures import Measure, fineness_sql


@dataclass(frozen=True)
class Side:
    """One side of a pair: a value, and the rows in which it counts."""

    value: str
    measure: Measure
    only: str | None = None
    name: str = ""


@dataclass(frozen=True)
class UnitPlan:
    """Rows to be made into pairs, as SQL fragments.

    Parameters
    ----------
    source
        A query with one row for each row of the table.
    sides
        The minuend, and where there are two the subtrahend.
    unit
        Whom a row belongs to; without it every row is a unit.
    """

    dialect: Dialect
    source: str
    sides: tuple[Side, ...]
    unit: str | None = None
    where: str | None = None
    aggregate: Aggregate | None = None
    order_by: tuple[str, ...] = ()

    @property
    def both(self) -> range:
        """The indices of the sides."""
        return range(len(self.sides))

    @property
    def averages(self) -> bool:
        """Whether numbers are added up, which floats cannot be without rounding."""
        return self.aggregate in (Aggregate.MEAN, Aggregate.MEDIAN)

    def with_measures(self, measures: tuple[Measure, ...]) -> UnitPlan:
        """Return the plan with other readings of its values."""
        sides = tuple(
            replace(side, measure=measure)
            for side, measure in zip(self.sides, measures, strict=True)
        )
        return replace(self, sides=sides)

    def rows(self) -> str:
        """The rows of the cohort: unit, whether each side counts, its value, and the order."""
        columns = [f"{self.unit} AS unit"] if self.unit else []
        for index, side in enumerate(self.sides):
            counts = f"CASE WHEN {side.only} THEN 1 ELSE 0 END" if side.only else "1"
            columns += [f"{counts} AS is{index}", f"{side.value} AS v{index}"]
        columns += [f"{column} AS o{index}" for index, column in enumerate(self.order_by)]
        condition = f" WHERE {self.where}" if self.where else ""
        return f"SELECT {', '.join(columns)} FROM ({self.source}) AS source{condition}"

    def numbers(self) -> str:
        """The rows with a number for each side that counts and is not missing."""
        columns = ["unit"] if self.unit else []
        for index, side in enumerate(self.sides):
            gap = side.measure.is_gap(f"v{index}", self.dialect)
            number = side.measure.number.format(f"v{index}")
            columns += [
                f"is{index}",
                f"CASE WHEN is{index} = 1 AND {gap} THEN 1 ELSE 0 END AS gap{index}",
                f"CASE WHEN is{index} = 1 AND NOT {gap} THEN {number} END AS x{index}",
            ]
        columns += [f"o{index}" for index, _ in enumerate(self.order_by)]
        return f"SELECT {', '.join(columns)} FROM ({self.rows()}) AS cohort"

    def fineness(self) -> str:
        """One row: for each different value what makes its floats whole, and their largest size."""
        columns = []
        for indices in self._values().values():
            counts = " OR ".join(f"is{index} = 1" for index in indices)
            v = f"v{indices[0]}"
            present = f"({counts}) AND {v} IS NOT NULL AND NOT {self.dialect.is_nan.format(v)}"
            columns += [
                f"max(CASE WHEN {present} THEN {fineness_sql(v, self.dialect)} END)",
                f"max(CASE WHEN {present} THEN abs({v}) END)",
            ]
        return f"SELECT {', '.join(columns)} FROM ({self.rows()}) AS cohort"

    def _values(self) -> dict[str, list[int]]:
        """The different values, and the sides that they are on."""
        sides: dict[str, list[int]] = {}
        for index, side in enumerate(self.sides):
            sides.setdefault(side.value, []).append(index)
        return sides

    def units(self) -> str:
        """One row for each unit: unit, and of each side rows, gaps, x and clashes.

        `x` is a sum (of a mean), twice the median, or one of the numbers of the unit; `clash` is 1
        where the number depends on the order of rows between which `order_by` does not decide.
        """
        if self.unit is None:
            columns = ["1 AS unit"]
            for index in self.both:
                columns += [
                    f"is{index} AS rows{index}",
                    f"gap{index} AS gaps{index}",
                    f"x{index}",
                    f"0 AS clash{index}",
                ]
            return f"SELECT {', '.join(columns)} FROM ({self.numbers()}) AS numbers"
        columns = ["unit"]
        is_placed = self.aggregate is not None and self.aggregate.needs_order
        for index in self.both:
            gap = f"CASE WHEN place{index} = 1 THEN gap{index} ELSE 0 END"  # others are not used
            columns += [
                f"CAST(sum(is{index}) AS BIGINT) AS rows{index}",
                f"CAST(sum({gap if is_placed else f'gap{index}'}) AS BIGINT) AS gaps{index}",
                f"{self._aggregated(index)} AS x{index}",
                f"{self._clash(index)} AS clash{index}",
            ]
        return f"SELECT {', '.join(columns)} FROM ({self._ordered()}) AS numbers GROUP BY unit"

    def _ordered(self) -> str:
        """The numbers, with the place of each row where the aggregate asks for it."""
        extra = []
        for index in self.both:
            rows = f"PARTITION BY unit, is{index}"
            if self.aggregate is Aggregate.MEDIAN:
                extra += [
                    f"row_number() OVER ({rows} ORDER BY x{index}) AS place{index}",
                    f"count(*) OVER ({rows}) AS size{index}",
                ]
            elif self.aggregate is not None and self.aggregate.needs_order:
                way = "DESC" if self.aggregate is Aggregate.LAST else "ASC"
                order = ", ".join(f"o{each} {way}" for each, _ in enumerate(self.order_by))
                extra.append(f"rank() OVER ({rows} ORDER BY {order}) AS place{index}")
        if not extra:
            return self.numbers()
        return f"SELECT *, {', '.join(extra)} FROM ({self.numbers()}) AS unordered"

    def _aggregated(self, index: int) -> str:
        number, place = f"x{index}", f"2 * place{index}"
        match self.aggregate:
            case Aggregate.MEAN:
                return self.dialect.total.format(number)
            case Aggregate.MEDIAN:  # both numbers in the middle, or twice the only one
                size = f"size{index}"
                middle = (
                    f"CASE WHEN {place} = {size} + 1 THEN 2 WHEN {place} = {size} THEN 1 "
                    f"WHEN {place} = {size} + 2 THEN 1 ELSE 0 END"
                )
                return self.dialect.total.format(f"{self.dialect.to_exact(number)} * {middle}")
            case Aggregate.FIRST | Aggregate.LAST:
                return f"min(CASE WHEN place{index} = 1 THEN {number} END)"
            case Aggregate.MAX:
                return f"max({number})"
        return f"min({number})"

    def _clash(self, index: int) -> str:
        """1 where a unit has several rows in the place of one, and 2 where a row has no order."""
        if self.aggregate is None:
            return f"CASE WHEN sum(is{index}) > 1 THEN 1 ELSE 0 END"
        if not self.aggregate.needs_order:
            return "0"
        chosen = f"CASE WHEN is{index} = 1 AND place{index} = 1 THEN x{index} END"
        unordered = " OR ".join(f"o{each} IS NULL" for each, _ in enumerate(self.order_by))
        return (
            f"CASE WHEN max(CASE WHEN is{index} = 1 AND ({unordered}) THEN 1 ELSE 0 END) = 1 "
            f"THEN 2 WHEN min({chosen}) <> max({chosen}) THEN 1 ELSE 0 END"
        )


@dataclass(frozen=True)
class DifferenceSql:
    """SQL for the difference of each unit, out of a relation of units.

    Parameters
    ----------
    units
        A query or table with the columns of `UnitPlan.units`.
    common
        The unit in which the differences are whole numbers; None for floats.
    step
        Round to multiples of this.
    lattice
        Of means: multiples of 1 / lattice tell all of them apart.
    exclude
        Whether units that lack a side are left out; else they have no change.
    """

    plan: UnitPlan
    units: str
    common: Fraction | None
    step: Fraction | None = None
    lattice: int = 1
    exclude: bool = False

    @property
    def is_fraction(self) -> bool:
        """Whether differences are quotients with a denominator of their own."""
        return self.plan.aggregate is Aggregate.MEAN

    def absent(self) -> str:
        """A unit that lacks a side."""
        return " OR ".join(f"rows{index} = 0" for index in self.plan.both)

    def missing(self) -> str:
        """A unit with both sides of which some value is missing."""
        gaps = [f"gaps{index} > 0" for index in self.plan.both]
        if self.common is None and len(self.plan.sides) > 1:  # infinity minus infinity
            gaps.append(self.plan.dialect.is_nan.format("(x0 - x1)"))
        return f"NOT ({self.absent()}) AND ({' OR '.join(gaps)})"

    def numerator(self) -> str:
        """The difference in units of `common`, times the denominator."""
        exact = self.plan.dialect.to_exact
        terms = []
        for index in self.plan.both:
            own = self.plan.sides[index].measure.unit
            assert self.common is not None  # noqa: S101 - floats have no numerator
            term = f"{exact(f'x{index}')} * {int(own / self.common)}"
            if self.is_fraction and len(self.plan.sides) > 1:
                term += f" * rows{1 - index}"
            terms.append(term)
        return " - ".join(terms)

    def denominator(self) -> str:
        """What the numerator is to be divided by."""
        exact = self.plan.dialect.to_exact
        if not self.is_fraction:
            return exact("1")
        return " * ".join(exact(f"rows{index}") for index in self.plan.both)

    def differences(self) -> str:
        """One row for each unit: `d`, ordered and tied as the exact differences are."""
        number = self._float() if self.common is None else self._whole()
        excluded = f" WHERE NOT ({self.absent()})" if self.exclude else ""
        zero = f"({self.absent()}) OR ({self.missing()})"
        d = f"CASE WHEN {zero} THEN 0 ELSE {number} END"
        return f"SELECT {d} AS d FROM {self._source()}{excluded}"

    def _source(self) -> str:
        if self.common is None:
            return f"({self.units}) AS units"
        keep = ", ".join(f"rows{index}, gaps{index}" for index in self.plan.both)
        split = (
            f"SELECT {keep}, {self.numerator()} AS numerator, {self.denominator()} AS denominator "
            f"FROM ({self.units}) AS units"
        )
        signed = (
            "CASE WHEN numerator < 0 THEN -1 ELSE 1 END AS direction, "
            "abs(numerator) AS size, denominator"
        )
        return f"(SELECT {keep}, {signed} FROM ({split}) AS split) AS signed"

    def _float(self) -> str:
        d = "x0 - x1" if len(self.plan.sides) > 1 else "x0"
        if self.step is None:
            return d
        return self.plan.dialect.nearest_even.format(f"(({d}) / {float(self.step)!r})")

    def _whole(self) -> str:
        if self.step is not None:
            return f"direction * {self._rounded()}"
        if not self.is_fraction:
            return "direction * size"
        quotient, rest = self._divided("size", "denominator")
        finer = self.plan.dialect.floor_divided(f"(({rest}) * {self.lattice})", "denominator")
        return f"direction * ({quotient} * {self.lattice} + {finer})"

    def _rounded(self) -> str:
        """The nearest number of steps, halves to even, in integers alone."""
        assert self.common is not None  # noqa: S101
        assert self.step is not None  # noqa: S101
        steps = self.common / self.step
        dividend, divisor = f"(size * {steps.numerator})", f"(denominator * {steps.denominator})"
        quotient, rest = self._divided(dividend, divisor)
        odd = f"{quotient} % 2 = 1"
        return (
            f"CASE WHEN 2 * ({rest}) > {divisor} OR (2 * ({rest}) = {divisor} AND {odd}) "
            f"THEN {quotient} + 1 ELSE {quotient} END"
        )

    def _divided(self, dividend: str, divisor: str) -> tuple[str, str]:
        return self.plan.dialect.floor_divided(dividend, divisor), f"{dividend} % {divisor}"
