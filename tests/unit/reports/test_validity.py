"""How far the p-value can be trusted: claims stay within what was checked."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpwilcoxon.parameters import Alternative, Design, Method
from dpwilcoxon.procedures.base import Simulation
from dpwilcoxon.procedures.registry import PROCEDURES, get_private_procedure
from dpwilcoxon.reports.validity import cautions, evidence, validity


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


def relative_errors(n, epsilon, least, name="pratt", noise="laplace"):
    """How far the closed form is from the exact law at p-values from 0.3 down to `least`."""
    design = Design.parse(n, epsilon, noise)
    exact, closed = (
        get_private_procedure(name).null(design, method, Simulation())
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


def largest_excess(name, n, epsilon, alternative, noise="laplace"):
    """The worst ratio of true to nominal size of the closed form at levels up to 0.2."""
    design, procedure = Design.parse(n, epsilon, noise), get_private_procedure(name)
    reach = 3 * (procedure.score(design).total(n) + procedure.noise(design).scale)
    points = np.arange(1.0, reach)
    exact, closed = (
        procedure.null(design, method, Simulation()).pvalue(points, alternative)
        for method in (Method.EXACT, Method.NORMAL_LAPLACE)
    )
    return (exact / closed)[closed <= 0.2].max()


@pytest.mark.parametrize(
    ("n", "epsilon", "alternative", "most"),
    [
        (5, 2, Alternative.TWO_SIDED, 1.03),
        (9, 2, Alternative.TWO_SIDED, 1.03),
        (3, 30, Alternative.TWO_SIDED, 1.85),
        (3, 2, Alternative.GREATER, 1.06),
    ],
)
def test_the_excess_of_the_closed_form_on_few_pairs_is_as_claimed(n, epsilon, alternative, most):
    """The worst ratio of true to nominal size at levels up to 0.2 is reached, and not passed."""
    assert most - 0.02 < largest_excess("pratt", n, epsilon, alternative) <= most


CAPPED = ("sign", "capped", "capped:2", "capped:10")


@pytest.mark.parametrize("name", CAPPED)
@pytest.mark.parametrize(("least", "claimed"), [(0.01, 0.07), (0.001, 0.12), (1e-6, 0.34)])
def test_the_closed_form_of_capped_ranks_is_as_accurate_as_claimed_at_epsilon_1(
    name, least, claimed
):
    """The figures printed for ε up to 1, at the sizes where signs and low caps are worst."""
    for n in (1, 5, 12, 18, 25, 50, 80, 150, 600):
        assert relative_errors(n, 1, least, name).max(initial=0.0) <= claimed


@pytest.mark.parametrize("name", CAPPED)
def test_the_closed_form_of_capped_ranks_with_many_pairs(name):
    """From 10,000 pairs on, within 3% down to one in a million."""
    for epsilon in (0.1, 1, 10):
        assert relative_errors(10_000, epsilon, 1e-6, name).max() <= 0.03


@pytest.mark.parametrize(
    ("test", "alternative", "least", "most"),
    [
        (("sign", 3, 2), Alternative.TWO_SIDED, 1.09, 1.10),
        (("capped:2", 4, 2), Alternative.TWO_SIDED, 1.04, 1.10),
        (("sign", 3, 30), Alternative.TWO_SIDED, 2.3, 2.4),
        (("sign", 2, 2), Alternative.GREATER, 1.11, 1.12),
        (("capped:2", 3, 2), Alternative.GREATER, 1.07, 1.12),
    ],
)
def test_the_excess_of_the_closed_form_of_capped_ranks_is_as_claimed(
    test, alternative, least, most
):
    """The worst ratios of true to nominal size at levels up to 0.2."""
    assert least < largest_excess(*test, alternative) <= most


def test_the_example_of_signs_at_a_large_epsilon():
    """Of 4 pairs, one without change, the 3 others all rise in 1/8 of cases; 4 of 4 in 1/16."""
    design, sign = Design.parse(4, 30), get_private_procedure("sign")
    null, noise = sign.null(design, Method.EXACT, Simulation()), sign.noise(design)
    lattice = sign.score(design).lattice
    t = np.arange(2 * lattice, 5 * lattice)
    values, ways = np.array([[3], [1], [-1], [-3]]) * lattice, np.array([1, 3, 3, 1])
    true = ways @ noise.sf(t - values) / 8
    assert (true / null.sf(t)).max() == pytest.approx(2.0, abs=0.02)


@pytest.mark.parametrize("name", ["capped", "capped:3", "sign"])
def test_claims_are_those_of_the_test_that_was_run(released, name):
    """What was enumerated for ranks is not said of capped ranks and signs, nor the reverse."""
    ranks, capped = (
        " ".join(validity(released(3, n=8, procedure=each))) for each in ("pratt", name)
    )
    assert "under any cap" in capped
    assert "under any cap" not in ranks
    assert "0.03%" in ranks
    assert "0.03%" not in capped
    approximate = released(3, n=99, procedure=name, method="normal-laplace")
    assert "reject too often" in cautions(approximate)[0]
    assert "within 7%" in validity(approximate)[0]


def test_every_private_test_has_its_evidence(released):
    """A report of any test in the registry can be written."""
    for name in PROCEDURES:
        if PROCEDURES[name].releasable:
            result = released(3, n=50, procedure=name, epsilon=3)
            assert evidence(result) is not None
            assert len(validity(result)) == 3
            assert cautions(result)


def test_a_test_without_evidence_makes_no_claims(released):
    """A report of a test that somebody has added can be written, and says what is not known."""
    result = replace(released(3, n=50), procedure="new")
    assert "enumerated" not in " ".join(validity(result))
    (caution,) = cautions(result)
    assert caution.endswith("has not been checked.")


@pytest.mark.parametrize("name", ["pratt", *CAPPED])
def test_the_closed_form_under_canonical_noise_is_as_accurate_as_claimed(name):
    """At epsilon 1, where it is worst, at the sizes where each test is; and with many pairs."""
    for least, claimed in ((0.01, 0.12), (0.001, 0.16), (1e-6, 0.34)):
        for n in (1, 5, 8, 12, 20, 30, 50, 80, 150, 250, 600):
            assert relative_errors(n, 1, least, name, "canonical").max(initial=0.0) <= claimed
    assert relative_errors(10_000, 10, 1e-6, name, "canonical").max() <= 0.01


@pytest.mark.parametrize(
    ("test", "alternative", "least", "most"),
    [
        (("sign", 3, 2), Alternative.TWO_SIDED, 1.13, 1.14),
        (("pratt", 1, 2), Alternative.TWO_SIDED, 1.08, 1.14),
        (("sign", 2, 10), Alternative.TWO_SIDED, 1.32, 1.334),
        (("sign", 2, 2), Alternative.GREATER, 1.15, 1.16),
        (("pratt", 1, 10), Alternative.GREATER, 1.32, 1.334),
    ],
)
def test_the_excess_of_the_closed_form_under_canonical_noise_is_as_claimed(
    test, alternative, least, most
):
    """The worst ratios of true to nominal size at levels up to 0.2, of 1 to 120 pairs."""
    assert least < largest_excess(*test, alternative, "canonical") <= most


def test_claims_are_those_of_the_noise_that_was_drawn(released):
    """Canonical noise was enumerated up to epsilon 10, and is called by its name."""
    ranks = released(5, n=8, epsilon=3, noise="canonical")
    assert "no level up to 0.2" in " ".join(validity(ranks))
    assert cautions(ranks) == []
    capped = released(5, n=8, epsilon=3, noise="canonical", procedure="capped")
    assert "0.4% of themselves" in " ".join(validity(capped))
    simulated = released(5, n=99, noise="canonical", method="monte-carlo")
    assert "canonical noise distribution" in validity(simulated)[0]
    assert "Laplace" not in " ".join(validity(simulated))
    assert "by up to 14%" in cautions(simulated)[0]
