"""What a run leaves beside the files of an item: everything its page and its verdicts need."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from dpwilcoxon.paper.comparison import Comparison, Verdict
from dpwilcoxon.paper.session import write_whole


@final
@dataclass(frozen=True)
class Manifest:
    """One item as it was measured.

    Parameters
    ----------
    name, title, place
        Those of the item.
    description
        Its picture in words.
    notes
        What a reader of the numbers has to know.
    comparisons
        Printed numbers beside measured ones.
    missing
        Why nothing was measured, if so.
    replicates, seed
        How it was measured.
    files
        The files that belong to it.
    """

    name: str
    title: str
    place: str
    description: str
    notes: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    missing: str | None
    replicates: int
    seed: int
    files: tuple[str, ...]

    @property
    def is_simulated(self) -> bool:
        """Whether its numbers have anything to do with chance."""
        readings = [reading for each in self.comparisons for reading in each.readings]
        exact = readings and not any(reading.simulated for reading in readings)
        return not exact and self.missing is None

    @property
    def verdicts(self) -> Counter[Verdict]:
        """How many of its printed numbers stand in which way."""
        return Counter(each.verdict for each in self.comparisons)

    def write(self, folder: Path) -> None:
        """Keep it beside the item's files."""
        fields: dict[str, Any] = {
            **vars(self),
            "comparisons": [each.to_dict() for each in self.comparisons],
        }
        write_whole(
            _path(folder, self.name), json.dumps(fields, indent=1, ensure_ascii=False) + "\n"
        )

    @classmethod
    def read(cls, folder: Path, name: str) -> Manifest | None:
        """The manifest of an item, or None where there is none that can be used."""
        try:
            fields = json.loads(_path(folder, name).read_text(encoding="utf-8"))
            comparisons = tuple(Comparison.from_dict(each) for each in fields["comparisons"])
            lists = {key: tuple(fields[key]) for key in ("notes", "files")}
            return cls(**(fields | lists | {"comparisons": comparisons}))
        except (OSError, ValueError, KeyError, TypeError):
            return None


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}.json"
