"""``dpwilcoxon test`` on tables with a privacy unit: options, answers and refusals."""

import html
import json

import pytest

SENTINEL = "987654.321"
RIDES = f"""driver,pickup,miles,tip
a,2013-01-01 10:00:00,1.5,1
a,2013-01-02 11:00:00,2.5,1
a,2013-01-02 12:00:00,3.5,1
b,2013-01-01 09:00:00,2,1
b,2013-01-02 09:00:00,1,1
c,2013-01-01 09:00:00,{SENTINEL},1
"""
DAY = "day(pickup::TIMESTAMP)"
TAXI = ("--unit", "driver", "--condition", DAY, "--levels", "1,2", "--value", "miles")
MEANS = (*TAXI, "--aggregate", "mean")


@pytest.fixture
def rides(tmp_path):
    """Rides of three drivers, of whom one drove on one of the days only."""
    path = tmp_path / "rides.csv"
    path.write_text(RIDES)
    return path


def test_the_taxi_study_is_one_command(run, rides):
    """Differences +1.5, -1 and no change, at next to no noise: w = 3 - 2."""
    options = (*MEANS, "--missing-condition", "zero", "--epsilon", "100000", "--json")
    done = run("test", rides, *options)
    fields = json.loads(done.out)
    assert (done.code, fields["n"], fields["statistic"]) == (0, 3, 1.0)


def test_first_and_last_take_several_columns_to_order_by(run, rides):
    """Each is named by an option of its own."""
    order = ("--aggregate", "last", "--order-by", "pickup", "--order-by", "tip")
    options = (*TAXI, *order, "--missing-condition", "zero", "--epsilon", "100000", "--json")
    assert json.loads(run("test", rides, *options).out)["statistic"] == 1.0


def test_the_report_says_what_was_compared(run, rides, tmp_path):
    """In the words of the command."""
    report = tmp_path / "r.html"
    options = (*MEANS, "--missing-condition", "zero", "--epsilon", "1", "--report", report)
    assert run("test", rides, *options).code == 0
    page = report.read_text()
    assert "mean of miles at 2 - at 1, per driver, from rides.csv; units without" in page
    only = (*MEANS, "--where", "driver <> 'c'", "--public-n", "2", "--epsilon", "1")
    assert run("test", rides, *only, "--report", report).code == 0
    page = html.unescape(report.read_text())
    assert "from rides.csv; only rows where driver <> 'c'; 2 pairs, declared public<" in page


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (MEANS, 1, "Some of the units of `driver` have no row for one of the two `levels`"),
        ((*MEANS, "--missing-condition", "exclude"), 2, "--public-n"),
        ((*MEANS, "--where", "driver <> 'c'"), 2, "--public-n"),
        ((*MEANS, "--where", "driver <> 'c'", "--public-n", "9"), 1, "has another number"),
        ((*MEANS, "--before", "tip"), 2, "not both"),
        (TAXI, 1, "say with `aggregate`"),
        ((*TAXI, "--aggregate", "first"), 2, "--order-by"),
        ((*TAXI[:-1], "mile", "--aggregate", "mean"), 1, "did you mean 'miles'?"),
        ((*TAXI[:-1], "max(miles)", "--aggregate", "mean"), 2, "looks at many rows"),
        ((*TAXI[:-1], "miles::DATE", "--aggregate", "mean"), 1, "does not fit"),
        ((*TAXI[:-1], "driver::INT", "--aggregate", "mean"), 1, "does not fit"),
    ],
)
@pytest.mark.usefixtures("no_draw")
def test_what_is_wrong_is_one_line_before_any_draw(run, rides, options, code, message):
    """Without a value of the data, and without a count that was not declared."""
    done = run("test", rides, *options, "--epsilon", "1")
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert done.err.count("\n") == 1
    assert SENTINEL not in done.err


def test_expressions_need_no_unit(run, rides):
    """A difference is computed row by row; in a text file with casts, and the refusal says so."""
    wanted = ("--epsilon", "100000", "--json")
    computed = "miles::DECIMAL(18, 6) - tip::DECIMAL(18, 6)"
    done = run("test", rides, "--difference", computed, *wanted)
    assert (done.code, json.loads(done.out)["n"]) == (0, 6)
    refused = run("test", rides, "--difference", "miles - tip", *wanted)
    assert (refused.code, refused.out) == (1, "")
    assert "CAST(... AS DECIMAL(18, 6))" in refused.err
    assert SENTINEL not in refused.err
    together = ("--before", "miles", "--after", "tip + max(tip)")
    assert "looks at many rows" in run("test", rides, *together, *wanted).err
