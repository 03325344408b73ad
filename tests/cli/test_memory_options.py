"""``--memory-limit`` and ``--verbose``, progress, interruptions, and errors of the engine."""

from __future__ import annotations

import gc
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import numpy as np
import pytest

import dpwilcoxon as dpw
from dpwilcoxon.sources import duckdb_tables, reading
from dpwilcoxon.sources.files import open_table
from dpwilcoxon.sources.memory import Resources

PROGRAM = Path(__file__).with_name("interrupted_program.py")
FINE = ("--before", "b", "--after", "a", "--epsilon", "1")
ROWS = (
    "SELECT sin(i) * 987654 AS b, cos(i * 1.7) * 987654 AS a, i // 2 AS who FROM range(3000) t(i)"
)


@pytest.fixture
def data(tmp_path) -> Path:
    """A Parquet file with two columns of floats."""
    path = tmp_path / "data.parquet"
    duckdb.execute(f"COPY ({ROWS}) TO '{path}'")
    return path


@pytest.fixture
def nothing_fits(monkeypatch):
    """Make every file too large for memory."""
    monkeypatch.setattr(Resources, "hold", lambda *_: False)


def released(out):
    """The statistic of an answer with hardly any noise."""
    return json.loads(out)["statistic"]


def test_the_way_is_told_if_it_is_asked_for(run, data, monkeypatch):
    """One line on standard error, in public numbers; the answer is the same on every way."""
    words = ("test", data, *FINE[:4], "--epsilon", "100000000", "--json")
    remark = run(*words).err  # hardly any noise is hardly any protection
    assert remark.count("\n") == 1
    assert run(*words, "--verbose", "--quiet").err == ""
    streamed = run(*words, "--verbose", "--memory-limit", "2GB")
    assert streamed.err == remark + (
        "dpwilcoxon: streamed: the keys of 3,000 pairs take 0.0 GB, within the memory limit of "
        "2.0 GB\n"
    )
    monkeypatch.setattr(Resources, "hold", lambda *_: False)
    ordered = run(*words, "--verbose", "--memory-limit", "2GB")
    assert ordered.err == remark + (
        "dpwilcoxon: ordered: DuckDB puts 3,000 pairs in order, within the memory limit of 2.0 GB "
        "and in temporary files\n"
    )
    assert released(streamed.out) == released(ordered.out) != 0


def test_units_and_several_outcomes_have_limits_too(run, data):
    """Their ways are told as well, each with its share."""
    done = run("test", data, *FINE, "--unit", "who", "--aggregate", "mean", "--verbose", "--json")
    assert "fetched: DuckDB makes the pairs, and the keys of 1,500" in done.err
    outcomes = ("--outcome", "b:a", "--outcome", "a:b", "--epsilon", "1")
    done = run("test", data, *outcomes, "--verbose", "--memory-limit", "1.6GB", "--json")
    assert done.err.count("streamed: the keys of 3,000 pairs") == 2
    assert done.err.count("limit of 1.1 GB") == 2


@pytest.mark.parametrize("limit", ["4", "10MB", "much"])
def test_impossible_limits_are_wrong_usage(run, data, no_draw, limit):  # noqa: ARG001 - a guard
    """One line, before anything is read."""
    done = run("test", data, *FINE, "--memory-limit", limit)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "--memory-limit" in done.err


@pytest.fixture
def ledger(run, tmp_path):
    """A budget, and the words that charge it."""
    words = ("--ledger", tmp_path / "ledger.db")
    assert run("budget", "create", "trial", "--epsilon", "1", *words).code == 0
    return words


@pytest.mark.parametrize(
    "moment",
    [
        "SIGINT reading",
        "SIGINT opening",
        "SIGINT sorting",
        "SIGTERM sorting",
        "SIGHUP sorting",
        "SIGINT scoring",
    ],
)
def test_an_interruption_leaves_nothing_and_spends_nothing(run, data, ledger, tmp_path, moment):
    """Exit code 130, one line, no temporary file, and the budget as it was, also while spilling."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    before = run("budget", "history", "trial", "--json", *ledger).out
    words = [*moment.split(), "test", data, *FINE, "--budget", "trial", *ledger]
    done = subprocess.run(
        [sys.executable, str(PROGRAM), *map(str, words)],
        env={**os.environ, "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "dpwilcoxon: error: interrupted.\n"
    assert list(temporary.iterdir()) == []
    assert run("budget", "history", "trial", "--json", *ledger).out == before


@pytest.mark.usefixtures("nothing_fits", "no_draw")
def test_errors_of_the_engine_are_one_line_without_data(run, data, tmp_path):
    """A wrong type, a condition that cannot be computed, and a damaged file."""
    content = bytearray(data.read_bytes())
    content[4:60] = b"\xff" * 56  # the header of the first page
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(content)
    where = ("--public-n", "5", "--where")
    for words in (
        (damaged, *FINE),
        (data, *FINE, *where, "CAST(b AS DATE) > a"),
        (data, *FINE, *where, "CAST('x' || CAST(a AS VARCHAR) AS INTEGER) > 1"),
    ):
        done = run("test", *words)
        assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
        assert str(tmp_path) in done.err
        numbers = done.err.replace(str(tmp_path), "")
        assert not any(letter.isdigit() for letter in numbers)


def test_a_full_disk_is_said_as_such(data):
    """With what can be done about it; DuckDB's message names files only."""
    explain = duckdb_tables._explain(open_table(data))
    message = 'IO Error: Could not write file "x.tmp": No space left on device'
    assert "set TMPDIR to a folder with more" in str(explain(message))


@pytest.mark.usefixtures("nothing_fits")
def test_standard_input_is_never_written_to_a_disk(run, monkeypatch):
    """Not even where there is too little memory for it."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"b,a\n1,2\n3,5\n")))
    monkeypatch.setattr(reading, "private_folder", lambda: pytest.fail("a folder was made"))
    done = run("test", "-", *FINE, "--verbose")
    assert (done.code, "files" in done.err) == (0, False)
    assert "ordered: DuckDB puts 2 pairs in order" in done.err


@pytest.mark.usefixtures("nothing_fits")
def test_ranking_shows_its_progress(run, data, monkeypatch):
    """On a terminal, with a bar that is gone in the end."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    assert run("test", data, *FINE).code == 0
    assert "Ranking the pairs" in terminal.getvalue()
    assert "Reading the data" in terminal.getvalue()


def test_reading_in_python_has_the_limit(data):
    """`read_pairs` takes the same words, and gives the same integer."""
    columns = {"before": "b", "after": "a"}
    limited = dpw.read_pairs(data, **columns, memory_limit="1GB")
    assert dpw.signed_rank(limited) == dpw.signed_rank(dpw.read_pairs(data, **columns)) != 0
    with pytest.raises(dpw.InvalidArgument, match="`memory_limit`"):
        dpw.read_pairs(data, **columns, memory_limit="1")


def test_a_sample_in_duckdb_lives_as_long_as_it_is_used(data, monkeypatch, tmp_path):
    """Several tests of it, and then its files are gone."""
    monkeypatch.setattr(Resources, "hold", lambda *_: False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    sample = dpw.read_pairs(data, before="b", after="a")
    assert len(list(tmp_path.glob("dpwilcoxon-*"))) == 1
    column = duckdb.execute(f"SELECT a - b AS d FROM ({ROWS})").fetchnumpy()["d"]
    assert dpw.signed_rank(sample) == dpw.signed_rank(np.asarray(column))
    assert dpw.wilcoxon(sample, epsilon=1, procedure="sign").n == 3000
    del sample
    gc.collect()
    assert list(tmp_path.glob("dpwilcoxon-*")) == []
