"""The description of a managed object model: entities, attributes, relationships."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Iterable, Iterator

TYPE_CODES = {
    "integer16": 100,
    "integer32": 200,
    "integer64": 300,
    "decimal": 400,
    "double": 500,
    "float": 600,
    "string": 700,
    "boolean": 800,
    "date": 900,
    "binary": 1000,
    "uuid": 1100,
    "uri": 1200,
    "transformable": 1800,
    "composite": 2100,
}


@dataclass(frozen=True)
class Attribute:
    """One attribute; `elements` is for composites, `external` is the external storage flag."""

    name: str
    kind: str
    default: object = None
    optional: bool = True
    transient: bool = False
    external: bool = False
    elements: tuple["Attribute", ...] = ()


@dataclass(frozen=True)
class Relationship:
    """One relationship; without an `inverse` a to-many hides in the destination's table."""

    name: str
    destination: str
    inverse: str | None = None
    to_many: bool = False
    ordered: bool = False
    optional: bool = True


@dataclass(frozen=True)
class Entity:
    """One entity with its own properties; inherited ones stand in its ancestors."""

    name: str
    attributes: tuple[Attribute, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    parent: str | None = None
    abstract: bool = False
    renamed_from: str | None = None


@dataclass
class Model:
    """A set of entities and what follows from them: numbers, roots, families."""

    entities: list[Entity]
    identifiers: tuple[str, ...] = ("",)
    by_name: dict[str, Entity] = field(init=False)
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.by_name = {entity.name: entity for entity in self.entities}
        self.numbers = {name: at for at, name in enumerate(self._walk(None), start=1)}

    def _walk(self, parent: str | None) -> Iterator[str]:
        """Depth first, siblings by name without regard to case."""
        for entity in sorted(self.children(parent), key=lambda each: caseless(each.name)):
            yield entity.name
            yield from self._walk(entity.name)

    def children(self, parent: str | None) -> Iterable[Entity]:
        """The direct subentities of an entity, or the roots for None."""
        return [entity for entity in self.entities if entity.parent == parent]

    def in_number_order(self) -> list[Entity]:
        """All entities by their number."""
        return [self.by_name[name] for name in self.numbers]

    def root(self, name: str) -> str:
        """The topmost ancestor, whose table holds the rows."""
        parent = self.by_name[name].parent
        return name if parent is None else self.root(parent)

    def family(self, root: str) -> list[Entity]:
        """The root and all its descendants, in number order."""
        return [entity for entity in self.in_number_order() if self.root(entity.name) == root]

    def lineage(self, name: str) -> list[Entity]:
        """The entity and its ancestors, the root first."""
        entity = self.by_name[name]
        return (self.lineage(entity.parent) if entity.parent else []) + [entity]

    def has_children(self, name: str) -> bool:
        """Whether other entities inherit from this one."""
        return bool(self.children(name))

    def relationship(self, entity: str, name: str) -> tuple[str, Relationship]:
        """The relationship and the entity that defines it, looked for upwards."""
        for each in reversed(self.lineage(entity)):
            for relationship in each.relationships:
                if relationship.name == name:
                    return each.name, relationship
        raise KeyError(f"{entity}.{name}")

    def inverse(self, relationship: Relationship) -> tuple[str, Relationship] | None:
        """The other side of a relationship with the entity that defines it."""
        if relationship.inverse is None:
            return None
        return self.relationship(relationship.destination, relationship.inverse)


def caseless(name: str) -> tuple[str, str]:
    """A sort key without regard to case that still gives one order."""
    return name.lower(), name
