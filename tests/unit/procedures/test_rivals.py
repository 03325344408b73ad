"""The rivals: level, power, symmetry and tuning, each by simulation with a seed."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpwilcoxon.errors import InvalidArgument, StudyOnlyProcedure
from dpwilcoxon.parameters import Alternative, Design
from dpwilcoxon.procedures.clairvoyant import Clairvoyant
from dpwilcoxon.procedures.noisy_sums import laplace_tail, least_shift, rejection_probability
from dpwilcoxon.procedures.private_t import PrivateT
from dpwilcoxon.procedures.registry import get_private_procedure, get_procedure
from dpwilcoxon.procedures.test_of_tests import PartTest, Split, TestOfTests, best_split
from dpwilcoxon.statistics.batches import SampleBatch
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.rejection import rejection_rates

NAMES = ("clairvoyant", "private-t", "test-of-tests")
RIVALS = [get_procedure(name) for name in NAMES]
TWO_SIDED = Alternative.TWO_SIDED

each_rival = pytest.mark.parametrize("rival", RIVALS, ids=NAMES)


def rate(procedure, n, epsilon, effect, *, alternative=TWO_SIDED, replicates=20_000):
    """How often a test rejects normal samples."""
    rule = procedure.rejection_rule(Design.parse(n, epsilon), 0.05, alternative)
    population = Population(effect=effect)
    return rejection_rates(population, n, [rule], replicates=replicates, seed=12)[0]


@pytest.mark.parametrize("name", NAMES)
def test_rivals_cannot_release(name):
    """They are listed for studies; the door refuses their type."""
    with pytest.raises(StudyOnlyProcedure):
        get_private_procedure(name)
    with pytest.raises(InvalidArgument, match="normal-laplace"):
        get_procedure(name).rejection_rule(Design.parse(9, 1), 0.05, TWO_SIDED, "exact")


@each_rival
@pytest.mark.parametrize(("n", "epsilon"), [(30, 1), (30, 3), (200, 0.1)])
@pytest.mark.parametrize("alternative", [TWO_SIDED, Alternative.LESS])
def test_type_one_error_is_at_most_the_level(rival, n, epsilon, alternative):
    """20,000 normal samples without effect, four standard errors and 1% of the level.

    The 1% is for the clairvoyant's normal approximation, which has no more to say at n = 30.
    """
    error = rate(rival, n, epsilon, 0.0, alternative=alternative)
    assert error.probability < 0.0505 + 4 * error.standard_error


@each_rival
def test_one_sided_tests_mirror_each_other(rival):
    """Turned round, samples are as likely to be called lower as they were to be called higher."""
    design = Design.parse(40, 1)
    matrix = np.random.default_rng(1).normal(0.5, 1.4, (50, 40))
    up = rival.rejection_rule(design, 0.05, Alternative.GREATER)
    down = rival.rejection_rule(design, 0.05, Alternative.LESS)
    higher = up(SampleBatch.of_differences(matrix))
    lower = down(SampleBatch.of_differences(-matrix))
    if isinstance(rival, TestOfTests):  # other seeds deal other parts
        assert higher.mean() == pytest.approx(lower.mean(), abs=0.1)
    else:
        np.testing.assert_allclose(higher, lower, rtol=1e-12)
    assert higher.mean() > down(SampleBatch.of_differences(matrix)).mean() + 0.05


@each_rival
def test_power_rises_with_everything(rival):
    """More pairs, more epsilon and more effect are found more often."""
    base = rate(rival, 60, 1, 0.8, replicates=4_000).probability
    assert base < rate(rival, 90, 1, 0.8, replicates=4_000).probability
    assert base < rate(rival, 60, 2, 0.8, replicates=4_000).probability
    assert base < rate(rival, 60, 1, 1.1, replicates=4_000).probability


def test_the_clairvoyant_is_the_best_of_the_field():
    """At n = 29, epsilon 1, effect 1 it has a power of 80%, and nobody else with noise has more."""
    powers = {
        name: rate(get_procedure(name), 29, 1, 1.0).probability
        for name in (*NAMES, "capped", "pratt", "sign")
    }
    best = powers.pop("clairvoyant")
    assert best == pytest.approx(0.8, abs=0.02)
    assert best >= max(powers.values()) - 0.005
    assert max(powers, key=powers.get) == "capped"


def test_the_clip_adapts_to_the_noise_and_to_the_law():
    """Little epsilon clips to signs nearly, much hardly at all; and a scale only sets the unit."""
    test, tenfold = Clairvoyant(), Clairvoyant(10 * Clairvoyant()._null)
    clips = [
        test._best_clip(Design.parse(n, epsilon), 0.05, TWO_SIDED)
        for n, epsilon in ((164, 0.1), (30, 1), (20, 10))
    ]
    assert clips[0] < 0.5
    assert 1.0 < clips[1] <= clips[2]
    design = Design.parse(30, 1)
    assert tenfold._best_clip(design, 0.05, TWO_SIDED) == pytest.approx(10 * clips[1])


def test_the_private_t_bound_is_a_choice_that_matters():
    """A bound ten times too wide costs most of the power; a lower one than three sd. gains some."""
    powers = [rate(PrivateT(bound), 60, 1, 1.0).probability for bound in (40.0, 4.2, 2.0)]
    assert powers[0] < 0.2 < powers[1] < powers[2]


@pytest.mark.parametrize(
    ("rows", "level"), [(4, 0.2), (7, 0.1), (7, 0.01), (12, 0.05), (2000, 0.1)]
)
@pytest.mark.parametrize("alternative", [TWO_SIDED, Alternative.GREATER])
def test_parts_are_tested_at_the_largest_attainable_level(rows, level, alternative):
    """Against enumeration of all signs, or the normal law for large parts."""
    test = PartTest.at_level(3, rows, level, alternative)
    assert test.level <= level
    if rows <= 12:
        ranks = 2 * np.arange(1, rows + 1)
        totals = np.array(list(itertools.product([-1, 1], repeat=rows))) @ ranks
        totals = np.abs(totals) if alternative is TWO_SIDED else totals
        assert test.level == pytest.approx(np.mean(totals >= test.critical))
        assert np.mean(totals >= test.critical - 4) > level
    else:
        assert test.level == pytest.approx(level, rel=1e-3)


def test_the_split_uses_every_row_once():
    """Parts of two sizes that add up to n; 150 samples' rejections as if counted by hand."""
    design = Design.parse(43, 1)
    split = Split.of(design, 5, 0.2, 0.05, TWO_SIDED)
    assert [(test.parts, test.rows) for test in split.tests] == [(2, 8), (3, 9)]
    assert sum(test.parts * test.rows for test in best_split(design, 0.05, TWO_SIDED).tests) == 43
    assert split.power(0.0, 1.0, TWO_SIDED) == pytest.approx(0.05, abs=1e-6)
    assert split.power(1.0, 1.0, TWO_SIDED) > 0.2


def test_all_parts_reject_when_all_rows_rise():
    """Every count is the number of parts, so the rule is the tail of the noise alone."""
    design = Design.parse(60, 2)
    split = best_split(design, 0.05, TWO_SIDED)
    parts = sum(test.parts for test in split.tests)
    matrix = np.random.default_rng(3).random((5, 60)) + 0.1
    reject = TestOfTests().rejection_rule(design, 0.05, TWO_SIDED)
    expected = laplace_tail(np.array(split.critical - parts), 0.5)
    np.testing.assert_allclose(reject(SampleBatch.of_differences(matrix)), expected)


def test_rejection_probability_is_that_of_laplace_noise():
    """Both sides or one, against SciPy's law."""
    total, critical, scale = np.array([-3.0, 0.0, 2.5]), 2.0, 1.5
    above = stats.laplace.sf(critical - total, scale=scale)
    below = stats.laplace.cdf(-critical - total, scale=scale)
    for alternative, expected in (
        (Alternative.GREATER, above),
        (Alternative.LESS, below),
        (TWO_SIDED, above + below),
    ):
        found = rejection_probability(total, critical, scale, alternative)
        np.testing.assert_allclose(found, expected)


def test_least_shift():
    """Where a power crosses 80%; infinity where it never does."""
    assert least_shift(lambda shift: shift / 10, 50.0) == pytest.approx(8.0, rel=1e-6)
    assert least_shift(lambda _: 0.5, 50.0) == math.inf
