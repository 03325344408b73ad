"""Numbers as people write them in print: thousands apart, true minus signs, powers of ten."""

from __future__ import annotations

import math

MINUS = "\N{MINUS SIGN}"
TIMES = "\N{NO-BREAK SPACE}\N{MULTIPLICATION SIGN}\N{NO-BREAK SPACE}"
LARGEST_PLAIN = 1e9  # beyond it, digits are harder to read than a power of ten
SMALLEST_PLAIN = 1e-4
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain(value: float, decimals: int = 1, *, largest: float = LARGEST_PLAIN) -> str:
    """Write a number with at most `decimals` decimals and its thousands apart.

    Examples
    --------
    >>> plain(1316.0), plain(0.5), plain(1e12)
    ('1,316', '0.5', '10¹²')
    """
    if abs(value) >= largest:
        sign = MINUS if value < 0 else ""
        return sign + power_of_ten(math.log10(abs(value)))
    text = f"{value:,.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", MINUS)


def significant(value: float, digits: int = 3) -> str:
    """Write a number with this many significant digits, zeros at its end included.

    Examples
    --------
    >>> significant(0.1), significant(66.6666, 4), significant(22026.5)
    ('0.100', '66.67', '22,026')
    """
    if value == 0:
        return "0"
    if not SMALLEST_PLAIN <= abs(value) < LARGEST_PLAIN:
        sign = MINUS if value < 0 else ""
        return sign + power_of_ten(math.log10(abs(value)), digits)
    rounded = float(f"{value:.{digits - 1}e}")
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(rounded))))
    return f"{value:,.{decimals}f}".replace("-", MINUS)


def power_of_ten(log10: float, digits: int = 3) -> str:
    """Write 10 ** log10, however large or small, as a multiple of a power of ten.

    Examples
    --------
    >>> power_of_ten(6.0), power_of_ten(-1000.0)
    ('10⁶', '10⁻¹⁰⁰⁰')
    """
    exponent = math.floor(log10)
    mantissa, carried = f"{10.0 ** (log10 - exponent):.{digits - 1}e}".split("e")
    return times_power_of_ten(mantissa, exponent + int(carried))


def times_power_of_ten(mantissa: str, exponent: int) -> str:
    """Write a mantissa, the digits of which are known, times a power of ten.

    Examples
    --------
    >>> times_power_of_ten("1.00", 6)
    '10⁶'
    """
    mantissa = mantissa.rstrip("0").rstrip(".")
    power = "10" + str(exponent).translate(_SUPERSCRIPTS)
    return power if mantissa == "1" else f"{mantissa}{TIMES}{power}"


def p_value(log_p: float) -> str:
    """Write a p-value from its natural logarithm, to three digits.

    Examples
    --------
    >>> p_value(math.log(0.0123)), p_value(0.0), p_value(-50 * math.log(10.0))
    ('0.0123', '1', '10⁻⁵⁰')
    """
    log10 = log_p / math.log(10.0)
    if log10 < math.log10(SMALLEST_PLAIN):
        return power_of_ten(log10)
    return significant(math.exp(log_p)) if log_p < 0.0 else "1"
