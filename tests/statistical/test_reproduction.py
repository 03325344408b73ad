"""The verdicts in docs/reproduction.md stand: every number is measured once more.

Tables are computed without simulation, so their rows must be equal. Sizes for 80% power are
searched for again with another seed and as if with 20,000 replicates at epsilon 1 and 2,000 at
epsilon 0.1, where the page has a million. Each of the 25 readings may then lie as far from the
page as two 95% intervals and one pair together, twice what two intervals need to touch, which
happens by chance less than once in ten thousand runs for each; no verdict may turn round.
"""

import re
from pathlib import Path

import pytest

from dpwilcoxon.paper.catalogue import ITEMS
from dpwilcoxon.paper.comparison import Verdict
from dpwilcoxon.paper.manifest import Manifest
from dpwilcoxon.paper.reproduction import BEGIN, END, markdown, with_verdicts
from dpwilcoxon.paper.session import Session

PAGE = (Path(__file__).parents[2] / "docs" / "reproduction.md").read_text()
GENERATED = PAGE.partition(BEGIN)[2].partition(END)[0]
TABLES = [name for name in ITEMS if name.startswith("table-")]
COARSE = {"1": Session(replicates=20_000, seed=7), "0.1": Session(replicates=2_000, seed=7)}


def cells(line):
    """The cells of a row; what was escaped is restored."""
    inside = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [cell.strip().replace("\\|", "|") for cell in inside]


def section(title):
    """What the page says below a heading."""
    return GENERATED.partition(f"### {title}\n")[2].partition("\n### ")[0]


def rows(title):
    """Every row of a section: quantity, printed, measured, interval, reading, verdict."""
    found, carried = [], ["", ""]
    for line in section(title).splitlines():
        if line.startswith("| ") and not line.startswith(("| ---", "| number")):
            quantity, printed, *rest = cells(line)
            carried = [quantity, printed] if quantity else carried
            found.append((*carried, *rest))
    return found


def number(text):
    """A number of the page."""
    return float(text.replace(",", ""))


def manifest(name, comparisons):
    """An item as a run leaves it."""
    item = ITEMS[name]
    return Manifest(name, item.title, item.place, "", (), comparisons, None, 2, 0, ())


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_the_page_are_those_computed_now(name):
    """Numbers, verdicts and reasons, to the last character."""
    comparisons = ITEMS[name].measure(Session(replicates=2)).comparisons
    fresh = markdown([manifest(name, comparisons)]).partition("### ")[2]
    assert section(ITEMS[name].title).strip() == fresh.partition("\n")[2].strip()


@pytest.mark.parametrize("epsilon", ["1", "0.1"])
def test_sizes_of_the_page_are_found_again(epsilon):
    """Reading by reading, and each verdict: holds or differs."""
    item = ITEMS[f"figure-compare-eps{epsilon}"]
    documented, seen = rows(item.title), 0
    for comparison in item.compared(COARSE[epsilon]):
        mine = [row for row in documented if row[0] == comparison.quantity]
        seen += len(mine)
        assert [row[4] for row in mine] == [each.convention for each in comparison.readings]
        assert {number(row[1]) for row in mine} == {comparison.printed.value}
        for row, reading in zip(mine, comparison.readings, strict=True):
            low, high = map(number, row[3].split(" to "))
            whole_pairs = 1.0 if comparison.printed.value > 1.0 else 0.0
            allowed = high - low + reading.high - reading.low + whole_pairs
            assert abs(number(row[2]) - reading.measured) <= allowed, row
        held = any(row[5] not in ("", str(Verdict.DIFFERS)) for row in mine)
        assert held == (comparison.verdict is not Verdict.DIFFERS), comparison.in_words
    assert seen == len(documented)


def test_page_counts_its_verdicts():
    """The summary adds up to the rows below it."""
    summary = GENERATED.partition("\n### ")[0]
    counted = [cells(line) for line in summary.splitlines() if line.startswith("| `")]
    assert sum(int(row[1]) for row in counted) == sum(
        len(ITEMS[name].measure(Session(replicates=2)).comparisons) for name in ITEMS
    )
    assert all(int(row[1]) == sum(map(int, row[2:])) for row in counted)


def test_writing_the_verdicts_leaves_the_rest_of_the_page():
    """What people wrote stays, and writing twice is writing once."""
    given = [manifest("table-w", ITEMS["table-w"].measure(Session(replicates=2)).comparisons)]
    once = with_verdicts(PAGE, given)
    assert once.partition(BEGIN)[0] == PAGE.partition(BEGIN)[0]
    assert once.partition(END)[2] == PAGE.partition(END)[2]
    assert with_verdicts(once, given) == once
    assert "the statistic w" in once
    with pytest.raises(Exception, match="no place"):
        with_verdicts("a page without marks", given)
