"""Samples of the sibling SDKs: ordinary tables, described with what an export shows of them."""

from __future__ import annotations

import base64
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from .expected import Expectation
from .sample import As, ExpectedOperation, Row


@dataclass(frozen=True)
class SiblingTable:
    """A table of the app: the SQL that makes it, and its columns with their canonical names.

    `joined` columns are shown with the rows, but kept in a table of the SDK's. What has no SQL is
    no table of the file: `build` writes its rows in another form.
    """

    name: str
    create: tuple[str, ...]
    columns: dict[str, str]
    joined: tuple[str, ...] = ()


@dataclass
class SiblingSample:
    """A sample store; `build` gets one with the app's tables and rows, and adds the queue.

    A row's values are given by the stored columns' names. `operations` stand in push order.
    """

    folder: str
    layout: str
    generation: str | None
    store_name: str
    tables: list[SiblingTable]
    rows: list[Row]
    build: Callable[[sqlite3.Connection], None]
    operations: list[ExpectedOperation]
    errors: list[dict[str, object]] = field(default_factory=list)
    tokens: list[dict[str, object]] = field(default_factory=list)
    newest_in_log: bool = False
    first: tuple[str, ...] = ()
    # In which table a row is, and what of it.
    stored: Callable[[str, dict[str, object]], tuple[str, dict[str, object]]] = (
        lambda table, values: (table, values))

    def app_entities(self) -> list[str]:
        """The names of the tables, as they were created."""
        return [table.name for table in self.tables]

    def rows_of(self, table: str) -> list[Row]:
        """The rows of a table, by key."""
        return sorted((row for row in self.rows if row.entity == table), key=lambda row: row.pk)

    def row(self, table: str, pk: int) -> Row:
        """The row with a key."""
        return next(row for row in self.rows if (row.entity, row.pk) == (table, pk))


class SiblingWriter:
    """Writes a sample's store and keeps it open."""

    def __init__(self, path: Path, sample: SiblingSample) -> None:
        self.database = sqlite3.connect(path, isolation_level=None)
        collate(self.database)
        self.database.execute("PRAGMA synchronous = OFF")
        mode = "WAL" if sample.newest_in_log else "DELETE"
        self.database.execute(f"PRAGMA journal_mode = {mode}")
        for statement in sample.first:
            self.database.execute(statement)
        for table in sample.tables:
            for statement in table.create:
                self.database.execute(statement)
        self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.database.execute("BEGIN IMMEDIATE")
        joined = {table.name: table.joined for table in sample.tables if table.create}
        for row in sample.rows:
            if row.entity not in joined:
                continue
            values = {
                name: value.stored if isinstance(value, As) else value
                for name, value in row.values.items() if name not in joined[row.entity]
            }
            table, stored = sample.stored(row.entity, values)
            insert(self.database, table, {"rowid": row.pk} | stored)
        sample.build(self.database)
        self.database.execute("COMMIT")

    def finish(self) -> None:
        """Closes the store."""
        self.database.close()


def collate(database: sqlite3.Connection) -> None:
    """Lets SQLite sort as the SDK of Couchbase makes it, well enough for a few revisions."""
    database.create_collation("REVID", lambda left, right: (left > right) - (left < right))


def insert(database: sqlite3.Connection, table: str, values: dict[str, object]) -> None:
    """Adds a row to any table."""
    names = ", ".join(quoted(name) for name in values)
    places = ", ".join("?" for _ in values)
    database.execute(
        f"INSERT INTO {quoted(table)} ({names}) VALUES ({places})", list(values.values()))


def quoted(name: str) -> str:
    """A name as SQL."""
    return '"' + name.replace('"', '""') + '"'


class SiblingExpectation(Expectation):
    """Works out rows and reports of one sample."""

    def __init__(self, sample: SiblingSample) -> None:
        self.sample = sample
        self.layout_id = sample.layout

    def row(self, entity: str, pk: int) -> dict[str, object]:
        """A row as an export shows it."""
        table = next(table for table in self.sample.tables if table.name == entity)
        values = self.sample.row(entity, pk).values
        shown: dict[str, object] = {"_pk": pk}
        for source, name in table.columns.items():
            shown[name] = exported(values.get(source))
        return shown


def exported(value: object) -> object:
    """A value as an export shows it."""
    if isinstance(value, As):
        return value.shown
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else value


def expected_error(
    table: str, item_id: str, kind: str, status: int | None, operation: int | None, **more: object
) -> dict[str, object]:
    """An error as an audit shows it; no sibling SDK keeps a code."""
    error = {"table": table, "itemId": item_id, "kind": kind, "status": status, "code": None}
    error |= {"message": None, "item": None, "serverItem": None} | more
    return error | {"operation": operation}


def expected_token(table: str, query: str | None, updated_at: str | None) -> dict[str, object]:
    """A token as an audit shows it."""
    return {"table": table, "query": query, "updatedAt": updated_at}
