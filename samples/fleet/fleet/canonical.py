"""The records of a canonical store that the tool has just written."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from fleet.catalogues import EXACT_LAYOUTS, ROW_SENDERS
from fleet.records import (
    CATALOGUE, DEVICE_ITEM, MARK, OPERATION, PARTS, ROW, Part, Record)
from fleet.spelling import comparable_time, comparable_version, raw_cells, spelled

NO_TEXT = b"\xff"


class TooLargeRow(Exception):
    """A row that takes more memory than a task may use for one."""


def quoted(name: str) -> str:
    """A name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'


class Canonical:
    """A canonical store, opened to be read from one end to the other."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        self.tables = self.read_tables()
        self.mark_exact()

    def close(self) -> None:
        """Closes the file."""
        self.database.close()

    def all(self, sql: str, *values: object) -> list[tuple]:
        """All rows of a query."""
        return self.database.execute(sql, values).fetchall()

    def has(self, table: str) -> bool:
        """Whether there is such a table."""
        return bool(self.all("SELECT 1 FROM sqlite_schema WHERE name = ? AND type = 'table'",
                             table))

    def read_tables(self) -> list[dict]:
        """The catalogue: tables in their order, each with its columns."""
        tables = []
        undecided = {table: json.loads(names) for table, names in self.all(
            "SELECT substr(key, 11), value FROM rehome_meta WHERE key LIKE 'undecided %'")}
        for name, source_name, source_table in self.all(
                "SELECT name, sourceName, sourceTable FROM rehome_table ORDER BY position"):
            columns = [dict(zip(
                ("name", "sourceName", "sourceColumn", "type", "role", "nullable", "target"), row))
                for row in self.all(
                    "SELECT name, sourceName, sourceColumn, type, role, nullable, target"
                    ' FROM rehome_column WHERE "table" = ? ORDER BY position', name)]
            for column in columns:
                if column["name"] in undecided.get(name, ()) and self.is_empty(name, column):
                    column["undecided"] = True
            tables.append({"name": name, "sourceName": source_name, "sourceTable": source_table,
                           "columns": columns})
        return tables

    def mark_exact(self) -> None:
        """Marks the tables of a store of several devices in whose names letter case counts.

        Whose a table is, its rows tell; one without rows may be of any.
        """
        layouts = dict(self.all("SELECT id, layout FROM rehome_source"))
        exact = {number for number, layout in layouts.items() if layout in EXACT_LAYOUTS}
        if not exact or len(exact) == len(layouts):
            return
        for table in filter(lambda table: self.tells_sources(table["name"]), self.tables):
            owners = {row[0] for row in self.all(
                f"SELECT DISTINCT _source FROM {quoted(table['name'])}")}
            table["isExact"] = not owners or not owners.isdisjoint(exact)

    def is_empty(self, table: str, column: dict) -> bool:
        """Whether no row has a value in a column."""
        return not self.all(f"SELECT 1 FROM {quoted(table)}"
                            f" WHERE {quoted(column['name'])} IS NOT NULL LIMIT 1")

    def catalogue(self) -> tuple[str, str]:
        """The catalogue as JSON, and its hash."""
        text = json.dumps(self.tables, ensure_ascii=False, sort_keys=True)
        return text, hashlib.sha256(text.encode()).hexdigest()

    def next_keys(self) -> dict[str, int]:
        """From which numbers further keys begin, where the store says so."""
        rows = self.all("SELECT substr(key, 9), value FROM rehome_meta WHERE key LIKE 'nextKey %'")
        return {table: int(value) for table, value in rows}

    def sources(self) -> list[dict]:
        """The stores that this one was made from."""
        found = []
        for row in self.all("SELECT id, name, layout, generation, evidence, metadata, nameOrigin,"
                            " toolVersion FROM rehome_source ORDER BY id"):
            files = [dict(zip(("name", "bytes", "sha256"), file)) for file in self.all(
                "SELECT name, bytes, sha256 FROM rehome_source_file WHERE source = ?"
                " ORDER BY rowid", row[0])]
            found.append({
                "number": row[0], "name": row[1], "layout": row[2], "generation": row[3],
                "evidence": json.loads(row[4]), "metadata": json.loads(row[5]),
                "nameOrigin": row[6], "toolVersion": row[7], "files": files})
        return found

    def counts(self) -> dict[str, int]:
        """How many there are of everything."""
        found = {part.name: self.all(f"SELECT count(*) FROM {part.table}")[0][0]
                 for part in PARTS}
        found["rows"] = sum(self.all(f"SELECT count(*) FROM {quoted(table['name'])}")[0][0]
                            for table in self.tables)
        found["tables"] = len(self.tables)
        kinds = dict(self.all("SELECT kind, count(*) FROM rehome_operation GROUP BY kind"))
        for kind in ("insert", "update", "delete"):
            found[kind + "s"] = kinds.get(kind, 0)
        return found

    def check_rows(self, most: int) -> None:
        """Refuses a row that is larger than a task can take."""
        if self.path.stat().st_size <= most:
            return
        for name, columns in self.shapes():
            sizes = " + ".join(f"coalesce(length(CAST({quoted(column)} AS BLOB)), 0)"
                               for column in columns)
            if sizes and (self.all(f"SELECT max({sizes}) FROM {quoted(name)}")[0][0] or 0) > most:
                raise TooLargeRow(
                    f"a row of {name} has more than {most} bytes; --max-row takes a larger number")

    def shapes(self) -> Iterator[tuple[str, list[str]]]:
        """All tables with their columns, the bookkeeping's included."""
        for table in self.tables:
            yield table["name"], [column["name"] for column in table["columns"]]
        for part in PARTS:
            yield part.table, [name for name in part.stored if self.has_column(part, name)]

    def has_column(self, part: Part, name: str) -> bool:
        """Whether a table of the bookkeeping has a column that not all stores have."""
        return bool(self.all("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", part.table, name))

    def records(self, unit: str, store: str, sent: dict[int, tuple]) -> Iterator[Record]:
        """Everything in the store; `sent` is what the device would send, by sequence."""
        for table in self.tables:
            yield from self.rows(unit, store, table)
        for part in PARTS:
            yield from self.part(unit, store, part, sent)

    def rows(self, unit: str, store: str, table: dict) -> Iterator[Record]:
        """The rows of one table."""
        columns = table["columns"]
        kinds = [column["type"] for column in columns]
        places = {column["role"]: place for place, column in reversed(list(enumerate(columns)))}
        id_place, time_place = places.get("id"), places.get("updatedAt")
        version_place = places.get("version")
        name = table["name"]
        source = "_source" if self.tells_sources(name) else "1"
        chosen = ", ".join(["_pk", source, *(quoted(column["name"]) for column in columns)])
        for key, origin, *values in self.database.execute(f"SELECT {chosen} FROM {quoted(name)}"):
            cells = [value if value is None or type(value) is str else spelled(kind, value)
                     for kind, value in zip(kinds, values)]
            record = Record(ROW, unit, store, key, origin, name, cells=cells)
            item = None if id_place is None else item_bytes(values[id_place], cells[id_place])
            if item is not None:
                moment = version = None
                if time_place is not None and isinstance(values[time_place], str):
                    moment = comparable_time(kinds[time_place], cells[time_place])
                if version_place is not None:
                    version = comparable_version(values[version_place])
                record = record._replace(
                    item=bytearray(item), moment=moment,
                    version=None if version is None else bytearray(version))
            yield record

    def tells_sources(self, table: str) -> bool:
        """Whether the rows of a table know from which of several stores they are."""
        known = {column["name"].lower() for known in self.tables if known["name"] == table
                 for column in known["columns"]}
        return "_source" not in known and bool(self.all(
            "SELECT 1 FROM pragma_table_info(?) WHERE lower(name) = '_source'", table))

    def part(
        self, unit: str, store: str, part: Part, sent: dict[int, tuple]
    ) -> Iterator[Record]:
        """The rows of one table of the bookkeeping."""
        chosen = [quoted(name) if self.has_column(part, name) else "NULL" for name in part.stored]
        kinds = [kind for _, kind in part.columns]
        states = self.states(part)
        for key, origin, storage, *values in self.database.execute(
                f"SELECT {part.key}, {part.source}, {part.storage}, {', '.join(chosen)}"
                f" FROM {part.table}"
                f" ORDER BY {part.key}"):
            state = states.get(key)
            if state:
                values[part.stored.index("state")] = state
            cells = [spelled(kind, value) for kind, value in zip(kinds, values)]
            if part.has_raw:
                cells += raw_cells(values[-1], storage)
            if part is OPERATION:
                cells += sent.get(key, (None,) * len(DEVICE_ITEM))
            table = values[part.stored.index("table")] if "table" in part.stored else None
            yield Record(part.kind, unit, store, key, origin, table, cells=cells)

    def states(self, part: Part) -> dict[int, str]:
        """The states that operations have by their marks, by sequence; those beneath them, by mark."""
        if part not in (OPERATION, MARK):
            return {}
        marks = self.all("SELECT id, sequence, mark FROM rehome_mark ORDER BY id")
        last = {sequence: mark for _, sequence, mark in marks}
        own = {sequence: state for sequence, state in self.database.execute(
            "SELECT sequence, state FROM rehome_operation") if sequence in last}
        for sequence, state in own.items():
            # What came dropped from elsewhere has no other state to go back to.
            if state == "dropped" and last[sequence] != "drop":
                own[sequence] = "pending"
        if part is MARK:
            return {number: own[sequence] for number, sequence, _ in marks if sequence in own}
        return {sequence: "dropped" if last[sequence] == "drop" else state
                for sequence, state in own.items()}

    def sends_rows(self) -> bool:
        """Whether an operation would send a row, which may give way to one of another store."""
        senders = ", ".join("?" * len(ROW_SENDERS))
        return self.has("rehome_device_item") or bool(self.all(
            "SELECT 1 FROM rehome_operation WHERE rowKey IS NOT NULL AND kind IS NOT 'delete'"
            f" AND (item IS NULL OR source IN (SELECT id FROM rehome_source WHERE layout IN"
            f" ({senders}))) LIMIT 1", *ROW_SENDERS))

    def sent_items(self, sequences: list[int]) -> dict[int, tuple]:
        """What the devices send, by the sequences that the operations have elsewhere."""
        if not self.has("rehome_device_item"):
            return {}
        return {sequences[number - 1]: tuple(cells) for number, *cells in self.all(
            'SELECT operation, "table", item, body, updatedAt, version FROM rehome_device_item')
            if 0 < number <= len(sequences)}

    def sequences(self) -> list[int]:
        """The numbers of all operations, in their order."""
        return [row[0] for row in self.all(
            "SELECT sequence FROM rehome_operation ORDER BY sequence")]


def item_bytes(value: object, cell: str | None) -> bytes | None:
    """What tells an item from others; None where a row has no id.

    Bytes are not the text in which an export spells them; no text ends like this.
    """
    if not cell:
        return None
    return cell.encode() + NO_TEXT if isinstance(value, bytes) else cell.encode()


def catalogue_record(unit: str, text: str, digest: str) -> Record:
    """The record of a catalogue, which is known by its hash."""
    return Record(CATALOGUE, unit, table=digest, cells=[text])
