"""``dpwilcoxon critical-value``: what a significant statistic would have to be."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Annotated

import typer

from dpwilcoxon.cli import options, output
from dpwilcoxon.cli.simulations import check_simulation_options, simulation
from dpwilcoxon.errors import InvalidArgument

DECIMALS = 4  # of normalized values
_REACHED = {
    "two-sided": "from {value} upwards or from -{value} downwards",
    "greater": "from {value} upwards",
    "less": "from {value} downwards",
}


def critical_value(
    *,
    n: Annotated[int, typer.Option(metavar="N", help="The number of pairs.")],
    epsilon: options.Epsilon,
    alpha: Annotated[float, typer.Option(metavar="A", help="The significance level.")] = 0.05,
    alternative: options.Alternative = "two-sided",
    procedure: options.Procedure = "pratt",
    method: options.Method = "auto",
    noise: options.Noise = "laplace",
    normalized: Annotated[
        bool,
        typer.Option(
            "--normalized",
            help="Divide by the standard deviation of the statistic without noise, "
            "sqrt(n(n+1)(2n+1)/6) for the paper's test.",
        ),
    ] = False,
    draws: options.Draws = None,
    seed: options.Seed = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    r"""Say what a significant statistic has to be.

    Needs no data and costs no privacy: it shows before a study what an epsilon costs.

    \b
    Examples:
      dpwilcoxon critical-value --n 100 --epsilon 1
      dpwilcoxon critical-value --n 100 --epsilon 1 --alpha 0.01 --alternative greater
      dpwilcoxon critical-value --n 100 --epsilon 0.1 --normalized --json
    """
    from dpwilcoxon import api
    from dpwilcoxon.parameters import Design, Method, pairs_text
    from dpwilcoxon.procedures.registry import get_private_procedure

    check_simulation_options(method, draws, seed)
    design = Design.parse(n, epsilon, noise)
    test = get_private_procedure(procedure)
    used = test.resolve_method(design, Method.parse(method))
    simulated = simulation(draws, seed)
    with output.working("Computing", quiet=quiet):
        value = api.critical_value(
            n,
            design.epsilon,
            alpha,
            alternative=alternative,
            procedure=procedure,
            method=used,
            noise=design.noise,
            normalized=normalized,
            draws=simulated.draws,
            rng=simulated.rng,
        )
    if math.isinf(value):
        raise InvalidArgument(
            f"`draws` {simulated.draws:,} are too few for `alpha` {alpha:g}: no p-value that they "
            "simulate is that small; ask for more, or choose another `method`."
        )
    if json:
        output.print_json(
            {
                "critical_value": value,
                "normalized": normalized,
                "alpha": alpha,
                "n": n,
                "epsilon": float(design.epsilon),
                "epsilon_exact": str(design.epsilon),
                "alternative": alternative,
                "procedure": procedure,
                "method": str(used),
                "noise": str(design.noise),
            }
        )
        return
    score = test.score(design)
    shown = _outwards(value, 10**DECIMALS if normalized else score.lattice)
    asked = f"{procedure}, {alternative}, epsilon {design.epsilon}, {pairs_text(n)}"
    lines = [
        f"Critical value: {shown}",
        f"  significant  {_REACHED[alternative].format(value=shown)}, at level {alpha:g}",
        f"  test         {asked}{design.noise.remark}",
        f"  computed     {used}{', divided by the standard deviation' if normalized else ''}",
    ]
    unit = math.sqrt(score.sum_of_squares(n)) if normalized else score.lattice
    if abs(value) > (largest := score.total(n) / unit):
        lines.append(
            f"  beware       without noise no statistic exceeds {largest:,.1f}: it takes more "
            "pairs, or a larger epsilon"
        )
    output.print_text("\n".join(lines))


def _outwards(value: float, units: int) -> str:
    """Write a value in full, to the next of so many units in one away from zero.

    Statistics lie on units, so this is the first significant one; rounded inwards it would be none.

    Examples
    --------
    >>> _outwards(9.03125, 32), _outwards(-1270.2, 2), _outwards(1.82651, 10_000)
    ('9.03125', '-1,270.5', '1.8266')
    """
    steps = math.copysign(math.ceil(abs(value) * units), value)
    exact = Decimal(steps) / units
    return f"{exact:,f}" if exact % 1 else f"{exact:,.1f}"
