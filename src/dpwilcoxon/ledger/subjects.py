"""What a ledger is told about a sample: from what a caller declares, and from how it was read."""

from __future__ import annotations

from collections.abc import Sequence

from dpwilcoxon.ledger.events import Dataset, Subject
from dpwilcoxon.pairs import PairedSample
from dpwilcoxon.parameters import Missing
from dpwilcoxon.sources.described import DescribedSample


def subject_of(
    sample: PairedSample,
    columns: Sequence[str],
    dataset: Dataset | None,
    *,
    missing: str | Missing,
    resolution: object,
) -> Subject:
    """Describe one sample; one that was read from a table knows more than its caller says."""
    if not isinstance(sample, DescribedSample):
        return Subject.declared([columns], dataset, missing=missing, resolution=resolution)
    return Subject.declared(
        [columns or sample.layout.columns],
        dataset,
        missing=sample.layout.missing,
        resolution=sample.layout.resolution,
        options=sample.options,
    )


def outcome_words(name: str, sample: PairedSample) -> Sequence[str]:
    """What stands for the columns of a named outcome: its name, and how it was read."""
    if not isinstance(sample, DescribedSample):
        return (name,)
    layout = sample.layout
    options = {**sample.options, "missing": layout.missing, "resolution": layout.resolution}
    return (name, *layout.columns, *(f"{key}={value}" for key, value in options.items() if value))
