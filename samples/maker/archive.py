"""The model as Core Data embeds it: a keyed archive, deflated, in Z_MODELCACHE."""

from __future__ import annotations

import plistlib
import zlib
from decimal import Decimal
from plistlib import UID
from uuid import UUID

from .model import TYPE_CODES, Attribute, Entity, Model, Relationship, caseless

NULL = UID(0)
EMPTY_SLOT = "__empty_slot_token_4c24_98dc_ac1e_b773__"
DEFLATE_RAW = -15
EXTERNAL_STORAGE_FLAG = 4

PARENTS = {
    "NSAttributeDescription": "NSPropertyDescription",
    "NSCompositeAttributeDescription": "NSAttributeDescription",
    "NSKnownKeysDictionary1": "NSKnownKeysDictionary",
    "NSKnownKeysDictionary": "NSMutableDictionary",
    "NSKnownKeysMappingStrategy1": "NSKnownKeysMappingStrategy",
    "NSMutableArray": "NSArray",
    "NSMutableDictionary": "NSDictionary",
    "NSMutableString": "NSString",
    "NSRelationshipDescription": "NSPropertyDescription",
}

VALUE_CLASSES = {
    "string": "NSString",
    "date": "NSDate",
    "binary": "NSData",
    "uuid": "NSUUID",
    "uri": "NSURL",
    "decimal": "NSDecimalNumber",
}


def model_cache(model: Model, proxies: bool = False, mutable_names: bool = False) -> bytes:
    """The content of Z_MODELCACHE.

    Inherited properties are listed as full copies, or as proxies; with `mutable_names` the names
    of properties are NSMutableString objects. Both forms occur in the field.
    """
    archive = ModelArchiver(model, proxies, mutable_names).archive()
    deflate = zlib.compressobj(9, zlib.DEFLATED, DEFLATE_RAW)
    return deflate.compress(archive) + deflate.flush()


class Archiver:
    """The object table of a keyed archive."""

    def __init__(self) -> None:
        self.objects: list[object] = ["$null"]
        self._classes: dict[str, UID] = {}
        self._strings: dict[str, UID] = {}

    def reserve(self) -> UID:
        """A place for an object that comes later."""
        self.objects.append(None)
        return UID(len(self.objects) - 1)

    def fill(self, place: UID, class_name: str, **keys: object) -> UID:
        """Puts an object into a reserved place."""
        self.objects[place.data] = {**keys, "$class": self.class_of(class_name)}
        return place

    def put(self, class_name: str, **keys: object) -> UID:
        """Adds an object of a class."""
        return self.fill(self.reserve(), class_name, **keys)

    def scalar(self, value: object) -> UID:
        """Adds a plain value."""
        self.objects.append(value)
        return UID(len(self.objects) - 1)

    def default(self, value: object) -> UID:
        """Adds a default value; the framework archives decimals and UUIDs as objects."""
        if isinstance(value, Decimal):
            sign, digits, exponent = value.as_tuple()
            mantissa = int("".join(map(str, digits)))
            return self.put("NSDecimalNumberPlaceholder", **{
                "NS.exponent": exponent, "NS.length": -(-mantissa.bit_length() // 16),
                "NS.negative": bool(sign), "NS.compact": True, "NS.mantissa.bo": 1,
                "NS.mantissa": mantissa.to_bytes(16, "little")})
        if isinstance(value, UUID):
            return self.put("NSUUID", **{"NS.uuidbytes": value.bytes})
        return NULL if value is None else self.scalar(value)

    def string(self, text: str | None) -> UID:
        """Equal strings share one place."""
        if text is None:
            return NULL
        if text not in self._strings:
            self._strings[text] = self.scalar(text)
        return self._strings[text]

    def class_of(self, name: str) -> UID:
        """The place of a class description."""
        if name not in self._classes:
            chain = [name]
            while chain[-1] in PARENTS:
                chain.append(PARENTS[chain[-1]])
            description = {"$classname": name, "$classes": chain + ["NSObject"]}
            self._classes[name] = self.scalar(description)
        return self._classes[name]

    def array(self, items: list[UID], class_name: str = "NSArray") -> UID:
        """Adds an array or a set."""
        return self.put(class_name, **{"NS.objects": items})

    def dictionary(self, items: dict[str, UID], class_name: str = "NSMutableDictionary") -> UID:
        """Adds a dictionary with text keys."""
        keys = [self.string(key) for key in items]
        return self.put(class_name, **{"NS.keys": keys, "NS.objects": list(items.values())})

    def data(self, root: UID) -> bytes:
        """The archive as a binary property list."""
        archive = {
            "$version": 100000,
            "$archiver": "NSKeyedArchiver",
            "$top": {"root": root},
            "$objects": self.objects,
        }
        return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY, sort_keys=False)


class ModelArchiver(Archiver):
    """Archives a model in the shapes of a model cache."""

    def __init__(self, model: Model, proxies: bool, mutable_names: bool) -> None:
        super().__init__()
        self.model = model
        self.proxies = proxies
        self.mutable_names = mutable_names
        self.root = self.reserve()
        self.places = {entity.name: self.reserve() for entity in model.in_number_order()}
        # Every entity has its own copy of every property it has, inherited ones included.
        self.properties = {
            (entity.name, each.name): self.reserve()
            for entity in model.in_number_order()
            for owner in model.lineage(entity.name)
            for each in (*owner.attributes, *owner.relationships)
        }

    def archive(self) -> bytes:
        """The archived model."""
        for entity in self.model.in_number_order():
            self._entity(entity)
        identifiers = [self.string(each) for each in self.model.identifiers]
        self.fill(
            self.root,
            "NSManagedObjectModel",
            NSEntities=self._entities(),
            NSFetchRequestTemplates=NULL,
            NSVersionIdentifiers=self.array(identifiers, "NSSet"),
        )
        return self.data(self.root)

    def _entities(self) -> UID:
        names = sorted(self.places, key=caseless)
        mapping = self.put(
            "NSKnownKeysMappingStrategy1",
            length=len(names),
            keys=self.array([self.string(name) for name in names]),
            version=1,
        )
        return self.put(
            "NSKnownKeysDictionary1",
            values=self.array([self.places[name] for name in names]),
            searchMapping=mapping,
            emptyToken=self.string(EMPTY_SLOT),
            version=1,
        )

    def _entity(self, entity: Entity) -> None:
        properties = {}
        for owner in self.model.lineage(entity.name):
            for each in (*owner.attributes, *owner.relationships):
                place = self.properties[entity.name, each.name]
                properties[each.name] = place
                if owner is not entity and self.proxies:
                    underlying = self.properties[owner.name, each.name]
                    proxy = "_NSPropertyDescriptionProxy"
                    self.fill(place, proxy, NSUnderlyingProperty=underlying)
                elif isinstance(each, Attribute):
                    self._attribute(place, entity, each)
                else:
                    self._relationship(place, entity, each)
        children = {each.name: self.places[each.name] for each in self.model.children(entity.name)}
        keys: dict[str, object] = {}
        if entity.abstract:
            keys["NSIsAbstract"] = True
        self.fill(
            self.places[entity.name],
            "NSEntityDescription",
            NSProperties=self.dictionary(properties),
            NSUserInfo=self.dictionary({}, "NSDictionary"),
            NSManagedObjectModel=self.root,
            NSClassNameForEntity=NULL,
            NSVersionHashModifier=NULL,
            NSCompoundIndexes=self.array([], "NSMutableArray"),
            NSEntityName=self.string(entity.name),
            NSSubentities=self.dictionary(children),
            NSSuperentity=self.places[entity.parent] if entity.parent else NULL,
            NSRenamingIdentifier=self.string(entity.renamed_from or entity.name),
            **keys,
        )

    def _name(self, text: str) -> UID:
        if not self.mutable_names:
            return self.string(text)
        return self.put("NSMutableString", **{"NS.string": text})

    def _attribute(self, place: UID, entity: Entity, attribute: Attribute) -> None:
        keys = self._attribute_keys(attribute)
        class_name = "NSAttributeDescription"
        if attribute.kind == "composite":
            class_name = "NSCompositeAttributeDescription"
            elements = [
                self.put("NSAttributeDescription", **self._attribute_keys(element))
                for element in attribute.elements
            ]
            keys["NSCompositeElements"] = self.array(elements)
        self.fill(place, class_name, NSEntity=self.places[entity.name], **keys)

    def _attribute_keys(self, attribute: Attribute) -> dict[str, object]:
        keys: dict[str, object] = {
            "_P": 243,
            "NSPropertyName": self._name(attribute.name),
            "NSAttributeType": TYPE_CODES[attribute.kind],
            "NSAttributeValueClassName": self.string(
                VALUE_CLASSES.get(attribute.kind, "NSNumber")),
            "NSDefaultValue": self.default(attribute.default),
            "NSValueTransformerName": NULL,
            "NSFlagsKey": EXTERNAL_STORAGE_FLAG if attribute.external else 0,
            "NSRenamingIdentifier": self.string(attribute.name),
        }
        return keys | true_keys(NSIsOptional=attribute.optional, NSIsTransient=attribute.transient)

    def _relationship(self, place: UID, entity: Entity, relationship: Relationship) -> None:
        inverse = self.model.inverse(relationship)
        target = self.properties[inverse[0], inverse[1].name] if inverse else NULL
        self.fill(
            place,
            "NSRelationshipDescription",
            _P=243,
            NSPropertyName=self._name(relationship.name),
            NSEntity=self.places[entity.name],
            NSDestinationEntity=self.places[relationship.destination],
            NSInverseRelationship=target,
            NSDeleteRule=1,
            NSMinCount=0,
            NSMaxCount=0 if relationship.to_many else 1,
            NSRenamingIdentifier=self.string(relationship.name),
            _NSDestinationEntityName=self.string(relationship.destination),
            _NSInverseRelationshipName=self.string(relationship.inverse),
            **true_keys(
                NSIsOptional=relationship.optional, NSIsOrdered=relationship.ordered),
        )


def true_keys(**keys: bool) -> dict[str, bool]:
    """Only the keys that are true: an absent key means false."""
    return {key: value for key, value in keys.items() if value}
