"""How far the p-value can be trusted: claims stay within what was checked."""

import pytest

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
    ("method", "words"),
    [("exact", "exact distribution"), ("normal-laplace", "formula"), ("monte-carlo", "simulated")],
)
def test_the_source_of_the_p_value_is_named(released, method, words):
    """Each method says what it is."""
    assert words in validity(released(method=method))[0]
