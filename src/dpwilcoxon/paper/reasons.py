"""Why printed and measured numbers stand as they do, in words, by the keys of comparisons."""

from __future__ import annotations

REASONS: dict[str, str] = {}


def reason_for(key: str) -> str:
    """The words for a comparison: those of the longest key that begins it."""
    fitting = [each for each in REASONS if key == each or key.startswith(f"{each}/")]
    return REASONS[max(fitting, key=len)] if fitting else ""
