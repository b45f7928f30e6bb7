"""Writes a Core Data SQLite store."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

from .archive import model_cache
from .layout import Column, JoinTable, Layout
from .metadata import FIRST_WITH_MODEL_CACHE, metadata_plist
from .model import Model
from .values import Raw, TextBytes, stored

FIRST_POSITION = 2048
POSITION_STEP = 1024

BOOKKEEPING = (
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,"
    " Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
)


@dataclass(frozen=True)
class Ref:
    """A reference to a row, by the entity of that row and its key."""

    entity: str
    pk: int


@dataclass
class StoreOptions:
    """What a store holds beside its model and rows.

    `cache` None means a model cache from the framework version on that has one; `stale_names` are
    the names that `Z_PRIMARYKEY` still shows for renamed entities.
    """

    uuid: str
    framework: int = 865
    cache: bool | None = None
    proxies: bool = False
    mutable_names: bool = False
    wal: bool = False
    application: dict[str, object] = field(default_factory=dict)
    stale_names: dict[str, str] = field(default_factory=dict)


class StoreWriter:
    """A new store, open for writing."""

    def __init__(self, path: Path, model: Model, options: StoreOptions) -> None:
        self.path = path
        self.model = model
        self.layout = Layout(model)
        self.options = options
        self.maxima = {root: 0 for root in self.layout.tables}
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.execute("PRAGMA synchronous = OFF")
        self.database.execute("PRAGMA auto_vacuum = 2")
        self.database.execute(f"PRAGMA journal_mode = {'WAL' if options.wal else 'DELETE'}")
        self.database.execute("BEGIN IMMEDIATE")
        self._create()

    def _create(self) -> None:
        for root, columns in self.layout.tables.items():
            self._create_table(root, columns)
        for join in self.layout.joins:
            self._create_join(join)
        for statement in BOOKKEEPING:
            self.database.execute(statement)
        for entity in self.model.in_number_order():
            number = self.model.numbers[entity.name]
            parent = self.model.numbers[entity.parent] if entity.parent else 0
            name = self.options.stale_names.get(entity.name, entity.name)
            self.database.execute(
                "INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, 0)", (number, name, parent))
        plist = metadata_plist(self.model, self.options.framework, self.options.application)
        self.database.execute(
            "INSERT INTO Z_METADATA VALUES (1, ?, ?)", (self.options.uuid, plist))
        self._create_model_cache()

    def _create_model_cache(self) -> None:
        wanted = self.options.cache
        if wanted is None:
            wanted = self.options.framework >= FIRST_WITH_MODEL_CACHE
        if wanted:
            content = model_cache(self.model, self.options.proxies, self.options.mutable_names)
            self.database.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
            self.database.execute("INSERT INTO Z_MODELCACHE VALUES (?)", (content,))

    def _create_table(self, root: str, columns: list[Column]) -> None:
        table = self.layout.table_name(root)
        parts = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
        parts += [f"{quoted(column.name)} {column.declared}" for column in columns]
        self.database.execute(f"CREATE TABLE {quoted(table)} ( {', '.join(parts)} )")
        for column in columns:
            if column.part in ("value", "owner") and column.kind == "key":
                index = quoted(f"{table}_{column.name}_INDEX")
                on = f"{quoted(table)} ({quoted(column.name)})"
                self.database.execute(f"CREATE INDEX {index} ON {on}")
        if self.model.has_children(root):
            index = quoted(f"{table}_Z_ENT_INDEX")
            self.database.execute(f"CREATE INDEX {index} ON {quoted(table)} (Z_ENT)")

    def _create_join(self, join: JoinTable) -> None:
        keys = f"{quoted(join.near_key)}, {quoted(join.far_key)}"
        parts = [f"{quoted(name)} INTEGER" for name in join.columns()]
        parts.append(f"PRIMARY KEY ({keys})")
        self.database.execute(f"CREATE TABLE {quoted(join.name)} ( {', '.join(parts)} )")
        back = f"{quoted(join.far_key)}, {quoted(join.near_key)}"
        index = quoted(f"{join.name}_{join.far_key}_INDEX")
        self.database.execute(f"CREATE INDEX {index} ON {quoted(join.name)} ({back})")

    def insert(
        self, entity: str, values: dict[str, object], pk: int | None = None, opt: int = 1
    ) -> int:
        """Adds a row; a key is an attribute, a relationship, or `Owner.relationship`."""
        root = self.model.root(entity)
        pk = self.maxima[root] + 1 if pk is None else pk
        self.maxima[root] = max(self.maxima[root], pk)
        cells = {"Z_PK": pk, "Z_ENT": self.model.numbers[entity], "Z_OPT": opt}
        cells |= self._cells(entity, values)
        names = ", ".join(quoted(name) for name in cells)
        places = ", ".join(placeholder(value) for value in cells.values())
        self.database.execute(
            f"INSERT INTO {quoted(self.layout.table_name(entity))} ({names}) VALUES ({places})",
            [bound(value) for value in cells.values()])
        return pk

    def update(self, entity: str, pk: int, values: dict[str, object]) -> None:
        """Changes a row as a save does: the named properties, and `Z_OPT` by one."""
        cells = self._cells(entity, values)
        changes = [f"{quoted(name)} = {placeholder(value)}" for name, value in cells.items()]
        changes.append("Z_OPT = Z_OPT + 1")
        self.database.execute(
            f"UPDATE {quoted(self.layout.table_name(entity))} SET {', '.join(changes)}"
            " WHERE Z_PK = ?",
            [*(bound(value) for value in cells.values()), pk])

    def delete(self, entity: str, pk: int) -> None:
        """Removes a row."""
        table = quoted(self.layout.table_name(entity))
        self.database.execute(f"DELETE FROM {table} WHERE Z_PK = ?", (pk,))

    def link(
        self,
        entity: str,
        relationship: str,
        owner: int,
        target: int,
        position: int | None = None,
        inverse_position: int | None = None,
    ) -> None:
        """Adds a pair to a many-to-many relationship, seen from either side."""
        side = self.model.relationship(entity, relationship)
        for join in self.layout.joins:
            if side == join.near:
                values = [owner, target], [position, inverse_position]
            elif side == join.far:
                values = [target, owner], [inverse_position, position]
            else:
                continue
            kept = [
                value
                for name, value in zip((join.near_position, join.far_position), values[1])
                if name
            ]
            cells = values[0] + kept
            places = ", ".join("?" for _ in cells)
            names = ", ".join(quoted(name) for name in join.columns())
            self.database.execute(
                f"INSERT INTO {quoted(join.name)} ({names}) VALUES ({places})", cells)
            return
        raise KeyError(f"{entity}.{relationship} is not many-to-many")

    def set_maximum(self, entity: str, value: int) -> None:
        """Says that keys up to this one were given out once."""
        self.maxima[self.model.root(entity)] = value

    def commit(self) -> None:
        """Ends the transaction, with the key counters brought up to date, and begins another."""
        for root, maximum in self.maxima.items():
            self.database.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
                (maximum, self.model.numbers[root]))
        self.database.execute("COMMIT")
        self.database.execute("BEGIN IMMEDIATE")

    def finish(self) -> None:
        """Commits and closes, which moves a write-ahead log into the main file."""
        self.commit()
        self.database.execute("COMMIT")
        self.database.close()

    def checkpoint(self) -> None:
        """Commits, empties the write-ahead log, and lets it grow from here on."""
        self.commit()
        self.database.execute("COMMIT")
        self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.database.execute("PRAGMA wal_autocheckpoint = 0")
        self.database.execute("BEGIN IMMEDIATE")

    def _cells(self, entity: str, values: dict[str, object]) -> dict[str, object]:
        columns = self.layout.columns_of(entity)
        external = {
            attribute.name
            for each in self.model.lineage(entity)
            for attribute in each.attributes
            if attribute.external
        }
        cells: dict[str, object] = {}
        unknown = dict(values)
        for column in columns:
            path = column.path
            key = f"{path}#position" if "position" in column.part else path
            if key not in values:
                continue
            unknown.pop(key, None)
            value = values[key]
            if column.kind != "key":
                cells[column.name] = stored(column.kind, value, path in external)
            elif column.part == "entity":
                known = isinstance(value, Ref)
                cells[column.name] = self.model.numbers[value.entity] if known else None
            else:
                cells[column.name] = value.pk if isinstance(value, Ref) else stored("key", value)
        if unknown:
            raise KeyError(f"{entity} has no column for {', '.join(unknown)}")
        return cells


def position(index: int) -> int:
    """The position key of the n-th member of an ordered relationship."""
    return FIRST_POSITION + POSITION_STEP * index


def quoted(name: str) -> str:
    """A name as SQL; plain ones stay bare, as Core Data writes them."""
    plain = name.isascii() and name.replace("_", "a").isalnum()
    return name if plain else '"' + name.replace('"', '""') + '"'


def placeholder(value: object) -> str:
    """The SQL that stands for a value."""
    return "CAST(? AS TEXT)" if isinstance(value, TextBytes) else "?"


def bound(value: object) -> object:
    """The value to bind for it."""
    if isinstance(value, Raw):
        raise TypeError("a raw value was not unpacked")
    return value.data if isinstance(value, TextBytes) else value
