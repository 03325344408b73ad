"""From what a caller names to a paired sample, wherever and however the data lies."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.pairs import PairedSample
from dpwilcoxon.parameters import Missing
from dpwilcoxon.sources.arrays import pairs_from_arrays
from dpwilcoxon.sources.described import DescribedSample
from dpwilcoxon.sources.engines.samples import is_in_engine, open_engine_samples
from dpwilcoxon.sources.files import open_table
from dpwilcoxon.sources.formats import Format
from dpwilcoxon.sources.frame_tables import (
    column_names,
    is_frame,
    open_frame,
    pairs_of_columns,
)
from dpwilcoxon.sources.layout import Aggregate, Layout, MissingCondition
from dpwilcoxon.sources.memory import Resources
from dpwilcoxon.sources.plain_columns import plain_columns
from dpwilcoxon.sources.reading import open_pairs
from dpwilcoxon.sources.unit_tables import pairs_from_units


@dataclass(frozen=True)
class Access:
    """How a table is to be reached and read."""

    file_format: str | Format | None = None
    table: str | None = None
    resources: Resources = field(default_factory=Resources)


def read_pairs(
    data: Any,
    *,
    before: str | None = None,
    after: str | None = None,
    difference: str | None = None,
    unit: str | None = None,
    condition: str | None = None,
    levels: str | Sequence[object] | None = None,
    value: str | None = None,
    aggregate: str | Aggregate | None = None,
    order_by: str | Sequence[str] | None = None,
    missing: str = "raise",
    missing_condition: str | MissingCondition = "raise",
    where: str | None = None,
    public_n: int | None = None,
    resolution: Any = None,
    table: str | None = None,
    file_format: str | None = None,
    memory_limit: str | None = None,
) -> DescribedSample:
    """Make a paired sample of a table, one pair per protected person.

    Parameters
    ----------
    data : str, path-like, data frame or Ibis table
        A CSV, TSV, Parquet, JSON-lines or SQLite file, a folder or pattern of Parquet files, a
        data frame of pandas, polars or pyarrow, a table of Ibis in PostgreSQL, Spark or DuckDB,
        or the address of a database. Rows never leave PostgreSQL or Spark.
    before, after : str
        The columns of a wide table; differences are after - before.
    difference : str
        Or its one column of differences.
    unit : str, optional
        The column that says whom a row belongs to. All rows of a person become one pair.
    condition, levels, value : str
        Of a long table: the column that tells the conditions, the two that are compared (before,
        then after), and the column of the values.
    aggregate : {"mean", "median", "min", "max", "first", "last"}, optional
        How several values of a person become one, exactly.
    order_by : str or sequence of str, optional
        What "first" and "last" refer to.
    missing : {"raise", "zero"}
        Refuse pairs with a missing value, or count them as no change.
    missing_condition : {"raise", "zero", "exclude"}
        Persons without one of the conditions: refuse, count as no change, or leave out.
    where : str, optional
        Only these rows: a condition in SQL.
    public_n : int, optional
        The number of pairs, declared public by the custodian: needed where a filter or
        "exclude" would let the data decide it, and refused if it is another.
    resolution : number or str, optional
        Round each difference to a multiple of this.
    table : str, optional
        Which table of a SQLite file or database, if it has several.
    file_format : {"csv", "tsv", "parquet", "json", "sqlite"}, optional
        What a file is, if its name does not tell.
    memory_limit : str, optional
        How much memory reading and ranking may take here, as "4GB"; by default half of what the
        machine has. What does not fit is put in order in private temporary files.

    Returns
    -------
    DescribedSample
        To be passed to :func:`wilcoxon` as its only data. It may hold temporary files or a
        session of a database: `close()` it, or use it as a context, to let go of them early.

    Privacy
    -------
    A pair depends on the rows of its person alone. Columns may be SQL expressions of one row;
    whatever looks at other rows is refused. The number of persons is public.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> import pandas as pd
    >>> visits = pd.DataFrame({
    ...     "person": ["a", "a", "a", "b", "b"],
    ...     "visit": ["baseline", "week8", "week8", "baseline", "week8"],
    ...     "sbp": [142, 131, 135, 150, 151],
    ... })
    >>> pairs = dpw.read_pairs(visits, unit="person", condition="visit", value="sbp",
    ...                        levels=("baseline", "week8"), aggregate="mean")
    >>> pairs.n
    2
    >>> dpw.wilcoxon(pairs, epsilon=1).n
    2
    """
    layout = Layout.parse(
        before=before,
        after=after,
        difference=difference,
        unit=unit,
        condition=condition,
        levels=levels,
        value=value,
        aggregate=aggregate,
        order_by=order_by,
        where=where,
        public_n=public_n,
        missing=missing,
        missing_condition=missing_condition,
        resolution=resolution,
    )
    opened = ExitStack()
    access = Access(file_format, table, Resources.parse(memory_limit))
    found = opened.enter_context(open_sample(data, layout, access))
    return DescribedSample(found, layout, table, opened)


@contextmanager
def open_sample(data: Any, layout: Layout, access: Access | None = None) -> Iterator[PairedSample]:
    """Open the paired sample of a table; it can be used until the context ends.

    Parameters
    ----------
    data : str, path-like, data frame or Ibis table
        As for :func:`read_pairs`.
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
    if is_in_engine(data):
        with open_in_engine(data, [layout], access) as (sample,):
            yield sample
    elif is_frame(data):
        yield _sample_of_frame(data, layout)
    elif not isinstance(data, str | os.PathLike):
        raise InvalidArgument(f"`data` must be a file or a data frame; got {type(data).__name__}.")
    else:
        table = open_table(data, access.file_format, access.table)
        with open_pairs(table, layout, access.resources) as sample:
            yield sample


def open_in_engine(
    data: Any, layouts: Sequence[Layout], access: Access
) -> AbstractContextManager[Sequence[PairedSample]]:
    """Open the paired samples of a table in a database, which has no format of a file."""
    if access.file_format is not None:
        raise InvalidArgument("A format belongs to files; leave it out with a database.")
    return open_engine_samples(data, layouts, access.table, access.resources)


def _sample_of_frame(frame: Any, layout: Layout) -> PairedSample:
    names = plain_columns(layout, [str(each) for each in column_names(frame)])
    if names is not None:
        return pairs_of_columns(frame, layout, names)
    return pairs_from_units(open_frame(frame, layout), layout)


def sample_of(x: Any, y: Any, *, missing: Any, resolution: Any) -> PairedSample:
    """Return a paired sample as it is, and make one of arrays."""
    if not hasattr(x, "signed_rank_total"):
        return pairs_from_arrays(x, y, missing=missing, resolution=resolution)
    if y is not None or resolution is not None or Missing.parse(missing) is not Missing.RAISE:
        raise InvalidArgument(
            "`x` is a paired sample already; `y`, `missing` and `resolution` belong to what makes "
            "one."
        )
    sample: PairedSample = x
    return sample
