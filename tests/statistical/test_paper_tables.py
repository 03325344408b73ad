"""Every number in the tables of the paper, against what the paper room computes.

The paper took quantiles of 10 million draws and rounded them. So a printed value may differ from
the true quantile by half a printed unit plus a Monte Carlo error; we allow 4 standard errors,
sqrt(alpha (1 - alpha) / c) / density. Columns that were not simulated get the half unit alone.
Run with `-s` to see the largest deviation of each table in units of its tolerance.
"""

import numpy as np
import pytest

from dpwilcoxon.paper import printed
from dpwilcoxon.paper.catalogue import ITEMS
from dpwilcoxon.paper.comparison import STANDARD_ERRORS, Verdict
from dpwilcoxon.paper.session import Session
from dpwilcoxon.paper.simulated_null import SimulatedNull

TABLES = [name for name in ITEMS if name.startswith("table-")]
COUNTS = {
    "table-initial": 9,
    "table-w": 13,
    "table-pratt": 16,
    "table-compare-n100": 27,
    "table-compare-n1000": 27,
    "table-critical-eps1": 48,
    "table-critical-eps0.1": 48,
    "table-critical-eps0.01": 48,
}


def deviation(comparison):
    """How far print and computation are apart, in units of the tolerance."""
    old, (reading,) = comparison.printed, comparison.readings
    tolerance = old.half_unit + STANDARD_ERRORS * old.standard_error
    distance = abs(old.value - reading.measured)
    return distance / tolerance if tolerance else (0.0 if distance == 0.0 else np.inf)


@pytest.mark.parametrize("name", TABLES)
def test_every_printed_number_of_a_table_holds(name):
    """All of them are compared, and none is further away than its tolerance."""
    outcome = ITEMS[name].measure(Session(replicates=2))
    deviations = [deviation(each) for each in outcome.comparisons]
    print(f"{name}: largest deviation {max(deviations):.2f} of its tolerance")  # noqa: T201
    assert len(deviations) == COUNTS[name]
    assert max(deviations) <= 1.001  # a tie may have been rounded either way
    assert all(each.verdict is not Verdict.DIFFERS for each in outcome.comparisons)


def test_columns_that_were_not_simulated_hold_to_half_a_unit():
    """Public and TC have no Monte Carlo error to hide behind."""
    outcome = ITEMS["table-compare-n100"].measure(Session(replicates=2))
    for each in outcome.comparisons:
        if not each.key.endswith("new"):
            assert each.printed.standard_error == 0.0
            assert each.verdict is Verdict.AGREES


def test_tc_columns_are_neither_variant():
    """The bounds of High Utility (m = 0.3 n) and High Privacy (m = 30) are larger than the print.

    At n = 1000 and n = 100 alike, by at least 0.3 of a standard deviation of z.
    """
    for n in (100, 1000):
        numbers = ITEMS[f"table-compare-n{n}"].measure(Session(replicates=2)).numbers
        for row in numbers.rows:
            fields = dict(zip(numbers.columns, row, strict=True))
            assert fields["tc_high_utility"] > fields["tc_with_m_equal_n"] + 0.3
            assert fields["tc_high_privacy"] > fields["tc_with_m_equal_n"] + 0.3


def test_levels_of_the_two_kinds_of_tables_are_not_the_same():
    """n = 100 and epsilon 1 stand in both: the value at .05 in one is that at .025 in the other."""
    two_sided = printed.critical_values("1")[printed.SIZES.index(100)]
    one_sided = printed.comparison(100, "1")[:, printed.COMPARISON_COLUMNS.index("New")]
    sigma = SimulatedNull(100, 1.0).sigma
    at_05, at_025 = (one_sided[list(printed.COMPARISON_ALPHAS).index(a)] for a in (0.05, 0.025))
    assert two_sided[0] / sigma == pytest.approx(at_025, abs=0.002)
    assert two_sided[0] / sigma > at_05 + 0.3


def test_tolerance_can_fail():
    """A noise scale off by 1% misses n = 100, epsilon = .1 by more than twice its tolerance."""
    row = printed.critical_values("0.1")[printed.SIZES.index(100)]
    null = SimulatedNull(100, 0.1 / 1.01)
    levels = printed.TWO_SIDED_ALPHAS / 2
    error = null.print_error(levels, of_absolute=True)
    distance = np.abs(row - null.upper_point(levels))
    assert np.all(distance > 2 * (0.5 + STANDARD_ERRORS * error))
