"""``dpwilcoxon test``: the answer, the dry run, the report, and what goes wrong before a draw."""

import io
import json
import os
import subprocess
import sys

import pytest

import dpwilcoxon as dpw

SENTINEL = "987654.321"
FINE = ("--before", "before", "--after", "after", "--epsilon", "1")


def test_the_answer_is_the_block_of_the_result(run, study):
    """What Python prints of a result is what the command prints."""
    done = run("test", study, *FINE)
    assert done.code == 0
    assert done.out.startswith("Private Wilcoxon signed-rank test")
    assert SENTINEL not in done.out + done.err
    assert done.err == ""


def test_json_is_one_object_with_the_fields_of_the_result(run, study):
    """Nothing but the object is on standard output, and its p-value can be recomputed."""
    done = run("test", study, *FINE, "--json")
    fields = json.loads(done.out)
    assert fields["pvalue"] == dpw.pvalue(fields["statistic"], fields["n"], "1")
    assert fields["epsilon_exact"] == "1"
    assert fields["report"] is None


def test_command_line_and_python_agree_in_sign(run, study):
    """The difference is after - before, wilcoxon(after, before), at next to no noise."""
    done = run("test", study, *FINE[:4], "--epsilon", "100000", "--json")
    before, after = [120.1, 121.1, float(SENTINEL), 140], [118.3, 119.3, 130, 131.5]
    expected = dpw.signed_rank(after, before, resolution="0.001")
    assert json.loads(done.out)["statistic"] == expected == -10


def test_decimals_of_text_files_tie_exactly(run, study):
    """120.1 - 118.3 and 121.1 - 119.3 share a rank, so flipping one of them moves w by 3."""
    flipped = study.with_name("flipped.csv")
    flipped.write_text(study.read_text().replace("120.1,118.3", "118.3,120.1"))
    done = run("test", flipped, *FINE[:4], "--epsilon", "100000", "--json")
    assert json.loads(done.out)["statistic"] == -10 + 2 * 1.5


def test_differences_alone_and_standard_input(run, monkeypatch):
    """A column of differences, read from a pipe."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"d\n1\n-2\n3\n")))
    done = run("test", "-", "--difference", "d", "--epsilon", "100000", "--json")
    assert (done.code, json.loads(done.out)["statistic"]) == (0, 2.0)


@pytest.mark.usefixtures("no_draw")
def test_check_validates_everything_and_draws_nothing(run, study, tmp_path):
    """A dry run says what would be tested; the report path is checked as well."""
    done = run("test", study, *FINE, "--check", "--report", tmp_path / "r.html")
    assert done.code == 0
    assert "no privacy spent" in done.out
    assert not list(tmp_path.glob("*r.html*"))
    fields = json.loads(run("test", study, *FINE, "--check", "--json").out)
    assert fields["released"] is False
    assert fields["n"] == 4


def test_a_report_appears_whole(run, study, tmp_path):
    """The page holds the released p-value and no data."""
    report = tmp_path / "result.html"
    done = run("test", study, *FINE, "--report", report, "--json")
    page = report.read_text()
    assert done.code == 0
    assert page.startswith("<!DOCTYPE html>")
    assert page.rstrip().endswith("</html>")
    assert SENTINEL not in page
    assert json.loads(done.out)["report"] == str(report)
    assert {path.name for path in tmp_path.iterdir()} == {"study.csv", "result.html"}


def test_a_report_that_fails_after_the_draw_still_gives_the_answer(
    run, study, tmp_path, monkeypatch
):
    """Noise that was drawn is never lost: the result is printed, and the exit code is 1."""

    def fail(*_args, **_kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", fail)
    done = run("test", study, *FINE, "--report", tmp_path / "r.html")
    assert done.code == 1
    assert "p-value" in done.out
    assert "No space left on device" in done.err


BAD_OPTIONS = {
    "epsilon zero": (["--epsilon", "0"], 2, "`epsilon` must be positive"),
    "epsilon negative": (["--epsilon", "-1"], 2, "`epsilon` must be positive"),
    "epsilon nan": (["--epsilon", "nan"], 2, "`epsilon` must be positive"),
    "epsilon infinite": (["--epsilon", "inf"], 2, "`epsilon` must be positive"),
    "epsilon in words": (["--epsilon", "one"], 2, "`epsilon` must be a number"),
    "epsilon tiny": (["--epsilon", "1e-18"], 2, "larger `epsilon`"),
    "no such alternative": (["--alternative", "up"], 2, "`alternative` must be one of"),
    "no such method": (["--method", "magic"], 2, "`method`"),
    "no such procedure": (["--procedure", "student"], 2, "`procedure` must be one of"),
    "for studies only": (["--procedure", "public"], 2, "no release that is exactly"),
    "no such rule": (["--missing", "drop"], 2, "`missing` must be one of"),
    "resolution zero": (["--resolution", "0"], 2, "`resolution` must be positive"),
    "no such column": (["--before", "befor"], 1, "did you mean 'before'"),
    "text in a column": (["--before", "note"], 1, "row 1"),
    "seed without simulation": (["--seed", "1"], 2, "monte-carlo"),
    "report in no folder": (["--report", "/no/such/folder/r.html"], 1, "folder does not exist"),
    "no such option": (["--espilon", "1"], 2, "--espilon"),
}


@pytest.mark.usefixtures("no_draw")
@pytest.mark.parametrize("name", BAD_OPTIONS)
def test_bad_options_get_one_line_and_nothing_is_drawn(run, study, replaced, name):
    """The message says what is wrong and holds no data value; the exit code says whose fault."""
    words, code, message = BAD_OPTIONS[name]
    done = run("test", study, *replaced(FINE, words))
    assert done.code == code
    assert message in done.err
    assert done.out == ""
    assert done.err.count("\n") == 1
    assert SENTINEL not in done.err


BAD_FILES = {
    "text in a numeric column": (f"before,after\n1,2\n{SENTINEL}x,3\n", "row 2"),
    "missing value": (f"before,after\n1,2\n,{SENTINEL}\n", "row 2"),
    "nan": (f"before,after\nnan,{SENTINEL}\n", "--missing zero"),
    "no rows": ("before,after\n", "no rows"),
    "empty": ("", "empty"),
    "ragged": (f"before,after\n1,2,{SENTINEL}\n", "line 2"),
}


@pytest.mark.usefixtures("no_draw")
@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_get_one_line_and_nothing_is_drawn(run, tmp_path, name):
    """Rows are named, values never."""
    content, message = BAD_FILES[name]
    path = tmp_path / "bad.csv"
    path.write_text(content)
    done = run("test", path, *FINE)
    assert done.code == 1
    assert message in done.err
    assert done.err.count("\n") == 1
    assert SENTINEL not in done.out + done.err


@pytest.mark.usefixtures("no_draw")
def test_a_missing_file_and_a_folder_are_told_apart(run, tmp_path):
    """Neither is read, both are named."""
    missing, folder = tmp_path / "none.csv", tmp_path / "folder.csv"
    folder.mkdir()
    assert "none.csv" in run("test", missing, *FINE).err
    done = run("test", folder, *FINE)
    assert done.code == 1
    assert "is a directory" in done.err


@pytest.mark.usefixtures("no_draw")
def test_columns_must_be_named(run, study):
    """Without columns there is nothing to test; too many are contradictory."""
    assert run("test", study, "--epsilon", "1").code == 2
    assert run("test", study, *FINE, "--difference", "before").code == 2


def test_missing_as_zero_keeps_n(run, tmp_path):
    """A pair with a missing value counts as no change, and n stays what it was."""
    path = tmp_path / "gap.csv"
    path.write_text("before,after\n1,5\n2,\nNA,3\n")
    done = run("test", path, *FINE, "--missing", "zero", "--json")
    assert json.loads(done.out)["n"] == 3


def test_a_small_test_loads_neither_numba_nor_matplotlib(study):
    """In a process of its own: the heavy extras stay out, pandas and pyarrow too.

    (OpenDP itself loads polars where that is installed.)
    """
    program = (
        "import sys; from dpwilcoxon.cli import main; code = main(sys.argv[1:]);"
        "heavy = {'numba', 'matplotlib', 'pandas', 'pyarrow', 'scipy.stats'} & set(sys.modules);"
        "sys.exit(f'{code} {heavy}' if code or heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "test", str(study), *FINE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_closed_pipe_is_no_traceback(study):
    """``dpwilcoxon test ... | true``."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [sys.executable, "-m", "dpwilcoxon", "test", str(study), *FINE],
        stdout=write_end,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write_end)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
