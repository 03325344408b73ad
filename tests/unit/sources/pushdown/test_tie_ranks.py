"""Ranks computed in SQL: exact, however the sizes are split into ranges."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.errors import InvalidArgument, SourceError
from dpwilcoxon.sources.pushdown.dialects import DUCKDB
from dpwilcoxon.sources.pushdown.tie_ranks import RangeSizes, TieRanks, tie_groups
from dpwilcoxon.statistics.keys import SignedKeys
from dpwilcoxon.statistics.scores import RANKS, Piece, Score, capped_ranks
from dpwilcoxon.statistics.signed_rank import ordered_total
from dpwilcoxon.statistics.tie_groups import ZeroMethod

MIDDLE = Score(2, (Piece(0, 0, 0, 0), Piece(2, 2, -3, 1), Piece(7, -40, 10, 0)))


@given(
    differences=st.lists(st.integers(-6, 6), min_size=1, max_size=40),
    splits=st.lists(st.integers(0, 8), max_size=4).map(sorted),
    score=st.sampled_from([RANKS, capped_ranks(3, 64), capped_ranks(5), MIDDLE]),
    zeros=st.sampled_from(ZeroMethod),
)
def test_splits_never_change_the_answer(differences, splits, score, zeros):
    """No tie is cut, ranges may be empty, and splits may be equal."""
    listed = ", ".join(f"({each})" for each in differences)
    groups = tie_groups(f"SELECT d::HUGEINT AS d FROM (VALUES {listed}) AS t(d)")
    columns = ", ".join(f"{split} AS s{index}" for index, split in enumerate(splits))
    one_row = f"SELECT {columns}" if splits else None
    ranks = TieRanks(DUCKDB, groups, one_row, len(splits) + 1)
    with duckdb.connect() as connection:

        def run(sql):
            return connection.execute(sql).fetchall()

        sizes = ranks.range_sizes(run, len(differences))
        found = ranks.total(run, sizes, score, zeros)
    keys = SignedKeys.from_differences(np.array(differences))
    assert found == ordered_total(np.sort(keys.values), score, zeros)


def test_offsets_count_what_is_below():
    """Zeros are below all ranges, unless they are dropped."""
    sizes = RangeSizes(3, (5, 0, 2))
    assert sizes.n == 10
    assert sizes.offsets(ZeroMethod.PRATT) == [3, 8, 8]
    assert sizes.offsets(ZeroMethod.WILCOX) == [0, 5, 5]


def test_another_number_of_pairs_is_an_error():
    """The table is not what was counted."""
    ranks = TieRanks(DUCKDB, tie_groups("SELECT 1 AS d"))
    with duckdb.connect() as connection, pytest.raises(SourceError, match="The table changed"):
        ranks.range_sizes(lambda sql: connection.execute(sql).fetchall(), 2)


def test_more_pairs_than_64_bits_can_rank_are_refused():
    """Before anything is asked."""
    ranks = TieRanks(DUCKDB, tie_groups("SELECT 1 AS d"))
    with pytest.raises(InvalidArgument, match="`n` is too large"):
        ranks.total(
            lambda _: pytest.fail("asked"), RangeSizes(0, (2**32,)), RANKS, ZeroMethod.PRATT
        )
