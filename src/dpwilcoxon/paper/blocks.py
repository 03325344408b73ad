"""Large simulations in blocks, so that an interruption loses seconds and not minutes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from dpwilcoxon.studies.rejection import Estimate

BLOCK_VALUES = 1 << 29  # differences: some ten seconds


@final
@dataclass(frozen=True)
class Block:
    """A part of the replicates of one estimate.

    Parameters
    ----------
    number
        Counted from 0.
    before
        How many replicates the blocks before it have.
    size
        How many it has.
    """

    number: int
    before: int
    size: int


def blocks_of(replicates: int, n_pairs: int) -> list[Block]:
    """Cut replicates into nearly equal blocks, by numbers that are the same in every run.

    Examples
    --------
    >>> [block.size for block in blocks_of(1_000_000, 1_000)]
    [500000, 500000]
    """
    count = min(math.ceil(replicates * n_pairs / BLOCK_VALUES), replicates // 2)
    edges = [replicates * number // count for number in range(count + 1)]
    return [
        Block(number, edges[number], edges[number + 1] - edges[number]) for number in range(count)
    ]


def pooled(estimates: Sequence[Estimate]) -> Estimate:
    """Put together estimates of one probability from independent replicates."""
    if len(estimates) == 1:
        return estimates[0]
    count = sum(each.replicates for each in estimates)
    mean = sum(each.replicates * each.probability for each in estimates) / count
    squares = sum(
        each.replicates
        * ((each.replicates - 1) * each.standard_error**2 + (each.probability - mean) ** 2)
        for each in estimates
    )
    return Estimate(mean, math.sqrt(squares / (count - 1) / count), count)
