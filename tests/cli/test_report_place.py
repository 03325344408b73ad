"""A report has a place before any noise is drawn, and appears there whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from dpwilcoxon.cli import report_file
from dpwilcoxon.errors import OutputError

FINE = ("--before", "before", "--after", "after", "--epsilon", "1")


@pytest.mark.usefixtures("no_draw")
@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("none/r.html", "its folder does not exist"),
        ("study.csv/r.html", "its folder does not exist"),
        (".", "it is a folder"),
        ("study.csv", "it is the data itself"),
        ("link-to-study", "it is the data itself"),
        (os.devnull, "not a file that may be overwritten"),
        ("result.pdf", "must end in .html"),
    ],
)
def test_places_that_cannot_hold_a_report(run, study, place, reason):
    """Nothing is drawn, and what is there stays as it is."""
    (study.parent / "link-to-study").symlink_to(study)
    before = study.read_text()
    done = run("test", study, *FINE, "--report", study.parent / place)
    assert (done.code, done.out) == (1, "")
    assert reason in done.err
    assert "Nothing was drawn" in done.err
    assert study.read_text() == before


@pytest.mark.usefixtures("no_draw")
def test_a_folder_that_may_not_be_written(run, study, monkeypatch):
    """The system's refusal comes before the draw, too."""

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "touch", refuse)
    done = run("test", study, *FINE, "--report", study.parent / "r.html")
    assert done.code == 1
    assert "Permission denied. Nothing was drawn" in done.err


@pytest.mark.usefixtures("no_draw")
def test_a_file_that_may_not_be_overwritten(run, study, monkeypatch):
    """An existing file without write permission is left alone."""
    (study.parent / "r.html").write_text("mine")
    monkeypatch.setattr(report_file.os, "access", lambda *_: False)
    done = run("test", study, *FINE, "--report", study.parent / "r.html")
    assert done.code == 1
    assert (study.parent / "r.html").read_text() == "mine"


@pytest.mark.usefixtures("no_draw")
def test_a_report_needs_matplotlib_before_the_draw(run, study, monkeypatch):
    """Without the extra, the error says what to install."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = run("test", study, *FINE, "--report", study.parent / "r.html")
    assert done.code == 1
    assert 'pip install "dpwilcoxon[plots]"' in done.err
    assert list(study.parent.iterdir()) == [study]


def test_a_link_stays_a_link(run, study):
    """The file a link points to is written, with the usual permissions."""
    target, link = study.parent / "target.html", study.parent / "link.html"
    target.write_text("old")
    link.symlink_to(target)
    assert run("test", study, *FINE, "--report", link).code == 0
    assert link.is_symlink()
    assert target.read_text().startswith("<!DOCTYPE html>")
    plain = study.parent / "plain"
    plain.touch()
    assert stat.S_IMODE(target.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


@pytest.mark.parametrize(("mask", "mode"), [(0o027, 0o640), (0o022, 0o644)])
def test_the_mask_for_new_files_is_heeded_and_never_changed(tmp_path, monkeypatch, mask, mode):
    """While it was another, a file that another thread makes would be open to the world."""
    before = os.umask(mask)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(os, "umask", lambda _mask: pytest.fail("changed"))
            with report_file.reserved(str(tmp_path / "r.html")) as place:
                place.write("<!DOCTYPE html>")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "r.html").stat().st_mode) == mode


def test_drafts_are_removed_whatever_happens(tmp_path):
    """An interruption leaves neither a draft nor half a report."""

    def interrupted_test() -> None:
        with report_file.reserved(str(tmp_path / "r.html"), data="-"):
            assert len(list(tmp_path.iterdir())) == 1
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted_test()
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_cannot_be_moved_to_its_place(tmp_path, monkeypatch):
    """A failure after the draw says where the result is."""

    def refuse(*_args):
        raise OSError

    monkeypatch.setattr(Path, "replace", refuse)
    with (
        pytest.raises(OutputError, match="its result is on standard output"),
        report_file.reserved(str(tmp_path / "r.html"), data="-") as place,
    ):
        place.write("<!DOCTYPE html>")
