"""How far the p-value can be trusted: claims stay within what was checked."""

import math

import numpy as np
import pytest

from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.base import Simulation
from dpwilcoxon.procedures.registry import get_private_procedure
from dpwilcoxon.reports.validity import cautions, validity


def test_ties_and_zeros_are_covered_up_to_the_epsilon_that_was_enumerated(released):
    """The claim appears at epsilon 2 and gives way to a caution right above it."""
    at, above = released(5, n=8, epsilon=2), released(5, n=8, epsilon="2.001")
    assert "has been enumerated" in " ".join(validity(at))
    assert cautions(at) == []
    assert "has been enumerated" not in " ".join(validity(above))
    assert "ε = 2.001 is outside the range checked" in cautions(above)[0]


def test_more_pairs_than_were_enumerated_are_not_claimed(released):
    """Nine pairs are one more than the enumeration covers."""
    assert "too many to enumerate" not in " ".join(validity(released(5, n=8)))
    assert "too many to enumerate" in " ".join(validity(released(5, n=9)))


@pytest.mark.parametrize("method", ["normal-laplace", "monte-carlo"])
def test_approximations_of_tiny_samples_carry_a_caution(released, method):
    """Below ten pairs they reject too often; the exact method does not."""
    assert "reject too often" in cautions(released(5, n=9, method=method))[0]
    assert cautions(released(5, n=10, method=method)) == []
    assert cautions(released(5, n=9, method="exact")) == []


@pytest.mark.parametrize(
    ("n", "epsilon", "words"),
    [(10_000, "1", "within 1%"), (9_999, "1", "within 3%"), (9_999, "1.01", "severalfold")],
)
def test_the_accuracy_of_an_approximation_is_stated_for_the_design_at_hand(
    released, n, epsilon, words
):
    """Each figure only where it was measured; none for the exact method."""
    result = released(5, n=n, epsilon=epsilon, method="normal-laplace")
    assert words in validity(result)[0]
    assert words not in validity(released(5, n=n, epsilon=epsilon, method="exact"))[0]


@pytest.mark.parametrize(
    ("method", "words"),
    [("exact", "exact distribution"), ("normal-laplace", "formula"), ("monte-carlo", "simulated")],
)
def test_the_source_of_the_p_value_is_named(released, method, words):
    """Each method says what it is."""
    assert words in validity(released(method=method))[0]


def relative_errors(n, epsilon, least):
    """How far the closed form is from the exact law at p-values from 0.3 down to `least`."""
    design = Design.parse(n, epsilon)
    exact, closed = (
        get_private_procedure("pratt").null(design, method, Simulation())
        for method in (Method.EXACT, Method.NORMAL_LAPLACE)
    )
    points = np.ceil(exact.upper_point(np.linspace(math.log(0.3), math.log(least), 30)))
    points = points[exact.sf(points) >= least]
    return np.abs(closed.sf(points) / exact.sf(points) - 1)


@pytest.mark.parametrize("n", [1, 5, 20, 30, 80, 100, 250, 600])
@pytest.mark.parametrize(("least", "claimed"), [(0.01, 0.03), (0.001, 0.06), (1e-6, 0.18)])
def test_the_closed_form_is_as_accurate_as_claimed_at_epsilon_1(n, least, claimed):
    """The figures printed for ε up to 1, at its largest and at the sizes where it is worst."""
    assert relative_errors(n, 1, least).max(initial=0.0) <= claimed


@pytest.mark.parametrize("epsilon", [1, 10])
def test_the_closed_form_is_as_accurate_as_claimed_with_many_pairs(epsilon):
    """From 10,000 pairs on, within 1% down to one in a million."""
    assert relative_errors(10_000, epsilon, 1e-6).max() <= 0.01


@pytest.mark.parametrize(("n", "epsilon", "most"), [(5, 2, 1.03), (9, 2, 1.03), (3, 30, 1.85)])
def test_the_excess_of_the_closed_form_on_few_pairs_is_as_claimed(n, epsilon, most):
    """The worst ratio of true to nominal size at levels up to 0.2 is reached, and not passed."""
    design = Design.parse(n, epsilon)
    exact, closed = (
        get_private_procedure("pratt").null(design, method, Simulation())
        for method in (Method.EXACT, Method.NORMAL_LAPLACE)
    )
    points = np.arange(1.0, 400.0)
    nominal = closed.pvalue(points, Alternative.TWO_SIDED)
    ratio = exact.pvalue(points, Alternative.TWO_SIDED) / nominal
    assert most - 0.02 < ratio[nominal <= 0.2].max() <= most
