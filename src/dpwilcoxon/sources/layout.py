"""How a table holds its pairs: which rows belong to one person, and which values are compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.pairs import positive_step
from dpwilcoxon.parameters import Choice, Missing, exact_text, whole_number


class Aggregate(Choice):
    """How several values of one person become one."""

    MEAN = "mean"
    MEDIAN = "median"
    MIN = "min"
    MAX = "max"
    FIRST = "first"
    LAST = "last"

    @property
    def needs_order(self) -> bool:
        """Whether there is no first or last without saying by what."""
        return self in (Aggregate.FIRST, Aggregate.LAST)


class MissingCondition(Choice):
    """What to do with a person who has no row for one of the two conditions."""

    RAISE = "raise"
    ZERO = "zero"
    EXCLUDE = "exclude"


@dataclass(frozen=True)
class Layout:
    """Where the pairs of a table are. Everything in here is public, and checked on construction.

    A wide table has the two measurements (or their difference) in columns; a long table has one
    column of values, and another that says which condition a value belongs to. What is called a
    column may also be an expression over columns of one row.

    Parameters
    ----------
    before, after, difference
        The columns of a wide table.
    condition, levels, value
        The columns of a long table, and the two conditions: before, then after.
    unit
        The column that says whom a row belongs to: one pair is made for each.
    aggregate
        How several values of one unit (in one condition) become one.
    order_by
        What `first` and `last` refer to.
    where
        Which rows belong to the cohort.
    public_n
        The size of the cohort, as the custodian has declared it public. Without it, `where` and
        whatever else could count rows by their values is refused: also a `unit` that is computed.
    """

    before: str | None = None
    after: str | None = None
    difference: str | None = None
    unit: str | None = None
    condition: str | None = None
    levels: tuple[str, str] | None = None
    value: str | None = None
    aggregate: Aggregate | None = None
    order_by: tuple[str, ...] = ()
    where: str | None = None
    public_n: int | None = None
    missing: Missing = Missing.RAISE
    missing_condition: MissingCondition = MissingCondition.RAISE
    resolution: Fraction | None = None

    def __post_init__(self) -> None:
        _check_text(self)
        _check_columns(self)
        _check_aggregation(self)
        _check_cohort(self)

    @classmethod
    def parse(
        cls,
        *,
        before: str | None = None,
        after: str | None = None,
        difference: str | None = None,
        unit: str | None = None,
        condition: str | None = None,
        levels: str | Sequence[object] | None = None,
        value: str | None = None,
        aggregate: str | Aggregate | None = None,
        order_by: str | Sequence[str] | None = None,
        where: str | None = None,
        public_n: int | None = None,
        missing: str | Missing = Missing.RAISE,
        missing_condition: str | MissingCondition = MissingCondition.RAISE,
        resolution: object = None,
    ) -> Self:
        """Read a layout from what a caller typed."""
        return cls(
            before=before,
            after=after,
            difference=difference,
            unit=unit,
            condition=condition,
            levels=None if levels is None else _two_levels(levels),
            value=value,
            aggregate=None if aggregate is None else Aggregate.parse(aggregate),
            order_by=_names(order_by),
            where=where,
            public_n=None if public_n is None else whole_number(public_n, "public_n"),
            missing=Missing.parse(missing),
            missing_condition=MissingCondition.parse(missing_condition),
            resolution=None if resolution is None else positive_step(resolution),
        )

    @property
    def is_long(self) -> bool:
        """Whether the two measurements of a person are in different rows."""
        return self.condition is not None

    @property
    def is_one_row_per_pair(self) -> bool:
        """Whether the table is simply a list of pairs: no units, no filter, nothing declared."""
        return self.unit is None and self.where is None and self.public_n is None

    @property
    def columns(self) -> tuple[str, ...]:
        """What is compared, after before before: names of columns, or expressions."""
        named = (self.value,) if self.is_long else (self.after, self.before, self.difference)
        return tuple(each for each in named if each is not None)

    @property
    def description(self) -> str:
        """What is compared, for a report."""
        if self.levels is not None:
            before, after = self.levels
            compared = f"{self.value} at {after} - at {before}"
        else:
            compared = " - ".join(_bracketed(column) for column in self.columns)
        kind = f"{self.aggregate} of " if self.aggregate else ""
        return f"{kind}{compared}" + (f", per {self.unit}" if self.unit else "")

    @property
    def choices(self) -> list[str]:
        """What else decides which pairs these are and what they are worth, for a report."""
        no_change = "counted as no change"
        found: dict[str, object] = {
            f"in the order of {', '.join(self.order_by)}": self.order_by,
            f"only rows where {self.where}": self.where,
            f"{self.public_n} pairs, declared public": self.public_n,
            f"missing values {no_change}": self.missing is Missing.ZERO,
            f"units without one of the levels {no_change}": (
                self.missing_condition is MissingCondition.ZERO
            ),
            "units without one of the levels left out": (
                self.missing_condition is MissingCondition.EXCLUDE
            ),
        }
        if self.resolution is not None:
            found[f"differences rounded to multiples of {exact_text(self.resolution)}"] = True
        return [words for words, applies in found.items() if applies]


def _bracketed(column: str) -> str:
    """Keep an expression, such as another difference, together."""
    return f"({column})" if " - " in column else column


def _check_text(layout: Layout) -> None:
    options = ("before", "after", "difference", "unit", "condition", "value", "where")
    given: list[tuple[str, object]] = [(each, getattr(layout, each)) for each in options]
    given += [("order_by", each) for each in layout.order_by]
    for option, each in given:
        if not isinstance(each, str | None):
            raise InvalidArgument(
                f"`{option}` must be text; got {each!r}. Where a data frame has names of other "
                "types, write them as text."
            )
        if each == "":
            raise InvalidArgument(f"`{option}` is empty; name a column, or leave it out.")


def _check_columns(layout: Layout) -> None:
    long = {
        "condition": layout.condition,
        "levels": layout.levels,
        "value": layout.value,
    }
    if any(each is not None for each in long.values()):
        lacking = [f"`{name}`" for name, each in {"unit": layout.unit, **long}.items() if not each]
        if lacking:
            raise InvalidArgument(
                "A table with one row per person and condition needs `unit`, `condition`, "
                f"`levels` and `value`; {' and '.join(lacking)} must be given too."
            )
        if layout.before or layout.after or layout.difference:
            raise InvalidArgument(
                "Name either `before` and `after` (two columns) or `condition`, `levels` and "
                "`value` (two kinds of rows), not both."
            )
        return
    if layout.difference is not None and layout.before is None and layout.after is None:
        return
    if layout.difference is not None or layout.before is None or layout.after is None:
        raise InvalidArgument(
            "Name both a `before` and an `after` column, or one `difference` column alone, or "
            "for a table with one row per person and condition: `unit`, `condition`, `levels` "
            "and `value`."
        )
    if layout.before == layout.after:
        raise InvalidArgument(
            f"`before` and `after` are the same column, {layout.before!r}; name two."
        )


def _check_aggregation(layout: Layout) -> None:
    if layout.aggregate is not None and layout.unit is None:
        raise InvalidArgument(
            "`aggregate` needs `unit`: name the column that says whom a row belongs to."
        )
    needs_order = layout.aggregate is not None and layout.aggregate.needs_order
    if needs_order and not layout.order_by:
        raise InvalidArgument(
            f"`aggregate` {str(layout.aggregate)!r} needs `order_by`: name the column (such as a "
            "date) that says which row comes first."
        )
    if layout.order_by and not needs_order:
        raise InvalidArgument("`order_by` belongs to `aggregate` 'first' or 'last'.")


def _check_cohort(layout: Layout) -> None:
    excludes = layout.missing_condition is MissingCondition.EXCLUDE
    if layout.missing_condition is not MissingCondition.RAISE and not layout.is_long:
        raise InvalidArgument("`missing_condition` belongs to a table with a `condition`.")
    if (excludes or layout.where is not None) and layout.public_n is None:
        raise undeclared_cohort("`missing_condition` 'exclude'" if excludes else "`where`")
    if layout.public_n is not None and layout.public_n < 1:
        raise InvalidArgument(f"`public_n` must be at least 1; got {layout.public_n}.")


def undeclared_cohort(what: str) -> InvalidArgument:
    """Build the error for an option that needs the size of the cohort to be declared."""
    return InvalidArgument(
        f"{what} lets the data decide how many pairs there are, and that number is published; "
        "declare the size of the cohort with `public_n` if it may be known."
    )


def _two_levels(levels: str | Sequence[object]) -> tuple[str, str]:
    words = levels.split(",") if isinstance(levels, str) else [str(each) for each in levels]
    words = [word.strip() for word in words]
    if len(words) != 2 or not all(words):  # noqa: PLR2004 - before and after
        raise InvalidArgument(
            "`levels` must name two conditions, first the one before and then the one after, as "
            f"in baseline,week8; got {len(words)}."
        )
    if words[0] == words[1]:
        raise InvalidArgument(f"`levels` names {words[0]!r} twice; name two conditions.")
    return words[0], words[1]


def _names(order_by: str | Sequence[str] | None) -> tuple[str, ...]:
    if order_by is None:
        return ()
    if isinstance(order_by, str) or not isinstance(order_by, Iterable):
        return (order_by,)
    return tuple(order_by)
