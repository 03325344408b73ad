"""Access to matplotlib, which is an optional extra and loaded only when a picture is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dpwilcoxon.errors import MissingDependency

HOUSE_STYLE = {
    "font.family": "sans-serif",
    "font.size": 10.0,
    "axes.linewidth": 0.8,
    "axes.edgecolor": "#444444",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "hatch.linewidth": 0.8,
    "legend.frameon": False,
    "svg.fonttype": "none",  # letters stay letters: they can be searched, and read aloud
    "svg.hashsalt": "dpwilcoxon",  # ids depend on what is drawn, not on the day
}


def require_matplotlib() -> None:
    """Load matplotlib, or say how to install it.

    Raises
    ------
    MissingDependency
        If matplotlib is not there, or is broken.
    """
    try:
        import matplotlib.backends.backend_agg
        import matplotlib.backends.backend_svg
        import matplotlib.figure  # noqa: F401 - asking is the point
    except ImportError as error:
        raise MissingDependency(
            "Pictures need matplotlib, which cannot be loaded; install it with "
            '`pip install "dpwilcoxon[plots]"`.'
        ) from error


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in one style whatever the user's matplotlib settings, and leave those untouched."""
    require_matplotlib()
    from matplotlib import style

    with style.context(HOUSE_STYLE, after_reset=True):
        yield
