"""Answers that cannot be shown: nothing is drawn for them, or it is said where they are."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

import dpwilcoxon as dpw

FINE = ("--before", "before", "--after", "after", "--epsilon", "0.1")
FULL = Path("/dev/full")


@pytest.fixture
def ledger(tmp_path, monkeypatch):
    """A budget of 1 in a ledger that commands find by themselves."""
    path = tmp_path / "ledger.db"
    monkeypatch.setenv("DPWILCOXON_LEDGER", str(path))
    dpw.Budget.create(path, "a", epsilon=1).close()
    return path


def run_to(place, *words, **variables):
    """Run a command with its standard output there."""
    command = [sys.executable, "-m", "dpwilcoxon", *map(str, words)]
    environment = {**os.environ, **variables}
    with place.open("w") as out:
        return subprocess.run(
            command, stdout=out, stderr=subprocess.PIPE, text=True, env=environment, check=False
        )


@pytest.mark.skipif(not FULL.exists(), reason="a device that is always full is Linux's")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_full_disk_loses_no_answer(study, ledger, form):
    """One line that says what was spent and where the answer is; it is where it says."""
    charged = run_to(FULL, "test", study, *FINE, "--budget", "a", *form)
    assert charged.returncode == 1
    assert charged.stderr.count("\n") == 1
    assert "No space left" in charged.stderr
    assert "its answer is entry 2 of the budget 'a'" in charged.stderr
    with dpw.Budget.open(ledger, "a") as budget:
        assert [line.state.value for line in budget.history()] == ["created", "released"]
    plain = run_to(FULL, "test", study, *FINE, *form)
    assert "its epsilon is spent" in plain.stderr
    several = run_to(FULL, "test", study, "--outcome", "before:after", *FINE[4:], "--budget", "a")
    assert "entry 4 of the budget 'a'" in several.stderr


def test_nothing_is_drawn_for_a_closed_output(study, ledger):
    """Found out first; and without standard error, commands work all the same."""
    command = f"{sys.executable} -m dpwilcoxon test {study} {' '.join(FINE)} --budget a"
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} >&-"], stderr=subprocess.PIPE, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "Standard output is closed" in done.stderr
    with dpw.Budget.open(ledger, "a") as budget:
        assert budget.spent == 0
    quiet = subprocess.run(
        ["/bin/sh", "-c", f"{command} 2>&-"], stdout=subprocess.PIPE, check=False
    )
    assert quiet.returncode == 0
    assert quiet.stdout


def test_letters_that_an_output_does_not_know(tmp_path):
    """They become question marks; the command does not end over them."""
    path = tmp_path / "list.txt"
    done = run_to(path, "paper", "list", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "figure-compare-eps1" in path.read_text()


def test_an_interrupted_p_value_says_where_its_statistic_is(run, study, ledger, monkeypatch):
    """Ctrl-C after the draw: what was paid for is recorded, and named."""

    def interrupt(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("dpwilcoxon.release.PreparedRelease.analyse", interrupt)
    done = run("test", study, *FINE, "--budget", "a")
    assert done.code == 130
    assert "What was drawn is charged, and recorded as entry 2 of the budget 'a'" in done.err
    several = run("test", study, "--outcome", "before:after", *FINE[4:], "--budget", "a")
    assert (several.code, "as entry 4 of" in several.err) == (130, True)
    with dpw.Budget.open(ledger, "a") as budget:
        assert len(budget.history()) == 3


def test_a_folder_that_may_not_be_entered(run, study, tmp_path, monkeypatch):
    """The reason of the system, told here since root may enter every folder; not a bug of ours."""
    denied = PermissionError(errno.EACCES, "Permission denied")
    monkeypatch.setattr("dpwilcoxon.cli.report_file.Path.is_dir", Mock(side_effect=denied))
    done = run("test", study, *FINE, "--report", tmp_path / "r.html")
    assert done.code == 1
    assert "cannot be written: Permission denied. Nothing was drawn." in done.err


def test_a_name_that_is_too_long(run, study, tmp_path):
    """The system's reason, before anything is drawn."""
    done = run("test", study, *FINE, "--report", tmp_path / f"{'r' * 300}.html")
    assert done.code == 1
    assert "File name too long" in done.err
    assert "Nothing was drawn" in done.err


@pytest.mark.parametrize(("epsilon", "told"), [("4.59", ""), ("4.6", "99.5 times"), ("1e9", "e^")])
def test_an_epsilon_that_protects_nobody_is_remarked_upon(run, study, epsilon, told):
    """Before anything is drawn, and as a note: it is the custodian's decision."""
    done = run("test", study, *FINE[:4], "--epsilon", epsilon, "--check")
    assert done.code == 0
    assert ("protects individuals little" in done.err) is bool(told)
    assert told in done.err
    assert run("test", study, *FINE[:4], "--epsilon", epsilon, "--check", "--quiet").err == ""
