"""Keys in order, some at a time: the same integer wherever they are cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.errors import InternalError, InvalidArgument
from dpwilcoxon.statistics.keys import SignedKeys
from dpwilcoxon.statistics.ordered_chunks import chunked_total
from dpwilcoxon.statistics.scores import RANKS, SIGNS, capped_ranks
from dpwilcoxon.statistics.tie_groups import ZeroMethod

SCORES = [RANKS, SIGNS, capped_ranks(3), capped_ranks(4, 5)]


def cut(differences, cuts):
    """Keys in the order of their sizes, in chunks that end at the cuts."""
    ordered = sorted(differences, key=abs)
    keys = SignedKeys.from_differences(np.array(ordered)).values
    return [part for part in np.split(keys, sorted(cuts)) if len(part)]


@given(
    st.lists(st.integers(-4, 4), min_size=1, max_size=20),
    st.lists(st.integers(0, 20), max_size=6),
    st.sampled_from(SCORES),
    st.sampled_from(ZeroMethod),
)
def test_chunks_give_what_the_definition_gives(by_definition, differences, cuts, score, zeros):
    """Tie groups and zeros may be cut anywhere, also several times."""
    chunks = cut(differences, cuts)
    expected = by_definition(differences, score, zeros)
    assert chunked_total(chunks, len(differences), score, zeros) == expected


def test_floats_are_keys_too(by_definition):
    """Infinities are larger than everything and tie with each other; -0.0 is zero."""
    differences = [np.inf, -0.0, 0.5, -np.inf, np.inf, -0.25]
    for place in range(7):
        total = chunked_total(cut(differences, [place]), 6, RANKS, ZeroMethod.PRATT)
        assert total == by_definition(differences, RANKS)


@pytest.mark.parametrize("cuts", [[], [1]])
def test_keys_out_of_order_are_a_bug(cuts):
    """Within a chunk and between two, and not a wrong statistic."""
    keys = SignedKeys.from_differences(np.array([2, 1])).values
    with pytest.raises(InternalError, match="in order"):
        chunked_total(np.split(keys, cuts), 2, RANKS, ZeroMethod.PRATT)


def test_lost_keys_are_a_bug():
    """All pairs have to be counted, or the ranks would be wrong."""
    with pytest.raises(InternalError, match="Another number"):
        chunked_total(cut([1, 2], []), 3, RANKS, ZeroMethod.PRATT)


def test_samples_that_could_overflow_are_refused():
    """As on every other path."""
    with pytest.raises(InvalidArgument, match="too large"):
        chunked_total([], 3_037_000_500, RANKS, ZeroMethod.PRATT)
