"""Several outcomes of one file."""

from __future__ import annotations

import os
from collections.abc import Sequence

from dpwilcoxon.pairs import Pairs
from dpwilcoxon.parameters import Missing
from dpwilcoxon.sources.files import Resolution, open_table
from dpwilcoxon.sources.formats import Format
from dpwilcoxon.sources.table_columns import read_columns


def outcomes_from_file(
    path: str | os.PathLike[str],
    outcomes: Sequence[tuple[str, str]],
    *,
    missing: str | Missing = Missing.RAISE,
    resolution: Resolution | None = None,
    file_format: str | Format | None = None,
) -> list[Pairs]:
    """Read several paired samples from one file, which is opened once: standard input will do.

    Parameters
    ----------
    path, missing, resolution, file_format
        As for :func:`~dpwilcoxon.sources.files.pairs_from_file`.
    outcomes : sequence of pairs of str
        For each outcome the columns (after, before); differences are after - before.
    """
    rule = Missing.parse(missing)
    table = open_table(path, file_format)
    return [
        Pairs.from_columns(
            *read_columns(table, names, differences_suffice=resolution is None),
            missing=rule,
            resolution=resolution,
        )
        for names in outcomes
    ]
