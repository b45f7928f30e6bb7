"""Reads the app's tables of a sibling store in canonical form."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field

from cell_values import Reject
from sibling_columns import Column, columns_of
from sibling_layout import Layout, folded, true_tables
from store_copy import quoted

ROW_ID_NAMES = ("rowid", "_rowid_", "oid")


@dataclass
class SiblingTable:
    """One table: its columns, and its rows with `_pk` first."""

    source: str
    name: str
    columns: list[Column]
    rows: list[list[object]] = field(default_factory=list)

    def shown(self, row: list[object]) -> dict[str, object]:
        """A row as an export shows it."""
        return dict(zip(["_pk"] + [column.name for column in self.columns], row))

    def find(self, identifier: str, ignore_case: bool) -> list[object] | None:
        """The first row with an id; one of the same case before others."""
        at = self.position("id")
        if at is None:
            return None
        exact = [row for row in self.rows if row[at] == identifier]
        if exact or not ignore_case:
            return exact[0] if exact else None
        same = [
            row for row in self.rows
            if isinstance(row[at], str) and folded(row[at]) == folded(identifier)
        ]
        return same[0] if same else None

    def version_of(self, row: list[object], newest_first: bool) -> str | None:
        """The version in the layout's own spelling, else in the other one."""
        places = [at for at, each in enumerate(self.columns, start=1) if each.role == "version"]
        places.sort(key=lambda at: self.columns[at - 1].source.startswith("_") is newest_first)
        return next((row[at] for at in places if row[at] is not None), None)

    def position(self, role: str) -> int | None:
        """Where in a row a role's column stands."""
        for at, column in enumerate(self.columns, start=1):
            if column.role == role:
                return at
        return None


class SiblingTables:
    """All tables of the app; `rejects` collects the values that could not be carried over."""

    def __init__(self, database: sqlite3.Connection, layout: Layout) -> None:
        self.database = database
        self.layout = layout
        self.rejects: list[dict[str, object]] = []
        self.tables = [
            self._table(name) for name in true_tables(database) if not layout.hides(name)
        ]

    def named(self, name: str | None) -> SiblingTable | None:
        """The table an operation means."""
        if name is None:
            return None
        return next((each for each in self.tables if folded(each.source) == folded(name)), None)

    def _table(self, source: str) -> SiblingTable:
        name = f"app_{source}" if folded(source).startswith("rehome_") else source
        table = SiblingTable(name=name, source=source,
                             columns=columns_of(self.database, self.layout, source))
        chosen = "".join(", " + quoted(column.source) for column in table.columns)
        key, order = self._key(source)
        query = f"SELECT {key}{chosen} FROM {quoted(source)} NOT INDEXED{order}"
        for number, row in enumerate(self.database.execute(query), start=1):
            pk = number if key == "NULL" else row[0]
            cells = [
                self._cell(table, pk, column, value)
                for column, value in zip(table.columns, row[1:])
            ]
            table.rows.append([pk, *cells])
        return table

    def _cell(self, table: SiblingTable, pk: int, column: Column, value: object) -> object:
        if value is None:
            return None
        try:
            return column.convert(value)
        except Reject as reject:
            place = {"table": table.name, "pk": pk, "column": column.name, "code": reject.code}
            self.rejects.append(place)
            return None

    def _key(self, table: str) -> tuple[str, str]:
        """The SQL of a table's row key and of its order; NULL where rows have no number."""
        rows = self.database.execute(f"PRAGMA table_xinfo({quoted(table)})").fetchall()
        if self._lacks_row_ids(table):
            return "NULL", self._primary_order(table)
        names = {folded(row[1].decode()) for row in rows}
        for alias in ROW_ID_NAMES:
            if alias not in names:
                return alias, f" ORDER BY {alias}"
        keys = [row for row in rows if row[5]]
        if len(keys) == 1 and keys[0][2].upper() == b"INTEGER":
            key = quoted(keys[0][1].decode())
            return key, f" ORDER BY {key}"
        return "NULL", ""

    def _lacks_row_ids(self, table: str) -> bool:
        rows = self.database.execute("PRAGMA main.table_list")
        return any(row[1].decode() == table and row[4] for row in rows)

    def _primary_order(self, table: str) -> str:
        """The order of a table's own b-tree."""
        indexes = self.database.execute(f"PRAGMA index_list({quoted(table)})").fetchall()
        primary = next(row[1].decode() for row in indexes if row[3] == b"pk")
        parts = self.database.execute(f"PRAGMA index_xinfo({quoted(primary)})").fetchall()
        terms = [
            f"{quoted(part[2].decode())} COLLATE {part[4].decode()}" + (" DESC" if part[3] else "")
            for part in parts if part[5]
        ]
        return " ORDER BY " + ", ".join(terms)
