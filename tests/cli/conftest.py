"""Run commands in this process and see exactly what a person would."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from dpwilcoxon import release as door
from dpwilcoxon.cli import main

SENTINEL = "987654.321"


class Run(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capfd):
    """Run ``dpwilcoxon`` with these words."""

    def run_command(*words: object) -> Run:
        capfd.readouterr()
        code = main([str(word) for word in words])
        return Run(code, *capfd.readouterr())

    return run_command


@pytest.fixture
def no_draw(monkeypatch):
    """Make any draw of private noise a failure of the test."""

    def refuse(*_args, **_kwargs):
        pytest.fail("private noise was drawn")

    monkeypatch.setattr(door, "release_integer", refuse)


@pytest.fixture
def study(tmp_path) -> Path:
    """A small study; one value is a sentinel that must never be printed."""
    path = tmp_path / "study.csv"
    path.write_text(
        f"person,before,after,note\na,120.1,118.3,x\nb,121.1,119.3,y\nc,{SENTINEL},130,z\n"
        "d,140,131.5,w\n"
    )
    return path


@pytest.fixture
def replaced():
    """Options and their values, of which some have others instead."""

    def replace(options, others):
        pairs = [dict(zip(each[::2], each[1::2], strict=True)) for each in (options, others)]
        return [word for pair in (pairs[0] | pairs[1]).items() for word in pair]

    return replace
