"""Tie groups and their statistic."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.tie_groups import TieGroups, ZeroMethod, signed_score_sum

LARGEST_N = 3 * 10**9


def test_the_papers_example():
    """Differences 9, 9, 0, 2, -1 have w = 8 without their zero and 10 with it (doubled here)."""
    groups = TieGroups(1, np.array([0, 1, 2]), np.array([1, 0, 0]))
    assert len(groups) == 5
    assert groups.statistic(RANKS, ZeroMethod.WILCOX) == 16
    assert groups.statistic(RANKS) == 20


def test_groups_know_their_ranks():
    """The sizes 1, 2, 9 and 9 have the ranks 1, 2, 3.5, or one more where a zero comes first."""
    groups = TieGroups(1, np.array([0, 1, 2]), np.array([1, 0, 0]))
    assert groups.ranks(RANKS, ZeroMethod.WILCOX).tolist() == [2, 4, 7]
    assert groups.ranks(RANKS).tolist() == [4, 6, 9]


def test_statistics_beyond_64_bits_are_refused():
    """3,037,000,499 rows fit, one more does not: an error, not a wrong number."""
    largest = 3_037_000_499
    for n, sign in ((largest, 1), (largest, -1)):
        counts = np.array([n]), np.array([0])
        assert TieGroups(0, *counts[::sign]).statistic(RANKS) == sign * n * (n + 1)
    with pytest.raises(InvalidArgument, match="too large"):
        TieGroups(largest, np.array([1]), np.array([0])).statistic(RANKS)


@given(
    groups=st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda pair: sum(pair) > 0)
    ),
    n_zero=st.integers(0, 3),
    cap=st.integers(1, 20),
    zero_method=st.sampled_from(ZeroMethod),
)
def test_groups_have_the_statistic_of_their_rows(
    *, groups, n_zero, cap, zero_method, capped, by_definition
):
    """Counting the rows of each size loses nothing, for linear and for capped scores."""
    differences = [0] * n_zero
    for size, (positive, negative) in enumerate(groups, start=1):
        differences += [size] * positive + [-size] * negative
    counts = np.array(groups, dtype=np.int64).reshape(-1, 2)
    tie_groups = TieGroups(n_zero, counts[:, 0], counts[:, 1])
    assert len(tie_groups) == len(differences)
    for score in (RANKS, capped(cap), capped(cap, lattice=14)):
        expected = by_definition(differences, score, zero_method)
        assert tie_groups.statistic(score, zero_method) == expected


@pytest.mark.parametrize("sign", [1, -1])
def test_halves_are_rounded_away_from_zero(sign, capped):
    """Scores 2, 4, ..., 4 averaged over a tie of eight give 15/4; a net of 2 makes that 7.5."""
    contribution = signed_score_sum(np.array([8]), np.array([8]), np.array([2 * sign]), capped(2))
    assert contribution == 8 * sign


@given(
    rows=st.integers(1, LARGEST_N),
    before=st.integers(0, LARGEST_N),
    share=st.fractions(-1, 1),
    cap=st.integers(1, LARGEST_N),
)
def test_three_billion_rows_do_not_overflow(rows, before, share, cap, capped):
    """A tie group of any size and net sign among 3 * 10^9 rows is scored as in Python's integers.

    The scores are those of the ranks (on the lattice of 2) and of ranks that are capped, whose
    average over the group is a fraction.
    """
    before = min(before, LARGEST_N - rows)
    last, net = before + rows, int(rows * share)
    for score in (RANKS, capped(cap)):
        gain = score.total(last) - score.total(before)
        size = (2 * gain * abs(net) + rows) // (2 * rows)
        expected = size if net >= 0 else -size
        group = (np.array([number], dtype=np.int64) for number in (last, rows, net))
        assert signed_score_sum(*group, score) == expected
