"""Run the command line as ``python -m dpwilcoxon``."""

import sys

from dpwilcoxon.cli import main

sys.exit(main())
