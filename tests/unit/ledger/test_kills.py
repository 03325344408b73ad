"""Processes killed at any moment lose budget at worst, never privacy, and never the ledger."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import dpwilcoxon as dpw

KILLS = 200
LEAST_INTERRUPTED = 20


def test_two_hundred_kills(path, run_program, ask, declared):
    """200 processes are killed (SIGKILL) at random moments of their releases.

    Afterwards each result that anybody saw is recorded and charged, no request was drawn more
    often than it was charged, every charge without a result counts as interrupted, the chain is
    sound, and work goes on. About every second kill falls between a charge and its result; fewer
    than 20 of 200 would have a probability below 1e-30, even were it only every fourth.
    """
    dpw.Budget.create(path, "kill", epsilon=1000).close()
    told = run_program("killing_program.py", path, "kill", KILLS, 20240301)
    with dpw.Budget.open(path, "kill") as budget:
        charges = [line for line in budget.history() if line.charged]
        states = Counter(line.state.value for line in charges)
        assert set(states) == {"released", "interrupted"}
        assert states["interrupted"] >= LEAST_INTERRUPTED
        recorded = {
            (version(line), line.answer.plain["results"][0]["released"])
            for line in charges
            if line.answer
        }
        seen = {(each["returned"], each["released"]) for each in told if "returned" in each}
        assert seen <= recorded
        drawn = Counter(each["drawing"] for each in told if "drawing" in each)
        assert drawn <= Counter(version(line) for line in charges)
        assert budget.spent == len(charges) * Fraction("0.001")
        assert budget.verify().is_sound
        assert ask(budget, **declared).receipt.charged == Fraction("0.1")
        assert not list((path.parent / "ledger.db-running").iterdir())


def version(line):
    """Which request a line of the history is about."""
    return line.entry.plain["event"]["dataset"]["version"]
