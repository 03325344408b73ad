"""``dpwilcoxon test --budget``, and several outcomes at once."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from fractions import Fraction

import pytest

import dpwilcoxon as dpw
from dpwilcoxon import release as door
from dpwilcoxon.cli import charging, several
from dpwilcoxon.parameters import Epsilon

FINE = ("--before", "before", "--after", "after", "--epsilon", "0.5")
NAMED = ("--dataset", "bp", "--dataset-version", "1")
BOTH = ("--outcome", "before:after", "--outcome", "after:before", "--epsilon", "0.5")


@pytest.fixture
def charged(tmp_path):
    """The options that charge a budget of 1."""
    path = tmp_path / "ledger.db"
    dpw.Budget.create(path, "trial-7", epsilon=1).close()
    return "--budget", "trial-7", "--ledger", str(path)


def left(charged):
    """What is left of the budget."""
    with dpw.Budget.open(charged[3], charged[1]) as budget:
        return budget.remaining


def test_a_test_is_charged_and_says_so(run, study, charged):
    """In words, and in the fields of the object."""
    done = run("test", study, *FINE, *charged)
    assert "trial-7: charged 0.5, 0.5 of 1 left  (entry 2)" in done.out
    assert done.err == ""
    fields = json.loads(run("test", study, *FINE, *charged, "--json").out)["budget"]
    assert (fields["name"], fields["charged"], fields["remaining"]) == ("trial-7", "0.5", "0")
    assert (fields["repeated"], fields["interrupted_before"]) == (False, None)
    assert json.loads(run("test", study, *FINE, "--json").out)["budget"] is None


def test_an_exhausted_budget_is_an_expected_failure(run, study, charged, request):
    """Exit code 1 and one line, before the data is even read; --check says the same."""
    run("test", study, *FINE, *charged)
    run("test", study, *FINE, *charged)
    request.getfixturevalue("no_draw")
    for words in ((), ("--check",)):
        done = run("test", "no-such-file.csv", *FINE, *charged, *words)
        assert (done.code, done.out) == (1, "")
        assert "epsilon 0.5 was requested, and 0 of 1 is left" in done.err
        assert done.err.count("\n") == 1


@pytest.mark.usefixtures("no_draw")
def test_check_says_what_it_would_cost_and_spends_nothing(run, study, charged):
    """For one outcome and for several, in words and as an object."""
    done = run("test", study, *FINE, *charged, "--check")
    assert "trial-7: this costs 0.5; 1 of 1 is left" in done.out
    fields = json.loads(run("test", study, *BOTH, *charged, "--check", "--json").out)
    assert fields["budget"]["cost"] == "0.5"
    assert [each["epsilon_exact"] for each in fields["outcomes"]] == ["0.25", "0.25"]
    assert "together" in run("test", study, *BOTH, "--check").out
    assert left(charged) == 1


def test_check_says_that_an_interrupted_request_is_paid_again(run, study, charged, monkeypatch):
    """In words as in the object."""
    with monkeypatch.context() as patch:
        patch.setattr(door, "release_integer", lambda *_a, **_k: 1 / 0)
        run("test", study, *FINE, *NAMED, *charged)
    told = run("test", study, *FINE, *NAMED, *charged, "--check").out
    assert "an identical request (entry 2) was charged before, and interrupted" in told


def test_asking_again_is_free_and_noted(run, study, charged, monkeypatch):
    """The same command gives the same numbers; --check knows beforehand; --fresh pays."""
    first = json.loads(run("test", study, *FINE, *NAMED, *charged, "--json").out)
    with monkeypatch.context() as patch:
        patch.setattr(door, "release_integer", lambda *_a, **_k: pytest.fail("drawn"))
        done = run("test", study, *FINE, *NAMED, *charged, "--json")
        assert json.loads(done.out)["statistic"] == first["statistic"]
        assert "is given again: nothing was drawn or charged" in done.err
        assert run("test", study, *FINE, *NAMED, *charged, "--quiet").err == ""
        checked = run("test", study, *FINE, *NAMED, *charged, "--check").out
        assert "the answer is recorded, so it is free" in checked
    assert left(charged) == Fraction(1, 2)
    run("test", study, *FINE, *NAMED, *charged, "--fresh")
    assert left(charged) == 0
    assert run("test", study, *FINE, *NAMED, *charged).code == 0


@pytest.mark.parametrize(
    "change",
    [
        ["--missing", "zero"],
        ["--resolution", "0.1"],
        ["--epsilon", "0.4"],
        ["--dataset-version", "2"],
        ["--after", "person"],
    ],
)
def test_another_request_is_charged(run, tmp_path, charged, replaced, change):
    """Whatever decides which pairs are tested is part of the request."""
    path = tmp_path / "numbers.csv"
    path.write_text("before,after,person\n1,3,1\n2,5,2\n9,1,3\n")
    run("test", path, *FINE, *NAMED, *charged)
    before = left(charged)
    assert run("test", path, *replaced([*FINE, *NAMED], change), *charged).code == 0
    assert left(charged) < before


def test_how_it_is_read_or_shown_does_not_make_another_request(run, study, charged, monkeypatch):
    """Alternative, method, report, format: computed from the recorded number."""
    run("test", study, *FINE, *NAMED, *charged)
    before = left(charged)
    page = study.parent / "r.html"
    words = ("--alternative", "less", "--method", "normal-laplace", "--format", "csv")
    done = run("test", study, *FINE, *NAMED, *charged, *words, "--report", page, "--json")
    assert json.loads(done.out)["alternative"] == "less"
    assert page.exists()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(study.read_bytes())))
    simulated = ("--method", "monte-carlo", "--draws", "1000", "--seed", "1")
    assert run("test", "-", *FINE, *NAMED, *charged, *simulated).code == 0
    assert left(charged) == before


def test_an_option_nobody_thought_of_is_part_of_the_request():
    """A future option that chooses pairs makes another request, so no answer is mistaken."""

    @dataclass
    class Later:
        where: list[str] | None = None
        unit: str | None = None
        rule: str = "raise"
        weeks: int = 8
        all: bool = True
        json: bool = False

    typed = Later(where=["a"], weeks=9, all=False, json=True)
    told = charging._options_about_the_pairs(typed)
    assert told == {"where": '["a"]', "weeks": "9", "all": "False"}


def test_other_rows_and_other_units_are_other_requests(run, tmp_path, charged):
    """A filter, a unit, an aggregate; also with several outcomes; and the same again is free."""
    path = tmp_path / "visits.csv"
    path.write_text("who,before,after\n1,1,3\n1,2,5\n2,9,1\n3,4,4\n")
    base = (*FINE[:4], "--epsilon", "0.1", *NAMED, *charged)
    several_of_units = ("--outcome", "before:after", "--outcome", "after:before")
    units = ("--unit", "who", "--aggregate", "mean")
    for words in (
        base,
        (*base, *units),
        (*base, "--unit", "who", "--aggregate", "max"),
        (*base, "--where", "who::INT > 1", "--public-n", "2"),
        (*several_of_units, "--epsilon", "0.1", *units, *NAMED, *charged),
    ):
        before = left(charged)
        assert run("test", path, *words).code == 0
        assert left(charged) == before - Fraction(1, 10)
        assert run("test", path, *words, "--missing-condition", "raise").code == 0
        assert left(charged) == before - Fraction(1, 10)


def test_a_repetition_after_an_interruption_pays_again_and_says_so(
    run, study, charged, monkeypatch
):
    """The first charge stands; the note names its entry."""
    with monkeypatch.context() as patch:
        patch.setattr(door, "release_integer", lambda *_a, **_k: 1 / 0)
        assert run("test", study, *FINE, *NAMED, *charged).code == 3
    done = run("test", study, *FINE, *NAMED, *charged)
    assert "an identical request (entry 2) was charged before, and interrupted" in done.err
    assert left(charged) == 0


@pytest.mark.usefixtures("no_draw")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--fresh"], "`fresh`"),
        (NAMED, "`dataset`"),
        (["--ledger", "x.db"], "`ledger`"),
        (["--dataset", "bp"], "belong together"),
        (["--dataset-version", "2"], "belong together"),
    ],
)
def test_options_without_a_budget_are_refused(run, study, words, message):
    """They would silently do nothing."""
    done = run("test", study, *FINE, *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.usefixtures("no_draw")
def test_a_budget_that_is_not_there_is_named(run, study, charged, tmp_path):
    """Nothing is made by asking."""
    assert "'trial-8'" in run("test", study, *FINE, "--budget", "trial-8", *charged[2:]).err
    nowhere = ("--budget", "trial-7", "--ledger", tmp_path / "none.db")
    assert "budget create" in run("test", study, *FINE, *nowhere).err
    assert not (tmp_path / "none.db").exists()


def test_several_outcomes_cost_one_charge(run, study, charged):
    """Raw and adjusted p-values; the statistics are each other's negatives without noise."""
    done = run("test", study, *BOTH, *charged)
    assert "after - before" in done.out
    assert "adjusted" in done.out
    assert "charged 0.5 for 2 outcomes, 0.5 of 1 left" in done.out
    words = ("--outcome", "before:after:100000", "--outcome", "after:before:100000")
    exact = json.loads(run("test", study, *words, "--epsilon", "200000", "--json").out)
    assert [each["statistic"] for each in exact["outcomes"]] == [-10, 10]
    assert exact["budget"] is None
    for each in exact["outcomes"]:
        assert each["adjusted_pvalue"] >= each["pvalue"]


def test_several_outcomes_from_standard_input(run, study, monkeypatch):
    """It is read once."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(study.read_bytes())))
    assert len(json.loads(run("test", "-", *BOTH, "--json").out)["outcomes"]) == 2


@pytest.mark.usefixtures("no_draw")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--outcome", "before"], "BEFORE:AFTER"),
        (["--outcome", "before:after:0.1:x"], "BEFORE:AFTER"),
        (["--outcome", "before::0.1"], "BEFORE:AFTER"),
        (["--outcome", "before:after:zero"], "`epsilon`"),
        (["--outcome", "before:before"], "same column"),
        (["--outcome", "before:after", "--outcome", "before:after"], "given twice"),
        (["--outcome", "before:after:0.1"], "is not the same"),
        (["--outcome", "before:after:0.5", "--outcome", "after:before"], "nothing for the others"),
        (["--outcome", "before:after", "--before", "before"], "`before`"),
        (["--outcome", "before:after", "--report", "r.html"], "`report`"),
    ],
)
def test_outcomes_that_cannot_be(run, study, words, message):
    """Wrong usage, in one line."""
    done = run("test", study, "--epsilon", "0.5", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_shares_as_given_and_the_rest_evenly():
    """A part for one, the rest for the others, exactly."""
    outcomes = [several.Outcome.parse(each) for each in ("a:b:1/3", "c:d", "e:f")]
    shares = several.split(Epsilon.parse(1), outcomes)
    assert [share.exact for share in shares] == [Fraction(1, 3)] * 3


@pytest.mark.usefixtures("no_draw")
def test_outcomes_that_would_be_called_the_same_are_refused(run, tmp_path):
    """Their answers could not be told apart; expressions are bracketed, so few are."""
    path = tmp_path / "odd.csv"
    path.write_text("a -,b,a,- b\n1,2,3,4\n5,6,7,9\n")
    done = run("test", path, "--outcome", "b:a -", "--outcome", "- b:a", "--epsilon", "1")
    assert (done.code, done.out) == (2, "")
    assert "Two of the `outcome` are called 'a - - b'" in done.err
