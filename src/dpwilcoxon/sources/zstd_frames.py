"""Whether a zstd file is complete, told from its frames without decompressing them.

DuckDB reads a zstd file that was cut short as if it ended there, and rows would be lost without a
word. The layout is that of RFC 8878, section 3.
"""

from __future__ import annotations

from typing import BinaryIO

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
SKIPPABLE_MAGICS = {bytes([0x50 + each, 0x2A, 0x4D, 0x18]) for each in range(16)}
RUN_LENGTH_BLOCK = 1
DICTIONARY_ID_BYTES = (0, 1, 2, 4)
CONTENT_SIZE_BYTES = (0, 2, 4, 8)


def is_complete(file: BinaryIO) -> bool:
    """Whether the file is a row of whole frames."""
    size = file.seek(0, 2)
    position = file.seek(0)
    try:
        while position < size:
            position = _after_frame(file, position)
    except IndexError:  # a header is cut
        return False
    return position == size


def _after_frame(file: BinaryIO, position: int) -> int:
    file.seek(position)
    magic = file.read(4)
    if magic in SKIPPABLE_MAGICS:
        return position + 8 + int.from_bytes(file.read(4), "little")
    if magic != ZSTD_MAGIC:
        raise IndexError
    descriptor = file.read(1)[0]
    has_checksum, is_single = descriptor & 4, descriptor & 32
    size_bytes = CONTENT_SIZE_BYTES[descriptor >> 6] or (1 if is_single else 0)
    window_bytes = 0 if is_single else 1
    position += 5 + window_bytes + DICTIONARY_ID_BYTES[descriptor & 3] + size_bytes
    is_last = False
    while not is_last:
        file.seek(position)
        header = file.read(3)
        is_last, kind = bool(header[0] & 1), header[0] >> 1 & 3
        length = int.from_bytes((header[0], header[1], header[2]), "little") >> 3
        position += 3 + (1 if kind == RUN_LENGTH_BLOCK else length)
    return position + (4 if has_checksum else 0)
