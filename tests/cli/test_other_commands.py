"""``critical-value``, ``procedures``, ``demo``, help, version, and the exit codes."""

import json
from pathlib import Path

import pytest

import dpwilcoxon as dpw
from dpwilcoxon.cli import application, exits
from dpwilcoxon.errors import DataError, InternalError, InvalidArgument
from dpwilcoxon.parameters import Design
from dpwilcoxon.procedures.registry import PROCEDURES, get_private_procedure

SIMULATED = ("--method", "monte-carlo", "--draws", "1000")
DOCUMENTATION = Path(__file__).parents[2] / "docs" / "command-line.md"


def test_critical_values_are_those_of_the_library(run):
    """The command prints what `critical_value` computes; the paper has 1271 and 1.826."""
    fields = json.loads(run("critical-value", "--n", 100, "--epsilon", 1, "--json").out)
    assert fields["critical_value"] == dpw.critical_value(100, 1)
    assert abs(fields["critical_value"] - 1271) <= 2
    words = ["--normalized", "--alternative", "greater", "--json"]
    fields = json.loads(run("critical-value", "--n", 100, "--epsilon", 1, *words).out)
    assert abs(fields["critical_value"] - 1.826) <= 0.003


def test_critical_values_in_words(run):
    """The text names both sides, the level and the method."""
    out = run("critical-value", "--n", 100, "--epsilon", "0.5").out
    assert "upwards or from -" in out
    assert "exact" in out
    assert "100 pairs" in out
    assert "beware" not in out
    of_one = run("critical-value", "--n", 1, "--epsilon", 1).out
    assert "epsilon 1, 1 pair\n" in of_one
    assert "without noise no statistic exceeds 1.0" in of_one


@pytest.mark.parametrize("test", ["pratt", "sign", "capped"])
@pytest.mark.parametrize("method", ["exact", "normal-laplace"])
def test_a_printed_critical_value_is_significant(run, test, method):
    """Not rounded to one that is not, and the statistic before it is none."""
    words = ("--n", 13, "--epsilon", 1, "--procedure", test, "--method", method)
    printed = float(run("critical-value", *words).out.split()[2])
    options = {"n": 13, "epsilon": 1, "procedure": test, "method": method}
    assert dpw.pvalue(printed, **options) <= 0.05
    lattice = get_private_procedure(test).score(Design.parse(13, 1)).lattice
    assert dpw.pvalue(printed - 1 / lattice, **options) > 0.05


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--n", "0", "--epsilon", "1"], "`n`"),
        (["--n", "10", "--epsilon", "0"], "`epsilon`"),
        (["--n", "10", "--epsilon", "1", "--alpha", "1"], "`alpha`"),
        (["--n", "10", "--epsilon", "1", "--procedure", "public"], "studies only"),
        (["--epsilon", "1"], "--n"),
        (["--n", "ten", "--epsilon", "1"], "--n"),
        (["--n", "10", "--epsilon", "1", "--epsilon", "5"], "--epsilon is given 2 times"),
        (
            ["--n", "9", "--epsilon", "1", "--alpha", "1e-7", *SIMULATED],
            "`draws` 1,000 are too few",
        ),
    ],
)
def test_impossible_critical_values_are_wrong_usage(run, words, message):
    """One line, exit code 2."""
    done = run("critical-value", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_simulated_critical_values_repeat_with_their_seed(run):
    """--draws and --seed belong to the simulation."""
    words = ["--n", 20, "--epsilon", 1, "--method", "monte-carlo", "--draws", 5000, "--seed", 7]
    assert run("critical-value", *words).out == run("critical-value", *words).out


def test_procedures_lists_the_registry(run):
    """Every test, and whether it may release."""
    listed = json.loads(run("procedures", "--json").out)["procedures"]
    assert {each["name"]: each["can_release"] for each in listed} == {
        name: procedure.releasable for name, procedure in PROCEDURES.items()
    }
    assert "studies only" in run("procedures").out


def test_the_demo_tells_the_story_and_labels_what_is_not_private(run):
    """The private answer, the public one with its warning, and what to do next."""
    out = run("demo").out
    for part in ("p-value", "NOT PRIVATE", "synthetic", "dpwilcoxon test"):
        assert part in out
    fields = json.loads(run("demo", "--epsilon", "0.1", "--json").out)
    assert fields["private"]["epsilon_exact"] == "0.1"
    assert set(fields["public_not_private"]) == {"statistic", "pvalue"}


def test_version_and_help(run):
    """Both answer at once and exit with 0; no command at all shows the help."""
    assert run("--version").out.strip() == f"dpwilcoxon {dpw.__version__}"
    assert run().out == run("--help").out
    assert run("tset").code == 2


def test_a_shell_can_complete_what_is_typed(run, monkeypatch):
    """Commands and options, in the way in which bash asks."""
    monkeypatch.setenv("_DPWILCOXON_COMPLETE", "complete_bash")
    for words, answer in (("dpwilcoxon te", "test"), ("dpwilcoxon test --alt", "--alternative")):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
        assert run() == (0, f"{answer}\n", "")


@pytest.mark.parametrize("command", application._COMMANDS)
def test_every_command_is_documented_with_examples(run, command):
    """The page has a section for each, and its help shows how to call it."""
    assert f"## `dpwilcoxon {command}`" in DOCUMENTATION.read_text()
    out = run(command, "--help").out
    assert f"  dpwilcoxon {command}" in out
    assert "\\b" not in out


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidArgument("no"), 2),
        (DataError("no"), 1),
        (InternalError("no"), 3),
        (KeyboardInterrupt(), 130),
        (MemoryError(), 1),
        (ZeroDivisionError("987654.321"), 3),
    ],
)
def test_every_error_has_its_exit_code_and_no_traceback(capfd, error, code):
    """Whose fault it is decides the code; an unforeseen error does not quote its message."""

    def fail():
        raise error

    assert exits.exit_code_of(fail) == code
    err = capfd.readouterr().err
    assert err.startswith("dpwilcoxon: error: ")
    assert err.count("\n") == 1
    assert "987654" not in err


def test_a_traceback_is_shown_on_request_only(capfd, monkeypatch):
    """It can show data, so it takes an environment variable."""
    monkeypatch.setenv(exits.DEBUG_VARIABLE, "1")

    def fail():
        raise ZeroDivisionError

    assert exits.exit_code_of(fail) == 3
    assert "Traceback" in capfd.readouterr().err
