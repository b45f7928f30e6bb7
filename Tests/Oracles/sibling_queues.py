"""Reads the queue of each sibling layout."""

from __future__ import annotations

from sibling_layout import folded
from sibling_queue import Queue, answer, coded, whole
from sibling_tokens import (
    datasync_key,
    number_token,
    old_or_new_key,
    text_token,
    toolkit_key,
)
from store_copy import utf8
from sync_queue import json_object

KINDS = {0: "insert", 1: "update", 2: "delete"}
STATES = {0: "pending", 1: "attempted", 2: "failed"}
DATASYNC_KINDS = {1: "delete", 2: "insert", 3: "update"}
DATASYNC_STATES = {0: "pending", 1: "attempted", 2: "completed", 3: "failed"}
TOOLKIT_KINDS = {0: "insert", 1: "delete", 2: "update"}
TOOLKIT_STATES = {0: "pending", 1: "completed", 2: "failed"}


class DotnetQueue(Queue):
    """Layouts a and b."""

    kinds, states = KINDS, STATES
    error_columns = ["id", "tableName", "operationKind", "httpStatus", "item", "rawResult"]
    error_version = "operationVersion"

    def fill(self) -> None:
        """Reads all three tables."""
        columns = ["id", "kind", "state", "tableName", "itemId", "item"]
        for row in self.rows("__operations", columns, "sequence"):
            self._operation(*row)
            self.judge_payload(row[5])
        for row in self.rows("__errors", self.error_columns):
            self._error(*row)
        self._judge_errors()
        for key, value in self.rows("__config", ["id", "value"]):
            self._token(utf8(key), value)

    def _operation(self, number: object, kind: object, state: object, *rest: object) -> None:
        table, item_id = utf8(rest[0]), utf8(rest[1])
        kind = coded(kind, self.kinds)
        if kind == "delete":
            item = json_object(rest[2])
            version = self.payload_version(item)
        else:
            item, version = self.current_row(table, item_id)
        state = "pending" if state is None else coded(state, self.states)
        self.add_operation(number, table, item_id, kind, state, item, version)

    def _judge_errors(self) -> None:
        """Finds the operations that have another count of changes than their errors."""
        counts = {utf8(number): whole(count)
                  for number, count in self.rows("__operations", ["id", "version"])}
        for number, count in self.rows("__errors", ["id", self.error_version]):
            now, then = counts.get(utf8(number)), whole(count)
            if None not in (now, then) and now != then:
                self.changed |= {each["sequence"] for each in self.operations
                                 if each["originalId"] == utf8(number)}

    def _error(self, number: object, table: object, kind: object, status: object,
               item: object, body: object) -> None:
        status = whole(status)
        known = {"table": utf8(table), "itemId": None, "kind": coded(kind, self.kinds)}
        message, server_item = answer(status, body)
        self.add_error(utf8(number), known, status, message, json_object(item), server_item)

    def _token(self, key: str | None, value: object) -> None:
        parts = old_or_new_key(key) if key is not None else None
        if parts is not None:
            table, query, joined = parts
            if joined:
                table, query = self.table_prefix(table)
            self.add_token(table, query, *text_token(value))


class DatasyncQueue(DotnetQueue):
    """Layout c."""

    kinds, states = DATASYNC_KINDS, DATASYNC_STATES
    error_columns = ["id", "tableName", "kind", "status", "item", "rawResult"]
    error_version = "version"

    def _token(self, key: str | None, value: object) -> None:
        parts = datasync_key(key) if key is not None else None
        if parts is not None:
            self.add_token(*parts, *number_token(value))


class AndroidQueue(Queue):
    """Layout d; a delete's payload is in the row, or in a table of backups."""

    def fill(self) -> None:
        """Reads all tables."""
        kept = [
            (utf8(row[0]), *self._place(*row[:3]), row[3])
            for row in self.rows("__itembackups", ["id", "tablename", "itemid", "clientitem"])]
        self.backups = {key: content for key, _, _, content in kept if key is not None}
        last = {row[0]: place for place, row in enumerate(kept)}
        self.taken: set[str] = set()
        columns = ["id", "kind", "state", "tablename", "itemid", "item"]
        for row in self.rows("__operations", columns, "__queueloadedat", "sequence"):
            self._operation(*row)
        columns = ["operationid", "tablename", "itemid", "operationkind", "statuscode",
                   "clientitem", "errormessage", "serverresponse", "serveritem"]
        for row in self.rows("__errors", columns):
            self._error(*row)
        for place, (key, table, item_id, content) in enumerate(kept):
            if key is None or key not in self.taken or last[key] != place:
                self._left(table, item_id, json_object(content))
        for key, value in self.rows("__incrementalpulldata", ["id", "maxupdateddate"]):
            table, query = self.table_prefix(utf8(key)) if utf8(key) is not None else (None, None)
            self.add_token(table, query, *text_token(value))

    def _operation(self, number: object, kind: object, state: object, *rest: object) -> None:
        table, item_id = utf8(rest[0]), utf8(rest[1])
        kind = coded(kind, KINDS)
        if kind in ("delete", None):
            self.taken.add(f"{table}/{item_id}")
        if kind == "delete":
            stored = rest[2] if rest[2] is not None else self.backups.get(f"{table}/{item_id}")
            item = json_object(stored)
            version = self.payload_version(item)
        else:
            stored = rest[2]
            item, version = self.current_row(table, item_id)
        state = "pending" if state is None else coded(state, STATES)
        self.add_operation(number, table, item_id, kind, state, item, version)
        self.judge_payload(stored)

    @staticmethod
    def _place(key: object, table: object, item_id: object) -> tuple[str | None, ...]:
        """The table and id of a deleted item, which are columns as a rule."""
        name, table, item_id = utf8(key), utf8(table), utf8(item_id)
        if None in (table, item_id) and "/" in (name or ""):
            table, _, item_id = name.partition("/")
        return table, item_id

    def _left(self, table: str | None, item_id: str | None, item: dict | None) -> None:
        """A deleted item that no delete in the queue took."""
        known = {"table": table, "itemId": item_id, "kind": "delete"}
        self.add_error(None, known, None, None, item, None)
        self.errors[-1]["code"] = "deleted-item"

    def _error(self, number: object, table: object, item_id: object, kind: object, status: object,
               item: object, message: object, body: object, server_item: object) -> None:
        status = whole(status)
        known = {"table": utf8(table), "itemId": utf8(item_id), "kind": coded(kind, KINDS)}
        said, sent_back = answer(status, body)
        message = utf8(message) if utf8(message) is not None else said
        server_item = json_object(server_item) or sent_back
        self.add_error(utf8(number), known, status, message, json_object(item), server_item)


class CordovaQueue(Queue):
    """Layout e; a delete keeps only its version."""

    def fill(self) -> None:
        """Reads both tables."""
        columns = ["id", "action", "tableName", "itemId", "metadata"]
        for row in self.rows("__operations", columns, "id"):
            self._operation(*row)
        for query, table, value in self.rows("__pulltime", ["id", "tableName", "value"]):
            self.add_token(utf8(table), utf8(query), *number_token(value))

    def _operation(self, number: object, action: object, table: object, item_id: object,
                   metadata: object) -> None:
        table, item_id = utf8(table), utf8(item_id)
        kind = utf8(action) if utf8(action) in KINDS.values() else None
        item, version = None, None
        if kind == "delete":
            version = self.payload_version(json_object(metadata))
        elif kind is not None:
            item, version = self.current_row(table, item_id)
        self.add_operation(number, table, item_id, kind, "pending", item, version)
        self.judge_payload(metadata)


class ToolkitQueue(Queue):
    """Layout f; rows leave in the order they were inserted, whatever their `Sequence`."""

    def fill(self) -> None:
        """Reads both tables."""
        columns = ["Id", "Kind", "State", "EntityType", "ItemId", "EntityVersion", "Item",
                   "HttpStatusCode"]
        for row in self.rows("DatasyncOperationsQueue", columns):
            self._operation(*row)
        for key, value in self.rows("DatasyncDeltaTokens", ["Id", "Value"]):
            entity_type, query = toolkit_key(utf8(key) or "")
            self.add_token(self._table_of(entity_type), query, *number_token(value))

    def _operation(self, number: object, kind: object, state: object, entity_type: object,
                   item_id: object, version: object, item: object, status: object) -> None:
        table, item_id = self._table_of(utf8(entity_type)), utf8(item_id)
        kind = coded(kind, TOOLKIT_KINDS)
        state = "pending" if state is None else coded(state, TOOLKIT_STATES)
        snapshot = json_object(item)
        self.add_operation(
            number, table, item_id, kind, state, snapshot, utf8(version) or None)
        self.judge_payload(item)
        if state == "failed":
            known = {"table": table, "itemId": item_id, "kind": kind}
            self.add_error(utf8(number), known, whole(status), None, snapshot, None)

    def _table_of(self, entity_type: str | None) -> str | None:
        """The one table that is named like the type, or like its plural; else the type's name."""
        if entity_type is None:
            return None
        name = folded(entity_type.replace("+", ".").rpartition(".")[2])
        wanted = {name, name + "s", name + "es"}
        if name.endswith("y"):
            wanted.add(name[:-1] + "ies")
        found = [each.source for each in self.tables.tables if folded(each.source) in wanted]
        same = [each for each in found if folded(each) == name]
        fitting = same or found
        return fitting[0] if len(fitting) == 1 else entity_type


QUEUES = {
    "a": DotnetQueue, "b": DotnetQueue, "c": DatasyncQueue, "d": AndroidQueue, "e": CordovaQueue,
    "f": ToolkitQueue, "sqlite": Queue,
}
