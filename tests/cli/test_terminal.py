"""What a person at a terminal sees, and what a pipe, a narrow window or Ctrl-C changes."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys

import pytest

from dpwilcoxon import cli
from dpwilcoxon.cli import demo, exits
from dpwilcoxon.sources import samples

FINE = ("--before", "before", "--after", "after", "--epsilon", "1")
SIMULATE = ("--method", "monte-carlo", "--draws", "200000", "--seed", "1")


@pytest.fixture
def watch(monkeypatch):
    """Put standard error on a terminal; in the test, since pytest changes it before."""

    def watch_now() -> io.StringIO:
        terminal = io.StringIO()
        monkeypatch.setattr(terminal, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setenv("TERM", "xterm")
        return terminal

    return watch_now


def test_a_simulation_shows_its_progress(run, study, watch):
    """A bar on standard error, gone in the end; the answer is untouched by it."""
    watched = watch()
    done = run("test", study, *FINE, *SIMULATE, "--json")
    assert "Simulating chance" in watched.getvalue()
    assert json.loads(done.out)["method"] == "monte-carlo"
    assert run("critical-value", "--n", 9, "--epsilon", 1, *SIMULATE, "--json").code == 0


def test_reading_is_shown_to_whoever_watches(run, study, watch):
    """Without a simulation there is no bar, only a word about what takes its time."""
    watched = watch()
    assert run("test", study, *FINE).code == 0
    assert "Reading the data" in watched.getvalue()
    assert "Simulating" not in watched.getvalue()


def test_quiet_is_quiet(run, study, watch):
    """--quiet leaves standard error empty, on a terminal too."""
    watched = watch()
    report = study.parent / "r.html"
    assert run("test", study, *FINE, *SIMULATE, "--quiet", "--report", report).code == 0
    assert watched.getvalue() == ""


def test_a_pipe_sees_no_progress_but_the_note_about_a_report(run, study):
    """Nobody watches a pipe; where the report is, is worth a line."""
    done = run("test", study, *FINE, *SIMULATE, "--report", study.parent / "r.html")
    assert done.err == f"dpwilcoxon: report written to {study.parent / 'r.html'}\n"


@pytest.mark.parametrize("columns", ["30", "60", "200"])
def test_the_demo_fits_any_width(run, monkeypatch, columns):
    """Prose is wrapped to the window, blocks keep their lines, and nothing is coloured."""
    monkeypatch.setenv("COLUMNS", columns)
    out = run("demo").out
    blocks = out.split("\n\n")
    prose = [block for block in blocks if "\n  " not in block]  # the others are laid out
    assert len(prose) > 8
    widest = max(len(line.rstrip()) for block in prose for line in block.splitlines())
    assert widest <= min(int(columns), 88)
    assert "\x1b" not in out
    assert out.isascii()
    assert run("procedures").code == 0


def test_the_demo_reads_the_same_file_for_both_answers(run, monkeypatch):
    """At next to no noise the private statistic is the public one."""
    fields = json.loads(run("demo", "--epsilon", "1000000", "--json").out)
    public = fields["public_not_private"]
    assert fields["private"]["statistic"] == public["statistic"]
    assert public["pvalue"] < 1e-9
    monkeypatch.chdir("/")
    assert demo.BEFORE in run("demo").out


def test_an_interruption_in_a_command(run, study, monkeypatch):
    """Ctrl-C ends with one line and its own code."""

    def interrupt(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(samples, "open_table", interrupt)
    done = run("test", study, *FINE)
    assert (done.code, done.out, done.err) == (130, "", "dpwilcoxon: error: interrupted.\n")
    monkeypatch.setattr(exits, "exit_code_of", interrupt)
    assert cli.main(["--version"]) == 130


def test_ctrl_c_while_standard_input_is_read():
    """A signal to a process that waits for its data ends it with one line."""
    words = ["-m", "dpwilcoxon", "test", "-", "--difference", "d", "--epsilon", "1"]
    process = subprocess.Popen(
        [sys.executable, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write("d\n" + "1\n" * 500_000)  # returns when most of it has been read
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "dpwilcoxon: error: interrupted.\n")


@pytest.mark.parametrize("failure", [BrokenPipeError, lambda: SystemExit(1), lambda: SystemExit])
def test_a_reader_that_goes_away_is_no_error_to_talk_about(capfd, failure, monkeypatch):
    """Nothing is printed, and what is still to be printed goes nowhere."""
    monkeypatch.setattr(sys, "stdout", sys.stdout)  # both are replaced by the code under test
    monkeypatch.setattr(sys, "stderr", sys.stderr)

    def fail():
        raise failure()

    code, replaced = exits.exit_code_of(fail), sys.stdout
    monkeypatch.undo()
    if replaced is not sys.stdout:
        replaced.close()
    assert code == 1
    assert capfd.readouterr() == ("", "")


def test_nobody_may_listen_to_errors_either(monkeypatch):
    """A closed standard error does not change the exit code."""

    class Closed(io.StringIO):
        def write(self, _text):
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys, "stderr", Closed())
    code = cli.main(["test", "none.csv", *FINE])
    sys.stderr.close()
    assert code == 1
