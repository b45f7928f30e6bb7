#!/usr/bin/env python3
"""Checks that a Community Toolkit store holds what a canonical store does, as its format says.

    check_toolkit.py CANONICAL TOOLKIT [TABLE=NAME]...

Both files are read with sqlite3 alone. TABLE=NAME says what a template calls a table.
"""

from __future__ import annotations

import base64
import binascii
import datetime
import json
import sqlite3
import sys

QUEUE = "DatasyncOperationsQueue"
KINDS = {"insert": 0, "delete": 1, "update": 2}
# Of the payloads of inserts and updates, only those are whole items as the toolkit's server takes them.
WHOLE = ("datasync-toolkit", "couchbase-lite-1")
STATES = {"pending": 0, "attempted": 0, "completed": 1, "failed": 2}


def quoted(name: str) -> str:
    """A name as SQL."""
    return '"' + name.replace('"', '""') + '"'


class Canonical:
    """What a canonical store says."""

    def __init__(self, path: str) -> None:
        self.database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.database.row_factory = sqlite3.Row
        self.tables = [r[0] for r in self.all("SELECT name FROM rehome_table ORDER BY position")]
        self.columns = {
            table: self.all(
                'SELECT * FROM rehome_column WHERE "table" = ? ORDER BY position', table)
            for table in self.tables
        }

    def all(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """All rows of a query."""
        return self.database.execute(sql, values).fetchall()

    def lacks(self, table: str, key: int) -> bool:
        """Whether a row has no value where one that is sent could not be taken over."""
        own = {c["name"] for c in self.columns[table] if c["role"] in ("value", "id")}
        return any(row["column"] in own for row in self.all(
            'SELECT * FROM rehome_reject WHERE "table" = ? AND "row" = ?', table, key))

    def links(self, table: str) -> set[str]:
        """The columns that lead to other rows, of which no SDK sends anything."""
        roles = ("reference", "referenceEntity", "position")
        return {c["name"] for c in self.columns[table] if c["role"] in roles}

    def ids(self, table: str) -> dict[int, object] | None:
        """The ids of a table's rows by their keys; None where they have no ids."""
        column = next((c["name"] for c in self.columns.get(table, []) if c["role"] == "id"), None)
        if column is None:
            return None
        rows = self.all(f"SELECT _pk, {quoted(column)} FROM {quoted(table)}")
        return {row[0]: row[1] for row in rows if row[1] is not None}

    def referred(self, row: sqlite3.Row, column: sqlite3.Row) -> object:
        """The id of the row to which a reference leads; the key where there are no ids."""
        value = row[column["name"]]
        entity = column["target"] or (
            row[column["name"] + "_entity"] if column["name"] + "_entity" in row.keys() else None)
        ids = self.ids(entity) if entity else None
        return value if value is None or ids is None else ids.get(value)

    def keeps_whole_items(self) -> bool:
        """Whether an insert or update is sent as it was kept."""
        return any(r["layout"] in WHOLE for r in self.all("SELECT layout FROM rehome_source"))

    def truths(self, table: str) -> set[str]:
        """The members of kept items that are truth values, which rows may have as numbers."""
        items = self.all(
            'SELECT item FROM rehome_operation WHERE "table" = ? AND item NOT NULL', table)
        return {
            name for row in items for name, value in json.loads(row["item"]).items()
            if isinstance(value, bool)}

    def roles(self, table: str) -> set[str]:
        """The roles that columns of a table have."""
        return {column["role"] for column in self.columns[table]}


def dotnet_time(text: str) -> str:
    """A canonical time as Microsoft.Data.Sqlite writes a DateTimeOffset."""
    day, rest = text[:-1].split("T")
    seconds, fraction = rest.split(".")
    fraction = fraction[:7].rstrip("0")
    return f"{day} {seconds}{'.' + fraction if fraction else ''}+00:00"


def stored(value: object, kind: str) -> object:
    """A canonical value as Entity Framework stores it."""
    if value is None:
        return None
    if kind == "timestamp":
        return dotnet_time(value)
    if kind == "decimal":
        return value if "." in value else value + ".0"
    if kind == "uuid":
        return value.upper()
    return value


def is_base64(text: str) -> bool:
    """Whether a text spells bytes."""
    try:
        base64.b64decode(text, validate=True)
        return True
    except (binascii.Error, ValueError):
        return False


def taken(item: dict[str, object], name: str) -> dict[str, object]:
    """A stored item with its id and without a version that a service of the toolkit refuses.

    Where it is a deleted row, its key is none of the app's members.
    """
    item = dict(item)
    if next(iter(item), None) == "_pk" and isinstance(item["_pk"], int):
        del item["_pk"]
    if "id" not in item:
        item = {"id": name, **item}
    version = item.get("version")
    if isinstance(version, str) and not is_base64(version):
        return {key: value for key, value in item.items() if key != "version"}
    return item


def sent(
    row: sqlite3.Row, columns: list[sqlite3.Row], truths: set[str]
) -> dict[str, object]:
    """A row as the toolkit sends it: without default values."""
    item = {}
    for column in columns:
        value, kind, name = row[column["name"]], column["type"], column["name"]
        if value is None or (kind not in ("text", "json", "uri") and value in (0, 0.0)):
            continue
        if column["role"] == "version" and not is_base64(value):
            continue
        if kind == "boolean" or name in truths:
            value = True
        elif kind == "timestamp":
            value = value[:23] + "Z"
        elif kind == "decimal":
            value = float(value)
            if value == 0:
                continue
        elif kind == "uuid":
            value = value.upper()
        elif kind == "binary":
            value = base64.b64encode(value).decode()
        item["id" if column["role"] == "id" else name.lower()] = value
    return item


def milliseconds(text: str) -> int:
    """A canonical time in whole milliseconds since 1970, rounded down."""
    whole = datetime.datetime.fromisoformat(text[:19] + "+00:00")
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (whole - epoch) // datetime.timedelta(milliseconds=1) + int(text[20:23])


def expected_queue(
    store: Canonical, toolkit: sqlite3.Connection, names: dict[str, str]
) -> list[dict[str, object]]:
    """What waits, each item once, and what is complete."""
    waiting: dict[tuple[str, str], dict[str, object]] = {}
    result = []
    status = {r["operation"]: r["status"] for r in store.all("SELECT * FROM rehome_error")}
    for row in store.all("SELECT * FROM rehome_operation ORDER BY sequence"):
        if row["kind"] is None or row["table"] not in store.tables:
            continue
        key = (row["table"], row["itemId"].lower())
        known = waiting.get(key) if row["state"] != "completed" else None
        if known:
            insert = known["kind"] == "insert"
            known["kind"] = (
                "delete" if row["kind"] == "delete" else "insert" if insert else "update")
            known["row"], known["state"] = row, row["state"]
            known["version"] = known["version"] or row["baseVersion"]
            continue
        entry = {"kind": row["kind"], "state": row["state"], "row": row,
                 "version": row["baseVersion"], "sequence": row["sequence"]}
        if row["state"] != "completed":
            waiting[key] = entry
        result.append(entry)
    kept = []
    for entry in result:
        row = entry["row"]
        entry["status"] = status.get(row["sequence"]) if entry["state"] == "failed" else None
        is_kept = row["item"] and (entry["kind"] == "delete" or store.keeps_whole_items())
        entry["item"] = taken(json.loads(row["item"]), row["itemId"]) if is_kept else None
        entry["id"] = row["itemId"]
        if entry["item"] is None and entry["kind"] == "delete":
            entry["item"] = {"id": row["itemId"]}
        elif entry["item"] is None:
            table = row["rowTable"] or row["table"]
            rows = store.all(f"SELECT * FROM {quoted(table)} WHERE _pk = ?", row["rowKey"])
            if not rows or entry["state"] != "completed" and store.lacks(table, row["rowKey"]):
                continue
            present = present_columns(toolkit, names.get(table, table))
            columns = [
                c for c in store.columns[table]
                if c["name"].lower() in present and c["name"] not in store.links(table)]
            entry["item"] = sent(rows[0], columns, store.truths(table))
            id_column = next(c["name"] for c in store.columns[table] if c["role"] == "id")
            entry["id"] = rows[0][id_column]
            entry["folds"] = True
        kept.append(entry)
    return kept


def present_columns(toolkit: sqlite3.Connection, table: str) -> dict[str, str]:
    """The columns of a toolkit's table, in lower case, with their declared types."""
    rows = toolkit.execute(f"PRAGMA table_info({quoted(table)})")
    return {row[1].lower(): row[2] for row in rows}


def check_rows(store: Canonical, toolkit: sqlite3.Connection, names: dict[str, str]) -> list[str]:
    """How the rows of all tables differ."""
    troubles = []
    for table in store.tables:
        name = names.get(table, table)
        present = present_columns(toolkit, name)
        columns = [c for c in store.columns[table] if c["name"].lower() in present]
        missing = {c["role"] for c in store.columns[table]} - {c["role"] for c in columns}
        if not missing <= {"createdAt", "deleted"}:
            troubles.append(f"{table}: columns are missing")
        is_item = "id" in store.roles(table) and store.roles(table) & {"version", "updatedAt"}
        expected = []
        for row in store.all(f"SELECT * FROM {quoted(table)} ORDER BY _pk"):
            values = [
                store.referred(row, c) if c["type"] == "reference"
                else stored(row[c["name"]], c["type"]) for c in columns]
            for place, column in enumerate(columns):
                if is_item and column["role"] == "deleted" and values[place] is None:
                    values[place] = 0
                if present[column["name"].lower()] == "BLOB" and isinstance(values[place], str):
                    values[place] = base64.b64decode(values[place])
            expected.append((row["_pk"], *values))
        picked = ", ".join(quoted(c["name"]) for c in columns)
        found = toolkit.execute(
            f"SELECT rowid, {picked} FROM {quoted(name)} ORDER BY rowid").fetchall()
        typed = [[(type(v), v) for v in row] for row in found]
        if typed != [[(type(v), v) for v in row] for row in expected]:
            troubles.append(f"{table}: {expected} expected, {found} found")
    return troubles


def check_queue(
    store: Canonical, toolkit: sqlite3.Connection, names: dict[str, str]
) -> list[str]:
    """How the operations differ."""
    expected = expected_queue(store, toolkit, names)
    toolkit.row_factory = sqlite3.Row
    rows = toolkit.execute(f"SELECT * FROM {QUEUE} ORDER BY rowid").fetchall()
    troubles = []
    if [r["Sequence"] for r in rows] != list(range(1, len(rows) + 1)):
        troubles.append("the operations are not numbered from 1")
    if len({r["Id"] for r in rows}) != len(rows):
        troubles.append("ids of operations come twice")
    if len(rows) != len(expected):
        return troubles + [f"{len(expected)} operations expected, {len(rows)} found"]
    for row, entry in zip(rows, expected):
        item = json.loads(row["Item"])
        if entry.get("folds"):
            item = {key.lower(): value for key, value in item.items()}
        version = "" if entry["kind"] == "insert" else entry["version"] or ""
        wanted = (KINDS[entry["kind"]], STATES[entry["state"]], entry["status"], entry["id"],
                  version, entry["item"], 0, None)
        found = (row["Kind"], row["State"], row["HttpStatusCode"], row["ItemId"],
                 row["EntityVersion"], item, row["Version"], row["LastAttempt"])
        if wanted != found:
            troubles.append(f"operation {entry['sequence']}: {wanted} expected, {found} found")
        if len(row["Id"]) != 32 or not set(row["Id"]) <= set("0123456789abcdef"):
            troubles.append(f"{row['Id']} is no id of the toolkit")
    return troubles


def check_tokens(store: Canonical, toolkit: sqlite3.Connection) -> list[str]:
    """How the tokens differ, by the queries at the ends of their ids.

    A table that lacks a value has none: the app would never ask for it again.
    """
    lacking = {r["table"] for r in store.all("SELECT * FROM rehome_reject")}
    found = sorted(
        (r[0].split("-", 2)[2] if r[0].startswith("q-") else "", r[1])
        for r in toolkit.execute("SELECT Id, Value FROM DatasyncDeltaTokens"))
    expected = sorted(
        (r["query"] or "", milliseconds(r["updatedAt"]))
        for r in store.all("SELECT * FROM rehome_token")
        if r["updatedAt"] and r["table"] in store.tables and r["table"] not in lacking)
    if found != expected:
        return [f"tokens: {expected} expected, {found} found"]
    return []


def main() -> int:
    """Compares the files that the arguments name."""
    store = Canonical(sys.argv[1])
    toolkit = sqlite3.connect(f"file:{sys.argv[2]}?mode=ro", uri=True)
    names = dict(argument.split("=", 1) for argument in sys.argv[3:])
    troubles = [
        f"integrity_check: {row[0]}" for row in toolkit.execute("PRAGMA integrity_check")
        if row[0] != "ok"
    ]
    troubles += check_rows(store, toolkit, names)
    troubles += check_queue(store, toolkit, names) + check_tokens(store, toolkit)
    for trouble in troubles:
        print(trouble)
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
