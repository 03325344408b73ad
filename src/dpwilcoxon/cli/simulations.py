"""The Monte Carlo options of a command, as the simulation they ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dpwilcoxon.errors import InvalidArgument

if TYPE_CHECKING:
    from dpwilcoxon.procedures.base import Simulation

MONTE_CARLO = "monte-carlo"


def check_simulation_options(method: str, draws: int | None, seed: int | None) -> None:
    """Refuse options that would silently do nothing."""
    for name, value in (("draws", draws), ("seed", seed)):
        if value is not None and method != MONTE_CARLO:
            raise InvalidArgument(
                f"`{name}` belongs to `method` {MONTE_CARLO!r}; got method {method!r}."
            )


def simulation(
    draws: int | None, seed: int | None, progress: Callable[[int, int], None] | None = None
) -> Simulation:
    """Build the simulation that the options ask for."""
    from dpwilcoxon.procedures.base import DEFAULT_DRAWS, Simulation

    return Simulation(DEFAULT_DRAWS if draws is None else draws, seed, progress)
