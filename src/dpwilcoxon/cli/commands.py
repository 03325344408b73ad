"""Commands that take each option once."""

from __future__ import annotations

from collections import Counter
from typing import Any

from typer.core import TyperCommand, TyperOption


class Command(TyperCommand):
    """A command that refuses an option given twice, of which it could heed the last one only."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's own
        """Read what was typed."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for option, times in Counter(given).items():
            is_single = isinstance(option, TyperOption) and not (option.multiple or option.is_flag)
            if is_single and times > 1 and not ctx.resilient_parsing:
                ctx.fail(f"{max(option.opts, key=len)} is given {times} times; give it once.")
        return super().parse_args(ctx, args)
