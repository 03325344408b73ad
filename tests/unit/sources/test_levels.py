"""Levels are values of their condition: exactly what was typed, and two of them."""

from __future__ import annotations

import duckdb
import pytest
from unit_reference import places_of

import dpwilcoxon as dpw
from dpwilcoxon.errors import SourceError

COMPARED = {"unit": "p", "condition": "c", "value": "v"}


def parquet(tmp_path, kind, levels):
    """Three persons with two levels each, of a type."""
    path = tmp_path / "t.parquet"
    early, late = (f"CAST('{level}' AS {kind})" for level in levels)
    rows = ", ".join(f"('{p}', {early}, 1), ('{p}', {late}, {p})" for p in (3, 5, 7))
    values = f"SELECT * FROM (VALUES {rows}) AS t(p, c, v)"
    duckdb.execute(f"SET TimeZone = 'UTC'; COPY ({values}) TO '{path}' (FORMAT parquet)")
    return path


@pytest.mark.parametrize(
    ("kind", "stored", "right", "wrong"),
    [
        ("INTEGER", ("1", "2"), ("02", "+2", "2.0", "2e0"), ("1.4", "0.6", "2.00001", "x")),
        ("DECIMAL(9,1)", ("1.4", "2"), ("2.0", "2.00"), ("1.44", "2.01", "x")),
        ("DOUBLE", ("0.1", "2"), ("2.0",), ("x", "0.10000000000000000001")),
        ("DATE", ("2024-01-05", "2024-02-01"), (), ("2024-01-05 12:00", "x", "2024-02-30")),
        ("TIMESTAMP", ("2024-01-05", "2024-01-06 12:00"), ("2024-01-06T12:00:00",), ("x",)),
        ("TIMESTAMPTZ", ("2024-01-05 00:00+00", "2024-01-06 12:00+00"), (), ("x",)),
        ("BOOLEAN", ("false", "true"), (), ("x", "maybe")),
    ],
)
def test_nothing_of_a_level_is_rounded_away(tmp_path, kind, stored, right, wrong):
    """1.4 is no integer, and noon is no day."""
    path = parquet(tmp_path, kind, stored)
    assert sorted(places_of(dpw.read_pairs(path, levels=stored, **COMPARED))) == [1, 2, 3]
    for level in right:
        other = (
            stored[0] if level.lstrip("+0").startswith(stored[1][:10].lstrip("0")) else stored[1]
        )
        assert dpw.read_pairs(path, levels=(other, level), **COMPARED).n == 3
    for level in wrong:
        for levels in ((level, stored[1]), (stored[0], level)):
            with pytest.raises(SourceError, match="cannot be a value of `c`"):
                dpw.read_pairs(path, levels=levels, **COMPARED)


@pytest.mark.parametrize(
    ("kind", "levels"),
    [
        ("INTEGER", ("1", "1.0")),
        ("DOUBLE", ("0.1", "0.10")),
        ("BOOLEAN", ("true", "TRUE")),
        ("TIMESTAMP", ("2024-01-05", "2024-01-05 00:00")),
    ],
)
def test_a_level_is_not_compared_with_itself(tmp_path, kind, levels):
    """However it is written."""
    path = parquet(tmp_path, kind, (levels[0], levels[0]))
    with pytest.raises(SourceError, match="are one and the same value of `c`"):
        dpw.read_pairs(path, levels=levels, aggregate="mean", **COMPARED)
