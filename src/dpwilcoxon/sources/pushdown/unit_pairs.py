"""From rows to one difference per privacy unit, with every check in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpwilcoxon.columns import Kind
from dpwilcoxon.errors import DataError, InvalidArgument
from dpwilcoxon.parameters import Missing
from dpwilcoxon.sources.layout import Aggregate, Layout, MissingCondition
from dpwilcoxon.sources.pushdown.engine import Engine
from dpwilcoxon.sources.pushdown.measures import FINEST, LARGEST_SCALED, common_unit
from dpwilcoxon.sources.pushdown.unit_sql import DifferenceSql, UnitPlan


@dataclass(frozen=True)
class UnitPairs:
    """The pairs of a table, ready to be ranked: how many, and SQL for their differences."""

    n: int
    differences: DifferenceSql
    fits: bool = True

    @property
    def is_float(self) -> bool:
        """Whether the differences are floats."""
        return self.differences.common is None


@dataclass(frozen=True)
class UnitCounts:
    """What the checks need to know of a relation of units."""

    units: int
    nameless: int
    absent: int
    missing: int
    clashes: tuple[int, ...]
    rows: tuple[int, ...]  # in all, of each side
    most_rows: tuple[int, ...]  # of one unit
    denominator: int  # the largest product of these
    largest: tuple[int | float, ...] = ()  # of the numbers, in size


def unit_pairs(engine: Engine, plan: UnitPlan, layout: Layout, *, keep: bool = True) -> UnitPairs:
    """Make pairs of the rows of a plan, whose measures are those of the engine's types.

    Parameters
    ----------
    engine : Engine
        Where the rows are.
    plan : UnitPlan
        What is made of them.
    layout : Layout
        What is allowed to be missing.
    keep : bool
        Whether the engine is to keep the aggregated units, which are asked for several times.

    Privacy
    -------
    A pair depends on the rows of its unit alone, and the number of pairs on the number of units
    alone, unless the custodian has declared both the cohort and its size public.
    """
    plan = _without_rounding(engine, plan)
    common = None if plan.sides[0].measure.is_float else _common(plan)
    step = layout.resolution
    _check_time(step, plan)
    units = engine.kept("units", plan.units()) if keep else plan.units()
    differences = DifferenceSql(
        plan,
        units,
        common,
        step,
        exclude=layout.missing_condition is MissingCondition.EXCLUDE,
    )
    counts = _count(engine, differences)
    n = _checked_size(counts, layout, engine.label)
    if common is None:
        return UnitPairs(n, differences)
    if differences.is_fraction and step is None:
        differences = replace(differences, lattice=counts.denominator**2)
    return UnitPairs(n, differences, _fits(counts, differences))


def _without_rounding(engine: Engine, plan: UnitPlan) -> UnitPlan:
    """Read floats that are to be added as integers, and count medians in halves."""
    measures = tuple(side.measure for side in plan.sides)
    common_unit(measures, tuple(side.name for side in plan.sides))  # may refuse
    if plan.averages and measures[0].is_float:
        (found,) = engine.rows(plan.fineness())
        bits = max(int(fineness or 0) for fineness in found[0::2])
        largest = max(float(size or 0) for size in found[1::2])
        if bits > FINEST or largest * 2.0**bits > LARGEST_SCALED:
            raise DataError(
                f"The floats of `{plan.sides[0].name}` cannot be added up exactly: some are "
                "infinite, or tiny beside others. Round or convert them to decimals first, as in "
                "CAST(... AS DECIMAL(18, 6))."
            )
        measures = tuple(each.as_whole(bits, plan.dialect) for each in measures)
    if plan.aggregate is Aggregate.MEDIAN:
        measures = tuple(replace(each, unit=each.unit / 2) for each in measures)
    return plan.with_measures(measures)


def _common(plan: UnitPlan) -> Fraction:
    measures = tuple(side.measure for side in plan.sides)
    return common_unit(measures, tuple(side.name for side in plan.sides))


def _check_time(step: Fraction | None, plan: UnitPlan) -> None:
    """Refuse times where only durations will do, and steps where only numbers will."""
    kind = plan.sides[0].measure.kind
    if kind is Kind.TIME and len(plan.sides) == 1:
        raise DataError(
            f"`{plan.sides[0].name}` holds dates or times, which are not differences; name the "
            "other measurement too."
        )
    if step is not None and kind in (Kind.TIME, Kind.DURATION):
        raise InvalidArgument(
            "`resolution` is for numbers, and these differences are durations; leave it out."
        )


def _count(engine: Engine, differences: DifferenceSql) -> UnitCounts:
    sides = differences.plan.both

    def how_many(condition: str) -> str:
        return f"sum(CASE WHEN {condition} THEN 1 ELSE 0 END)"

    total = differences.plan.dialect.total.format
    product = " * ".join(f"rows{index}" for index in sides)
    nameless = f"unit IS NULL OR ({differences.plan.dialect.is_nameless.format('unit')})"
    columns = ["count(*)", how_many(nameless)]
    columns += [how_many(differences.absent()), how_many(differences.missing())]
    for index in sides:
        number = f"x{index}"
        if differences.common is not None:  # the size of -2^63 has more than 64 bits
            number = differences.plan.dialect.to_exact(number)
        columns += [
            f"max(clash{index})",
            total(f"rows{index}"),
            f"max(rows{index})",
            f"max(abs({number}))",
        ]
    columns.append(f"max({product})")
    sql = f"SELECT {', '.join(columns)} FROM ({differences.units}) AS units"
    ((units, nameless, absent, missing, *each, denominator),) = engine.rows(sql)
    if not units:
        return UnitCounts(0, 0, 0, 0, clashes=(0,), rows=(0, 0), most_rows=(), denominator=1)
    return UnitCounts(
        int(units),
        int(nameless),
        int(absent),
        int(missing),
        clashes=tuple(int(number) for number in each[0::4]),
        rows=tuple(int(number) for number in each[1::4]),
        most_rows=tuple(int(number) for number in each[2::4]),
        denominator=int(denominator),
        largest=tuple(number or 0 for number in each[3::4]),
    )


def _checked_size(counts: UnitCounts, layout: Layout, label: str) -> int:
    """Refuse what must not be, and return the number of pairs."""
    excluded = counts.absent if layout.missing_condition is MissingCondition.EXCLUDE else 0
    n = counts.units - excluded
    # Before all else: no message may hold a count that was not declared.
    if layout.public_n is not None and n != layout.public_n:
        # Not how many there are: whoever copied that would publish it.
        raise DataError(
            f"The cohort is declared to have `public_n` = {layout.public_n:,} pairs, and {label} "
            "has another number of them. Check filter and declaration; if the true size is not "
            "public knowledge, it must not decide anything."
        )
    if not counts.units:
        raise DataError(f"{label} holds no rows of data (n = 0).")
    if layout.unit is not None and counts.nameless:
        raise DataError(
            f"Some rows of {label} have no `{layout.unit}`, so it is not known whom they belong "
            "to; complete them, or remove them with `where` (and `public_n`)."
        )
    _check_levels(counts, layout, label)
    _check_clashes(counts.clashes, layout)
    if counts.absent and layout.missing_condition is MissingCondition.RAISE:
        raise DataError(
            f"Some of the units of `{layout.unit}` have no row for one of the two `levels`. Use "
            "missing_condition='zero' to count them as no change; 'exclude' leaves them out, for a "
            "cohort that is declared public with `public_n`."
        )
    if counts.missing and layout.missing is Missing.RAISE:
        raise DataError(
            "Some of the pairs have no difference: a value is missing, or both are infinite. Use "
            "missing='zero' to count such pairs as no change."
        )
    return n


def _check_levels(counts: UnitCounts, layout: Layout, label: str) -> None:
    if layout.levels is None:
        return
    for level, rows in zip(reversed(layout.levels), counts.rows, strict=True):
        if rows == 0:
            raise DataError(
                f"No row of {label} has the level {level!r} in `{layout.condition}`; check how it "
                "is written."
            )


def _check_clashes(clashes: Sequence[int], layout: Layout) -> None:
    worst = max(clashes)
    if worst and layout.aggregate is None:
        where = "for one condition" if layout.is_long else "in a table with one row per pair"
        raise DataError(
            f"Some `{layout.unit}` has several rows {where}; say with `aggregate` how they become "
            "one value: mean, median, min, max, first or last."
        )
    if worst > 1:
        raise DataError(f"Some rows have no `{' or '.join(layout.order_by)}` to order them by.")
    if worst:
        raise DataError(
            f"`{', '.join(layout.order_by)}` does not decide which row is {layout.aggregate}: some "
            f"`{layout.unit}` has different values there; order by more columns."
        )


def _fits(counts: UnitCounts, differences: DifferenceSql) -> bool:
    """Whether no intermediate number can outgrow the exact integers of the engine."""
    limit = differences.plan.dialect.largest_exact
    if limit is None:
        return True
    assert differences.common is not None  # noqa: S101 - checked by the caller
    sides = zip(counts.largest, differences.plan.sides, strict=True)
    size = sum(int(x) * int(side.measure.unit / differences.common) for x, side in sides)
    rows = max(counts.most_rows, default=1)
    denominator = counts.denominator if differences.is_fraction else 1
    numerator = size * rows if differences.is_fraction else size
    largest = [numerator, size * differences.lattice, denominator * differences.lattice]
    if differences.step is not None:
        steps = differences.common / differences.step
        largest += [numerator * steps.numerator, 2 * denominator * steps.denominator]
    return max(largest) < limit
