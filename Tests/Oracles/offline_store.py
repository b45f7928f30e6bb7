"""Reads a store of an offline SDK, whichever it is."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from offline_values import Store, exported, schema
from store_copy import opened

FAMILIES = ("watermelondb", "powersync", "couchbase")


def read_family(family: str, path: Path) -> Store | None:
    """What the oracle of a family reads; None where the file is none of the family's."""
    reader = import_module(f"{family}_store")
    with opened(path) as database:
        database.text_factory = str
        names = schema(database)
        if not reader.recognised(names):
            return None
        store = reader.read(database, names)
    if hasattr(reader, "look_beside"):
        reader.look_beside(store, path)
    return store


def read_store(path: Path) -> dict[str, object] | None:
    """Everything a store holds, in the form of the other readers."""
    stores = (read_family(family, path) for family in FAMILIES)
    store = next((store for store in stores if store is not None), None)
    if store is None:
        return None
    tables = {
        name: {
            "columns": [{"name": column.name, "type": column.type} for column in columns],
            "rows": [
                [row[0]] + [exported(c, cell) for c, cell in zip(columns, row[1:])] for row in rows
            ],
        }
        for name, (columns, rows) in store.tables.items()
    }
    return {
        "layout": store.layout, "generation": store.generation, "tables": tables, "errors": [],
        "operations": [
            {"sequence": number} | {key: operation[key] for key in ORDER}
            for number, operation in enumerate(store.operations, 1)
        ],
        "tokens": store.tokens,
    }


ORDER = ("table", "itemId", "kind", "state", "item", "baseVersion", "originalId")
