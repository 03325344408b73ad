"""The guarantee in words: every number in it must be a bound, never rounded the wrong way."""

import math
import re

import pytest

from dpwilcoxon.plots.numerals import TIMES
from dpwilcoxon.reports.privacy_statement import privacy_statement, probability_factor


def told(result):
    """The statement by heading."""
    return dict(privacy_statement(result))


EPSILONS = ["1e-5", "0.0001", "0.001", "0.1", "0.5", "1", "2", "3.3", "10", "13.8"]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_factor_is_a_bound(released, epsilon):
    """e to the power epsilon, rounded up by at most 1%; its excess over 1, by a tenth."""
    result = released(0, epsilon=epsilon)
    factor = float(probability_factor(result).replace(",", ""))
    exact = math.exp(float(epsilon))
    assert exact <= factor <= 1.01 * exact
    assert factor - 1 <= 1.1 * (exact - 1) + 1e-9
    assert f"at most {probability_factor(result)}-fold" in str(result)


def test_the_factor_of_a_huge_epsilon_is_a_power_of_ten(released):
    """e^30 is 1.0686e13; an epsilon whose factor no float can hold is still written."""
    assert probability_factor(released(0, epsilon=30)) == f"1.07{TIMES}10¹³"
    assert probability_factor(released(0, epsilon=1000)).endswith("10⁴³⁴")
    assert probability_factor(released(0, epsilon="1e300")) == f"e^1{'0' * 300}"


@pytest.mark.parametrize(
    ("epsilon", "factor"),
    [
        ("16.1182", f"1.01{TIMES}10⁷"),
        ("23.026", f"1.01{TIMES}10¹⁰"),
        ("27.6311", f"1.01{TIMES}10¹²"),
        ("27.6310", "10¹²"),
    ],
)
def test_a_power_of_ten_is_a_bound_too(released, epsilon, factor):
    """The first three are beyond 1.0001 times a power of ten; the last is just below one."""
    assert probability_factor(released(0, epsilon=epsilon)) == factor


@pytest.mark.parametrize("epsilon", ["0.01", "0.1", "1", "4.59"])
def test_the_certainty_is_a_bound(released, epsilon):
    """Equal odds can shift to e^epsilon : 1 and no further; rounded up to a tenth of a percent."""
    text = told(released(0, epsilon=epsilon))["What an onlooker can learn about one person"]
    certainty = float(re.search(r"at most ([\d.]+)% sure", text)[1]) / 100
    exact = math.exp(float(epsilon)) / (1 + math.exp(float(epsilon)))
    assert exact <= certainty <= exact + 0.001
    assert "weak promise" not in text


@pytest.mark.parametrize(
    ("epsilon", "share"), [("4.6", "at most 99.1%"), ("30", "more than 99.99%")]
)
def test_a_weak_promise_is_called_weak(released, epsilon, share):
    """A large epsilon must not read like protection."""
    text = told(released(0, epsilon=epsilon))["What an onlooker can learn about one person"]
    assert share in text
    assert "weak promise" in text


def test_the_exact_epsilon_and_the_exact_n_are_stated(released):
    """Both are part of the promise, so neither is rounded."""
    statement = told(released(0, n=1_000_000_007, epsilon="1/3", method="normal-laplace"))
    assert "ε = 1/3;" in statement["How strongly"]
    assert "1,000,000,007" in statement["What is treated as public"]


def test_what_is_promised_and_what_is_not_are_both_said(released):
    """One row per person, replaced rows, public n, adding up, and what lies outside."""
    text = " ".join(f"{heading} {words}" for heading, words in told(released()).items())
    for needed in ("more than one row", "replaced by any other", "number of pairs, 100",
                   "added to the ε", "how long the computation took"):  # fmt: skip
        assert needed in text
