"""Several outcomes of one table."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from dpwilcoxon.pairs import PairedSample
from dpwilcoxon.sources.engines.samples import is_in_engine
from dpwilcoxon.sources.files import open_table
from dpwilcoxon.sources.inputs import STANDARD_INPUT
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.reading import open_pairs
from dpwilcoxon.sources.samples import Access, open_in_engine, open_sample


@contextmanager
def open_outcomes(
    data: str | os.PathLike[str], layouts: Sequence[Layout], access: Access
) -> Iterator[list[PairedSample]]:
    """Open the paired samples that several layouts find in one table.

    Standard input, which can be read only once, and a database, which others may be writing to,
    are opened once for all of them.
    """
    shared = replace(access, resources=access.resources.shared_by(len(layouts)))
    with ExitStack() as opened:
        if os.fspath(data) == STANDARD_INPUT:
            table = open_table(data, access.file_format, access.table)
            samples = [open_pairs(table, layout, shared.resources) for layout in layouts]
            yield [opened.enter_context(sample) for sample in samples]
        elif is_in_engine(data):
            yield [*opened.enter_context(open_in_engine(data, layouts, access))]
        else:
            yield [opened.enter_context(open_sample(data, each, shared)) for each in layouts]
