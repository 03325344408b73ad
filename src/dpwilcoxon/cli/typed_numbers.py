"""Numbers as they are typed: one, several with commas, or a range."""

from __future__ import annotations

from collections.abc import Sequence

from dpwilcoxon.errors import InvalidArgument

POINTS_OF_RANGE = 21
MOST_POINTS = 1000


def whole_numbers(texts: Sequence[str], name: str) -> list[int]:
    """Read 50, 20,50,100, 20:400 (some twenty numbers) or 20:400:20 (every twentieth)."""
    found = {number for text in texts for part in text.split(",") for number in _range(part, name)}
    return sorted(found)


def real_numbers(texts: Sequence[str], name: str) -> list[float]:
    """Read 0.5, 0.2,0.5,1, 0:1 (some twenty numbers) or 0:1:0.25."""
    found = [number for text in texts for part in text.split(",") for number in _steps(part, name)]
    return sorted(dict.fromkeys(found))


def _range(text: str, name: str) -> list[int]:
    numbers = [_whole(part, name) for part in text.split(":")]
    if len(numbers) == 1:
        return numbers
    low, high = _ends(text, name, numbers)
    if len(numbers) == 3:  # noqa: PLR2004 - with a step
        _check_points((high - low) / numbers[2] if numbers[2] > 0 else -1, text, name)
        return list(range(int(low), int(high) + 1, numbers[2]))
    between = min(POINTS_OF_RANGE - 1, int(high - low))
    return [round(low + (high - low) * i / between) for i in range(between + 1)]


def _steps(text: str, name: str) -> list[float]:
    numbers = [_real(part, name) for part in text.split(":")]
    if len(numbers) == 1:
        return numbers
    low, high = _ends(text, name, numbers)
    step = numbers[2] if len(numbers) == 3 else (high - low) / (POINTS_OF_RANGE - 1)  # noqa: PLR2004
    count = (high - low) / step if step > 0 else -1
    _check_points(count, text, name)
    return [round(low + step * i, 12) for i in range(int(count + 1e-9) + 1)]


def _ends(text: str, name: str, numbers: Sequence[float]) -> tuple[float, float]:
    if len(numbers) > 3 or not numbers[0] < numbers[1]:  # noqa: PLR2004 - low, high and step
        raise InvalidArgument(
            f"`{name}` must be a number or a range LOW:HIGH or LOW:HIGH:STEP with LOW below HIGH; "
            f"got {text!r}."
        )
    return numbers[0], numbers[1]


def _check_points(count: float, text: str, name: str) -> None:
    if not 0 <= count < MOST_POINTS:
        raise InvalidArgument(
            f"`{name}` must be a range of at most {MOST_POINTS} numbers with a positive step; got "
            f"{text!r}."
        )


def _whole(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidArgument(
            f"`{name}` must be a whole number or a range such as 20:400; got {text!r}."
        ) from None


def _real(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidArgument(
            f"`{name}` must be a number or a range such as 0:1; got {text!r}."
        ) from None
