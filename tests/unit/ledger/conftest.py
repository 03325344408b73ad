"""Ledgers, and the programs that race for them and are killed in them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import dpwilcoxon as dpw

PROGRAMS = Path(__file__).parent


@pytest.fixture
def path(tmp_path):
    """Where a ledger will be."""
    return tmp_path / "ledger.db"


@pytest.fixture
def ask():
    """Spend epsilon 0.1, or what is said, on the same five pairs."""

    def release(budget, **options):
        return dpw.wilcoxon(
            [18, 11, 3, 10, 8], [9, 2, 3, 8, 9], budget=budget, **{"epsilon": "0.1", **options}
        )

    return release


@pytest.fixture
def declared():
    """A data set with a name, and its columns: what makes asking again free."""
    return {"dataset": dpw.Dataset("trial", version="1"), "columns": ("after", "before")}


@pytest.fixture
def run_program():
    """Run one of the programs of this folder, and read the objects it prints."""

    def run(name, *words):
        done = subprocess.run(
            # Python 3.12 warns of forks where libraries keep threads; these keep none at work.
            [
                sys.executable,
                "-W",
                "ignore::DeprecationWarning",
                str(PROGRAMS / name),
                *map(str, words),
            ],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


@pytest.fixture
def run_json(capfd):
    """Run a command, and read the object it prints."""
    from dpwilcoxon.cli import main

    def run(*words):
        capfd.readouterr()
        assert main([str(word) for word in words]) == 0
        return json.loads(capfd.readouterr().out)

    return run
