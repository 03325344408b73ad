"""Expressions look at one row: names are found, and anything else is refused."""

import re

import duckdb
import pytest

from dpwilcoxon.errors import InvalidArgument, SourceError
from dpwilcoxon.sources import row_functions
from dpwilcoxon.sources.expressions import RowExpression, row_expression
from dpwilcoxon.sources.row_functions import MACROS

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
        ("(pickup)", '"pickup"', ("pickup",)),
        ('"Blood pressure"', '"Blood pressure"', ("Blood pressure",)),
        ("day(pickup)", "(day(pickup))", ("pickup",)),
        ("DAY(PickUp) -- of the month", "(day(PickUp))", ("pickup",)),
        ("dose /* it's ) */ + 1", "((dose + 1))", ("dose",)),
        ('"Blood pressure" / dose', '(("Blood pressure" / dose))', ("Blood pressure", "dose")),
        ("dose > 1 AND dose < 5", "(((dose > 1) AND (dose < 5)))", ("dose",)),
        ("dose::DECIMAL(9, 2)", "(CAST(dose AS DECIMAL(9, 2)))", ("dose",)),
        ("pickup = 'it''s ) -- x'", "((pickup = 'it''s ) -- x'))", ("pickup",)),
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
        ("dose + random()", r"uses random\(\), which is not known to depend on the row alone"),
        ("CASE WHEN dose > 1 THEN uuid() END", "which is not known to depend on the row alone"),
        ("COLUMNS(*)", r"holds a \*"),
        ("?", "holds a parameter"),
        ("dose +", "neither the name of a column nor an SQL expression"),
        ("dose; DROP TABLE source", "neither the name"),
        ("dose), (1", "neither the name"),
        ("dose) FROM source WHERE (true", "neither the name"),
        ("dose) ORDER BY (1", "neither the name"),
        ("", "neither the name"),
        ("true) QUALIFY ((dose > 0) = (max(dose) OVER () > 500)", "neither the name"),
        ("true) QUALIFY (random() < 2 AND row_number() OVER () > 0", "neither the name"),
        ("true) USING SAMPLE (20 ROWS", "neither the name"),
        ("true) HAVING (true", "neither the name"),
        ("true) GROUP BY (1", "neither the name"),
        ("true) LIMIT (1", "neither the name"),
        ("true) UNION SELECT (false", "neither the name"),
        ("true) OFFSET (1", "neither the name"),
        ("true), LATERAL (SELECT 1", "neither the name"),
        ("max(dose) FILTER (WHERE dose > 1)", "looks at many rows"),
        ("pi() FILTER (WHERE dose > 1)", "not known to depend on the row alone"),
        ("main.pi()", "not known to depend on the row alone"),
        ("try(dose)", "holds more than is known"),
        ("GROUPING(dose)", "holds more than is known"),
        ("#1", "holds more than is known"),
        ("list_transform([dose], x -> x + 1)", "no column 'x'|not known"),
    ],
)
def test_nothing_but_the_row_may_be_looked_at(text, message):
    """Else replacing one person could change what is computed for others."""
    with pytest.raises((InvalidArgument, SourceError), match=message):
        expression(text)


@pytest.mark.parametrize(
    "call",
    [
        "regexp_split_to_table(pickup, ',')",
        "unnest([dose, dose])",
        "generate_subscripts([dose], 1)",
        "geomean(dose)",
        "geometric_mean(dose)",
        "wavg(dose, dose)",
        "weighted_avg(dose, dose)",
        "json_group_array(dose)",
        "json_group_object(dose, dose)",
        "variant_group_array(dose)",
        "get_block_size('memory')",
        "pg_sleep(1)",
        "list_transform([dose], lambda x: random())",
    ],
)
def test_a_row_stays_one_row_and_alone(call):
    """Macros may stand for aggregates, tables or queries: only those looked through are let in."""
    with pytest.raises((InvalidArgument, SourceError), match=r"not known|many rows|no column 'x'"):
        expression(call)


@pytest.mark.parametrize(
    "call",
    [
        "now()",
        "today()",
        "get_current_timestamp()",
        "get_current_time()",
        "current_localtime()",
        "current_localtimestamp()",
        "transaction_timestamp()",
        "txid_current()",
        "current_setting('threads')",
        "getvariable('x')",
        "getenv('HOME')",
        "current_database()",
        "current_schema()",
        "current_query()",
        "current_user()",
        "version()",
        "age(pickup)",
        "ago(INTERVAL 1 DAY)",
        "nextval('x')",
        "CURRENT_DATE",
        "CURRENT_TIMESTAMP",
        "CURRENT_TIME",
        "LOCALTIMESTAMP",
        "CURRENT_USER",
        "SESSION_USER",
        "user",
    ],
)
def test_neither_the_clock_nor_the_machine_is_asked(call):
    """The same request would find another cohort tomorrow, and be taken for the same."""
    for text in (call, f"dose > 1 AND {call} IS NOT NULL"):
        with pytest.raises((InvalidArgument, SourceError), match=r"not known to depend|no column"):
            expression(text)


def test_every_macro_that_is_let_in_looks_at_its_arguments_alone():
    """Their definitions are walked by the same check; list_aggr sees one list of one row."""
    rows = duckdb.execute(
        "SELECT function_name, parameters, macro_definition FROM duckdb_functions() "
        "WHERE function_type = 'macro'"
    ).fetchall()
    found = {name: (parameters, definition) for name, parameters, definition in rows}
    assert found.keys() >= MACROS
    for name in MACROS:
        parameters, definition = found[name]
        allowed = re.fullmatch(
            r"list_aggr\(l, '(avg|count|first|last|max|median|min|sum)'\)", definition
        )
        if not allowed:
            row_expression(definition, parameters, "t", name)


def test_a_function_that_is_not_what_it_was_is_not_let_in(monkeypatch):
    """An overload that is an aggregate or inconsistent shuts a function out."""
    catalogue = row_functions._catalogue()
    changed = [*catalogue, ("day", "aggregate", "CONSISTENT"), ("abs", "scalar", "VOLATILE")]
    monkeypatch.setattr(row_functions, "_catalogue", lambda: changed)
    found = row_functions.row_functions.__wrapped__()
    assert {"day", "abs"}.isdisjoint(found)
    assert {"month", "round", "repeat", "nullif"} <= found


@pytest.mark.parametrize(
    "text",
    [
        "dose::DECIMAL(9, 2) - 1.5",
        "CASE WHEN dose > 1 THEN 'a' WHEN dose IS NULL THEN 'b' ELSE 'c' END",
        "pickup BETWEEN DATE '2020-01-01' AND TIMESTAMP '2020-02-01 10:00:00'",
        "pickup + INTERVAL 3 DAY > '2020-01-01'",
        "EXTRACT(year FROM pickup)",
        "pickup LIKE 'a%' OR pickup ILIKE '%b' OR pickup SIMILAR TO 'c.*' OR pickup GLOB 'd*'",
        "coalesce(nullif(dose, 0), -1) NOT IN (1, 2, 3e5)",
        "dose IS DISTINCT FROM 3 AND NOT dose <> 5",
        "substring(pickup, 1, 4)::INTEGER // 2 % 3",
        "pickup AT TIME ZONE 'Europe/Berlin'",
        "TRY_CAST(pickup AS DATE) = DATE '2020-01-01'",
        "round(dose * 9 / 5 + 32, 1)",
        "if(dose > 1, 'it''s', \"Blood pressure\"::VARCHAR || ';--')",
        "dose[1] + dose.part + list_max(dose)",
        "CASE pickup WHEN 'x' THEN TRUE ELSE FALSE END",
        "pickup LIKE '10\\%' ESCAPE '\\' AND pickup NOT ILIKE 'a_' ESCAPE 'b'",
        "position('b' IN pickup) = 1",
    ],
)
def test_ordinary_sql_is_written_again_as_it_was_meant(text):
    """Reading what was written gives the same expression again."""
    once = expression(text)
    assert row_expression(once.sql, NAMES, "t", "value").sql in (once.sql, f"({once.sql})")


@pytest.mark.parametrize("text", ["dos", "day(dos)", "source.dose"])
def test_unknown_columns_are_named(text):
    """With the nearest names there are."""
    with pytest.raises(SourceError, match="no column"):
        expression(text)


def test_a_table_may_have_columns_that_are_not_known():
    """JSON objects need not all have the same members."""
    assert expression("weight", complete=False) == RowExpression('"weight"', ("weight",))
    assert expression("-weight", complete=False).columns == ("weight",)
