"""The table of required pairs in docs/planning.md stands: entries are measured once more."""

from pathlib import Path

import pytest

import dpwilcoxon as dpw

PAGE = (Path(__file__).parents[2] / "docs" / "planning.md").read_text(encoding="utf-8")
EPSILONS = ("0.01", "0.1", "0.5", "1", "2")
EFFECTS = ("0.2", "0.5", "1", "2")
TESTS = ("pratt", "capped", "sign", "public")
COARSE = 0.03  # the tolerance of the second search, as a share of the entry


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
    """Another seed, to 3% or one pair: the entry lies in the interval, widened by its own.

    The page's intervals reach half a percent or one pair; so an entry that is off by 5% or two
    pairs fails, and one that is right does by chance less than once in a thousand runs of all 20:
    both intervals together are four standard errors of the coarse search wide.
    """
    entry = table()[effect, name, epsilon]
    tolerance = max(1.0, COARSE * entry)
    found = dpw.sample_size(epsilon, float(effect), procedure=name, tolerance=tolerance, rng=20260)
    spare = max(1.0, 0.5 * (found.high - found.low), 0.01 * entry)
    assert found.low - spare <= entry <= found.high + spare
    assert found.high - found.low <= 2.0 * tolerance + 2.0
