"""Cutting rows, and doing work on two threads."""

import threading

import pytest

from dpwilcoxon.statistics.chunks import CHUNK_ROWS, chunks, in_threads, shares


@pytest.mark.parametrize("n", [0, 1, CHUNK_ROWS - 1, CHUNK_ROWS, CHUNK_ROWS + 1, 3 * CHUNK_ROWS])
def test_every_row_is_in_one_piece(n):
    """Chunks and shares cover the rows once, in order, and chunks are not too large."""
    rows = range(n)
    for pieces in (chunks(n), shares(n, 1), shares(n, 2), shares(n, 5)):
        assert [row for piece in pieces for row in rows[piece]] == list(rows)
    assert all(piece.stop - piece.start <= CHUNK_ROWS for piece in chunks(n))


def test_results_keep_the_order_of_the_items():
    """It does not matter which thread finishes first."""
    first_may_finish = threading.Event()

    def work(item):
        if item == 0:
            first_may_finish.wait(timeout=10)
        else:
            first_may_finish.set()
        return item

    assert in_threads(work, range(2), threads=2) == [0, 1]
    assert in_threads(work, range(5), threads=1) == list(range(5))
