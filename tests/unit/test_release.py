"""The one door checks everything before it draws."""

import pickle
from fractions import Fraction

import pytest

from dpwilcoxon import release as door
from dpwilcoxon.errors import InvalidArgument, StudyOnlyProcedure
from dpwilcoxon.parameters import Alternative, Method
from dpwilcoxon.procedures.base import PrivateProcedure
from dpwilcoxon.procedures.registry import PROCEDURES, get_procedure
from dpwilcoxon.release import Request, release
from dpwilcoxon.sources.arrays import pairs_from_arrays

STUDY_ONLY = [name for name, each in PROCEDURES.items() if not each.releasable]


@pytest.fixture
def no_draw(monkeypatch):
    """Make any draw of private noise a failure of the test."""

    def refuse(*_args, **_kwargs):
        pytest.fail("private noise was drawn")

    monkeypatch.setattr(door, "release_integer", refuse)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": 0}, "`epsilon`"),
        ({"epsilon": 1, "alternative": "bigger"}, "`alternative`"),
        ({"epsilon": 1, "method": "guess"}, "`method`"),
        ({"epsilon": 1, "procedure": "student"}, "`procedure`"),
        ({"epsilon": 1, "procedure": ["pratt"]}, "`procedure`"),
        ({"epsilon": 1, "noise": "gauss"}, "`noise`"),
    ],
)
def test_a_request_that_cannot_be_is_refused(options, message):
    """Unknown words and impossible numbers are named."""
    with pytest.raises(InvalidArgument, match=message):
        Request.parse(**options)


@pytest.mark.parametrize("name", STUDY_ONLY)
def test_study_procedures_do_not_fit_through_the_door(name):
    """Neither by name nor as an object can a test that is not private be released."""
    with pytest.raises(StudyOnlyProcedure, match="no release that is exactly"):
        Request.parse(epsilon=1, procedure=name)
    with pytest.raises(StudyOnlyProcedure) as refused:
        Request(get_procedure(name), Request.parse(epsilon=1).epsilon)
    copy = pickle.loads(pickle.dumps(refused.value))  # noqa: S301 - our own bytes
    assert (copy.procedure, str(copy)) == (name, str(refused.value))


def test_every_procedure_says_which_kind_it_is():
    """Releasable means of the private type, and nothing else does."""
    assert STUDY_ONLY
    for name, procedure in PROCEDURES.items():
        assert procedure.name == name
        assert procedure.releasable is isinstance(procedure, PrivateProcedure)


@pytest.mark.usefixtures("no_draw")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": "1e-300"}, "64-bit"),
        ({"epsilon": "1e-17"}, "64-bit"),
        ({"epsilon": Fraction(1, 10**400)}, "too small"),
    ],
)
def test_nothing_is_drawn_for_a_request_that_cannot_be_met(options, message):
    """What depends on n is checked before the draw as well."""
    pairs = pairs_from_arrays([1, 2, 3])
    with pytest.raises(InvalidArgument, match=message):
        release(pairs, Request.parse(**options))


@pytest.mark.usefixtures("no_draw")
def test_preparing_draws_nothing():
    """A dry run goes all the way to the null distribution and spends nothing."""
    prepared = Request.parse(epsilon=1, method="auto").prepare(100)
    assert prepared.method is Method.EXACT


def test_a_release_carries_its_design_and_the_noise_it_drew():
    """The result records what was asked and what was done."""
    request = Request.parse(epsilon="0.5", alternative="less", method="normal-laplace")
    result = release(pairs_from_arrays([1, -2, 3, 4]), request)
    assert result.n == 4
    assert str(result.design.epsilon) == "0.5"
    assert result.alternative is Alternative.LESS
    assert result.method is Method.NORMAL_LAPLACE
    assert result.noise_scale == 2 * 4 / 0.5
    assert result.version


def test_large_epsilon_gives_back_the_exact_statistic():
    """At epsilon 10^5 the noise is zero with probability above 1 - 1e-1000, so T is visible."""
    request = Request.parse(epsilon=100_000)
    assert release(pairs_from_arrays([18, 11, 3, 10, 8], [9, 2, 3, 8, 9]), request).statistic == 10


@pytest.mark.parametrize(
    ("noise", "family", "far"),
    [("laplace", "discrete-laplace", False), ("canonical", "canonical", True)],
)
def test_the_noise_that_was_asked_for_is_drawn(noise, family, far):
    """At epsilon 10, 15% of canonical draws and 1.4% of Laplace ones exceed 0.4 windows.

    Of 600 releases that is 90 or 8. The limit between, 38, is passed or missed by chance with
    probability below 1e-10.
    """
    pairs, exact, window = pairs_from_arrays([1.0, -2.0, 3.0, 4.0, -5.0]), 1, 2 * 5
    request = Request.parse(epsilon=10, noise=noise)
    draws = [release(pairs, request) for _ in range(600)]
    assert {each.noise.family for each in draws} == {family}
    distances = [abs(each.statistic - exact) for each in draws]
    assert (sum(distance > 0.4 * window for distance in distances) >= 38) == far
