"""A made-up trip file of the FOIL schema, quirks included, to try the taxi application on."""

from __future__ import annotations

import csv
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import numpy as np

# As in the file: blanks after the commas of the header line.
COLUMNS: Final = (
    "medallion", "hack_license", "vendor_id", "rate_code", "store_and_fwd_flag", "pickup_datetime",
    "dropoff_datetime", "passenger_count", "trip_time_in_secs", "trip_distance",
    "pickup_longitude", "pickup_latitude", "dropoff_longitude", "dropoff_latitude",
)  # fmt: skip
NEW_YEAR: Final = datetime(2013, 1, 1)  # noqa: DTZ001 - local time, as in the file
DRIVERS, DAYS, MOST_RIDES = 1_500, 3, 7
SHORTER_ON_2ND = 0.93  # trips, on average


def write_generated_trips(path: Path, *, drivers: int = DRIVERS, seed: int = 2013) -> None:
    """Write rides of three days by drivers who do not exist.

    About one line in two hundred is there twice, one in three hundred cannot be read (a missing
    field, a word for a number, an impossible time), and one vendor quotes all its fields.
    """
    rng = np.random.default_rng(seed)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(", ".join(COLUMNS) + "\n")
        plain = csv.writer(file, lineterminator="\n")
        quoting = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
        for driver in range(drivers):
            for line in _rides(rng, driver):
                writer = quoting if line[2] == "VTS" else plain
                chance = rng.random()
                if chance < 1 / 300:
                    line = _spoilt(rng, line)  # noqa: PLW2901 - the line that is written
                writer.writerow(line)
                if chance > 199 / 200:
                    writer.writerow(line)


def _rides(rng: np.random.Generator, driver: int) -> list[list[str]]:
    """All rides of one driver, who has habits and may stay at home for a day."""
    usual_minutes, sociable = rng.lognormal(2.4, 0.2), rng.random() < 0.5  # noqa: PLR2004
    rides = []
    for day in range(DAYS):
        for _ in range(rng.integers(0, MOST_RIDES + 1)):
            minutes = usual_minutes * rng.lognormal(0.0, 0.5) * SHORTER_ON_2ND ** (day == 1)
            begin = NEW_YEAR + timedelta(days=day, seconds=int(rng.integers(0, 86_400)))
            seconds = max(60, 60 * round(minutes))
            passengers = 1 + int(rng.integers(0, 4 + (day == 1))) if sociable else 1
            rides.append(
                [
                    f"M{driver % 700:031d}",
                    f"H{driver:031d}",
                    "VTS" if driver % 2 else "CMT",
                    "1",
                    "",
                    str(begin),
                    str(begin + timedelta(seconds=seconds)),
                    str(passengers),
                    str(seconds),
                    f"{0.19 * minutes:.2f}",
                    "-73.978165",
                    "40.757977",
                    "-73.989838",
                    "40.751171",
                ]
            )
    return rides


def _spoilt(rng: np.random.Generator, line: list[str]) -> list[str]:
    """A line that nobody can read."""
    where, what = (
        (None, ""),
        (COLUMNS.index("trip_distance"), "far"),
        (COLUMNS.index("pickup_datetime"), "2013-01-01 25:00:00"),
    )[rng.integers(0, 3)]
    if where is None:
        return line[:-2]
    return [*line[:where], what, *line[where + 1 :]]
