"""The power of many cases at once: tests that look at samples of one kind share them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from dpwilcoxon.nulls.seeds import Seed, seed_sequence
from dpwilcoxon.studies.cases import Case
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.rejection import Estimate, Progress, rejection_rates


def powers(
    cases: Sequence[Case],
    *,
    replicates: int,
    seed: Seed = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> list[Estimate]:
    """Estimate the power of each case.

    Cases with the same population and number of pairs share their samples, and all others share
    their luck: differences between cases are better known than the powers themselves.

    Parameters
    ----------
    cases
        What to estimate; each has a number of pairs.
    replicates
        Samples for each population and number of pairs.
    seed, jobs
        As for `rejection_rates`.
    progress
        Called with (replicates done, replicates) over all cases.
    """
    entropy = seed_sequence(seed)
    groups: dict[tuple[Population, int], list[int]] = defaultdict(list)
    for place, case in enumerate(cases):
        groups[case.population, case.n_pairs].append(place)
    estimates: dict[int, Estimate] = {}
    for number, ((population, n_pairs), places) in enumerate(groups.items()):
        rates = rejection_rates(
            population,
            n_pairs,
            [cases[place].test(n_pairs) for place in places],
            replicates=replicates,
            seed=entropy,
            jobs=jobs,
            progress=_share(progress, number, len(groups)),
        )
        estimates.update(zip(places, rates, strict=True))
    return [estimates[place] for place in range(len(cases))]


def _share(progress: Progress | None, number: int, groups: int) -> Progress | None:
    """Progress of one group as part of that of all."""
    if progress is None:
        return None
    return lambda done, total: progress(number * total + done, groups * total)
