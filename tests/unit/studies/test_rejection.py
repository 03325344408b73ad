"""Rejection rates: right, repeatable, and the same on any number of threads."""

import math
from itertools import product

import numpy as np
import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import Alternative, Design
from dpwilcoxon.procedures.registry import PROCEDURES
from dpwilcoxon.statistics import batch_kernel, compiled
from dpwilcoxon.statistics.batches import SampleBatch
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.rejection import Estimate, chunk_rows, rejection_rates


def rule(name, n, epsilon=1, alternative=Alternative.TWO_SIDED):
    """The rejection rule of a procedure at level .05."""
    return PROCEDURES[name].rejection_rule(Design.parse(n, epsilon), 0.05, alternative)


@pytest.mark.parametrize("alternative", Alternative)
def test_against_enumeration(alternative):
    """Two-valued differences of five pairs: all 32 samples by hand, 40,000 replicates, 4 s.e."""
    p = 0.8
    population = Population.parse(lambda rng, size: np.where(rng.random(size) < p, 1.0, -1.0))
    reject = rule("pratt", 5, 3, alternative)
    patterns = np.array(list(product([1.0, -1.0], repeat=5)))
    weights = np.prod(np.where(patterns > 0, p, 1 - p), axis=1)
    exact = float(weights @ reject(SampleBatch.of_differences(patterns)))
    (estimate,) = rejection_rates(population, 5, [reject], replicates=40_000, seed=3)
    assert estimate.replicates == 40_000
    assert abs(estimate.probability - exact) < 4 * estimate.standard_error


def test_type_one_error_is_the_level():
    """With effect 0 the exact test rejects as often as it should: 60,000 replicates, 4 s.e.

    The critical value is an integer, so the level is attained to within one lattice point.
    """
    reject = rule("pratt", 60, 0.5)
    (estimate,) = rejection_rates(Population(), 60, [reject], replicates=60_000, seed=4)
    assert abs(estimate.probability - 0.05) < 4 * estimate.standard_error + 1e-4
    assert estimate.standard_error < math.sqrt(0.05 * 0.95 / 60_000)


@pytest.mark.parametrize("n", [4, 90, 3000])
def test_jobs_change_nothing(n):
    """One thread, two or five, or one rule at a time: the same to the last bit."""
    rules = [rule("pratt", n), rule("public", n)]
    population = Population.parse(effect=0.5, zero_fraction=0.2, zeros="random")
    replicates = 3 * chunk_rows(n) + 1
    results = {
        rejection_rates(population, n, rules, replicates=replicates, seed=9, jobs=jobs)
        for jobs in (None, 1, 5)
    }
    assert len(results) == 1
    alone = rejection_rates(population, n, rules[1:], replicates=replicates, seed=9)
    assert alone == results.pop()[1:]


@pytest.mark.parametrize("family", ["normal", "likert:4", "log-normal", "student-t:1"])
def test_loops_change_nothing(family, monkeypatch):
    """With numba's loops and without them: the same to the last bit."""
    population = Population.parse(family, effect=0.3, zero_fraction=0.1)
    rules = [rule("pratt", 77), rule("public", 77)]
    results = []
    for loaded in ([], [batch_kernel]):
        monkeypatch.setattr(compiled, "_loaded", loaded)
        results.append(rejection_rates(population, 77, rules, replicates=3000, seed=4))
    assert results[0] == results[1]


def test_seeds():
    """An int gives the same again, a generator moves on, and no seed is new luck."""

    def rate(seed):
        return rejection_rates(
            Population(effect=0.5), 20, [rule("public", 20)], replicates=999, seed=seed
        )

    rng = np.random.default_rng(1)
    assert rate(1) == rate(1) == rate(np.random.SeedSequence(1))
    assert rate(rng) != rate(rng)
    assert rate(None) != rate(None)
    assert rate(np.random.default_rng(1)) == rate(np.random.default_rng(1))


def test_neighbouring_effects_share_their_luck():
    """More effect never rejects less, sample by sample, so estimates rise without noise."""
    rules = [rule("pratt", 30, alternative=Alternative.GREATER)]
    rates = [
        rejection_rates(Population(effect=each), 30, rules, replicates=500, seed=2)[0].probability
        for each in np.linspace(0.5, 0.6, 11)
    ]
    assert sorted(rates) == rates
    assert len(set(rates)) == 11


def test_progress_counts_replicates():
    """Calls rise to the number of replicates."""
    seen = []
    replicates = 2 * chunk_rows(100) + 7
    rejection_rates(
        Population(),
        100,
        [rule("public", 100)],
        replicates=replicates,
        seed=1,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [
        (chunk_rows(100), replicates),
        (2 * chunk_rows(100), replicates),
        (replicates, replicates),
    ]


def test_an_error_in_a_thread_comes_out():
    """What goes wrong in one chunk is what the caller sees."""

    def broken(_):
        raise RuntimeError("broken rule")

    with pytest.raises(RuntimeError, match="broken rule"):
        rejection_rates(Population(), 100, [broken], replicates=100_000, seed=1)


def test_intervals():
    """They hold about the estimate, and keep a width where all replicates agree."""
    low, high = Estimate(0.8, 0.001, 100_000).interval(0.95)
    assert low == pytest.approx(0.8 - 1.96e-3, abs=2e-5)
    assert high == pytest.approx(0.8 + 1.96e-3, abs=2e-5)
    low, high = Estimate(1.0, 0.0, 100).interval(0.95)
    assert 0.94 < low < 0.97
    assert high == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_pairs": 0}, "`n`"),
        ({"n_pairs": 10**9}, "`n`"),
        ({"replicates": 0}, "`replicates`"),
        ({"jobs": 0}, "`jobs`"),
    ],
)
def test_impossible_sizes(arguments, message):
    """Each mistake is named."""
    given = {"n_pairs": 10, "replicates": 10, "seed": 1} | arguments
    with pytest.raises(InvalidArgument, match=message):
        rejection_rates(Population(), rules=[rule("public", 10)], **given)
