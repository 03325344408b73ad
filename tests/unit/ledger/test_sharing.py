"""Threads, forks and waiting: one budget in many hands."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

import dpwilcoxon as dpw
from dpwilcoxon import release as door
from dpwilcoxon.ledger import database


@pytest.fixture(params=["file", "memory"])
def budget(request, path):
    """A budget of 1, in a file or in memory."""
    where = {
        "file": lambda: dpw.Budget.create(path, "shared", epsilon=1),
        "memory": lambda: dpw.Budget.temporary(1),
    }
    with where[request.param]() as made:
        yield made


@pytest.fixture
def slow_draw(monkeypatch):
    """Let draws wait until they are told to go on."""
    begun, go_on, draw = threading.Event(), threading.Event(), door.release_integer

    def wait(*args, **options):
        begun.set()
        assert go_on.wait(60)
        return draw(*args, **options)

    monkeypatch.setattr(door, "release_integer", wait)
    return begun, go_on


def test_threads_share_a_budget_exactly(budget, ask):
    """Eight threads ask 40 times for 0.05 of 1: 20 are answered, 20 refused."""

    def attempt(_number):
        try:
            return ask(budget, epsilon="0.05").released
        except dpw.InsufficientBudget:
            return None

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(attempt, range(40)))
    assert answers.count(None) == 20
    assert budget.remaining == 0
    assert budget.verify().is_sound


def test_identical_requests_wait_for_the_one_at_work(budget, ask, declared, slow_draw):
    """The second is not charged, and gets what the first one drew."""
    begun, go_on = slow_draw
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(ask, budget, **declared)
        assert begun.wait(60)
        assert [line.state.value for line in budget.history()][-1] == "running"
        assert budget.account().running == 1
        second = pool.submit(ask, budget, **declared)
        go_on.set()
        assert first.result().released == second.result().released
    assert sorted(each.result().receipt.is_repeated for each in (first, second)) == [False, True]
    assert budget.spent == Fraction("0.1")


def test_waiting_for_an_identical_request_has_an_end(path, ask, declared, slow_draw):
    """After the timeout it is said which request is in the way; nothing was charged."""
    begun, go_on = slow_draw
    with (
        dpw.Budget.create(path, "shared", epsilon=1, timeout=0.1) as budget,
        ThreadPoolExecutor(1) as pool,
    ):
        first = pool.submit(ask, budget, **declared)
        assert begun.wait(60)
        try:
            with pytest.raises(dpw.LedgerBusy, match=r"identical request \(entry 2\)"):
                ask(budget, **declared)
            assert budget.spent == Fraction("0.1")
        finally:
            go_on.set()
        assert first.result().receipt.charged


def test_a_fresh_draw_waits_for_nobody(budget, ask, declared, slow_draw):
    """It is its own request."""
    begun, go_on = slow_draw
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(ask, budget, **declared)
        assert begun.wait(60)
        second = pool.submit(ask, budget, fresh=True, **declared)
        go_on.set()
        assert not first.result().receipt.is_repeated
        assert not second.result().receipt.is_repeated
    assert budget.spent == Fraction("0.2")


def test_after_a_fork_a_ledger_is_opened_again(path, ask, monkeypatch):
    """Seen from a process with another number: a connection of its own, the same budget."""
    with dpw.Budget.create(path, "shared", epsilon=1) as budget:
        ask(budget)
        inherited = budget._ledger._database.connection
        monkeypatch.setattr(database.os, "getpid", lambda: -1)
        assert ask(budget).receipt.remaining == Fraction("0.8")
        assert budget._ledger._database.connection is not inherited
        monkeypatch.undo()
    assert inherited in database._inherited
    database._inherited.remove(inherited)
    inherited.close()


def test_after_a_fork_a_temporary_budget_is_refused(ask, monkeypatch):
    """Two copies of it would spend the same budget twice."""
    with dpw.Budget.temporary(1) as budget:
        with monkeypatch.context() as child:
            child.setattr(database.os, "getpid", lambda: -1)
            with pytest.raises(dpw.LedgerError, match="spend the same budget twice"):
                ask(budget)
        assert ask(budget).receipt.charged
