"""The verdicts as a page of documentation: numbers by this room, reasons by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dpwilcoxon.errors import InternalError
from dpwilcoxon.paper.comparison import Comparison, Verdict
from dpwilcoxon.paper.manifest import Manifest
from dpwilcoxon.paper.page import interval_text, number_text
from dpwilcoxon.paper.reasons import reasons_for

BEGIN = "<!-- begin: written by scripts/write_reproduction.py -->"
END = "<!-- end -->"
MANY = 12  # numbers: longer tables are folded
HEADINGS = ("number", "printed", "measured", "95% interval", "read as", "verdict")


def markdown(manifests: Sequence[Manifest]) -> str:
    """Return every printed number with its measured one, table by table."""
    shown = [each for each in manifests if each.comparisons]
    return "\n\n".join([_summary(shown), *(_section(each) for each in shown)])


def with_verdicts(page: str, manifests: Sequence[Manifest]) -> str:
    """Return a page with what stands between its two marks written anew."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InternalError("The page has no place for the verdicts.")
    return f"{before}{BEGIN}\n\n{markdown(manifests)}\n\n{END}{after}"


def _summary(manifests: Sequence[Manifest]) -> str:
    rows = [("table or figure", "printed numbers", *map(str, Verdict))]
    for each in manifests:
        counts = Counter(comparison.verdict for comparison in each.comparisons)
        rows.append(
            (
                f"`{each.name}`",
                str(len(each.comparisons)),
                *(str(counts[verdict]) for verdict in Verdict),
            )
        )
    return _table(rows)


def _section(manifest: Manifest) -> str:
    rows: list[tuple[str, ...]] = [HEADINGS]
    for each in manifest.comparisons:
        rows += _rows(each)
    table = _table(rows)
    count = len(manifest.comparisons)
    if count > MANY:
        table = f"<details><summary>{count} numbers</summary>\n\n{table}\n\n</details>"
    how = f"{manifest.replicates:,} replicates, seed {manifest.seed}"
    measured = f"Searched for at the precision of {how}." if manifest.is_simulated else "Computed."
    parts = [f"### {manifest.title}", measured, *reasons_for(manifest.comparisons), table]
    return "\n\n".join(parts)


def _rows(comparison: Comparison) -> list[tuple[str, ...]]:
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


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    header, *body = rows
    lines = [header, tuple("---" for _ in header), *body]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
