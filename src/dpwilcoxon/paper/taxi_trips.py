"""The 2013 New York City trip file, read down to three columns of differences per driver.

The file is streamed through DuckDB: what is kept in memory are the rides of two days. A line that
cannot be read and a ride that is there twice are counted and left out, and the counts come back
with the differences. One row per driver is what differential privacy would protect here.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, final

import numpy as np

from dpwilcoxon.arraytypes import FloatArray
from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.duckdb_session import connected, interruptibly, quietly, quoted_name
from dpwilcoxon.sources.inputs import literal_path

if TYPE_CHECKING:
    import duckdb

DRIVER, PICKUP, DROPOFF = "hack_license", "pickup_datetime", "dropoff_datetime"
MEASURES: Final[Mapping[str, str]] = {
    "trip time (s)": "trip_time_in_secs",
    "trip distance (mi)": "trip_distance",
    "number of passengers": "passenger_count",
}
NEEDED = (DRIVER, PICKUP, DROPOFF, *MEASURES.values())
FIRST_DAY, DAY_AFTER = "2013-01-01", "2013-01-03"
DECIMALS = 6  # of a measure; whole units of the last one are summed, so that ties stay ties

_Answers: TypeAlias = tuple[dict[str, int], int, int, dict[str, Any]]
"""Rides by status, rejected lines, distinct rides, and each driver's sums."""


@final
@dataclass(frozen=True, eq=False)
class TripDifferences:
    """What is left of a trip file.

    Parameters
    ----------
    differences
        For each measure, the driver's average on 2 January minus that on 1 January.
    rides
        Rides of the two days that were used.
    duplicates
        Exact copies of such rides, which were left out.
    other_rides
        Rides that begin or end on another day.
    malformed
        Lines with a wrong number of fields, or with a field that cannot be read.
    """

    differences: Mapping[str, FloatArray]
    rides: int
    duplicates: int
    other_rides: int
    malformed: int

    @property
    def drivers(self) -> int:
        """How many drivers had rides on both days."""
        return len(next(iter(self.differences.values())))


def read_trips(path: Path) -> TripDifferences:
    """Read a trip file of the FOIL schema.

    Parameters
    ----------
    path
        A CSV file with a header line; names may have blanks around them.

    Raises
    ------
    SourceError
        If there is no such file, it lacks a column, or nobody drove on both days.
    """
    sql = _group_sql(_header(path))
    with connected() as connection:
        counts, rejected, distinct, sums = quietly(
            lambda: interruptibly(connection, lambda: _answers(connection, sql, path)),
            f"The trip file {str(path)!r}",
            lambda _: SourceError(
                f"{str(path)!r} cannot be read as a trip file; is it complete, and CSV?"
            ),
        )
    if not len(sums["rides_1"]):
        raise SourceError(
            f"Nobody in {str(path)!r} had rides on both 1 and 2 January 2013; the file that is "
            "wanted is trip_data_1.csv, January 2013."
        )
    return TripDifferences(
        {label: _difference(sums, column) for label, column in MEASURES.items()},
        distinct,
        counts.get("kept", 0) - distinct,
        counts.get("other", 0),
        counts.get("malformed", 0) + rejected,
    )


def _answers(connection: duckdb.DuckDBPyConnection, sql: str, path: Path) -> _Answers:
    connection.execute(sql, [literal_path(path)])
    counts = dict(connection.execute(_COUNTS).fetchall())
    (rejected,) = connection.execute(_REJECTED).fetchone() or (0,)
    kept = connection.execute("SELECT count(*) FROM grouped WHERE status = 'kept'")
    (distinct,) = kept.fetchone() or (0,)
    return counts, rejected, distinct, connection.execute(_DRIVERS).fetchnumpy()


def _header(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            names = [name.strip() for name in next(csv.reader(file), [])]
    except (OSError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or "it is not a text file"
        raise SourceError(f"The trip file {str(path)!r} cannot be read: {reason}.") from None
    lacking = [name for name in NEEDED if name not in names]
    if lacking:
        raise SourceError(
            f"The trip file {str(path)!r} has no column {', '.join(map(repr, lacking))}; it needs "
            f"those of trip_data_1.csv: {', '.join(NEEDED)}."
        )
    return names


def _group_sql(names: Sequence[str]) -> str:
    """One pass over the file: rides that count, each once with its copies, and all others counted.

    Every column is text first, so that a field that cannot be read is counted and not guessed.
    """
    raw = [f"c{index}" for index in range(len(names))]
    columns = ", ".join(f"{quoted_name(name)}: 'VARCHAR'" for name in raw)
    at = {name: f"trim(c{names.index(name)})" for name in NEEDED}
    measures = ", ".join(
        f"try_cast({at[name]} AS DECIMAL(18, {DECIMALS})) AS {quoted_name(name)}"
        for name in MEASURES.values()
    )
    any_measure = ", ".join(
        f"any_value({quoted_name(name)}) AS {quoted_name(name)}" for name in MEASURES.values()
    )
    unreadable = " OR ".join(f"{quoted_name(name)} IS NULL" for name in MEASURES.values())
    return f"""
        CREATE TEMP TABLE grouped AS
        WITH fields AS (
            SELECT [{", ".join(raw)}] AS line, nullif({at[DRIVER]}, '') AS driver,
                try_cast({at[PICKUP]} AS TIMESTAMP) AS pickup,
                try_cast({at[DROPOFF]} AS TIMESTAMP) AS dropoff, {measures}
            FROM read_csv(?, columns = {{{columns}}}, header = true, auto_detect = false,
                delim = ',', quote = '"', escape = '"', ignore_errors = true,
                store_rejects = true, hive_partitioning = false)
        ), classified AS (
            SELECT *, CASE
                WHEN driver IS NULL OR pickup IS NULL OR dropoff IS NULL OR {unreadable}
                    THEN 'malformed'
                WHEN pickup >= '{FIRST_DAY}' AND pickup < '{DAY_AFTER}'
                    AND dropoff >= '{FIRST_DAY}' AND dropoff < '{DAY_AFTER}' THEN 'kept'
                ELSE 'other' END AS status
            FROM fields
        )
        SELECT status, CASE WHEN status = 'kept' THEN line END AS line,
            any_value(driver) AS driver, day(any_value(pickup)) AS day,
            {any_measure}, count(*) AS copies
        FROM classified GROUP BY 1, 2
    """


_COUNTS = "SELECT status, sum(copies)::BIGINT FROM grouped GROUP BY status"
_REJECTED = "SELECT count(DISTINCT line) FROM reject_errors"
_SUMS = ", ".join(
    f"sum(({quoted_name(name)} * 1000000)::HUGEINT) FILTER (day = {day})::DOUBLE AS "
    f"{quoted_name(f'{name}_{day}')}"
    for name in MEASURES.values()
    for day in (1, 2)
)
_DRIVERS = f"""
    SELECT count(*) FILTER (day = 1) AS rides_1, count(*) FILTER (day = 2) AS rides_2, {_SUMS}
    FROM grouped WHERE status = 'kept' GROUP BY driver
    HAVING rides_1 > 0 AND rides_2 > 0 ORDER BY driver
"""


def _difference(sums: Mapping[str, Any], column: str) -> FloatArray:
    """Mean on day 2 minus mean on day 1, in units of the measure.

    Both are brought to one fraction of integers and divided once, so that drivers with the same
    change have the same difference to the last bit.
    """
    rides: list[FloatArray] = [np.asarray(sums[f"rides_{day}"], dtype=np.float64) for day in (1, 2)]
    totals = [np.asarray(sums[f"{column}_{day}"], dtype=np.float64) for day in (1, 2)]
    numerator = totals[1] * rides[0] - totals[0] * rides[1]
    return np.asarray(numerator / (10**DECIMALS * rides[0] * rides[1]), dtype=np.float64)
