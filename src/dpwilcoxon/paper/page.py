"""One page that shows every item, printed and measured side by side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template

from dpwilcoxon.paper.comparison import Comparison, Reading, Verdict
from dpwilcoxon.paper.manifest import Manifest
from dpwilcoxon.paper.reasons import reasons_for
from dpwilcoxon.plots.numerals import plain

MANY = 12  # comparisons: more can be folded away
DECIMALS = 3
HEADINGS = ("quantity", "printed", "measured", "95% interval", "read as", "verdict")
_WORDS = "".join(f'<th class="words">{heading}</th>' for heading in HEADINGS[-2:])


def render(manifests: Sequence[Manifest]) -> str:
    """Return the page for these items, which lie in the same folder."""
    return Template(_resource("page.html")).substitute(
        style=_resource("page.css").strip(),
        summary=_summary(manifests),
        sections="\n".join(_section(each) for each in manifests),
    )


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _summary(manifests: Sequence[Manifest]) -> str:
    rows = []
    for each in manifests:
        cells = [str(each.verdicts[verdict]) if each.comparisons else "" for verdict in Verdict]
        link = f'<a href="#{each.name}">{escape(each.title)}</a>'
        note = "not measured" if each.missing else ""
        rows.append(_row("td", [link, *cells, note]))
    heading = _row("th", ["item", *(escape(str(verdict)) for verdict in Verdict), ""])
    return f'<div class="scroll"><table>\n{heading}\n{"".join(rows)}</table></div>'


def _section(manifest: Manifest) -> str:
    parts = [
        f'<section id="{manifest.name}">',
        f"<h2>{escape(manifest.title)}</h2>",
        f'<p class="place">{escape(manifest.place)}</p>',
    ]
    if manifest.missing:
        parts.append(f'<p class="missing">{escape(manifest.missing)}</p>')
    picture = f"{manifest.name}.svg"
    if picture in manifest.files:
        parts.append(f'<img src="{picture}" alt="{escape(manifest.description, quote=True)}">')
    if manifest.notes:
        items = "".join(f"<li>{escape(note)}</li>" for note in manifest.notes)
        parts.append(f"<ul>{items}</ul>")
    parts.append(_comparisons(manifest.comparisons))
    links = " ".join(f'<a href="{name}">{name}</a>' for name in manifest.files)
    parts.append(f'<p class="files">{links}</p>')
    if manifest.is_simulated:
        parts.append(f'<p class="how">{manifest.replicates:,} replicates, seed {manifest.seed}</p>')
    return "\n".join([*parts, "</section>"])


def _comparisons(comparisons: Sequence[Comparison]) -> str:
    if not comparisons:
        return ""
    rows = [_row("th", HEADINGS[:-2]).replace("</tr>\n", f"{_WORDS}</tr>\n")]
    for each in comparisons:
        rows += map(_html_row, rows_of(each))
    table = f'<div class="scroll"><table>\n{"".join(rows)}</table></div>'
    if len(comparisons) > MANY:
        table = (
            f"<details open><summary>{len(comparisons)} printed numbers</summary>{table}</details>"
        )
    return table + "".join(f"<p>{escape(reason)}</p>" for reason in reasons_for(comparisons))


def _html_row(cells: Sequence[str]) -> str:
    *numbers, convention, verdict = map(escape, cells)
    kind = ' class="differs"' if verdict == str(Verdict.DIFFERS) else ""
    told = f'<td class="words">{convention}</td><td class="words"><span{kind}>{verdict}</span></td>'
    return _row("td", numbers).replace("</tr>\n", f"{told}</tr>\n")


def rows_of(comparison: Comparison) -> list[tuple[str, ...]]:
    """One row per reading; the number stands in the first, the verdict in each."""
    return [
        (
            "" if number else comparison.quantity,
            "" if number else number_text(comparison.printed.value),
            number_text(reading.measured),
            interval_text(reading),
            reading.convention,
            "" if reading.aside else str(reading.verdict(comparison.printed)),
        )
        for number, reading in enumerate(comparison.readings)
    ]


def number_text(value: float) -> str:
    """A measured or printed number."""
    return plain(value, DECIMALS)


def interval_text(reading: Reading) -> str:
    """A 95% interval; 'exact' where nothing was simulated."""
    if not reading.simulated:
        return "exact"
    return f"{number_text(reading.low)} to {number_text(reading.high)}"


def _row(kind: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{kind}>{cell}</{kind}>" for cell in cells) + "</tr>\n"
