"""Figures as bytes."""

import re

import pytest

from dpwilcoxon.plots.null_density import draw_null_density
from dpwilcoxon.plots.render import to_inline_svg, to_png, to_svg


@pytest.fixture
def figure(released):
    """Draw an ordinary picture."""
    return draw_null_density(released())


def test_the_same_result_gives_the_same_svg(released, figure):
    """No date, no random id: a report can be compared byte by byte."""
    svg = to_svg(figure)
    assert svg == to_svg(draw_null_density(released()))
    assert "<metadata" not in svg
    assert "<dc:date" not in svg


def test_letters_stay_letters(figure):
    """Text in a picture can be searched and read aloud."""
    assert "released statistic, 1,613.5</text>" in to_svg(figure)


def test_a_png_has_the_size_it_was_asked_for(figure):
    """7.2 inches at 100 dots per inch are 720 pixels; the header of a PNG says so."""
    png = to_png(figure, dpi=100)
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(png[16:20], "big") == 720


def test_inline_pictures_can_share_a_page(figure):
    """Every id carries the name of its picture, and every reference finds its id."""
    svg = to_inline_svg(figure, name="one", title="t", description="d")
    ids = re.findall(r'\bid="([^"]*)"', svg)
    assert len(ids) == len(set(ids))
    assert all(each.startswith("one-") for each in ids)
    references = set(re.findall(r'href="#([^"]*)"', svg) + re.findall(r"url\(#([^)]*)\)", svg))
    assert references
    assert references <= set(ids)


def test_an_inline_picture_is_named_and_described(figure):
    """The title and description are what a screen reader says; they cannot become markup."""
    svg = to_inline_svg(figure, name="one", title="a < b", description='"&"')
    assert svg.startswith("<svg ")
    assert svg.rstrip().endswith("</svg>")
    assert '<title id="one-title">a &lt; b</title>' in svg
    assert '<desc id="one-description">&quot;&amp;&quot;</desc>' in svg
    assert 'aria-labelledby="one-title one-description"' in svg
