"""Which physical column holds which property, under which canonical name."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Iterator

from object_model import ModelEntity, Property

KINDS = {
    100: "integer", 200: "integer", 300: "integer", 400: "decimal", 500: "real", 600: "real",
    700: "text", 800: "boolean", 900: "timestamp", 1000: "binary", 1100: "uuid", 1200: "uri",
    1800: "binary",
}
COMPOSITE = 2100

# Physical order of the columns of a table; it decides who gets a digit when names collide.
ORDER = {
    100: 0, 200: 0, 300: 0, 800: 0, 500: 2, 600: 2, 900: 2, 400: 3, 700: 4, 1200: 5, 1100: 6,
    1800: 7, 1000: 8,
}
KEY_ORDER, POSITION_ORDER = 0, 1

DECLARED_KINDS = {
    "INTEGER": "integer", "TIMESTAMP": "timestamp", "FLOAT": "real", "DECIMAL": "decimal",
    "VARCHAR": "text", "BLOB": "binary",
}

# What the SDK is known to call an item's columns, with the one type each of them has.
SDK_COLUMNS = {
    "ZID": ("id", "text"),
    "ZVERSION": ("version", "text"),
    "ZMS_VERSION": ("ms_version", "text"),
    "ZCREATEDAT": ("createdAt", "timestamp"),
    "ZMS_CREATEDAT": ("ms_createdAt", "timestamp"),
    "ZUPDATEDAT": ("updatedAt", "timestamp"),
    "ZMS_UPDATEDAT": ("ms_updatedAt", "timestamp"),
    "ZDELETED": ("deleted", "boolean"),
    "ZMS_DELETED": ("ms_deleted", "boolean"),
}
SYSTEM_NAMES = ("version", "createdAt", "updatedAt", "deleted")
OLD_PREFIX = "ms_"


@dataclass(frozen=True)
class ColumnUse:
    """One physical column as a column of a canonical table.

    `role` is `value`, `entity` (the number of a polymorphic target's entity) or `position`.
    """

    column: str
    source: str
    kind: str
    owner: str
    name: str = ""
    role: str = "value"
    external: bool = False
    relationship: Property | None = None


# A column with its group and its rank inside group and entity.
RankedUse = tuple[int, tuple, ColumnUse]


class ModelColumns:
    """Predicts the columns of a model's tables."""

    def __init__(self, entities: list[ModelEntity]) -> None:
        self.entities = {entity.name: entity for entity in entities}
        self.numbers: dict[str, int] = {}
        self._number(None)

    def _number(self, parent: str | None) -> None:
        children = [each for each in self.entities.values() if each.parent == parent]
        for child in sorted(children, key=lambda each: (each.name.lower(), each.name)):
            self.numbers[child.name] = len(self.numbers) + 1
            self._number(child.name)

    def root(self, name: str) -> str:
        """The topmost ancestor of an entity."""
        while self.entities[name].parent is not None:
            name = self.entities[name].parent
        return name

    def lineage(self, name: str | None) -> list[str]:
        """The entity and its ancestors, the root first."""
        return [] if name is None else self.lineage(self.entities[name].parent) + [name]

    def has_children(self, name: str) -> bool:
        """Whether other entities inherit from this one."""
        return any(each.parent == name for each in self.entities.values())

    def find(self, entity: str, name: str | None) -> tuple[str, Property] | None:
        """A relationship by name, on the entity or above it."""
        for each in reversed(self.lineage(entity)):
            for candidate in self.entities[each].properties:
                if candidate.name == name and candidate.destination is not None:
                    return each, candidate
        return None

    def uses(self, root: str) -> list[ColumnUse]:
        """The columns of a root entity's table, with collisions settled."""
        ranked = []
        for name, number in self.numbers.items():
            if self.root(name) == root:
                wanted = [*self._own(name), *self._hidden(name)]
                ranked += [(group, number, *rank, use) for group, rank, use in wanted]
        ranked.sort(key=lambda each: each[:-1])
        taken: set[str] = set()
        settled = []
        for *_, use in ranked:
            column, suffix = use.column, 0
            while column in taken:
                suffix += 1
                column = f"{use.column}{suffix}"
            taken.add(column)
            settled.append(replace(use, column=column))
        return settled

    def _own(self, entity: str) -> Iterator[RankedUse]:
        for each in self.entities[entity].properties:
            low = each.name.lower()
            if each.transient:
                continue
            if each.destination is not None:
                yield from self._reference(entity, each, (1, low, each.name))
            elif each.type_code == COMPOSITE:
                for element in each.elements:
                    order = (0, low, f"{each.name}\0{element.name.lower()}", 0)
                    source = f"{each.name}_{element.name}"
                    if element.type_code in KINDS:
                        yield self._attribute(entity, element, source, order)
            elif each.type_code in KINDS:
                yield self._attribute(entity, each, each.name, (0, low, each.name, 0))

    def _attribute(
        self, entity: str, attribute: Property, source: str, rank: tuple
    ) -> RankedUse:
        code = attribute.type_code
        column = "Z" + attribute.name.upper()
        use = ColumnUse(column, source, KINDS[code], entity, external=attribute.external)
        return ORDER[code], rank, use

    def _reference(self, entity: str, each: Property, rank: tuple) -> Iterator[RankedUse]:
        if each.to_many:
            return
        upper = each.name.upper()
        use = ColumnUse("Z" + upper, each.name, "reference", entity, relationship=each)
        yield KEY_ORDER, (*rank, 0), use
        if self.has_children(each.destination):
            column = f"Z{self.numbers[each.destination]}_{upper}"
            companion = replace(use, column=column, source=f"{each.name}_entity", role="entity")
            yield KEY_ORDER, (*rank, 1), replace(companion, kind="text")
        inverse = self.find(each.destination, each.inverse)
        if inverse and inverse[1].to_many and inverse[1].ordered:
            column, source = f"Z_FOK_{upper}", f"{each.name}_position"
            position = replace(use, column=column, source=source, role="position", kind="integer")
            yield POSITION_ORDER, (*rank, 2), position

    def _hidden(self, destination: str) -> Iterator[RankedUse]:
        """Columns for to-many relationships without inverse that point here."""
        for owner, number in self.numbers.items():
            for each in self.entities[owner].properties:
                if each.destination != destination or not each.to_many or each.inverse:
                    continue
                upper, source = each.name.upper(), f"{owner}_{each.name}"
                rank = (2, source.lower(), source)
                use = ColumnUse(f"Z{number}{upper}", source, "reference", destination)
                yield KEY_ORDER, (*rank, 0), use
                if each.ordered:
                    column, name = f"Z_FOK_{number}{upper}", f"{source}_position"
                    position = replace(use, column=column, source=name, role="position")
                    yield POSITION_ORDER, (*rank, 1), replace(position, kind="integer")


def known_columns(table: dict[str, str], numbers: dict[int, str]) -> list[ColumnUse]:
    """The columns of a table for which there is no model, in physical order."""
    uses = []
    for column, declared in table.items():
        if column in ("Z_PK", "Z_ENT", "Z_OPT"):
            continue
        if column in SDK_COLUMNS:
            name, kind = SDK_COLUMNS[column]
            uses.append(ColumnUse(column, name, kind, ""))
        else:
            uses.append(guessed(column, declared, table, numbers))
    return uses


def guessed(
    column: str, declared: str, table: dict[str, str], numbers: dict[int, str]
) -> ColumnUse:
    """What the name and declared type of an unknown column tell."""
    kind = DECLARED_KINDS.get(declared, "binary")
    position = column.startswith("Z_FOK_")
    rest = column.removeprefix("Z_FOK_") if position else column.removeprefix("Z")
    companion = re.fullmatch(r"(\d+)_(.+)", rest)
    if companion and "Z" + companion[2] in table:
        return ColumnUse(column, f"{companion[2]}_entity", "text", "", role="entity")
    hidden = re.fullmatch(r"(\d+)([^\d_].*)", rest)
    if hidden and int(hidden[1]) in numbers:
        rest = f"{numbers[int(hidden[1])]}_{hidden[2]}"
        kind = "reference"
    if position:
        return ColumnUse(column, f"{rest}_position", "integer", "", role="position")
    return ColumnUse(column, rest, kind, "")


def canonically_named(uses: list[ColumnUse]) -> list[ColumnUse]:
    """The columns of one canonical table with their final names."""
    sources = {use.source for use in uses}
    named = []
    for use in uses:
        name = use.source
        plain = name.removeprefix(OLD_PREFIX)
        if name != plain and plain in SYSTEM_NAMES and plain not in sources:
            name = plain
        if name == "_pk":
            name = "_pk_"
        named.append(replace(use, name=name))
    return named
