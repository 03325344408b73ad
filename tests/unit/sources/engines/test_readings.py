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
from dpwilcoxon.sources.pushdown.dialects import POSTGRES, SPARK


@pytest.mark.parametrize(
    ("level", "measure", "literal"),
    [
        ("it's", None, "'it''s'"),
        ("1", WHOLE, "1"),
        ("1e3", floating(POSTGRES), "1000"),
        ("-2.50", decimal(2, POSTGRES), "-2.50"),
        ("True", TRUTH, "TRUE"),
        ("2024-02-29", days("{0}"), "CAST('2024-02-29' AS DATE)"),
        ("2024-02-29 10:00", microseconds("{0}"), "CAST('2024-02-29 10:00:00' AS TIMESTAMP)"),
        ("2024-02-29", microseconds("{0}", zoned=True),
         "CAST('2024-02-29 00:00:00' AS TIMESTAMPTZ)"),
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


def test_spark_reads_backslashes_in_text():
    """So they are doubled."""
    assert Literals(SPARK).text("a\\n'b") == "'a\\\\n\\'b'"


def test_types_that_cannot_be_measured():
    """They are named, with the column."""
    with pytest.raises(SourceError, match="`v` has type bytea, which is not a measurement"):
        measure_in({"int4": WHOLE}, "bytea", "v")
