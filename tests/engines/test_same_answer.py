"""The same tables give the same integer everywhere, for every private test there is."""

from __future__ import annotations

from typing import final

import numpy as np
import pyarrow as pa
import pytest
from engine_samples import cases

import dpwilcoxon as dpw
from dpwilcoxon.errors import DataError
from dpwilcoxon.parameters import Design, Epsilon, Method
from dpwilcoxon.procedures.base import PrivateProcedure
from dpwilcoxon.procedures.registry import PROCEDURES, get_private_procedure
from dpwilcoxon.procedures.scored import ScoredTest
from dpwilcoxon.release import Request, release
from dpwilcoxon.statistics import large_samples
from dpwilcoxon.statistics.scores import Piece, Score
from dpwilcoxon.statistics.signed_rank import ordered_total
from dpwilcoxon.statistics.tie_groups import ZeroMethod

ENGINES = pytest.mark.parametrize("engine", ["duckdb", "postgres", "spark"])
CASES = pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
NEXT_TO_NO_NOISE = 10**9


@final
class Middle(ScoredTest):
    """A test nobody has thought of before: ranks 1 and 2 count nothing, from 7 on all alike."""

    name = "middle"
    summary = "made up in a test"

    def automatic_method(self, design):
        """The exact null is for scores that climb from the first rank on."""
        del design
        return Method.NORMAL_LAPLACE

    def score(self, design):
        """0, 0, 1, 2, 3, 4, 5, 5, 5, ..."""
        del design
        return Score(2, (Piece(0, 0, 0, 0), Piece(2, 2, -3, 1), Piece(7, -40, 10, 0)))


PRIVATE = [
    *(each for each in PROCEDURES.values() if isinstance(each, PrivateProcedure)),
    get_private_procedure("capped:3"),
    Middle(),
]


def totals(n, total):
    """The statistic of each test."""
    design = Design.parse(n, 1)
    return {test.name: total(test.score(design), test.zero_method) for test in PRIVATE}


def by_numpy(keys):
    """Sort, and go through the tie groups."""
    ordered = np.sort(keys.values)
    return totals(len(keys), lambda *words: ordered_total(ordered, *words))


def by_numba(keys):
    """The compiled loops, which are for large samples otherwise."""
    return totals(len(keys), lambda *words: large_samples.total(keys.values, *words))


@pytest.fixture(scope="module")
def in_memory():
    """The pairs of a case as keys in memory, found by DuckDB and exact arithmetic."""
    return {case.name: dpw.read_pairs(case.rows, **case.layout).sample.keys for case in cases()}


@CASES
@ENGINES
def test_every_engine_gives_the_same_integers(engine, case, tables, in_memory):
    """numpy, numba and the engine agree to the last unit, for the scores of every test."""
    keys = in_memory[case.name]
    sample = dpw.read_pairs(tables(engine, "same_answer", case.rows), **case.layout)
    assert sample.n == len(keys)
    found = totals(sample.n, sample.signed_rank_total)
    assert found == by_numpy(keys) == by_numba(keys)


@ENGINES
def test_zeros_can_be_dropped(engine, tables):
    """The classical statistic, which is not private, comes out of the same queries."""
    case = next(each for each in cases() if each.name == "ties and zeros")
    sample = dpw.read_pairs(tables(engine, "zeros", case.rows), **case.layout)
    local = dpw.read_pairs(case.rows, **case.layout)
    dropped = dpw.signed_rank(sample, zero_method="wilcox")
    assert dropped == dpw.signed_rank(local, zero_method="wilcox") != dpw.signed_rank(sample)


@ENGINES
@pytest.mark.parametrize("kind", [pa.float32(), pa.float64(), pa.string()])
def test_not_a_number_is_nobody(engine, kind, tables):
    """As a unit it is refused, unless it is text and so a name."""
    units = ["1", "2", "NaN", "NaN"]
    known = units if kind == pa.string() else [float(each) for each in units]
    table = tables(engine, "nobody", pa.table({"u": pa.array(known, kind), "d": [1, 5, 2, 3]}))
    layout = {"unit": "u", "difference": "d", "aggregate": "mean"}
    if kind == pa.string():
        assert dpw.read_pairs(table, **layout).n == 3
        return
    with pytest.raises(DataError, match="have no `u`, so it is not known whom"):
        dpw.read_pairs(table, **layout)


@ENGINES
@pytest.mark.parametrize("name", [test.name for test in PRIVATE if test.name != "middle"])
def test_a_release_goes_all_the_way(engine, name, tables, in_memory):
    """At next to no noise, what is released of an engine is the statistic itself."""
    case = next(each for each in cases() if each.name == "mean of decimals")
    keys = in_memory[case.name]
    sample = dpw.read_pairs(tables(engine, "released", case.rows), **case.layout)
    assert dpw.wilcoxon(sample, epsilon=1, procedure=name).n == len(keys)
    result = dpw.wilcoxon(sample, epsilon=NEXT_TO_NO_NOISE, procedure=name)
    score = get_private_procedure(name).score(Design.parse(len(keys), NEXT_TO_NO_NOISE))
    assert result.released == ordered_total(np.sort(keys.values), score, ZeroMethod.PRATT)


@ENGINES
def test_a_new_test_needs_no_new_sql(engine, tables, in_memory):
    """Only its score is new; the door takes it as any other."""
    case = next(each for each in cases() if each.name == "skew")
    sample = dpw.read_pairs(tables(engine, "new_test", case.rows), **case.layout)
    request = Request(Middle(), Epsilon.parse(NEXT_TO_NO_NOISE))
    score = Middle().score(Design.parse(sample.n, 1))
    keys = in_memory[case.name]
    expected = ordered_total(np.sort(keys.values), score, ZeroMethod.PRATT)
    assert release(sample, request).released == expected


def test_the_cases_are_not_all_alike(in_memory):
    """Scores that differ give totals that differ, or agreement would mean little."""
    found = [tuple(by_numpy(keys).values()) for keys in in_memory.values()]
    assert len(set(found)) > len(found) / 2
    assert max(len(set(each)) for each in found) == len(PRIVATE)
