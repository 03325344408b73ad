"""Decimals of many digits are subtracted exactly, in two words or as Python numbers."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from dpwilcoxon.columns import Kind
from dpwilcoxon.sources.files import open_table, pairs_from_file
from dpwilcoxon.sources.table_columns import read_columns

BORDERS = (
    *("0", "-0.0", "0e-300", "1", "0.1", "0.10", "1e-18", "1e18", "-1e36"),
    *("999999999999999999", "1000000000000000000", "9223372036854775807", "-9223372036854775808"),
    *("9" * 36, "1" + "0" * 36, "-0." + "0" * 17 + "1", "1e-36", "0." + "9" * 36),
)


def random_number(choose: random.Random) -> str:
    """A number with up to 38 digits, a point or an exponent somewhere, or one of the borders."""
    if choose.random() < 0.3:
        return choose.choice(BORDERS)
    n_digits = choose.choice([1, 3, 10, 17, 18, 19, 25, 36, 38])
    digits = "".join(choose.choices("0123456789", k=n_digits))
    point = choose.randint(1, n_digits)
    exponent = choose.choice(["", "", f"e{choose.randint(-20, 20)}"])
    return f"{choose.choice(['', '-', '+'])}{digits[:point]}.{digits[point:]}{exponent}"


def write_pairs(path: Path, rows) -> Path:
    """A CSV file of the columns a and b."""
    path.write_text("a,b\n" + "".join(f"{before},{after}\n" for before, after in rows))
    return path


def signed_places(differences):
    """Each difference as its place among the sizes, with its sign."""
    sizes = sorted({abs(each) for each in differences} | {0})
    return [sizes.index(abs(each)) * (-1 if each < 0 else 1) for each in differences]


def places_read(path: Path, **options):
    """The same of the pairs in a file."""
    keys = pairs_from_file(path, before="a", after="b", **options).keys.values.tolist()
    return signed_places([int(key >> 1) * (-1 if key & 1 else 1) for key in keys])


@pytest.mark.parametrize("seed", range(15))
def test_random_digits_are_exact(tmp_path, seed):
    """Whatever the digits, ranks are those of exact fractions; swapped pairs tie with theirs."""
    choose = random.Random(seed)
    rows = [(random_number(choose), random_number(choose)) for _ in range(choose.randint(1, 9))]
    rows += [(after, before) for before, after in rows[:3]]
    path = write_pairs(tmp_path / "x.csv", rows)
    exact = [Fraction(after) - Fraction(before) for before, after in rows]
    assert places_read(path) == signed_places(exact)
    on_grid = [round(difference * 1000) for difference in exact]
    assert places_read(path, resolution="0.001") == signed_places(on_grid)


@pytest.mark.parametrize(
    ("after", "n_columns", "kind"),
    [
        ("999999999999999999", 2, Kind.DECIMAL),
        ("1000000000000000000", 1, Kind.INTEGER),
        ("9" * 36, 1, Kind.INTEGER),
        ("9" * 37, 2, Kind.OBJECT),
        ("1e18", 1, Kind.INTEGER),
        ("1e36", 2, Kind.OBJECT),
        ("1e-17", 2, Kind.DECIMAL),
        ("1e-18", 1, Kind.INTEGER),
        ("1e-35", 1, Kind.INTEGER),
        ("1e-36", 2, Kind.OBJECT),
        ("1" * 20 + ".25", 1, Kind.INTEGER),
        ("1" * 20 + "e10", 1, Kind.INTEGER),
        ("1" * 20 + "e17", 2, Kind.OBJECT),
        ("1" * 30 + "e18", 2, Kind.OBJECT),
        ("inf", 1, Kind.INTEGER),
    ],
)
def test_the_least_words_that_hold_the_digits(tmp_path, after, n_columns, kind):
    """One word up to 18 digits, two up to 36, and no limit beyond, beside an ordinary number."""
    table = open_table(write_pairs(tmp_path / "x.csv", [("0", after), ("-1", "1")]))
    columns = read_columns(table, ["b", "a"], differences_suffice=True)
    assert (len(columns), columns[0].kind) == (n_columns, kind)
    if kind is not Kind.OBJECT:
        assert len(read_columns(table, ["b", "a"], differences_suffice=False)) == 2


def test_whole_words_of_zeros(tmp_path):
    """A number whose low word is zero has digits all the same."""
    path = write_pairs(tmp_path / "x.csv", [("1e-30", "1" + "0" * 20), ("0", "1" + "0" * 20)])
    assert places_read(path) == [1, 2]


def test_one_column_of_long_differences(tmp_path):
    """A single column goes the same ways."""
    path = tmp_path / "d.csv"
    path.write_text("d\n-1e20\n0\n1.00000000000000000001\n-inf\n\n")
    pairs = pairs_from_file(path, difference="d", missing="zero")
    assert (pairs.keys.values % 2).tolist() == [1, 0, 0, 1, 0]
    sizes = (pairs.keys.values >> 1).tolist()
    assert sizes[1] == sizes[4] == 0 < sizes[2] < sizes[0] < sizes[3]
