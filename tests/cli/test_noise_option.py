"""``--noise``: the kind of noise on every command that has any, from the draw to the ledger."""

import csv
import io
import json

import pytest

import dpwilcoxon as dpw

CANONICAL = ("--noise", "canonical")


def test_a_test_with_canonical_noise_says_so_everywhere(run, study, tmp_path):
    """Block, JSON, dry run and report name it; the p-value is that of its law."""
    words = ("test", study, "--before", "before", "--after", "after", "--epsilon", "1", *CANONICAL)
    assert "canonical noise scale 8)" in run(*words).out
    page = tmp_path / "page.html"
    fields = json.loads(run(*words, "--json", "--report", page).out)
    assert (fields["noise"], fields["noise_scale"]) == ("canonical", 8.0)
    assert fields["pvalue"] == dpw.pvalue(fields["statistic"], 4, "1", noise="canonical")
    assert fields["pvalue"] != dpw.pvalue(fields["statistic"], 4, "1")
    html = page.read_text()
    assert "canonical, scale 8" in html
    assert "canonical noise of scale 8" in html
    assert "noise=&quot;canonical&quot;" in html
    assert "exact, canonical noise\n" in run(*words, "--check").out
    checked = json.loads(run(*words, "--check", "--json").out)
    assert (checked["noise"], checked["released"]) == ("canonical", False)


def test_several_outcomes_with_canonical_noise(run, study):
    """All outcomes get it, each with its own epsilon."""
    words = ("test", study, "--outcome", "before:after", "--epsilon", "1", *CANONICAL, "--json")
    assert "two-sided, canonical noise\n" in run(*words[:-1]).out
    assert "together, canonical noise\n" in run(*words[:-1], "--check").out
    (outcome,) = json.loads(run(*words).out)["outcomes"]
    assert outcome["noise"] == "canonical"
    assert json.loads(run(*words, "--check").out)["noise"] == "canonical"


def test_a_budget_tells_the_kinds_of_noise_apart(run, study, tmp_path):
    """The same question with other noise is another release: charged, recorded, exported."""
    ledger = ("--ledger", tmp_path / "ledger.db")
    run("budget", "create", "trial", "--epsilon", "3", *ledger)
    words = (
        *("test", study, "--before", "before", "--after", "after", "--epsilon", "1", "--json"),
        *("--budget", "trial", "--dataset", "study", "--dataset-version", "1", *ledger),
    )
    laplace, canonical, again = (
        json.loads(run(*words, *noise).out) for noise in ((), CANONICAL, CANONICAL)
    )
    assert laplace["budget"]["remaining"] == "2"
    assert canonical["budget"]["remaining"] == again["budget"]["remaining"] == "1"
    assert again["budget"]["repeated"]
    assert again["statistic"] == canonical["statistic"]
    assert again["pvalue"] == canonical["pvalue"]
    table = csv.DictReader(io.StringIO(run("budget", "export", "--csv", *ledger).out))
    drawn = {(row["noise"], row["noise_scale"]) for row in table if row["statistic"]}
    assert drawn == {("discrete-laplace", "8.0"), ("canonical", "8.0")}
    assert run("budget", "verify", *ledger).code == 0


def test_planning_with_canonical_noise(run):
    """Power and critical value are those of Python; tests with noise of their own keep it."""
    words = ("--n", "12", "--epsilon", "2", *CANONICAL, "--json")
    (pratt, public) = json.loads(
        run("power", *words, "--effect", "2", "--procedure", "pratt", "--procedure", "public").out
    )["results"]
    assert (pratt["noise"], public["noise"]) == ("canonical", "laplace")
    expected = dpw.power(12, 2, 2, noise="canonical", replicates=20_000, rng=1).power
    assert pratt["power"] == expected
    assert expected > dpw.power(12, 2, 2, replicates=20_000, rng=1).power + 0.01
    critical = json.loads(run("critical-value", *words).out)
    assert critical["critical_value"] == dpw.critical_value(12, 2, noise="canonical")
    assert critical["noise"] == "canonical"
    assert "12 pairs, canonical noise\n" in run("critical-value", *words[:-1]).out
    plan = run("plan", "--epsilon", "2", "--effect", "2", *CANONICAL, "--no-chart", "--quiet")
    assert plan.out.startswith("Pairs needed: 12 ")
    assert "canonical noise" in plan.out


@pytest.mark.usefixtures("no_draw")
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ("--noise", "gaussian", "--epsilon", "1"),
            "`noise` must be one of 'laplace', 'canonical'",
        ),
        ((*CANONICAL, "--epsilon", "11"), "`noise` 'canonical' is for `epsilon` up to 10"),
    ],
)
def test_noise_that_there_is_not_is_refused_before_a_draw(run, study, options, words):
    """With a sentence that says what there is."""
    done = run("test", study, "--before", "before", "--after", "after", *options)
    assert done.code == 2
    assert words in " ".join(done.err.split())
