"""Validity: what the exact null without ties and zeros is worth when there are some.

Every pattern of zeros and ties of n pairs is one number of zeros and one ordered composition of
the rest into tie groups. Under H0 the signs are fair, so the law of its statistic is a
convolution of binomials, and its noisy tail an exact sum: nothing here is simulated.
"""

import itertools
import math
import re
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from dpwilcoxon.noise import CanonicalNoise, DiscreteLaplace
from dpwilcoxon.nulls.exact import ExactRankNull
from dpwilcoxon.nulls.normal_laplace import NormalLaplaceNull
from dpwilcoxon.procedures.capped import FINENESS
from dpwilcoxon.procedures.sign import FINE_SIGNS
from dpwilcoxon.statistics.scores import RANKS, SIGNS, capped_ranks
from dpwilcoxon.statistics.tie_groups import TieGroups, rounded_scores

ROUNDING = 1e-11
PAGE = (Path(__file__).parents[3] / "docs" / "p-values.md").read_text(encoding="utf-8")
CAPPED = [FINE_SIGNS, *(capped_ranks(cap, FINENESS) for cap in range(2, 8))]
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


def law_of_pattern(n, zeros, groups, score=RANKS):
    """P(T = -A(n)), ..., P(T = A(n)) with fair signs, one binomial per tie group."""
    largest = score.total(n)
    law = np.zeros(2 * largest + 1)
    law[largest] = 1.0
    last = zeros
    for size in groups:
        gain = score.total(last + size) - score.total(last)
        last += size
        positive = np.arange(size + 1)
        changes = rounded_scores(np.array(gain), np.array(size), 2 * positive - size)
        ways = [(change, math.comb(size, k)) for k, change in enumerate(changes.tolist())]
        law = sum(np.roll(law, change) * (count / 2**size) for change, count in ways)
    return law


@lru_cache(maxsize=16)
def laws(n, score=RANKS):
    """The values T can take, and the laws of all patterns of n pairs on them, one row each."""
    largest = score.total(n)
    dense = np.array([law_of_pattern(n, *pattern, score) for pattern in patterns(n)])
    taken = np.flatnonzero(dense.any(axis=0))
    return taken - largest, dense[:, taken]


def noise_tail(k, noise):
    """P(noise >= k)."""
    far = np.exp(-np.abs(k) / noise.scale) / (1 + noise.ratio)
    return np.where(k >= 0, far, 1 - noise.ratio * far)


def excess_of(pattern, epsilon, score=RANKS):
    """For one pattern (n, zeros, groups): nominal levels at t = 1..A(n), and the true over them."""
    n = pattern[0]
    noise, largest = DiscreteLaplace(2 * score.largest(n) / epsilon), score.total(n)
    t = np.arange(1, largest + 1)
    nominal = ExactRankNull(n, noise, score).sf(t)
    law = law_of_pattern(*pattern, score)
    taken = np.flatnonzero(law)
    tail = noise_tail(t[:, np.newaxis] - (taken - largest), noise) @ law[taken]
    return nominal, tail / nominal


def excess(n, epsilon, largest_level, score=RANKS):
    """The true level of each pattern over the nominal one, at every attainable nominal level.

    Rows are patterns, columns the integers t >= 1 whose exact p-value is at most
    `largest_level`. From the largest T on the tails are exponentials and their ratio is constant,
    so that t stands for all of them.
    """
    noise = DiscreteLaplace(2 * score.largest(n) / epsilon)
    largest = score.total(n)
    t = np.arange(1, largest + 1)
    nominal = ExactRankNull(n, noise, score).sf(t)
    kept = (nominal <= largest_level) | (t == largest)
    values, probabilities = laws(n, score)
    k = t[kept] - values[:, np.newaxis]
    return probabilities @ noise_tail(k, noise) / nominal[kept]


def test_patterns_are_complete():
    """The patterns of n pairs number 2^n, and each is a law."""
    for n in range(1, 9):
        assert len(patterns(n)) == 2**n
        np.testing.assert_allclose(laws(n)[1].sum(axis=1), 1, rtol=1e-14)


@pytest.mark.parametrize("score", [RANKS, FINE_SIGNS, capped_ranks(5, FINENESS)])
def test_law_of_a_pattern_is_that_of_the_statistic(score):
    """One zero, a tie of two, one alone, a tie of two: all 32 sign patterns through TieGroups."""
    groups, largest = np.array([2, 1, 2]), score.total(6)
    counted = np.zeros(2 * largest + 1)
    for signs in itertools.product((0, 1), repeat=5):
        positive = np.array([signs[0] + signs[1], signs[2], signs[3] + signs[4]])
        counted[TieGroups(1, positive, groups - positive).statistic(score) + largest] += 1 / 32
    np.testing.assert_allclose(law_of_pattern(6, 1, (2, 1, 2), score), counted, atol=1e-16)


@pytest.mark.parametrize("n", range(1, 13))
def test_no_pattern_exceeds_a_two_sided_level(n):
    """At epsilon <= 2 no pattern of ties and zeros rejects more often than a level <= .2 allows.

    A two-sided level is twice a one-sided one, because every law here is symmetric.
    """
    for epsilon in EPSILONS:
        assert excess(n, epsilon, largest_level=0.1).max() <= 1 + ROUNDING


@pytest.mark.parametrize("n", range(1, 13))
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


def drawn_pattern(n, rng):
    """Any number of zeros, and groups with borders between them that are rare or common."""
    zeros = int(rng.integers(n))
    others = n - zeros
    borders = np.flatnonzero(rng.random(others - 1) < rng.random() ** 2) + 1
    return n, zeros, tuple(np.diff([0, *borders, others]).tolist())


def test_drawn_patterns_of_more_pairs_exceed_no_level():
    """13 to 25 pairs, 20 patterns each, epsilon 1 and 2: no level <= .2 of one side or of two."""
    rng = np.random.default_rng(13)
    for pattern in [drawn_pattern(n, rng) for n in range(13, 26) for _ in range(20)]:
        for epsilon in (1.0, 2.0):
            nominal, ratio = excess_of(pattern, epsilon)
            assert ratio[nominal <= 0.2].max(initial=0) <= 1 + ROUNDING


@pytest.mark.parametrize("score", [RANKS, SIGNS])
def test_from_the_largest_statistic_on_every_pattern_is_conservative(score):
    """At t = A(n), for all beyond: a T with ties is the mean of one without, and exp is convex."""
    rng = np.random.default_rng(14)
    for pattern in [drawn_pattern(n, rng) for n in range(2, 31) for _ in range(5)]:
        for epsilon in (0.1, 1.0, 10.0, 100.0):
            assert excess_of(pattern, epsilon, score)[1][-1] <= 1 + ROUNDING


def test_table_of_excess_at_large_epsilon_stands():
    """Each entry of the table in docs/p-values.md: the worst number of zeros with one tie."""
    table = PAGE.partition("| pairs |")[2].partition("\n\n")[0].splitlines()[2:]
    rows = [[int(number) for number in re.findall(r"\d+", line)] for line in table]
    assert [row[0] for row in rows] == [5, 10, 15, 25, 50]
    for n, *entries in rows:
        for epsilon, entry in zip((5.0, 10.0, 20.0, 30.0), entries, strict=True):
            worst = 1.0
            for zeros in range(n):
                nominal, ratio = excess_of((n, zeros, (n - zeros,)), epsilon)
                worst = max(worst, ratio[(nominal >= 0.0005) & (nominal <= 0.1)].max(initial=0))
            assert round(100 * (worst - 1)) == entry


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
        values, probabilities = laws(n)
        ratio = probabilities @ noise_tail(t - values[:, np.newaxis], noise) / nominal
        ratio = ratio[:, nominal <= 0.1]
        assert ratio.max() < most


def scores_below(n):
    """Signs and every cap below n: whatever rule chooses the cap, it is one of these."""
    return CAPPED[: max(n - 1, 1)]


@pytest.mark.parametrize("n", range(1, 9))
def test_under_any_cap_no_pattern_exceeds_a_level_up_to_epsilon_1_25(n):
    """Signs and every cap: at epsilon <= 1.25 no level <= .2, one-sided or two-sided, is exceeded.

    Each two-sided level is twice a one-sided one, so levels <= .2 of one side cover both.
    """
    for score in scores_below(n):
        for epsilon in (0.01, 0.1, 0.5, 1.0, 1.25):
            assert excess(n, epsilon, 0.2, score).max() <= 1 + ROUNDING


def test_under_a_cap_levels_are_exceeded_a_little_up_to_epsilon_2():
    """At epsilon <= 2, two-sided levels <= .2 by 0.4% of themselves, one-sided ones by 1.6%.

    Both figures are reached to within a fifth.
    """
    two_sided, one_sided = (
        max(
            float(excess(n, epsilon, level, score).max()) - 1
            for n in range(1, 9)
            for score in scores_below(n)
            for epsilon in (1.5, 1.75, 1.9, 2.0)
        )
        for level in (0.1, 0.2)
    )
    assert 0.0032 < two_sided < 0.004
    assert 0.014 < one_sided < 0.016


def test_rounding_to_halves_would_break_levels():
    """Why the lattice is fine: 5 tied pairs under a cap of 2 score 1.8, rounded to 2 (eps = 1)."""
    coarse, fine = (excess(5, 1.0, 0.2, capped_ranks(2, each)).max() for each in (1, FINENESS))
    assert coarse > 1.004
    assert fine <= 1 + ROUNDING


def test_the_closed_form_of_signs_needs_its_continuity_correction():
    """n = 19, epsilon 2, two-sided .05: 1.29 times the level without it, less than it with it.

    With it no level up to .2 that 2 to 50 pairs attain is exceeded by more than 4%.
    """
    for n in (2, 8, 15, 19, 20, 30, 50):
        noise, t = DiscreteLaplace(1.0), np.arange(1.0, n + 9.0)
        true, closed = ExactRankNull(n, noise, SIGNS), NormalLaplaceNull(math.sqrt(n), noise)
        assert (true.sf(t) / closed.sf(t))[closed.sf(t) <= 0.1].max() < 1.04
        if n == 19:
            corrected, naive = (
                2 * true.sf(t)[2 * closed.sf(t + shift) <= 0.05].max() for shift in (0, 0.5)
            )
            assert corrected < 0.05
            assert naive == pytest.approx(1.29 * 0.05, rel=0.01)


def canonical_excess(n, epsilon, score):
    """As `excess` for levels up to .2, under canonical noise: one row for each pattern.

    From a window beyond the largest T on all tails fall alike from window to window, so t need not
    go further than to where the first level below .2 is met. With many t, every seventh is looked
    at: between knots, which lie on the lattice, a ratio of two straight lines has no extremes.
    """
    noise, largest = CanonicalNoise(2 * score.largest(n), 1 / epsilon), score.total(n)
    last = largest + noise.window * math.ceil(1 + math.log(12.5) / epsilon)
    t = np.arange(1, last + 1, 7 if last > 6000 else 1)
    nominal = ExactRankNull(n, noise, score).sf(t)
    t, nominal = t[nominal <= 0.2], nominal[nominal <= 0.2]
    values, probabilities = laws(n, score)
    return probabilities @ noise.sf(t - values[:, np.newaxis]) / nominal


CANONICAL_EPSILONS = (0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)


@pytest.mark.parametrize("n", range(1, 9))
def test_under_canonical_noise_no_pattern_exceeds_a_level_of_ranks(n):
    """At epsilon <= 10, one-sided or two-sided: its windows blur what ties and zeros do."""
    for epsilon in CANONICAL_EPSILONS:
        ratio = canonical_excess(n, epsilon, RANKS)
        assert ratio.max() <= 1 + ROUNDING
        untied = ratio[patterns(n).index((0, (1,) * n))]
        np.testing.assert_allclose(untied, 1, rtol=1e-11)  # the check has teeth


def test_under_canonical_noise_levels_under_a_cap_are_exceeded_by_next_to_nothing():
    """Signs and every cap, epsilon <= 10, levels <= .2 of one or two sides: at most 0.4%."""
    worst = max(
        float(canonical_excess(n, epsilon, score).max()) - 1
        for n in range(1, 9)
        for score in scores_below(n)
        for epsilon in CANONICAL_EPSILONS
    )
    assert 0.0032 < worst < 0.004
