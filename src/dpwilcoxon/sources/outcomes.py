"""Several outcomes of one table."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from dpwilcoxon.pairs import PairedSample, Pairs
from dpwilcoxon.sources.engines.samples import is_in_engine, open_engine_samples
from dpwilcoxon.sources.files import open_table
from dpwilcoxon.sources.inputs import STANDARD_INPUT
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.samples import Access, open_sample
from dpwilcoxon.sources.table_columns import read_columns
from dpwilcoxon.sources.tables import Table
from dpwilcoxon.sources.unit_tables import pairs_from_units


@contextmanager
def open_outcomes(
    data: str | os.PathLike[str], layouts: Sequence[Layout], access: Access
) -> Iterator[list[PairedSample]]:
    """Open the paired samples that several layouts find in one table.

    Standard input, which can be read only once, and a database, which others may be writing to,
    are opened once for all of them.
    """
    with ExitStack() as opened:
        if os.fspath(data) == STANDARD_INPUT:
            table = open_table(data, access.file_format, access.table)
            yield [_sample(table, layout) for layout in layouts]
        elif is_in_engine(data):
            yield [*opened.enter_context(open_engine_samples(data, layouts, access.table))]
        else:
            yield [opened.enter_context(open_sample(data, each, access)) for each in layouts]


def _sample(table: Table, layout: Layout) -> Pairs:
    if not layout.is_one_row_per_pair:
        return pairs_from_units(table, layout)
    return Pairs.from_columns(
        *read_columns(table, layout.columns, differences_suffice=layout.resolution is None),
        missing=layout.missing,
        resolution=layout.resolution,
    )
