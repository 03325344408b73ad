"""Studies on standard output, as text, JSON or CSV, and in a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpwilcoxon.cli import output
from dpwilcoxon.cli.report_file import ReportFile, reserved
from dpwilcoxon.errors import InvalidArgument

if TYPE_CHECKING:
    from dpwilcoxon.studies.curves import PowerPicture
    from dpwilcoxon.studies.results import StudyResult

SUFFIXES = (".svg", ".png")
WIDEST_CHART = 76


@dataclass(frozen=True)
class Output:
    """What is wanted of a study."""

    json: bool
    csv: bool
    plot: str | None
    chart: bool
    quiet: bool

    def __post_init__(self) -> None:
        if self.json and self.csv:
            raise InvalidArgument("Give `json` or `csv`, not both.")

    @contextmanager
    def reserved(self) -> Iterator[ReportFile | None]:
        """Make sure, before a long simulation, that a picture can be drawn and written."""
        if self.plot is not None:
            from dpwilcoxon.plots.backend import require_matplotlib

            if Path(self.plot).suffix.lower() not in SUFFIXES:
                raise InvalidArgument(
                    f"`plot` must name a file that ends in {' or '.join(SUFFIXES)}; got "
                    f"{self.plot!r}."
                )
            require_matplotlib()
        with reserved(self.plot, what="picture") as place:
            yield place

    @property
    def needs_picture(self) -> bool:
        """Whether anybody will see power curves."""
        return self.plot is not None or (self.chart and not self.json and not self.csv)

    def show(
        self,
        result: StudyResult,
        common: Mapping[str, Any],
        picture: PowerPicture | None,
        place: ReportFile | None,
    ) -> None:
        """Write the picture and print the answer, each whatever becomes of the other."""
        try:
            if place is not None and picture is not None:
                place.write(_drawn(picture, place.path))
        finally:
            self._print(result, common, picture)
        if place is not None:
            written = f"picture written to {self.plot}"
            nothing = (
                "no picture was written: a curve takes an answer, or three numbers of pairs, "
                "epsilons or effects"
            )
            output.note(written if picture else nothing, quiet=self.quiet)
        if picture is not None and picture.left_out and self.needs_picture:
            shown = len(picture.curves)
            output.note(
                f"the first {shown} of {shown + picture.left_out} answers are drawn",
                quiet=self.quiet,
            )

    def _print(
        self, result: StudyResult, common: Mapping[str, Any], picture: PowerPicture | None
    ) -> None:
        if self.json:
            output.print_json({**common, "results": result.records()})
            return
        if self.csv:
            output.print_text(_csv([{**each, **common} for each in result.records()]))
            return
        output.print_text(str(result))
        if picture is not None and self.chart:
            from dpwilcoxon.cli.chart import chart

            output.print_text("\n" + chart(picture, min(output.console().width, WIDEST_CHART)))


def _drawn(picture: PowerPicture, path: Path) -> str | bytes:
    from dpwilcoxon.plots.power_curves import draw_power_curves
    from dpwilcoxon.plots.render import to_png, to_svg

    figure = draw_power_curves(picture)
    return to_svg(figure) if path.suffix.lower() == ".svg" else to_png(figure)


def _csv(records: Sequence[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue().rstrip("\n")
