"""Sessions: repeatable on any number of threads, and never the same work twice."""

import json
import stat
from pathlib import Path

import numpy as np
import pytest

from dpwilcoxon.errors import InvalidArgument, OutputError
from dpwilcoxon.paper import blocks
from dpwilcoxon.paper import session as module
from dpwilcoxon.paper import tests_of_the_paper as tests
from dpwilcoxon.paper.session import Nobody, Session, description_of, write_whole
from dpwilcoxon.procedures.clairvoyant import Clairvoyant
from dpwilcoxon.procedures.noisy_sums import NoisySumTest
from dpwilcoxon.procedures.private_t import PrivateT
from dpwilcoxon.procedures.tc_high_utility import HighUtility
from dpwilcoxon.studies.families import Pilot
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest

POPULATION = Population(effect=1.0)
TESTS = [tests.new("1"), tests.public()]


@pytest.fixture
def simulations(monkeypatch):
    """Count how often something is simulated."""
    counted = []
    for name in ("rejection_rates", "required_pairs"):
        original = getattr(module, name)

        def counting(*given, _original=original, **named):
            counted.append(given)
            return _original(*given, **named)

        monkeypatch.setattr(module, name, counting)
    return counted


def test_jobs_change_nothing_and_seeds_do():
    """Two sessions that differ in their threads give the same numbers to the last bit."""
    one, two, other = (
        Session(replicates=5_000, seed=seed, jobs=jobs).rates(POPULATION, 30, TESTS, of="x")
        for seed, jobs in ((1, 1), (1, 3), (2, 1))
    )
    assert one == two != other


def test_items_have_their_own_luck():
    """Whether another item was run before makes no difference to one."""
    session = Session(replicates=500)
    first = session.rates(POPULATION, 30, TESTS, of="x")
    assert session.rates(POPULATION, 30, TESTS, of="y") != first
    assert session.rates(POPULATION, 30, TESTS, of="x") == first


def test_kept_numbers_are_found_again(tmp_path, simulations):
    """The second time nothing is simulated, and nothing is different."""
    for _ in range(2):
        session = Session(replicates=300, kept=tmp_path / "kept")
        rates = session.rates(POPULATION, 30, TESTS, of="x")
        pairs = session.pairs_for_power(POPULATION, TESTS[0], of="x", near=30, label="new")
    fresh = Session(replicates=300)
    assert rates == fresh.rates(POPULATION, 30, TESTS, of="x")
    assert pairs == fresh.pairs_for_power(POPULATION, TESTS[0], of="x", near=30, label="new")
    assert len(simulations) == 4


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 3},
        {"replicates": 301},
        {"population": Population(effect=1.5)},
        {"n": 31},
        {"tests": [tests.new("0.1")]},
        {"of": "y"},
    ],
)
def test_kept_numbers_belong_to_all_that_determines_them(tmp_path, simulations, change):
    """Whatever else is asked for is simulated."""
    for what in ({}, change):
        session = Session(what.get("replicates", 300), what.get("seed", 1), kept=tmp_path)
        session.rates(
            what.get("population", POPULATION),
            what.get("n", 30),
            what.get("tests", TESTS),
            of=what.get("of", "x"),
        )
    assert len(simulations) == 2


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"key": "another", "value": []}'])
def test_damaged_files_are_made_again(tmp_path, damage):
    """What cannot be used is as good as not there."""
    session = Session(replicates=300, kept=tmp_path)
    rates = session.rates(POPULATION, 30, TESTS, of="x")
    (kept,) = tmp_path.iterdir()
    kept.write_text(damage)
    assert session.rates(POPULATION, 30, TESTS, of="x") == rates
    assert json.loads(kept.read_text())["value"]


def test_descriptions_tell_everything_apart():
    """Parameters, data and names all count, and memory addresses do not."""
    things = [
        HighUtility(),
        HighUtility(sigma="all"),
        tests.new("1"),
        tests.new("0.1"),
        Pilot(np.array([1.0, 2.0])),
        Pilot(np.array([1.0, 2.5])),
        PrivateT(1.0),
        PrivateT(2.0),
        Clairvoyant(),
        Clairvoyant(np.array([1.0, 2.0])),
        POPULATION,
    ]
    described = [description_of(each) for each in things]
    assert len(set(described)) == len(things)
    assert not any(" at 0x" in each for each in described)
    assert description_of(Pilot(np.array([1.0, 2.0]))) == described[4]


def test_untold_parameters_are_refused():
    """A test whose parameters nobody can read would be given the numbers of another."""

    class Rival(NoisySumTest):
        name = "rival"
        rejection_rule = None

        def __init__(self, bound):
            self.bound = bound

    with pytest.raises(InvalidArgument, match="make it a dataclass"):
        description_of(PlannedTest.parse(Rival(1.0), 1))


def test_progress_reaches_the_watcher():
    """Steps and their progress are told."""
    seen = []

    class Watching(Nobody):
        def step(self, label):
            seen.append(label)

        def progress(self, done, total):
            seen.append((done, total))

    Session(replicates=50, watcher=Watching()).rates(POPULATION, 1000, TESTS, of="x")
    assert seen == ["1,000 pairs", (50, 50)]


def test_large_simulations_are_kept_in_blocks(tmp_path, simulations, monkeypatch):
    """Each block is kept by itself, with luck of its own, and their sum is the estimate."""
    monkeypatch.setattr(blocks, "BLOCK_VALUES", 3_000)
    seen = []

    class Watching(Nobody):
        def progress(self, done, total):
            seen.append((done, total))

    def rates():
        session = Session(replicates=250, kept=tmp_path, watcher=Watching())
        return session.rates(POPULATION, 30, TESTS, of="x")

    found = rates()
    assert [each.replicates for each in found] == [250, 250]
    assert seen == [(83, 250), (166, 250), (250, 250)]
    values = [json.loads(each.read_text())["value"][0] for each in tmp_path.iterdir()]
    assert len({each["probability"] for each in values}) == 3
    min(tmp_path.iterdir()).unlink()
    assert rates() == found
    assert len(simulations) == 4


def test_impossible_sessions():
    """Each mistake is named."""
    with pytest.raises(InvalidArgument, match="`replicates`"):
        Session(replicates=1)
    with pytest.raises(InvalidArgument, match="`seed`"):
        Session(seed=-1)


def test_files_are_there_whole_or_not_at_all(tmp_path):
    """What cannot be written says why and leaves nothing behind."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        write_whole(tmp_path / "file" / "below", "x")
    write_whole(tmp_path / "new" / "file", "text")
    assert [each.name for each in (tmp_path / "new").iterdir()] == ["file"]


def test_two_runs_may_write_the_same_file(tmp_path, monkeypatch):
    """Each has a draft of its own, and what they write may be read by all who might."""
    others, replace = ["theirs"], Path.replace

    def meanwhile(draft, place):
        if others:
            write_whole(place, others.pop())
        return replace(draft, place)

    monkeypatch.setattr(Path, "replace", meanwhile)
    write_whole(tmp_path / "file", "ours")
    assert (tmp_path / "file").read_text() == "ours"
    assert len(list(tmp_path.iterdir())) == 1
    plain = tmp_path / "plain"
    plain.touch()
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_an_interruption_leaves_no_draft(tmp_path, monkeypatch):
    """Nobody would ever take it for anything again."""

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "file", "text")
    assert not list(tmp_path.iterdir())
