"""The system entities of the Azure Mobile SDK for iOS, and what it puts into them."""

from __future__ import annotations

import json

from .model import Attribute, Entity, Relationship
from .store import StoreWriter

OPERATIONS = "MS_TableOperations"
ERRORS = "MS_TableOperationErrors"
CONFIG = "MS_TableConfig"

INSERT, UPDATE, DELETE = 0, 1, 2

TABLE_KIND = Attribute("tableKind", "integer16", 0)

OPERATIONS_2014 = (
    Attribute("id", "integer64", 0),
    Attribute("itemId", "string"),
    Attribute("properties", "binary"),
    Attribute("table", "string"),
)
ERRORS_2014 = (Attribute("id", "string"), Attribute("properties", "binary"))
CONFIG_2015 = (
    Attribute("id", "string"),
    Attribute("key", "string"),
    Attribute("keyType", "integer64", 0),
    Attribute("table", "string"),
    Attribute("value", "string"),
)


def system_entities(
    kinds: bool = True,
    config: bool = True,
    operation_id: bool = True,
    operation_relationship: bool = False,
) -> list[Entity]:
    """The system entities; the defaults are those of 2015 and later.

    The generation of 2014 has none of the four; `operation_relationship` is the five-week form in
    which an error pointed at its operation by a relationship.
    """
    kind = (TABLE_KIND,) if kinds else ()
    errors = ERRORS_2014 + kind
    if operation_id and not operation_relationship:
        errors += (Attribute("operationId", "integer64", 0),)
    link = (Relationship("operationId", OPERATIONS),) if operation_relationship else ()
    entities = [
        Entity(OPERATIONS, OPERATIONS_2014 + kind),
        Entity(ERRORS, errors, link),
    ]
    return entities + ([Entity(CONFIG, CONFIG_2015)] if config else [])


def system_entities_2014() -> list[Entity]:
    """The system entities of the preview generation."""
    return system_entities(kinds=False, config=False, operation_id=False)


def payload(value: object) -> bytes:
    """JSON as the SDK wrote it: no spaces, raw UTF-8, slashes escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("/", "\\/").encode()


class Queue:
    """Fills the system tables of a store."""

    def __init__(self, store: StoreWriter) -> None:
        self.store = store
        self.attributes = {
            entity: attribute_names(store, entity)
            for entity in (OPERATIONS, ERRORS, CONFIG)
            if entity in store.model.by_name
        }

    def add(
        self,
        number: object,
        table: object,
        item_id: object,
        properties: object,
        pk: int | None = None,
    ) -> int:
        """An operation; `properties` is a type, a JSON value, or the bytes themselves."""
        values = {
            "id": number,
            "table": table,
            "itemId": item_id,
            "properties": as_blob(properties),
            "tableKind": 0,
        }
        return self._insert(OPERATIONS, values, pk)

    def add_error(self, guid: object, properties: object, operation: object = 0) -> int:
        """An error row; `operation` is the number of the operation that failed."""
        values = {
            "id": guid,
            "properties": as_blob(properties),
            "operationId": operation,
            "tableKind": 0,
        }
        return self._insert(ERRORS, values, None)

    def add_token(
        self, guid: object, table: object, query: object, value: object, key_type: object = 0
    ) -> int:
        """A delta token."""
        values = {"id": guid, "table": table, "key": query, "keyType": key_type, "value": value}
        return self._insert(CONFIG, values, None)

    def _insert(self, entity: str, values: dict[str, object], pk: int | None) -> int:
        """Keys that the model does not have are dropped, as the SDK does."""
        known = self.attributes[entity]
        kept = {key: value for key, value in values.items() if key in known}
        return self.store.insert(entity, kept, pk)


def attribute_names(store: StoreWriter, entity: str) -> set[str]:
    """The attributes of an entity; the SDK never writes relationships."""
    return {column.path for column in store.layout.columns_of(entity) if column.kind != "key"}


def as_blob(properties: object) -> object:
    """The bytes of a payload given as a type or a JSON value."""
    if isinstance(properties, int):
        return payload({"type": properties})
    if isinstance(properties, (dict, list)):
        return payload(properties)
    return properties
