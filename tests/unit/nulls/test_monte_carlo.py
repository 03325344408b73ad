"""The paper's simulated null: counting, reproducibility, memory."""

import math
import tracemalloc

import numpy as np
import pytest

from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls import monte_carlo
from dpwilcoxon.nulls.monte_carlo import CHUNK, MonteCarloNull
from dpwilcoxon.nulls.normal_laplace import NormalLaplaceNull
from dpwilcoxon.parameters import Alternative

SIGMA, NOISE = 1163.0, DiscreteLaplace(400.0)  # n = 100, epsilon = 1


def null_of(draws, rng=3, progress=None):
    """The simulated null of 100 pairs at epsilon 1."""
    return MonteCarloNull(SIGMA, NOISE, draws, rng, progress)


def all_draws(null):
    """Every draw the null compares with, plus 1/2."""
    return np.concatenate([chunk.copy() for chunk in null._chunks(folded=False)])


def test_pvalue_is_the_count_of_draws():
    """(m + 1) / (c + 1) with m the draws at or beyond t - 1/2, two-sided by absolute value."""
    null = null_of(CHUNK + 1000)
    draws = all_draws(null) - 0.5
    assert draws.size == CHUNK + 1000
    for t in (-700.0, 0.0, 13.0, 2500.0, 1e9):
        greater = np.count_nonzero(draws >= t - 0.5)
        two_sided = np.count_nonzero(np.abs(draws) >= abs(t) - 0.5)
        assert null.pvalue(t, Alternative.GREATER) == pytest.approx(
            (greater + 1) / (draws.size + 1), rel=1e-14
        )
        assert null.pvalue(t, Alternative.TWO_SIDED) == pytest.approx(
            (two_sided + 1) / (draws.size + 1), rel=1e-14
        )
        assert null.pvalue(t, Alternative.LESS) == null.pvalue(-t, Alternative.GREATER)


def test_few_and_many_levels_are_counted_alike():
    """Forty statistics (sorted draws) give what they give in twos (one by one), ties included."""
    null = null_of(100_000)
    t = np.concatenate([all_draws(null)[:38], [0.0, 5.0]])
    for alternative in Alternative:
        many = null.log_pvalue(t, alternative)
        few = np.concatenate([null.log_pvalue(pair, alternative) for pair in t.reshape(20, 2)])
        np.testing.assert_array_equal(many, few)


def test_simulation_lies_around_the_closed_form():
    """300,000 draws: ten tails lie within 4.5 standard errors (fails by chance 1 in 15,000).

    The same check fails for noise of a 5% larger scale.
    """
    t = np.linspace(-1500, 3500, 10)
    simulated = null_of(300_000, rng=20).sf(t)

    def standard_errors_off(scale):
        p = NormalLaplaceNull(SIGMA, DiscreteLaplace(scale)).sf(t)
        return np.max(np.abs(simulated - p) / np.sqrt(p * (1 - p) / 300_000))

    assert standard_errors_off(400.0) < 4.5
    assert standard_errors_off(400.0 * 1.05) > 4.5


def test_same_seed_same_answers():
    """A seed fixes the draws; a generator fixes them once and moves on; None is fresh."""
    t = np.array([10.0, 2000.0])
    np.testing.assert_array_equal(null_of(5000, 8).sf(t), null_of(5000, 8).sf(t))
    generator = np.random.default_rng(8)
    first, second = null_of(5000, generator), null_of(5000, generator)
    assert np.any(first.sf(t) != second.sf(t))
    np.testing.assert_array_equal(first.sf(t), first.sf(t))
    again = null_of(5000, np.random.default_rng(8))
    np.testing.assert_array_equal(again.sf(t), first.sf(t))
    fresh = null_of(5000, None)
    np.testing.assert_array_equal(fresh.sf(t), fresh.sf(t))
    assert np.any(fresh.sf(t) != null_of(5000, None).sf(t))


def test_order_statistics_are_those_of_the_sorted_draws():
    """Any rank from the first to the last, alone or together, without keeping all the draws."""
    null = null_of(150_000)
    largest_first = np.sort(all_draws(null))[::-1]
    ranks = np.array([1.0, 2.0, 30.0, 7500.0, 75_000.0, 149_999.0, 150_000.0])
    found = null._order_statistics(ranks, folded=False)
    np.testing.assert_array_equal(found, largest_first[ranks.astype(int) - 1])
    many = np.arange(1.0, 150_000.0, 5000.0)
    np.testing.assert_array_equal(
        null._order_statistics(many, folded=False), largest_first[many.astype(int) - 1]
    )
    np.testing.assert_array_equal(
        null._order_statistics(np.array([0.0, 150_001.0]), folded=False), [np.inf, -np.inf]
    )


def test_bracket_that_misses_is_widened(monkeypatch):
    """A bracket too narrow to hold the quantile, and a bound on what is kept, only cost passes."""
    null = null_of(150_000)
    ranks = np.array([10.0, 7500.0, 75_000.0])
    expected = null._order_statistics(ranks, folded=True)
    monkeypatch.setattr(monte_carlo, "BRACKET_ERRORS", 1e-3)
    monkeypatch.setattr(monte_carlo, "BRACKET_SPARE", 0.01)
    monkeypatch.setattr(monte_carlo, "DRAWS_KEPT", 2)
    np.testing.assert_array_equal(null._order_statistics(ranks, folded=True), expected)


def test_critical_value_uses_absolute_values():
    """Like the paper: the two-sided critical value is the 1 - alpha quantile of |draw|."""
    null = null_of(100_000)
    absolute = np.sort(np.abs(all_draws(null) - 0.5))[::-1]
    critical = null.critical_value(0.05, Alternative.TWO_SIDED)
    # 4999 of 100,000 draws may be as extreme: 5000 / 100,001 <= .05
    assert critical == pytest.approx(absolute[4999] + 0.5, rel=1e-12)
    less = null.critical_value(0.05, Alternative.LESS)
    assert less == -null.critical_value(0.05, Alternative.GREATER)


def test_level_that_so_few_draws_cannot_reach():
    """With 99 draws no p-value is below .01: the critical value of .009 is infinite."""
    null = null_of(99)
    assert null.critical_value(0.009, Alternative.TWO_SIDED) == math.inf
    assert null.critical_value(0.0101, Alternative.TWO_SIDED) < math.inf
    assert null.pvalue(1e12, Alternative.TWO_SIDED) == pytest.approx(0.01)


def test_progress_is_reported_to_the_end():
    """Every chunk reports how many draws are done, the last one all of them."""
    calls = []
    null_of(2 * CHUNK + 5, progress=lambda done, total: calls.append((done, total))).sf(0.0)
    total = 2 * CHUNK + 5
    assert calls == [(CHUNK, total), (2 * CHUNK, total), (total, total)]


def test_interruption_leaves_the_null_usable():
    """Ctrl-C during a pass comes through, and the next pass gives the whole answer."""
    interrupted = []

    def progress(done, _total):
        if not interrupted and done > CHUNK:
            interrupted.append(done)
            raise KeyboardInterrupt

    null = null_of(3 * CHUNK, progress=progress)
    with pytest.raises(KeyboardInterrupt):
        null.sf(100.0)
    assert null.sf(100.0) == null_of(3 * CHUNK).sf(100.0)


def test_memory_does_not_grow_with_the_draws():
    """2 million draws, p-values and critical values: less than 8 MB at any time."""
    null = null_of(2_000_000)
    tracemalloc.start()
    null.pvalue(np.linspace(0, 3000, 50), Alternative.TWO_SIDED)
    null.critical_value([0.5, 0.05], Alternative.TWO_SIDED)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8e6
