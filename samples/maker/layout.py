"""Which tables and columns Core Data makes of a model."""

from __future__ import annotations

from dataclasses import dataclass

from .model import Attribute, Entity, Model, Relationship, caseless

DECLARED = {
    "integer16": "INTEGER",
    "integer32": "INTEGER",
    "integer64": "INTEGER",
    "boolean": "INTEGER",
    "decimal": "DECIMAL",
    "double": "FLOAT",
    "float": "FLOAT",
    "string": "VARCHAR",
    "date": "TIMESTAMP",
    "binary": "BLOB",
    "uuid": "BLOB",
    "uri": "VARCHAR",
    "transformable": "BLOB",
}

# Physical order of the columns: these groups one after the other.
GROUPS = (
    ("integer16", "integer32", "integer64", "boolean", "key"),
    ("position",),
    ("double", "float", "date"),
    ("decimal",),
    ("string",),
    ("uri",),
    ("uuid",),
    ("transformable",),
    ("binary",),
)
GROUP_OF = {kind: at for at, kinds in enumerate(GROUPS) for kind in kinds}


@dataclass
class Column:
    """One physical column: who owns it, which property it holds, and in which part.

    `part` is `value`, `entity` (of a polymorphic target), `position` or, for a to-many without
    inverse, `owner` and `owner-position`. `path` names an attribute or a composite's element.
    """

    entity: str
    property: str
    path: str
    kind: str
    part: str
    base: str
    name: str = ""

    @property
    def declared(self) -> str:
        """The declared type of the column."""
        return DECLARED.get(self.kind, "INTEGER")


@dataclass
class JoinTable:
    """A join table; `near` is the side that names it."""

    name: str
    near: tuple[str, Relationship]
    far: tuple[str, Relationship]
    near_key: str
    far_key: str
    near_position: str | None
    far_position: str | None

    def columns(self) -> list[str]:
        """The names of its columns in physical order."""
        positions = [name for name in (self.near_position, self.far_position) if name]
        return [self.near_key, self.far_key] + positions


class Layout:
    """Tables, columns and join tables of a model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.tables = {
            entity.name: self._columns(entity.name)
            for entity in model.in_number_order()
            if entity.parent is None
        }
        self.joins = self._joins()

    def table_name(self, entity: str) -> str:
        """The table that holds an entity's rows."""
        return "Z" + self.model.root(entity).upper()

    def columns_of(self, entity: str) -> list[Column]:
        """The columns that belong to rows of an entity, in physical order."""
        lineage = {each.name for each in self.model.lineage(entity)}
        columns = self.tables[self.model.root(entity)]
        return [column for column in columns if column.entity in lineage]

    def _columns(self, root: str) -> list[Column]:
        users = []
        for entity in self.model.family(root):
            number = self.model.numbers[entity.name]
            for rank, column in self._users(entity):
                group = GROUP_OF["position" if "position" in column.part else column.kind]
                users.append(((group, number, *rank), column))
        users.sort(key=lambda user: user[0])
        taken: set[str] = {"Z_PK", "Z_ENT", "Z_OPT"}
        columns = [column for _, column in users]
        for column in columns:
            column.name = unused_name(column.base, taken)
            taken.add(column.name)
        return columns

    def _users(self, entity: Entity) -> list[tuple[tuple, Column]]:
        """The columns of one entity with their rank inside group and entity."""
        users = []
        for attribute in entity.attributes:
            rank = (0, *caseless(attribute.name), 0)
            users += [(rank, column) for column in attribute_columns(entity, attribute)]
        for relationship in entity.relationships:
            rank = (1, *caseless(relationship.name))
            users += self._keys(entity, relationship, rank)
        for owner, relationship in self._hidden(entity.name):
            number = self.model.numbers[owner]
            name = f"{owner}.{relationship.name}"
            base = f"{number}{relationship.name.upper()}"
            rank = (2, *caseless(name))
            users.append(((*rank, 0), Column(entity.name, name, name, "key", "owner", "Z" + base)))
            if relationship.ordered:
                position = Column(
                    entity.name, name, name, "key", "owner-position", "Z_FOK_" + base)
                users.append(((*rank, 1), position))
        return users

    def _keys(self, entity: Entity, relationship: Relationship, rank: tuple) -> list:
        if relationship.to_many:
            return []
        name, upper = relationship.name, relationship.name.upper()
        users = [((*rank, 0), Column(entity.name, name, name, "key", "value", "Z" + upper))]
        if self.model.has_children(relationship.destination):
            base = f"Z{self.model.numbers[relationship.destination]}_{upper}"
            users.append(((*rank, 1), Column(entity.name, name, name, "key", "entity", base)))
        inverse = self.model.inverse(relationship)
        if inverse and inverse[1].to_many and inverse[1].ordered:
            column = Column(entity.name, name, name, "key", "position", "Z_FOK_" + upper)
            users.append(((*rank, 2), column))
        return users

    def _hidden(self, destination: str) -> list[tuple[str, Relationship]]:
        """The to-many relationships without inverse that point at an entity."""
        return [
            (entity.name, relationship)
            for entity in self.model.in_number_order()
            for relationship in entity.relationships
            if relationship.to_many
            and relationship.inverse is None
            and relationship.destination == destination
        ]

    def _joins(self) -> list[JoinTable]:
        joins, seen = [], set()
        for entity in self.model.in_number_order():
            for relationship in sorted(entity.relationships, key=lambda each: caseless(each.name)):
                inverse = self.model.inverse(relationship)
                if not relationship.to_many or inverse is None or not inverse[1].to_many:
                    continue
                near, far = (entity.name, relationship), inverse
                pair = frozenset(((near[0], near[1].name), (far[0], far[1].name)))
                if pair not in seen:
                    seen.add(pair)
                    joins.append(self._join(near, far))
        return joins

    def _join(self, near: tuple[str, Relationship], far: tuple[str, Relationship]) -> JoinTable:
        if self._naming_rank(far[0]) < self._naming_rank(near[0]):
            near, far = far, near
        a, x = self.model.numbers[near[0]], near[1].name.upper()
        b, y = self.model.numbers[far[0]], far[1].name.upper()
        reflexive = near == far
        return JoinTable(
            name=f"Z_{a}{x}",
            near=near,
            far=far,
            near_key="REFLEXIVE" if reflexive else f"Z_{a}{y}",
            far_key=f"Z_{b}{x}",
            near_position=f"Z_FOK_{b}{x}" if near[1].ordered else None,
            far_position=f"Z_FOK_{a}{y}" if far[1].ordered and not reflexive else None,
        )

    def _naming_rank(self, entity: str) -> tuple[bool, int]:
        return not self.model.has_children(entity), self.model.numbers[entity]


def attribute_columns(entity: Entity, attribute: Attribute) -> list[Column]:
    """The columns of an attribute: none, one, or one for each element of a composite."""
    if attribute.transient:
        return []
    if attribute.kind != "composite":
        return [attribute_column(entity, attribute, attribute.name)]
    return [
        attribute_column(entity, element, f"{attribute.name}.{element.name}", attribute.name)
        for element in sorted(attribute.elements, key=lambda each: caseless(each.name))
    ]


def attribute_column(
    entity: Entity, attribute: Attribute, path: str, outer: str | None = None
) -> Column:
    """The column of one attribute or element."""
    base = "Z" + attribute.name.upper()
    return Column(entity.name, outer or attribute.name, path, attribute.kind, "value", base)


def unused_name(base: str, taken: set[str]) -> str:
    """The base name, or the first of base1, base2, … that is free."""
    name, digit = base, 0
    while name in taken:
        digit += 1
        name = f"{base}{digit}"
    return name
