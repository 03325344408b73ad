"""Levels are written as values of the type of their condition, or refused."""

import pytest

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.engines.readings import (
    TRUTH,
    WHOLE,
    Literals,
    days,
    decimal,
    floating,
    measure_in,
    microseconds,
)
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.pushdown.dialects import POSTGRES, SPARK


@pytest.mark.parametrize(
    ("level", "measure", "literal"),
    [
        ("it's", None, "'it''s'"),
        ("1", WHOLE, "1"),
        ("1e3", floating(POSTGRES), "1000"),
        ("-2.50", decimal(2, POSTGRES), "-2.5"),
        ("True", TRUTH, "TRUE"),
        ("2024-02-29", days("{0}"), "CAST('2024-02-29' AS DATE)"),
        ("2024-02-29 10:00", microseconds("{0}"), "CAST('2024-02-29 10:00:00' AS TIMESTAMP)"),
        ("2024-02-29", microseconds("{0}", zoned=True),
         "CAST('2024-02-29 00:00:00' AS TIMESTAMPTZ)"),
        ("1e9999", WHOLE, None),
        ("low", WHOLE, None),
        ("inf", floating(POSTGRES), None),
        ("1", TRUTH, None),
        ("2024-02-30", days("{0}"), None),
        ("1); DROP TABLE t", WHOLE, None),
    ],
)  # fmt: skip
def test_levels_as_literals(level, measure, literal):
    """None is for what cannot be a value."""
    assert Literals(POSTGRES).of_level(level, measure) == literal


def test_levels_of_a_layout():
    """The later one first; wide tables have none, and a word is no number."""
    layout = Layout.parse(unit="u", condition="c", levels=("0", "1.5"), value="v")
    writer = Literals(POSTGRES)
    assert writer.of_levels(layout, "numeric", decimal(1, POSTGRES)) == ["1.5", "0"]
    assert writer.of_levels(Layout.parse(difference="d"), "text", None) == []
    with pytest.raises(
        SourceError, match=r"The level '1\.5' cannot be a value of `c`, .* type bool"
    ):
        writer.of_levels(layout, "bool", TRUTH)


def test_spark_reads_backslashes_in_text():
    """So they are doubled."""
    assert Literals(SPARK).text("a\\n'b") == "'a\\\\n\\'b'"


def test_types_that_cannot_be_measured():
    """They are named, with the column."""
    with pytest.raises(SourceError, match="`v` has type bytea, which is not a measurement"):
        measure_in({"int4": WHOLE}, "bytea", "v")


def test_two_levels_are_two():
    """However they are written, one number is one level."""
    layout = Layout.parse(unit="p", condition="visit", levels="1,1.0", value="x")
    with pytest.raises(SourceError, match="one and the same value"):
        Literals(POSTGRES).of_levels(layout, "bigint", WHOLE)
    assert Literals(POSTGRES).of_levels(layout, "text", None) == ["'1.0'", "'1'"]
