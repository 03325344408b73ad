"""The result in words."""

import math

import pytest

from dpwilcoxon.reports import answer


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (1.0, "in about 100 of 100 such studies"),
        (0.53, "in about 53 of 100 such studies"),
        (0.0137, "in about 1 of 73 such studies"),
        (0.000123, "in about 1 of 8,100 such studies"),
        (1e-50, "in fewer than 1 of a million such studies"),
    ],
)
def test_a_p_value_is_told_as_a_count_of_studies(p, words):
    """Counts of studies are what people without statistics can picture."""
    assert answer.frequency(math.log(p)) == words


@pytest.mark.parametrize(
    ("alternative", "asked", "extreme", "finding"),
    [
        ("two-sided", "change, in either direction?", "on either side", "a change"),
        ("greater", "increase?", "at least this high", "an increase"),
        ("less", "decrease?", "at least this low", "a decrease"),
    ],
)
def test_each_alternative_has_its_own_words(released, alternative, asked, extreme, finding):
    """What was asked, what counts as extreme, and what would have been found."""
    result = released(alternative=alternative)
    assert answer.question(result).endswith(asked)
    assert extreme in answer.surprise(result)
    assert finding in answer.significance(result)


@pytest.mark.parametrize(
    ("statistic", "words"),
    [
        (402, "does not show a change. Nor does it show that there was none"),
        (1450, "below the customary level of 0.05, though not below 0.01"),
        (2000, "below the customary level of 0.05, and below 0.01"),
        (5000, "below the customary level of 0.05, and below 0.001"),
    ],
)
def test_a_p_value_is_placed_among_the_customary_levels(released, statistic, words):
    """Without a verdict: the level has to be fixed before the test, by whoever planned it."""
    assert words in answer.significance(released(statistic))


@pytest.mark.parametrize(
    ("statistic", "balance", "direction"),
    [
        (1613.5, "increases outweigh decreases", "Zero is not among"),
        (-1613.5, "decreases outweigh increases", "Zero is not among"),
        (402, "increases outweigh decreases", "Zero is among"),
        (0, "increases and decreases balance", "Zero is among"),
    ],
)
def test_an_effect_is_given_a_direction_only_as_far_as_the_noise_allows(
    released, statistic, balance, direction
):
    """The sign of a noisy statistic may be the sign of the noise."""
    result = released(statistic)
    assert answer.balance(result) == balance
    assert direction in answer.effect(result)


def test_noise_that_hides_everything_is_called_that(released):
    """With three pairs at epsilon 1, the interval is every possible value."""
    assert "hides the effect completely" in answer.effect(released(4.5, n=3))


def test_a_statistic_beyond_every_possible_value_is_explained(released):
    """A reader who knows the range of w would otherwise take it for an error."""
    assert "carried the released value beyond" in answer.noise_interval(released(61, n=10))
    assert "beyond" not in answer.noise_interval(released(55, n=10))


def test_the_ends_of_a_narrow_interval_are_told_apart(released):
    """An interval "-0.32 to -0.32" would say nothing."""
    text = answer.effect(released(-4e8, n=50_000, method="normal-laplace"))
    assert "between \N{MINUS SIGN}0.32023 and \N{MINUS SIGN}0.31975" in text


def test_an_interval_may_be_a_single_value(released):
    """Noise far beyond the possible leaves only the largest value there is."""
    assert "between +1.00 and +1.00" in answer.effect(released(500, n=10))


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (0.319, "+0.32"), (-1.0, "\N{MINUS SIGN}1.00"), (0.00123, "+0.0012")],
)
def test_effect_sizes_carry_their_sign(value, text):
    """And enough digits that a small effect is not written as none."""
    assert answer.signed(value) == text
