"""What a ledger is told about a sample: from what a caller declares, and from how it was read."""

from __future__ import annotations

from collections.abc import Sequence

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.ledger.events import Dataset, Measured, Subject
from dpwilcoxon.pairs import PairedSample
from dpwilcoxon.parameters import Missing, exact_text
from dpwilcoxon.sources.described import DescribedSample

BOTH = 2  # columns of a pair


def subject_of(
    sample: PairedSample,
    columns: Sequence[str],
    dataset: Dataset | None,
    *,
    arrays: int,
    missing: str | Missing,
    resolution: object,
) -> Subject:
    """Describe one sample; one that was read from a table knows more than its caller says.

    Two `arrays` are two columns. One array, of differences, is a column or the difference of two.
    """
    named = Measured.of(columns)
    if not isinstance(sample, DescribedSample):
        is_declared = isinstance(dataset, Dataset) and named.columns
        if is_declared and not arrays <= len(named.columns) <= BOTH:
            raise InvalidArgument(
                "`columns` must name what is compared, such as ('after', 'before') of two arrays, "
                f"or 'change' of one; got {len(named.columns)} for {arrays}."
            )
        return Subject.declared([named], dataset, missing=missing, resolution=resolution)
    layout = sample.layout
    if named.columns not in ((), layout.columns):
        raise InvalidArgument(
            "`columns` is known of a sample that was read from a table; leave it out."
        )
    return Subject.declared(
        [Measured(layout.columns)],
        dataset,
        missing=layout.missing,
        resolution=layout.resolution,
        options=sample.options,
    )


def outcome_of(name: str, sample: PairedSample, arrays: int) -> Measured:
    """Describe a named outcome, one of several."""
    if not isinstance(sample, DescribedSample):
        return Measured((name,), name, (("arrays", str(arrays)),))
    layout = sample.layout
    reading = {**sample.options, "missing": str(layout.missing)}
    if layout.resolution is not None:
        reading["resolution"] = exact_text(layout.resolution)
    return Measured(layout.columns, name, tuple(sorted(reading.items())))
