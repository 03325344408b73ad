"""Studies in words: a block of lines for one answer, an aligned table for several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from dpwilcoxon.parameters import Noise, pairs_text
from dpwilcoxon.studies.answers import Answer
from dpwilcoxon.studies.rejection import Estimate

Record: TypeAlias = Mapping[str, Any]

LABELS = {
    "n": "pairs",
    "epsilon": "epsilon",
    "effect": "effect",
    "procedure": "procedure",
    "noise": "noise",
}
TEXTS = ("procedure", "noise")
FINEST_ERROR = 0.0005  # smaller ones do not show in three decimals
TITLES = {
    "n": "Pairs needed",
    "epsilon": "Smallest epsilon",
    "effect": "Smallest effect",
}


def power_block(fields: Record, estimate: Estimate) -> str:
    """One estimated power, in lines."""
    low, high = estimate.interval()
    name = "Type I error" if fields["effect"] == 0 else "Power"
    lines = {
        "test": f"{fields['procedure']}, {_level(fields)}",
        "design": f"{pairs_text(fields['n'])}, epsilon {fields['epsilon']:g}",
        "population": _population(fields),
        "simulated": f"{estimate.replicates:,} samples, the privacy noise integrated out",
    }
    return _block(f"{name}: {estimate.probability:.4f} (95%: {low:.4f} to {high:.4f})", lines)


def solution_block(fields: Record, answer: Answer, sought: str) -> str:
    """One number that is enough, or why there is none, in lines."""
    known = {
        "n": pairs_text(fields["n"]) if fields["n"] is not None else "",
        "epsilon": f"epsilon {fields['epsilon']:g}",
    }
    asked = [text for name, text in known.items() if name != sought]
    lines = {
        "why": answer.reason,
        "power": _power_reached(answer, sought),
        "test": f"{fields['procedure']}, {_level(fields)}" + "".join(f", {each}" for each in asked),
        "population": _population(fields, with_effect=sought != "effect"),
        "first guess": "" if answer.guess is None else f"{answer.guess:,}, by asymptotic formula",
    }
    return _block(f"{TITLES[sought]}: {_answer(answer, sought)}", lines)


def power_table(records: Sequence[Record]) -> str:
    """A table of powers under a line that says what they have in common."""
    columns = {
        **_varying(records),
        "power": [f"{each['power']:.4f}" for each in records],
        "95% interval": [f"{each['low']:.4f} to {each['high']:.4f}" for each in records],
    }
    return f"{_common(records)}\n\n{_table(columns)}"


def solution_table(records: Sequence[Record], sought: str) -> str:
    """A table of numbers that are just enough."""
    columns = {
        **_varying(records, sought),
        TITLES[sought].lower(): [_number(sought, each[sought]) for each in records],
        "95% interval": [_interval(sought, each["low"], each["high"]) for each in records],
        "power": ["" if each["power"] is None else f"{each['power']:.3f}" for each in records],
    }
    reasons = dict.fromkeys(each["reason"] for each in records if each["reason"])
    notes = "".join(f"\nnone: {reason}" for reason in reasons)
    return f"{_common(records, sought)}\n\n{_table(columns)}{notes}"


def _answer(answer: Answer, sought: str) -> str:
    if answer.value is None:
        return "none"
    interval = _interval(sought, answer.low, answer.high)
    return f"{_number(sought, answer.value)} (95%: {interval})"


def _power_reached(answer: Answer, sought: str) -> str:
    if answer.power is None:
        return ""
    reached, error = answer.power.text, answer.power.standard_error
    if error > FINEST_ERROR:
        reached += f" (standard error {error:.2g})"
    if answer.value is None:
        return f"{reached} at most, {answer.wanted:g} wanted"
    unit = " pairs" if sought == "n" else ""
    prefix = "" if sought == "n" else f"{LABELS[sought]} "
    return f"{reached} at {prefix}{_number(sought, answer.value)}{unit}, {answer.wanted:g} wanted"


def _interval(sought: str, low: Any, high: Any) -> str:  # noqa: ANN401 - a number or nothing
    if low is None or high is None:
        end, word = (high, "less") if low is None else (low, "more")
        return "" if end is None else f"{_number(sought, end)} or {word}"
    return f"{_number(sought, low)} to {_number(sought, high)}"


def _number(name: str, value: Any) -> str:  # noqa: ANN401 - a number or nothing
    if value is None:
        return "none"
    return f"{value:,}" if name == "n" else f"{value:g}"


def _level(fields: Record, *, with_noise: bool = True) -> str:
    """Direction and level, and the noise if it is not the usual one."""
    noise = Noise.parse(fields["noise"]).remark if with_noise else ""
    return f"{fields['alternative']}, level {fields['alpha']:g}{noise}"


def _population(fields: Record, *, with_effect: bool = True) -> str:
    text = f"differences {fields['differences']}"
    if with_effect:
        text += f", effect {fields['effect']:g}"
    if fields["zero_fraction"]:
        text += f", {100 * fields['zero_fraction']:g}% zeros ({fields['zeros']})"
    return text


def _common(records: Sequence[Record], sought: str = "") -> str:
    """What all rows have in common."""
    first, told = records[0], {*_varying(records), LABELS.get(sought)}
    words = [f"power {first['wanted_power']:g}"] if sought else []
    words.append(_level(first, with_noise="noise" not in told))
    words.append(_population(first, with_effect="effect" not in told))
    if "procedure" not in told:
        words.append(first["procedure"])
    words += [
        f"{LABELS[name]} {_number(name, first[name])}"
        for name in ("n", "epsilon")
        if LABELS[name] not in told
    ]
    text = ", ".join(words)
    return text[0].upper() + text[1:]


def _varying(records: Sequence[Record], sought: str = "") -> dict[str, list[str]]:
    """The columns that tell rows apart."""
    return {
        label: [each[name] if name in TEXTS else _number(name, each[name]) for each in records]
        for name, label in LABELS.items()
        if name != sought and len({each[name] for each in records}) > 1
    }


def _table(columns: Mapping[str, Sequence[str]]) -> str:
    """Columns under their names: text to the left, numbers to the right."""
    lines = [list(columns), *zip(*columns.values(), strict=True)]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    left = {LABELS[name] for name in TEXTS}
    return "\n".join(
        "  ".join(
            cell.ljust(width) if name in left else cell.rjust(width)
            for name, cell, width in zip(columns, line, widths, strict=True)
        ).rstrip()
        for line in lines
    )


def _block(title: str, lines: Mapping[str, str]) -> str:
    return "\n".join([title, *(f"  {name:<12}{text}" for name, text in lines.items() if text)])
