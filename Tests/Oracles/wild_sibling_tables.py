"""Random tables of an app as each sibling SDK makes them, with awkward names."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import dataclass, field
from typing import Callable

from maker.sibling import quoted
from maker.values import TextBytes
from wild_sibling_values import SiblingValues

DOTNET_OLD = ("TEXT", "INTEGER", "REAL")
DOTNET = ("TEXT", "INTEGER", "FLOAT", "BOOLEAN", "DATETIME", "GUID", "BLOB", "JSON", "URI",
          "TIMESPAN")
CORDOVA_CREATED = ("TEXT", "INTEGER", "REAL")
CORDOVA_ADDED = ("string", "text", "integer", "int", "boolean", "bool", "date", "real", "float",
                 "object", "array")
TYPES = {
    "a0": DOTNET_OLD, "a1": DOTNET_OLD, "a2": DOTNET, "a3": DOTNET, "b": DOTNET, "c": DOTNET,
    "d1": DOTNET_OLD, "d2": DOTNET_OLD, "d3": DOTNET_OLD, "e": CORDOVA_CREATED,
    "f": ("TEXT", "INTEGER", "REAL", "BLOB"),
}
ODD_COLUMNS = (
    "select", "with space", 'quo"te', "apos'trophe", "[bracket", "Größe", "名前", "_pk", "a;b", "a.b",
    "rowid", "UPPER", "1st", "tab\there", "percent%", "null", "-- x", "é", "value", "group",
    "text", "complete", "`tick`", "\\", "🎉", "order by", "_rowid_", "", "x]y",
)
ODD_TABLES = (
    "select", "to do", 'quo"ted', "it's", "[brackets]", "Größe", "任务", "a.b", "rehome_meta",
    "rehome_x", "table", "1st", "semi;colon", "line\nbreak", "Z_THING", "*", "T?", "Δelta", "_x",
    "x]y", "DatasyncOperationsQueue2", "operations", "__other", "Tab\tle", "🎉",
)
PLAIN_TABLES = ("TodoItem", "Customer", "Note", "note_book", "Note_Book_Page", "Delivery", "Box")
SYSTEM = {
    "version": "TEXT", "createdAt": "DATETIME", "updatedAt": "DATETIME", "deleted": "BOOLEAN",
}


@dataclass
class WildTable:
    """One table: its columns with their declared types, and its rows' ids."""

    name: str
    columns: dict[str, str]
    roles: dict[str, str] = field(default_factory=dict)
    added: dict[str, str] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    id_column: str | None = "id"

    def all_columns(self) -> dict[str, str]:
        """Those made with the table and those added later."""
        return self.columns | self.added


def system_columns(layout: str, old: bool) -> dict[str, tuple[str, str]]:
    """Name → role and declared type of a layout's system columns, in one of the spellings."""
    found = {}
    for role, declared in SYSTEM.items():
        if layout in ("a0", "a1"):
            declared = {"DATETIME": "REAL", "BOOLEAN": "INTEGER"}.get(declared, declared)
        if layout[0] == "d":
            declared = "INTEGER" if role == "deleted" else "TEXT"
        if layout == "e":
            declared = {"DATETIME": "INTEGER", "BOOLEAN": "INTEGER"}.get(declared, declared)
        name = f"__{role}" if old else role
        found[name.lower() if layout[0] == "d" else name] = (role, declared)
    return found


class WildTables:
    """Makes and fills the tables of one store."""

    def __init__(
        self, rng: random.Random, layout: str, values: SiblingValues, hybrid: str | None
    ) -> None:
        self.rng = rng
        self.layout = layout
        self.values = values
        self.both_spellings = hybrid in ("a-to-b", "a1-to-b", "d-upgraded")
        # A table of layout a1 keeps its declared types in later layouts.
        self.before = "a1" if hybrid in ("a1-to-a2", "a1-to-b") else layout
        names = rng.sample(PLAIN_TABLES, rng.randint(1, 3))
        names += rng.sample(ODD_TABLES, rng.randint(0, 2))
        if layout == "f":
            names = rng.sample(("TodoItems", "Categories", "Boxes", "Note"), rng.randint(1, 3))
            names += rng.sample(ODD_TABLES, rng.randint(0, 1))
        if layout[0] == "d" or layout == "c":
            names = [name.lower() for name in names]
        if layout == "sqlite":
            names = []
        self.tables = [self._table(name) for name in names]

    # Definitions

    def _table(self, name: str) -> WildTable:
        if self.layout == "f":
            return self._toolkit_table(name)
        table = WildTable(name, {})
        if self.layout == "e":
            table.id_column = self.rng.choice(("id", "id", "Id", "ID"))
        for each in self._names(self.rng.randint(2, 9), table.id_column):
            table.columns[each] = self.rng.choice(TYPES[self.before])
        self._add_system(table)
        for each in self._names(self.rng.randint(0, 4), *table.columns, table.id_column):
            types = CORDOVA_ADDED if self.layout == "e" else TYPES[self.layout]
            table.added[each] = self.rng.choice(types)
        return table

    def _names(self, count: int, *taken: str) -> list[str]:
        """Column names that differ from each other and from those taken."""
        low = {name.lower() for name in taken}
        usual = [f"column{number}" for number in range(24)]
        odd = list(ODD_COLUMNS) if self.rng.random() < 0.5 else []
        if self.layout[0] == "d":
            odd = [name.lower() for name in odd]
        if self.layout == "e":
            # The SDK adds columns without quotes.
            odd = [name for name in odd if "]" not in name]
        names = [name for name in dict.fromkeys(usual + odd) if name.lower() not in low and name]
        return self.rng.sample(names, count)

    def _add_system(self, table: WildTable) -> None:
        old = self.layout[0] == "a" or self.layout == "d1"
        spellings = [False, True] if self.both_spellings else [old]
        for spelling in spellings:
            chosen = system_columns(self.before if spelling else self.layout, spelling)
            if self.layout == "c":
                chosen.pop("createdAt")
            kept = self.rng.sample(list(chosen), self.rng.randint(0, len(chosen)))
            if spellings == [old] and self.rng.random() < 0.7:
                kept = list(chosen)
            for name in kept:
                table.roles[name], declared = chosen[name]
                if self.layout == "e" and table.roles[name] in ("createdAt", "updatedAt"):
                    declared = self.rng.choice(("INTEGER", "INTEGER", "TEXT"))
                table.columns[name] = declared
        items = list(table.columns.items())
        self.rng.shuffle(items)
        table.columns = dict(items)

    def _toolkit_table(self, name: str) -> WildTable:
        """An entity of EF Core; now and then one that is not synchronised."""
        table = WildTable(name, {}, id_column="Id")
        for each in self._names(self.rng.randint(2, 7), "Id"):
            table.columns[each] = self.rng.choice(TYPES["f"])
        if self.rng.random() < 0.15:
            table.columns["Version"] = "INTEGER"
            return table
        table.roles = {"UpdatedAt": "updatedAt", "Version": "version"}
        table.columns |= {"UpdatedAt": "TEXT", "Version": self.rng.choice(("TEXT", "BLOB"))}
        if self.rng.random() < 0.8:
            table.roles["Deleted"] = "deleted"
            table.columns["Deleted"] = "INTEGER"
        return table

    # SQL

    def create(self, database: sqlite3.Connection) -> None:
        """Makes all tables as the SDK would."""
        for table in self.tables:
            parts = [f"{quoted(table.id_column)} TEXT PRIMARY KEY"]
            alone = self.layout[0] == "d"
            if not alone:
                parts += [f"{quoted(name)} {kind}" for name, kind in table.columns.items()]
            database.execute(f"CREATE TABLE {quoted(table.name)} ({', '.join(parts)})")
            later = table.columns if alone else {}
            for name, kind in (later | table.added).items():
                database.execute(
                    f"ALTER TABLE {quoted(table.name)} ADD COLUMN {quoted(name)} {kind}")

    def fill(self, database: sqlite3.Connection, identifier: Callable[[], str]) -> None:
        """Some rows for every table."""
        for table in self.tables:
            for _ in range(self.rng.randint(0, 6)):
                self.add_row(database, table, identifier())

    def add_row(self, database: sqlite3.Connection, table: WildTable, identifier: object) -> None:
        """A row with random values; a key now and then leaves a gap."""
        cells: dict[str, object] = {table.id_column: identifier}
        for name, declared in table.all_columns().items():
            role = table.roles.get(name)
            if role is None:
                cells[name] = self.values.cell(declared)
            else:
                cells[name] = self.values.system(role, declared)
        free = [name for name in ("rowid", "_rowid_", "oid") if name not in table.all_columns()]
        if free and self.rng.random() < 0.15:
            cells[free[0]] = self.rng.randint(1000, 10**12)
        add(database, table.name, cells)
        table.ids.append(identifier)

    def delete_some(self, database: sqlite3.Connection) -> None:
        """Takes rows away, so that keys have gaps."""
        for table in self.tables:
            for identifier in table.ids[:2]:
                database.execute(
                    f"DELETE FROM {quoted(table.name)} WHERE {quoted(table.id_column)} = ?",
                    (identifier,))


def add(database: sqlite3.Connection, table: str, cells: dict[str, object]) -> None:
    """Adds a row; text may be broken."""
    names = ", ".join(quoted(name) for name in cells)
    places = ", ".join(
        "CAST(? AS TEXT)" if isinstance(value, TextBytes) else "?" for value in cells.values())
    database.execute(
        f"INSERT OR IGNORE INTO {quoted(table)} ({names}) VALUES ({places})",
        [value.data if isinstance(value, TextBytes) else value for value in cells.values()])
