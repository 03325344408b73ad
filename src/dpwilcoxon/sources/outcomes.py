"""Several outcomes of one table."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from dpwilcoxon.pairs import PairedSample
from dpwilcoxon.sources.files import open_table
from dpwilcoxon.sources.inputs import STANDARD_INPUT
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.samples import Access, open_sample
from dpwilcoxon.sources.table_pairs import table_pairs


@contextmanager
def open_outcomes(
    data: str | os.PathLike[str], layouts: Sequence[Layout], access: Access
) -> Iterator[list[PairedSample]]:
    """Open the paired samples that several layouts find in one table.

    Standard input, which can be read only once, is opened once for all of them.
    """
    with ExitStack() as opened:
        if os.fspath(data) == STANDARD_INPUT:
            table = open_table(data, access.file_format, access.table)
            yield [table_pairs(table, layout) for layout in layouts]
        else:
            yield [opened.enter_context(open_sample(data, each, access)) for each in layouts]
