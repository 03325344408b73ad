"""A layout says completely, and once, where the pairs of a table are."""

from dataclasses import fields
from inspect import signature

import pytest

from dpwilcoxon.cli.asked import Asked
from dpwilcoxon.cli.test import run_test
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.samples import read_pairs

LONG = {"unit": "p", "condition": "c", "levels": "a,b", "value": "v"}
WIDE = {"before": "x", "after": "y"}


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ({}, "Name both a `before` and an `after` column"),
        ({"before": "x"}, "Name both a `before` and an `after` column"),
        ({"before": "x", "after": "x"}, "are the same column, 'x'"),
        ({"difference": "d", "after": "x"}, "Name both"),
        ({"condition": "c"}, "`unit` and `levels` and `value` must be given too"),
        ({**LONG, "unit": None}, "`unit` must be given too"),
        ({**LONG, **WIDE}, "not both"),
        ({**LONG, "levels": "a"}, "`levels` must name two conditions"),
        ({**LONG, "levels": "a,b,c"}, "got 3"),
        ({**LONG, "levels": "a, a"}, "names 'a' twice"),
        ({**WIDE, "aggregate": "mean"}, "`aggregate` needs `unit`"),
        ({**LONG, "aggregate": "mode"}, "`aggregate` must be one of 'mean', 'median'"),
        ({**LONG, "aggregate": "first"}, "'first' needs `order_by`"),
        ({**LONG, "order_by": "day"}, "`order_by` belongs to"),
        ({**WIDE, "missing_condition": "zero"}, "belongs to a table with a `condition`"),
        ({**LONG, "missing_condition": "drop"}, "`missing_condition` must be one of"),
        ({**LONG, "missing_condition": "exclude"}, "'exclude' lets the data decide"),
        ({**WIDE, "where": "x > 1"}, "`where` lets the data decide"),
        ({**WIDE, "public_n": 0}, "`public_n` must be at least 1"),
        ({**WIDE, "resolution": "-1"}, "`resolution` must be positive"),
        ({"before": "x", "after": ""}, "`after` is empty"),
        ({"before": "", "after": "y"}, "`before` is empty"),
        ({"difference": ""}, "`difference` is empty"),
        ({**WIDE, "where": "", "public_n": 3}, "`where` is empty"),
        ({**LONG, "aggregate": "last", "order_by": ["day", ""]}, "`order_by` is empty"),
        ({"before": 0, "after": "1"}, "`before` must be text; got 0. .* as text"),
        ({"difference": ["d"]}, "`difference` must be text"),
        ({**WIDE, "unit": 7}, "`unit` must be text"),
        ({**WIDE, "where": True, "public_n": 3}, "`where` must be text"),
        ({**LONG, "aggregate": "last", "order_by": 3}, "`order_by` must be text; got 3"),
        ({**LONG, "aggregate": "last", "order_by": ["day", 3]}, "`order_by` must be text; got 3"),
    ],
)
def test_what_does_not_fit_together_is_refused(layout, message):
    """Before any data is read."""
    with pytest.raises(InvalidArgument, match=message):
        Layout.parse(**layout)


def test_options_are_the_same_wherever_they_are_given():
    """A layout, what reads it, and the function and command that people call have them all."""
    names = {each.name for each in fields(Layout)}
    assert names == set(signature(Layout.parse).parameters)
    of_access = {"data", "table", "file_format", "memory_limit"}
    assert names | of_access == set(signature(read_pairs).parameters)
    assert names | of_access <= set(signature(run_test).parameters)


def test_the_command_hands_every_option_on():
    """Whatever can be typed reaches the layout, of one outcome as of several."""
    order = {"aggregate": "last", "order_by": ["day"], "unit": "p"}
    more = {"where": "x > 1", "public_n": 3, "missing": "zero", "resolution": "0.5"}
    reached = {
        each.name
        for typed in (
            {**WIDE, **order, **more},
            {**LONG, **order, **more, "missing_condition": "zero"},
            {"difference": "d"},
        )
        for each in fields(Layout)
        if getattr(Asked("table.csv", epsilon="1", **typed).layout(), each.name) != each.default
    }
    assert reached == {each.name for each in fields(Layout)}


def test_levels_may_be_of_any_type():
    """Numbers are written as the table has them."""
    assert Layout.parse(**{**LONG, "levels": (1, 2)}).levels == ("1", "2")
    assert Layout.parse(**{**LONG, "levels": " a , b "}).levels == ("a", "b")


def test_only_a_list_of_pairs_needs_nothing_done():
    """A unit, a filter or a declared size has to be looked at."""
    assert Layout.parse(**WIDE).is_one_row_per_pair
    for more in ({"unit": "p"}, {"where": "x > 1", "public_n": 3}, {"public_n": 3}):
        assert not Layout.parse(**WIDE, **more).is_one_row_per_pair


def test_a_layout_describes_what_is_compared():
    """In the words of the caller, for the report."""
    assert Layout.parse(**WIDE).description == "y - x"
    assert Layout.parse(difference="d").description == "d"
    described = Layout.parse(**LONG, aggregate="mean").description
    assert described == "mean of v at b - at a, per p"


def test_a_layout_says_what_else_was_chosen():
    """Filter, cohort, gaps, rounding and order; nothing of what was left as it is."""
    assert Layout.parse(**WIDE).choices == Layout.parse(**LONG).choices == []
    more = {"where": "site = 'A'", "public_n": 20, "missing": "zero", "resolution": "0.5"}
    order = {"aggregate": "last", "order_by": ["day", "hour"]}
    assert Layout.parse(**LONG, **more, **order, missing_condition="exclude").choices == [
        "in the order of day, hour",
        "only rows where site = 'A'",
        "20 pairs, declared public",
        "missing values counted as no change",
        "units without one of the levels left out",
        "differences rounded to multiples of 0.5",
    ]
    absent = Layout.parse(**LONG, missing_condition="zero").choices
    assert absent == ["units without one of the levels counted as no change"]
