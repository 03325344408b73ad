"""The table of required pairs in docs/planning.md stands: entries are measured once more."""

from pathlib import Path

import pytest

import dpwilcoxon as dpw

PAGE = (Path(__file__).parents[2] / "docs" / "planning.md").read_text(encoding="utf-8")
EPSILONS = ("0.01", "0.1", "0.5", "1", "2")
EFFECTS = ("0.2", "0.5", "1", "2")
TESTS = ("pratt", "capped", "sign", "public")


def table():
    """The pairs by effect, test and epsilon, as the page has them."""
    found = {}
    for line in PAGE.splitlines():
        cells = [cell.strip(" `") for cell in line.strip("|").split("|")]
        if len(cells) == 2 + len(EPSILONS) and cells[0] in EFFECTS:
            for epsilon, number in zip(EPSILONS, cells[2:], strict=True):
                found[cells[0], cells[1], epsilon] = int(number.replace(",", ""))
    return found


def test_the_table_is_complete_and_in_order():
    """Every effect, test and epsilon; more of either needs fewer pairs, and privacy costs some."""
    pairs = table()
    assert set(pairs) == {(d, name, e) for d in EFFECTS for name in TESTS for e in EPSILONS}
    for name in TESTS[:-1]:
        for effect in EFFECTS:
            row = [pairs[effect, name, epsilon] for epsilon in EPSILONS]
            assert row == sorted(row, reverse=True)
            assert row[-1] >= pairs[effect, "public", "1"]
        for epsilon in EPSILONS:
            column = [pairs[effect, name, epsilon] for effect in EFFECTS]
            assert column == sorted(column, reverse=True)


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.parametrize(
    ("effect", "epsilon"), [("0.5", "0.1"), ("1", "0.01"), ("1", "1"), ("2", "0.5"), ("2", "2")]
)
def test_entries_are_measured_again(effect, epsilon, name):
    """Another seed, to 1% or one pair: the entry lies in the interval, widened by as much again.

    The page's own intervals reach half a percent or one pair, so that an entry which is right fails
    less than once in a thousand runs of all 20: twice the interval is four standard errors. One
    that is off by 5%, or by four pairs, fails; that is tried too.
    """
    entry = table()[effect, name, epsilon]
    found = dpw.sample_size(
        epsilon, float(effect), procedure=name, tolerance=max(1.0, 0.01 * entry), rng=20260
    )
    spare = max(1.0, 0.5 * (found.high - found.low))

    def fits(number):
        return found.low - spare <= number <= found.high + spare

    assert fits(entry)
    assert not fits(max(entry + 4, 1.05 * entry))
    assert not fits(min(entry - 4, entry / 1.05))
