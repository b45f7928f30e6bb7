"""Recognises the stores of the sibling SDKs by their tables and columns.

A table that only has the name of a bookkeeping table, without the columns that identify it, is a
table of the app. Names are compared without regard to the case of ASCII letters, as SQLite does.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from store_copy import quoted, table_columns, utf8

CANONICAL_APPLICATION_ID = 0x52484D31
HIDDEN_PREFIX = "sqlite_"
HIDDEN_IN_SDK_STORES = ("android_metadata",)
HIDDEN_PREFIX_IN_SDK_STORES = "__ef"

CORE_DATA = {
    "z_primarykey": {"z_ent", "z_name", "z_super", "z_max"},
    "z_metadata": {"z_version", "z_uuid", "z_plist"},
}
TOOLKIT = {
    "datasyncoperationsqueue": {"id", "kind", "state", "entitytype", "itemid", "item"},
    "datasyncdeltatokens": {"id", "value"},
}


class NotASibling(Exception):
    """The file is of a layout that another reader is for."""


@dataclass(frozen=True)
class Layout:
    """What a store is; `family` is the letter that the format's description uses."""

    identifier: str
    family: str
    generation: str | None
    system_tables: frozenset[str] = frozenset()

    def hides(self, table: str) -> bool:
        """Whether a table is bookkeeping and no table of the app."""
        name = folded(table)
        if name.startswith(HIDDEN_PREFIX) or name in self.system_tables:
            return True
        if self.family == "sqlite":
            return False
        return name in HIDDEN_IN_SDK_STORES or name.startswith(HIDDEN_PREFIX_IN_SDK_STORES)


class Probe:
    """The true tables of a database with the names of their columns, all in one case."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database
        self.names = true_tables(database)
        self.columns = {
            folded(name): {folded(column) for column in table_columns(database, name)}
            for name in self.names
        }

    def has(self, table: str, *columns: str) -> bool:
        """Whether a table is there with all the columns."""
        return table in self.columns and self.columns[table].issuperset(columns)

    def has_tables(self, *tables: str) -> bool:
        """Whether all tables are there."""
        return all(table in self.columns for table in tables)

    def has_all(self, shapes: dict[str, set[str]]) -> bool:
        """Whether every table is there with its columns."""
        return all(self.has(table, *columns) for table, columns in shapes.items())


def true_tables(database: sqlite3.Connection) -> list[str]:
    """The tables that have rows of their own, in the order of the schema; no virtual ones."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY rowid"
    return [row[0].decode() for row in database.execute(query)]


def folded(name: str) -> str:
    """A name with only its ASCII letters in lower case."""
    return "".join(each.lower() if each.isascii() else each for each in name)


def recognised(database: sqlite3.Connection) -> Layout:
    """The layout of a store; raises `NotASibling` for Core Data and canonical stores."""
    if database.execute("PRAGMA application_id").fetchone()[0] == CANONICAL_APPLICATION_ID:
        raise NotASibling("a canonical store")
    probe = Probe(database)
    if probe.has_all(CORE_DATA):
        raise NotASibling("a Core Data store")
    for test in (toolkit, cordova, android, dotnet, datasync):
        layout = test(probe)
        if layout is not None:
            return layout
    return Layout("sqlite", "sqlite", None)


def toolkit(probe: Probe) -> Layout | None:
    """Layout f."""
    if not probe.has_all(TOOLKIT):
        return None
    return Layout("datasync-toolkit", "f", None, frozenset(TOOLKIT))


def cordova(probe: Probe) -> Layout | None:
    """Layout e."""
    if not probe.has("__operations", "action", "metadata") or not probe.has_tables("__pulltime"):
        return None
    if probe.has_tables("__errors") or probe.has_tables("__config"):
        return None
    tables = frozenset(("__operations", "__pulltime"))
    return Layout("azure-mobile-cordova", "e", None, tables)


def android(probe: Probe) -> Layout | None:
    """Layout d."""
    if not probe.has("__operations", "__queueloadedat") or probe.has_tables("__config"):
        return None
    if not probe.has_tables("__incrementalpulldata"):
        return None
    tables = frozenset(("__operations", "__errors", "__itembackups", "__incrementalpulldata"))
    generation = "d1"
    if probe.has("__operations", "item"):
        generation = "d3"
    elif probe.has("__operations", "createdat"):
        generation = "d2"
    return Layout("azure-mobile-android", "d", generation, tables)


def dotnet(probe: Probe) -> Layout | None:
    """Layouts a and b; errors that have both generations' status columns are foreign."""
    if not probe.has_tables("__config", "__operations"):
        return None
    if not probe.has("__errors", "httpstatus", "operationkind") or probe.has("__errors", "status"):
        return None
    tables = frozenset(("__config", "__operations", "__errors"))
    generation = dotnet_generation(probe)
    return Layout("azure-mobile-dotnet", generation[0], generation, tables)


def dotnet_generation(probe: Probe) -> str:
    """Which of the five; a surviving `operationId` counts less than the style of the keys."""
    if probe.has("__operations", "createdat") or not probe.has("__operations", "__createdat"):
        return "b"
    if probe.has("__operations", "tablekind"):
        old = probe.has("__errors", "operationid") and not has_pipe_keys(probe.database)
        return "a2" if old else "a3"
    later = probe.has("__operations", "state") or probe.has("__operations", "version")
    return "a1" if later else "a0"


def has_pipe_keys(database: sqlite3.Connection) -> bool:
    """Whether any key of the config table is of the newer style."""
    if "id" not in {folded(name) for name in table_columns(database, "__config")}:
        return False
    keys = [utf8(row[0]) for row in database.execute("SELECT id FROM __config")]
    return any(key and key.startswith(("deltaToken|", "systemProperties|")) for key in keys)


def datasync(probe: Probe) -> Layout | None:
    """Layout c."""
    if not probe.has_tables("__config", "__operations"):
        return None
    if not probe.has("__errors", "status", "kind", "version"):
        return None
    if probe.has("__errors", "httpstatus"):
        return None
    if probe.has("__operations", "tablekind") or probe.has("__operations", "createdat"):
        return None
    tables = frozenset(("__config", "__operations", "__errors"))
    return Layout("datasync-dotnet", "c", None, tables)


def column_values(
    database: sqlite3.Connection, table: str, columns: list[str], order: list[str]
) -> list[tuple]:
    """Rows of a bookkeeping table by wanted columns; one that is not there counts as NULL."""
    there = {folded(name): quoted(name) for name in table_columns(database, table)}
    if not there:
        return []
    chosen = ", ".join(there.get(folded(name), "NULL") for name in columns)
    terms = ", ".join([there[folded(name)] for name in order if folded(name) in there] + ["rowid"])
    return database.execute(f"SELECT {chosen} FROM {quoted(table)} ORDER BY {terms}").fetchall()
