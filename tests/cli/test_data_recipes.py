"""Every command on the page about data runs, on files that look as the page says."""

from __future__ import annotations

import csv
import gzip
import json
import re
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "data.md"
COMMANDS = re.findall(r"^\$ (.+)$", PAGE.read_text(), re.MULTILINE)
LOCAL = [command for command in COMMANDS if "://" not in command]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with every file that the page names: 20 persons of site A, 10 of site B."""
    folder = tmp_path_factory.mktemp("data")
    study = [
        {
            "person": f"p{i}",
            "bp_1": f"{120 + i}.1",
            "bp_2": f"{118 + i % 7}.3",
            "change": f"{i % 5 - 2}",
        }
        for i in range(30)
    ]
    write_csv(folder / "study.csv", study)
    (folder / "study.csv.gz").write_bytes(gzip.compress((folder / "study.csv").read_bytes()))
    (folder / "study.jsonl").write_text("".join(json.dumps(row) + "\n" for row in study))
    visits = [
        {
            "person": f"p{i}",
            "site": "A" if i < 20 else "B",
            "visit": visit,
            "date": f"2024-0{month}-{1 + i % 28:02}",
            "sbp": f"{130 + (i * month) % 17}.{i % 10}",
        }
        for i in range(30)
        for visit, month in (("baseline", 1), ("week4", 2), ("week8", 3))
        if visit != "week4" or i < 20
    ]
    write_csv(folder / "visits.csv", visits)
    with closing(sqlite3.connect(folder / "clinic.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE visits (person, site, visit, date, sbp REAL)")
        connection.execute("CREATE TABLE staff (name)")
        rows = [tuple(row.values()) for row in visits]
        connection.executemany("INSERT INTO visits VALUES (?, ?, ?, ?, ?)", rows)
    write_parquet(folder)
    return folder


def write_csv(path, rows):
    """Write rows that all have the same columns."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def write_parquet(folder):
    """Write rides, parts of the study, and visits by partition."""
    (folder / "parts").mkdir()
    study = f"SELECT bp_1::DOUBLE AS bp_1, bp_2::DOUBLE AS bp_2 FROM '{folder}/study.csv'"
    for part in (1, 2):
        rows = f"{study} LIMIT 15 OFFSET {15 * (part - 1)}"
        duckdb.execute(f"COPY ({rows}) TO '{folder}/parts/part-{part}.parquet'")
    visits = f"SELECT person, visit, sbp::DECIMAL(9, 1) AS sbp FROM '{folder}/visits.csv'"
    duckdb.execute(f"COPY ({visits}) TO '{folder}/visits' (FORMAT parquet, PARTITION_BY (visit))")
    rides = (
        "SELECT 'd' || (i % 40) AS hack_license, (i % 97) / 10.0 AS trip_distance, "
        "TIMESTAMP '2013-01-01' + to_hours(i % 48) AS pickup_datetime FROM range(2000) AS t(i)"
    )
    duckdb.execute(f"COPY ({rides}) TO '{folder}/trips.parquet'")


@pytest.mark.parametrize("command", LOCAL)
def test_a_recipe_runs(command, place, run, monkeypatch):
    """The command gives an answer, and the number of pairs that the page speaks of."""
    monkeypatch.chdir(place)
    if "|" in command:
        command = command.replace("dpwilcoxon", f"{sys.executable} -m dpwilcoxon")
        shown = subprocess.run(  # noqa: S602 - the page is ours
            f"{command} --json", shell=True, capture_output=True, text=True, check=False
        )
        assert (shown.returncode, shown.stderr) == (0, "")
        fields = json.loads(shown.stdout)
    else:
        words = shlex.split(command)
        assert words[0] == "dpwilcoxon"
        done = run(*words[1:], "--json")
        assert (done.code, done.err) == (0, "")
        fields = json.loads(done.out)
    expected = 20 if "--public-n" in command else 40 if "trips" in command else 30
    assert fields["n"] == expected


def test_the_page_has_recipes():
    """So that passing means something."""
    assert len(LOCAL) >= 14
