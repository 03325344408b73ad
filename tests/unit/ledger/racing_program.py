"""Race for one budget: a warm parent forks processes that all spend from the same ledger.

Run as ``python racing_program.py LEDGER BUDGET PROCESSES REQUESTS SHARED``; prints one JSON object
per request. SHARED requests are the same in all processes, the others are each process's own.
"""

from __future__ import annotations

import json
import os
import sys

import dpwilcoxon as dpw

EPSILONS = ("0.1", "0.05", "1/30")
X, Y = [18, 11, 3, 10, 8], [9, 2, 3, 8, 9]


def spend(ledger: str, name: str, runner: int, *, requests: int, shared: int) -> None:
    """Ask, and write down what came of it."""
    with dpw.Budget.open(ledger, name) as budget:
        for number in range(requests + shared):
            owner = runner if number < requests else "everybody"
            told = {"request": f"{owner}-{number}", "epsilon": EPSILONS[number % 3]}
            try:
                result = dpw.wilcoxon(
                    X,
                    Y,
                    epsilon=told["epsilon"],
                    budget=budget,
                    dataset=dpw.Dataset("race", version=told["request"]),
                    columns=("after", "before"),
                )
                told |= {"released": result.released, "repeated": result.receipt.is_repeated}
            except dpw.InsufficientBudget:
                told["released"] = None
            os.write(1, json.dumps(told).encode() + b"\n")  # one short write is never torn


def main() -> None:
    """Start everybody, and wait for them."""
    ledger, name, *numbers = sys.argv[1:]
    processes, requests, shared = map(int, numbers)
    dpw.wilcoxon(X, Y, epsilon=1)  # load everything once, before the processes part
    children = []
    for runner in range(processes):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                spend(ledger, name, runner, requests=requests, shared=shared)
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    sys.exit(max(codes))


if __name__ == "__main__":
    main()
