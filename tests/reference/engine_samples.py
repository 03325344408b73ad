"""Tables that are hard to get right, and how their pairs are found."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

LONG = {"unit": "person", "condition": "visit", "levels": "0,1", "value": "v"}
WIDE = {"before": "x", "after": "y"}
NAN, INF = float("nan"), float("inf")
UTC = dt.UTC


@dataclass(frozen=True)
class Case:
    """A table, the layout of its pairs, and what is special about it."""

    name: str
    columns: dict[str, pa.Array]
    layout: dict[str, Any] = field(default_factory=dict)

    @property
    def rows(self) -> pa.Table:
        """The table itself."""
        return pa.table(self.columns)


def long_table(rows, kind, **more):
    """A table of (person, visit, value)."""
    persons, visits, values = zip(*rows, strict=True)
    return {
        "person": pa.array(persons, pa.string()),
        "visit": pa.array(visits, pa.int64()),
        "v": pa.array(values, kind),
        **more,
    }


def wide_table(rows, kind, **more):
    """A table of (x, y)."""
    x, y = zip(*rows, strict=True)
    return {"x": pa.array(x, kind), "y": pa.array(y, kind), **more}


def decimals(digits, places, texts):
    """Decimals of a width, or None."""
    values = [None if text is None else Decimal(text) for text in texts]
    return pa.array(values, pa.decimal128(digits, places))


def days(*texts):
    """Dates."""
    return pa.array([dt.date.fromisoformat(text) for text in texts], pa.date32())


def moments(zone, *texts):
    """Times to the microsecond."""
    found = [dt.datetime.fromisoformat(text) for text in texts]
    return pa.array(
        [each.replace(tzinfo=zone) for each in found], pa.timestamp("us", zone and "UTC")
    )


PEOPLE = [
    ("a", 0, 120), ("a", 1, 118), ("a", 1, 117), ("b", 0, 121), ("b", 1, 119), ("c", 0, 100),
    ("c", 1, 100), ("d", 0, 100), ("d", 1, 102), ("e", 0, 90), ("e", 1, 99), ("e", 7, 1000),
]  # fmt: skip
HALF = [(person, visit, value + 0.1 * visit) for person, visit, value in PEOPLE]


def cases() -> list[Case]:
    """All of them."""
    return [*long_cases(), *wide_cases(), *type_cases(), *many_cases()]


def long_cases():
    """Units, aggregates, conditions and cohorts."""
    integers = long_table(PEOPLE, pa.int64())
    ordered = {**integers, "when": pa.array(range(len(PEOPLE)), pa.int32())}
    absent = long_table([*PEOPLE, ("f", 1, 3)], pa.int64())
    floats = long_table(HALF, pa.float64())
    tenths = {**integers, "v": decimals(9, 1, [f"{value:.1f}" for _, _, value in HALF])}
    gaps = [NAN if value == 117 else None if value == 99 else value for _, _, value in HALF]
    beside = [None if value == 118 else value for _, _, value in PEOPLE]
    late = {"order_by": "when", **LONG}
    pickup = moments(None, *(f"2013-01-0{1 + min(visit, 1)} 10:00:00" for _, visit, _ in PEOPLE))
    taxi = {**LONG, "condition": "day(pickup)", "levels": "1,2", "aggregate": "mean"}
    return [
        *(Case(f"{how} of integers", integers, {**LONG, "aggregate": how})
          for how in ("mean", "median", "min", "max")),
        *(Case(f"{how} of floats", floats, {**LONG, "aggregate": how})
          for how in ("mean", "median")),
        *(Case(f"{how} of decimals", tenths, {**LONG, "aggregate": how})
          for how in ("mean", "median")),
        *(Case(how, ordered, {**late, "aggregate": how}) for how in ("first", "last")),
        *(Case(f"{how} beside gaps", {**ordered, "v": pa.array(beside, pa.int64())},
               {**late, "aggregate": how, "missing": "zero"}) for how in ("first", "last")),
        Case("rounded means", floats, {**LONG, "aggregate": "mean", "resolution": "0.5"}),
        Case("rounded decimals", tenths, {**LONG, "aggregate": "mean", "resolution": "0.4"}),
        Case("absent is zero", absent, {**LONG, "aggregate": "max", "missing_condition": "zero"}),
        Case("absent is left out", absent,
             {**LONG, "aggregate": "max", "missing_condition": "exclude", "public_n": 5}),
        Case("a filter", integers,
             {**LONG, "aggregate": "mean", "where": "person <> 'e'", "public_n": 4}),
        Case("NULL and NaN", {**integers, "v": pa.array(gaps, pa.float64())},
             {**LONG, "aggregate": "max", "missing": "zero"}),
        Case("days of pickup", {**integers, "pickup": pickup}, taxi),
    ]  # fmt: skip


def wide_cases():
    """A row per pair, or per person."""
    ties = wide_table([(5, 3), (3, 5), (1, 1), (2, 2), (9, 1), (0, 7), (4, 4), (1, 2)], pa.int32())
    gaps = wide_table([(1, None), (None, 2), (3, 5), (5, 5), (6, 5)], pa.int64())
    odd = wide_table([(1, 2), (4, 2), (3, 6)], pa.int16())
    odd = {'Odd "Name"': odd["x"], "UPPER": odd["y"]}
    several = wide_table([(1, 2), (3, 7), (5, 4)], pa.int64(), who=pa.array(["a", "a", "b"]))
    return [
        Case("ties and zeros", ties, WIDE),
        Case("one row", wide_table([(2.5, 1)], pa.float64()), WIDE),
        Case("all zeros", wide_table([(1, 1)] * 7, pa.float64()), WIDE),
        Case("missing", gaps, {**WIDE, "missing": "zero"}),
        Case("names", odd, {"before": 'Odd "Name"', "after": "UPPER"}),
        Case("capital letters", odd,
             {"difference": "upper / 2", "where": "Upper < 6", "public_n": 2}),
        Case("per person", several, {**WIDE, "unit": "who", "aggregate": "mean"}),
        Case("differences", {"d": decimals(12, 3, ["1.5", "-1.5", "0", "2.001"])},
             {"difference": "d"}),
    ]  # fmt: skip


def type_cases():
    """Kinds of numbers and times."""
    infinite = wide_table(
        [(INF, INF), (0, -INF), (INF, 0), (0, 1), (-1, 1), (NAN, 3)], pa.float64()
    )
    largest = wide_table([(2**63 - 1, -(2**63)), (0, 2**53), (0, -(2**53) - 1), (5, 5)], pa.int64())
    wide = {
        "x": decimals(38, 0, ["0", "0", "7", "0"]),
        "y": decimals(38, 0, [str(2**100), str(2**100 + 1), "6", str(-(2**100))]),
    }
    fine = {
        "x": decimals(38, 18, ["0.000000000000000001", "0", "1.5", "120.1"]),
        "y": decimals(38, 18, ["0", "0.000000000000000001", "1.5", "118.3"]),
    }
    dates = {
        "x": days("2024-02-28", "2024-01-03", "1969-12-31"),
        "y": days("2024-03-01", "2024-01-01", "1970-01-01"),
    }
    clocks = (
        ("2024-03-31 01:30:00.000001", "1969-12-31 23:59:59.999999"),
        ("2024-03-31 03:30:00", "1970-01-01 00:00:01"),
    )
    floats = wide_table(
        [(120.1, 118.3), (121.1, 119.3), (0.5, 1), (-0.0, 0.0), (1e300, -1e300)], pa.float64()
    )
    return [
        Case("infinities", infinite, {**WIDE, "missing": "zero"}),
        Case("64 bits", largest, WIDE),
        Case("beyond 64 bits", wide, WIDE),
        Case("fine decimals", fine, WIDE),
        Case("dates", dates, WIDE),
        Case("times", {"x": moments(None, *clocks[0]), "y": moments(None, *clocks[1])}, WIDE),
        Case("instants", {"x": moments(UTC, *clocks[0]), "y": moments(UTC, *clocks[1])}, WIDE),
        Case("true and false",
             wide_table([(True, False), (False, True), (True, True)], pa.bool_()), WIDE),
        Case("floats", floats, WIDE),
        Case("floats on a grid", floats, {**WIDE, "resolution": "0.1"}),
        Case("narrow floats", wide_table([(0.1, 0.2), (0.3, 0.7), (2, 1.9)], pa.float32()), WIDE),
    ]  # fmt: skip


def many_cases():
    """More than a few rows: no ties at all, and nearly nothing else."""
    rng = np.random.default_rng(7)
    skewed = np.where(rng.random(3_000) < 0.9, 7, rng.integers(-50, 50, 3_000))
    continuous = rng.normal(size=(3_000, 2)).astype(np.float64)
    persons = pa.array([f"p{each}" for each in range(600)] * 5)
    return [
        Case("skew", {"d": pa.array(skewed)}, {"difference": "d"}),
        Case("continuous", wide_table(continuous.tolist(), pa.float64()), WIDE),
        Case("means per person", wide_table(continuous.tolist(), pa.float32(), who=persons),
             {**WIDE, "unit": "who", "aggregate": "mean"}),
    ]  # fmt: skip
