"""PostgreSQL: one state of the table, nothing left behind, and no value or password told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from urllib.parse import urlsplit

import ibis
import psycopg
import pyarrow as pa
import pytest

import dpwilcoxon as dpw
from dpwilcoxon.errors import DataError, InvalidArgument, SourceError
from dpwilcoxon.sources.engines.postgres import PostgresSession

SENTINEL = "987654.321"
WIDE = ("--before", "x", "--after", "y")
STUDY = f"""
    DROP SCHEMA IF EXISTS ward CASCADE; CREATE SCHEMA ward;
    DROP TABLE IF EXISTS study CASCADE;
    CREATE TABLE study (person TEXT, x NUMERIC, y NUMERIC, note TEXT);
    INSERT INTO study
        SELECT 'p' || i, i % 7, i % 5 + 0.5, '{SENTINEL}' FROM generate_series(1, 40) AS t(i);
    CREATE TABLE ward.study AS SELECT * FROM study WHERE x > 3;
    CREATE VIEW slow AS SELECT * FROM study WHERE pg_sleep(0.5)::text = '';
    CREATE VIEW unfit AS SELECT person, x, note || 'x' AS note FROM study;
"""


@pytest.fixture
def server(address):
    """A connection of its own, which sees and does everything."""
    with psycopg.connect(address.replace("postgres://", "postgresql://"), autocommit=True) as found:
        found.execute(STUDY)
        yield found


@pytest.fixture
def study(server, address):
    """The study as a table of Ibis, whose connection is closed in the end."""
    del server
    backend = ibis.connect(address)
    yield backend.table("study")
    backend.disconnect()


def others(server):
    """The process ids of all other connections, and what they are at."""
    return dict(
        server.execute(
            "SELECT pid, state FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname = current_database() AND backend_type = 'client backend'"
        ).fetchall()
    )


def command(address, *words):
    """The words of ``dpwilcoxon test`` on the server."""
    return [sys.executable, "-m", "dpwilcoxon", "test", address, *words, "--epsilon", "1"]


def run(address, *words):
    """Run it, and look for what nobody may see."""
    shown = subprocess.run(command(address, *words), capture_output=True, text=True, check=False)
    for text in (shown.stdout, shown.stderr):
        assert SENTINEL not in text
        assert (urlsplit(address).password or SENTINEL) not in text
    return shown


def test_a_sample_sees_one_state_of_the_table(study, server):
    """What others write meanwhile is for the next sample."""
    sample = dpw.read_pairs(study, before="x", after="y")
    before = dpw.signed_rank(sample)
    server.execute("UPDATE study SET y = 1000 + x; INSERT INTO study VALUES ('new', 1, 9)")
    assert (sample.n, dpw.signed_rank(sample)) == (40, before)
    later = dpw.read_pairs(study, before="x", after="y")
    assert (later.n, dpw.signed_rank(later)) == (41, 41 * 42 / 2)


def test_the_connection_ends_with_the_sample(study, server):
    """And while it lasts, the connection of the caller is free for other work."""
    before = set(others(server))
    sample = dpw.read_pairs(study, before="x", after="y")
    (own,) = set(others(server)) - before
    assert others(server)[own] == "idle in transaction"
    study.get_backend().con.execute("CREATE TEMP TABLE work (a INT)")
    del sample
    wait_until(lambda: set(others(server)) == before)


def wait_until(is_done, seconds=20):
    """Look again until it is so, or fail."""
    end = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_no_row_comes_back(study, monkeypatch):
    """Only a few numbers do, however many rows there are."""
    answers, rows_of_session = [], PostgresSession.rows

    def rows(session, sql):
        answers.append(rows_of_session(session, sql))
        return answers[-1]

    monkeypatch.setattr(PostgresSession, "rows", rows)
    sample = dpw.read_pairs(study, unit="person", before="x", after="y", aggregate="mean")
    dpw.wilcoxon(sample, epsilon=1, procedure="capped")
    assert len(answers) >= 3
    assert max(len(answer) for answer in answers) <= 3


def test_a_lost_connection_is_one_line(study, server):
    """And the sample cannot be used any more."""
    before = set(others(server))
    sample = dpw.read_pairs(study, before="x", after="y")
    (own,) = set(others(server)) - before
    server.execute("SELECT pg_terminate_backend(%s)", (own,))
    for _ in range(2):
        with pytest.raises(SourceError, match=r"^The connection to .* is lost; .*\.$") as lost:
            dpw.wilcoxon(sample, epsilon=1)
        assert lost.value.__context__ is None


def test_the_role_and_the_schemas_are_those_of_the_caller(server, address):
    """Row-level security would be void if our own connection had another role."""
    server.execute("DROP ROLE IF EXISTS nurse; CREATE ROLE nurse")
    server.execute("GRANT USAGE ON SCHEMA ward TO nurse; GRANT SELECT ON ward.study TO nurse")
    backend = ibis.connect(f"{address}/ward")
    n = backend.con.execute("SELECT count(*) FROM ward.study").fetchone()[0]
    backend.con.execute("SET ROLE nurse")
    assert dpw.read_pairs(backend.table("study"), before="x", after="y").n == n < 40
    with pytest.raises(SourceError, match="may not be read by this user"):
        dpw.read_pairs(backend.table("study", database="public"), before="x", after="y")
    backend.disconnect()
    server.execute("DROP OWNED BY nurse; DROP ROLE nurse")


def test_numbers_without_a_width(study, server):
    """NUMERIC has as many places as its values; not-a-number is missing, infinity is refused."""
    server.execute("UPDATE study SET y = x + 1e-30 WHERE person = 'p1'")
    server.execute("UPDATE study SET y = 'NaN' WHERE person = 'p2'")
    with pytest.raises(DataError, match="Some of the pairs have no difference"):
        dpw.read_pairs(study, before="x", after="y")
    assert dpw.read_pairs(study, before="x", after="y", missing="zero").n == 40
    server.execute("UPDATE study SET y = 'Infinity' WHERE person = 'p2'")
    with pytest.raises(DataError, match="`y` holds infinite numbers"):
        dpw.read_pairs(study, before="x", after="y")
    floats = dpw.read_pairs(study, before="CAST(x AS DOUBLE)", after="CAST(y AS DOUBLE)")
    assert floats.n == 40


def test_the_command_line_tells_no_password(address, study, tmp_path):
    """Not in its answer, not in the report, not in the ledger."""
    del study
    password, ledger = urlsplit(address).password, tmp_path / "ledger.sqlite"
    report = tmp_path / "report.html"
    make = ["budget", "create", "b", "--epsilon", "2", "--ledger", str(ledger)]
    subprocess.run([sys.executable, "-m", "dpwilcoxon", *make], check=True, capture_output=True)
    charge = ("--budget", "b", "--ledger", str(ledger), "--report", str(report), "--json")
    shown = run(address, "--table", "study", *WIDE, *charge)
    assert (shown.returncode, json.loads(shown.stdout)["n"]) == (0, 40)
    assert "table study of the PostgreSQL database clinic" in report.read_text()
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= 2
    assert all(password.encode() not in content for content in written)


def test_several_outcomes_and_schemas(address, study):
    """All outcomes see one state; a schema is part of a table's name."""
    del study
    outcomes = ("--outcome", "x:y", "--outcome", "y:x", "--json")
    shown = run(address, "--table", "ward.study", *outcomes)
    assert shown.returncode == 0, shown.stderr
    first, second = json.loads(shown.stdout)["outcomes"]
    assert first["n"] == second["n"] < 40


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--table", "studdy", *WIDE), 1, "no table 'studdy'; did you mean 'study'?"),
        (("--table", "nowhere.study", *WIDE), 1, "holds no table"),
        (WIDE, 1, "holds several tables; name one with `table`"),
        (("--table", "study", "--before", "x", "--after", "z"), 1, "has no column 'z'"),
        (("--table", "study", "--before", "x", "--after", "note"), 1, "`note` has type text"),
        (("--table", "unfit", "--before", "x", "--after", "note::INT"), 1, "does not fit"),
        (("--table", "study", "--difference", "day(note)"), 1, "An expression does not fit"),
        (("--table", "study", "--difference", "x / (x - 3)"), 1, "does not fit what is computed"),
        (
            ("--table", "study", "--difference", "pg_read_file(note)"),
            2,
            "which is not known to depend on the row alone",
        ),
    ],
)
def test_what_goes_wrong_is_one_line(address, study, words, code, message):
    """The custodian is told what to correct, and no value of the data."""
    del study
    shown = run(address, *words)
    assert (shown.returncode, shown.stdout) == (code, "")
    assert message in shown.stderr
    assert shown.stderr.count("\n") == 1


def test_a_wrong_address_is_one_line(address):
    """Whether server, password or database is wrong: the address is not repeated."""
    parts = urlsplit(address)
    wrong = parts._replace(netloc=f"custodian:{SENTINEL}@127.0.0.1:{parts.port}").geturl()
    nobody = parts._replace(netloc=f"custodian:{SENTINEL}@127.0.0.1:1").geturl()
    for each in (wrong, nobody, f"{address}_of_nobody"):
        shown = run(each, "--table", "study", *WIDE)
        assert (shown.returncode, shown.stderr.count("\n")) == (1, 1)
        assert "There is no connection to the PostgreSQL database" in shown.stderr


def test_an_interrupted_query_is_cancelled_and_costs_nothing(address, server, tmp_path):
    """Ctrl-C in the middle of a long query: it ends on the server, too."""
    ledger = tmp_path / "ledger.sqlite"
    budget = ["budget", "create", "b", "--epsilon", "1", "--ledger", str(ledger)]
    subprocess.run([sys.executable, "-m", "dpwilcoxon", *budget], check=True, capture_output=True)
    before = set(others(server))
    words = ("--table", "slow", *WIDE, "--budget", "b", "--ledger", str(ledger))
    temporary = {**os.environ, "TMPDIR": str(tmp_path)}
    files = set(tmp_path.iterdir())
    with subprocess.Popen(
        command(address, *words), env=temporary, stderr=subprocess.PIPE, text=True
    ) as running:
        wait_until(
            lambda: "active" in [others(server)[pid] for pid in set(others(server)) - before]
        )
        running.send_signal(signal.SIGINT)
        _, shown = running.communicate(timeout=20)
    assert (running.returncode, shown) == (130, "dpwilcoxon: error: interrupted.\n")
    wait_until(lambda: set(others(server)) == before)
    assert set(tmp_path.iterdir()) == files
    with dpw.Budget.open(ledger, "b") as charged:
        assert charged.spent == 0


def test_a_sample_tells_nothing_of_its_rows(study):
    """Nor where it comes from: a traceback may show it."""
    assert repr(dpw.read_pairs(study, before="x", after="y")) == "EngineSample(n=40)"


@pytest.fixture
def trap(server):
    """Functions and operators of the user's own, which look at all rows."""
    server.execute(
        """
        DROP TABLE IF EXISTS trap;
        CREATE TABLE trap (x INT, c VARCHAR, d VARCHAR);
        INSERT INTO trap SELECT i, repeat('a', i % 5), repeat('a', i % 3)
            FROM generate_series(1, 30) AS t(i);
        CREATE FUNCTION public.length(VARCHAR) RETURNS INT LANGUAGE sql STABLE
            AS 'SELECT 1 - (SELECT max(x)::INT FROM public.trap)';
        CREATE FUNCTION public.below(VARCHAR, VARCHAR) RETURNS BOOLEAN LANGUAGE sql STABLE
            AS 'SELECT (SELECT max(x) > 900 FROM public.trap)';
        CREATE OPERATOR public.< (LEFTARG = VARCHAR, RIGHTARG = VARCHAR, FUNCTION = public.below);
        """
    )
    yield
    server.execute(
        """
        DROP OPERATOR public.< (VARCHAR, VARCHAR); DROP FUNCTION public.below(VARCHAR, VARCHAR);
        DROP FUNCTION public.length(VARCHAR); DROP TABLE trap;
        """
    )


@pytest.mark.parametrize(
    "difference", ["length(c) - 2", "CASE WHEN c < d THEN x % 9 ELSE -(x % 8) END"]
)
@pytest.mark.usefixtures("trap")
def test_a_function_of_the_users_own_is_not_called(address, server, difference):
    """Or one person's row could change everybody's difference."""
    before = dpw.signed_rank(dpw.read_pairs(address, table="trap", difference=difference))
    server.execute("UPDATE trap SET x = 1000 WHERE x = 30")
    after = dpw.signed_rank(dpw.read_pairs(address, table="trap", difference=difference))
    assert abs(after - before) <= 2 * 30
    rows = server.execute("SELECT x, c, d FROM trap").fetchall()
    frame = pa.table(dict(zip("xcd", zip(*rows, strict=True), strict=True)))
    assert after == dpw.signed_rank(dpw.read_pairs(frame, difference=difference))


def test_tables_are_found_by_the_search_path(server, address):
    """However the caller speaks of them; names in quotes, too."""
    server.execute(
        """CREATE TABLE ward."Odd ""Name" AS SELECT i AS x, i + 1 AS y FROM
        generate_series(1, 5) AS t(i)"""
    )
    backend = ibis.connect(f"{address}/ward")
    odd = backend.table('Odd "Name')
    assert dpw.read_pairs(odd, before="x", after="y").n == 5
    query = "WITH s AS (SELECT * FROM study) SELECT s.x, s.y FROM s JOIN study USING (person)"
    raw = backend.sql(query, schema={"x": "decimal", "y": "decimal"})
    here = server.execute("SELECT count(*) FROM ward.study").fetchone()[0]
    assert dpw.read_pairs(raw, before="x", after="y").n == here < 40
    joined = odd.join(backend.table("study", database="public"), "x")[["x", "y"]]
    assert dpw.read_pairs(joined, before="x", after="y").n == 30
    gone = backend.table("study")
    server.execute("DROP TABLE ward.study; DROP TABLE public.study CASCADE")
    with pytest.raises(SourceError, match="'study' is not there, or not any more"):
        dpw.read_pairs(gone, before="x", after="y")
    backend.disconnect()


@pytest.mark.parametrize("kind", ["DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIME"])
@pytest.mark.parametrize("word", ["now", " Today ", "tomorrow", "YESTERDAY"])
def test_nobody_asks_the_clock(study, server, kind, word):
    """Neither in an expression nor by what is in the table."""
    server.execute("UPDATE study SET note = '2024-01-01 10:00'")
    where = {"before": "x", "after": "y", "public_n": 40}
    asked = f"CAST(note AS {kind}) IS NOT NULL"
    assert dpw.read_pairs(study, where=asked, **where).n == 40
    server.execute("UPDATE study SET note = %s WHERE person = 'p1'", (word,))
    with pytest.raises(SourceError, match="does not fit what is computed"):
        dpw.read_pairs(study, where=asked, **where)
    with pytest.raises(InvalidArgument, match="the time at which it is asked"):
        dpw.read_pairs(study, where=f"CAST('{word}' AS {kind}) IS NOT NULL", **where)


def test_a_level_is_no_clock(server, address):
    """Where the condition is a time of the day."""
    server.execute(
        """DROP TABLE IF EXISTS shifts; CREATE TABLE shifts (person INT, at TIME, v INT);
        INSERT INTO shifts VALUES (1, '10:00', 3), (1, '22:00', 4)"""
    )
    layout = {"table": "shifts", "unit": "person", "condition": "at", "value": "v"}
    assert dpw.read_pairs(address, levels=("10:00", "22:00"), **layout).n == 1
    with pytest.raises(SourceError, match="'now' cannot be a value of `at`"):
        dpw.read_pairs(address, levels=("10:00", "now"), **layout)


def test_settings_of_the_caller_play_no_role(study, server, address, monkeypatch):
    """Neither for what floats are written as, nor for which of two numbers is the month."""
    del study
    server.execute("UPDATE study SET note = '2001-02-03', x = 0.1, y = 0.1")
    server.execute("DROP VIEW slow, unfit")
    server.execute("ALTER TABLE study ALTER x TYPE FLOAT8, ALTER y TYPE FLOAT8")
    server.execute("UPDATE study SET y = y + 5e-17, note = '01-02-03' WHERE person < 'p3'")
    options = "-c extra_float_digits=0 -c datestyle=sql,dmy -c transform_null_equals=on"
    digits = "CAST(CAST(x AS VARCHAR) = CAST(y AS VARCHAR) AS INT) - 1"
    for difference in (digits, "month(CAST(note AS DATE)) - 2"):
        found = set()
        for each in ("", options):
            monkeypatch.setenv("PGOPTIONS", each)
            pairs = dpw.read_pairs(address, table="study", difference=difference)
            found.add(dpw.signed_rank(pairs))
        assert len(found) == 1


@pytest.mark.parametrize("kind", ["DATE", "TIMESTAMP", "TIMESTAMPTZ"])
def test_a_time_at_infinity_is_missing(server, address, kind):
    """It stands for never."""
    server.execute(
        f"""DROP TABLE IF EXISTS times; CREATE TABLE times (a {kind}, b {kind});
        INSERT INTO times SELECT DATE '2024-01-01' + i, DATE '2024-01-01' + 2 * i
            FROM generate_series(1, 8) AS t(i);
        INSERT INTO times VALUES ('infinity', '2024-01-01'), ('infinity', '-infinity')"""
    )
    layout = {"table": "times", "before": "a", "after": "b"}
    with pytest.raises(DataError, match="Some of the pairs have no difference"):
        dpw.read_pairs(address, **layout)
    pairs = dpw.read_pairs(address, missing="zero", **layout)
    assert dpw.signed_rank(pairs) == sum(range(3, 11))
    cast = {"before": f"CAST(a AS {kind})", "after": "b", "table": "times"}
    assert dpw.signed_rank(dpw.read_pairs(address, missing="zero", **cast)) == sum(range(3, 11))
