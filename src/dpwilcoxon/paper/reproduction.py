"""The verdicts as a page of documentation: numbers by this room, reasons by hand."""

from __future__ import annotations

from collections.abc import Sequence

from dpwilcoxon.errors import InternalError
from dpwilcoxon.paper.comparison import Verdict
from dpwilcoxon.paper.manifest import Manifest
from dpwilcoxon.paper.page import rows_of
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
    header = ("table or figure", "printed numbers", *map(str, Verdict))
    rows = [
        (
            f"`{each.name}`",
            str(len(each.comparisons)),
            *(str(each.verdicts[verdict]) for verdict in Verdict),
        )
        for each in manifests
    ]
    return _table([header, *rows])


def _section(manifest: Manifest) -> str:
    rows: list[tuple[str, ...]] = [HEADINGS]
    for each in manifest.comparisons:
        rows += rows_of(each)
    table = _table(rows)
    count = len(manifest.comparisons)
    if count > MANY:
        table = f"<details><summary>{count} numbers</summary>\n\n{table}\n\n</details>"
    how = f"{manifest.replicates:,} replicates, seed {manifest.seed}"
    measured = f"Searched for at the precision of {how}." if manifest.is_simulated else "Computed."
    parts = [f"### {manifest.title}", measured, *reasons_for(manifest.comparisons), table]
    return "\n\n".join(parts)


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    header, *body = rows
    lines = [header, tuple("---" for _ in header), *body]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
