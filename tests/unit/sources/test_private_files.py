"""Temporary files: nobody else's to read, and gone afterwards."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.private_files import private_folder


@pytest.mark.parametrize("ending", [None, ValueError, KeyboardInterrupt])
def test_a_folder_is_private_and_gone_however_it_ends(tmp_path, monkeypatch, ending):
    """Mode 0700 under any umask; errors and interruptions remove it too, with what is in it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = os.umask(0)
    try:
        with private_folder() as name:
            (Path(name) / "spilled").write_text("secret")
            assert stat.S_IMODE(Path(name).stat().st_mode) == 0o700
            assert [each.name for each in tmp_path.iterdir()] == [Path(name).name]
            if ending is not None:
                raise ending
    except (ValueError, KeyboardInterrupt) as error:
        assert type(error) is ending  # noqa: PT017 - both kinds, and none at all, are expected
    finally:
        os.umask(before)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_to_is_named(tmp_path, monkeypatch):
    """With what to do about it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(SourceError, match="Set TMPDIR"), private_folder():
        pytest.fail("there is no such folder")
