#!/usr/bin/env python3
"""Makes canonical stores as several devices of one app would give them, at random from a seed.

They share items, in older, newer and equal copies; they have references, pairs, twins, rows
without an id, dangling numbers, odd keys, a queue, and columns that differ from device to device.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
from pathlib import Path

sys.dont_write_bytecode = True

BOOKKEEPING = """
PRAGMA application_id = 1380470065;
PRAGMA user_version = 1;
CREATE TABLE rehome_meta (key TEXT NOT NULL PRIMARY KEY, value TEXT) STRICT;
INSERT INTO rehome_meta VALUES ('format', '1');
CREATE TABLE rehome_source (id INTEGER PRIMARY KEY, name TEXT NOT NULL, layout TEXT NOT NULL,
  generation TEXT, evidence TEXT NOT NULL, metadata TEXT NOT NULL, nameOrigin TEXT NOT NULL,
  readAt TEXT NOT NULL, toolVersion TEXT NOT NULL) STRICT;
INSERT INTO rehome_source VALUES (1, 'a', 'core-data', NULL, '[]', '{}', 'schema',
  '2026-01-01T00:00:00.000Z', '0');
CREATE TABLE rehome_table (name TEXT NOT NULL PRIMARY KEY, position INTEGER NOT NULL,
  sourceName TEXT NOT NULL, sourceTable TEXT NOT NULL, "read" INTEGER NOT NULL DEFAULT 0,
  written INTEGER NOT NULL DEFAULT 0, rejected INTEGER NOT NULL DEFAULT 0,
  filtered INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE rehome_column ("table" TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL,
  sourceName TEXT NOT NULL, sourceColumn TEXT NOT NULL, type TEXT NOT NULL, role TEXT NOT NULL,
  nullable INTEGER NOT NULL, target TEXT, PRIMARY KEY ("table", position)) STRICT;
CREATE TABLE rehome_operation (sequence INTEGER PRIMARY KEY, source INTEGER NOT NULL,
  "table" TEXT, itemId TEXT, kind TEXT, state TEXT NOT NULL, item TEXT, baseVersion TEXT,
  rowKey INTEGER, rowTable TEXT, originalId TEXT, originalCode TEXT, raw ANY) STRICT;
CREATE TABLE rehome_error (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, "table" TEXT,
  itemId TEXT, kind TEXT, status INTEGER, code TEXT, message TEXT, item TEXT, serverItem TEXT,
  operation INTEGER, originalId TEXT, originalOperationId TEXT, raw ANY) STRICT;
CREATE TABLE rehome_token (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, "table" TEXT,
  query TEXT, updatedAt TEXT, raw TEXT) STRICT;
CREATE TABLE rehome_finding (id INTEGER PRIMARY KEY, source INTEGER NOT NULL,
  code TEXT NOT NULL, severity TEXT NOT NULL, "table" TEXT, itemId TEXT, operation INTEGER,
  message TEXT NOT NULL) STRICT;
CREATE TABLE rehome_reject (id INTEGER PRIMARY KEY, source INTEGER NOT NULL,
  "table" TEXT NOT NULL, "row" INTEGER NOT NULL, "column" TEXT NOT NULL, code TEXT NOT NULL,
  storage TEXT NOT NULL, raw ANY) STRICT;
"""
STORAGE = {"integer": "INTEGER", "boolean": "INTEGER", "reference": "INTEGER", "real": "REAL",
           "binary": "BLOB"}
TIMES = [None, "2016-10-01T09:15:30.000Z", "2016-10-01T09:15:30.100Z",
         "2016-10-01T09:15:30.100200300Z", "2017-01-01T00:00:00.000Z"]
VERSIONS = [None, "AAAAAAAAB9E=", "AAAAAAAAB9Z=", "AAAAAAAAB98=", "a", "b"]


def value(kind: str, chance: random.Random) -> object:
    """A value of a type, in its canonical spelling."""
    if chance.random() < 0.15:
        return None
    if kind == "integer":
        return chance.choice([0, 1, -7, 2 ** 53, 2 ** 53 + 1, -(2 ** 63), 2 ** 63 - 1])
    if kind == "boolean":
        return chance.randrange(2)
    if kind == "real":
        return chance.choice([0.0, 0.5, -1.25, 1e300, float("inf")])
    if kind == "decimal":
        return chance.choice(["0.10", "-3", "12345678901234567890.5"])
    if kind == "binary":
        return bytes([chance.randrange(256)])
    if kind == "json":
        return chance.choice(['"text"', "7", '{"a": [1]}', "null"])
    return chance.choice(["", "text", "é", "7", "true", '{"a": [1]}', "\\ \"\n\x1f"])


class Device:
    """One store, written table by table."""

    def __init__(self, path: Path, chance: random.Random) -> None:
        self.chance = chance
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.executescript("PRAGMA synchronous = OFF; BEGIN;" + BOOKKEEPING)
        self.keys: dict[str, list[int]] = {}
        self.tables: dict[str, list[tuple]] = {}

    def new_keys(self, count: int) -> list[int]:
        kind = self.chance.randrange(4)
        if kind == 0:
            return list(range(1, count + 1))
        if kind == 1:
            return sorted(self.chance.sample(range(-5, 3 * count + 5), count))
        if kind == 2:
            return sorted(self.chance.sample(range(1, 2 ** 63 - 1), count))
        return [2 ** 63 - count + n for n in range(count)]

    def make(self, name: str, columns: list[tuple]) -> None:
        """A table with its columns: name, type, role, target."""
        declared = "".join(f', "{c[0]}" {STORAGE.get(c[1], "TEXT")}' for c in columns)
        self.database.execute(f'CREATE TABLE "{name}" (_pk INTEGER PRIMARY KEY{declared}) STRICT')
        self.database.execute("INSERT INTO rehome_table VALUES (?, ?, ?, ?, 0, 0, 0, 0)",
                              (name, len(self.tables), name, name))
        for place, (column, kind, role, target) in enumerate(columns):
            self.database.execute(
                "INSERT INTO rehome_column VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?)",
                (name, place, column, column, column, kind, role, target))
        self.tables[name] = columns

    def add(self, name: str, key: int, values: list[object]) -> None:
        marks = ", ?" * len(values)
        self.database.execute(f'INSERT INTO "{name}" VALUES (?{marks})', [key, *values])

    def reference(self, table: str) -> object:
        """A key of a row, NULL, or the number of a row that there is not."""
        pick = self.chance.random()
        if pick < 0.15 or not self.keys.get(table):
            return None
        if pick < 0.25:
            return self.chance.choice([0, -3, 4, 10 ** 6, 2 ** 62])
        return self.chance.choice(self.keys[table])

    def finish(self) -> None:
        self.database.execute("COMMIT")
        self.database.close()


def fill(device: Device, number: int) -> None:
    """Gives a device its tables, rows and queue."""
    chance = device.chance
    spelling = chance.choice(["Item", "Item", "ITEM"])
    lists = [("id", "text", "id", None), ("name", "text", "value", None)]
    if chance.random() < 0.7:
        lists.append(("updatedAt", "timestamp", "updatedAt", None))
    items = [
        ("id", chance.choice(["text", "text", "integer"]), "id", None),
        ("size", chance.choice(["integer", "boolean", "real", "decimal", "text", "json", "binary"]),
         "value", None),
        ("version", "text", "version", None),
        ("updatedAt", "timestamp", "updatedAt", None),
        ("list", "reference", "reference", "List"),
        ("owner", "reference", "reference", None),
        ("owner_entity", "text", "referenceEntity", None),
        ("list_position", "integer", "position", None),
    ]
    if chance.random() < 0.3:
        items[4:5] = [("list", "reference", "reference", "Tag")]
    if chance.random() < 0.3:
        items.pop(1)
    if chance.random() < 0.4:
        items.append((chance.choice(["extra", "_source", "Extra"]), "text", "value", None))
    if chance.random() < 0.5:
        chance.shuffle(items)
    tables = {"List": lists, spelling: items, "Tag": [("label", "text", "value", None)]}
    if chance.random() < 0.2:
        tables.pop("List")
    for name in tables:
        device.keys[name] = device.new_keys(chance.randrange(1, 14))
    for name, columns in tables.items():
        device.make(name, columns)
        for key in device.keys[name]:
            device.add(name, key, row(device, columns, tables))
    device.make(f"{spelling}_tags", [("owner", "reference", "reference", spelling),
                                     ("target", "reference", "reference", "Tag"),
                                     ("position", "integer", "position", None)])
    pairs = {(device.reference(spelling), device.reference("Tag")) for _ in range(8)}
    for key, pair in enumerate(sorted(pairs, key=repr), 1):
        device.add(f"{spelling}_tags", key, [*pair, key])
    queue(device, spelling, number)


def row(device: Device, columns: list[tuple], tables: dict) -> list[object]:
    """The values of a row."""
    chance = device.chance
    values: dict[str, object] = {}
    entity = chance.choice(list(tables))
    for column, kind, role, target in columns:
        if role == "id":
            number = chance.randrange(16)
            same = "7" if chance.random() < 0.5 else chance.choice(["", "a", "A", "b", "ü"])
            values[column] = number if kind == "integer" else chance.choice(
                [None, same, f"item-{number}", str(number)])
        elif column == "owner":
            values[column] = device.reference(entity)
        elif role == "referenceEntity":
            values[column] = entity
        elif kind == "reference":
            values[column] = device.reference(target)
        elif role == "updatedAt":
            values[column] = chance.choice(TIMES)
        elif role == "version":
            values[column] = chance.choice(VERSIONS)
        else:
            values[column] = value(kind, chance)
    return list(values.values())


def queue(device: Device, table: str, number: int) -> None:
    """Gives a device its operations, errors, tokens, findings and rejects."""
    chance = device.chance
    sequences = sorted(chance.sample(range(1, 40), 6))
    for sequence in sequences:
        kind = chance.choice(["insert", "update", "delete"])
        key = chance.choice(device.keys[table]) if kind != "delete" else None
        device.database.execute(
            "INSERT INTO rehome_operation VALUES (?, 1, ?, ?, ?, 'pending', ?, NULL, ?, NULL, ?, NULL, ?)",
            (sequence, table, f"id {sequence}", kind, '{"id":"x"}' if kind == "delete" else None,
             key, f"{number}/{sequence}", [b"raw", None, b"{}"][sequence % 3]))
    for place in range(3):
        device.database.execute(
            "INSERT INTO rehome_error (source, \"table\", message, operation) VALUES (1, ?, ?, ?)",
            (table, f"{number}/{place}", chance.choice([*sequences, None])))
    device.database.execute("INSERT INTO rehome_token VALUES (1, 1, ?, ?, NULL, 'x')",
                            (table, str(number)))
    device.database.execute(
        "INSERT INTO rehome_finding VALUES (1, 1, 'stale-error', 'note', ?, NULL, ?, ?)",
        (table, chance.choice(sequences), str(number)))
    for key in chance.sample(device.keys[table], 1):
        device.database.execute(
            "INSERT INTO rehome_reject VALUES (NULL, 1, ?, ?, 'version', 'invalid-text', 'blob', ?)",
            (table, key, f"{number}".encode()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("paths", type=Path, nargs="+")
    arguments = parser.parse_args()
    for number, path in enumerate(arguments.paths):
        device = Device(path, random.Random(f"{arguments.seed} {number}"))
        fill(device, number)
        device.finish()


if __name__ == "__main__":
    main()
