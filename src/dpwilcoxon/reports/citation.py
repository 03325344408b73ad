"""How a reader checks the p-value and cites the result."""

from __future__ import annotations

from dpwilcoxon.parameters import Method, Noise, pairs_text
from dpwilcoxon.plots.numerals import p_value, plain
from dpwilcoxon.reports.answer import sides
from dpwilcoxon.result import PrivateTestResult

REFERENCE = (
    "Couch, S., Kazan, Z., Shi, K., Bray, A. and Groce, A. (2018). A Differentially Private "
    "Wilcoxon Signed-Rank Test."
)
NOISE = {Noise.LAPLACE: "discrete Laplace", Noise.CANONICAL: "canonical"}


def pvalue_call(result: PrivateTestResult) -> str:
    """Return the Python lines that compute the p-value again from the released statistic."""
    statistic = result.statistic
    literal = repr(int(statistic) if statistic.is_integer() else statistic)
    return (
        "import dpwilcoxon as dpw\n"
        "\n"
        "dpw.pvalue(\n"
        f'    {literal}, n={result.n}, epsilon="{result.design.epsilon}",\n'
        f'    alternative="{result.alternative}",\n'
        f'    procedure="{result.procedure}", method="{result.method}",\n'
        f"{_noise_argument(result)})"
    )


def expected_answer(result: PrivateTestResult) -> str:
    """Say what that call returns."""
    number = p_value(result.log_pvalue)
    if result.method is Method.MONTE_CARLO:
        return f"It returns about {number}: the simulation is drawn anew each time."
    if result.pvalue < 1e-300:  # noqa: PLR2004 - where floats lose digits, then end
        return f"It returns a number near {result.pvalue!r}; the p-value itself is {number}."
    return f"It returns {result.pvalue!r}, give or take the last digit."


def noise_scale(result: PrivateTestResult) -> str:
    """Write the scale of the noise, to four digits, as it applies to the statistic."""
    return plain(float(f"{result.noise_scale:.4g}"), 9)


def citation(result: PrivateTestResult) -> str:
    """Return a sentence for a manuscript."""
    return (
        f"An ε-differentially private Wilcoxon signed-rank test (procedure “{result.procedure}”, "
        f"ε = {result.design.epsilon}, {NOISE[result.design.noise]} noise of scale "
        f"{noise_scale(result)}, n = {pairs_text(result.n)}) gave a noisy "
        f"statistic of {plain(result.statistic)}, p = {p_value(result.log_pvalue)} "
        f"({sides(result)}; {_method(result)}; dpwilcoxon {result.version})."
    )


def _noise_argument(result: PrivateTestResult) -> str:
    """A line for the kind of noise, where it is not the default."""
    kind = result.design.noise
    return "" if kind is Noise.LAPLACE else f'    noise="{kind}",\n'


def _method(result: PrivateTestResult) -> str:
    if result.method is Method.EXACT:
        return "exact null distribution"
    law = "Laplace" if result.design.noise is Noise.LAPLACE else "canonical"
    simulated = "simulated " if result.method is Method.MONTE_CARLO else ""
    return f"{simulated}normal-{law} approximation"
