"""The exact law by counting, against enumeration of every sign pattern."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls.exact_counting import (
    LARGEST_COUNTED_N,
    CountedTail,
    signed_rank_pmf,
    subset_counts,
)
from dpwilcoxon.nulls.ladder import Ladder


def sums_of_sign_patterns(ladder):
    """How many of the 2^n sign patterns give each statistic."""
    patterns = itertools.product((-ladder.unit, ladder.unit), repeat=ladder.n)
    return Counter(
        sum(sign * min(rank, ladder.cap) for rank, sign in enumerate(signs, start=1))
        for signs in patterns
    )


def enumerated_log_tail(ladder, noise, t):
    """Log P(T~ >= t) in 60 digits: every sign pattern times the exact discrete Laplace tail."""
    with mpmath.workdps(60):
        ratio = mpmath.exp(-1 / mpmath.mpf(noise.scale))

        def noise_tail(k):
            return ratio**k / (1 + ratio) if k >= 0 else 1 - ratio ** (1 - k) / (1 + ratio)

        mass = mpmath.fsum(
            count * noise_tail(t - total) for total, count in sums_of_sign_patterns(ladder).items()
        )
        return float(mpmath.log(mass / 2**ladder.n))


@pytest.mark.parametrize("n", range(1, 11))
def test_pmf_is_the_count_of_sign_patterns(n):
    """P(V = v) is the exact fraction of the 2^n patterns, for every v, by enumeration."""
    counts = sums_of_sign_patterns(Ladder(n, n, 2))
    largest = n * (n + 1) // 2
    expected = [float(Fraction(counts[4 * v - 2 * largest], 2**n)) for v in range(largest + 1)]
    np.testing.assert_array_equal(signed_rank_pmf(n), expected)


@pytest.mark.parametrize("n", [50, 255, 400, LARGEST_COUNTED_N])
def test_pmf_has_the_moments_of_the_signed_rank_sum(n):
    """It adds up to 1, is symmetric, has the variance n(n+1)(2n+1)/24 and 2^-n at its ends."""
    pmf = signed_rank_pmf(n)
    v = np.arange(pmf.size) - (pmf.size - 1) / 2
    assert pmf.sum() == pytest.approx(1, rel=1e-12)
    np.testing.assert_array_equal(pmf, pmf[::-1])
    assert pmf @ v**2 == pytest.approx(n * (n + 1) * (2 * n + 1) / 24, rel=1e-12)
    assert pmf[0] == math.ldexp(1, -n)


@pytest.mark.parametrize("n", [0, LARGEST_COUNTED_N + 1])
def test_sizes_that_cannot_be_counted_are_refused(n):
    """2^n would overflow, and there is no law of no ranks."""
    with pytest.raises(InvalidArgument, match="to be counted; got"):
        signed_rank_pmf(n)


def test_cached_counts_cannot_be_spoiled():
    """A caller who writes into the shared counts is stopped."""
    with pytest.raises(ValueError, match="read-only"):
        subset_counts(5, 5, 15)[0] = 2.0


@pytest.mark.parametrize("n", range(1, 11))
@pytest.mark.parametrize("epsilon", [1e-3, 0.5, 2.0, 40.0])
def test_tail_is_the_enumerated_one(n, epsilon):
    """P(T~ >= t) equals the enumeration to 12 digits, far beyond the largest T too."""
    for ladder in (Ladder(n, n, 2), Ladder(n, 1, 1), Ladder(n, (n + 1) // 2, 6)):
        largest = ladder.largest
        noise = DiscreteLaplace(2 * ladder.unit * ladder.cap / epsilon)
        far = largest + noise.scale * np.array([1.0, 10.0, 500.0])
        t = np.unique(np.round(np.concatenate([np.linspace(1, largest + 3, 12), far])))
        expected = [enumerated_log_tail(ladder, noise, int(at)) for at in t]
        counted = CountedTail(ladder, noise).log_upper_tail(t)
        np.testing.assert_allclose(counted, expected, rtol=1e-12)


@pytest.mark.parametrize("cap", [300, 128])
@pytest.mark.parametrize("epsilon", [0.5, 3.0, 12.0, 300.0])
def test_top_alone_gives_the_same_tail(epsilon, cap):
    """At n = 300, 8192 of 22575 points and the total of the rest give the topmost 2500 tails."""
    ladder, noise = Ladder(300, cap, 2), DiscreteLaplace(4 * cap / epsilon)
    t = ladder.largest - 4.0 * np.arange(0, 2500, 37) + np.arange(68) % 4
    whole = CountedTail(ladder, noise).log_upper_tail(t)
    top = CountedTail(ladder, noise, points=8192).log_upper_tail(t)
    np.testing.assert_allclose(np.expm1(top - whole), 0, atol=1e-11)
