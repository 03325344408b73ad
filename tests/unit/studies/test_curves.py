"""Curves out of tables: along the right axis, labelled by what differs."""

import numpy as np

import dpwilcoxon as dpw
from dpwilcoxon.studies.curves import PowerPicture
from dpwilcoxon.studies.solution_curves import MOST_CURVES, solution_picture


def picture(*arguments, **options):
    """The picture of a table of powers."""
    return PowerPicture.of(dpw.power(*arguments, replicates=50, rng=1, **options).records())


def test_curves_run_along_what_varies_most():
    """One curve for each of the others, in order."""
    found = picture([[10, 30, 20]], [[0.5], [1]], 1)
    assert found.axis == "n"
    assert [curve.label for curve in found.curves] == ["epsilon 0.5", "epsilon 1"]
    assert all(curve.x == (10.0, 20.0, 30.0) for curve in found.curves)
    for curve in found.curves:
        assert all(np.less_equal(curve.low, curve.power))
        assert all(np.less_equal(curve.power, curve.high))
    assert picture(20, 1, [0, 0.5, 1]).axis == "effect"
    assert picture(20, 1, [0, 0.5, 1]).curves[0].label == "pratt"
    assert picture([[20], [4000]], [0.1, 1, 10], 1).curves[1].label == "4,000 pairs"


def test_a_test_without_noise_is_drawn_once():
    """Its curve is the same for every epsilon, unless epsilon is what the curves run along."""
    both = [["pratt", "public"]]
    records = [
        record
        for name in both[0]
        for record in dpw.power(
            [[10, 20, 30]], [[0.5], [1]], 1, procedure=name, replicates=50, rng=1
        ).records()
    ]
    found = PowerPicture.of(records)
    assert [each.label for each in found.curves] == [
        "pratt, epsilon 0.5",
        "pratt, epsilon 1",
        "public",
    ]
    assert found.curves[-1].x == (10.0, 20.0, 30.0)
    along = picture(10, [0.1, 0.5, 1], 1, procedure="public")
    assert along.curves[0].x == (0.1, 0.5, 1.0)
    answers = dpw.sample_size([1, 0.5], 1, procedure="public", rng=1)
    assert len(solution_picture(answers, seed=1).curves) == 1


def test_too_little_for_a_picture():
    """Two points are no curve."""
    assert picture([10, 20], 1, 1) is None


def test_only_epsilons_far_apart_are_drawn_in_powers_of_ten():
    """Everything else is linear."""
    assert picture(20, [0.1, 1, 10], 1).log_x
    assert not picture(20, [1, 1.5, 2], 1).log_x
    assert not picture([10, 100, 1000], 1, 1).log_x


def test_answers_are_marked_on_their_curves():
    """Each curve passes the wanted power near its mark."""
    result = dpw.sample_size([1, 0.3], 1, rng=1)
    found = solution_picture(result, seed=1)
    assert (found.axis, found.wanted) == ("n", 0.8)
    assert [curve.label for curve in found.curves] == ["epsilon 1", "epsilon 0.3"]
    for curve, n in zip(found.curves, result.n, strict=True):
        assert curve.mark.x == n
        assert curve.mark.low <= n <= curve.mark.high
        nearest = min(range(len(curve.x)), key=lambda i: abs(curve.x[i] - n))
        assert abs(curve.power[nearest] - 0.8) < 0.08
        assert curve.x[0] < n < curve.x[-1]


def test_epsilons_and_effects_are_marked_too():
    """Within what an epsilon or effect may be."""
    epsilon = solution_picture(dpw.minimum_epsilon(60, 1, rng=1), seed=1)
    assert epsilon.log_x
    assert epsilon.curves[0].mark.text.startswith("epsilon 0.4")
    pilot = dpw.minimum_effect(100, 2, differences=[1.0, 2, -1, 3, 0.5], rng=1)
    assert max(solution_picture(pilot, seed=1).curves[0].x) <= 1.0


def test_without_answers_there_is_nothing_to_draw():
    """Absent answers are left out, and a crowd is cut."""
    assert solution_picture(dpw.sample_size(1, 0)) is None
    some = dpw.sample_size(1, [0, 2], rng=1)
    assert len(solution_picture(some, seed=1).curves) == 1
    many = dpw.sample_size(3, [2.0 + each / 10 for each in range(MOST_CURVES + 2)], rng=1)
    assert len(solution_picture(many, seed=1).curves) == MOST_CURVES
