"""The rivals of Task and Clifton: their statistics, their bounds, and what they do not protect."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

import dpwilcoxon as dpw
from dpwilcoxon.errors import InvalidArgument, StudyOnlyProcedure
from dpwilcoxon.nulls.normal_laplace import log_upper_tail
from dpwilcoxon.parameters import Alternative, Design
from dpwilcoxon.procedures.noisy_sums import laplace_tail
from dpwilcoxon.procedures.registry import PROCEDURES
from dpwilcoxon.procedures.task_clifton import (
    Sigma,
    Tails,
    noise_scale,
    sigma_of,
    upper_bound,
)
from dpwilcoxon.procedures.tc_high_privacy import HighPrivacy, HighPrivacyPlus, Placement
from dpwilcoxon.procedures.tc_high_utility import HighUtility, HighUtilityPlus
from dpwilcoxon.statistics.batches import SampleBatch
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.rejection import rejection_rates

RIVALS = [name for name in PROCEDURES if name.startswith("tc-")]
TWO, GREATER, LESS = Alternative.TWO_SIDED, Alternative.GREATER, Alternative.LESS


def z_by_hand(differences, k=0):
    """W over the non-zero rows and 2k infinite dummies, over the sigma of as many rows."""
    rows = np.concatenate([differences[differences != 0], [np.inf] * k, [-np.inf] * k])
    ranks = stats.rankdata(np.abs(rows))
    return np.sum(np.sign(rows) * ranks) / sigma_of(len(rows)) if len(rows) else 0.0


@pytest.mark.parametrize(("test", "k"), [(HighUtility(), 0), (HighPrivacy(k=3), 3)])
def test_scores_are_those_of_the_data_with_its_dummies(test, k):
    """60 samples with ties, zeros and infinite differences, ranked by SciPy with real dummies."""
    rng = np.random.default_rng(5)
    matrix = rng.integers(-2, 5, (60, 9)).astype(float)
    matrix[::3, 0] = np.inf
    matrix[::5, 1] = -np.inf
    matrix[7] = 0.0
    expected = [z_by_hand(row, k) for row in matrix]
    batch = SampleBatch.of_differences(matrix)
    np.testing.assert_allclose(test.z_scores(batch), expected, rtol=1e-12)


def test_conventions_change_what_they_say():
    """All rows under the sigma, dummies ranked apart, and dummies in the noise alone."""
    differences = np.array([[0.0, 1.0, 2.0, -0.5]])
    batch = SampleBatch.of_differences(differences)
    assert HighUtility().z_scores(batch)[0] == pytest.approx(4 / sigma_of(3))
    assert HighUtility(sigma="all").z_scores(batch)[0] == pytest.approx(4 / sigma_of(4))
    above = HighPrivacy(k=2, placement="positive-above", sigma=Sigma.ALL)
    assert above.z_scores(batch)[0] == pytest.approx((4 + 2**2) / sigma_of(8))
    absent = HighPrivacy(k=2, placement=Placement.ABSENT)
    assert absent.z_scores(batch)[0] == pytest.approx(4 / sigma_of(3))
    design = Design.parse(100, 1)
    assert HighUtility().noise_rows(design) == 30.0
    assert HighUtility(noise_fraction=1.0).noise_rows(design) == 100.0
    assert HighUtility(noise_fraction=1.0).assumed_rows(design) == 30.0


def test_whole_tails_take_the_one_sided_value():
    """|z| against the value of a one-sided test; a one-sided test has but one tail to spend on."""
    design = Design.parse(100, 1)
    split, whole = HighUtility(), HighUtility(tails=Tails.WHOLE)
    assert whole.critical_value(design, 0.05, TWO) == split.critical_value(design, 0.05, GREATER)
    assert split.critical_value(design, 0.05, TWO) == whole.critical_value(design, 0.025, LESS)


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_bound_is_above_the_quantile_it_bounds(epsilon):
    """P(z + noise > bound) stays below the level, by the closed form of the sum."""
    for rows, level in product([1, 3, 30, 300, 3000], [0.011, 0.05, 0.2]):
        scale = noise_scale(rows, epsilon)
        critical = upper_bound(level, 0.01, scale)
        draws = np.random.default_rng(1).normal(size=20_000)
        assert laplace_tail(critical - draws, scale).mean() < level


@pytest.mark.parametrize(
    ("n", "epsilon", "exceeds"),
    [(80, 1, False), (1000, 1, False), (590, 0.1, False), (10**5, 1, True)],
)
def test_whole_tails_keep_their_level_only_while_the_bound_is_loose(n, epsilon, exceeds):
    """P(|z + noise| > one-sided value), in closed form: below .05 at the paper's sizes."""
    design = Design.parse(n, epsilon)
    test = HighUtility(tails="whole")
    critical = test.critical_value(design, 0.05, TWO)
    scale = noise_scale(test.noise_rows(design), float(design.epsilon))
    level = 2.0 * math.exp(float(log_upper_tail(critical, 1.0, scale)))
    assert (level > 0.05) is exceeds


@pytest.mark.parametrize("name", RIVALS)
def test_type_one_error(name):
    """At most the level, and the level itself for exact values: 20,000 replicates, 4 s.e.

    High Utility's exact value is for the number of all rows being that of the non-zero ones.
    """
    design = Design.parse(200, 1)
    rule = PROCEDURES[name].rejection_rule(design, 0.05, TWO)
    (estimate,) = rejection_rates(Population(), 200, [rule], replicates=20_000, seed=8)
    assert estimate.probability < 0.05 + 4 * estimate.standard_error
    if name.endswith("plus"):
        assert abs(estimate.probability - 0.05) < 4 * estimate.standard_error


def test_three_tails_add_up():
    """Two-sided is either side, and samples seen in a mirror swap the sides."""
    design = Design.parse(30, 1)
    differences = np.random.default_rng(2).normal(0.5, 1.0, (50, 30))
    batch, mirror = (SampleBatch.of_differences(sign * differences) for sign in (1, -1))
    for test in (HighUtilityPlus(tails="whole"), HighPrivacy(tails="whole")):
        both, above, below = (
            test.rejection_rule(design, 0.05, each)(batch) for each in (TWO, GREATER, LESS)
        )
        np.testing.assert_allclose(both, above + below)
        np.testing.assert_allclose(below, test.rejection_rule(design, 0.05, GREATER)(mirror))


def worst_ratio(test, design, one, other):
    """How much likelier the first data is to be significant than the second, and reversed."""
    batch = SampleBatch.of_differences(np.array([one, other]))
    ratios = []
    for alternative in Alternative:
        first, second = test.rejection_rule(design, 0.05, alternative)(batch)
        ratios += [first / second, second / first]
    return max(ratios)


def test_high_utility_is_not_private():
    """Neighbours, one row 1 and one row -1 among 99 zeros: the outcome is 25 times as likely.

    e^epsilon is 2.7. The z-score of one row is 1 or -1 whatever n, and noise for 30 rows does not
    hide a change by 2. With a fixed sigma, or with dummies, the same pair is hidden.
    """
    design = Design.parse(100, 1)
    one, other = np.zeros(100), np.zeros(100)
    one[0], other[0] = 1.0, -1.0
    expected = math.exp(2.0 / noise_scale(30, 1.0))
    assert worst_ratio(HighUtility(), design, one, other) == pytest.approx(expected)
    assert expected > 25 > math.e
    assert worst_ratio(HighUtilityPlus(), design, one, other) > 25
    for test in (HighUtility(sigma="all"), HighPrivacy(), HighPrivacyPlus()):
        assert worst_ratio(test, design, one, other) < math.e


def test_high_privacy_is_not_refuted_by_small_data():
    """Among all neighbours of 4 rows on a grid with infinities, z moves no more than is hidden.

    High Utility, on the same data, moves by more. Enumeration can refute, and never certify.
    """
    values = [-np.inf, -2.0, -1.0, 0.0, 1.0, 2.0, np.inf]
    grid = np.array(list(product(values, repeat=4)))
    batch = SampleBatch.of_differences(grid)
    shape = (len(values),) * 4

    def largest_move(test):
        z = test.z_scores(batch).reshape(shape)
        return max(np.ptp(z, axis=row).max() for row in range(4))

    design = Design.parse(4, 1)
    for k in (1, 2, 15):
        test = HighPrivacy(k=k)
        assert largest_move(test) <= noise_scale(test.assumed_rows(design), 1.0)
    assert largest_move(HighUtility()) > noise_scale(HighUtility().assumed_rows(design), 1.0)


@pytest.mark.parametrize("name", RIVALS)
def test_nothing_can_be_released_with_them(name):
    """The door refuses, and says what they are for."""
    with pytest.raises(StudyOnlyProcedure, match="studies only"):
        dpw.wilcoxon([1.0, 2.0, 3.0], epsilon=1, procedure=name)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: HighUtility(gamma=0.0), "`gamma`"),
        (lambda: HighPrivacy(gamma=0.5), "`gamma`"),
        (lambda: HighUtility(fraction=0.0), "`fraction`"),
        (lambda: HighUtility(noise_fraction=2.0), "`noise_fraction`"),
        (lambda: HighPrivacy(k=0), "`k`"),
        (lambda: HighPrivacy(placement="somewhere"), "`placement`.*'tied'"),
        (lambda: HighUtilityPlus(tails="three"), "`tails`"),
        (lambda: HighUtilityPlus(sigma="some"), "`sigma`"),
        (lambda: HighUtility().rejection_rule(Design.parse(9, 1), 0.02, TWO), "gamma 0.01"),
        (lambda: HighPrivacy().rejection_rule(Design.parse(9, 1), 0.01, GREATER), "gamma 0.01"),
    ],
)
def test_impossible_parameters(make, message):
    """Each mistake is named; a level that gamma uses up is one."""
    with pytest.raises(InvalidArgument, match=message):
        make()


@pytest.mark.parametrize("alternative", Alternative)
@pytest.mark.parametrize("tails", Tails)
def test_exact_values_know_of_dummies_that_do_not_cancel(tails, alternative):
    """k^2 moves the null; the exact value gives it the level nevertheless: 20,000, 4 s.e."""
    design = Design.parse(40, 1)
    test = HighPrivacyPlus(placement="positive-above", tails=tails)
    rule = test.rejection_rule(design, 0.05, alternative)
    (estimate,) = rejection_rates(Population(), 40, [rule], replicates=20_000, seed=3)
    level = 0.1 if (tails, alternative) == (Tails.WHOLE, TWO) else 0.05
    assert abs(estimate.probability - level) < 4 * estimate.standard_error + 0.001
