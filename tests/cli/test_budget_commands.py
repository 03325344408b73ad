"""``dpwilcoxon budget``: create, show, history, raise, export, verify."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

import dpwilcoxon as dpw
from dpwilcoxon import release as door
from dpwilcoxon.cli.budgets import group
from dpwilcoxon.ledger import owners
from dpwilcoxon.ledger.journal import Journal
from dpwilcoxon.ledger.ledger import Ledger

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "command-line.md"
FINE = ("--before", "before", "--after", "after", "--epsilon", "0.5")


@pytest.fixture
def ledger(tmp_path, monkeypatch):
    """The ledger that everybody uses who names none."""
    path = tmp_path / "ledger.db"
    monkeypatch.setenv("DPWILCOXON_LEDGER", str(path))
    return path


@pytest.fixture
def trial(run, ledger):
    """A budget of 3."""
    assert not ledger.exists()
    done = run("budget", "create", "trial-7", "--epsilon", "3", "--description", "Ward 4")
    assert done.code == 0
    return done


def test_creating_says_where_and_how_to_use_it(run, trial, ledger, tmp_path):
    """In words, and as one object; the ledger may be named."""
    assert "epsilon 3 in total" in trial.out
    assert str(ledger) in trial.out
    assert "--budget trial-7" in trial.out
    other = tmp_path / "other.db"
    done = run("budget", "create", "b", "--epsilon", "1/3", "--ledger", other, "--json")
    fields = json.loads(done.out)
    assert (fields["created"], fields["remaining"], fields["ledger"]) == ("b", "1/3", str(other))
    assert len(fields["head"]) == 64


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["create", "trial-7", "--epsilon", "1"], 1, "already"),
        (["create", "b", "--epsilon", "0"], 2, "`epsilon`"),
        (["create", "b", "--epsilon", "lots"], 2, "`epsilon`"),
        (["create", "b"], 2, "--epsilon"),
        (["create", "", "--epsilon", "1"], 2, "name of a budget"),
        (["show", "trial-8"], 1, "'trial-7'"),
        (["history", "trial-8"], 1, "'trial-7'"),
        (["export", "trial-8"], 1, "'trial-7'"),
        (["export", "--csv", "--json"], 2, "choose one"),
        (["raise", "trial-7", "--to", "2", "--reason", "r", "--yes"], 2, "only be raised"),
        (["raise", "trial-7", "--to", "4", "--reason", "r"], 2, "`yes`"),
        (["raise", "trial-7", "--to", "4", "--yes"], 2, "--reason"),
        (["verify", "--head", "abc"], 2, "64 digits"),
        (["show", "--ledger", "none.db"], 1, "budget create"),
        (["lower", "trial-7"], 2, "lower"),
    ],
)
@pytest.mark.usefixtures("trial")
def test_what_cannot_be_gets_one_line(run, words, code, message, monkeypatch):
    """The line names what is wrong; nothing is changed."""
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    head = json.loads(run("budget", "show", "--json").out)["head"]
    done = run("budget", *words)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert done.err.count("\n") == 1
    assert json.loads(run("budget", "show", "--json").out)["head"] == head


@pytest.mark.usefixtures("trial")
def test_showing_what_is_left(run, study, ledger, monkeypatch):
    """One budget in a block, all in a table, both as objects; with the head of the ledger."""
    run("budget", "create", "second", "--epsilon", "1/3")
    run("test", study, *FINE, "--budget", "trial-7")
    with monkeypatch.context() as patch:
        patch.setattr(door, "release_integer", lambda *_a, **_k: 1 / 0)
        assert run("test", study, *FINE, "--budget", "trial-7").code == 3
    block = run("budget", "show", "trial-7").out
    assert "Ward 4" in block
    assert "2 of 3" in block
    assert "interrupted 1  (charged, and nothing released)" in block
    table = run("budget", "show").out
    fields = json.loads(run("budget", "show", "--json").out)
    assert [each["remaining"] for each in fields["budgets"]] == ["2", "1/3"]
    assert fields["head"] in table
    assert str(ledger) in table
    with monkeypatch.context() as patch:  # as if somebody were at work on it
        patch.setattr(owners.OwnersInFiles, "is_at_work", lambda *_: True)
        assert "running     1" in run("budget", "show", "trial-7").out
        assert "RUNNING" in run("budget", "history", "trial-7").out
    one = json.loads(run("budget", "show", "trial-7", "--json").out)
    assert (one["spent"], one["releases"], one["interrupted"], one["running"]) == ("1", 1, 1, 0)
    assert one["head"] == fields["head"]


@pytest.mark.usefixtures("trial")
def test_the_history_tells_everything_in_order(run, study, monkeypatch):
    """Creation, releases with their p-values, interruptions, raises with their reasons."""
    named = ("--dataset", "bp", "--dataset-version", "2")
    released = json.loads(run("test", study, *FINE, "--budget", "trial-7", *named, "--json").out)
    with monkeypatch.context() as patch:
        patch.setattr(door, "release_integer", lambda *_a, **_k: 1 / 0)
        run("test", study, *FINE, "--budget", "trial-7")
    run("budget", "raise", "trial-7", "--to", "4", "--reason", "Second round", "--yes")
    told = " ".join(run("budget", "history", "trial-7").out.split())
    for part in ("created: 3 in total; Ward 4", "after - before; bp (2)", "INTERRUPTED"):
        assert part in told
    assert "raised: 4 in total; Second round" in told
    lines = json.loads(run("budget", "history", "trial-7", "--json").out)["history"]
    states = [line["state"] for line in lines]
    assert states == ["created", "released", "interrupted", "raised"]
    (result,) = lines[1]["results"]
    assert result["released"] / result["lattice"] == released["statistic"]


@pytest.mark.usefixtures("trial")
def test_the_history_tells_cohorts_apart(run, tmp_path):
    """By filter, unit and rules; what is as usual goes without saying."""
    path = tmp_path / "sites.csv"
    path.write_text("who,site,before,after\na,A,1,2\nb,B,2,4\nc,A,3,5\nd,B,1,5\n")
    for site in "AB":
        words = ("--unit", "who", "--where", f"site = '{site}'", "--public-n", "2")
        run("test", path, *FINE, *words, "--noise", "canonical", "--budget", "trial-7")
    run("test", path, *FINE, "--missing", "zero", "--budget", "trial-7")
    told = " ".join(run("budget", "history", "trial-7").out.split())
    for part in ("where site = 'A'", "where site = 'B'", "unit who", "public n 2", "missing zero"):
        assert part in told
    assert told.count("canonical noise") == 2
    assert "missing raise" not in told


@pytest.mark.usefixtures("trial")
def test_raising_asks_a_person(run, monkeypatch):
    """At a terminal the answer decides; --yes answers in advance."""
    for answer, code in (("n\n", 1), ("", 130), ("y\n", 0)):
        keyboard = io.StringIO(answer)
        monkeypatch.setattr(keyboard, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", keyboard)
        done = run("budget", "raise", "trial-7", "--to", "3.5", "--reason", "Board")
        assert done.code == code
        assert "from 3 to 3.5, for good?" in done.err
    done = run("budget", "raise", "trial-7", "--to", "4", "--reason", "Board", "--yes", "--json")
    fields = json.loads(done.out)
    assert (fields["total_before"], fields["total"]) == ("3.5", "4")


@pytest.mark.usefixtures("trial")
def test_exports_hold_what_was_released_and_nothing_else_of_the_data(run, study):
    """One line per outcome in CSV, every entry in JSON, and no value of the data in either."""
    run("test", study, "--outcome", "before:after", "--outcome", "after:before", *FINE[4:])
    several = ("--outcome", "before:after", "--outcome", "after:before", "--epsilon", "0.5")
    answer = json.loads(run("test", study, *several, "--budget", "trial-7", "--json").out)
    run("budget", "create", "second", "--epsilon", "1")
    text = run("budget", "export", "--csv").out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["budget"], row["state"]) for row in rows] == [
        ("trial-7", "created"),
        ("trial-7", "released"),
        ("trial-7", "released"),
        ("second", "created"),
    ]
    assert [row["columns"] for row in rows[1:3]] == ["after - before", "before - after"]
    assert [float(row["statistic"]) for row in rows[1:3]] == [
        each["statistic"] for each in answer["outcomes"]
    ]
    assert {row["epsilon"] for row in rows[1:3]} == {"0.25"}
    assert [row["charged"] for row in rows] == ["0", "0.5", "", "0"]  # it adds up
    whole = run("budget", "export").out
    assert json.loads(whole)["complete"] is True
    part = json.loads(run("budget", "export", "second").out)
    assert [entry["budget"] for entry in part["entries"]] == ["second"]
    assert part["complete"] is False
    assert "987654" not in text + whole


@pytest.mark.usefixtures("trial")
def test_an_interrupted_charge_is_exported_without_results(run, study, monkeypatch):
    """It has a cost, and no numbers."""
    monkeypatch.setattr(door, "release_integer", lambda *_a, **_k: 1 / 0)
    run("test", study, *FINE, "--budget", "trial-7")
    *_, row = csv.DictReader(io.StringIO(run("budget", "export", "--csv").out))
    assert (row["state"], row["charged"], row["statistic"]) == ("interrupted", "0.5", "")


def test_a_ledger_without_budgets(run, ledger):
    """Whoever made it was interrupted: nothing to show, nothing wrong."""
    Ledger.open(ledger, create=True).close()
    assert "No budgets yet" in run("budget", "show").out
    assert json.loads(run("budget", "export").out)["entries"] == []
    assert run("budget", "export", "--csv").out.count("\n") == 1
    found = json.loads(run("budget", "verify", "--json").out)
    assert (found["sound"], found["entries"], found["head"]) == (True, 0, "0" * 64)


@pytest.mark.usefixtures("trial")
def test_verifying(run, study, ledger):
    """Sound alone and through a kept head; an edit is found, and the exit code is 1."""
    head = json.loads(run("budget", "show", "--json").out)["head"]
    run("test", study, *FINE, "--budget", "trial-7")
    assert "Sound: 3 entries." in run("budget", "verify").out
    assert "1 of them up to the head" in run("budget", "verify", "--head", head).out
    assert "0 of them up to the head" in run("budget", "verify", "--head", "0" * 64).out
    done = run("budget", "verify", "--head", "0" * 63 + "1")
    assert done.code == 1
    assert "does not go through the head" in done.out
    with closing(sqlite3.connect(ledger)) as raw, raw:
        raw.execute("DROP TRIGGER entries_are_not_changed")
        raw.execute("UPDATE entries SET recorded_at = 'never' WHERE sequence = 2")
    done = run("budget", "verify", "--json")
    found = json.loads(done.out)
    assert done.code == 1
    assert found["sound"] is False
    assert any(problem.startswith("Entry 2: its hash") for problem in found["problems"])


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize("command", group.COMMANDS)
def test_every_budget_command_is_documented_with_examples(run, command):
    """The page has a section for each, and its help shows how to call it."""
    assert f"`dpwilcoxon budget {command}" in DOCUMENTATION.read_text()
    out = run("budget", command, "--help").out
    assert f"  dpwilcoxon budget {command}" in out
    assert "\\b" not in out


def test_the_group_explains_itself(run):
    """Without a command there is help, as at the top."""
    assert run("budget").out == run("budget", "--help").out
    assert "A custodian's day" in run("budget").out


def test_python_and_the_command_line_ask_the_same_request(run, study, trial, ledger):
    """What one has paid for, the other gives back."""
    assert trial.code == 0
    named = ("--dataset", "bp", "--dataset-version", "2")
    released = json.loads(run("test", study, *FINE, "--budget", "trial-7", *named, "--json").out)
    with dpw.Budget.open(ledger, "trial-7") as budget:
        again = dpw.wilcoxon(
            [1, 2, 3, 4],
            epsilon="0.5",
            budget=budget,
            dataset=dpw.Dataset("bp", version="2"),
            columns=("after", "before"),
        )
    assert again.receipt.is_repeated
    assert again.statistic == released["statistic"]


@pytest.mark.usefixtures("trial")
def test_samples_read_in_python_are_known_to_the_command_line(run, tmp_path, ledger):
    """Units, filters and long tables: their options are written the same way."""
    path = tmp_path / "visits.csv"
    path.write_text("who,visit,sbp\na,v1,142\na,v2,131\na,v2,135\nb,v1,150\nb,v2,151\n")
    long = {"unit": "who", "condition": "visit", "levels": "v1,v2", "value": "sbp"}
    filtered = {"where": "sbp::INT > 1", "public_n": "2"}
    rules = {"aggregate": "mean", "missing_condition": "zero", **filtered}
    words = [
        word
        for name, value in (long | rules).items()
        for word in (f"--{name.replace('_', '-')}", value)
    ]
    named = ("--dataset", "visits", "--dataset-version", "1", "--budget", "trial-7")
    words[words.index("v1,v2")] = " v1, v2"  # blanks do not make another request
    told = json.loads(run("test", path, *words, *named, "--epsilon", "0.5", "--json").out)
    sample = dpw.read_pairs(path, **long, **{**rules, "public_n": 2})
    with dpw.Budget.open(ledger, "trial-7") as budget:
        trial = dpw.Dataset("visits", version="1")
        again = dpw.wilcoxon(sample, epsilon="0.5", budget=budget, dataset=trial)
    assert again.receipt.is_repeated
    assert again.statistic == told["statistic"]


@pytest.mark.usefixtures("trial")
def test_the_head_is_that_of_the_balances_shown(run, ledger, monkeypatch):
    """Also if another program charges between the two; the head kept would prove too much."""
    newest, head = Journal.newest, json.loads(run("budget", "show", "--json").out)["head"]

    def charge_first(journal):
        monkeypatch.setattr(Journal, "newest", newest)
        with dpw.Budget.open(ledger, "trial-7") as budget:
            dpw.wilcoxon([1, 2, 3], epsilon=1, budget=budget)
        return newest(journal)

    monkeypatch.setattr(Journal, "newest", charge_first)
    shown = json.loads(run("budget", "show", "trial-7", "--json").out)
    assert (shown["spent"], shown["head"]) == ("0", head)
    assert json.loads(run("budget", "show", "trial-7", "--json").out)["spent"] == "1"
