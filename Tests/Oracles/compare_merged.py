#!/usr/bin/env python3
"""Compares a store of several sources with the canonical stores of each of them.

Works out by itself which row of each item must be kept, where references must lead and what the
queue must be. Exits 0 when all is so, else prints the first differences and exits 1.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import json
import re
import sqlite3
import sys
from pathlib import Path

sys.dont_write_bytecode = True

CODE = "same-item-on-several-devices"
SYSTEM = {"version", "createdAt", "updatedAt", "deleted"}
MOST_SHOWN = 20


def folded(name: str) -> str:
    """A name as SQLite compares it."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in name)


def spelled(kind: str, value: object) -> str | None:
    """The text of a value, as an export has it."""
    if value is None:
        return None
    if kind == "boolean":
        return "true" if value else "false"
    if isinstance(value, float):
        if value in (float("inf"), float("-inf")):
            return "Infinity" if value > 0 else "-Infinity"
        return repr(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return str(value)


def time_order(text: str | None) -> str:
    """A time as text that grows with it."""
    if text is None:
        return ""
    head, _, fraction = text.rstrip("Z").partition(".")
    return head + "." + fraction.ljust(9, "0")


def version_order(text: str | None) -> tuple:
    """A version so that later ones are greater: row versions of SQL Server are numbers."""
    if text is None:
        return (0, b"")
    if len(text) == 12:
        try:
            raw = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            raw = b""
        if len(raw) == 8 and base64.b64encode(raw).decode() == text:
            return (3, raw)
    if re.fullmatch("[0-9]+", text):
        # Greater ones than a whole number has room for come behind all others.
        return (1, int(text))
    if revision := re.fullmatch("([0-9]{1,8})-(.+)", text, re.DOTALL):
        text = revision[1].zfill(8) + "-" + revision[2]
    return (2, text.encode())


def purpose(column: sqlite3.Row) -> str:
    """What a column is for."""
    if column["role"] in SYSTEM:
        return "system"
    if column["role"] == "referenceEntity":
        return "entity"
    return column["type"] if column["type"] in ("reference", "binary") else "value"


class Store:
    """A canonical store, all in memory."""

    def __init__(self, path: Path) -> None:
        self.database = sqlite3.connect(path)
        self.database.row_factory = sqlite3.Row
        self.database.text_factory = lambda b: b.decode("utf-8", "surrogateescape")
        self.columns: dict[str, list[sqlite3.Row]] = {}
        self.rows: dict[str, dict[int, sqlite3.Row]] = {}
        self.names: dict[str, str] = {}
        for table in self.all("SELECT name FROM rehome_table ORDER BY position"):
            name = table["name"]
            self.names[folded(name)] = name
            self.columns[name] = self.all(
                'SELECT * FROM rehome_column WHERE "table" = ? ORDER BY position', name)
            self.rows[name] = {r["_pk"]: r for r in
                               self.all(f'SELECT * FROM "{name}" ORDER BY _pk')}

    def all(self, sql: str, *values: object) -> list[sqlite3.Row]:
        return self.database.execute(sql, values).fetchall()

    def column(self, table: str, role: str) -> sqlite3.Row | None:
        return next((c for c in self.columns[table] if c["role"] == role), None)


class Comparison:
    """The merged store against its sources."""

    def __init__(self, merged: Store, sources: list[Store]) -> None:
        self.merged = merged
        self.sources = sources
        self.differences: list[str] = []
        # (table, source, key) of a row that gives way: (source, key) of the one that is kept.
        self.winners: dict[tuple, tuple] = {}
        self.new_keys: dict[tuple, int] = {}

    def expect(self, what: str, found: object, wanted: object) -> None:
        if found != wanted:
            self.differences.append(f"{what}: {found!r} instead of {wanted!r}")

    def tables(self) -> list[str]:
        return list(dict.fromkeys(n for s in self.sources for n in s.names))

    def choose(self, table: str) -> None:
        """Decides which rows of a table are kept."""
        items: dict[str, list[tuple]] = {}
        for number, source in enumerate(self.sources):
            name = source.names.get(table)
            column = name and source.column(name, "id")
            if not column:
                continue
            updated = source.column(name, "updatedAt")
            version = source.column(name, "version")
            for key, row in source.rows[name].items():
                item = spelled(column["type"], row[column["name"]])
                if item:
                    order = (time_order(row[updated["name"]] if updated else None),
                             version_order(row[version["name"]] if version else None))
                    items.setdefault(item, []).append((order, -number, -key))
        for rows in items.values():
            if len({row[1] for row in rows}) < 2:
                continue
            _, number, key = max(rows)
            for _, other, other_key in rows:
                if (other, other_key) != (number, key):
                    self.winners[table, -other, -other_key] = (-number, -key)

    def is_pairs(self, source: Store, name: str) -> bool:
        left = [c for c in source.columns[name] if c["name"] in ("owner", "target")]
        rest = [c for c in source.columns[name] if c["name"] not in
                ("owner", "target", "owner_entity", "target_entity")]
        return len(left) == 2 and all(c["type"] == "reference" for c in left) and all(
            c["role"] == "position" for c in rest)

    def choose_pairs(self, table: str) -> None:
        """Decides which pairs of a relationship are kept: the first of each."""
        seen: dict[tuple, tuple] = {}
        for number, source in enumerate(self.sources):
            name = source.names.get(table)
            if name is None or not self.is_pairs(source, name):
                continue
            for key, row in source.rows[name].items():
                pair = tuple(self.identity(number, name, row, side) for side in ("owner", "target"))
                if None in pair:
                    continue
                first = seen.setdefault(pair, (number, key))
                if first[0] != number:
                    self.winners[table, number, key] = first

    def target(self, number: int, table: str, row: sqlite3.Row, column: str) -> str | None:
        """The table that a reference of a source leads to, as it is known to all."""
        source = self.sources[number]
        entity = next((c["name"] for c in source.columns[table]
                       if c["name"] == column + "_entity" and c["role"] == "referenceEntity"), None)
        declared = next(c["target"] for c in source.columns[table] if c["name"] == column)
        name = row[entity] if entity and row[entity] is not None else declared
        return folded(name) if name in source.rows else None

    def identity(self, number: int, table: str, row: sqlite3.Row, column: str) -> tuple | None:
        """The kept row that a reference of a source leads to; None where it leads nowhere."""
        target = self.target(number, table, row, column)
        if row[column] is None or target is None:
            return None
        source = self.sources[number]
        if row[column] not in source.rows[source.names[target]]:
            return None
        return (target, *self.winners.get((target, number, row[column]), (number, row[column])))

    def number_rows(self, table: str) -> None:
        """Pairs the rows of each source with those that came of them, both in key order."""
        name = self.merged.names[table]
        keys = [[] for _ in self.sources]
        for key, row in self.merged.rows[name].items():
            keys[row["_source"] - 1].append(key)
        for number, source in enumerate(self.sources):
            own = source.names.get(table)
            kept = [key for key in (source.rows[own] if own else {})
                    if (table, number, key) not in self.winners]
            self.expect(f"rows of {table} from source {number + 1}", len(keys[number]), len(kept))
            for key, new in zip(kept, keys[number]):
                self.new_keys[table, number, key] = new

    def new_key(self, identity: tuple | None) -> int | None:
        return self.new_keys.get(identity) if identity else None

    def compare_rows(self, table: str) -> None:
        name = self.merged.names[table]
        for number, source in enumerate(self.sources):
            own = source.names.get(table)
            for key in source.rows[own] if own else {}:
                new = self.new_keys.get((table, number, key))
                if new is not None:
                    self.compare_row(number, own, source.rows[own][key], name,
                                     self.merged.rows[name][new])

    def place(self, table: str, column: sqlite3.Row) -> sqlite3.Row | None:
        """The column of the merged store that a source's column is in."""
        in_role = [c for c in self.merged.columns[table]
                   if purpose(column) == "system" and c["role"] == column["role"]]
        if in_role:
            return in_role[0]
        named = [c for c in self.merged.columns[table]
                 if folded(c["name"]) == folded(column["name"])
                 or folded(c["name"]).startswith(folded(column["name"]) + "_")
                 and c["name"].rpartition("_")[2].isdigit()]
        return next((c for c in named if purpose(c) == purpose(column)), None)

    def compare_row(self, number: int, own: str, row: sqlite3.Row, name: str,
                    new: sqlite3.Row) -> None:
        used = set()
        for column in self.sources[number].columns[own]:
            where = f"{own} {row['_pk']} of source {number + 1}, {column['name']}"
            place = self.place(name, column)
            if place is None:
                self.differences.append(f"{where}: there is no such column")
                continue
            used.add(place["name"])
            found = new[place["name"]]
            value = row[column["name"]]
            if column["type"] == "reference":
                identity = self.identity(number, own, row, column["name"])
                if value is None:
                    self.expect(where, found, None)
                elif identity is None:
                    target = self.target(number, own, row, column["name"])
                    rows = self.merged.rows[self.merged.names[target]] if target else {}
                    self.expect(where + " (dangling)", found in rows or found is None, False)
                else:
                    self.expect(where, found, self.new_key(identity))
                used.add(place["name"] + "_entity")
            elif column["role"] == "referenceEntity":
                self.expect(where, value and folded(value), found and folded(found))
            else:
                self.expect(where, found, self.widened(column["type"], place["type"], value))
        for column in self.merged.columns[name]:
            if column["name"] not in used:
                self.expect(f"{own} {row['_pk']}, {column['name']}", new[column["name"]], None)

    def widened(self, kind: str, wide: str, value: object) -> object:
        if value is None or kind == wide:
            return value
        if wide == "json":
            text = spelled(kind, value)
            is_literal = kind in ("boolean", "integer", "real") and "Inf" not in text
            return text if is_literal else json.dumps(text, ensure_ascii=False)
        if wide == "integer":
            return value
        if wide == "real":
            return float(value) if int(float(value)) == value else None
        if wide == "decimal":
            return str(int(value)) if kind in ("integer", "boolean") else value
        return spelled(kind, value)

    def compare_losers(self) -> None:
        found = {}
        for finding in self.merged.all("SELECT * FROM rehome_finding WHERE code = ?", CODE):
            item = json.loads(finding["item"])
            number = finding["source"] - 1
            place = (folded(finding["table"]), number, item["_pk"])
            found[place] = found.get(place, 0) + 1
            source = self.sources[number]
            own = source.names[place[0]]
            row = source.rows[own][item["_pk"]]
            column = source.column(own, "id")
            self.expect(f"id of {place}", finding["itemId"],
                        column and spelled(column["type"], row[column["name"]]))
            wanted = {"_pk": row["_pk"]}
            for column in source.columns[own]:
                value = row[column["name"]]
                if column["type"] == "boolean" and value is not None:
                    value = bool(value)
                if isinstance(value, bytes) or value in (float("inf"), float("-inf")):
                    value = spelled(column["type"], value)
                wanted[column["name"]] = value
            self.expect(f"content of {place}", item, wanted)
        self.expect("rows that gave way", found, {place: 1 for place in self.winners})

    def compare_queue(self) -> None:
        wanted, found = [], []
        for row in self.merged.all("SELECT * FROM rehome_operation ORDER BY sequence"):
            found.append((row["sequence"], row["source"], row["table"] and folded(row["table"]),
                          row["itemId"], row["kind"], row["originalId"], row["raw"], row["rowKey"]))
        sequences = {}
        for number, source in enumerate(self.sources):
            for row in source.all("SELECT * FROM rehome_operation ORDER BY sequence"):
                sequences[number, row["sequence"]] = len(wanted) + 1
                key = row["rowKey"]
                table = row["rowTable"] or row["table"]
                if key is not None:
                    place = (folded(table), number, key)
                    key = self.new_keys.get((place[0], *self.winners.get(place, place[1:])))
                    self.compare_item(len(wanted) + 1, row, place)
                wanted.append((len(wanted) + 1, number + 1, row["table"] and folded(row["table"]),
                               row["itemId"], row["kind"], row["originalId"], row["raw"], key))
        self.expect("operations", found, wanted)
        for table in ("rehome_error", "rehome_token"):
            names = [c[1] for c in self.merged.all(f"PRAGMA table_info({table})")]
            names = [n for n in names if n not in ("id", "source", "operation", "table")]
            found = [(r["source"], *(r[n] for n in names)) for r in
                     self.merged.all(f"SELECT * FROM {table} ORDER BY id")]
            wanted = [(n + 1, *(r[name] for name in names)) for n, s in enumerate(self.sources)
                      for r in s.all(f"SELECT * FROM {table} ORDER BY id")]
            self.expect(table, found, wanted)
        found = [r["operation"] for r in self.merged.all("SELECT * FROM rehome_error ORDER BY id")]
        self.expect("operations of errors", found, [
            sequences.get((n, r["operation"])) for n, s in enumerate(self.sources)
            for r in s.all("SELECT * FROM rehome_error ORDER BY id")])

    def compare_item(self, sequence: int, row: sqlite3.Row, place: tuple) -> None:
        """An operation whose row gave way keeps what it would have sent, if that can be told."""
        item, = self.merged.all("SELECT item FROM rehome_operation WHERE sequence = ?", sequence)[0]
        if (place not in self.winners or row["item"] is not None
                or self.is_unreadable(self.sources[place[1]], row)):
            self.expect(f"item of operation {sequence}", item, row["item"])
            return
        source = self.sources[place[1]]
        own = source.names[place[0]]
        wanted = {c["sourceName"] for c in source.columns[own]
                  if c["role"] in ("value", "id") and c["type"] != "reference"}
        self.expect(f"item of operation {sequence}", set(json.loads(item)), wanted)

    def is_unreadable(self, source: Store, row: sqlite3.Row) -> bool:
        """Whether nobody can tell from its payload what an operation is to send."""
        layout, = source.all("SELECT layout FROM rehome_source")[0]
        raw = row["raw"]
        if row["kind"] is None or raw is None or layout == "azure-mobile-ios":
            return False
        # In all other stores no text means that there is no payload.
        if raw in ("", b""):
            return layout == "datasync-toolkit"
        try:
            return not isinstance(json.loads(raw), dict)
        except (TypeError, ValueError):
            return True

    def compare_books(self) -> None:
        for table in self.tables():
            name = self.merged.names[table]
            books, = self.merged.all("SELECT * FROM rehome_table WHERE name = ?", name)
            read = sum(len(s.rows[s.names[table]]) for s in self.sources if table in s.names)
            merged = sum(1 for place in self.winners if place[0] == table)
            self.expect(f"books of {name}",
                        [books[c] for c in ("read", "written", "rejected", "filtered")],
                        [read, read - merged, 0, merged])

    def compare_rejects(self) -> None:
        """Every reject of a source is here, at the row that is kept."""
        found = {(r["source"] - 1, folded(r["table"]), r["row"], r["code"], r["raw"])
                 for r in self.merged.all("SELECT * FROM rehome_reject")}
        for number, source in enumerate(self.sources):
            for row in source.all("SELECT * FROM rehome_reject"):
                table = folded(row["table"])
                if row["row"] not in source.rows.get(source.names.get(table), {}):
                    continue
                place = self.winners.get((table, number, row["row"]), (number, row["row"]))
                key = self.new_keys.get((table, *place))
                self.expect(f"reject of {table} {row['row']}",
                            (number, table, key, row["code"], row["raw"]) in found, True)

    def run(self) -> list[str]:
        self.expect("tables", sorted(self.merged.names), sorted(self.tables()))
        for choose in (self.choose, self.choose_pairs):
            for table in self.tables():
                choose(table)
        for table in self.tables():
            self.number_rows(table)
        for table in self.tables():
            self.compare_rows(table)
        self.compare_losers()
        self.compare_queue()
        self.compare_books()
        self.compare_rejects()
        return self.differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("merged", type=Path)
    parser.add_argument("sources", type=Path, nargs="+")
    arguments = parser.parse_args()
    comparison = Comparison(Store(arguments.merged), [Store(p) for p in arguments.sources])
    differences = comparison.run()
    for difference in differences[:MOST_SHOWN]:
        print(difference)
    print(f"{len(comparison.winners)} rows gave way")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
