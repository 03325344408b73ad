"""Write the verdicts of a run into docs/reproduction.md.

dpwilcoxon paper run --all --out DIR
python scripts/write_reproduction.py DIR
"""

from __future__ import annotations

import sys
from pathlib import Path

from dpwilcoxon.paper.catalogue import ITEMS
from dpwilcoxon.paper.manifest import Manifest
from dpwilcoxon.paper.reproduction import with_verdicts

PAGE = Path(__file__).parents[1] / "docs" / "reproduction.md"


def main(folder: Path) -> None:
    """Take the numbers from the folder of a run; everything else on the page stays."""
    found = [Manifest.read(folder, name) for name in ITEMS]
    manifests = [each for each in found if each is not None]
    PAGE.write_text(with_verdicts(PAGE.read_text(encoding="utf-8"), manifests), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
