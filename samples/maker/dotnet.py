"""The bookkeeping tables of the .NET clients, as their last releases made them."""

from __future__ import annotations

import json

MOBILE_SERVICES_TABLES = (
    "CREATE TABLE [__operations] ([id] TEXT PRIMARY KEY, [kind] INTEGER, [state] INTEGER,"
    " [tableName] TEXT, [tableKind] INTEGER, [itemId] TEXT, [item] TEXT, [__createdAt] DATETIME,"
    " [sequence] INTEGER, [version] INTEGER)",
    "CREATE TABLE [__errors] ([id] TEXT PRIMARY KEY, [httpStatus] INTEGER,"
    " [operationVersion] INTEGER, [operationKind] INTEGER, [tableName] TEXT, [tableKind] INTEGER,"
    " [item] TEXT, [rawResult] TEXT)",
    "CREATE TABLE [__config] ([id] TEXT PRIMARY KEY, [value] TEXT)",
)
MOBILE_APPS_TABLES = tuple(
    statement.replace("[__createdAt]", "[createdAt]") for statement in MOBILE_SERVICES_TABLES)
DATASYNC_TABLES = (
    "CREATE TABLE [__operations] ([id] TEXT PRIMARY KEY, [kind] INTEGER, [state] INTEGER,"
    " [tableName] TEXT, [itemId] TEXT, [item] TEXT, [sequence] INTEGER, [version] INTEGER)",
    "CREATE TABLE [__errors] ([id] TEXT PRIMARY KEY, [status] INTEGER, [version] INTEGER,"
    " [kind] INTEGER, [tableName] TEXT, [item] TEXT, [rawResult] TEXT)",
    "CREATE TABLE [__config] ([id] TEXT PRIMARY KEY, [value] INTEGER)",
)

INSERT, UPDATE, DELETE = 0, 1, 2
PENDING, ATTEMPTED, FAILED = 0, 1, 2


def compact(value: object) -> str:
    """JSON as the clients wrote it into their queue."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def indented(value: object) -> str:
    """JSON as the .NET clients wrote it into a column."""
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\n", "\r\n")
