"""Every item can be measured, and the catalogue is complete and in order."""

import xml.etree.ElementTree as ET

import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.paper import printed
from dpwilcoxon.paper.catalogue import ITEMS, items_called
from dpwilcoxon.paper.session import Session
from dpwilcoxon.plots.render import to_svg

COARSE = Session(replicates=20)  # with fewer, a power curve may look flat


@pytest.mark.parametrize("name", ITEMS)
def test_every_item_gives_numbers_and_a_picture(name):
    """As many cells as columns in each row, and a picture that names what it shows."""
    outcome = ITEMS[name].measure(COARSE)
    if name == "figure-taxi":
        assert "may not be redistributed" in outcome.missing
        return
    assert outcome.numbers.rows
    assert {len(row) for row in outcome.numbers.rows} == {len(outcome.numbers.columns)}
    assert outcome.description.endswith(".")
    ET.fromstring(to_svg(outcome.draw()))  # noqa: S314 - our own
    assert (outcome.latex is not None) == name.startswith("table-")


def test_figures_with_chance_say_how_much():
    """Every simulated number comes with a standard error."""
    for name in ITEMS:
        columns = ITEMS[name].measure(COARSE).numbers.columns
        assert "standard_error" in columns or name in {
            "table-initial", "table-w", "table-pratt", "figure-taxi",
        }  # fmt: skip


def test_every_printed_number_is_compared():
    """16 + 13 + 9 of the example, 3 x 48 + 2 x 27 of the tables, 7 sizes and 2 shares."""
    keys = [each.key for item in ITEMS.values() for each in item.measure(COARSE).comparisons]
    assert len(keys) == len(set(keys)) == 16 + 13 + 9 + 3 * 48 + 2 * 27 + 7 + 2
    sizes = sum(len(by_name) for by_name in printed.PAIRS.values())
    assert sum(key.startswith("pairs/") for key in keys) == sizes


def test_names_are_found_in_the_papers_order():
    """Each once, whatever the order of asking."""
    assert [each.name for each in items_called(["figure-qq", "table-w", "figure-qq"])] == [
        "table-w",
        "figure-qq",
    ]
    with pytest.raises(InvalidArgument, match=r"'figure-q'.*figure-qq"):
        items_called(["figure-q"])
