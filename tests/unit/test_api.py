"""The public functions: SciPy's conventions, broadcasting, and agreement with each other."""

import numpy as np
import pytest

import dpwilcoxon as dpw
from dpwilcoxon.errors import DataError, InvalidArgument

AFTER, BEFORE = [18, 11, 3, 10, 8], [9, 2, 3, 8, 9]


def test_the_worked_example_of_the_paper():
    """w = 8 with zeros dropped (Algorithm W), 10 with zeros ranked (Algorithm WP)."""
    assert dpw.signed_rank(AFTER, BEFORE, zero_method="wilcox") == 8
    assert dpw.signed_rank(AFTER, BEFORE) == 10
    assert dpw.signed_rank(np.subtract(AFTER, BEFORE)) == 10


def test_greater_means_x_tends_to_exceed_y():
    """With next to no noise, a sample that rose is significant for greater and not for less."""
    x, y = np.arange(30) + 5.0, np.arange(30) * 1.0
    assert dpw.wilcoxon(x, y, epsilon=1e5, alternative="greater").pvalue < 1e-6
    assert dpw.wilcoxon(x, y, epsilon=1e5, alternative="less").pvalue > 0.99
    assert dpw.wilcoxon(x, y, epsilon=1e5).statistic == 30 * 31 / 2
    assert dpw.wilcoxon(x - y, epsilon=1e5).statistic == 30 * 31 / 2


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("method", ["exact", "normal-laplace"])
def test_the_pvalue_of_a_release_can_be_recomputed_from_it(alternative, method):
    """`pvalue` of the released statistic is the released p-value: it is post-processing."""
    result = dpw.wilcoxon(AFTER, BEFORE, epsilon="0.7", alternative=alternative, method=method)
    again = dpw.pvalue(result.statistic, 5, "0.7", alternative=alternative, method=method)
    assert again == pytest.approx(result.pvalue, rel=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("method", ["exact", "normal-laplace", "monte-carlo"])
def test_the_critical_value_is_where_the_pvalue_crosses_alpha(alternative, method):
    """p <= alpha at the critical value and p > alpha one lattice point nearer to zero."""
    options = {"alternative": alternative, "method": method, "draws": 20_000, "rng": 5}
    critical = dpw.critical_value(40, 0.5, 0.05, **options)
    nearer = critical - 0.5 * np.sign(critical)
    slack = 1 + 1e-9
    assert dpw.pvalue(critical, 40, 0.5, **options) <= 0.05 * slack
    assert dpw.pvalue(nearer, 40, 0.5, **options) > 0.05


def test_everything_broadcasts():
    """Statistics, n and epsilon may be arrays; each element equals its own scalar call."""
    n, epsilon = np.array([[20], [200]]), [1, "0.1", 3]
    table = dpw.critical_value(n, epsilon, 0.01)
    assert table.shape == (2, 3)
    for i, row in enumerate(table):
        for j, each in enumerate(row):
            assert each == dpw.critical_value(int(n[i, 0]), epsilon[j], 0.01)
    pvalues = dpw.pvalue(table, n, epsilon)
    assert pvalues.shape == (2, 3)
    assert np.all(pvalues <= 0.01)


def test_scalars_give_plain_floats():
    """One question, one number."""
    assert type(dpw.pvalue(3, 10, 1)) is float
    assert type(dpw.critical_value(10, 1)) is float
    assert type(dpw.signed_rank([1, 2])) is float


def test_normalized_critical_values_divide_by_sigma():
    """The paper's comparison tables are in units of the standard deviation of w."""
    plain = dpw.critical_value(100, 1, 0.05, alternative="greater", method="normal-laplace")
    normalized = dpw.critical_value(
        100, 1, 0.05, alternative="greater", method="normal-laplace", normalized=True
    )
    assert normalized == pytest.approx(plain / np.sqrt(100 * 101 * 201 / 6), rel=1e-12)


def test_monte_carlo_can_be_seeded():
    """Post-processing is reproducible from a seed."""
    first, second = (
        dpw.pvalue([10.0, 700.0], 50, 1, method="monte-carlo", draws=5_000, rng=3) for _ in range(2)
    )
    assert np.array_equal(first, second)


def test_the_release_takes_no_seed():
    """Private noise cannot be replayed: there is no parameter to ask for it."""
    with pytest.raises(TypeError):
        dpw.wilcoxon(AFTER, BEFORE, epsilon=1, rng=1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dpw.pvalue(float("nan"), 10, 1), "`statistic`"),
        (lambda: dpw.pvalue("many", 10, 1), "`statistic`"),
        (lambda: dpw.pvalue([1, [2]], 10, 1), "`statistic`"),
        (lambda: dpw.pvalue(1, 0, 1), "`n`"),
        (lambda: dpw.pvalue(1, 10**30, 1), "`n`"),
        (lambda: dpw.pvalue(1, [10, 20], [1, 2, 3]), "shapes do not go together"),
        (lambda: dpw.pvalue(1, 10, -1), "`epsilon`"),
        (lambda: dpw.pvalue(1, 10, 1, draws=0, method="monte-carlo"), "`draws`"),
        (lambda: dpw.pvalue(1, 10, 1, draws=2.5, method="monte-carlo"), "`draws`"),
        (lambda: dpw.pvalue(1, 10, 1, rng="x", method="monte-carlo"), "`rng`"),
        (lambda: dpw.pvalue(1, 10, 1, rng=-1, method="monte-carlo"), "`rng`"),
        (lambda: dpw.critical_value(10, 1, 1.2), "`alpha`"),
        (lambda: dpw.critical_value(10, 1, procedure="public"), "studies only"),
        (lambda: dpw.signed_rank([1], zero_method="zsplit"), "`zero_method`"),
        (lambda: dpw.wilcoxon([1, 2], epsilon=1, missing="drop"), "`missing`"),
    ],
)
def test_impossible_calls_name_the_parameter(call, message):
    """Every refusal says which parameter it is about."""
    with pytest.raises(InvalidArgument, match=message):
        call()


@pytest.mark.parametrize(
    ("x", "y"), [([1, 2, 3], [1, 2]), ([], []), ([1.0, float("nan")], None), (["a"], None)]
)
def test_data_that_is_no_paired_sample_is_refused(x, y):
    """Unequal lengths, no rows, missing values and text are errors about the data."""
    with pytest.raises(DataError):
        dpw.wilcoxon(x, y, epsilon=1)
