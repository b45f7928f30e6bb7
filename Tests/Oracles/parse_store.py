"""Reads a Local Datastore of Parse, written from the format's description alone.

`read_store` gives what `sibling_store.read_store` gives, and the findings that the store calls for
as a list of code, table, item and operation.
"""

from __future__ import annotations

import base64
import binascii
import json
import sqlite3
from pathlib import Path

import strict_json
from amplify_store import time_text
from store_copy import Text, opened, table_columns, utf8

OBJECTS = {"uuid", "className", "objectId", "json", "isDeletingEventually"}
PINS = ("_Pin", "_EventuallyPin")
RESERVED = {"className", "objectId", "createdAt", "updatedAt", "isDeletingEventually", "__type"}
SECRETS = {
    "_User": {"sessionToken", "authData", "password"}, "_Session": {"sessionToken"},
    "_Installation": {"installationId"},
}
OPERATIONS = {"Delete", "Increment", "Add", "AddUnique", "Remove", "AddRelation",
              "RemoveRelation", "Batch"}
JUDGED = (
    "operation-without-row", "operation-never-pushed", "undecodable-operation",
    "unknown-operation-kind", "duplicate-operation-id", "unsaved-changes",
    "operation-set-missing", "command-operation", "secret-withheld", "incomplete-object",
    "placeholder-object", "unpinned-object", "operation-after-delete",
    "operation-for-unknown-table", "missing-item-id", "update-without-version",
    "item-id-case-twins", "delete-without-item", "row-without-version-or-operation",
    "operation-without-target",
)


class NotParse(Exception):
    """The file is of another layout."""


class Number(str):
    """A JSON number, as it is spelled."""


def parsed(text: str | None) -> object:
    """A JSON document, strictly, with its numbers as they are spelled."""
    return strict_json.parsed(text, Number)


def compact(value: object) -> str:
    """A value as compact JSON, numbers as they were spelled."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{compact(k)}:{compact(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(compact, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def stored_members(text: str) -> dict[str, str]:
    """The texts of the members' values of an object that is known to be sound."""
    found: dict[str, str] = {}
    decoder = json.JSONDecoder()
    at = text.index("{") + 1
    while True:
        while text[at] in " \t\r\n,":
            at += 1
        if text[at] == "}":
            return found
        key, at = decoder.raw_decode(text, at)
        at = text.index(":", at) + 1
        while text[at] in " \t\r\n":
            at += 1
        _, end = decoder.raw_decode(text, at)
        found[key] = text[at:end]
        at = end


def kind_of(value: object) -> str | None:
    """The logical type that a value shows; None for null."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, Number):
        is_whole = not set(value) & set(".eE") and -(2**63) <= int(value) < 2**63
        return "integer" if is_whole else "real"
    if isinstance(value, str):
        return "text"
    if isinstance(value, dict):
        return {"Date": "timestamp", "Bytes": "binary"}.get(value.get("__type"), "json")
    return "json"


def same(left: object, right: object) -> bool:
    """Whether two values are equal to the SDK: pointers by class and id, numbers by value."""
    if isinstance(left, Number) and isinstance(right, Number):
        return float(left) == float(right)
    if isinstance(left, dict) and isinstance(right, dict):
        if left.get("__type") == right.get("__type") == "Pointer":
            return (left.get("className"), left.get("objectId")) == (
                right.get("className"), right.get("objectId"))
        return left.keys() == right.keys() and all(same(left[k], right[k]) for k in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


class Document:
    """One row of `ParseObjects`."""

    def __init__(self, row: tuple) -> None:
        self.key, self.uuid, self.class_name, self.object_id, self.text, self.flag = row
        self.uuid, self.class_name = utf8(self.uuid), utf8(self.class_name)
        self.object_id, text = utf8(self.object_id), utf8(self.text)
        value = parsed(text)
        self.is_placeholder = self.text is None
        self.body = value if isinstance(value, dict) else {}
        self.is_broken = not self.is_placeholder and not isinstance(value, dict)
        self.stored = {} if self.is_broken or self.is_placeholder else stored_members(text)
        sets = self.body.get("__operations")
        self.sets = sets if isinstance(sets, list) else []
        self.fields = {name: value for name, value in self.body.items()
                       if name not in RESERVED and not name.startswith("__")}
        self.touched: set[str] = set()
        for each in self.sets:
            if isinstance(each, dict):
                self.apply(each)

    @property
    def item_id(self) -> str | None:
        return self.object_id if self.object_id is not None else self.uuid

    def apply(self, operations: dict[str, object]) -> None:
        for name, operation in operations.items():
            if name.startswith("__") or name in RESERVED:
                continue
            self.touched.add(name)
            word = operation.get("__op") if isinstance(operation, dict) else None
            if not isinstance(operation, dict) or "__op" not in operation or name == "ACL":
                self.fields[name] = operation
            elif word == "Delete":
                self.fields.pop(name, None)
            else:
                self.change(name, word, operation)

    def change(self, name: str, word: object, operation: dict[str, object]) -> None:
        old = self.fields.get(name)
        objects = operation.get("objects")
        objects = objects if isinstance(objects, list) else []
        if word == "Increment":
            amount = operation.get("amount")
            if isinstance(amount, Number) and (old is None or isinstance(old, Number)):
                self.fields[name] = total(old, amount)
        elif word in ("Add", "AddUnique", "Remove"):
            if old is not None and not isinstance(old, list):
                return
            items = list(old or [])
            if word == "Add":
                items += objects
            elif word == "AddUnique":
                for each in objects:
                    if not any(same(each, other) for other in items):
                        items.append(each)
            else:
                items = [each for each in items if not any(same(each, o) for o in objects)]
            self.fields[name] = items
        elif word in ("AddRelation", "RemoveRelation"):
            relation = old if isinstance(old, dict) and old.get("__type") == "Relation" else None
            if old is not None and relation is None:
                return
            known = (relation or {}).get("objects")
            known = list(known) if isinstance(known, list) else []
            if word == "AddRelation":
                for each in objects:
                    if not any(same(each, other) for other in known):
                        known.append(each)
            else:
                known = [each for each in known if not any(same(each, o) for o in objects)]
            target = (relation or {}).get("className")
            if target is None and objects and isinstance(objects[0], dict):
                target = objects[0].get("className")
            self.fields[name] = {"__type": "Relation", "className": target, "objects": known}
        elif word == "Batch":
            for each in operation.get("ops") or []:
                if isinstance(each, dict):
                    self.change(name, each.get("__op"), each)


def total(old: Number | None, amount: Number) -> Number:
    """The sum of two numbers; whole where both are and it has room."""
    left, right = old or Number("0"), amount
    if kind_of(left) == kind_of(right) == "integer":
        value = int(left) + int(right)
        if -(2**63) <= value < 2**63:
            return Number(value)
    number = float(left) + float(right)
    return Number(json.dumps(number)) if abs(number) != float("inf") else left


def is_decodable(operations: object) -> bool:
    """Whether every change of a set is of a known kind."""
    if not isinstance(operations, dict):
        return False
    return all(
        name == "ACL" or known(value)
        for name, value in operations.items() if not name.startswith("__"))


def known(value: object) -> bool:
    if not isinstance(value, dict) or "__op" not in value:
        return True
    if value["__op"] == "Batch":
        ops = value.get("ops")
        return isinstance(ops, list) and all(
            isinstance(each, dict) and each.get("__op") in ("AddRelation", "RemoveRelation")
            for each in ops)
    return value["__op"] in OPERATIONS


def has_changes(operations: object) -> bool:
    return isinstance(operations, dict) and any(
        not name.startswith("__") for name in operations)


def read_store(path: Path) -> dict[str, object]:
    """Everything a store holds, in canonical form."""
    with opened(path) as database:
        return Store(database).document()


class Store:
    """One store and what is found in it."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database
        if not (OBJECTS <= set(table_columns(database, "ParseObjects"))
                and {"key", "uuid"} <= set(table_columns(database, "Dependencies"))):
            raise NotParse("not both tables")
        self.objects = [Document(row) for row in database.execute(
            "SELECT rowid, uuid, className, objectId, json, isDeletingEventually"
            " FROM ParseObjects ORDER BY rowid")]
        self.pins = [(utf8(a), utf8(b)) for a, b in database.execute(
            "SELECT key, uuid FROM Dependencies")]
        self.generation = self.find_generation()
        self.secrets = 0
        self.rejects: list[dict[str, object]] = []
        self.findings: list[list[object]] = []
        self.data = [each for each in self.objects if each.class_name not in PINS]
        classes = sorted({each.class_name for each in self.data}, key=str.encode)
        self.tables = {name: self.table(name) for name in classes}
        self.read_queue()
        self.judge()

    def document(self) -> dict[str, object]:
        return {
            "layout": "parse-local-datastore", "generation": self.generation,
            "tables": self.tables, "operations": self.operations, "garbage": set(),
            "changed": set(), "errors": [], "tokens": [], "rejects": self.rejects,
            "findings": [each for each in self.findings if each[0] in JUDGED],
        }

    def find_generation(self) -> str:
        version = self.database.execute("PRAGMA user_version").fetchone()[0]
        if version != 4 and not table_columns(self.database, "android_metadata"):
            return "ios"
        keys = {name for each in self.objects for name in each.body}
        if "__selectedKeys" in keys:
            return "android-2"
        if "__isDeletingEventually" in keys:
            return "android-1"
        return "android-0" if "isDeletingEventually" in keys else "android-2"

    # Tables

    def table(self, name: str) -> dict[str, object]:
        rows = [each for each in self.data if each.class_name == name]
        hidden = SECRETS.get(name, set())
        for each in rows:
            self.secrets += sum(key in hidden for key in each.body)
            self.secrets += sum(key in hidden for one in each.sets if isinstance(one, dict)
                                for key in one)
        names = sorted({key for each in rows for key in each.fields} - hidden, key=str.encode)
        kinds: dict[str, str] = {}
        for field in names:
            found = {kind_of(each.fields.get(field)) for each in rows} - {None}
            kinds[field] = ("text" if not found else found.pop() if len(found) == 1
                            else "real" if found == {"integer", "real"} else "json")
        deleted = "isDeletingEventually" if "deleted" in names else "deleted"
        columns = [("objectId", "text", "id"), ("_uuid", "text", "value"),
                   ("createdAt", "timestamp", "createdAt"),
                   ("updatedAt", "timestamp", "updatedAt"), (deleted, "boolean", "deleted")]
        columns += [(field, kinds[field], "value") for field in names]
        shown = []
        for each in rows:
            flags = [each.flag, each.body.get("__isDeletingEventually"),
                     each.body.get("isDeletingEventually")]
            row = [each.key, each.object_id, each.uuid]
            if each.is_broken:
                is_text = isinstance(each.text, Text) and utf8(each.text) is None
                self.rejects.append({
                    "table": name, "pk": each.key, "column": "createdAt",
                    "code": "invalid-text" if is_text else "value-of-wrong-type"})
            for time in ("createdAt", "updatedAt"):
                row.append(self.cell(name, each, time, "timestamp", each.body.get(time), True))
            row.append(any(is_above_zero(flag) for flag in flags))
            for field in names:
                row.append(self.cell(name, each, field, kinds[field], each.fields.get(field)))
            shown.append(row)
        return {"columns": [{"name": a, "sourceName": a, "type": b, "role": c}
                            for a, b, c in columns], "rows": shown}

    def cell(self, table: str, row: Document, name: str, kind: str, value: object,
             plain: bool = False) -> object:
        if kind == "json" and value is not None:
            return compact(value) if name in row.touched else row.stored[name]
        if value is None:
            return None
        result: object = None
        if kind == "timestamp":
            text = value if plain else value.get("iso")
            is_text = isinstance(text, str) and not isinstance(text, Number)
            result = time_text(text) if is_text else None
        elif kind == "binary":
            text = value.get("base64")
            try:
                result = base64.b64encode(base64.b64decode(text, validate=True)).decode()
            except (TypeError, ValueError, binascii.Error):
                result = None
        elif kind == "real":
            number = float(value)
            is_inexact = kind_of(value) == "integer" and int(number) != int(value)
            result = None if is_inexact or abs(number) == float("inf") else number
        elif kind == "integer":
            result = int(value)
        else:
            result = value
        if result is None:
            self.rejects.append({"table": table, "pk": row.key, "column": name,
                                 "code": "value-of-wrong-type"})
        return result

    # Queue

    def read_queue(self) -> None:
        self.operations: list[dict[str, object]] = []
        # The object and the set of each operation.
        self.sources: list[tuple[Document | None, object]] = []
        self.sent: set[str] = set()
        by_uuid = {each.uuid: each for each in self.objects}
        queues = {each.uuid for each in self.objects
                  if each.class_name == "_Pin" and each.fields.get("_name") == "_eventuallyPin"}
        kept = {uuid for key, uuid in self.pins if key in queues}
        waiting = [each for each in self.objects if each.class_name == "_EventuallyPin"]
        def time(each: Document) -> tuple[str, int]:
            value = each.fields.get("time")
            text = value.get("iso") if isinstance(value, dict) else None
            return (time_text(text) if isinstance(text, str) else None) or "~", each.key
        ordered = sorted((each for each in waiting if each.uuid in kept), key=time)
        lost = sorted((each for each in waiting if each.uuid not in kept), key=time)
        for each in ordered + lost:
            self.add_pin(each, by_uuid)
            if each in lost:
                self.found("operation-never-pushed")
        named = {each.fields.get("operationSetUUID") for each in waiting}
        for row in self.data:
            for one in row.sets:
                if isinstance(one, dict) and one.get("__isSaveEventually") is True and (
                        text_of(one.get("__uuid")) not in named):
                    self.add_set(row, one, "pending")
                    self.found("operation-never-pushed")
        for row in self.data:
            for at, one in enumerate(row.sets):
                is_last = at == len(row.sets) - 1
                if isinstance(one, dict) and one.get("__isSaveEventually") is True:
                    continue
                is_new = is_last and row.object_id is None and not self.has_operation(row)
                if isinstance(one, dict) and not has_changes(one) and not is_new:
                    continue
                self.add_set(row, one, "pending" if is_last else "attempted")
                self.found("unsaved-changes")

    def has_operation(self, row: Document) -> bool:
        return any(each["_row"] is row for each in self.operations)

    def kind_of_save(self, row: Document) -> str:
        is_new = row.object_id is None or (
            self.generation != "ios" and "createdAt" not in row.body
            and row.body.get("__complete") is True)
        return "insert" if is_new and not self.has_operation(row) else "update"

    def add(self, row: Document | None, table: str | None, item: str | None, kind: str | None,
            state: str, original: object) -> dict[str, object]:
        operation = {
            "sequence": len(self.operations) + 1, "table": table, "itemId": item, "kind": kind,
            "state": state, "item": None, "baseVersion": None, "originalId": text_of(original),
            "_row": row,
        }
        if row is not None and kind is not None:
            operation["item"] = self.shown(row)
        self.operations.append(operation)
        self.sources.append((row, None))
        return operation

    def shown(self, row: Document) -> dict[str, object]:
        table = self.tables[row.class_name]
        cells = next(each for each in table["rows"] if each[0] == row.key)
        return dict(zip(["_pk"] + [each["name"] for each in table["columns"]], cells))

    def add_set(self, row: Document, one: object, state: str) -> None:
        kind = self.kind_of_save(row) if is_decodable(one) else None
        original = one.get("__uuid") if isinstance(one, dict) else None
        self.add(row, row.class_name, row.item_id, kind, state, original)
        self.sources[-1] = (row, one)
        if kind is None:
            self.found("undecodable-operation")

    def add_pin(self, pin: Document, by_uuid: dict[str, Document]) -> None:
        fields = pin.fields
        self.secrets += "sessionToken" in fields
        number = fields.get("type")
        number = int(number) if isinstance(number, Number) and kind_of(number) == "integer" else None
        if number == 3:
            command = fields.get("command")
            command = command if isinstance(command, dict) else {}
            self.secrets += "sessionToken" in command
            operation = self.add(None, None, None, None, "pending", fields.get("uuid"))
            parameters = command.get("parameters")
            operation["item"] = plain(parameters) if isinstance(parameters, dict) else None
            return self.found("command-operation")
        target = fields.get("object")
        target = target if isinstance(target, dict) else {}
        row = None
        if target.get("__type") == "OfflineObject":
            row = by_uuid.get(text_of(target.get("uuid")))
            table, item = None, text_of(target.get("uuid"))
        else:
            table, item = text_of(target.get("className")), text_of(target.get("objectId"))
            row = next((each for each in self.data if each.class_name == table
                        and item is not None and each.object_id == item), None)
        row = row if row is not None and row.class_name not in PINS else None
        if row is not None:
            table, item = row.class_name, row.item_id
        kind, one = None, None
        if number == 1:
            name = text_of(fields.get("operationSetUUID"))
            one = next((each for each in row.sets if isinstance(each, dict)
                        and name is not None and text_of(each.get("__uuid")) == name),
                       None) if row else None
            kind = self.kind_of_save(row) if row else "update"
            if one is not None and not is_decodable(one):
                kind = None
        elif number == 2:
            kind = "delete"
        self.add(row, table, item, kind, "pending", fields.get("uuid"))
        self.sources[-1] = (row, one)
        if kind is None:
            is_unknown = number not in (None, 1)
            self.found("unknown-operation-kind" if is_unknown else "undecodable-operation")
        elif number == 1 and row is not None and one is None:
            self.found("operation-set-missing")

    # Findings

    def found(self, code: str) -> None:
        each = self.operations[-1]
        self.findings.append([code, each["table"], each["itemId"], each["sequence"]])

    def judge(self) -> None:
        if self.secrets:
            self.findings.append(["secret-withheld", None, None, None])
        kept = {uuid for _, uuid in self.pins}
        for each in self.data:
            place = [each.class_name, each.item_id, None]
            if each.is_placeholder:
                self.findings.append(["placeholder-object", *place])
            if each.body.get("__complete") is False:
                self.findings.append(["incomplete-object", *place])
            if each.uuid not in kept:
                self.findings.append(["unpinned-object", *place])
        seen: set[object] = set()
        chains: dict[object, str] = {}
        ends: dict[object, str] = {}
        for each in reversed(self.operations):
            if each["kind"]:
                ends.setdefault((each["table"], each["itemId"]), each["kind"])
        for each in self.operations:
            place = [each["table"], each["itemId"], each["sequence"]]
            if each["originalId"] is not None and each["originalId"] in seen:
                self.findings.append(["duplicate-operation-id", *place])
            seen.add(each["originalId"])
            is_command = each["table"] is None and each["itemId"] is None and (
                ["command-operation", *place] in self.findings)
            if not is_command and (each["table"] is None or not each["itemId"]):
                self.findings.append(["operation-without-target", *place])
            if each["table"] is not None and each["table"] not in self.tables:
                self.findings.append(["operation-for-unknown-table", *place])
            if each["kind"] and each["table"] is not None and each["itemId"]:
                chain = (each["table"], each["itemId"])
                if chains.get(chain) == "delete":
                    self.findings.append(["operation-after-delete", *place])
                chains[chain] = each["kind"]
                if (each["kind"] != "delete" and each["_row"] is None
                        and each["table"] in self.tables and ends[chain] != "delete"):
                    self.findings.append(["operation-without-row", *place])
        for each in self.operations:
            del each["_row"]


def is_above_zero(value: object) -> bool:
    if value is True:
        return True
    if isinstance(value, (Number, int, float)) and not isinstance(value, bool):
        return float(value) > 0
    return False


def text_of(value: object) -> str | None:
    return str(value) if isinstance(value, str) and not isinstance(value, Number) else None


def plain(value: object) -> object:
    """A value with its numbers as numbers."""
    if isinstance(value, Number):
        return json.loads(value)
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value
