"""Takes a store away in the middle of a change: what is undone is in the rollback journal.

The journal's random numbers are replaced by a fixed one and its checksums computed again, so that
making a store twice gives the same bytes.
"""

from __future__ import annotations

import sqlite3
import struct
from pathlib import Path

from maker.wal import fixed_version

MAGIC = bytes.fromhex("d9d505f920a163d7")
FIXED_NONCE = 0x20150801
HEADER = struct.Struct(">IIIII")
CHECKSUM_STEP = 200


def take_away_hot(database: sqlite3.Connection, source: Path, destination: Path) -> None:
    """Copies main file and journal of a store with an open, half-written transaction."""
    journal = source.with_name(source.name + "-journal").read_bytes()
    destination.write_bytes(fixed_version(source.read_bytes()))
    destination.with_name(destination.name + "-journal").write_bytes(fixed_journal(journal))
    database.execute("ROLLBACK")


def fixed_journal(journal: bytes) -> bytes:
    """The journal with fixed numbers in its headers, cut behind its last valid record."""
    result = bytearray()
    at = 0
    while journal[at : at + len(MAGIC)] == MAGIC:
        count, nonce, pages, sector, page_size = HEADER.unpack_from(journal, at + len(MAGIC))
        if count == 0:
            break
        result += MAGIC + HEADER.pack(count, FIXED_NONCE, pages, sector, page_size)
        result += bytes(sector - len(MAGIC) - HEADER.size)
        record_at = at + sector
        for _ in range(count):
            result += fixed_record(journal, record_at, page_size, nonce)
            record_at += 4 + page_size + 4
        at = -(-record_at // sector) * sector
        result += bytes(at - len(result))
    return bytes(result)


def fixed_record(journal: bytes, at: int, page_size: int, nonce: int) -> bytes:
    """One page with its number and a new checksum."""
    number, page = journal[at : at + 4], journal[at + 4 : at + 4 + page_size]
    (stored,) = struct.unpack_from(">I", journal, at + 4 + page_size)
    if stored != checksum(page, nonce):
        raise ValueError("the journal is not as its format says")
    if number == b"\0\0\0\x01":
        page = fixed_version(page)
    return number + page + struct.pack(">I", checksum(page, FIXED_NONCE))


def checksum(page: bytes, nonce: int) -> int:
    """The sum of every 200th byte from the end, on top of a number."""
    places = range(len(page) - CHECKSUM_STEP, 0, -CHECKSUM_STEP)
    return (nonce + sum(page[at] for at in places)) & 0xFFFFFFFF
