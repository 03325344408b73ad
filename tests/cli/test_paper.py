"""``paper list`` and ``paper run``, as somebody types them."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

from dpwilcoxon.paper.catalogue import ITEMS

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "command-line.md"


def test_list_names_every_item(run):
    """In words and as JSON, in the paper's order."""
    out = run("paper", "list").out
    assert all(name in out for name in ITEMS)
    listed = json.loads(run("paper", "list", "--json").out)["items"]
    assert [each["name"] for each in listed] == list(ITEMS)
    assert all(each["title"] and each["place"] for each in listed)


def test_run_says_how_the_printed_numbers_stand(run, tmp_path):
    """One line per item, and where to look."""
    done = run("paper", "run", "table-w", "figure-taxi", "--out", tmp_path, "--replicates", 20)
    assert (done.code, done.err) == (0, "")
    assert re.search(r"^table-w +13 ", done.out, re.MULTILINE)
    assert re.search(r"^figure-taxi +not measured", done.out, re.MULTILINE)
    assert "--generated-trips" in done.out
    assert str(tmp_path / "index.html") in done.out
    assert (tmp_path / "index.html").exists()


def test_run_as_json(run, tmp_path):
    """One object with every comparison and file."""
    words = ("--out", tmp_path, "--replicates", 20, "--seed", 5, "--jobs", 1, "--json")
    fields = json.loads(run("paper", "run", "table-pratt", *words).out)
    (item,) = fields["items"]
    assert fields["index"] == str(tmp_path / "index.html")
    assert item["missing"] is None
    assert "table-pratt.tex" in item["files"]
    assert {each["verdict"] for each in item["comparisons"]} == {"agrees"}


def test_made_up_trips_are_written_and_used(run, tmp_path):
    """The file is kept beside the results, and the item says what it is."""
    words = ("--generated-trips", "--out", tmp_path, "--replicates", 20, "--json")
    (item,) = json.loads(run("paper", "run", "figure-taxi", *words).out)["items"]
    assert item["missing"] is None
    assert item["comparisons"] == []
    assert (tmp_path / "generated_trips.csv").exists()
    trips = tmp_path / "generated_trips.csv"
    words = ("--trips", trips, "--out", tmp_path / "b", "--replicates", 20, "--json")
    again = run("paper", "run", "figure-taxi", *words)
    assert json.loads(again.out)["items"][0]["comparisons"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([], 2, "--all"),
        (["table-w", "--all"], 2, "--all"),
        (["table-x"], 2, "'table-x'"),
        (["table-w", "--quick", "--replicates", "9"], 2, "`quick`"),
        (["table-w", "--replicates", "1"], 2, "--replicates"),
        (["table-w", "--trips", "t.csv"], 2, "figure-taxi"),
        (["figure-taxi", "--trips", "t.csv", "--generated-trips"], 2, "either"),
        (["figure-taxi", "--trips", "nowhere.csv"], 1, "No such file"),
    ],
)
def test_mistakes_are_named_in_one_line(run, tmp_path, words, code, message):
    """Wrong usage is 2, a file that is not there 1; nothing is printed."""
    done = run("paper", "run", *words, "--out", tmp_path / "out")
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_person_sees_the_progress(run, tmp_path, monkeypatch):
    """Bars on standard error name the item and the simulation; --quiet has none."""
    for words, watched in (((), True), (("--quiet",), False)):
        terminal = io.StringIO()
        with monkeypatch.context() as patch:
            patch.setattr(terminal, "isatty", lambda: True)
            patch.setattr(sys, "stderr", terminal)
            patch.setenv("TERM", "xterm")
            done = run(
                *("paper", "run", "figure-qq", "--replicates", 50),
                *("--out", tmp_path / str(watched), *words),
            )
        assert done.code == 0
        assert ("figure-qq" in terminal.getvalue()) is watched
        assert ("500 pairs" in terminal.getvalue()) is watched


@pytest.mark.parametrize("command", ["list", "run"])
def test_help_and_page_have_examples(run, command):
    """As for every command."""
    assert f"  dpwilcoxon paper {command}" in run("paper", command, "--help").out
    assert "`dpwilcoxon paper" in DOCUMENTATION.read_text()
    assert "list" in run("paper", "--help").out
