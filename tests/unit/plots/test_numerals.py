"""Numbers in print."""

import math

import pytest

from dpwilcoxon.plots.numerals import MINUS, TIMES, p_value, plain, power_of_ten, significant


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1316.0, "1,316"),
        (1316.5, "1,316.5"),
        (-12.0, f"{MINUS}12"),
        (-0.01, "0"),
        (0.0, "0"),
        (100.0, "100"),
        (2.2e13, f"2.2{TIMES}10¹³"),
        (-1e9, f"{MINUS}10⁹"),
    ],
)
def test_plain_numbers_keep_their_digits_and_lose_idle_zeros(value, text):
    """Thousands apart, a true minus sign, no "-0", powers of ten when digits stop helping."""
    assert plain(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.53, "0.530"),
        (66.6666, "66.7"),
        (999.7, "1,000"),
        (0.00099996, "0.00100"),
        (22026.46, "22,026"),
        (-0.5, f"{MINUS}0.500"),
        (0.000012, f"1.2{TIMES}10⁻⁵"),
        (-2e10, f"{MINUS}2{TIMES}10¹⁰"),
    ],
)
def test_significant_digits_survive_rounding_up(value, text):
    """Three digits are three digits, also where rounding carries into the next power of ten."""
    assert significant(value) == text


def test_a_power_of_ten_carries():
    """9.999 rounds to 10, which is the next power and not "10.0 times" this one."""
    assert power_of_ten(math.log10(9.9999e-7)) == "10⁻⁶"


@pytest.mark.parametrize(
    ("log_p", "text"),
    [
        (0.0, "1"),
        (math.log(0.0137), "0.0137"),
        (math.log(0.9999), "1.00"),
        (math.log(1e-4), "0.000100"),
        (math.log(9e-5), f"9{TIMES}10⁻⁵"),
        (-2000.0, f"2.58{TIMES}10⁻⁸⁶⁹"),
    ],
)
def test_p_values_are_written_however_small(log_p, text):
    """From the logarithm, so that p-values below the smallest float are still written."""
    assert p_value(log_p) == text
