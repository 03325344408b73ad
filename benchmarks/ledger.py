"""Charged releases: beside uncharged ones, and beside the least that any durable ledger has to do.

Run with ``python -m benchmarks.ledger``. Every figure is measured in this one run, in a temporary
folder of this disk; the kinds of work take turns, so that all of them meet the same disk.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from dpwilcoxon.ledger.budget import Budget
from dpwilcoxon.ledger.chain import Kind
from dpwilcoxon.ledger.composition import Balance
from dpwilcoxon.ledger.database import Database
from dpwilcoxon.ledger.events import Dataset, Measured, Subject
from dpwilcoxon.ledger.journal import Journal
from dpwilcoxon.ledger.records import to_record
from dpwilcoxon.pairs import Pairs
from dpwilcoxon.release import Charge, Request, describe, release
from dpwilcoxon.sources.arrays import pairs_from_arrays

LEAST_RATE = 200.0  # charged, durable releases per second of one process
MOST_VERIFY_SECONDS = 30.0
ROUNDS = 400
LARGE = 100_000  # releases
COST = Fraction(1, 1000)
TRIAL = Dataset("trial", version="1")


def sample() -> Pairs:
    """Three hundred seeded pairs."""
    return pairs_from_arrays(np.random.default_rng(1).integers(-20, 20, 300))


def bare_insert(folder: Path) -> Callable[[], object]:
    """One durable SQLite transaction with one row as long as an entry, and nothing else."""
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, content TEXT)")

    def insert() -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO rows (content) VALUES (?)", ("x" * 600,))
        connection.execute("COMMIT")

    return insert


def seconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def verdict(*, holds: bool) -> str:
    """Mark a figure that misses its target."""
    return "ok" if holds else "MISSED"


def rates(budget: Budget, folder: Path) -> None:
    """Time four kinds of work, in turn, and print medians, rates and ratios."""
    pairs, request = sample(), Request.parse(epsilon=COST)
    known = Charge(budget, Subject((Measured(("change",)),), Dataset("known", version="1")))
    release(pairs, request, known)
    kinds: dict[str, Callable[[], object]] = {
        "bare durable SQLite insert": bare_insert(folder),
        "release, not charged": lambda: release(pairs, request),
        "release, charged and recorded": lambda: release(pairs, request, Charge(budget)),
        "release, given again": lambda: release(pairs, request, known),
    }
    times: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(ROUNDS):
        for name, work in kinds.items():
            times[name].append(seconds(work))
    insert, plain, charged, _ = (statistics.median(each) for each in times.values())
    print("                                     ms   per second   bare inserts")
    for name, each in times.items():
        middle = statistics.median(each)
        print(f"  {name:30}{middle * 1e3:8.3f}{1 / middle:13,.0f}{middle / insert:15.1f}")
    print(
        f"  a charge adds {(charged - plain) / insert:.1f} bare inserts: two are the least, before "
        f"the draw and after it\n  charged releases per second: {1 / charged:,.0f}  "
        f"{verdict(holds=1 / charged >= LEAST_RATE)}"
    )


def write_large(path: Path) -> None:
    """Write a ledger of many releases in one transaction, through the journal."""
    pairs, request = sample(), Request.parse(epsilon=COST)
    record = {"results": [to_record(release(pairs, request))]}
    event = describe(request, [request.epsilon], Subject((Measured(("change",)),), TRIAL))
    with Budget.create(path, "large", epsilon=1_000_000):
        pass
    with closing(Database(path)) as database, database.writing() as connection:
        journal, balance = Journal(connection), Balance(Fraction(1_000_000))
        for number in range(LARGE):
            asked = replace(event, dataset=Dataset("trial", version=str(number)))
            balance = balance.charged("large", COST)
            content = {
                "event": asked.to_plain(),
                "charge": {"amount": "0.001"},
                "balance": balance.to_plain(),
                "owner": "0" * 32,
            }
            entry = journal.append(Kind.RESERVED, "large", content, request=asked.request)
            journal.append(Kind.RELEASED, "large", record, answers=entry.sequence)


def verification(budget: Budget, size: int) -> None:
    """Time a check of every hash and every sum."""
    start = time.perf_counter()
    found = budget.verify(budget.head)
    checked = time.perf_counter() - start
    account = seconds(budget.account)
    print(
        f"  verify: {found.entries:,} entries, {size / 1e6:,.0f} MB: {checked:.2f} s, "
        f"{1e6 * checked / found.entries:.1f} us an entry  "
        f"{verdict(holds=found.is_sound and checked <= MOST_VERIFY_SECONDS)}\n"
        f"  show: {1e3 * account:.0f} ms"
    )


def main() -> None:
    """Run every comparison."""
    print(
        f"One release of 300 pairs, one process, medians of {ROUNDS} in turn "
        f"(target {LEAST_RATE:g} charged per second)"
    )
    with (
        tempfile.TemporaryDirectory() as name,
        Budget.create(Path(name, "ledger.db"), "small", epsilon=10_000) as budget,
    ):
        rates(budget, Path(name))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "ledger.db")
        print(f"\nThe same in a ledger of {LARGE:,} releases")
        write_large(path)
        with Budget.open(path, "large") as budget:
            rates(budget, Path(name))
            verification(budget, path.stat().st_size)


if __name__ == "__main__":
    main()
