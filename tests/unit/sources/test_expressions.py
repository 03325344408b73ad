"""Expressions look at one row: names are found, and anything else is refused."""

import pytest

from dpwilcoxon.errors import InvalidArgument, SourceError
from dpwilcoxon.sources.expressions import RowExpression, row_expression

NAMES = ("pickup", "Blood pressure", "max(x)", "dose")


def expression(text, **options):
    """Read an expression over a table of these columns."""
    return row_expression(text, NAMES, "'t.csv'", "value", **options)


@pytest.mark.parametrize(
    ("text", "sql", "columns"),
    [
        ("pickup", '"pickup"', ("pickup",)),
        (" pickup ", '"pickup"', ("pickup",)),
        ("Blood pressure", '"Blood pressure"', ("Blood pressure",)),
        ("max(x)", '"max(x)"', ("max(x)",)),
        ("day(pickup)", "(day(pickup)\n)", ("pickup",)),
        ("DAY(PickUp) -- of the month", "(DAY(PickUp) -- of the month\n)", ("pickup",)),
        ('"Blood pressure" / dose', '("Blood pressure" / dose\n)', ("Blood pressure", "dose")),
        ("dose > 1 AND dose < 5", "(dose > 1 AND dose < 5\n)", ("dose",)),
    ],
)
def test_columns_are_found_by_name(text, sql, columns):
    """What is the name of a column is that column, whatever it looks like."""
    assert expression(text) == RowExpression(sql, columns)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sum(dose)", r"uses sum\(\), which looks at many rows"),
        ("dose - AVG(dose)", r"uses avg\(\), which looks at many rows"),
        ("sum(dose) OVER ()", "holds a window function"),
        ("row_number() OVER (ORDER BY dose)", "holds a window function"),
        ("(SELECT max(dose) FROM source)", "holds a subquery"),
        ("dose IN (SELECT 1)", "holds a subquery"),
        ("dose + random()", r"uses random\(\), which does not depend on the row alone"),
        ("CASE WHEN dose > 1 THEN uuid() END", "which does not depend on the row alone"),
        ("COLUMNS(*)", r"holds a \*"),
        ("?", "holds a parameter"),
        ("dose +", "neither the name of a column nor an SQL expression"),
        ("dose; DROP TABLE source", "neither the name"),
        ("dose), (1", "neither the name"),
        ("dose) FROM source WHERE (true", "neither the name"),
        ("dose) ORDER BY (1", "neither the name"),
        ("", "neither the name"),
    ],
)
def test_nothing_but_the_row_may_be_looked_at(text, message):
    """Else replacing one person could change what is computed for others."""
    with pytest.raises(InvalidArgument, match=message):
        expression(text)


@pytest.mark.parametrize("text", ["dos", "day(dos)", "source.dose"])
def test_unknown_columns_are_named(text):
    """With the nearest names there are."""
    with pytest.raises(SourceError, match="no column"):
        expression(text)


def test_a_table_may_have_columns_that_are_not_known():
    """JSON objects need not all have the same members."""
    assert expression("weight", complete=False) == RowExpression('"weight"', ("weight",))
    assert expression("-weight", complete=False).columns == ("weight",)
