"""Reads the app's own tables of a Core Data store in canonical form."""

from __future__ import annotations

import plistlib
import re
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

from cell_values import EXTERNAL_NAME, Reject, canonical
from column_map import ColumnUse, ModelColumns, canonically_named, known_columns
from object_model import ModelEntity, Property, embedded_model
from store_copy import Text, quoted, table_columns, table_names, utf8

SYSTEM_ENTITIES = ("MS_TableOperations", "MS_TableOperationErrors", "MS_TableConfig")
FIRST_EXTRA_ENTITY = 16_001


@dataclass
class AppTable:
    """One canonical table: columns, rows by key, and where its rows are in the store."""

    name: str
    entity: str
    columns: list[ColumnUse]
    rows: list[list[object]] = field(default_factory=list)

    def row(self, pk: int) -> dict[str, object]:
        """A row as an export shows it."""
        found = next(row for row in self.rows if row[0] == pk)
        return dict(zip(["_pk"] + [use.name for use in self.columns], found))

    def position_of(self, source: str) -> int | None:
        """Where in a row the column with a source name stands."""
        for at, use in enumerate(self.columns, start=1):
            if use.source == source and use.role == "value":
                return at
        return None


@dataclass
class JoinRows:
    """A many-to-many relationship; `columns` names what each row holds after its key."""

    name: str
    columns: list[tuple[str, str, str]]
    rows: list[list[object]]


class AppTables:
    """All tables of a store; `rejects` collects the values that could not be carried over."""

    def __init__(self, database: sqlite3.Connection, store: Path) -> None:
        self.database = database
        self.external = store.parent / f".{store.stem}_SUPPORT" / "_EXTERNAL_DATA"
        self.rejects: list[dict[str, object]] = []
        self.names: dict[int, str] = {}
        self.parents: dict[str, str | None] = {}
        self.abstract: set[str] = set()
        self.all_tables = table_names(database)
        self._entities()
        entities = embedded_model(database)
        self.model = ModelColumns(entities) if entities is not None else None
        if self.model is not None:
            self._adopt(self.model)
        self.tables = [self._table(name) for name in self._app_entities()]
        self.joins = self._joins() if self.model else self._guessed_joins()

    # Entities

    def _entities(self) -> None:
        query = "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT"
        rows = [row for row in self.database.execute(query) if row[0] < FIRST_EXTRA_ENTITY]
        self.names = self._current({number: utf8(name) for number, name, _ in rows})
        for number, _, parent in rows:
            self.parents[self.names[number]] = self.names.get(parent)

    def _current(self, names: dict[int, str]) -> dict[int, str]:
        """The names, with the hash keys' name in place of a single stale one."""
        row = self.database.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
        if row is None or row[0] is None:
            return names
        hashed = plistlib.loads(row[0]).get("NSStoreModelVersionHashes", {})
        stale = [number for number, name in names.items() if name not in hashed]
        fresh = [name for name in hashed if name not in names.values()]
        if len(stale) == 1 and len(fresh) == 1:
            return names | {stale[0]: fresh[0]}
        return names

    def _adopt(self, model: ModelColumns) -> None:
        """Takes numbers, names and inheritance from the model."""
        self.names = {number: name for name, number in model.numbers.items()}
        entities: list[ModelEntity] = list(model.entities.values())
        self.parents = {entity.name: entity.parent for entity in entities}
        self.abstract = {entity.name for entity in entities if entity.abstract}

    def _app_entities(self) -> list[str]:
        names = [self.names[number] for number in sorted(self.names)]
        return [
            name for name in names
            if name not in SYSTEM_ENTITIES and name not in self.abstract
        ]

    def number(self, entity: str) -> int:
        """The number of an entity."""
        return next(number for number, name in self.names.items() if name == entity)

    def root(self, entity: str) -> str:
        """The topmost ancestor."""
        parent = self.parents.get(entity)
        return entity if parent is None else self.root(parent)

    def descendants(self, entity: str) -> list[str]:
        """All entities below one."""
        children = [name for name, parent in self.parents.items() if parent == entity]
        return [each for child in children for each in (child, *self.descendants(child))]

    def physical(self, entity: str) -> str:
        """The name of the table that holds an entity's rows."""
        root = self.root(entity)
        candidates = ["Z" + root.upper(), "Z" + ascii_upper(root)]
        for candidate in candidates:
            if candidate in self.all_tables:
                return candidate
        folded = {table.casefold(): table for table in self.all_tables}
        return folded[candidates[0].casefold()]

    # Rows

    def _uses(self, entity: str) -> list[ColumnUse]:
        """The columns of an entity's rows, in physical order."""
        table = table_columns(self.database, self.physical(entity))
        if self.model is None:
            return canonically_named(known_columns(table, self.names))
        lineage = set(self.model.lineage(entity))
        uses = {use.column: use for use in self.model.uses(self.root(entity))}
        return canonically_named([
            uses[column] for column in table
            if column in uses and uses[column].owner in lineage
        ])

    def _table(self, entity: str) -> AppTable:
        name = f"app_{entity}" if entity.lower().startswith("rehome_") else entity
        table = AppTable(name, entity, self._uses(entity))
        columns = ", ".join(["Z_PK"] + [quoted(use.column) for use in table.columns])
        query = (
            f"SELECT {columns} FROM {quoted(self.physical(entity))}"
            " WHERE Z_ENT = ? ORDER BY Z_PK")
        for pk, *values in self.database.execute(query, (self.number(entity),)):
            cells = [
                self._cell(table, pk, use, value) for use, value in zip(table.columns, values)
            ]
            table.rows.append([pk, *cells])
        for row in table.rows:
            self._fill_one_sided(table, row)
        return table

    def _cell(self, table: AppTable, pk: int, use: ColumnUse, value: object) -> object:
        if use.role == "entity":
            return self.names.get(value)
        try:
            return canonical(use.kind, value, self._external(use, value))
        except Reject as reject:
            place = {"table": table.name, "pk": pk, "column": use.name, "code": reject.code}
            self.rejects.append(place)
            return None

    def _external(self, use: ColumnUse, value: object) -> Path | None:
        """The folder of external files, where a value may point there."""
        if use.external:
            return self.external
        unknown = self.model is None and isinstance(value, bytes) and not isinstance(value, Text)
        return self.external if unknown and EXTERNAL_NAME.fullmatch(value) else None

    def _fill_one_sided(self, table: AppTable, row: list[object]) -> None:
        """Takes the missing half of a one-to-one relationship from the other side."""
        for at, use in enumerate(table.columns, start=1):
            if use.role != "value" or use.relationship is None or row[at] is not None:
                continue
            other = self._other_side(use.relationship)
            if other is None:
                continue
            query = (
                f"SELECT Z_PK, Z_ENT FROM {quoted(other[0])} WHERE {quoted(other[1])} = ?"
                " ORDER BY Z_PK")
            found = self.database.execute(query, (row[0],)).fetchone()
            if found is None:
                continue
            row[at] = found[0]
            for place, companion in enumerate(table.columns, start=1):
                if companion.role == "entity" and companion.relationship is use.relationship:
                    row[place] = self.names.get(found[1])

    def _other_side(self, relationship: Property) -> tuple[str, str] | None:
        """Table and column of the inverse, if that is a to-one as well."""
        inverse = self.model.find(relationship.destination, relationship.inverse)
        if inverse is None or inverse[1].to_many:
            return None
        for use in self.model.uses(self.root(inverse[0])):
            if use.relationship is inverse[1] and use.role == "value":
                return self.physical(inverse[0]), use.column
        return None

    # Many-to-many

    def _joins(self) -> list[JoinRows]:
        joins, seen = [], set()
        for entity in self.model.numbers:
            for each in self.model.entities[entity].properties:
                inverse = each.destination and self.model.find(each.destination, each.inverse)
                if not inverse or not each.to_many or not inverse[1].to_many:
                    continue
                sides = sorted(
                    [(entity, each), inverse], key=lambda side: f"{side[0]}.{side[1].name}")
                key = tuple((name, side.name) for name, side in sides)
                if key not in seen:
                    seen.add(key)
                    joins.append(self._join(*sides))
        return joins

    def _join(self, near: tuple[str, Property], far: tuple[str, Property]) -> JoinRows:
        """A join table; whichever side names it in the store, `near` names it here."""
        a, x = self.model.numbers[near[0]], near[1].name.upper()
        b, y = self.model.numbers[far[0]], far[1].name.upper()
        table = next(name for name in (f"Z_{a}{x}", f"Z_{b}{y}") if name in self.all_tables)
        columns = table_columns(self.database, table)
        if near == far:
            return self._reflexive(table, near)
        owner, target = matching(columns, f"Z_{a}{y}"), matching(columns, f"Z_{b}{x}")
        position = None
        if near[1].ordered:
            position = matching(columns, f"Z_FOK_{b}{x}")
        elif far[1].ordered:
            position = matching(columns, f"Z_FOK_{a}{y}")
        return self._join_rows(table, near, far, owner, target, position)

    def _join_rows(
        self,
        table: str,
        near: tuple[str, Property],
        far: tuple[str, Property],
        owner: str,
        target: str,
        position: str | None,
    ) -> JoinRows:
        names = [("owner", "reference", owner), ("target", "reference", target)]
        names += [("position", "integer", position)] if position else []
        chosen = ", ".join(quoted(name) for _, _, name in names)
        query = f"SELECT {chosen} FROM {quoted(table)} ORDER BY {quoted(owner)}, {quoted(target)}"
        rows = [list(row) for row in self.database.execute(query)]
        for label, entity, at in (("owner_entity", near[0], 0), ("target_entity", far[0], 1)):
            if self.model.has_children(entity):
                names.append((label, "text", ""))
                for row in rows:
                    row.append(self._entity_of(entity, row[at]))
        numbered = [[at, *row] for at, row in enumerate(rows, start=1)]
        return JoinRows(f"{near[0]}_{near[1].name}", names, numbered)

    def _reflexive(self, table: str, near: tuple[str, Property]) -> JoinRows:
        """A relationship that is its own inverse: each pair once, the lower key first."""
        other = next(name for name in table_columns(self.database, table) if name != "REFLEXIVE")
        pairs = self.database.execute(f"SELECT REFLEXIVE, {quoted(other)} FROM {quoted(table)}")
        rows = sorted({tuple(sorted(pair)) for pair in pairs})
        names = [("owner", "reference", "REFLEXIVE"), ("target", "reference", other)]
        numbered = [[at, *row] for at, row in enumerate(rows, start=1)]
        return JoinRows(f"{near[0]}_{near[1].name}", names, numbered)

    def _entity_of(self, entity: str, pk: int) -> str | None:
        query = f"SELECT Z_ENT FROM {quoted(self.physical(entity))} WHERE Z_PK = ?"
        row = self.database.execute(query, (pk,)).fetchone()
        return self.names.get(row[0]) if row else None

    def _guessed_joins(self) -> list[JoinRows]:
        """Join tables of a store without a model, by the names of table and columns."""
        joins = []
        for table in sorted(self.all_tables):
            named = re.fullmatch(r"Z_(\d+)([A-Z].*)", table)
            if named is None or int(named[1]) not in self.names:
                continue
            a, x = int(named[1]), named[2]
            columns = list(table_columns(self.database, table))
            keys = [re.fullmatch(r"Z_(\d+)([A-Z].*)", name) for name in columns]
            keys = [key for key in keys if key and key[2] != "FOK"]
            far = next((key for key in keys if key[2].rstrip("0123456789") == x), None)
            near = next((key for key in keys if key is not far), None)
            if far is None or near is None:
                continue
            sides = sorted((
                (f"{self.names[a]}_{x}", near[0], far[0]),
                (f"{self.names[int(far[1])]}_{near[2]}", far[0], near[0]),
            ))
            name, owner, target = sides[0]
            query = f"SELECT {quoted(owner)}, {quoted(target)} FROM {quoted(table)} ORDER BY 1, 2"
            rows = [[at, *row] for at, row in enumerate(self.database.execute(query), start=1)]
            labels = [("owner", "reference", owner), ("target", "reference", target)]
            joins.append(JoinRows(name, labels, rows))
        return joins


def matching(columns: dict[str, str], name: str) -> str:
    """The column with a name, else the one that has only a digit suffix more."""
    if name in columns:
        return name
    return next(column for column in columns if column.rstrip("0123456789") == name)


def ascii_upper(name: str) -> str:
    """The name with only its ASCII letters in upper case."""
    return "".join(each.upper() if each.isascii() else each for each in name)
