"""Matplotlib is optional, and loaded only to draw."""

import subprocess
import sys

import pytest

from dpwilcoxon.errors import MissingDependency
from dpwilcoxon.plots.backend import require_matplotlib
from dpwilcoxon.plots.null_density import draw_null_density


@pytest.fixture
def without_matplotlib(monkeypatch):
    """Make importing matplotlib fail as if it were not installed."""
    for name in [each for each in sys.modules if each.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)


@pytest.mark.usefixtures("without_matplotlib")
def test_a_missing_matplotlib_is_said_with_its_remedy(released):
    """The message is a command to copy."""
    with pytest.raises(MissingDependency, match=r'pip install "dpwilcoxon\[plots\]"'):
        require_matplotlib()
    with pytest.raises(MissingDependency):
        draw_null_density(released())


def test_importing_pictures_and_reports_does_not_load_matplotlib():
    """A command that might write a report pays for matplotlib only when it does."""
    program = (
        "import sys, dpwilcoxon.reports.html, dpwilcoxon.plots.null_density\n"
        "sys.exit('matplotlib' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
