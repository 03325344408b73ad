"""Which functions an SQL expression of one row may use: those named here, and no others.

A list of what is forbidden would have to know every function that DuckDB will ever have, and
DuckDB's own labels are not to be relied on: it calls `current_localtime` consistent. So a function
is let in by its name, and only while each of its overloads is scalar and consistent. Macros are
let in by name alone; a test walks their definitions.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from dpwilcoxon.sources.duckdb_session import SETTINGS

_OPERATORS: Final = "+ - * / // % ** ^ & | ~ << >> @ || ~~ !~~ ~~* !~~* ~~~ ^@ ->>"
_NUMBERS: Final = """
    abs acos acosh add asin asinh atan atan2 atanh bit_count bit_position cbrt ceil ceiling cos cosh
    cot degrees divide even exp factorial floor gamma gcd greatest greatest_common_divisor isfinite
    isinf isnan lcm least least_common_multiple lgamma ln log log10 log2 mod multiply nextafter pi
    pow power radians round round_even roundbankers sign signbit sin sinh sqrt subtract tan tanh
    trunc xor"""
_TIMES: Final = """
    age century date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day
    dayname dayofmonth dayofweek dayofyear decade epoch epoch_ms epoch_ns epoch_us era hour isodow
    isoyear julian last_day make_date make_time make_timestamp make_timestamp_ms make_timestamp_ns
    make_timestamptz microsecond millennium millisecond minute month monthname nanosecond quarter
    second strftime strptime time_bucket timezone to_centuries to_days to_decades to_hours
    to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds
    to_timestamp to_weeks to_years try_strptime week weekday weekofyear year yearweek"""
_TEXT: Final = """
    ascii bit_length char_length character_length chr concat concat_ws contains
    damerau_levenshtein editdist3 ends_with format hamming ilike_escape instr jaccard
    jaro_similarity jaro_winkler_similarity lcase left length levenshtein like_escape lower lpad
    ltrim md5 mismatches nfc_normalize not_ilike_escape not_like_escape ord overlay position prefix
    printf regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_matches
    regexp_replace regexp_split_to_array repeat replace reverse right rpad rtrim sha256 split
    starts_with str_split str_split_regex string_split string_split_regex string_to_array
    strip_accents strlen strpos substr substring suffix translate trim ucase unicode upper"""
_PARTS: Final = """
    array_contains array_extract array_has array_length cardinality element_at json_array_length
    json_contains json_exists json_extract json_extract_path json_extract_path_text
    json_extract_string json_keys json_type json_valid json_value len list_contains list_element
    list_extract list_has list_position list_slice list_sort list_value map_contains map_extract
    map_extract_value map_keys map_values row struct_extract struct_extract_at struct_pack"""
_FUNCTIONS: Final = frozenset(" ".join((_OPERATORS, _NUMBERS, _TIMES, _TEXT, _PARTS)).split())
_MACROS: Final = """
    date_add days_in_month fdiv fmod if list_avg list_count list_first list_last list_max
    list_median list_min list_sum nullif split_part"""
MACROS: Final = frozenset(_MACROS.split())
# age(t) is the time from t to now, and timezone(t) that of the machine
LEAST_ARGUMENTS: Final[Mapping[str, int]] = MappingProxyType({"age": 2, "timezone": 2})


def is_row_function(name: str, arguments: int) -> bool:
    """Whether a function of this name looks at its arguments and at nothing else.

    Examples
    --------
    >>> [is_row_function(name, 1) for name in ("day", "sum", "now", "unnest")]
    [True, False, False, False]
    """
    return name.lower() in row_functions() and arguments >= LEAST_ARGUMENTS.get(name.lower(), 0)


@cache
def row_functions() -> frozenset[str]:
    """The functions that are let in, and are today what they were when they were let in."""
    kinds: dict[str, set[tuple[str, str | None]]] = {}
    for name, kind, stability in _catalogue():
        kinds.setdefault(name, set()).add((kind, stability))
    scalar = {
        name
        for name in _FUNCTIONS  # a table function of the same name cannot stand in an expression
        if kinds.get(name, set()) - {("table", None)} == {("scalar", "CONSISTENT")}
    }
    macros = {name for name in MACROS if kinds.get(name) == {("macro", None)}}
    return frozenset(scalar | macros)


def _catalogue() -> list[tuple[str, str, str | None]]:
    import duckdb

    with duckdb.connect(config=dict(SETTINGS)) as connection:
        return connection.execute(
            "SELECT DISTINCT lower(function_name), function_type, stability FROM duckdb_functions()"
        ).fetchall()
