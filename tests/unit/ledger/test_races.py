"""Many processes, one ledger: nothing is overspent, lost or charged twice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import dpwilcoxon as dpw

PROCESSES = 8


def released_in(budget):
    """The version of the data set, the charge and the released integers of each release."""
    return [
        (
            line.entry.plain["event"]["dataset"]["version"],
            line.charged,
            [result["released"] for result in line.answer.plain["results"]],
        )
        for line in budget.history()
        if line.state.value == "released"
    ]


def test_eight_processes_never_overspend(path, run_program):
    """1,000 distinct requests race for a budget that suffices for some 700 of them.

    Every answer that a process was given is in the ledger, charged once; every request was either
    answered or refused; and what was refused would still not fit.
    """
    total = Fraction(43)
    dpw.Budget.create(path, "race", epsilon=total).close()
    told = run_program("racing_program.py", path, "race", PROCESSES, 125, 0)
    assert len({each["request"] for each in told}) == len(told) == 1000
    with dpw.Budget.open(path, "race") as budget:
        answered = [
            (each["request"], Fraction(each["epsilon"]), [each["released"]])
            for each in told
            if each["released"] is not None
        ]
        assert sorted(released_in(budget)) == sorted(answered)
        assert budget.spent == sum(cost for _, cost, _ in answered) <= total
        refused = [Fraction(each["epsilon"]) for each in told if each["released"] is None]
        assert refused
        assert budget.remaining < min(refused)
        assert {line.state.value for line in budget.history()} == {"created", "released"}
        assert budget.verify().is_sound
    assert sorted(each.name for each in path.parent.iterdir()) == ["ledger.db", "ledger.db-running"]
    assert not list((path.parent / "ledger.db-running").iterdir())


def test_identical_requests_share_one_charge(path, run_program):
    """Eight processes ask the same 30 questions at once: 30 charges, and 30 numbers in all."""
    dpw.Budget.create(path, "race", epsilon=3).close()
    told = run_program("racing_program.py", path, "race", PROCESSES, 0, 30)
    numbers = {(each["request"], each["released"]) for each in told}
    assert len(told) == PROCESSES * 30
    assert len(numbers) == len({request for request, _ in numbers}) == 30
    drawn = Counter(each["request"] for each in told if not each["repeated"])
    assert set(drawn.values()) == {1}
    with dpw.Budget.open(path, "race") as budget:
        assert budget.spent == sum(cost for _, cost, _ in released_in(budget))
        assert len(released_in(budget)) == 30
        assert budget.verify().is_sound
