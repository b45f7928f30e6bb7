"""Takes a store away while its newest rows are still in the write-ahead log.

SQLite salts each log with random numbers; here they are replaced by fixed ones, and the checksums
computed again, so that making a sample twice gives the same bytes.
"""

from __future__ import annotations

import struct
from pathlib import Path

HEADER_SIZE = 32
FRAME_HEADER_SIZE = 24
BIG_ENDIAN_MAGIC = 0x377F0683
FIXED_SALT = struct.pack(">II", 0x20150801, 0x07124550)
VERSION_NUMBER_OFFSET = 96
FIXED_VERSION_NUMBER = struct.pack(">I", 3_008_008)


def take_away(source: Path, destination: Path) -> None:
    """Copies an open store's main file and log, without the shared memory file."""
    destination.write_bytes(fixed_version(source.read_bytes()))
    log = source.with_name(source.name + "-wal").read_bytes()
    destination.with_name(destination.name + "-wal").write_bytes(fixed_log(log))


def fixed_version(main: bytes) -> bytes:
    """The file with a fixed number in place of the version of the SQLite library that wrote it."""
    end = VERSION_NUMBER_OFFSET + len(FIXED_VERSION_NUMBER)
    return main[:VERSION_NUMBER_OFFSET] + FIXED_VERSION_NUMBER + main[end:]


def fixed_log(log: bytes) -> bytes:
    """The log with fixed salts and fresh checksums."""
    magic, _, page_size = struct.unpack_from(">III", log)
    order = ">" if magic == BIG_ENDIAN_MAGIC else "<"
    header = log[:16] + FIXED_SALT
    sums = checksum(order, header, (0, 0))
    parts = [header, struct.pack(">II", *sums)]
    old_salt = log[16:24]
    for start in range(HEADER_SIZE, len(log), FRAME_HEADER_SIZE + page_size):
        frame = log[start : start + 8]
        if log[start + 8 : start + 16] != old_salt:
            break
        page = log[start + FRAME_HEADER_SIZE : start + FRAME_HEADER_SIZE + page_size]
        if frame[:4] == b"\0\0\0\x01":
            page = fixed_version(page)
        sums = checksum(order, page, checksum(order, frame, sums))
        parts += [frame, FIXED_SALT, struct.pack(">II", *sums), page]
    return b"".join(parts)


def checksum(order: str, data: bytes, sums: tuple[int, int]) -> tuple[int, int]:
    """The running checksum of the write-ahead log format."""
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for at in range(0, len(words), 2):
        first = (first + words[at] + second) & 0xFFFFFFFF
        second = (second + words[at + 1] + first) & 0xFFFFFFFF
    return first, second
