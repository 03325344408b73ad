"""A budget as Python sees it: exact amounts, refusals, free repetitions, and a full story."""

from __future__ import annotations

import pickle
import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

import dpwilcoxon as dpw
from dpwilcoxon import release as door
from dpwilcoxon.ledger.composition import Balance
from dpwilcoxon.parameters import Alternative
from dpwilcoxon.procedures.registry import PROCEDURES
from dpwilcoxon.release import PreparedRelease


@pytest.fixture
def budget(path):
    """A budget of 1 in a file."""
    with dpw.Budget.create(path, "trial-7", epsilon=1, description="Blood pressure") as made:
        yield made


@pytest.fixture
def no_draw(monkeypatch):
    """Make any draw of private noise a failure of the test."""

    def allow_nothing(*_args, **_options):
        pytest.fail("private noise was drawn")

    return lambda: monkeypatch.setattr(door, "release_integer", allow_nothing)


def test_a_tenth_ten_times_leaves_exactly_nothing(budget, ask, no_draw):
    """0.1 ten times from 1 leaves 0; the eleventh is refused with exact numbers, undrawn."""
    for _ in range(10):
        ask(budget)
    assert (budget.total, budget.spent, budget.remaining) == (1, 1, 0)
    no_draw()
    with pytest.raises(
        dpw.InsufficientBudget, match=r"epsilon 0\.1 was requested, and 0 of 1"
    ) as no:
        ask(budget)
    refused = no.value
    assert (refused.budget, refused.requested) == ("trial-7", Fraction(1, 10))
    assert (refused.remaining, refused.total) == (0, 1)
    assert len(budget.history()) == 11


def test_amounts_stay_exact_however_small_or_odd(budget, ask):
    """A third is a third, and 1e-30 is not lost beside 1."""
    ask(budget, epsilon="1/3")
    ask(budget, epsilon=Fraction(1, 3))
    assert budget.remaining == Fraction(1, 3)
    with pytest.raises(dpw.InsufficientBudget):
        ask(budget, epsilon="0.333333333333333333333333333334")
    ask(budget, epsilon="1/3")
    assert budget.remaining == 0


def test_refusals_survive_being_sent_between_processes():
    """Pools of workers pickle exceptions; the attributes arrive."""
    with dpw.Budget.temporary(1) as budget, pytest.raises(dpw.InsufficientBudget) as no:
        dpw.wilcoxon([1, 2], epsilon=2, budget=budget)
    copy = pickle.loads(pickle.dumps(no.value))  # noqa: S301 - our own bytes
    assert (str(copy), copy.requested, copy.remaining) == (str(no.value), 2, 1)


def test_asking_again_is_free(budget, ask, declared, no_draw):
    """The same request on the same declared data gives the recorded release, and says so."""
    first = ask(budget, **declared)
    no_draw()
    again = ask(budget, **declared)
    assert again.released == first.released
    assert again.pvalue == first.pvalue
    assert not first.receipt.is_repeated
    assert again.receipt.is_repeated
    assert again.receipt.charged == 0
    assert again.receipt.hash == first.receipt.hash
    assert "given again at no charge" in str(again)
    assert budget.spent == Fraction("0.1")


@pytest.mark.parametrize(
    "procedure", [name for name, each in PROCEDURES.items() if each.releasable]
)
def test_every_private_test_is_given_back_as_it_was(budget, ask, declared, procedure):
    """Lattice, noise and p-value of each procedure survive being written down."""
    first, again = (ask(budget, procedure=procedure, **declared) for _ in range(2))
    assert replace(again, receipt=None) == replace(first, receipt=None)
    assert again.receipt.is_repeated


def test_another_question_of_the_same_number_is_free(budget, ask, declared, no_draw):
    """Alternative and method are post-processing: the p-value is that of the recorded number."""
    first = ask(budget, **declared)
    no_draw()
    again = ask(budget, alternative="less", method="normal-laplace", **declared)
    assert again.released == first.released
    assert again.alternative is Alternative.LESS
    assert again.pvalue == pytest.approx(
        dpw.pvalue(first.statistic, 5, "0.1", alternative="less", method="normal-laplace"),
        rel=1e-12,
    )


@pytest.mark.parametrize(
    "change",
    [
        {"epsilon": "0.2"},
        {"missing": "zero"},
        {"resolution": "0.5"},
        {"columns": ("after", "baseline")},
        {"columns": ("before", "after")},
        {"dataset": dpw.Dataset("trial", version="2")},
        {"dataset": dpw.Dataset("other", version="1")},
        {"fresh": True},
        {"dataset": None},
    ],
)
def test_another_request_is_charged(budget, ask, declared, change):
    """Whatever changes the number that would be drawn makes it another request."""
    ask(budget, **declared)
    assert ask(budget, **{**declared, **change}).receipt.charged > 0


def test_the_same_number_written_otherwise_is_the_same_request(budget, ask, declared):
    """0.1, "0.10" and 1/10 are one epsilon and one resolution."""
    ask(budget, epsilon=0.1, resolution="0.10", **declared)
    again = ask(budget, epsilon=Fraction(1, 10), resolution=0.1, **declared)
    assert again.receipt.is_repeated


def test_after_a_fresh_draw_the_newest_answer_is_given(budget, ask, declared):
    """`fresh` pays for another draw, which takes the place of the first."""
    ask(budget, **declared)
    fresh = ask(budget, fresh=True, **declared)
    assert fresh.receipt.charged == Fraction("0.1")
    assert ask(budget, **declared).receipt.hash == fresh.receipt.hash


def test_data_that_changed_its_size_is_another_version(budget, ask, declared, no_draw):
    """The number of pairs is public; if it differs, the recorded answer is of other data."""
    ask(budget, **declared)
    no_draw()
    with pytest.raises(dpw.DataError, match="another version"):
        dpw.wilcoxon([1, 2], epsilon="0.1", budget=budget, **declared)


def test_a_budget_keeps_its_own_answers(path, budget, ask, declared):
    """What another budget has paid for is not given away on this one."""
    ask(budget, **declared)
    with dpw.Budget.create(path, "other", epsilon=1) as other:
        assert ask(other, **declared).receipt.charged > 0
        assert (budget.remaining, other.remaining) == (Fraction("0.9"), Fraction("0.9"))


def test_an_interrupted_release_stays_charged_and_is_said(budget, ask, declared, monkeypatch):
    """Without a result it is interrupted; asking again has to pay again, and says so."""

    def fail(*_args, **_options):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(door, "release_integer", fail)
        with pytest.raises(KeyboardInterrupt):
            ask(budget, **declared)
    states = [line.state.value for line in budget.history()]
    assert states == ["created", "interrupted"]
    assert budget.spent == Fraction("0.1")
    again = ask(budget, **declared)
    assert again.receipt.interrupted_before == 2
    assert budget.spent == Fraction("0.2")
    assert budget.verify().is_sound


def test_nothing_is_charged_if_the_noise_could_not_be_drawn(budget, ask, monkeypatch):
    """A sampler that does not load, or states too large a loss, fails before the charge."""

    def fail(*_args, **_options):
        raise ImportError

    monkeypatch.setattr(door, "check_release", fail)
    with pytest.raises(ImportError):
        ask(budget)
    assert len(budget.history()) == 1


def test_a_number_that_was_drawn_is_kept_even_if_its_pvalue_was_interrupted(
    budget, ask, declared, monkeypatch, no_draw
):
    """It is paid for and recorded; asking again computes the p-value, and costs nothing."""

    def fail(*_args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(door.PreparedRelease, "analyse", fail)
        with pytest.raises(KeyboardInterrupt):
            ask(budget, **declared)
    (line,) = budget.history()[1:]
    assert line.state.value == "released"
    assert line.answer.plain["results"][0]["log_pvalue"] is None
    no_draw()
    again = ask(budget, **declared)
    assert again.receipt.is_repeated
    assert again.released == line.answer.plain["results"][0]["released"]
    assert again.pvalue == pytest.approx(dpw.pvalue(again.statistic, 5, "0.1"), rel=1e-12)
    assert budget.verify().is_sound


def test_the_history_tells_what_happened_and_nothing_of_the_data(budget, ask, declared):
    """Dataset, columns, procedure, parameters, software; the release; and no data value."""
    result = ask(budget, epsilon="0.25", alternative="less", **declared)
    created, released = (line.to_dict() for line in budget.history())
    assert created["description"] == "Blood pressure"
    assert released["event"] == {
        "dataset": {"name": "trial", "version": "1"},
        "reading": {"missing": "raise"},
        "procedure": "pratt",
        "outcomes": [{"columns": ["after", "before"], "epsilon": "0.25"}],
        "analysis": {"alternative": "less", "method": "auto"},
        "software": f"dpwilcoxon {dpw.__version__}",
    }
    (recorded,) = released["results"]
    assert recorded["released"] == result.released
    assert recorded["n"] == 5
    assert (released["charged"], released["remaining"]) == ("0.25", "0.75")


def test_a_budget_can_only_be_raised_and_says_why(budget, ask):
    """Raising is recorded with its reason; lowering and repeating are refused."""
    ask(budget, epsilon=1)
    budget.raise_total("1.5", reason="second round, decision 12 of the board")
    assert (budget.total, budget.remaining) == (Fraction(3, 2), Fraction(1, 2))
    assert budget.history()[-1].to_dict()["reason"].startswith("second round")
    for total in (1, "1.5"):
        with pytest.raises(dpw.InvalidArgument, match="only be raised"):
            budget.raise_total(total, reason="no")
    with pytest.raises(dpw.InvalidArgument, match="`reason`"):
        budget.raise_total(2, reason=" ")


def test_names_are_used_once_and_must_be_names(path, budget):
    """A second budget of a name is refused, and so are names that cannot be printed."""
    with pytest.raises(dpw.BudgetExists, match="trial-7"):
        dpw.Budget.create(path, "trial-7", epsilon=5)
    for name in ("", "two\nlines", "x" * 201, 7):
        with pytest.raises(dpw.InvalidArgument, match="name of a budget"):
            dpw.Budget.create(path, name, epsilon=5)
    with pytest.raises(dpw.UnknownBudget, match="'trial-7'"):
        dpw.Budget.open(path, "trial-8")
    assert repr(budget) == f"<Budget 'trial-7' in {str(path)!r}>"
    assert str(budget) == "trial-7: 1 of 1 left"


@pytest.mark.parametrize(
    "options",
    [
        {"fresh": True},
        {"dataset": dpw.Dataset("a", version="1"), "columns": ("change",)},
        {"columns": "change"},
    ],
)
def test_declarations_without_a_budget_are_refused(options):
    """They would silently do nothing."""
    with pytest.raises(dpw.InvalidArgument, match="`budget`"):
        dpw.wilcoxon([1, 2, 3], epsilon=1, **options)


def test_a_dataset_is_declared_in_words(budget, ask, declared):
    """A name, a version and columns; anything less could not be found again, and is refused."""
    with pytest.raises(dpw.InvalidArgument, match="Dataset"):
        ask(budget, dataset="trial", columns=("a",))
    with pytest.raises(dpw.InvalidArgument, match="version"):
        dpw.Dataset("trial", version="")
    for columns in ((), ("after", ""), 3, ("after", 1)):
        with pytest.raises(dpw.InvalidArgument, match="`columns`"):
            ask(budget, **{**declared, "columns": columns})
    with pytest.raises(dpw.InvalidArgument, match="`budget` must be a Budget"):
        ask("trial-7")
    assert budget.spent == 0


def test_a_sample_that_was_read_knows_its_columns_and_rows(budget, tmp_path):
    """Another filter or unit is another request, without a word from the caller."""
    path = tmp_path / "visits.csv"
    path.write_text("who,before,after\n1,1,3\n1,2,5\n2,9,1\n3,4,4\n")
    trial = dpw.Dataset("visits", version="1")

    def charged(**layout):
        sample = dpw.read_pairs(path, before="before", after="after", **layout)
        return dpw.wilcoxon(sample, epsilon="0.1", budget=budget, dataset=trial).receipt.charged

    layouts = (
        {},
        {"unit": "who", "aggregate": "mean"},
        {"unit": "who", "aggregate": "last", "order_by": "before"},
        {"where": "who::INT > 1", "public_n": 2},
        {"where": "who::INT < 3 and before::INT < 9", "public_n": 2},
        {"resolution": "0.5"},
    )
    for layout in layouts:
        assert charged(**layout) == Fraction(1, 10)
        assert charged(**layout) == 0


def test_a_closed_budget_says_so(path, ask):
    """Using it after its context is a mistake with a plain name."""
    with dpw.Budget.create(path, "a", epsilon=1) as budget:
        pass
    with pytest.raises(dpw.LedgerError, match="closed"):
        ask(budget)


def test_a_temporary_budget_ends_with_its_context(ask, declared):
    """In memory everything works the same, and nothing remains."""
    with dpw.Budget.temporary("0.2") as budget:
        assert budget.path is None
        first, again, fresh = (ask(budget, **declared, fresh=each) for each in (False, False, True))
        assert first.released == again.released
        assert fresh.receipt.remaining == 0
        assert budget.verify(budget.head).is_sound
    with pytest.raises(dpw.LedgerError, match="closed"):
        _ = budget.spent


def test_a_charge_is_exact_whatever_number_it_came_as():
    """Integers of a library overflow in fractions, and a negative sum would be money from nowhere.

    Not even a broken number gets past the balance.
    """
    with dpw.Budget.temporary(1) as small:
        dpw.wilcoxon([1, 2, 3], epsilon=0.001234567890123457, budget=small)
        with pytest.raises(dpw.InsufficientBudget):
            dpw.wilcoxon([1, 2, 3], epsilon=np.int64(10), budget=small)
    for cost in (Fraction(0), Fraction(-1, 3)):
        with pytest.raises(dpw.InternalError):
            Balance(Fraction(1)).charged("a", cost)
    with pytest.raises(dpw.InternalError):
        Balance(Fraction(1), Fraction(-1)).charged("a", Fraction(1, 2))


def test_sums_that_no_ledger_could_hold_are_refused():
    """What is spent is kept exactly, so it must not grow for ever: before anything is charged."""
    spent = Fraction(1, 10**999)
    balance = Balance(Fraction(1), spent)
    with pytest.raises(dpw.BudgetError, match="fewer digits"):
        balance.charged("a", Fraction(1, 37))
    assert balance.charged("a", Fraction(1, 10)).spent == spent + Fraction(1, 10)


def test_what_was_edited_is_not_given_out(path, ask, declared):
    """Whoever edits a release, or what it was released for, only makes the ledger useless."""
    with dpw.Budget.create(path, "a", epsilon=1) as budget:
        ask(budget, **declared)
    with closing(sqlite3.connect(path)) as connection, connection:
        for trigger in ("entries_are_not_changed", "entries_are_not_removed"):
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute(
            "UPDATE entries SET content = replace(content, '\"released\":', '\"released\":1')"
            " WHERE kind = 'released'"
        )
    with (
        dpw.Budget.open(path, "a") as budget,
        pytest.raises(dpw.LedgerDamaged, match="not what was written"),
    ):
        ask(budget, **declared)


def test_an_outcome_is_not_mistaken_for_another(budget):
    """A difference, a pair, and one of several outcomes are three questions, whatever their names.

    So are differences of a table whose columns are known.
    """
    declared = {"budget": budget, "dataset": dpw.Dataset("trial", version="1"), "epsilon": "0.1"}
    before, after = [3, 5, 8, 9], [4, 4, 9, 7]
    dpw.wilcoxon(after, columns="m", **declared)
    results = [
        dpw.wilcoxon_together({"m": (after, before)}, **declared),
        dpw.wilcoxon_together({"m": after}, **declared),
    ]
    assert not any(each.receipt.is_repeated for each in results)
    assert dpw.wilcoxon_together({"m": after}, **declared).receipt.is_repeated
    with pytest.raises(dpw.InvalidArgument, match="`columns`"):
        dpw.wilcoxon(after, before, columns="m", **declared)
    frame = pd.DataFrame({"a": before, "b": after, "c": before})
    table = dpw.read_pairs(frame, before="a", after="b")
    with pytest.raises(dpw.InvalidArgument, match="leave it out"):
        dpw.wilcoxon(table, columns=("b", "c"), **declared)
    assert not dpw.wilcoxon_together({"m": table}, **declared).receipt.is_repeated
    finer = dpw.read_pairs(frame, before="a", after="b", resolution=2)
    assert not dpw.wilcoxon_together({"m": finer}, **declared).receipt.is_repeated
    assert dpw.wilcoxon_together({"m": finer}, **declared).receipt.is_repeated


def test_an_interrupted_analysis_says_what_was_paid(budget, monkeypatch):
    """The number is drawn, charged and recorded; only its p-value is not there yet."""
    monkeypatch.setattr(PreparedRelease, "analyse", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt) as interruption:
        dpw.wilcoxon([1, 2, 3], epsilon="0.1", budget=budget)
    (note,) = interruption.value.__notes__
    assert "recorded as entry 2 of the budget" in note
