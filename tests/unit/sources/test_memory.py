"""Memory limits: what is typed, what a machine has, and what fits."""

from __future__ import annotations

import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.sources import memory
from dpwilcoxon.sources.memory import FIXED_BYTES, Resources, machine_memory, parse_limit


@pytest.mark.parametrize(
    ("text", "limit"),
    [("4GB", 4 * 10**9), ("1.5 gib", 3 * 2**29), ("2000MB", 2 * 10**9), ("1TiB", 2**40)],
)
def test_limits_are_numbers_with_units(text, limit):
    """Thousands, or powers of two with an i; capital letters do not matter."""
    assert parse_limit(text) == limit == Resources.parse(text).limit


@pytest.mark.parametrize("text", ["4", "GB", "-4GB", "4 XB", "4GB!", "1e3GB", ""])
def test_other_text_is_refused(text):
    """A number alone could be anything."""
    with pytest.raises(InvalidArgument, match="`memory_limit` must be a number with its unit"):
        parse_limit(text)


def test_a_limit_below_what_the_program_needs_is_refused():
    """Libraries alone take most of it."""
    assert parse_limit("1GB") == 10**9
    with pytest.raises(InvalidArgument, match="`memory_limit` must be at least 1GB; got 999MB"):
        parse_limit("999MB")


def test_a_container_may_have_less_than_its_machine(tmp_path, monkeypatch):
    """The smallest limit counts; "max" and files that are not there mean none."""
    physical = machine_memory()
    limited, unlimited = tmp_path / "limited", tmp_path / "unlimited"
    limited.write_text("3000000000\n")
    unlimited.write_text("max\n")
    monkeypatch.setattr(memory, "CGROUP_FILES", (unlimited, tmp_path / "none"))
    assert machine_memory() >= physical
    monkeypatch.setattr(memory, "CGROUP_FILES", (unlimited, limited))
    assert machine_memory() == min(3 * 10**9, physical)
    assert Resources.parse(None).limit == max(machine_memory() // 2, 10**9)
    limited.write_text("1000\n")
    assert Resources().limit == 10**9  # at least what the program needs


def test_rows_fit_beside_what_is_always_there():
    """The limit is for everything, and several samples share what is left of it."""
    resources = Resources(FIXED_BYTES + 1600)
    assert resources.hold(100, 16)
    assert not resources.hold(101, 16)
    assert resources.shared_by(2).hold(50, 16)
    assert not resources.shared_by(2).hold(51, 16)
    assert Resources(2 * FIXED_BYTES).for_duckdb() == FIXED_BYTES
    assert Resources(2 * FIXED_BYTES).for_duckdb(1000) == FIXED_BYTES - 1000
    assert Resources(0).for_duckdb() > 0
