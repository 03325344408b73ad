"""Every recipe of the page about data that needs a server runs, on tables as the page says."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import ibis
import psycopg
import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text()
COMMANDS = [each for each in re.findall(r"^\$ (.+)$", PAGE, re.MULTILINE) if "://" in each]
POSTGRES, SPARK = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
PERSONS = 30
TABLES = f"""
    DROP SCHEMA IF EXISTS ward CASCADE;
    CREATE SCHEMA ward;
    CREATE TABLE ward.study AS
        SELECT 120.1 + i AS bp_1, 118.3 + i % 7 AS bp_2 FROM generate_series(1, {PERSONS}) AS t(i);
    DROP TABLE IF EXISTS visits;
    CREATE TABLE visits AS
        SELECT 'p' || i AS person, visit, 130.5 + i % 17 + length(visit) AS sbp
        FROM generate_series(1, {PERSONS}) AS t(i), (VALUES ('baseline'), ('week8')) AS v(visit);
"""


@pytest.fixture(scope="module")
def clinic(address):
    """A database as the page speaks of."""
    with psycopg.connect(address.replace("postgres://", "postgresql://")) as connection:
        connection.execute(TABLES)
    return address


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(command, clinic):
    """With the password from the environment, as the page advises."""
    parts = urlsplit(clinic)
    here = clinic.replace(f":{parts.password}@", "@")
    words = shlex.split(command.replace("postgres://ana@db.example.org/clinic", here))
    shown = subprocess.run(
        [sys.executable, "-m", *words, "--json"],
        env={**os.environ, "PGPASSWORD": parts.password},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (shown.returncode, shown.stderr) == (0, "")
    assert json.loads(shown.stdout)["n"] == PERSONS


def test_the_page_has_commands():
    """So that passing means something."""
    assert len(COMMANDS) >= 2


def test_python_reads_postgresql(clinic, monkeypatch, capsys):
    """The program of the page, with another address in it."""
    backend = ibis.connect(clinic)
    monkeypatch.setattr(ibis.postgres, "connect", lambda **_: backend)
    exec(compile(POSTGRES, "data.md", "exec"), {})  # noqa: S102 - the page is ours
    assert re.search(rf"pairs +{PERSONS}\n", capsys.readouterr().out)
    backend.disconnect()


def test_python_reads_spark(spark_session, capsys):
    """The program of the page finds the session that is there."""
    rows = [
        (f"p{i}", visit, 130.5 + i % 17 + len(visit))
        for i in range(PERSONS)
        for visit in ("baseline", "week8")
    ]
    frame = spark_session.createDataFrame(rows, "person STRING, visit STRING, sbp DOUBLE")
    frame.createOrReplaceTempView("visits")
    exec(compile(SPARK, "data.md", "exec"), {})  # noqa: S102 - the page is ours
    assert re.search(rf"pairs +{PERSONS}\n", capsys.readouterr().out)
