"""An expression means in an engine what it means for a file, or it is refused."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest
from engine_samples import days, decimals

import dpwilcoxon as dpw
from dpwilcoxon.errors import DPWilcoxonError

CODES = ["B", "a", "b", "A", "\u00c9t\u00e9", "zo\u00eb", "Z", "ab", "Ba"]
ROWS = pa.table(
    {
        "code": CODES,
        "other": ["a", "B", "A", "b", "f", "Z", "z", "ba", "Ab"],
        "whole": pa.array([-7, 7, 3, 5, 9, 11, -13, 20, 31]),
        "half": pa.array([2.5, -2.5, 0.5, 1.5, 3.5, -0.5, 4.5, 7.0, 8.25]),
        "tenths": decimals(6, 2, ["7.55", "-7.5", "2.5", "1.1", "9.0", "3.45", "0.5", "6.6", "8"]),
        "day": days(*(f"2024-0{each}-0{each + 1}" for each in range(1, 9)), "2023-12-31"),
        "text_day": [f"2024-0{each}-05" for each in range(1, 10)],
        "moment": pa.array(
            [dt.datetime(2024, 1, 31, 20 + each // 2, tzinfo=dt.UTC) for each in range(8)] + [None],
            pa.timestamp("us", "UTC"),
        ),
        "who": ["p", "p", "p", "q", "q", "q", "r", "r", "r"],
        "place": pa.array(range(1, 10)),
    }
)
SIGNED = "CASE WHEN {} THEN place ELSE -place END"
BOTH = pytest.mark.parametrize("engine", ["postgres", "spark"])


def statistic(table, layout):
    """T, or None if the question is refused; anything else is a mistake."""
    try:
        return dpw.signed_rank(dpw.read_pairs(table, **layout))
    except DPWilcoxonError:
        return None


@BOTH
@pytest.mark.parametrize(
    "expression",
    [
        *(SIGNED.format(each) for each in (
            "code < 'b'",
            "code < other",
            "code BETWEEN 'A' AND 'b'",
            "greatest(code, other) = code",
            "lower(code) < 'b'",
            "lower(code) = '\u00e9t\u00e9'",
            "code ILIKE '\u00e9%'",
            "CAST(whole AS VARCHAR) < '5'",
            "concat(whole, code) < other",
            "day(moment) = 1",
            "month(CAST(text_day AS DATE)) < 5",
            "EXTRACT(doy FROM day) < 100",
        )),
        "whole // 2",
        "tenths / 3",
        "round(tenths)",
        "round(CAST(tenths AS DECIMAL(6, 2)), 1)",
        "length(substring(concat(code, other), 2)) + whole",
        "length(left(concat(code, other), 1)) + whole",
    ],
)  # fmt: skip
def test_the_answer_is_that_of_a_file(engine, expression, tables):
    """Whatever the order of letters is in the language of the database."""
    layout = {"difference": expression, "missing": "zero"}
    expected = statistic(ROWS, layout)
    assert expected is not None
    assert statistic(tables(engine, "words", ROWS), layout) == expected


@BOTH
@pytest.mark.parametrize(
    "expression",
    ["tenths // 2", "round(half)", "round(half, 1)", "length(substring(code, -3)) - 1"],
)
def test_what_differs_is_refused(engine, expression, tables):
    """Or is what a file gives, too."""
    layout = {"difference": expression}
    found = statistic(tables(engine, "words", ROWS), layout)
    assert found in (None, statistic(ROWS, layout))


@BOTH
@pytest.mark.parametrize("how", ["first", "last"])
@pytest.mark.parametrize(
    "order", ["code", "CASE WHEN place % 3 = 1 THEN 'a' WHEN place % 3 = 2 THEN 'B' ELSE 'c' END"]
)
def test_first_and_last_by_text(engine, how, order, tables):
    """By the numbers of its letters, as everywhere."""
    layout = {"difference": "place - 4", "unit": "who", "aggregate": how, "order_by": order}
    expected = statistic(ROWS, layout)
    assert expected is not None
    assert statistic(tables(engine, "words", ROWS), layout) == expected


def test_the_zone_of_the_session_plays_no_role(spark, tables):
    """It is set back afterwards."""
    conf = spark._session.conf
    before = conf.get("spark.sql.session.timeZone")
    conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    try:
        layout = {"difference": SIGNED.format("day(moment) = 1"), "missing": "zero"}
        table = tables("spark", "zoned_words", ROWS)
        assert statistic(table, layout) == statistic(ROWS, layout)
        assert conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
    finally:
        conf.set("spark.sql.session.timeZone", before)
