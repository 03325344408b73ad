"""Expressions in DuckDB's SQL are translated, or refused if an engine might do more with them."""

import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.sources.engines.translation import translated_expression
from dpwilcoxon.sources.pushdown.dialects import DUCKDB, POSTGRES, SPARK

NAMES = ("Pickup", "x", 'od"d')


def translated(text, dialect):
    """What an engine is asked for an expression."""
    return translated_expression(text, NAMES, "table 't'", "condition", dialect).sql


@pytest.mark.parametrize(
    ("text", "dialect", "sql"),
    [
        ("day(pickup)", POSTGRES, '(EXTRACT(DAY FROM "Pickup"))'),
        ("day(pickup)", SPARK, "(DAY(`Pickup`))"),
        ("day(Pickup)", DUCKDB, "(day(Pickup))"),
        ("x::DOUBLE", POSTGRES, '(CAST("x" AS DOUBLE PRECISION))'),
        ("x // 2 -- half", POSTGRES, '((DIV((("x") & -1), ((2) & -1))))'),
        ('od"d', POSTGRES, '"od""d"'),
        ('od"d', SPARK, '`od"d`'),
        (" x ", POSTGRES, '"x"'),
        ("x > 1 AND lower('A') = 'a'", SPARK, "(((`x` > 1) AND (LOWER('A') = 'a')))"),
        ("'it''s' = '\\n'", SPARK, "(('it\\'s' = '\\\\n'))"),
        ("pickup + INTERVAL 3 MONTH", POSTGRES, """(("Pickup" + INTERVAL '3 MONTH'))"""),
        ("pickup + INTERVAL 1 DAY", SPARK, "((`Pickup` + INTERVAL '1' DAY))"),
        (
            "hour(pickup) + quarter(pickup)",
            POSTGRES,
            '((EXTRACT(HOUR FROM "Pickup") + EXTRACT(QUARTER FROM "Pickup")))',
        ),
        ("position('b' IN x)", SPARK, "(LOCATE('b', `x`))"),
        ("round(x)", POSTGRES, '(ROUND("x", 0))'),
        ("x / 2", SPARK, "((CAST(`x` AS DOUBLE) / 2))"),
        ("substring(x, 2, 1)", SPARK, "(SUBSTRING(`x`, 2, 1))"),
        ("x = 'unknown'", POSTGRES, """(("x" = 'unknown'))"""),
        ("EXTRACT(week FROM pickup)", POSTGRES, '(EXTRACT(WEEK FROM "Pickup"))'),
    ],
)
def test_expressions_are_translated(text, dialect, sql):
    """Names are written as the table writes them, and comments are left out."""
    assert translated(text, dialect) == sql


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "query_to_xml('SELECT 1', true, true, '')",
            "not known to depend on the row",
        ),
        ("xmlagg(x)", "not known to depend on the row"),
        ("rand() < 0.5", "not known to depend on the row"),
        ("random() < 0.5", "not known to depend on the row"),
        ("sum(x)", "looks at many rows"),
        ("(SELECT 1)", "holds a subquery"),
        ("pg_sleep(x)", "not known to depend on the row"),
        ("log(x)", r"uses log\(\), which cannot be translated"),
        ("second(pickup)", r"uses second\(\), which cannot be translated"),
        ("timezone('UTC', pickup)", r"uses timezone\(\), which cannot be translated"),
        ("pickup + INTERVAL (-1) DAY", r"uses to_days\(\), which cannot be translated"),
        ("pickup + INTERVAL (x) MONTH", r"uses to_months\(\), which cannot be translated"),
        ("x +", "neither the name of a column nor an SQL expression"),
    ],
)
def test_what_might_look_further_is_refused(text, message):
    """Functions of the engine's own could run queries, or never end."""
    with pytest.raises(InvalidArgument, match=message):
        translated(text, POSTGRES)


@pytest.mark.parametrize("dialect", [POSTGRES, SPARK])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CAST('now' AS TIMESTAMP) > pickup", "the time at which it is asked"),
        ("pickup < ' Today 10:00'", "the time at which it is asked"),
        ("CAST(concat('to', 'day') AS DATE) = pickup", "makes text of constants alone"),
        ("CAST(left('today1x', 5) AS DATE) = pickup", "makes text of constants alone"),
        ("substring(x, -3)", r"substring\(\) with a place"),
        ("CAST(x AS DATE[]) = pickup", "no number, text, truth or time"),
        ("CAST(x AS daterange) IS NULL", "no number, text, truth or time|neither the name"),
        ("substring(x, 0, 2)", r"substring\(\) with a place"),
        ("left(x, -1)", r"left\(\) with a place"),
        ("right(x, length(x))", r"right\(\) with a place"),
        ("date_part('dow', pickup)", "asks for the dow of a time"),
        ("dayofweek(pickup)", "cannot be translated"),
        ("EXTRACT(second FROM pickup)", "cannot be translated|asks for the second"),
        ("x LIKE 'a\\_'", "LIKE with a backslash"),
    ],
)
def test_what_would_be_something_else_is_refused(text, message, dialect):
    """No engine is asked for an answer that differs from the one that a file gives."""
    with pytest.raises(InvalidArgument, match=message):
        translated(text, dialect)


def test_floats_have_no_places():
    """Spark rounds them as they print, and others as they are."""
    with pytest.raises(InvalidArgument, match=r"CAST\(\.\.\. AS DECIMAL\(18, 6\)\)"):
        translated("round(x, 1)", SPARK)
    assert "ROUND" in translated("round(CAST(x AS DECIMAL(9, 3)), 1)", SPARK)
