"""From what a caller names to a paired sample, however the table is laid out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from dpwilcoxon.pairs import PairedSample
from dpwilcoxon.sources.files import open_table, pairs_from_file
from dpwilcoxon.sources.formats import Format
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.unit_tables import pairs_from_units


@dataclass(frozen=True)
class Access:
    """How a table is to be reached and read."""

    file_format: str | Format | None = None


@contextmanager
def open_sample(
    data: str | os.PathLike[str], layout: Layout, access: Access | None = None
) -> Iterator[PairedSample]:
    """Open the paired sample of a table; it can be used until the context ends.

    Parameters
    ----------
    data : str or path-like
        A file, as for :func:`~dpwilcoxon.sources.files.pairs_from_file`.
    layout : Layout
        Where the pairs are in it.
    access : Access, optional
        How to read it.

    Yields
    ------
    PairedSample
        What a release needs.
    """
    access = access or Access()
    if layout.is_one_row_per_pair:
        yield pairs_from_file(
            data,
            before=layout.before,
            after=layout.after,
            difference=layout.difference,
            missing=layout.missing,
            resolution=layout.resolution,
            file_format=access.file_format,
        )
    else:
        yield pairs_from_units(open_table(data, access.file_format), layout)
