"""SQL that parses text cells; what the results mean is said in text_cells."""

from __future__ import annotations

import enum

from dpwilcoxon.columns import WORD_DIGITS
from dpwilcoxon.sources.duckdb_session import quoted_text
from dpwilcoxon.sources.tables import Table

MISSING_WORDS = ("", "na", "n/a", "nan", "+nan", "-nan", "null", "none")
BLANKS = " \t\r\n\u00a0"
LARGEST_EXPONENT = 400  # beyond every double; larger ones would be astronomic as decimals
WORD = 10**WORD_DIGITS

PLAIN = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
SCIENTIFIC = PLAIN + r"[eE][+-]?[0-9]+"
INFINITE = r"[+-]?inf(?:inity)?"
DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
TIMESTAMP = DATE + r"[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
ZONED = TIMESTAMP + r" ?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)"


class Cell(enum.IntEnum):
    """What a text cell holds."""

    MISSING = 0
    NUMBER = 1
    ODD = 2  # to be looked at again
    INFINITE = 3
    LONG = 4  # a number of more than two words
    BOOLEAN = 5
    DATE = 6
    TIMESTAMP = 7
    ZONED = 8
    EXTREME = 9  # a number with an absurd exponent
    TEXT = 10


def first_look(index: int) -> str:
    """SQL for the kind, digits and places of v<index>, right wherever it is a plain decimal.

    Digits that do not fit a word come out as `WORD`, which does not either.
    """
    value = f"v{index}"
    return f"""
        (CASE WHEN {value} IS NULL THEN {Cell.MISSING}
            WHEN {_matches(value, PLAIN)} THEN {Cell.NUMBER}
            ELSE {Cell.ODD} END)::TINYINT AS kind{index},
        coalesce({_digits(value)}, {WORD}) AS digits{index},
        coalesce({_places(value)}, 0)::INTEGER AS places{index}"""


def second_look(table: Table, name: str) -> str:
    """SQL for the cells that the first look cannot read: row, kind, digits, upper, places.

    Rows are numbered, since the steps may change their order.
    """
    plain = (
        f"coalesce({_matches('v0', PLAIN)} AND {_digits('v0')} > -{WORD} AND {_digits('v0')} < "
        f"{WORD}, false)"
    )
    return f"""
        WITH numbered AS (
            SELECT row_number() OVER () - 1 AS row, v0 FROM ({table.select([name])})
        ), odd AS MATERIALIZED (
            SELECT row, trim(v0, {quoted_text(BLANKS)}) AS t FROM numbered
            WHERE v0 IS NOT NULL AND NOT {plain}
        ), seen AS MATERIALIZED (
            SELECT row, t, ({KIND})::TINYINT AS kind, {_MANTISSA} AS mantissa,
                {_EXPONENT} AS exponent,
                CASE WHEN t LIKE '-%' THEN -1 ELSE 1 END AS sign
            FROM odd
        ), counted AS MATERIALIZED (
            SELECT *, CASE kind WHEN {Cell.NUMBER}
                THEN ltrim(replace(mantissa, '.', ''), '+-0') ELSE '' END AS figures FROM seen
        )
        SELECT row,
            (CASE WHEN strlen(figures) > {2 * WORD_DIGITS} THEN {Cell.LONG} ELSE kind
                END)::TINYINT AS kind,
            ({_VALUE})::BIGINT AS digits,
            (CASE WHEN strlen(figures) BETWEEN {WORD_DIGITS + 1} AND {2 * WORD_DIGITS}
                THEN sign * left(figures, -{WORD_DIGITS})::BIGINT ELSE 0 END)::BIGINT AS upper,
            (CASE WHEN figures = '' THEN 0 ELSE {_places("mantissa")} - exponent
                END)::INTEGER AS places
        FROM counted"""


def kinds_in(relation: str, column: str) -> str:
    """SQL for the kinds of cells in a text column, and the size of the numbers among them.

    Rows of kind, how many, the first row counted from 0, and of the numbers the most decimal
    places and the most digits before the point.
    """
    return f"""
        WITH cells AS (
            SELECT row_number() OVER () - 1 AS row, trim({column}, {quoted_text(BLANKS)}) AS t
            FROM ({relation})
        ), seen AS (
            SELECT row, CASE WHEN t IS NULL THEN {Cell.MISSING} ELSE {KIND} END AS kind,
                {_MANTISSA} AS mantissa, {_EXPONENT} AS exponent
            FROM cells
        )
        SELECT kind::TINYINT, count(*), min(row),
            max(greatest(0, {_places("mantissa")} - exponent)),
            max(strlen(ltrim(split_part(mantissa, '.', 1), '+-0')) + exponent)
        FROM seen GROUP BY kind"""


def _matches(text: str, pattern: str) -> str:
    return f"regexp_full_match({text}, {quoted_text(pattern)})"


def _digits(text: str) -> str:
    """SQL for the digits of a decimal without its point, or NULL."""
    return f"try_cast(replace({text}, '.', '') AS BIGINT)"


def _places(text: str) -> str:
    """SQL for the number of digits behind the point."""
    return f"CASE WHEN instr({text}, '.') = 0 THEN 0 ELSE strlen({text}) - instr({text}, '.') END"


KIND = f"""CASE
    WHEN {_matches("t", PLAIN)} THEN {Cell.NUMBER}
    WHEN lower(t) IN ({", ".join(quoted_text(word) for word in MISSING_WORDS)}) THEN {Cell.MISSING}
    WHEN {_matches("t", SCIENTIFIC)} THEN
        CASE WHEN abs(try_cast(split_part(lower(t), 'e', 2) AS INTEGER)) <= {LARGEST_EXPONENT}
        THEN {Cell.NUMBER} ELSE {Cell.EXTREME} END
    WHEN {_matches("lower(t)", INFINITE)} THEN {Cell.INFINITE}
    WHEN lower(t) IN ('true', 'false') THEN {Cell.BOOLEAN}
    WHEN {_matches("t", DATE)} AND try_cast(t AS DATE) IS NOT NULL THEN {Cell.DATE}
    WHEN {_matches("t", TIMESTAMP)} AND try_cast(t AS TIMESTAMP) IS NOT NULL THEN {Cell.TIMESTAMP}
    WHEN {_matches("t", ZONED)} AND try_cast(t AS TIMESTAMPTZ) IS NOT NULL THEN {Cell.ZONED}
    ELSE {Cell.TEXT} END"""

# Without the zeros behind the point, which would only fill the words.
_MANTISSA = """CASE WHEN instr(t, '.') > 0
    THEN rtrim(split_part(lower(t), 'e', 1), '0') ELSE split_part(lower(t), 'e', 1) END"""

_EXPONENT = "coalesce(try_cast(split_part(lower(t), 'e', 2) AS INTEGER), 0)"

_VALUE = f"""CASE kind
    WHEN {Cell.NUMBER} THEN sign * coalesce(try_cast(right(figures, {WORD_DIGITS}) AS BIGINT), 0)
    WHEN {Cell.INFINITE} THEN sign
    WHEN {Cell.BOOLEAN} THEN (lower(t) = 'true')::BIGINT
    WHEN {Cell.DATE} THEN try_cast(t AS DATE) - DATE '1970-01-01'
    WHEN {Cell.TIMESTAMP} THEN epoch_us(try_cast(t AS TIMESTAMP))
    WHEN {Cell.ZONED} THEN epoch_us(try_cast(t AS TIMESTAMPTZ))
    ELSE 0 END"""
