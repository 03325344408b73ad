"""Each family is the law it says, and an effect is a shift that keeps its luck."""

import math

import numpy as np
import pytest
from scipy import stats

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.studies.families import (
    FAMILY_NAMES,
    Custom,
    Likert,
    LogNormal,
    Pilot,
    StudentT,
    parse_family,
)

LAWS = {
    "normal": stats.norm,
    "laplace": stats.laplace(scale=math.sqrt(0.5)),
    "logistic": stats.logistic(scale=math.sqrt(3.0) / math.pi),
    "uniform": stats.uniform(-math.sqrt(3.0), 2.0 * math.sqrt(3.0)),
    "student-t:5": stats.t(5, scale=math.sqrt(3.0 / 5.0)),
    "student-t:1": stats.cauchy(scale=stats.norm.ppf(0.75)),
}


@pytest.mark.parametrize("name", LAWS)
def test_symmetric_families(name):
    """(d - effect) / sqrt(2) follows the law (Kolmogorov-Smirnov, 20,000 draws, level 1e-4)."""
    rng = np.random.default_rng(1)
    draws = parse_family(name).draw(rng, 0.7, (200, 100)).ravel()
    assert stats.kstest((draws - 0.7) / math.sqrt(2.0), LAWS[name].cdf).pvalue > 1e-4


@pytest.mark.parametrize("name", ["normal", "laplace", "logistic", "uniform", "student-t:2.5"])
def test_variance_is_one(name):
    """Where E has a variance it is 1, so that effects compare between families."""
    unit = LAWS.get(name) or stats.t(2.5, scale=parse_family(name).unit)
    assert unit.var() == pytest.approx(1.0)


@pytest.mark.parametrize("df", [0.5, 1.0, 2.0])
def test_without_a_variance_the_quartiles_are_the_normals(df):
    """Where there is no variance, E has the normal's interquartile range."""
    scaled = stats.t(df, scale=StudentT(df).unit)
    assert scaled.ppf(0.75) == pytest.approx(stats.norm.ppf(0.75), rel=1e-9)


def test_likert_cells():
    """Answers have the probabilities of their cells (chi-square, 40,000 answers, level 1e-4)."""
    edges = [-np.inf, -1.5, -0.5, 0.5, 1.5, np.inf]
    u, v = np.diff(stats.norm.cdf(edges)), np.diff(stats.norm.cdf(edges, loc=0.5))
    joint = np.zeros(9)
    for i in range(5):
        for j in range(5):
            joint[4 + j - i] += u[i] * v[j]
    draws = Likert(5).draw(np.random.default_rng(2), 0.5, (400, 100)).ravel()
    observed = np.bincount((draws + 4).astype(int), minlength=9)
    assert stats.chisquare(observed, joint * draws.size).pvalue > 1e-4


def test_log_normal_is_a_difference_of_factors():
    """P(v > u) is that of the logarithms, the mean that of two log-normals (40,000, 4 s.e.)."""
    spread, effect = 0.5, 0.6
    draws = LogNormal(spread).draw(np.random.default_rng(3), effect, (400, 100)).ravel()
    p = stats.norm.cdf(effect / math.sqrt(2.0))
    assert abs(np.mean(draws > 0) - p) < 4 * math.sqrt(p * (1 - p) / draws.size)
    mean = math.exp(spread**2 / 2) * math.expm1(spread * effect)
    assert abs(draws.mean() - mean) < 4 * draws.std() / math.sqrt(draws.size)


def test_pilot_effect_is_a_share():
    """1 takes the pilot as it is; 0 makes its signs random and leaves sizes alone."""
    values = [3.0, 2.0, 2.0, -1.0, 0.0]
    as_it_is = Pilot(values).draw(np.random.default_rng(4), 1.0, (200, 50))
    assert set(np.unique(as_it_is)) == {-1.0, 0.0, 2.0, 3.0}
    none = Pilot(values).draw(np.random.default_rng(4), 0.0, (200, 50))
    np.testing.assert_array_equal(np.abs(none), np.abs(as_it_is))
    n = np.count_nonzero(none)
    assert abs(np.sum(none > 0) - n / 2) < 4 * math.sqrt(n) / 2


@pytest.mark.parametrize("name", [*FAMILY_NAMES, "custom"])
def test_equal_seeds_are_equal_luck(name):
    """A larger effect moves every difference up, and a larger sample begins with the smaller."""
    family = (
        Custom(lambda rng, size: rng.normal(size=size)) if name == "custom" else parse_family(name)
    )
    low, high = (family.draw(np.random.default_rng(5), each, (30, 7)) for each in (0.1, 0.4))
    assert (high >= low).all()
    longer = family.draw(np.random.default_rng(5), 0.1, (50, 7))
    np.testing.assert_array_equal(longer[:30], low)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("gaussian", "must be one of 'normal'"),
        ("normal:2", "must be one of"),
        ("student-t:many", "number after the colon"),
        ("student-t:0", "degrees of freedom"),
        ("likert:1", "points"),
        ("likert:2.5", "whole"),
        ("log-normal:99", "spread"),
        ([], "at least one difference"),
        ([1.0, math.nan], "missing"),
        ([[1.0]], "list"),
        (object(), "must be the name"),
    ],
)
def test_what_is_no_family(given, message):
    """Each mistake is named."""
    with pytest.raises(InvalidArgument, match=message):
        parse_family(given)


@pytest.mark.parametrize(
    ("family", "effect"),
    [("normal", math.inf), ("log-normal", 50.0), ([1.0, 2.0], 1.5), ([1.0, 2.0], -0.1)],
)
def test_effects_a_family_cannot_have(family, effect):
    """Effects that make no sense or would overflow are refused."""
    with pytest.raises(InvalidArgument, match="effect"):
        parse_family(family).check_effect(effect)


@pytest.mark.parametrize(
    "bad", [lambda _, size: np.zeros(size[0]), lambda _, size: np.full(size, np.nan)]
)
def test_a_function_has_to_fill_the_shape(bad):
    """A user's function is checked before its numbers are used."""
    with pytest.raises(InvalidArgument, match="shape"):
        parse_family(bad).draw(np.random.default_rng(0), 0.0, (4, 3))


def test_families_name_themselves():
    """Text and back."""
    for text in ("normal", "student-t:2.5", "likert:7", "log-normal:0.25"):
        assert str(parse_family(text)) == text
        assert parse_family(parse_family(text)) == parse_family(text)
