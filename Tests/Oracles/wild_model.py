"""Random models: the three generations of the SDK, hybrids, and entities of an app."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from maker.azure import system_entities, system_entities_2014
from maker.model import Attribute, Entity, Model, Relationship

ALL_KINDS = (
    "integer16", "integer32", "integer64", "decimal", "double", "float", "string", "boolean",
    "date", "binary", "uuid", "uri", "transformable",
)
FOREIGN_NAMES = ("Größe", "Задача", "任务", "Ärger", "Tâche")


@dataclass
class WildModel:
    """A model with what is known about it."""

    model: Model
    generation: str
    hybrid: str | None
    cache: bool
    situations: list[str] = field(default_factory=list)

    def synced(self) -> list[str]:
        """The concrete entities of the app that have an id."""
        return [
            entity.name
            for entity in self.model.in_number_order()
            if not entity.name.startswith("MS_Table")
            and not entity.abstract
            and any(
                attribute.name == "id"
                for each in self.model.lineage(entity.name)
                for attribute in each.attributes
            )
        ]


def wild_model(rng: random.Random, contested: bool) -> WildModel:
    """A random model."""
    generation = rng.choice(("2014", "2015", "2016"))
    hybrid = rng.choice((None, None, None, "no-table-kind", "halfway", "relationship-errors",
                         "no-system-columns"))
    if hybrid == "halfway" and generation != "2016" and not contested:
        hybrid = None
    if hybrid in ("no-table-kind", "relationship-errors") and generation == "2014":
        generation = "2015"
    cache = rng.random() < 0.65
    system = system_attributes(rng, generation, hybrid)
    entities = system_of(generation, hybrid)
    wild = WildModel(Model([]), generation, hybrid, cache)
    todo = Entity("TodoItem", (*system, Attribute("complete", "boolean"),
                               Attribute("text", "string")))
    groups = [plain_types, foreign, own_bookkeeping]
    if cache:
        groups += [family, one_to_one, ordered_list, hidden_to_many, many_to_many, external]
    entities.append(todo)
    for group in groups:
        if rng.random() < 0.5:
            entities += group(rng, system)
            wild.situations.append(group.__name__.replace("_", "-"))
    wild.model = Model(entities)
    return wild


def system_of(generation: str, hybrid: str | None) -> list[Entity]:
    """The system entities of a generation or hybrid."""
    if generation == "2014":
        return system_entities_2014()
    if hybrid == "no-table-kind":
        return system_entities(kinds=False)
    if hybrid == "relationship-errors":
        return system_entities(config=False, operation_relationship=True)
    return system_entities()


def system_attributes(
    rng: random.Random, generation: str, hybrid: str | None
) -> tuple[Attribute, ...]:
    """The id and the system columns of a synced entity."""
    new = [("version", "string"), ("createdAt", "date"), ("updatedAt", "date"),
           ("deleted", "boolean")]
    old = [("ms_" + name, kind) for name, kind in new]
    chosen = {"2014": old[: rng.choice((1, 1, 4))], "2015": old, "2016": new[: rng.choice((3, 4))]}
    columns = chosen[generation]
    if hybrid == "halfway":
        columns = old + new
    if hybrid == "no-system-columns":
        columns = []
    return tuple(Attribute(name, kind) for name, kind in [("id", "string"), *columns])


def plain_types(rng: random.Random, system: tuple[Attribute, ...]) -> list[Entity]:
    """Every attribute type, some twice, and a transient attribute without a column."""
    attributes = [Attribute(f"{kind}Value", kind) for kind in ALL_KINDS]
    attributes += [Attribute(f"other_{kind}", kind) for kind in rng.sample(ALL_KINDS, 5)]
    attributes.append(Attribute("shown", "string", transient=True))
    return [Entity("ColumnTypes", (*system, *attributes))]


def foreign(rng: random.Random, system: tuple[Attribute, ...]) -> list[Entity]:
    """An entity and attributes whose names are not ASCII."""
    name = rng.choice(FOREIGN_NAMES)
    attributes = (Attribute("änderung", "date"), Attribute("описание", "string"))
    return [Entity(name, (*system, *attributes))]


def own_bookkeeping(rng: random.Random, system: tuple[Attribute, ...]) -> list[Entity]:
    """An entity whose name collides with the canonical store's own tables."""
    name = rng.choice(("rehome_meta", "rehome_operation", "rehome_x"))
    return [Entity(name, (*system, Attribute("note", "string")))]


def family(rng: random.Random, system: tuple[Attribute, ...]) -> list[Entity]:
    """Three levels of inheritance, equal names among cousins, a polymorphic to-one."""
    title = Attribute("title", "string")
    return [
        Entity("Animal", (*system, Attribute("name", "string")), abstract=rng.random() < 0.5),
        Entity("Dog", (title, Attribute("age", "integer16")), parent="Animal"),
        Entity("cat", (title, Attribute("age", "integer64")), parent="Animal"),
        Entity("Puppy", (Attribute("born", "date"),), parent="Dog", renamed_from="Whelp"),
        Entity("Keeper", (*system, Attribute("name", "string")),
               (Relationship("favourite", "Animal"),)),
    ]


def one_to_one(rng: random.Random, system: tuple[Attribute, ...]) -> list[Entity]:
    """Two entities that point at each other."""
    return [
        Entity("Parent", (*system, Attribute("name", "string")),
               (Relationship("child", "Child", inverse="parent"),)),
        Entity("Child", (*system, Attribute("value", "integer64")),
               (Relationship("parent", "Parent", inverse="child"),)),
    ]


def ordered_list(rng: random.Random, system: tuple[Attribute, ...]) -> list[Entity]:
    """A one-to-many relationship that keeps an order."""
    songs = Relationship("songs", "Song", inverse="list", to_many=True, ordered=True)
    return [
        Entity("Playlist", (*system, Attribute("name", "string")), (songs,)),
        Entity("Song", (*system, Attribute("name", "string")),
               (Relationship("list", "Playlist", inverse="songs"),)),
    ]


def hidden_to_many(rng: random.Random, system: tuple[Attribute, ...]) -> list[Entity]:
    """A to-many without inverse, which lives in the other table."""
    ordered = rng.random() < 0.5
    questions = Relationship("questions", "Question", to_many=True, ordered=ordered)
    return [
        Entity("Quiz", (*system, Attribute("name", "string")), (questions,)),
        Entity("Question", (*system, Attribute("wording", "string"))),
    ]


def many_to_many(rng: random.Random, system: tuple[Attribute, ...]) -> list[Entity]:
    """A join table; the side that sorts first by `Entity.relationship` may be ordered."""
    ordered = rng.random() < 0.5
    tags = Relationship("labels", "Label", inverse="boxes", to_many=True, ordered=ordered)
    return [
        Entity("Box", (*system, Attribute("name", "string")), (tags,)),
        Entity("Label", (*system, Attribute("name", "string")),
               (Relationship("boxes", "Box", inverse="labels", to_many=True),)),
    ]


def external(rng: random.Random, system: tuple[Attribute, ...]) -> list[Entity]:
    """A binary attribute that may be kept in files."""
    return [Entity("Photo", (*system, Attribute("image", "binary", external=True)))]
