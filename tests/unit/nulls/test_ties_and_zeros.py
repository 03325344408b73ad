"""Validity: what the exact null without ties and zeros is worth when there are some.

Every pattern of zeros and ties of n pairs is one number of zeros and one ordered composition of
the rest into tie groups. Under H0 the signs are fair, so the law of its statistic is a
convolution of binomials, and its noisy tail an exact sum: nothing here is simulated.
"""

import itertools
import math
from functools import lru_cache

import numpy as np
import pytest

from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls.exact import ExactRankNull
from dpwilcoxon.nulls.normal_laplace import NormalLaplaceNull
from dpwilcoxon.statistics.scores import RANKS
from dpwilcoxon.statistics.tie_groups import TieGroups

ROUNDING = 1e-11
EPSILONS = (0.01, 0.1, 0.5, 1.0, 1.25, 1.5, 1.75, 1.9, 2.0)


def compositions(total):
    """Every way to write `total` as an ordered sum of positive integers."""
    if total == 0:
        yield ()
    for first in range(1, total + 1):
        for rest in compositions(total - first):
            yield (first, *rest)


def patterns(n):
    """Every number of zeros with every sequence of tie group sizes of the other pairs."""
    return [(zeros, groups) for zeros in range(n + 1) for groups in compositions(n - zeros)]


def law_of_pattern(n, zeros, groups):
    """P(T = -n(n+1)), ..., P(T = n(n+1)) with fair signs, one binomial per tie group."""
    law = np.zeros(2 * n * (n + 1) + 1)
    law[n * (n + 1)] = 1.0
    last = zeros
    for size in groups:
        score = 2 * last + size + 1  # the doubled average of the ranks last + 1 .. last + size
        last += size
        nets = [(2 * positive - size, math.comb(size, positive)) for positive in range(size + 1)]
        law = sum(np.roll(law, score * net) * (ways / 2**size) for net, ways in nets)
    return law


@lru_cache(maxsize=16)
def laws(n):
    """The laws of all patterns of n pairs, one row each."""
    return np.array([law_of_pattern(n, *pattern) for pattern in patterns(n)])


def noise_tail(k, noise):
    """P(noise >= k)."""
    far = np.exp(-np.abs(k) / noise.scale) / (1 + noise.ratio)
    return np.where(k >= 0, far, 1 - noise.ratio * far)


def excess(n, epsilon, largest_level):
    """The true level of each pattern over the nominal one, at every attainable nominal level.

    Rows are patterns, columns the integers t >= 1 whose exact p-value is at most
    `largest_level`. For t >= n(n+1) the tails are exponentials and their ratio is constant, so
    t = n(n+1) stands for all of them.
    """
    noise = DiscreteLaplace(4 * n / epsilon)
    largest = n * (n + 1)
    t = np.arange(1, largest + 1)
    nominal = ExactRankNull(n, noise).sf(t)
    kept = (nominal <= largest_level) | (t == largest)
    k = t[kept] - np.arange(-largest, largest + 1)[:, np.newaxis]
    return laws(n) @ noise_tail(k, noise) / nominal[kept]


def test_patterns_are_complete():
    """The patterns of n pairs number 2^n, and each is a law."""
    for n in range(1, 9):
        assert len(patterns(n)) == 2**n
        np.testing.assert_allclose(laws(n).sum(axis=1), 1, rtol=1e-14)


def test_law_of_a_pattern_is_that_of_the_statistic():
    """One zero, a tie of two, one alone, a tie of two: all 32 sign patterns through TieGroups."""
    groups = np.array([2, 1, 2])
    counted = np.zeros(2 * 42 + 1)
    for signs in itertools.product((0, 1), repeat=5):
        positive = np.array([signs[0] + signs[1], signs[2], signs[3] + signs[4]])
        counted[TieGroups(1, positive, groups - positive).statistic(RANKS) + 42] += 1 / 32
    np.testing.assert_allclose(law_of_pattern(6, 1, (2, 1, 2)), counted, atol=1e-16)


@pytest.mark.parametrize("n", range(1, 9))
def test_no_pattern_exceeds_a_two_sided_level(n):
    """At epsilon <= 2 no pattern of ties and zeros rejects more often than a level <= .2 allows.

    A two-sided level is twice a one-sided one, because every law here is symmetric.
    """
    for epsilon in EPSILONS:
        assert excess(n, epsilon, largest_level=0.1).max() <= 1 + ROUNDING


@pytest.mark.parametrize("n", range(1, 9))
def test_no_pattern_exceeds_a_one_sided_level_with_one_exception(n):
    """One-sided levels <= .2 hold too, but for 4 pairs of which the lowest two tie.

    There, above epsilon 1.9, the level .19 is exceeded, by less than three parts in ten thousand.
    """
    for epsilon in EPSILONS:
        ratio = excess(n, epsilon, largest_level=0.2).max(axis=1)
        broken = [patterns(n)[i] for i in np.flatnonzero(ratio > 1 + ROUNDING)]
        assert broken == ([(0, (2, 1, 1))] if n == 4 and epsilon == 2.0 else [])
        assert ratio.max() < 1.0003


def test_untied_pattern_attains_every_level():
    """The check has teeth: without ties and zeros the true level is the nominal one."""
    for n in (1, 5, 8):
        untied = patterns(n).index((0, (1,) * n))
        np.testing.assert_allclose(excess(n, 1.0, largest_level=0.2)[untied], 1, rtol=1e-11)


def test_limit_of_validity_at_large_epsilon():
    """With next to no noise the claim fails: n = 4, epsilon = 30, one zero, 1.7 times the level.

    The three other pairs have ranks 2, 3, 4 and reach w = 9 with probability 1/8; four pairs
    reach 10 with probability 1/16 and 8 with another 1/16, and too little noise blurs that.
    """
    one_zero = patterns(4).index((1, (1, 1, 1)))
    ratio = excess(4, 30.0, largest_level=0.2)[one_zero]
    assert ratio.max() == pytest.approx(1.7, abs=0.05)


@pytest.mark.parametrize("n", range(1, 9))
def test_closed_form_exceeds_two_sided_levels_a_little(n):
    """Two-sided levels <= .2 by the closed form: exceeded by .1% at epsilon 1, 3% at epsilon 2.

    Beyond t = n(n+1) all tails fall alike, so a few such points stand for the others.
    """
    for epsilon, most in ((1.0, 1.001), (2.0, 1.03)):
        noise = DiscreteLaplace(4 * n / epsilon)
        largest = n * (n + 1)
        t = np.concatenate([np.arange(1, largest + 1), largest + np.arange(1, 30 * n)])
        nominal = NormalLaplaceNull(math.sqrt(RANKS.sum_of_squares(n)), noise).sf(t)
        k = t - np.arange(-largest, largest + 1)[:, np.newaxis]
        ratio = (laws(n) @ noise_tail(k, noise) / nominal)[:, nominal <= 0.1]
        assert ratio.max() < most
