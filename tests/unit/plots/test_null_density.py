"""The picture itself: what is drawn, and that nothing else is touched."""

import matplotlib as mpl
import pytest

from dpwilcoxon.plots import null_density
from dpwilcoxon.plots.null_density import NARROW, WIDE, draw_null_density


def words(figure):
    """Every text in a figure, legend included."""
    return " | ".join(text.get_text() for text in figure.findobj(mpl.text.Text))


def luminance(colour):
    """The relative luminance of WCAG 2, which is what is left of a colour in greyscale."""
    channels = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4
        for each in mpl.colors.to_rgb(colour)
    ]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), channels, strict=True))


def contrast(one, other):
    """The contrast ratio of WCAG 2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_picture_names_the_statistic_its_interval_and_p(released):
    """Everything drawn is explained in words in the picture itself."""
    text = words(draw_null_density(released()))
    for expected in ("released statistic, 1,613.5", "95% noise interval, 1,0", "p = 0.0"):
        assert expected in text
    assert "too thin" not in text


def test_a_region_too_thin_to_see_is_pointed_at(released):
    """Nobody should look for shading that is not visible."""
    assert "too thin to see" in words(draw_null_density(released(5000)))


@pytest.mark.parametrize(("sign", "edge"), [(1, "high"), (-1, "low")])
def test_a_value_outside_the_picture_is_an_arrow_at_its_own_side(released, sign, edge):
    """The arrow ends at the edge that the value lies beyond."""
    figure = draw_null_density(released(sign * 4e8, n=50_000, method="normal-laplace"), NARROW)
    axes = figure.axes[0]
    (arrow,) = [each for each in axes.texts if "far beyond" in each.get_text()]
    assert arrow.xy[0] == axes.get_xlim()[edge == "high"]


def test_drawing_leaves_the_settings_of_the_caller_alone(released):
    """Colours of the caller's style neither change nor enter the picture."""
    with mpl.rc_context({"axes.facecolor": "black", "font.size": 31.0}):
        before = dict(mpl.rcParams)
        axes = draw_null_density(released(), WIDE).axes[0]
        assert dict(mpl.rcParams) == before
    assert axes.get_facecolor() == (1.0, 1.0, 1.0, 1.0)
    assert axes.xaxis.label.get_size() < 31


def test_the_picture_can_be_read_in_greyscale():
    """Lines stand out from the paper by lightness alone, and so does hatching from its ground."""
    for line in (null_density.INK, null_density.RELEASED, null_density.QUIET):
        assert contrast(line, "white") > 4.5
    assert contrast(null_density.REGION_HATCH, null_density.REGION_FILL) > 4.5
    assert contrast(null_density.REGION_FILL, "white") > 1.5
