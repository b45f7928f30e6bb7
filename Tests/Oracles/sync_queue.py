"""Reads the queue, the errors and the tokens of the Azure Mobile SDK for iOS."""

from __future__ import annotations

import json
import re
import sqlite3
from datetime import datetime

from app_tables import AppTable, AppTables
from store_copy import quoted, table_columns, utf8

OPERATIONS = "ZMS_TABLEOPERATIONS"
ERRORS = "ZMS_TABLEOPERATIONERRORS"
CONFIG = "ZMS_TABLECONFIG"
KINDS = ("insert", "update", "delete")
VERSION_KEYS = {
    "2014": ("__version", "ms_version", "version"),
    "2015": ("__version", "ms_version", "version"),
    "2016": ("version", "__version", "ms_version"),
}
OLD_COLUMNS = {"ZMS_VERSION", "ZMS_CREATEDAT", "ZMS_UPDATEDAT", "ZMS_DELETED"}
NEW_COLUMNS = {"ZVERSION", "ZCREATEDAT", "ZUPDATEDAT", "ZDELETED"}
TOKEN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z")


def generation(database: sqlite3.Connection, tables: AppTables) -> str:
    """The generation whose traits a store has most of; of equals the newer."""
    operations = table_columns(database, OPERATIONS)
    errors = table_columns(database, ERRORS)
    traits = [
        bool(table_columns(database, CONFIG)),
        "ZTABLEKIND" in operations,
        "ZOPERATIONID" in errors,
        has_new_names(tables),
    ]
    ideals = {
        "2014": (False, False, False, False),
        "2015": (True, True, True, False),
        "2016": (True, True, True, True),
    }
    distances = {
        name: sum(trait != wanted for trait, wanted in zip(traits, ideal))
        for name, ideal in ideals.items()
    }
    return min(sorted(distances, reverse=True), key=lambda name: distances[name])


def has_new_names(tables: AppTables) -> bool:
    """Whether system columns have the names of 2016; a store with neither counts as new."""
    columns = {use.column for table in tables.tables for use in table.columns}
    return bool(columns & NEW_COLUMNS) or not columns & OLD_COLUMNS


class SyncQueue:
    """The queue of one store, decoded strictly."""

    def __init__(self, database: sqlite3.Connection, tables: AppTables) -> None:
        self.database = database
        self.tables = tables
        self.generation = generation(database, tables)
        self.operations = self._operations()
        self.errors = self._errors()
        self.tokens = self._tokens()

    def _rows(self, table: str, columns: list[str], order: str) -> list[tuple]:
        """Rows of a system table; a column that is not there counts as NULL."""
        there = table_columns(self.database, table)
        if not there:
            return []
        chosen = ", ".join(quoted(name) if name in there else "NULL" for name in columns)
        return self.database.execute(f"SELECT {chosen} FROM {table} ORDER BY {order}").fetchall()

    # Operations

    def _operations(self) -> list[dict[str, object]]:
        columns = ["ZID", "ZTABLE", "ZITEMID", "ZPROPERTIES"]
        rows = self._rows(OPERATIONS, columns, "ZID, Z_PK")
        return [self._operation(at, *row) for at, row in enumerate(rows, start=1)]

    def _operation(
        self, sequence: int, number: object, table: object, item_id: object, properties: object
    ) -> dict[str, object]:
        payload = json_object(properties)
        kind = kind_of(payload.get("type")) if payload is not None else None
        name, identifier = utf8(table), utf8(item_id)
        item, version = None, None
        if kind == "delete":
            stored = payload.get("item")
            item = stored if isinstance(stored, dict) else None
            version = self._payload_version(item)
        elif kind is not None:
            item, version = self._current_row(name, identifier)
        return {
            "sequence": sequence,
            "table": name,
            "itemId": identifier,
            "kind": kind,
            "state": "pending",
            "item": item,
            "baseVersion": None if kind == "insert" else version,
            "originalId": None if number is None else str(number),
        }

    def _payload_version(self, item: dict[str, object] | None) -> str | None:
        for key in VERSION_KEYS[self.generation]:
            value = (item or {}).get(key)
            if isinstance(value, str):
                return value
        return None

    def _current_row(
        self, entity: str | None, identifier: str | None
    ) -> tuple[dict[str, object] | None, str | None]:
        """The row an insert or update would send, and its version."""
        if entity is None or identifier is None:
            return None, None
        family = [entity, *self.tables.descendants(entity)]
        found = []
        for table in self.tables.tables:
            at = table.position_of("id")
            if table.entity not in family or at is None:
                continue
            for row in table.rows:
                if isinstance(row[at], str) and row[at].lower() == identifier.lower():
                    found.append((row[at] != identifier, row[0], table))
        if not found:
            return None, None
        _, pk, table = min(found, key=lambda each: each[:2])
        return table.row(pk), self._row_version(table, pk)

    def _row_version(self, table: AppTable, pk: int) -> str | None:
        """The version in the generation's own column, else in the other one."""
        row = next(row for row in table.rows if row[0] == pk)
        names = ("version", "ms_version")
        for name in names if self.generation == "2016" else reversed(names):
            at = table.position_of(name)
            if at is not None and row[at] is not None:
                return row[at]
        return None

    # Errors

    def _errors(self) -> list[dict[str, object]]:
        rows = self._rows(ERRORS, ["ZOPERATIONID", "ZPROPERTIES"], "Z_PK")
        return [self._error(*row) for row in rows]

    def _error(self, number: object, properties: object) -> dict[str, object]:
        payload = json_object(properties) or {}
        error = {
            "table": string(payload.get("table")),
            "itemId": string(payload.get("itemId")),
            "kind": kind_of(payload.get("operation")),
        }
        operation = self._operation_of(number, error)
        for key in ("table", "itemId"):
            if error[key] is None and operation is not None:
                error[key] = operation[key]
        status = payload.get("statusCode")
        return error | {
            "status": status if is_number(status) and status != 0 else None,
            "code": payload.get("code") if is_number(payload.get("code")) else None,
            "message": string(payload.get("description")),
            "item": dictionary(payload.get("item")),
            "serverItem": dictionary(payload.get("serverItem")),
            "operation": operation["sequence"] if operation is not None else None,
        }

    def _operation_of(
        self, number: object, error: dict[str, object]
    ) -> dict[str, object] | None:
        """The operation an error is about; 0 and NULL say nothing about which."""
        known = number is not None and number != 0
        same_item = [each for each in self.operations if not contradicts(error, each)]
        if known:
            same_item = [each for each in same_item if each["originalId"] == str(number)]
        same_kind = [each for each in same_item if each["kind"] == error["kind"]]
        if known:
            return next(iter(same_kind + same_item), None)
        if None in error.values():
            return None
        return next(iter(same_kind), None)

    # Tokens

    def _tokens(self) -> list[dict[str, object]]:
        rows = self._rows(CONFIG, ["ZTABLE", "ZKEY", "ZVALUE"], "Z_PK")
        return [
            {
                "table": utf8(table),
                "query": utf8(key),
                "updatedAt": canonical_token(utf8(value)),
                "raw": utf8(value),
            }
            for table, key, value in rows
        ]


def contradicts(error: dict[str, object], operation: dict[str, object]) -> bool:
    """Whether an error names another item than an operation does."""
    if error["table"] is not None and error["table"] != operation["table"]:
        return True
    if error["itemId"] is None:
        return False
    return error["itemId"].lower() != (operation["itemId"] or "").lower()


def json_object(data: object) -> dict[str, object] | None:
    """The JSON object in a payload, or None if there is none."""
    if not isinstance(data, bytes):
        return None
    try:
        value = json.loads(data.decode(), parse_constant=reject_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def reject_constant(name: str) -> None:
    """Refuses NaN and infinities, which JSON does not have."""
    raise ValueError(f"{name} is not JSON")


def kind_of(value: object) -> str | None:
    """The kind behind a type, which may be a digit in a string."""
    if isinstance(value, str) and re.fullmatch("[0-2]", value):
        value = int(value)
    if is_number(value) and isinstance(value, int) and 0 <= value < len(KINDS):
        return KINDS[value]
    return None


def canonical_token(value: str | None) -> str | None:
    """The timestamp of a token, or None if it is not one."""
    if value is None or not TOKEN.fullmatch(value):
        return None
    try:
        datetime.strptime(value[:19], "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return None
    return value if "." in value else value[:-1] + ".000Z"


def is_number(value: object) -> bool:
    """Whether a JSON value is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def string(value: object) -> str | None:
    """The value if it is text."""
    return value if isinstance(value, str) else None


def dictionary(value: object) -> dict[str, object] | None:
    """The value if it is an object."""
    return value if isinstance(value, dict) else None
