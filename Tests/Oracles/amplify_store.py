"""Reads a store of Amplify DataStore, written from the format's description alone.

`read_store` gives what `sibling_store.read_store` gives, and the findings that the store calls for
as a list of code, table, item and operation.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from pathlib import Path

from store_copy import Text, opened, quoted, table_columns, utf8
from strict_json import parsed

IOS = {
    "MutationEvent": "id createdAt inProcess json modelId modelName mutationType version",
    "MutationSyncMetadata": "id deleted lastChangedAt version",
    "ModelSyncMetadata": "id lastSync",
}
ANDROID = {
    "PersistentRecord": "id containedModelId containedModelClassName serializedMutationData",
    "LastSyncMetadata": "id modelClassName lastSyncTime",
    "PersistentModelVersion": "id version",
    "ModelMetadata": "id _deleted _lastChangedAt _version",
}
JS = {
    "MutationEvent": "id model data modelId operation condition",
    "ModelMetadata": "id namespace model lastSync lastFullSync fullSyncInterval",
    "Setting": "id key value",
}
MORE = {
    "ios": {"MutationSyncMetadataCopy"},
    "android": {"ModelMetadataCopy", "migration_flags", "android_metadata"},
    "js": set(),
}
TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)")
KINDS = {"create": "insert", "update": "update", "delete": "delete"}
JUDGED = (
    "row-deleted-on-server", "version-without-row", "tombstones-kept", "conditional-operation",
    "partial-payload", "queue-blocked", "payload-class-mismatch", "ambiguous-version-key",
    "never-synced", "operation-without-row", "operation-for-unknown-table",
    "undecodable-operation", "unknown-operation-kind", "update-without-version",
    "delete-without-item", "token-unreadable", "operation-in-doubt",
    "insert-after-pending", "operation-after-delete",
)


class NotAmplify(Exception):
    """The file is of another layout."""


def read_store(path: Path) -> dict[str, object]:
    """Everything a store holds, in canonical form."""
    with opened(path) as database:
        return Store(database).document()


def time_text(text: str) -> str | None:
    """The one spelling of an ISO time; None where it is none."""
    match = TIME.fullmatch(text)
    if match is None:
        return None
    try:
        moment = datetime(*map(int, match.groups()[:6]), tzinfo=timezone.utc)
        zone = match[8]
        if zone != "Z":
            digits = zone[1:].replace(":", "")
            hours, minutes = int(digits[:2]), int(digits[2:])
            if hours > 23 or minutes > 59:
                return None
            moment -= timedelta(hours=hours, minutes=minutes) * (-1 if zone[0] == "-" else 1)
    except (ValueError, OverflowError):
        return None
    digits = (match[7] or "").ljust(9, "0")
    digits = digits[:3] if digits.endswith("000000") else digits
    return moment.strftime("%Y-%m-%dT%H:%M:%S.").rjust(20, "0") + digits + "Z"


def milliseconds_text(value: int) -> str | None:
    """A count of milliseconds since 1970 as a time."""
    try:
        moment = datetime(1970, 1, 1) + timedelta(milliseconds=value)
    except OverflowError:
        return None
    return f"{moment.year:04}-" + moment.strftime("%m-%dT%H:%M:%S.") + f"{value % 1000:03}Z"


def with_quoted_id(text: str) -> str:
    """An Android payload with its one bare word in quotes."""
    depth, at, quoting = 0, 0, False
    while at < len(text):
        char = text[at]
        if quoting:
            at += 2 if char == "\\" else 1
            quoting = char != '"'
            continue
        if char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
        elif char == '"':
            found = re.match(r'"mutationId"\s*:\s*([0-9A-Fa-f-]{36})(?=\s*[,}])', text[at:])
            if depth == 1 and found:
                start, end = at + found.start(1), at + found.end(1)
                return text[:start] + '"' + text[start:end] + '"' + text[end:]
            quoting = True
        at += 1
    return text


class Store:
    """One store and what is found in it."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database
        names = [row[0].decode() for row in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY rowid")]
        self.columns = {name: table_columns(database, name) for name in names}
        self.variant = self.find_variant()
        own = {"ios": IOS, "android": ANDROID, "js": JS}[self.variant]
        hidden = set(own) | MORE[self.variant]
        self.models = [
            name for name in names if name not in hidden and not name.startswith("sqlite_")]
        self.findings: list[list[object]] = []
        self.rejects: list[dict[str, object]] = []
        self.key_of = {model: self.key_column(model) for model in self.models}
        self.read_metadata()
        self.generation = self.find_generation()
        self.tables = {model: self.table(model) for model in self.models}
        self.read_queue()
        self.attach_rows()
        self.tokens = self.read_tokens()
        self.judge()

    def find_variant(self) -> str:
        for name, shape in (("ios", IOS), ("android", ANDROID), ("js", JS)):
            if all(set(columns.split()) <= set(self.columns.get(table, ()))
                   for table, columns in shape.items()):
                return name
        raise NotAmplify("none of the three variants")

    def document(self) -> dict[str, object]:
        return {
            "layout": "amplify-datastore", "generation": self.generation, "tables": self.tables,
            "operations": self.operations, "garbage": set(), "changed": set(), "errors": [],
            "tokens": self.tokens, "rejects": self.rejects,
            "findings": [each for each in self.findings if each[0] in JUDGED],
        }

    def sql(self, table: str) -> str:
        row = self.database.execute(
            "SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        return (row[0] or b"").decode() if row else ""

    def key_column(self, model: str) -> str | None:
        keys = [row[1].decode() for row in
                self.database.execute(f"PRAGMA table_info({quoted(model)})") if row[5]]
        if "@@primaryKey" in self.columns[model]:
            return "@@primaryKey" if keys == ["@@primaryKey"] else None
        return keys[0] if len(keys) == 1 else None

    # Metadata

    def read_metadata(self) -> None:
        """(model, item) → (version, deleted); a bare id stands under None."""
        self.metadata: dict[tuple[str | None, str], tuple[int | None, bool]] = {}
        self.bare = False
        if self.variant == "js":
            return
        table, deleted, version = (
            ("MutationSyncMetadata", "deleted", "version") if self.variant == "ios"
            else ("ModelMetadata", "_deleted", "_version"))
        rows = [(utf8(row[0]), row[1], row[2]) for row in self.database.execute(
            f"SELECT id, {deleted}, {version} FROM {table} ORDER BY rowid")]
        rows = [row for row in rows if row[0] is not None]
        known = [row for row in rows if row[0].partition("|")[0] in self.models and "|" in row[0]]
        self.bare = bool(rows) and not known and any("|" not in row[0] for row in rows)
        for text, is_deleted, number in rows:
            model, bar, item = text.partition("|")
            place = (None, text) if self.bare or not bar else (model, item)
            value = number if isinstance(number, int) else None
            self.metadata[place] = (value, is_deleted == 1)

    def version(self, model: str | None, item: str | None) -> int | None:
        place = (None, item) if self.bare else (model, item)
        return self.metadata.get(place, (None, False))[0]

    def find_generation(self) -> str:
        if self.variant == "js":
            return "js"
        if self.variant == "ios":
            if "syncPredicate" in self.columns["ModelSyncMetadata"]:
                return "ios-3"
            if self.metadata:
                return "ios-1" if self.bare else "ios-2"
            old = re.match(r"CREATE TABLE\s+MutationEvent\b", self.sql("MutationEvent"))
            return "ios-1" if old else "ios-2"
        if "migration_flags" in self.columns:
            return "android-5"
        if "syncExpression" in self.columns["LastSyncMetadata"]:
            return "android-4"
        if "__typename" in self.columns["ModelMetadata"] or any(
                "PRIMARY KEY ( 'id')" in self.sql(table) for table in ANDROID):
            return "android-3"
        if self.metadata:
            return "android-1" if self.bare else "android-2"
        first = self.database.execute(
            "SELECT serializedMutationData FROM PersistentRecord ORDER BY rowid").fetchone()
        record = parsed(with_quoted_id(utf8(first[0]) or "")) if first else None
        record = record if isinstance(record, dict) else {}
        item = record.get("mutatedItem")
        plain = isinstance(item, dict) and "serializedData" not in item
        old = "`PersistentRecord`" not in self.sql("PersistentRecord")
        return "android-1" if old or "classOfMutatedItem" in record or plain else "android-2"

    # Tables

    def table(self, model: str) -> dict[str, object]:
        declared = self.columns[model]
        key = self.key_of[model]
        is_js = self.variant == "js" and {"id", "_version", "_deleted"} <= set(declared)
        columns: list[dict[str, object]] = []
        values = {
            name: [row[0] for row in self.database.execute(
                f"SELECT {quoted(name)} FROM {quoted(model)} ORDER BY rowid")]
            for name in declared
        }
        for name, kind in declared.items():
            kind = {"TEXT": "text", "INTEGER": "integer", "REAL": "real", "": "text"}[kind]
            if self.variant == "js":
                kind = by_content(values[name], kind)
            column = {"name": name, "sourceName": name, "type": kind, "role": "value"}
            if name == key:
                column["role"] = "id"
            elif is_js and name == "_version":
                column |= {"type": "version", "role": "version",
                           "name": name if "version" in declared else "version"}
            elif is_js and name == "_deleted":
                column |= {"type": "boolean", "role": "deleted",
                           "name": name if "deleted" in declared else "deleted"}
            elif name in ("createdAt", "updatedAt") and kind == "text" and all(
                    each is None or time_text(utf8(each) or "") for each in values[name]):
                column |= {"type": "timestamp", "role": name}
            columns.append(column)
        cells = {
            each["name"]: [self.cell(value, each["type"]) for value in values[each["sourceName"]]]
            for each in columns
        }
        keys = [row[0] for row in self.database.execute(
            f"SELECT rowid FROM {quoted(model)} ORDER BY rowid")]
        for each in columns:
            for pk, raw, shown in zip(keys, values[each["sourceName"]], cells[each["name"]]):
                if raw is not None and isinstance(shown, str) and shown.startswith("\0reject"):
                    self.rejects.append({"table": model, "pk": pk, "column": each["name"],
                                         "code": shown.partition(" ")[2]})
            if each["type"] == "version":
                each["type"] = "text"
        if self.variant != "js" and key is not None:
            name = "_version" if "version" in declared else "version"
            ids = [utf8(value) for value in values[key]]
            numbers = [self.version(model, each) if each is not None else None for each in ids]
            columns.append({"name": name, "sourceName": name, "type": "text", "role": "version"})
            cells[name] = [None if each is None else str(each) for each in numbers]
        rows = [
            [pk] + [None if isinstance(cells[each["name"]][at], str)
                    and cells[each["name"]][at].startswith("\0reject")
                    else cells[each["name"]][at] for each in columns]
            for at, pk in enumerate(keys)
        ]
        return {"columns": columns, "rows": rows}

    def cell(self, value: object, kind: str) -> object:
        """A stored value as its column's type, or a mark that it is rejected."""
        if value is None:
            return None
        wrong = "\0reject value-of-wrong-type"
        if kind in ("text", "timestamp"):
            if not isinstance(value, Text):
                return wrong
            text = utf8(value)
            if text is None:
                return "\0reject invalid-text"
            return time_text(text) if kind == "timestamp" else text
        if kind == "version":
            return str(value) if isinstance(value, int) else wrong
        if kind == "boolean":
            return bool(value) if value in (0, 1) else wrong
        if kind == "real":
            if isinstance(value, int) and int(float(value)) == value:
                return float(value)
            if isinstance(value, float):
                return {float("inf"): "Infinity", float("-inf"): "-Infinity"}.get(value, value)
            return wrong
        return value if isinstance(value, int) else wrong

    # Queue

    def read_queue(self) -> None:
        self.operations: list[dict[str, object]] = []
        self.codes: list[str | None] = []
        self.readable: list[bool] = []
        getattr(self, f"read_{self.variant}")()

    def attach_rows(self) -> None:
        """Where a payload cannot be read, the row is what is left to show."""
        for each in self.operations:
            key = self.key_of.get(each["table"])
            if each["item"] is not None or each["kind"] not in ("insert", "update") or not key:
                continue
            table = self.tables[each["table"]]
            names = ["_pk"] + [column["name"] for column in table["columns"]]
            for row in table["rows"]:
                shown = dict(zip(names, row))
                if shown[key] == each["itemId"]:
                    each["item"] = shown

    def add(self, original: object, table: str | None, item_id: str | None, code: str | None,
            item: object, **more: object) -> dict[str, object]:
        kind = KINDS.get(code or "")
        if self.variant != "ios":
            kind = {"CREATE": "insert", "Create": "insert", "UPDATE": "update",
                    "Update": "update", "DELETE": "delete", "Delete": "delete"}.get(code or "")
            if (code or "").isupper() != (self.variant == "android"):
                kind = None
        operation = {
            "sequence": len(self.operations) + 1, "table": table, "itemId": item_id, "kind": kind,
            "state": "pending", "item": item if kind and isinstance(item, dict) else None,
            "baseVersion": None, "originalId": utf8(original),
        } | more
        if kind not in ("update", "delete"):
            operation["baseVersion"] = None
        self.operations.append(operation)
        self.codes.append(code)
        self.readable.append(True)
        return operation

    def conditional(self, condition: object) -> None:
        if condition:
            self.found("conditional-operation", self.operations[-1])

    def read_ios(self) -> None:
        for row in self.database.execute(
                "SELECT id, modelName, modelId, mutationType, json, graphQLFilterJSON, inProcess,"
                " version FROM MutationEvent ORDER BY createdAt, rowid"
                if "graphQLFilterJSON" in self.columns["MutationEvent"] else
                "SELECT id, modelName, modelId, mutationType, json, NULL, inProcess, version"
                " FROM MutationEvent ORDER BY createdAt, rowid"):
            table, item_id = utf8(row[1]), utf8(row[2])
            item = parsed(utf8(row[4]))
            if isinstance(item, list) and len(item) == 1:
                item = item[0]
            numbers = [self.version(table, item_id), row[7]]
            numbers = [each for each in numbers if isinstance(each, int)]
            self.add(row[0], table, item_id, utf8(row[3]), item,
                     state="attempted" if row[6] == 1 else "pending",
                     baseVersion=str(max(numbers)) if numbers else None)
            self.readable[-1] = isinstance(item, dict) or row[4] in (None, b"")
            self.conditional(utf8(row[5]) is not None and parsed(utf8(row[5])) != {})

    def read_js(self) -> None:
        for row in self.database.execute(
                "SELECT id, model, modelId, operation, data, condition FROM MutationEvent"
                " ORDER BY _rowid_"):
            item = parsed(utf8(row[4]))
            number = item.get("_version") if isinstance(item, dict) else None
            is_whole = isinstance(number, int) and not isinstance(number, bool)
            operation = self.add(row[0], utf8(row[1]), utf8(row[2]), utf8(row[3]), item,
                                 baseVersion=str(number) if is_whole else None)
            self.readable[-1] = isinstance(item, dict) or row[4] in (None, b"")
            self.conditional(utf8(row[5]) is not None and parsed(utf8(row[5])) != {})
            if operation["kind"] == "update":
                self.found("partial-payload", operation)

    def read_android(self) -> None:
        for place, row in enumerate(self.database.execute(
                "SELECT id, containedModelId, containedModelClassName, serializedMutationData"
                " FROM PersistentRecord ORDER BY rowid")):
            class_name = (utf8(row[2]) or "").rpartition(".")[2] or None
            record = parsed(with_quoted_id(utf8(row[3]) or ""))
            # A record without an item says nothing that could be sent.
            is_readable = isinstance(record, dict) and isinstance(record.get("mutatedItem"), dict)
            record = record if is_readable else {}
            schema = record.get("modelSchema")
            schema = schema if isinstance(schema, dict) else {}
            old_class = record.get("classOfMutatedItem")
            mutated = record.get("mutatedItem")
            mutated = mutated if isinstance(mutated, dict) else None
            table = schema.get("name")
            if not isinstance(table, str):
                table = old_class.rpartition(".")[2] if isinstance(old_class, str) else None
            if table is None and class_name != "SerializedModel":
                table = class_name
            data = (mutated or {}).get("serializedData")
            item = data if isinstance(data, dict) else mutated
            code = record.get("mutationType")
            item_id = utf8(row[1])
            number = self.version(table, item_id)
            operation = self.add(row[0], table, item_id, code if isinstance(code, str) else None,
                                 item, baseVersion=None if number is None else str(number))
            predicate = record.get("predicate")
            self.conditional(predicate is not None and not (
                isinstance(predicate, dict) and predicate.get("_type") == "ALL"))
            if place == 0 and (not is_readable or self.has_bare_group(predicate)):
                self.found("queue-blocked", operation)
            if isinstance(data, dict) and class_name != "SerializedModel":
                self.found("payload-class-mismatch", operation)
            if operation["kind"] == "update" and isinstance(data, dict):
                fields, relations = schema.get("fields"), schema.get("associations")
                relations = relations if isinstance(relations, dict) else {}
                missing = [
                    name for name, field in (fields if isinstance(fields, dict) else {}).items()
                    if name not in data and name not in relations and not (
                        isinstance(field, dict) and any(field.get(mark) is True for mark in (
                            "isModel", "isModelReference", "isModelList")))]
                if missing:
                    self.found("partial-payload", operation)

    def has_bare_group(self, predicate: object) -> bool:
        if not isinstance(predicate, dict) or not isinstance(predicate.get("predicates"), list):
            return False
        return any(not isinstance(each, dict) or "_type" not in each or self.has_bare_group(each)
                   for each in predicate["predicates"])

    def read_tokens(self) -> list[dict[str, object]]:
        table, model, query, value = {
            "ios": ("ModelSyncMetadata", "id", "syncPredicate", "lastSync"),
            "android": ("LastSyncMetadata", "modelClassName", "syncExpression", "lastSyncTime"),
            "js": ("ModelMetadata", "model", "lastSyncPredicate", "lastSync"),
        }[self.variant]
        query = query if query in self.columns[table] else "NULL"
        tokens = []
        for name, text, number in self.database.execute(
                f"SELECT {model}, {query}, {value} FROM {table} ORDER BY rowid"):
            time = milliseconds_text(number) if isinstance(number, int) else None
            if number is not None and time is None:
                self.findings.append(["token-unreadable", utf8(name), None, None])
            raw = utf8(number) if isinstance(number, Text) else number
            tokens.append({"table": utf8(name), "query": utf8(text), "updatedAt": time,
                           "raw": None if raw is None else str(raw)})
        return tokens

    # Findings

    def found(self, code: str, operation: dict[str, object]) -> None:
        self.findings.append(
            [code, operation["table"], operation["itemId"], operation["sequence"]])

    def ids(self, model: str) -> set[str | None]:
        key = self.key_of[model]
        if key is None:
            return set()
        return {utf8(row[0]) for row in self.database.execute(
            f"SELECT {quoted(key)} FROM {quoted(model)}")} - {None}

    def judge(self) -> None:
        ids = {model: self.ids(model) for model in self.models}
        waiting = {(each["table"], each["itemId"]) for each in self.operations}
        self.judge_metadata(ids, waiting)
        rows = any(table["rows"] for table in self.tables.values())
        known = self.metadata or any(
            row[at] is not None for table in self.tables.values()
            for at, column in enumerate(table["columns"], 1) if column["role"] == "version"
            for row in table["rows"])
        if rows and not known and not self.operations and not self.tokens:
            self.findings.append(["never-synced", None, None, None])
        chains: dict[object, list[dict[str, object]]] = defaultdict(list)
        for each, code, readable in zip(self.operations, self.codes, self.readable):
            if each["kind"] is None:
                named = code is not None
                self.found("unknown-operation-kind" if named else "undecodable-operation", each)
            elif not readable:
                self.found("undecodable-operation", each)
            if each["state"] == "attempted":
                self.found("operation-in-doubt", each)
            if each["table"] is not None and each["table"] not in self.tables:
                self.found("operation-for-unknown-table", each)
            if each["kind"] == "delete" and each["item"] in (None, {}):
                self.found("delete-without-item", each)
            if each["kind"] and each["table"] is not None and each["itemId"]:
                chains[each["table"], each["itemId"]].append(each)
        for (table, item), chain in chains.items():
            self.judge_chain(table, item, chain, ids)

    def judge_chain(self, table: str, item: str, chain: list[dict[str, object]],
                    ids: dict[str, set[str | None]]) -> None:
        for at, each in enumerate(chain):
            before = chain[at - 1]["kind"] if at else None
            if each["kind"] == "insert" and before in ("insert", "update"):
                self.found("insert-after-pending", each)
            if before == "delete":
                self.found("operation-after-delete", each)
            if each["kind"] == "delete" or table not in self.tables:
                continue
            ends = at + 1 < len(chain) and "delete" in (
                chain[at + 1]["kind"], chain[-1]["kind"])
            lacks = item not in ids[table] and not ends
            if lacks:
                self.found("operation-without-row", each)
            if (each["kind"] == "update" and each["baseVersion"] is None
                    and before in (None, "delete") and not ends and self.key_of[table]):
                self.found("update-without-version", each)

    def judge_metadata(self, ids: dict[str, set[str | None]],
                       waiting: set[tuple[object, object]]) -> None:
        tombstones = 0
        for (model, item), (_, deleted) in self.metadata.items():
            if model is None:
                holders = [each for each in self.models if self.bare and item in ids[each]]
                waits = self.bare and any(each[1] == item for each in waiting)
                if len(holders) > 1:
                    self.findings.append(["ambiguous-version-key", None, item, None])
            else:
                holders = [model] if item in ids.get(model, ()) else []
                waits = (model, item) in waiting
            if deleted:
                tombstones += not holders
                for each in holders:
                    self.findings.append(["row-deleted-on-server", each, item, None])
            elif not holders and not waits:
                self.findings.append(["version-without-row", model, item, None])
        if tombstones:
            self.findings.append(["tombstones-kept", None, None, None])


def by_content(values: list[object], declared: str) -> str:
    """The type under which fewest values are rejected; the declared one where that is a tie."""
    texts = sum(isinstance(each, Text) for each in values)
    wholes = sum(isinstance(each, int) for each in values)
    reals = sum(isinstance(each, float) for each in values)
    blobs = sum(isinstance(each, bytes) and not isinstance(each, Text) for each in values)
    exact = sum(isinstance(each, int) and int(float(each)) == each for each in values)
    taken = {"text": texts, "binary": blobs}
    if reals or declared == "real":
        taken["real"] = reals + exact
    taken["integer"] = wholes
    most = max(taken.values())
    if most == 0 or taken.get(declared) == most:
        return declared
    return next(kind for kind, count in taken.items() if count == most)
