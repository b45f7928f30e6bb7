"""Reads the managed object model that Core Data embeds in a store."""

from __future__ import annotations

import plistlib
import sqlite3
import zlib
from dataclasses import dataclass, field

EXTERNAL_STORAGE_FLAG = 4
PROXY = "_NSPropertyDescriptionProxy"


@dataclass
class Property:
    """An attribute, a composite's element, or a relationship (`destination` is set)."""

    name: str
    type_code: int = 0
    external: bool = False
    transient: bool = False
    elements: list["Property"] = field(default_factory=list)
    destination: str | None = None
    inverse: str | None = None
    to_many: bool = False
    ordered: bool = False


@dataclass
class ModelEntity:
    """An entity with its own properties and its parent's name."""

    name: str
    parent: str | None
    abstract: bool
    properties: list[Property]


class Archive:
    """The object table of a keyed archive."""

    def __init__(self, data: bytes) -> None:
        archive = plistlib.loads(data)
        self.objects = archive["$objects"]
        self.root = self.at(archive["$top"]["root"])

    def at(self, reference: object) -> object:
        """The object behind a reference; `$null` is None."""
        if isinstance(reference, plistlib.UID):
            reference = self.objects[reference.data]
        return None if reference == "$null" else reference

    def class_name(self, value: object) -> str:
        """The class of an archived object, or nothing."""
        if not isinstance(value, dict) or "$class" not in value:
            return ""
        return self.at(value["$class"])["$classname"]

    def text(self, reference: object) -> str | None:
        """A string, also in its mutable form."""
        value = self.at(reference)
        return self.at(value["NS.string"]) if isinstance(value, dict) else value

    def members(self, reference: object) -> list[object]:
        """The values of an array, a set or any kind of dictionary."""
        value = self.at(reference)
        if value is None:
            return []
        if self.class_name(value) == "NSKnownKeysDictionary1":
            return self.members(value["values"])
        return [self.at(each) for each in value["NS.objects"]]


def embedded_model(database: sqlite3.Connection) -> list[ModelEntity] | None:
    """The entities of the model in `Z_MODELCACHE`, or None where there is none."""
    try:
        row = database.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()
    except sqlite3.OperationalError:
        return None
    if row is None or row[0] is None:
        return None
    archive = Archive(zlib.decompress(row[0], -15))
    nodes = archive.members(archive.root["NSEntities"])
    return Reader(archive, nodes).entities()


class Reader:
    """Turns archived entity descriptions into plain ones."""

    def __init__(self, archive: Archive, nodes: list[dict]) -> None:
        self.archive = archive
        self.nodes = {archive.text(node["NSEntityName"]): node for node in nodes}

    def entities(self) -> list[ModelEntity]:
        """All entities of the model."""
        return [self.entity(name, node) for name, node in self.nodes.items()]

    def entity(self, name: str, node: dict) -> ModelEntity:
        """One entity with its own properties."""
        inherited: set[str] = set()
        parent = self.parent(node)
        above = parent
        while above is not None:
            inherited |= {each.name for each in self.listed(self.nodes[above])}
            above = self.parent(self.nodes[above])
        own = [each for each in self.listed(node) if each.name not in inherited]
        return ModelEntity(name, parent, bool(node.get("NSIsAbstract")), own)

    def parent(self, node: dict) -> str | None:
        """The name of an entity's parent."""
        superentity = self.archive.at(node.get("NSSuperentity"))
        return self.archive.text(superentity["NSEntityName"]) if superentity else None

    def listed(self, node: dict) -> list[Property]:
        """The properties an entity lists, without proxies for inherited ones."""
        nodes = self.archive.members(node["NSProperties"])
        return [self.property(each) for each in nodes if self.archive.class_name(each) != PROXY]

    def property(self, node: dict) -> Property:
        """One property."""
        archive = self.archive
        result = Property(
            name=archive.text(node["NSPropertyName"]),
            transient=bool(node.get("NSIsTransient")),
        )
        if archive.class_name(node) == "NSRelationshipDescription":
            destination = archive.text(node.get("_NSDestinationEntityName"))
            result.destination = destination
            result.inverse = archive.text(node.get("_NSInverseRelationshipName"))
            result.to_many = node.get("NSMaxCount", 0) != 1
            result.ordered = bool(node.get("NSIsOrdered"))
        elif "NSAttributeType" in node:
            result.type_code = node["NSAttributeType"]
            result.external = bool(node.get("NSFlagsKey", 0) & EXTERNAL_STORAGE_FLAG)
            elements = archive.members(node.get("NSCompositeElements"))
            result.elements = [self.property(each) for each in elements]
        else:
            result.transient = True
        return result
