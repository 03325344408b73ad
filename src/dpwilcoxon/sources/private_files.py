"""A folder for temporary files that nobody else can read, and that does not outlive its use."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from dpwilcoxon.errors import SourceError

PREFIX = "dpwilcoxon-"


@contextmanager
def private_folder() -> Iterator[str]:
    """Make a folder that only its owner may enter, and remove it with all that is in it.

    It is removed after errors and interruptions too. What cannot be caught (a power cut, SIGKILL)
    leaves it behind; its name begins with `PREFIX`, in the folder that TMPDIR names.
    """
    try:
        made = tempfile.TemporaryDirectory(prefix=PREFIX)  # mode 0700, whatever the umask
    except OSError as error:
        raise SourceError(
            f"No temporary folder can be made: {error.strerror}. Set TMPDIR to a folder with room."
        ) from None
    with made as path:
        yield path
