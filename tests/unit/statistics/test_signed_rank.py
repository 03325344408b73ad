"""The statistic through its one door, against the definition and against SciPy."""

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wilcoxon

from dpwilcoxon import statistics
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.statistics import compiled, signed_rank
from dpwilcoxon.statistics.keys import SignedKeys
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.signed_rank import signed_rank_total, tie_groups
from dpwilcoxon.statistics.tie_groups import ZeroMethod

SCIPY_SAMPLES = 1500
few_integers = st.lists(st.integers(-5, 5), min_size=1, max_size=25)
floats = st.lists(st.floats(allow_nan=False), min_size=1, max_size=25)
zero_methods = st.sampled_from(ZeroMethod)


def total(differences, score=None, zero_method=ZeroMethod.PRATT):
    """T of differences; doubled ranks unless another score is given."""
    keys = SignedKeys.from_differences(np.asarray(differences))
    return signed_rank_total(keys, score or RANKS, zero_method)


def test_the_papers_example():
    """w = 8 when the zero is dropped (Algorithm W) and 10 when it is ranked (Algorithm WP)."""
    differences = [9, 9, 0, 2, -1]
    assert total(differences, zero_method=ZeroMethod.WILCOX) == 2 * 8
    assert total(differences, zero_method=ZeroMethod.PRATT) == 2 * 10


@given(differences=few_integers, zero_method=zero_methods, cap=st.integers(1, 25))
def test_the_definition(differences, zero_method, cap, capped, by_definition):
    """Ties and zeros as defined, in exact fractions, for linear and for capped scores."""
    for score in (RANKS, capped(cap), capped(cap, lattice=6)):
        expected = by_definition(differences, score, zero_method)
        assert total(differences, score, zero_method) == expected


@pytest.mark.parametrize("zero_method", ZeroMethod)
def test_scipy_agrees(zero_method):
    """SciPy's r_plus, brought to w = r_plus - r_minus, on random samples with ties and zeros."""
    rng = np.random.default_rng(20180905)
    for _ in range(SCIPY_SAMPLES):
        n = int(rng.integers(1, 60))
        kind = rng.integers(3)
        d = rng.integers(-8, 9, n) if kind else rng.normal(size=n)
        if kind == 2:
            d = d * 0.1
        if not d.any():
            continue  # SciPy gives NaN
        ours = total(d, zero_method=zero_method)
        r_plus = wilcoxon(
            d, zero_method=zero_method.value, alternative="greater", method="asymptotic"
        ).statistic
        zeros = np.count_nonzero(d == 0)
        ranks = n * (n + 1) - zeros * (zeros + 1)  # doubled, of the differences that are not zero
        if zero_method is ZeroMethod.WILCOX:
            ranks = (n - zeros) * (n - zeros + 1)
        assert ours == 4 * r_plus - ranks


@given(differences=floats, zero_method=zero_methods)
def test_swapping_before_and_after_changes_the_sign(differences, zero_method):
    """T(-d) = -T(d)."""
    swapped = [-d for d in differences]
    assert total(swapped, zero_method=zero_method) == -total(differences, zero_method=zero_method)


@given(differences=few_integers, seed=st.integers(0, 99), cap=st.integers(1, 25))
def test_the_order_of_the_rows_does_not_matter(differences, seed, cap, capped):
    """T is a function of the rows as a multiset."""
    shuffled = np.random.default_rng(seed).permutation(differences)
    for score in (RANKS, capped(cap)):
        assert total(shuffled, score) == total(differences, score)


@given(differences=few_integers, zero_method=zero_methods)
def test_only_signs_and_the_order_of_sizes_matter(differences, zero_method):
    """A strictly increasing odd function of the differences keeps T."""
    expected = total(differences, zero_method=zero_method)
    for transform in (lambda d: d**3, lambda d: 1e-320 * d, lambda d: math.sinh(100 * d)):
        transformed = [float(transform(d)) for d in differences]
        assert total(transformed, zero_method=zero_method) == expected


@given(differences=floats)
def test_the_largest_statistic(differences):
    """|T| <= n(n + 1), attained when all differences have one sign."""
    n = len(differences)
    assert abs(total(differences)) <= n * (n + 1)
    assert total([abs(d) or 1.0 for d in differences]) == n * (n + 1)


@given(differences=few_integers, zero_method=zero_methods, cap=st.integers(1, 25))
def test_tie_groups_have_the_same_statistic(differences, zero_method, cap, capped):
    """Reducing a sample to its tie groups loses nothing."""
    groups = tie_groups(SignedKeys.from_differences(np.array(differences)))
    assert len(groups) == len(differences)
    for score in (RANKS, capped(cap)):
        assert groups.statistic(score, zero_method) == total(differences, score, zero_method)


def test_samples_without_any_difference():
    """Zeros alone, or nothing at all, have the statistic 0."""
    for differences in ([0, 0, 0], []):
        keys = SignedKeys.from_differences(np.array(differences, dtype=np.int64))
        for zero_method in ZeroMethod:
            assert signed_rank_total(keys, RANKS, zero_method) == 0
            assert tie_groups(keys).statistic(RANKS, zero_method) == 0


def test_statistics_beyond_64_bits_are_refused(capped):
    """A lattice so fine that T could overflow is an error, not a wrong number."""
    with pytest.raises(InvalidArgument, match="too large"):
        total([1, 2], capped(2, lattice=2**62))


def test_the_path_is_chosen_by_size_alone(monkeypatch):
    """From KERNEL_FROM rows on the compiled loops are asked, and never below."""
    asked = []

    class LargeSamples:
        @staticmethod
        def total(keys, score, zero_method):
            asked.append(len(keys))
            return signed_rank.ordered_total(np.sort(keys), score, zero_method)

    monkeypatch.setattr(compiled, "KERNEL_FROM", 10)
    monkeypatch.setitem(sys.modules, "dpwilcoxon.statistics.large_samples", LargeSamples)
    monkeypatch.setattr(statistics, "large_samples", LargeSamples, raising=False)
    assert [total(range(n)) for n in (9, 10, 11)] == [88, 108, 130]
    assert asked == [10, 11]


def test_without_numba_numpy_gives_the_same_answer(monkeypatch):
    """A missing optional dependency costs time and nothing else."""
    monkeypatch.setattr(compiled, "KERNEL_FROM", 1)
    monkeypatch.delattr(statistics, "large_samples", raising=False)
    monkeypatch.setitem(sys.modules, "dpwilcoxon.statistics.large_samples", None)
    assert total([9, 9, 0, 2, -1]) == 20
