"""Whatever one person's rows say: the statistic moves by its sensitivity, or the table is refused.

The sensitivity of a test is proved for pairs. Here it is asked of tables: cells that look like
something else, members that nobody else has, expressions of every kind. A change by more than the
sensitivity would mean that one person has changed the pairs of others.

The other persons are made so that this would show: each has two rows, one with a rise and one with
an equal fall, that differ in every column by which rows can be chosen or put in order. Whatever
turns that choice round for all of them moves the statistic by far more than twice n.
"""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import dpwilcoxon as dpw
from dpwilcoxon.errors import DataError, InvalidArgument

PERSONS = 9
REFUSED = (DataError, InvalidArgument)
RISE = {"seq": "10", "at": "2024-01-02 09:00", "visit": "01", "g": "1", "on": "2024-01-05"}
FALL = {"seq": "9", "at": "2024-01-02T08:00", "visit": "02", "g": "2", "on": "2024-01-06"}
COLUMNS = ("person", *RISE, "x", "y")
OWN = [
    {"person": f"p{i}", **choice, "x": "100", "y": str(100 + sign * i)}
    for i in range(1, PERSONS)
    for choice, sign in ((RISE, 1), (FALL, -1))
]
WORDS = """
    1 1.0 1.5 01 1a 2 9 10 -7 1e2 1e-9 inf 12345678901234567890.5 true none NA x p1 2024-01-02
    2024-01-05T12:00 2024-03-01T08:00:00.25 2024-01-02T08:00Z infinity"""
WITH_BLANKS = ["", "2024-01-05 12:00", "2024-01-05 08:00", "1 000", "true) OR (true"]
CELLS = st.sampled_from([*WORDS.split(), *WITH_BLANKS])
NUMBERS = st.sampled_from(["0", "100", "-5", "99.5", "1e3", "5e-7"])
ROW = st.fixed_dictionaries(
    dict.fromkeys(RISE, CELLS), optional={"x-y": NUMBERS, "current_date": CELLS}
)
ROWS = st.lists(st.tuples(ROW, NUMBERS | CELLS, NUMBERS), min_size=1, max_size=3)
WIDE = {"before": "x", "after": "y", "unit": "person"}
LONG = {"unit": "person", "value": "y", "missing_condition": "zero", "missing": "zero"}
COHORT = {"difference": "y::DECIMAL(30, 9) - 100"}
CHOICES = [
    *({**WIDE, "aggregate": how} for how in ("mean", "median", "min", "max")),
    *(
        {**WIDE, "aggregate": how, "order_by": order}
        for how in ("first", "last")
        for order in ("seq", "at", "(seq)", "on", "seq::DECIMAL(30, 9)", "at::TIMESTAMP", "seq = 9")
    ),
    *(
        {**LONG, "condition": condition, "levels": levels, "aggregate": "mean"}
        for condition, levels in (
            ("visit", "01,02"),
            ("visit", "1,2"),
            ("(visit)", "01,02"),
            ("visit::INT", "1,2"),
            ("g", "1,2"),
            ("(g)", "1.4,2"),
            ("day(at::TIMESTAMP)", "2,3"),
            ("g = 1", "true,false"),
            ("TRY_CAST(g AS DOUBLE) > 1.5", "true,false"),
        )
    ),
    *(
        {**LONG, "condition": "visit", "levels": levels, "aggregate": "mean", **both}
        for levels in ("01,02", "1,2")
        for both in ({"where": "visit IS NOT NULL", "public_n": PERSONS},)
    ),
    *(
        {**COHORT, "where": where, "public_n": n}
        for where in (
            "g = '1'",
            "g::VARCHAR = '1' OR g::VARCHAR = '2.0'",
            "g::DECIMAL(9, 2) >= 2",
            "(typeof(g) = 'DECIMAL(18,0)') = (y::INT > 100)",
            "visit = '01' AND visit IS NOT NULL",
            "\"on\" >= '2024-01-05 12:00'",
            "\"on\"::TIMESTAMP >= '2024-01-05 12:00'",
            "seq > '9'",
            "true) QUALIFY ((y::INT > 100) = (max(y::INT) OVER () > 500)",
            "true) USING SAMPLE (8 ROWS",
            "(geomean(y::INT) > 100) = (y::INT > 100)",
        )
        for n in (PERSONS - 1, PERSONS)
    ),
    {**WIDE, "unit": "regexp_split_to_table(seq, ',')", "aggregate": "max"},
    {"difference": "unnest([y::INT, x::INT])", "public_n": 2 * (2 * PERSONS - 1)},
    {"unit": "person", "difference": "x-y", "aggregate": "max", "missing": "zero"},
    {
        "unit": "person",
        "difference": "y::DOUBLE - x::DOUBLE",
        "aggregate": "last",
        "order_by": "at",
    },
    {"difference": "y::DOUBLE - CASE WHEN g = '1' THEN 100 ELSE 90 END"},
    {"before": "x", "after": "y", "missing": "zero"},
    {"before": "x", "after": "y", "resolution": "0.5"},
]


def answer(path, rows, layout):
    """The number of pairs and the signed-rank sum of a table; None if it is refused."""
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        lines = [[f'"{row[name]}"' for name in COLUMNS] for row in rows]
        path.write_text("\n".join(map(",".join, [list(COLUMNS), *lines])) + "\n")
    try:
        sample = dpw.read_pairs(path, **layout)
    except REFUSED:
        return None
    return sample.n, dpw.signed_rank(sample)


def person(rows, *, once):
    """The rows of the person who is replaced: of a table without units, one row."""
    made = [{"person": "p0", **row, "x": x, "y": y} for row, x, y in rows]
    return made[:1] if once else made


def check_neighbours(before, after, n):
    """Refused, or of one size and no further apart than the sensitivity allows."""
    if before is None or after is None:
        return
    assert before[0] == after[0]
    assert abs(before[1] - after[1]) <= 2 * before[0], n


@pytest.mark.parametrize("layout", CHOICES, ids=lambda layout: " ".join(map(str, layout.values())))
@settings(
    max_examples=2,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(extension=st.sampled_from(["csv", "jsonl"]), rows=ROWS, others=ROWS)
@example(
    extension="jsonl",
    rows=[({**RISE, "g": "5", "seq": "1"}, "100", "-1000")],
    others=[({**RISE, "g": "1.5", "seq": "1a", "at": "x", "x-y": "1"}, "100", "1000")],
)
@example(
    extension="csv",
    rows=[({**RISE, "g": "1", "visit": str(i), "seq": "z"}, "100", "100") for i in (1, 2, 3)],
    others=[
        ({**RISE, "g": "1.4", "visit": visit, "seq": "z,y,x,w"}, "100", "100")
        for visit in ("1", "2", "extra")
    ],
)
def test_one_person_moves_the_statistic_by_its_sensitivity_at_most(
    tmp_path, layout, extension, rows, others
):
    """For every recipe, in files of both kinds of text."""
    path = tmp_path / f"t.{extension}"
    once = "unit" not in layout
    before = answer(path, person(rows, once=once) + OWN, layout)
    after = answer(path, person(others, once=once) + OWN, layout)
    check_neighbours(before, after, layout)


def test_the_recipes_are_not_all_refused(tmp_path):
    """Else the test above would prove nothing: most find pairs in a table of which all fits."""
    path = tmp_path / "t.csv"
    rows = person([({**FALL, "g": "7"}, "100", "100")], once=True) + OWN
    found = [answer(path, rows, layout) for layout in CHOICES]
    assert sum(each is not None for each in found) >= 25


VALUES = {
    "integers": (2**53 + 1, 2**53),
    "small integers": (3, 2),
    "floats": (0.3, 0.1),
    "decimals": (Decimal("0.3"), Decimal("0.1")),
    "fractions": (Fraction(1, 3), Fraction(1, 6)),
    "dates": (np.datetime64("1600-01-02"), np.datetime64("1600-01-01")),
    "durations": (np.timedelta64(10**6, "W"), np.timedelta64(10**6 - 1, "W")),
    "datetimes": (datetime(2024, 1, 2), datetime(2024, 1, 1)),  # noqa: DTZ001 - without a zone
    "long doubles": (np.longdouble(1) + np.finfo(np.longdouble).eps, np.longdouble(1)),
}
STRANGERS = [
    *(value for pair in VALUES.values() for value in pair),
    *(True, -1, 0.5, 1e300, 2**70, Decimal("1e-30"), Fraction(1, 7), None, np.float32(0.1)),
    *(float("nan"), float("inf"), Decimal("inf"), date(2024, 1, 1), timedelta(1)),
    *(np.datetime64("2020-01-01T00:00:00.000000001"), np.timedelta64(-1, "ns")),
    *(np.datetime64("NaT", "s"), np.datetime64("2020-01"), np.int8(3), "1", 2**53 - 1),
]


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("beside", [*VALUES, None])
def test_one_value_of_a_list_does_not_change_how_the_others_are_read(kind, beside):
    """Every value that a list may hold, in the place of one of twenty, in either of two lists."""
    larger, smaller = VALUES[kind]
    other = VALUES[beside] if beside else None

    def statistic(value, side):
        # half of the differences are larger than the other half only if no digit gets lost
        x = [larger, smaller] * 10
        y = None if other is None else [other[1], other[0], other[0], other[1]] * 5
        (x if side == "x" or y is None else y)[0] = value
        try:
            return dpw.signed_rank(x, y, missing="zero")
        except REFUSED:
            return None

    for side in ("x", "y"):
        found = [
            each for each in (statistic(value, side) for value in STRANGERS) if each is not None
        ]
        if found:
            assert max(found) - min(found) <= 2 * 20
