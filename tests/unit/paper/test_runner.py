"""A run: its files, its page, and going on where an earlier one stopped."""

import csv
import json
import re

import pytest

from dpwilcoxon.errors import OutputError
from dpwilcoxon.paper import runner
from dpwilcoxon.paper.catalogue import ITEMS, items_called
from dpwilcoxon.paper.item import Item, NumberTable, Outcome
from dpwilcoxon.paper.manifest import Manifest
from dpwilcoxon.paper.session import Nobody, Session


def session(out, **given):
    """A coarse session that keeps its numbers where a run would."""
    return Session(**{"replicates": 40, "kept": runner.kept_in(out), **given})


def contents(folder):
    """Every file of a run by its name."""
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


def test_files_of_tables_and_figures(tmp_path):
    """CSV, SVG and PNG for all, LaTeX for tables, comparisons where the paper prints numbers."""
    items = items_called(["table-w", "figure-qq", "figure-compare-eps1"])
    manifests = runner.run(items, tmp_path, session(tmp_path))
    files = contents(tmp_path)
    for each in manifests:
        assert set(each.files) <= set(files)
        assert {f"{each.name}.{kind}" for kind in ("csv", "svg", "png")} <= set(each.files)
    assert files["table-w.tex"].startswith(b"\\begin{table}")
    assert "figure-qq.tex" not in files
    rows = list(csv.DictReader(files["figure-compare-eps1.comparison.csv"].decode().splitlines()))
    assert {row["key"] for row in rows} >= {"pairs/1/new", "share/1"}
    assert all(float(row["low"]) <= float(row["measured"]) <= float(row["high"]) for row in rows)
    assert not any(name.endswith(".draft") for name in files)


def test_page_shows_every_item_and_only_files_that_are_there(tmp_path):
    """Printed and measured stand side by side, the picture has a description, links work."""
    runner.run(items_called(["table-pratt", "figure-effect"]), tmp_path, session(tmp_path))
    page = (tmp_path / "index.html").read_text()
    for name in ("table-pratt", "figure-effect"):
        assert f'<section id="{name}">' in page
        assert ITEMS[name].title in page
    linked = re.findall(r'(?:href|src)="([^"#]+)"', page)
    assert linked
    assert all((tmp_path / each).is_file() for each in linked)
    assert re.search(r"<td>the statistic w</td><td>10</td><td>10</td><td>exact</td>", page)
    assert all(alt for alt in re.findall(r'<img src="[^"]+" alt="([^"]*)"', page))


def test_later_runs_add_to_the_page(tmp_path):
    """What an earlier run left stays on the page."""
    for name in ("table-w", "table-pratt"):
        runner.run(items_called([name]), tmp_path, session(tmp_path))
    page = (tmp_path / "index.html").read_text()
    assert page.index('id="table-w"') < page.index('id="table-pratt"')


@pytest.mark.parametrize("name", ["figure-compare-eps1", "figure-zeros-privacy"])
def test_the_same_bytes_for_the_same_seed_whatever_the_jobs(tmp_path, name):
    """CSV, pictures and page are equal to the last byte."""
    made = []
    for jobs in (1, 3):
        folder = tmp_path / str(jobs)
        runner.run(items_called([name]), folder, session(folder, jobs=jobs))
        made.append(contents(folder))
    assert made[0] == made[1]


class Interrupting(Nobody):
    """Presses Ctrl-C in the middle."""

    def __init__(self, after):
        self.left = after

    def step(self, label):  # noqa: ARG002 - whatever it is
        """Count down."""
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path, monkeypatch):
    """After an interruption in the middle, no simulation is done twice, and nothing differs."""
    from dpwilcoxon.paper import session as module

    calls = []
    original = module.rejection_rates

    def counting(*given, **named):
        calls.append(given[1])
        return original(*given, **named)

    monkeypatch.setattr(module, "rejection_rates", counting)
    items = items_called(["figure-power"])
    with pytest.raises(KeyboardInterrupt):
        runner.run(items, tmp_path / "a", session(tmp_path / "a", watcher=Interrupting(9)))
    assert len(calls) == 9
    runner.run(items, tmp_path / "a", session(tmp_path / "a"))
    assert len(calls) == len(set(calls)) == 22
    runner.run(items, tmp_path / "b", session(tmp_path / "b"))
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_an_item_that_is_missing_says_so_on_the_page(tmp_path):
    """Without the trip file: a statement instead of a picture."""
    (manifest,) = runner.run(items_called(["figure-taxi"]), tmp_path, session(tmp_path))
    assert manifest.files == ()
    page = (tmp_path / "index.html").read_text()
    assert "trip_data_1.csv" in page
    assert "not measured" in page
    assert "<img" not in page


def test_text_cannot_become_markup(tmp_path, monkeypatch):
    """Notes and titles are text on the page."""

    class Nasty(Item):
        name, title, place = "table-w", "<b>", "a & b"

        def measure(self, session):  # noqa: ARG002 - nothing is simulated
            return Outcome(NumberTable(("x",), [(1,)]), notes=("<script>",))

    monkeypatch.setitem(ITEMS, "table-w", Nasty())
    runner.run([Nasty()], tmp_path, session(tmp_path))
    page = (tmp_path / "index.html").read_text()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_manifests_come_back_as_they_were(tmp_path):
    """And one that is damaged is as good as none."""
    (given,) = runner.run(items_called(["table-w"]), tmp_path, session(tmp_path))
    assert Manifest.read(tmp_path, "table-w") == given
    path = tmp_path / "table-w.json"
    path.write_text(json.dumps({"name": "table-w"}))
    assert Manifest.read(tmp_path, "table-w") is None


def test_a_folder_that_cannot_be_made(tmp_path):
    """The reason is named before anything is measured."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be used"):
        runner.run(items_called(["table-w"]), tmp_path / "file", session(tmp_path))
