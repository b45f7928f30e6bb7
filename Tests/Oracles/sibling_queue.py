"""What the queues of all sibling SDKs have in common."""

from __future__ import annotations

import json
import re
import sqlite3

from sibling_layout import Layout, column_values, folded
from sibling_tables import SiblingTable, SiblingTables
from store_copy import Text, utf8
from sync_queue import json_object, string

OLD_KEYS = ("__version", "ms_version", "version")
NEW_KEYS = ("version", "__version", "ms_version")
CONFLICT_STATUSES = (409, 412)


class Queue:
    """The queue of one store; a subclass fills the three lists."""

    def __init__(
        self, database: sqlite3.Connection, tables: SiblingTables, layout: Layout
    ) -> None:
        self.database = database
        self.tables = tables
        self.layout = layout
        self.operations: list[dict[str, object]] = []
        self.errors: list[dict[str, object]] = []
        # Operations whose payload is no JSON object, and those that changed after their errors.
        self.garbage: set[int] = set()
        self.changed: set[int] = set()
        self.tokens: list[dict[str, object]] = []
        self.fill()

    def fill(self) -> None:
        """Fills the lists; a store without a queue leaves them empty."""

    def rows(self, table: str, columns: list[str], *order: str) -> list[tuple]:
        """Rows of a bookkeeping table; equals stand in the order they were inserted."""
        return column_values(self.database, table, columns, list(order))

    def new_spelling_first(self) -> bool:
        """Whether the layout's own system columns have no underscores."""
        return self.layout.family != "a" and self.layout.generation != "d1"

    # Operations

    def add_operation(
        self,
        number: object,
        table: str | None,
        item_id: str | None,
        kind: str | None,
        state: str | None,
        item: dict[str, object] | None,
        version: str | None,
    ) -> None:
        """Appends an operation; an insert has no condition, an unknown kind nothing at all."""
        self.operations.append({
            "sequence": len(self.operations) + 1,
            "table": table,
            "itemId": item_id,
            "kind": kind,
            "state": state,
            "item": item if kind is not None else None,
            "baseVersion": version if kind in ("update", "delete") else None,
            "originalId": as_text(number),
        })

    def judge_payload(self, payload: object) -> None:
        """Remembers whether the payload of the last operation is one."""
        if payload not in (None, b"") and json_object(payload) is None:
            self.garbage.add(len(self.operations))

    def current_row(
        self, table: str | None, item_id: str | None
    ) -> tuple[dict[str, object] | None, str | None]:
        """The row an insert or update would send, and its version."""
        found: SiblingTable | None = self.tables.named(table)
        if found is None or item_id is None:
            return None, None
        row = found.find(item_id, ignore_case=self.layout.family == "e")
        if row is None:
            return None, None
        return found.shown(row), found.version_of(row, self.new_spelling_first())

    def payload_version(self, item: dict[str, object] | None) -> str | None:
        """The version in a delete's payload, under any of its spellings."""
        for key in NEW_KEYS if self.new_spelling_first() else OLD_KEYS:
            value = (item or {}).get(key)
            if isinstance(value, str):
                return value
        return None

    # Errors

    def add_error(
        self,
        operation_id: str | None,
        known: dict[str, object],
        status: int | None,
        message: str | None,
        item: dict[str, object] | None,
        server_item: dict[str, object] | None,
    ) -> None:
        """Appends an error; what it does not know of its item comes from payload or operation."""
        operation = next(
            (each for each in self.operations
             if operation_id is not None and each["originalId"] == operation_id), None)
        error = dict(known)
        if error["itemId"] is None:
            error["itemId"] = string((item or {}).get("id"))
        for key in ("table", "itemId"):
            if error[key] is None and operation is not None:
                error[key] = operation[key]
        self.errors.append(error | {
            "status": status or None,
            "code": None,
            "message": message,
            "item": item,
            "serverItem": server_item,
            "operation": operation["sequence"] if operation is not None else None,
        })

    # Tokens

    def add_token(
        self, table: str | None, query: str | None, updated_at: str | None, raw: str | None
    ) -> None:
        """Appends a delta token."""
        self.tokens.append(
            {"table": table, "query": query, "updatedAt": updated_at, "raw": raw})

    def table_prefix(self, key: str) -> tuple[str, str]:
        """Splits `<table>_<query>`: at the longest known table name, else the first underscore."""
        known = [each.source for each in self.tables.tables]
        fitting = [name for name in known if folded(key).startswith(folded(name) + "_")]
        if fitting:
            length = max(len(name) for name in fitting)
            return key[:length], key[length + 1:]
        table, _, query = key.partition("_")
        return table, query


def whole(value: object) -> int | None:
    """The whole number in a value, which may be a real; in text only digits and `.0`."""
    if isinstance(value, Text):
        number = re.fullmatch(rb"(-?\d{1,15})(\.0+)?", value)
        return int(number[1]) if number else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) else None


def coded(value: object, codes: dict[int, str]) -> str | None:
    """The meaning of a number, or None for an unknown one."""
    number = whole(value)
    return None if number is None else codes.get(number)


def as_text(value: object) -> str | None:
    """An SDK's own id as a string."""
    return str(value) if isinstance(value, (int, float)) else utf8(value)


def answer(
    status: int | None, body: object
) -> tuple[str | None, dict[str, object] | None]:
    """Message and server's item in the body of an answer.

    With 409 and 412 an object with a text `id` is the item. Else the message is a JSON string,
    or the text under `error` or `description`, or the body itself.
    """
    raw = utf8(body)
    if raw is None:
        return None, None
    content = json_object(body)
    if content is None:
        return json_string(raw), None
    if status in CONFLICT_STATUSES and isinstance(content.get("id"), str):
        return None, content
    for key in ("error", "description"):
        if isinstance(content.get(key), str):
            return content[key], None
    return raw, None


def json_string(raw: str) -> str:
    """The text in a JSON string, or the text itself."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return raw
    return value if isinstance(value, str) else raw
