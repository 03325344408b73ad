"""One self-contained HTML page about one release: nothing to load, nothing that runs.

The page holds released numbers and public parameters only. Every text that enters it passes
:func:`_text`, so a title or a file name cannot become markup.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files
from string import Template

from dpwilcoxon.plots.backend import require_matplotlib
from dpwilcoxon.plots.null_curve import NullCurve, null_curve
from dpwilcoxon.plots.null_density import NARROW, WIDE, draw_curve
from dpwilcoxon.plots.numerals import p_value, plain
from dpwilcoxon.plots.render import to_inline_svg
from dpwilcoxon.procedures.registry import get_procedure
from dpwilcoxon.reports import answer, citation, validity
from dpwilcoxon.reports.privacy_statement import privacy_statement, probability_factor
from dpwilcoxon.result import PrivateTestResult

DEFAULT_TITLE = "Before and after: a private comparison"


def require_report_dependencies() -> None:
    """Check that a report can be made, before any noise is drawn for it.

    Raises
    ------
    MissingDependency
        If matplotlib is not installed.
    """
    require_matplotlib()


def render(
    result: PrivateTestResult,
    *,
    title: str | None = None,
    source_description: str | None = None,
) -> str:
    """Return a report of a release as a single HTML page.

    Parameters
    ----------
    result : PrivateTestResult
        What :func:`dpwilcoxon.wilcoxon` returned.
    title : str, optional
        The title of the page.
    source_description : str, optional
        Where the data came from, in words that may be published.

    Returns
    -------
    str
        The page; the same result and words always give the same text.

    Raises
    ------
    MissingDependency
        If matplotlib is not installed.

    Privacy
    -------
    The page is post-processing of the release and may be published with it, provided that
    `title` and `source_description` may.
    """
    low, high = result.interval(0.95)
    curve = null_curve(result)
    return _resource("page.html").substitute(
        style=_resource("page.css").template.strip(),
        title=_text(title or DEFAULT_TITLE),
        source=_source(source_description),
        question=_text(answer.question(result)),
        p_value=_text(p_value(result.log_pvalue)),
        sides=_text(answer.sides(result)),
        statistic=_text(plain(result.statistic)),
        interval=_text(f"{plain(low)} to {plain(high)}"),
        effect_size=_text(answer.signed(result.effect_size)),
        balance=_text(answer.balance(result)),
        answer=_answer(result),
        picture=_picture(curve),
        caption=_prose(_caption(curve)),
        privacy=_privacy(result),
        validity=_validity(result),
        parameters=_parameters(result),
        call=_text(citation.pvalue_call(result)),
        expected_answer=_text(citation.expected_answer(result)),
        citation=_text(citation.citation(result)),
        reference=_text(citation.REFERENCE),
        version=_text(result.version),
    )


def _resource(name: str) -> Template:
    return Template(files(__package__).joinpath(name).read_text(encoding="utf-8"))


def _text(words: str) -> str:
    return escape(words, quote=True)


def _prose(words: str) -> str:
    """Escape words that make up lines, where "p-value" must not break at its hyphen."""
    return _text(words).replace("p-value", '<span class="whole">p-value</span>')


def _paragraphs(texts: Iterable[str], kind: str = "") -> str:
    attribute = f' class="{kind}"' if kind else ""
    return "\n".join(f"<p{attribute}>{_prose(words)}</p>" for words in texts)


def _source(description: str | None) -> str:
    return _paragraphs([f"Data: {description}"], "source") if description else ""


def _answer(result: PrivateTestResult) -> str:
    lead = f"{answer.surprise(result)} {answer.significance(result)}"
    rest = [answer.noise_interval(result), answer.effect(result)]
    return _paragraphs([lead], "answer") + "\n" + _paragraphs(rest)


def _picture(curve: NullCurve) -> str:
    """Draw the picture for wide windows and print, and once more for narrow windows."""
    return "\n".join(
        to_inline_svg(
            draw_curve(curve, size),
            name=name,
            title="The released statistic among those expected if nothing changed",
            description=_caption(curve),
        )
        for name, size in (("wide", WIDE), ("narrow", NARROW))
    )


def _caption(curve: NullCurve) -> str:
    low, high = curve.interval
    place = ", marked by the diamond" if curve.is_statistic_in_view else ", outside the picture"
    region = f"The hatched area is the p-value, {p_value(curve.log_pvalue)}"
    return (
        "The curve shows which released statistics to expect if nothing changed, privacy noise "
        f"included. The released one is {plain(curve.statistic)}{place}; its 95% noise interval is "
        f"{plain(low)} to {plain(high)}. {region}"
        + (": too little to be seen." if curve.is_region_faint else ".")
    )


def _privacy(result: PrivateTestResult) -> str:
    return "\n".join(
        f"<div><dt>{_text(heading)}</dt><dd>{_prose(words)}</dd></div>"
        for heading, words in privacy_statement(result)
    )


def _validity(result: PrivateTestResult) -> str:
    supports = _paragraphs(validity.validity(result))
    cautions = _paragraphs((f"Caution: {words}" for words in validity.cautions(result)), "caution")
    return "\n".join(part for part in (cautions, supports) if part)


def _parameters(result: PrivateTestResult) -> str:
    summary = get_procedure(result.procedure).summary
    rows = {
        "Procedure": f"{result.procedure}: {summary}",
        "Number of pairs, n": f"{result.n:,}",
        "Privacy parameter, ε": f"{result.design.epsilon} exactly",
        "Largest change of any probability": f"{probability_factor(result)}-fold",
        "Neighbouring data": "one row replaced by another",
        "Noise": f"{citation.NOISE[result.design.noise]}, scale {citation.noise_scale(result)}",
        "Alternative": str(result.alternative),
        "Method for the p-value": str(result.method),
        "Largest possible statistic": plain(result.largest / result.lattice),
        "Software": f"dpwilcoxon {result.version}",
    }
    if result.cap is not None:
        rows["Ranks capped at"] = f"{result.cap:,}"
    if result.receipt is not None:
        rows["Privacy budget"] = str(result.receipt)
        rows["Recorded as"] = f"entry {result.receipt.entry}, {result.receipt.hash}"
    return "\n".join(
        f'<tr><th scope="row">{_text(name)}</th><td>{_text(value)}</td></tr>'
        for name, value in rows.items()
    )
