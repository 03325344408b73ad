"""Kill processes in the middle of releases: a warm parent forks and kills them one by one.

Run as ``python killing_program.py LEDGER BUDGET KILLS SEED``. Each child releases until it is
killed. It prints one JSON object before each draw and one after each result it was given, so what
was drawn, and what somebody saw, is known even of a process that is gone.
"""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import sys
import time

import dpwilcoxon as dpw
from dpwilcoxon import release as door

LONGEST_LIFE = 10  # releases; the first ones of a child are slower than the parent's
TIMED_RELEASES = 9
X, Y = [18, 11, 3, 10, 8], [9, 2, 3, 8, 9]
draw_noise = door.release_integer


def tell(**fields: object) -> None:
    """Write one line that a kill cannot tear."""
    os.write(sys.stdout.fileno(), json.dumps(fields).encode() + b"\n")


def release(budget: dpw.Budget, request: str) -> None:
    """Charge one release, and tell of its draw and of its result."""

    def watched(*args: object, **options: object) -> int:
        tell(drawing=request)
        return draw_noise(*args, **options)

    door.release_integer = watched
    result = dpw.wilcoxon(
        X,
        Y,
        epsilon="0.001",
        budget=budget,
        dataset=dpw.Dataset("kill", version=request),
        columns=("after", "before"),
    )
    tell(returned=request, released=result.released)


def usual_seconds(ledger: str, name: str) -> float:
    """How long a release takes on this machine, once everything is loaded."""
    durations = []
    with dpw.Budget.open(ledger, name) as budget:
        for number in range(TIMED_RELEASES):
            start = time.perf_counter()
            release(budget, f"parent-{number}")
            durations.append(time.perf_counter() - start)
    return statistics.median(durations)


def release_until_killed(ledger: str, name: str, child: int, begun: int) -> None:
    """Release again and again; every fifth request is shared by ten children."""
    with dpw.Budget.open(ledger, name) as budget:
        os.write(begun, b".")
        for number in range(1_000_000):
            release(budget, f"everybody-{child // 10}" if number % 5 == 0 else f"{child}-{number}")


def main() -> None:
    """Fork a child, let it begin, wait for a random moment, and kill it; many times."""
    ledger, name, kills, seed = sys.argv[1:]
    moments = random.Random(int(seed))
    longest_life = LONGEST_LIFE * usual_seconds(ledger, name)
    for child in range(int(kills)):
        begun, begin = os.pipe()
        process = os.fork()
        if process == 0:
            try:
                release_until_killed(ledger, name, child, begin)
            finally:
                os._exit(1)
        os.close(begin)
        if os.read(begun, 1) == b".":
            time.sleep(moments.uniform(0.0, longest_life))
            os.kill(process, signal.SIGKILL)
        os.close(begun)
        _, status = os.waitpid(process, 0)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            sys.exit(f"child {child} ended by itself")


if __name__ == "__main__":
    main()
