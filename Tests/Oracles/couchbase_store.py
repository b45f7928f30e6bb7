"""Reads a store of Couchbase Lite 1.x by the formats' description; shares no code with the tool."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

import strict_json
from offline_values import Column, Store, exported
from parse_store import Number, stored_members

NEEDED = {
    "docs": {"doc_id", "docid"}, "localdocs": {"docid", "revid", "json"}, "views": set(),
    "revs": {"sequence", "doc_id", "revid", "parent", "current", "deleted", "json"},
}
NOT_OURS = {"kv_default", "kvmeta"}
OF_THE_SDK = ("remotecheckpoint/", "cbl_cookie_storage")
LOCAL_OF_THE_SDK = {
    "CBL_LocalCheckpoint", "PersistentCookieStore", "_blobstore", "CBLIS_metadata"}
FINDINGS = {
    "document-conflict", "no-push-checkpoint", "push-checkpoint-ambiguous",
    "pushed-to-some-remotes", "checkpoint-beyond-store", "missing-revision-body",
    "document-without-leaf", "expired-document", "leftover-upgrade",
    "secret-withheld", "external-data-missing", "value-of-wrong-type", "invalid-text",
    "several-operations-for-item",
    # These say nothing here, and must never appear.
    "operation-without-row", "update-without-version", "row-without-version-or-operation",
    "missing-item-id", "item-id-case-twins", "names-from-fallback", "insert-after-pending",
    "operation-after-delete", "insert-then-delete", "operation-for-unknown-table",
    "token-unreadable", "token-for-unknown-table", "delete-without-version", "delete-without-item",
    "insert-already-on-server",
}


@dataclass
class Revision:
    """One revision."""

    sequence: int
    document: int
    name: str
    parent: int | None
    is_leaf: bool
    is_deleted: bool
    json: bytes | None

    def __post_init__(self) -> None:
        text = self.json.decode("utf-8", "replace") if self.json else ""
        if self.json and text.encode() != self.json:
            text = "not UTF-8"
        value = strict_json.parsed(text, Number) if self.json else {}
        self.is_broken = not isinstance(value, dict)
        self.body = value if isinstance(value, dict) else {}
        self.stored = stored_members(text) if self.body else {}
        self.text = text

    @property
    def is_removed(self) -> bool:
        return self.body.get("_removed") is True

    @property
    def is_live(self) -> bool:
        return self.is_leaf and not self.is_deleted

    @property
    def order(self) -> tuple:
        match = re.fullmatch(r"([0-9]{1,8})-(.+)", self.name, re.DOTALL | re.ASCII)
        return (int(match[1]), match[2].encode()) if match else None


def greater(left: Revision, right: Revision) -> bool:
    """Whether a revision wins against another one that is as live."""
    if left.order is None or right.order is None:
        return left.name.encode() > right.name.encode()
    return left.order > right.order


def recognised(names: dict[str, list[str]]) -> bool:
    """Whether tables, with their columns, are those of a store."""
    return not NOT_OURS & set(names) and all(
        table in names and columns <= set(names[table]) for table, columns in NEEDED.items())


def kind_of(value: object) -> str | None:
    """What a value is; None for null."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, Number):
        if re.fullmatch("-?[0-9]+", value):
            return "integer" if -(2**63) <= int(value) < 2**63 else "json"
        return "real" if abs(float(value)) != float("inf") else "json"
    return "text" if isinstance(value, str) else "json"


class Reading:
    """The documents of a store while they are read."""

    def __init__(self, database: sqlite3.Connection, names: dict[str, list[str]]) -> None:
        self.database, self.names = database, names
        self.generation = "1.0" if "attachments" in names else (
            "1.3" if "expiry_timestamp" in names["docs"] else "1.1")
        self.store = Store("couchbase-lite-1", self.generation)
        self.ids = dict(database.execute("SELECT doc_id, docid FROM docs NOT INDEXED"))
        rows = database.execute(
            "SELECT sequence, doc_id, revid, parent, current, deleted, CAST(json AS BLOB) "
            "FROM revs NOT INDEXED ORDER BY sequence")
        self.revisions = {row[0]: Revision(*row[:4], bool(row[4]), bool(row[5]), row[6])
                          for row in rows}
        self.leaves: dict[int, list[Revision]] = {}
        for revision in self.revisions.values():
            if revision.is_leaf:
                self.leaves.setdefault(revision.document, []).append(revision)
        self.files = {each: self.attachment_rows(each) for each in self.revisions}
        self.type_key = "type"
        for docid, text in database.execute("SELECT docid, json FROM localdocs NOT INDEXED"):
            if docid == "_local/CBLIS_metadata":
                found = strict_json.parsed(as_text(text)) or {}
                if found.get("type_key") == "CBLIS_type":
                    self.type_key = "CBLIS_type"

    def attachment_rows(self, sequence: int) -> str | None:
        """The attachments of a revision as the bodies of later versions have them."""
        if self.generation != "1.0":
            return None
        known = self.names["attachments"]
        wanted = ["filename", "key", "type", "length", "revpos", "encoding", "encoded_length"]
        sql = ", ".join(each if each in known else "0" for each in wanted)
        rows = self.database.execute(
            f"SELECT {sql} FROM attachments WHERE sequence = ?", (sequence,)).fetchall()
        if not rows:
            return None
        parts = []
        for name, key, kind, length, position, encoding, encoded in sorted(
                rows, key=lambda row: row[0].encode()):
            members = [("content_type", text(kind))] if kind is not None else []
            members.append(("digest", text("sha1-" + base64.b64encode(key).decode())))
            if encoding == 1:
                members += [("encoded_length", str(encoded)), ("encoding", '"gzip"')]
            members += [("length", str(length)), ("revpos", str(position)), ("stub", "true")]
            parts.append(text(name) + ":{" + ",".join(f'"{k}":{v}' for k, v in members) + "}")
        return "{" + ",".join(parts) + "}"

    def attachments(self, revision: Revision) -> str | None:
        """The attachments of a revision as JSON."""
        own = self.files.get(revision.sequence)
        if own is None and revision.body.get("_attachments") is not None:
            own = revision.stored["_attachments"]
        return own

    def ancestors(self, revision: Revision) -> list[Revision]:
        """A revision and what it was made from, as far as that is here."""
        line, seen = [], set()
        at: Revision | None = revision
        while at is not None and at.sequence not in seen and at.document == revision.document:
            seen.add(at.sequence)
            line.append(at)
            at = self.revisions.get(at.parent)
        return line

    def type_of(self, revision: Revision) -> str | None:
        """The app's type of a document at a revision; None where it says none."""
        for each in self.ancestors(revision):
            if each.body:
                found = each.body.get(self.type_key)
                is_name = isinstance(found, str) and not isinstance(found, Number)
                return found if is_name and found else None
        return None

    def winner(self, document: int) -> Revision | None:
        """What the app sees; None where nothing is left."""
        best: Revision | None = None
        for leaf in self.leaves.get(document, []):
            if best is None or (leaf.is_deleted, ) < (best.is_deleted, ) or (
                    leaf.is_deleted == best.is_deleted and greater(leaf, best)):
                best = leaf
        return best if best is not None and not best.is_deleted else None


def text(value: str) -> str:
    """A text as JSON."""
    return json.dumps(value, ensure_ascii=False)


def as_text(value: object) -> str | None:
    """A value that should be text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def columns_of(reading: Reading, key: str | None) -> list[Column]:
    """The columns of a table, by what is in its live leaves."""
    kinds: dict[str, set[str]] = {}
    for leaf in reading.revisions.values():
        if leaf.is_live and not leaf.is_removed and reading.type_of(leaf) == key:
            for name, value in leaf.body.items():
                if name not in ("_attachments", "_removed"):
                    kinds.setdefault(name, set()).update({kind_of(value)} - {None})
    columns = [Column("_id", "_id", "text", "id"),
               Column("_rev" if "version" in kinds else "version", "_rev", "text", "version")]
    for name in sorted(kinds, key=str.encode):
        seen = kinds[name]
        if len(seen) <= 1:
            kind = next(iter(seen), "text")
        else:
            kind = "real" if seen == {"integer", "real"} else "json"
        columns.append(Column(name, name, kind))
    columns = columns + [Column("_attachments", "_attachments", "json")]
    return unique(columns)


def unique(columns: list[Column]) -> list[Column]:
    """Columns whose names differ in more than the case of letters."""
    taken: set[str] = set()
    result = []
    for column in columns:
        base = column.name + "_" if column.name.lower() == "_pk" else column.name or "_"
        name, number = base, 2
        while name.lower() in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name.lower())
        result.append(Column(name, column.source, column.type, column.role))
    return result


def row_of(reading: Reading, columns: list[Column], leaf: Revision) -> tuple[list, list[str]]:
    """A leaf as a row, and the columns whose values have no place in it."""
    row: list[object] = [leaf.document, reading.ids.get(leaf.document), leaf.name]
    rejects = []
    if leaf.is_broken:
        rejects.append(columns[2].name)
    for column in columns[2:-1]:
        value = leaf.body.get(column.source)
        if value is None:
            row.append(None)
        elif column.type == "integer":
            row.append(int(value))
        elif column.type == "real":
            is_lost = "." not in value and not set("eE") & set(value) and int(
                float(value)) != int(value)
            row.append(None if is_lost else float(value))
            rejects += [column.name] if is_lost else []
        elif column.type == "json":
            row.append(leaf.stored[column.source])
        else:
            row.append(int(value) if isinstance(value, bool) else value)
    # A body that is none takes the place of the first cell behind the version.
    return row + [None if rejects and len(columns) == 3 else reading.attachments(leaf)], rejects


def read(database: sqlite3.Connection, names: dict[str, list[str]]) -> Store:
    """Everything in a store."""
    reading = Reading(database, names)
    store = reading.store
    shown: dict[str | None, list[Revision]] = {}
    for document in sorted(set(reading.leaves) | set(reading.ids)):
        winner = reading.winner(document)
        live = [leaf for leaf in reading.leaves.get(document, []) if leaf.is_live]
        if winner is not None and not winner.is_removed:
            shown.setdefault(reading.type_of(winner), []).append(winner)
        if len(live) > 1:
            store.findings.add("document-conflict")
        if any(leaf.json is None for leaf in live):
            store.findings.add("missing-revision-body")
        if document not in reading.leaves:
            store.findings.add("document-without-leaf")
    called: dict[str | None, str] = {}
    order = sorted((key for key in shown if key is not None), key=str.encode)
    order += [None] if None in shown else []
    taken: set[str] = set()
    for key in order:
        called[key] = table_name("documents" if key is None else key, taken)
        columns = columns_of(reading, key)
        rows = []
        for winner in sorted(shown[key], key=lambda each: each.document):
            row, rejects = row_of(reading, columns, winner)
            rows.append(row)
            store.rejects += [(called[key], winner.document, name) for name in rejects]
        store.tables[called[key]] = (columns, rows)
    if store.rejects:
        store.findings.add("value-of-wrong-type")
    add_local(reading, taken)
    add_operations(reading, called, add_tokens(reading))
    if "expiry_timestamp" in names["docs"]:
        (count,) = database.execute(
            "SELECT count(*) FROM docs NOT INDEXED WHERE expiry_timestamp <= ?",
            (time.time(),)).fetchone()
        store.findings |= {"expired-document"} if count else set()
    return store


def table_name(name: str, taken: set[str]) -> str:
    """A table's name that is free."""
    base = "app_" + name if name.lower().startswith(("rehome_", "sqlite_")) else name
    name, number = base, 2
    while name.lower() in taken:
        name, number = f"{base}_{number}", number + 1
    taken.add(name.lower())
    return name


def is_of_the_sdk(name: str) -> bool:
    """Whether a local document is none of the app's."""
    return (name in LOCAL_OF_THE_SDK or name.startswith(OF_THE_SDK)
            or re.fullmatch("[0-9a-f]{40}", name) is not None)


def add_local(reading: Reading, taken: set[str]) -> None:
    """Adds the local documents of the app, and tells of those with secrets."""
    rows = []
    found = reading.database.execute(
        "SELECT rowid, docid, revid, json FROM localdocs NOT INDEXED ORDER BY rowid").fetchall()
    for key, docid, revid, body in found:
        name = docid.removeprefix("_local/")
        if name == "PersistentCookieStore" or name.startswith("cbl_cookie_storage"):
            reading.store.findings.add("secret-withheld")
        if not is_of_the_sdk(name):
            rows.append([key, name, revid, as_text(body)])
    if rows:
        columns = [Column("_id", "_id", "text", "id"),
                   Column("version", "_rev", "text", "version"), Column("json", "json", "json")]
        reading.store.tables[table_name("local_documents", taken)] = (columns, rows)


def add_tokens(reading: Reading) -> int:
    """Adds the checkpoints; returns the sequence up to which everything was pushed."""
    database, names, store = reading.database, reading.names, reading.store
    marks: list[tuple[int | None, str | None]] = []
    if "info" in names:
        for key, value in database.execute("SELECT key, value FROM info NOT INDEXED "
                                           "ORDER BY rowid"):
            if key == "cookies":
                store.findings.add("secret-withheld")
            if key.startswith("checkpoint/"):
                marks.append((-1, value))
                store.tokens.append({"table": None, "query": key.removeprefix("checkpoint/"),
                                     "raw": value, "updatedAt": None})
    if "replicators" in names:
        push = "push" if "push" in names["replicators"] else "-1"
        for remote, push, value in database.execute(
                f"SELECT remote, {push}, last_sequence FROM replicators NOT INDEXED "
                "ORDER BY rowid"):
            marks.append((push, value))
            store.tokens.append(
                {"table": None, "query": remote, "raw": value, "updatedAt": None})
    last = max(reading.revisions, default=0)
    for (number,) in database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'revs'"):
        last = number
    def numbers(*wanted: int | None) -> list[int]:
        return [int(value) for push, value in marks if push in wanted
                and value is not None and re.fullmatch("[0-9]+", value)]
    pushes = numbers(1)
    if pushes:
        store.findings |= {"pushed-to-some-remotes"} if min(pushes) < max(pushes) else set()
        store.findings |= {"checkpoint-beyond-store"} if max(pushes) > last else set()
        return max(pushes)
    unknown = [number for number in numbers(-1, None) if number <= last]
    if not unknown:
        store.findings.add("no-push-checkpoint")
        return 0
    if min(unknown) < max(unknown):
        store.findings.add("push-checkpoint-ambiguous")
    return min(unknown)


def add_operations(reading: Reading, called: dict[str | None, str], floor: int) -> None:
    """Adds the leaves above the floor."""
    store = reading.store
    store.effects = []
    seen = set()
    for leaf in reading.revisions.values():
        if not leaf.is_leaf or leaf.sequence <= floor or leaf.is_removed:
            continue
        line = reading.ancestors(leaf)
        below = next((each for each in line[1:] if each.sequence <= floor), None)
        is_born_here = (below is None and line[-1].parent is None
                        and (line[-1].order or (0,))[0] == 1
                        and all(each.json is not None for each in line))
        base = below.name if below else None if is_born_here else (
            line[1].name if len(line) > 1 else None)
        kind = "delete" if leaf.is_deleted else "insert" if is_born_here else "update"
        key = reading.type_of(leaf)
        table = called.get(key, "documents" if key is None else key)
        item: object = None
        if leaf.is_deleted:
            item = next((strict_json.parsed(each.text) for each in line if each.body), None)
        else:
            columns = columns_of(reading, key)
            row, rejects = row_of(reading, columns, leaf)
            # What is no row has no place for a value that is not of its column's type.
            is_row = key in called and reading.winner(leaf.document) is leaf
            if leaf.json is not None and (is_row or not rejects):
                item = {"_pk": row[0]} | {
                    column.name: exported(column, cell) for column, cell in zip(columns, row[1:])}
        store.operations.append({
            "table": table, "itemId": reading.ids.get(leaf.document), "kind": kind,
            "state": "pending", "item": item, "baseVersion": base,
            "originalId": str(leaf.sequence)})
        store.effects.append({"kind": kind, "table": table, "baseVersion": base,
                              "sequences": [len(store.operations)]})
        if (table, leaf.document) in seen:
            store.findings.add("several-operations-for-item")
        seen.add((table, leaf.document))
        check_blobs(reading, leaf)
    for document in reading.leaves:
        winner = reading.winner(document)
        if winner is not None and not winner.is_removed:
            check_blobs(reading, winner)


def check_blobs(reading: Reading, leaf: Revision) -> None:
    """Remembers the digests of a revision's attachments."""
    found = strict_json.parsed(reading.attachments(leaf))
    for each in found.values() if isinstance(found, dict) else ():
        digest = each.get("digest") if isinstance(each, dict) else None
        if isinstance(digest, str) and digest.startswith("sha1-"):
            try:
                key = base64.b64decode(digest[5:], validate=True)
            except ValueError:
                continue
            if len(key) == 20:
                reading.store.__dict__.setdefault("digests", set()).add(key.hex())


def look_beside(store: Store, path: Path) -> None:
    """Tells what the files beside a database show."""
    folders = [path.parent / f"{path.stem} attachments", path.parent / path.stem / "attachments"]
    if path.name == "db.sqlite3":
        folders.append(path.parent / "attachments")
        name = path.parent.stem
        if any((path.parent.parent / (name + ending)).exists()
               for ending in (".cblite", ".tmp.cblite2")):
            store.findings.add("leftover-upgrade")
    files = {file.name.lower(): file for folder in folders if folder.is_dir()
             for file in folder.iterdir()}
    for digest in store.__dict__.get("digests", ()):
        file = files.get(digest + ".blob")
        if file is None:
            store.findings.add("external-data-missing")
        elif hashlib.sha1(file.read_bytes()).hexdigest() != digest:
            store.findings.add("attachment-digest-mismatch")
