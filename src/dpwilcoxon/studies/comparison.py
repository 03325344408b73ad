"""Power at many points at once: tests that look at samples of one kind share them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from dpwilcoxon.parameters import probability
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import Estimate, Progress, Seed, rejection_rates, seed_sequence


@final
@dataclass(frozen=True)
class Point:
    """One test of so many pairs of one population."""

    population: Population
    n_pairs: int
    test: PlannedTest


def powers(
    points: Sequence[Point],
    *,
    replicates: int,
    seed: Seed = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> list[Estimate]:
    """Estimate the power at each point.

    Points with the same population and number of pairs share their samples, and all others share
    their luck: differences between points are better known than the powers themselves.

    Parameters
    ----------
    points
        Where to estimate.
    replicates
        Samples for each population and number of pairs.
    seed, jobs
        As for `rejection_rates`.
    progress
        Called with (replicates done, replicates) over all points.
    """
    entropy = seed_sequence(seed)
    groups: dict[tuple[Population, int], list[int]] = defaultdict(list)
    for place, point in enumerate(points):
        groups[point.population, point.n_pairs].append(place)
    estimates: dict[int, Estimate] = {}
    for number, ((population, n_pairs), places) in enumerate(groups.items()):
        rates = rejection_rates(
            population,
            n_pairs,
            [points[place].test(n_pairs) for place in places],
            replicates=replicates,
            seed=entropy,
            jobs=jobs,
            progress=_share(progress, number, len(groups)),
        )
        estimates.update(zip(places, rates, strict=True))
    return [estimates[place] for place in range(len(points))]


def _share(progress: Progress | None, number: int, groups: int) -> Progress | None:
    """Progress of one group as part of that of all."""
    if progress is None:
        return None
    return lambda done, total: progress(number * total + done, groups * total)


def pvalue_distribution(
    point: Point, levels: Sequence[float], *, replicates: int, seed: Seed = None
) -> list[Estimate]:
    """Estimate P(p-value <= level) at each level: the levels themselves, if p-values are uniform.

    Parameters
    ----------
    point
        A test and the samples it looks at; its own level does not matter.
    levels
        Where to estimate the distribution, between 0 and 1.
    replicates, seed
        As for `powers`; all levels share the samples.
    """
    tests = [replace(point.test, alpha=probability(level, "level")) for level in levels]
    points = [replace(point, test=test) for test in tests]
    return powers(points, replicates=replicates, seed=seed)
