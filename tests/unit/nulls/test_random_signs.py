"""The law of ranks with random signs, against enumeration and against the counted law."""

from itertools import product

import numpy as np
import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.nulls.exact_counting import signed_rank_pmf
from dpwilcoxon.nulls.random_signs import (
    LARGEST_SIGNED_N,
    doubled_ranks,
    law_of_random_signs,
)
from dpwilcoxon.parameters import Alternative


@pytest.mark.parametrize(
    ("sizes", "n_zero"), [([1, 1, 1, 1], 0), ([2, 3, 1], 0), ([1, 2, 2], 3), ([6], 1), ([1], 0)]
)
def test_against_every_pattern_of_signs(sizes, n_zero):
    """With ties and zeros, each tail is the share of the 2^n sign patterns in it."""
    ranks = doubled_ranks(np.array(sizes), n_zero)
    sums = np.array(list(product([-1, 1], repeat=len(ranks)))) @ np.array(ranks)
    law = law_of_random_signs(ranks)
    possible = np.unique(sums)
    greater = [np.mean(sums >= each) for each in possible]
    less = [np.mean(sums <= each) for each in possible]
    np.testing.assert_allclose(law.pvalue(possible, Alternative.GREATER), greater, rtol=1e-12)
    np.testing.assert_allclose(law.pvalue(possible, Alternative.LESS), less, rtol=1e-12)
    both = np.minimum(1.0, 2.0 * np.minimum(greater, less))
    np.testing.assert_allclose(law.pvalue(possible, Alternative.TWO_SIDED), both, rtol=1e-12)


def test_against_the_counted_law():
    """Without ties it is the law that the exact null counts, in the middle and at the ends."""
    n = 60
    law = law_of_random_signs(doubled_ranks(np.ones(n, dtype=np.int64), 0))
    v = np.arange(n * (n + 1) // 2 + 1)
    tail = np.cumsum(signed_rank_pmf(n)[::-1])[::-1]
    np.testing.assert_allclose(
        law.pvalue(4 * v - n * (n + 1), Alternative.GREATER), tail, rtol=1e-10
    )


def test_no_ranks_at_all():
    """The sum of nothing is 0, for certain."""
    assert law_of_random_signs(()).pvalue(0, Alternative.TWO_SIDED) == 1.0


def test_too_many_ranks_are_refused():
    """The message names the method that has no limit."""
    ranks = doubled_ranks(np.ones(LARGEST_SIGNED_N + 1, dtype=np.int64), 0)
    with pytest.raises(InvalidArgument, match="normal-laplace"):
        law_of_random_signs(ranks)
