#!/usr/bin/env python3
"""Adds random tables, rows and queue entries to a canonical store: `random_catalogue.py STORE SEED`.

Names, types, numbers of columns and rows, keys and values all come from the seed, so that exports
are tried on catalogues that nobody thought of.
"""

from __future__ import annotations

import json
import random
import sqlite3
import struct
import sys
import uuid

sys.dont_write_bytecode = True

from awkward_store import (  # noqa: E402
    BLOBS, DECIMALS, INTEGERS, NAMES, REALS, TEXTS, TIMES, TYPES, add_table,
)

LETTERS = "abcXYZ09 _-.,;:'\"\\/<>&\n\r\t\0\x07\x85é€𝄞\u2028\ufeff\uffff"


def text(chance: random.Random, longest: int = 40) -> str:
    """Random text; surrogates are no characters and never occur."""
    if chance.random() < 0.2:
        return chance.choice(TEXTS)
    length = chance.choice((0, 1, 7, 8, 15, 16, 31, 33, chance.randrange(longest)))
    if chance.random() < 0.3:
        points = (chance.randrange(0x110000) for _ in range(length))
        return "".join(chr(point) for point in points if not 0xD800 <= point < 0xE000)
    return "".join(chance.choice(LETTERS) for _ in range(length))


def real(chance: random.Random) -> float:
    """Any double but NaN, which SQLite cannot hold."""
    if chance.random() < 0.3:
        return chance.choice(REALS)
    value = struct.unpack("<d", chance.randbytes(8))[0]
    return value if value == value else 0.5


def timestamp(chance: random.Random) -> str:
    """A time in the store's own spelling."""
    if chance.random() < 0.2:
        return chance.choice(TIMES)
    digits = chance.choice((3, 9))
    fraction = chance.randrange(10 ** digits)
    year, month, day = chance.randrange(1, 10000), chance.randrange(1, 13), chance.randrange(1, 29)
    hour, minute, second = chance.randrange(24), chance.randrange(60), chance.randrange(60)
    return (
        f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:0{digits}}Z")


def value(kind: str, chance: random.Random) -> object:
    """A random value of a type, or NULL."""
    if chance.random() < 0.15:
        return None
    if kind in ("integer", "reference"):
        return chance.choice((chance.choice(INTEGERS), chance.getrandbits(64) - 2**63))
    makers = {
        "text": lambda: text(chance),
        "uri": lambda: text(chance),
        "json": lambda: json.dumps({text(chance): text(chance)}, ensure_ascii=False),
        "real": lambda: real(chance),
        "boolean": lambda: chance.randrange(2),
        "timestamp": lambda: timestamp(chance),
        "decimal": lambda: chance.choice(DECIMALS + (str(chance.getrandbits(80)),)),
        "uuid": lambda: str(uuid.UUID(int=chance.getrandbits(128))).upper(),
        "binary": lambda: chance.choice((chance.choice(BLOBS), chance.randbytes(
            chance.randrange(80)))),
    }
    return makers[kind]()


def names(chance: random.Random, count: int, taken: set[str]) -> list[str]:
    """Names that differ by more than case, as SQLite wants them, and are free."""
    found: list[str] = []
    while len(found) < count:
        name = chance.choice((chance.choice(NAMES), text(chance), f"c{chance.randrange(10**6)}"))
        # SQLite ends a name at its first NUL and compares ASCII without case.
        key = name.replace("\0", "").lower()
        reserved = key.startswith(("sqlite_", "rehome_")) or key in ("", "_pk")
        if not reserved and key not in taken:
            taken.add(key)
            found.append(name.replace("\0", ""))
    return found


def add_random_table(database: sqlite3.Connection, name: str, chance: random.Random) -> None:
    """A table with random columns and rows."""
    count = chance.choice((0, 1, 2, 5, 12, 60))
    columns = [(column, chance.choice(list(TYPES))) for column in names(chance, count, set())]
    keys = sorted({
        chance.choice((chance.randrange(1, 10**4), chance.getrandbits(64) - 2**63))
        for _ in range(chance.choice((0, 1, 3, 40, 1100 if count < 3 else 90)))
    })
    rows = [[key] + [value(kind, chance) for _, kind in columns] for key in keys]
    add_table(database, name, columns, rows)


def add_queue(database: sqlite3.Connection, chance: random.Random) -> None:
    """Operations, errors and tokens with random contents."""
    some = lambda: chance.choice((None, text(chance)))  # noqa: E731
    raw = lambda: chance.choice(  # noqa: E731
        (None, text(chance), chance.randbytes(9), chance.getrandbits(62), real(chance)))
    payload = lambda: chance.choice((None, value("json", chance)))  # noqa: E731
    for sequence in range(2000, 2000 + chance.randrange(30)):
        database.execute(
            "INSERT INTO rehome_operation VALUES (?, 1, ?, ?, ?, ?, ?, ?, NULL, NULL, ?, ?, ?)",
            [sequence, some(), some(), chance.choice((None, "insert", "update", "delete")),
             chance.choice(("pending", "attempted", "failed", "completed")), payload(), some(),
             some(), some(), raw()])
    for _ in range(chance.randrange(30)):
        database.execute(
            "INSERT INTO rehome_error VALUES (NULL, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [some(), some(), chance.choice((None, "insert", "update", "delete")),
             chance.choice((None, 409, 412, 500)), some(), some(), payload(), payload(),
             chance.choice((None, 2000)), some(), some(), raw()])
    for _ in range(chance.randrange(9)):
        database.execute(
            "INSERT INTO rehome_token VALUES (NULL, 1, ?, ?, ?, ?)",
            [some(), some(), chance.choice((None, timestamp(chance))), some()])


def main() -> None:
    """Adds the tables and the queue."""
    chance = random.Random(int(sys.argv[2]))
    database = sqlite3.connect(sys.argv[1])
    taken = {
        name.lower() for (name,) in database.execute("SELECT name FROM sqlite_schema").fetchall()}
    for name in names(chance, chance.randrange(1, 9), taken):
        add_random_table(database, name, chance)
    add_queue(database, chance)
    database.commit()


if __name__ == "__main__":
    main()
