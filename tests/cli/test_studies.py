"""``power`` and ``plan``: tables, JSON, CSV, charts, pictures, and no for an answer."""

import csv
import io
import json
import sys
from unittest.mock import Mock

import pytest

import dpwilcoxon as dpw
from dpwilcoxon.cli import typed_numbers
from dpwilcoxon.cli.chart import chart
from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.studies.curves import Mark, PowerCurve, PowerPicture

FEW = ("--replicates", 200)


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [
        (["50"], [50]),
        (["20,50", "30"], [20, 30, 50]),
        (["20:400:100"], [20, 120, 220, 320]),
        (["20:420"], list(range(20, 421, 20))),
        (["3:6"], [3, 4, 5, 6]),
        (["5:7,6,90"], [5, 6, 7, 90]),
    ],
)
def test_numbers_of_pairs(typed, numbers):
    """One, several, a range, a range with a step."""
    assert typed_numbers.whole_numbers(typed, "n") == numbers


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [
        (["0.5"], [0.5]),
        (["1,0.2"], [0.2, 1.0]),
        (["0:1:0.25"], [0, 0.25, 0.5, 0.75, 1]),
        (["-1:1:1"], [-1, 0, 1]),
        (["0:1"], [each / 20 for each in range(21)]),
    ],
)
def test_effects(typed, numbers):
    """The same for numbers with decimals."""
    assert typed_numbers.real_numbers(typed, "effect") == pytest.approx(numbers)


@pytest.mark.parametrize(
    "text", ["", "x", "5:", "9:3", "1:9:0", "1:9:-1", "1:2:3:4", "1:9999999:1"]
)
@pytest.mark.parametrize("read", [typed_numbers.whole_numbers, typed_numbers.real_numbers])
def test_what_is_no_number(text, read):
    """Each mistake is named."""
    with pytest.raises(InvalidArgument, match="`n` must be"):
        read([text], "n")


def test_power_is_that_of_the_library(run):
    """The same numbers, one row for each design, in every format."""
    words = ("power", "--n", "20,40", "--epsilon", "1", "--effect", "1", *FEW)
    expected = dpw.power([20, 40], 1, 1, replicates=200, rng=1).power.tolist()
    fields = json.loads(run(*words, "--json").out)
    assert fields["seed"] == 1
    assert [each["power"] for each in fields["results"]] == expected
    rows = list(csv.DictReader(io.StringIO(run(*words, "--csv").out)))
    assert [float(row["power"]) for row in rows] == expected
    assert [row["n"] for row in rows] == ["20", "40"]
    assert f"{expected[0]:.4f}" in run(*words).out


def test_comparisons_share_their_samples(run):
    """All procedures with all epsilons, and one with itself is asked once."""
    done = run("power", "--n", "30", "--epsilon", "0.5,1", "--effect", "0.8", *FEW, "--csv",
               "--procedure", "pratt", "--procedure", "public", "--procedure", "pratt")  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["procedure"], row["epsilon"]) for row in rows] == [
        ("pratt", "0.5"), ("pratt", "1.0"), ("public", "0.5"), ("public", "1.0"),
    ]  # fmt: skip
    assert rows[2]["power"] == rows[3]["power"]


def test_one_power_in_words(run):
    """With effect 0 it is called by its name."""
    words = ("--n", 30, "--epsilon", 1, *FEW)
    assert run("power", "--effect", "1", *words).out.startswith("Power: ")
    assert run("power", "--effect", "0", *words).out.startswith("Type I error: ")


def test_a_chart_for_the_terminal(run):
    """Under a table with enough points, unless it is not wanted."""
    words = ("power", "--n", "10:40", "--epsilon", "0.5,2", "--effect", "1", *FEW)
    out = run(*words).out
    assert "* epsilon 0.5   o epsilon 2" in out
    assert "number of pairs" in out
    assert "number of pairs" not in run(*words, "--no-chart").out
    assert max(map(len, out.splitlines())) <= 76


def test_charts_fit_their_width():
    """The wanted power is a line, curves leave out what they do not reach, numbers stay inside."""
    curves = (
        PowerCurve("low", (0.01, 0.1, 1.0), (0.0, 0.5, 1.0), (0,) * 3, (1,) * 3),
        PowerCurve(
            "high", (0.1, 1.0, 10.0), (0.0, 0.5, 1.0), (0,) * 3, (1,) * 3, Mark(1, 1, 1, "")
        ),
    )
    name = "a test that is called by a long name"
    curves += (PowerCurve(name, (0.1, 1.0), (0.3, 0.3), (0,) * 2, (1,) * 2),)
    text = chart(PowerPicture("epsilon", curves, 0.05, wanted=0.8), 60)
    lines = text.splitlines()
    assert [line.strip() for line in lines[-3:]] == ["* low", "o high", f"+ {name}"]
    assert max(map(len, lines)) <= 60
    assert "---" in lines[3]
    assert "*" in lines[1]
    assert "o" in lines[1]
    assert "0.01" in text
    assert "10" in text


def test_plan_finds_the_number_of_pairs(run):
    """And says how sure it is."""
    fields = json.loads(run("plan", "--epsilon", "1", "--effect", "1", "--json").out)["results"][0]
    assert fields["n"] == 34
    assert fields["low"] <= 34 <= fields["high"] <= fields["low"] + 2
    out = run("plan", "--epsilon", "1", "--effect", "1").out
    assert out.startswith("Pairs needed: 34 (95%: ")
    assert "number of pairs" in out


def test_plan_finds_the_other_two(run):
    """Whichever is left out."""
    epsilon = json.loads(run("plan", "--n", "60", "--effect", "1", "--json").out)["results"][0]
    assert epsilon["sought"] == "epsilon"
    assert 0.4 < epsilon["epsilon"] < 0.5
    effect = json.loads(run("plan", "--n", "60", "--epsilon", "1", "--json").out)["results"][0]
    assert 0.6 < effect["effect"] < 0.7
    assert effect["n"] == 60


def test_plan_compares(run):
    """Every procedure with every epsilon and effect."""
    out = run("plan", "--epsilon", "1,3", "--effect", "1,2", "--procedure", "pratt", "--procedure",
              "public", "--no-chart").out  # fmt: skip
    assert len(out.splitlines()) == 2 + 1 + 8


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("--epsilon", "1", "--effect", "0"), "nothing to detect"),
        (("--n", "5", "--epsilon", "0.01", "--power", "0.99"), "no effect, however large"),
        (("--n", "10", "--effect", "0.1"), "too few"),
    ],
)
def test_no_is_an_answer(run, words, part, tmp_path):
    """Exit code 0, the reason on standard output, and no picture of nothing."""
    path = tmp_path / "p.svg"
    done = run("plan", *words, "--plot", path)
    assert done.code == 0
    assert "none" in done.out
    assert part in done.out
    assert "no picture" in done.err
    assert not path.exists()


@pytest.mark.parametrize("name", ["p.svg", "p.png"])
def test_pictures(run, tmp_path, name):
    """Written where asked, and said so."""
    path = tmp_path / name
    done = run("power", "--n", "10:40", "--epsilon", "1", "--effect", "1", *FEW, "--plot", path)
    assert done.err == f"dpwilcoxon: picture written to {path}\n"
    assert path.read_bytes().startswith(b"<?xml" if name.endswith("svg") else b"\x89PNG")
    done = run("plan", "--epsilon", "1", "--effect", "2", "--plot", path, "--json", "--quiet")
    assert done.err == ""
    assert json.loads(done.out)["results"]


def test_a_pilot_file(run, study):
    """Differences drawn from a public file; ties and zeros come from there."""
    study.write_text("before,after\n1,2\n2,2\n3,5\n4,3.5\n5,5.5\n")
    words = ("power", "--n", "30", "--epsilon", "1", "--effect", "1", *FEW, "--json")
    done = run(*words, "--pilot", study, "--before", "before", "--after", "after")
    fields = json.loads(done.out)["results"][0]
    assert fields["differences"] == "of a pilot of 5 pairs"
    assert 0.1 < fields["power"] < 0.9


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("power", "--n", "0", "--epsilon", "1", "--effect", "1"), "`n`"),
        (("power", "--n", "9:3", "--epsilon", "1", "--effect", "1"), "LOW below HIGH"),
        (("power", "--n", "9", "--epsilon", "0", "--effect", "1"), "`epsilon`"),
        (("power", "--n", "9", "--epsilon", "1", "--effect", "big"), "`effect`"),
        (("power", "--n", "9", "--epsilon", "1"), "--effect"),
        (("plan", "--epsilon", "1"), "Give two of"),
        (("plan", "--epsilon", "1", "--effect", "1", "--n", "9"), "Give two of"),
        (("plan", "--epsilon", "1", "--effect", "1", "--power", "2"), "`power`"),
        (("plan", "--epsilon", "1", "--effect", "1", "--procedure", "t"), "`procedure`"),
        (("plan", "--epsilon", "1", "--effect", "1", "--plot", "p.gif"), "`plot`"),
        (("plan", "--epsilon", "1", "--effect", "1", "--json", "--csv"), "not both"),
        (("plan", "--epsilon", "1", "--effect", "1", "--before", "x"), "`pilot`"),
        (
            ("plan", "--epsilon", "1", "--effect", "1", "--pilot", "x", "--differences", "normal"),
            "not both",
        ),
    ],
)
def test_wrong_usage(run, words, message):
    """One line, exit code 2, before anything is simulated."""
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_picture_that_cannot_be_written_costs_no_simulation(run, tmp_path, monkeypatch):
    """Folders that are not there and a missing matplotlib are found out first."""
    monkeypatch.setattr("dpwilcoxon.studies.planning.powers", pytest.fail)
    words = ("power", "--n", "9", "--epsilon", "1", "--effect", "1", "--plot")
    done = run(*words, tmp_path / "none" / "p.svg")
    assert done.code == 1
    assert "The picture" in done.err
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert "dpwilcoxon[plots]" in run(*words, tmp_path / "p.svg").err


def test_pictures_and_answers_do_not_wait_for_each_other(run, tmp_path, monkeypatch):
    """Nobody reads the table to its end, or the disk fills up: the other half is there."""
    path = tmp_path / "p.svg"
    words = ("power", "--n", "10:40", "--epsilon", "1", "--effect", "1", *FEW, "--plot", path)
    with monkeypatch.context() as small:
        small.setattr("dpwilcoxon.cli.study_output._drawn", Mock(side_effect=MemoryError))
        done = run(*words)
        assert (done.code, "not enough memory" in done.err) == (1, True)
        assert done.out.startswith("Two-sided, level 0.05")
        assert not path.exists()
    monkeypatch.setattr("dpwilcoxon.cli.output.print_text", Mock(side_effect=OSError))
    assert run(*words).code == 1
    assert path.read_bytes().startswith(b"<?xml")


def test_what_is_not_drawn_is_said(run):
    """Nine answers are too many for one picture; eight are drawn."""
    words = ("plan", "--epsilon", "1,2,3", "--effect", "1,1.5,2")
    assert run(*words).err == "dpwilcoxon: the first 8 of 9 answers are drawn\n"
    assert run(*words, "--no-chart").err == ""


def test_seeds_on_the_command_line(run):
    """The same answer twice; another seed, another estimate."""
    words = ("power", "--n", "20", "--epsilon", "1", "--effect", "1", *FEW)
    assert run(*words).out == run(*words, "--jobs", 1).out
    assert run(*words).out != run(*words, "--seed", 2).out
