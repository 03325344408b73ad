"""Pictures of power: everything labelled, marked and banded, and the same bytes again."""

import pytest

import dpwilcoxon as dpw
from dpwilcoxon.plots.power_curves import STYLES, YARDSTICK, YARDSTICK_INK, draw_power_curves
from dpwilcoxon.plots.render import to_svg
from dpwilcoxon.studies.curves import PowerCurve, PowerPicture
from dpwilcoxon.studies.solution_curves import solution_picture


@pytest.fixture(scope="module")
def table():
    """Two curves along n."""
    records = dpw.power([[10, 20, 30, 60]], [[0.5], [2]], 1, replicates=100, rng=1).records()
    return PowerPicture.of(records)


def texts(figure):
    """Every text in the axes."""
    (axes,) = figure.axes
    return {each.get_text() for each in axes.texts}


def test_curves_bands_and_labels(table):
    """A line and a band for each test, axes named, the level shown."""
    figure = draw_power_curves(table)
    (axes,) = figure.axes
    assert len(axes.collections) == 2
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("number of pairs", "power")
    legend = [each.get_text() for each in figure.legends[0].get_texts()]
    assert legend == ["epsilon 0.5", "epsilon 2"]
    assert texts(figure) == {"level\n0.05"}


def test_answers_are_written_into_the_picture():
    """The number, and the power that was wanted."""
    figure = draw_power_curves(solution_picture(dpw.sample_size(1, 1, rng=1), seed=1))
    assert texts(figure) == {"34 pairs", "wanted\n0.8", "level\n0.05"}


def test_the_answer_of_a_yardstick_can_be_read():
    """Its number is written in a darker grey than its band."""
    answer = dpw.sample_size(1, 1, procedure="clairvoyant", rng=1)
    (axes,) = draw_power_curves(solution_picture(answer, seed=1)).axes
    (number,) = [each for each in axes.texts if "pairs" in each.get_text()]
    assert number.get_color() == YARDSTICK_INK != YARDSTICK.color


def test_tests_of_one_s_own_can_be_drawn():
    """Studies take any procedure, also one that no registry knows."""
    records = dpw.power([10, 20, 30], 1, 1, replicates=100, rng=1).records()
    picture = PowerPicture.of([{**each, "procedure": "my-own-test"} for each in records])
    assert picture.curves[0].label == "my-own-test"
    assert not picture.curves[0].is_yardstick


def test_epsilons_on_a_logarithmic_axis():
    """So that small ones can be told apart."""
    figure = draw_power_curves(
        PowerPicture.of(dpw.power(30, [0.1, 0.5, 2, 8], 1, replicates=100, rng=1).records())
    )
    assert figure.axes[0].get_xscale() == "log"


def test_many_curves_stay_apart():
    """No two of the first eight have the same dashes and marker, nor nearly the same lightness."""
    assert len({(each.dashes, each.marker) for each in STYLES}) == len(STYLES)
    curve = ((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), (0.1, 0.2, 0.3), (0.1, 0.2, 0.3))
    curves = tuple(PowerCurve(f"a rather long name of a test, {i}", *curve) for i in range(10))
    figure = draw_power_curves(PowerPicture("n", curves, 0.05))
    assert len(figure.legends[0].get_texts()) == 10


def test_the_same_picture_has_the_same_bytes(table):
    """Nothing of the day or of chance gets in."""
    assert to_svg(draw_power_curves(table)) == to_svg(draw_power_curves(table))


def test_a_yardstick_is_drawn_behind_and_called_one():
    """The clairvoyant is a broad band without markers; the tests keep the styles they had."""
    points = [(name, each) for name in ("capped", "clairvoyant", "pratt") for each in (10, 20, 40)]
    records = [
        dpw.power(n, 1, 1, procedure=name, replicates=200, rng=1).to_dict() for name, n in points
    ]
    figure = draw_power_curves(PowerPicture.of(records))
    (axes,) = figure.axes
    capped, yardstick, pratt = axes.lines[1:]  # after the line of the level
    assert yardstick.get_label() == "clairvoyant: a yardstick, not a bound"
    assert yardstick.get_linewidth() > 2 * capped.get_linewidth()
    assert yardstick.get_zorder() < min(capped.get_zorder(), pratt.get_zorder())
    assert yardstick.get_marker() == ""
    assert [line.get_marker() for line in (capped, pratt)] == [each.marker for each in STYLES[:2]]
