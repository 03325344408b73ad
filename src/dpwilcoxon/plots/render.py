"""Figures as files: the same figure always gives the same bytes."""

from __future__ import annotations

import io
import re
from html import escape
from typing import TYPE_CHECKING

from dpwilcoxon.plots.backend import house_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PRINT_DPI = 200
# Everything matplotlib would write about itself and about the day.
_NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}


def to_svg(figure: Figure) -> str:
    """Return the figure as a deterministic SVG document."""
    buffer = io.StringIO()
    with house_style():
        figure.savefig(buffer, format="svg", metadata=_NO_METADATA)
    return buffer.getvalue()


def to_png(figure: Figure, *, dpi: int = PRINT_DPI) -> bytes:
    """Return the figure as a PNG image."""
    buffer = io.BytesIO()
    with house_style():
        figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()


def to_inline_svg(figure: Figure, *, name: str, title: str, description: str) -> str:
    """Return an ``<svg>`` element for an HTML page, with a title and description to read aloud.

    `name` is a prefix for every id in it, so that several pictures can share a page.
    """
    document = to_svg(figure)
    element = document[document.index("<svg ") :]
    element = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", element)
    view_box = re.search(r'viewBox="[^"]*"', element)
    assert view_box is not None  # noqa: S101 - matplotlib always writes one
    body = element[element.index(">") + 1 :]
    return (
        f'<svg class="{name}" {view_box[0]} role="img" '
        f'aria-labelledby="{name}-title {name}-description" '
        'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">\n'
        f'<title id="{name}-title">{escape(title)}</title>\n'
        f'<desc id="{name}-description">{escape(description)}</desc>{body}'
    )
