"""What a caller may say is parsed once and exactly."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.parameters import (
    Alternative,
    Design,
    Epsilon,
    Method,
    exact_text,
    probability,
    real_number,
    whole_number,
)


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (1, Fraction(1)),
        (0.1, Fraction(1, 10)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.float32(0.25), Fraction(1, 4)),
        (np.int64(3), Fraction(3)),
        (np.int8(100), Fraction(100)),
        (Fraction(np.int64(2), np.int64(3)), Fraction(2, 3)),
        (1e-6, Fraction(1, 10**6)),
        ("0.1", Fraction(1, 10)),
        (" 2.50 ", Fraction(5, 2)),
        ("1e-3", Fraction(1, 1000)),
        ("1/3", Fraction(1, 3)),
        (Decimal("0.7"), Fraction(7, 10)),
        (Fraction(22, 7), Fraction(22, 7)),
    ],
)
def test_epsilon_is_read_exactly_as_written(value, exact):
    """A float means the decimal it prints as; text, Decimal and Fraction mean themselves.

    No number of a library stays inside, whose sums could overflow.
    """
    read = Epsilon.parse(value).exact
    assert read == exact
    assert {type(read.numerator), type(read.denominator)} == {int}


@pytest.mark.parametrize(
    "value",
    [
        0, -1, 0.0, -0.5, float("nan"), float("inf"), -float("inf"), "0", "nan", "inf", "one",
        "1/0", "", None, True, 1j, [1], Decimal("NaN"), Decimal("Infinity"), Fraction(-1, 3),
        "1e999999999999", "1e-999999999999", 10**400, "0." + "1" * 5000, "1/" + "3" * 5000,
        Fraction(1, 10**1000),
    ],
)  # fmt: skip
def test_epsilon_that_cannot_be_is_refused_by_name(value):
    """Whatever is not a positive finite number is refused, and the message names epsilon."""
    with pytest.raises(InvalidArgument, match="`epsilon`"):
        Epsilon.parse(value)


@given(st.fractions(min_value=Fraction(1, 10**12), max_value=10**9))
def test_exact_text_reads_back_as_the_same_number(value):
    """Printing loses nothing, for finite decimals and for other fractions."""
    assert Fraction(exact_text(value)) == value
    assert Fraction(exact_text(-value)) == -value


def test_exact_text_prefers_decimals():
    """Finite decimals are written as people write them."""
    texts = [exact_text(Fraction(text)) for text in ("0.1", "3", "1/3", "1/8", "-5/2", "0.001")]
    assert texts == ["0.1", "3", "1/3", "0.125", "-2.5", "0.001"]


@pytest.mark.parametrize("n", [0, -3, 2.5, "7", None, True, float("nan")])
def test_a_design_needs_a_whole_number_of_pairs(n):
    """n is a count, at least 1."""
    with pytest.raises(InvalidArgument, match="`n`"):
        Design.parse(n, 1)


def test_a_design_takes_numpy_and_whole_float_counts():
    """n may come from an array."""
    assert Design.parse(np.int32(5), 1) == Design.parse(5.0, "1")
    assert whole_number(np.float64(3), "n") == 3


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5, float("nan"), "0.05", None, True])
def test_alpha_lies_strictly_between_zero_and_one(alpha):
    """A significance level of 0 or 1 makes no sense, nor does one that is not a number."""
    with pytest.raises(InvalidArgument, match="`alpha`"):
        probability(alpha, "alpha")


def test_choices_are_parsed_from_their_words_and_name_the_alternatives():
    """An unknown word is answered with the words there are."""
    assert Alternative.parse("less") is Alternative.LESS
    assert Method.parse(Method.AUTO) is Method.AUTO
    with pytest.raises(InvalidArgument, match=r"`alternative` must be one of 'two-sided'.*'up'"):
        Alternative.parse("up")


class Table:
    """What holds data, and prints it."""

    def __repr__(self):
        return "1042 mmHg"


@pytest.mark.parametrize(
    "parse",
    [
        Alternative.parse,
        Epsilon.parse,
        lambda value: whole_number(value, "n"),
        lambda value: real_number(value, "effect"),
        lambda value: probability(value, "alpha"),
    ],
)
def test_messages_show_words_and_numbers_and_no_data(parse):
    """Whoever passes a column where a number belongs is told its type, and not what is in it."""
    with pytest.raises(InvalidArgument, match="got 'x'"):
        parse("x")
    with pytest.raises(InvalidArgument, match="got a Table") as caught:
        parse(Table())
    assert "1042" not in str(caught.value)


@pytest.mark.parametrize("digits", [20, 400, 5000])
def test_huge_numbers_are_ordinary_mistakes(digits):
    """Neither floats nor texts hold every integer."""
    huge = 10**digits
    for parse in (lambda: Design.parse(huge, 1), lambda: probability(huge, "alpha")):
        with pytest.raises(InvalidArgument, match=r"`n` must be|`alpha` must lie"):
            parse()
    assert whole_number(huge, "n") == huge


@pytest.mark.parametrize("five", [5, 5.0, Decimal(5), Fraction(5), np.int8(5), np.float32(5)])
def test_whole_numbers_are_of_any_type(five):
    """The value counts, not how it is kept."""
    assert whole_number(five, "n") == 5
    assert type(whole_number(five, "n")) is int


def test_choices_are_the_words_they_stand_for():
    """So that they can be compared, printed and written like the words."""
    assert Method.EXACT == "exact"
    assert f"{Alternative.TWO_SIDED}" == str(Alternative.TWO_SIDED) == "two-sided"
