"""What a session of Spark is asked for, and what becomes of it when Java does not answer."""

from __future__ import annotations

import pytest

from dpwilcoxon.errors import SourceError
from dpwilcoxon.sources.engines.spark import ClusterSession


class Java:
    """Stands for whatever of a session is used, and fails at some of it."""

    def __init__(self, failing=()):
        self.asked, self.failing = [], failing

    def __getattr__(self, name):
        return self if name in ("catalog", "conf") else lambda *_: self.ask(name)

    def ask(self, name):
        """Note what was asked for."""
        self.asked.append(name)
        if name in self.failing:
            raise ConnectionError("987654.321")
        return "false"


def test_rows_are_forgotten_even_if_views_are_not():
    """A view that cannot be dropped keeps nobody's rows in the memory of the cluster."""
    session = Java(failing=["dropTempView"])
    engine = ClusterSession(session, "table 'study'")
    engine._kept.update(first=session, second=session)
    engine.close()
    assert session.asked == ["dropTempView", "unpersist"] * 2


@pytest.mark.parametrize("failing", ["get", "set"])
def test_a_lost_session_is_told_in_our_words(failing):
    """Also while settings are changed, before anything is asked."""
    session = Java(failing=[failing])
    with pytest.raises(SourceError, match="The connection to the database of table 'study' is"):
        ClusterSession(session, "table 'study'").rows("SELECT 1")
    assert session.asked[0] == "get"
    assert "sql" not in session.asked
