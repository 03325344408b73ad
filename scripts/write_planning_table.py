"""Write the table of required pairs into docs/planning.md.

python scripts/write_planning_table.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import dpwilcoxon as dpw

PAGE = Path(__file__).parents[1] / "docs" / "planning.md"
BEGIN = "<!-- what follows is written by scripts/write_planning_table.py -->"
END = "<!-- end -->"
EPSILONS = ("0.01", "0.1", "0.5", "1", "2")
EFFECTS = (0.2, 0.5, 1.0, 2.0)
PRIVATE = ("pratt", "capped", "sign")
SEED = 1


def main() -> None:
    """Measure every entry, and put the table where the last one was."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    table = "\n".join(lines())
    PAGE.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}", encoding="utf-8")


def lines() -> Iterator[str]:
    """The lines of the table: one for each effect and test."""
    yield "| effect | test |" + "".join(f" ε = {epsilon} |" for epsilon in EPSILONS)
    yield "| ---: | --- |" + " ---: |" * len(EPSILONS)
    for effect in EFFECTS:
        for name in PRIVATE:
            numbers = dpw.sample_size(list(EPSILONS), effect, procedure=name, rng=SEED).n
            cells = "".join(f" {int(number):,} |" for number in numbers)
            yield f"| {effect:g} | `{name}` |{cells}"
        public = dpw.sample_size(1, effect, procedure="public", rng=SEED).n
        yield f"| {effect:g} | `public` |" + f" {public:,} |" * len(EPSILONS)


if __name__ == "__main__":
    main()
