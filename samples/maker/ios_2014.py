"""A store of the 2014 tutorial: preview SDK, `ms_version` only, no config table, no model cache."""

from __future__ import annotations

from .azure import DELETE, INSERT, UPDATE, Queue, system_entities_2014
from .model import Attribute, Entity, Model
from .sample import ExpectedOperation, Row, Sample, expected_error, insert_rows
from .store import StoreOptions, StoreWriter

MILK = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
BIKE = "0c5a1d8e-77b2-4f6d-8f0a-2b6d1c9e4a01"
GONE = "b7d9c2f0-43f1-4a53-9a3e-0d6f5e0c7a11"

MODEL = Model(
    system_entities_2014()
    + [
        Entity(
            "TodoItem",
            (
                Attribute("complete", "boolean"),
                Attribute("id", "string"),
                Attribute("ms_version", "string"),
                Attribute("text", "string"),
            ),
        )
    ]
)

DELETED_ITEM = {"id": GONE, "complete": 1, "__version": "AAAAAAAA/9E="}

CONFLICT = {
    "code": -1302,
    "description": "An item with that id already exists.",
    "table": "TodoItem",
    "operation": INSERT,
    "itemId": MILK,
    "statusCode": 409,
    "item": {"id": MILK, "text": "Milk", "complete": 0},
}


def todo(pk: int, item_id: str, text: str, complete: bool, version: str | None) -> Row:
    """A row of `TodoItem`."""
    values = {"id": item_id, "text": text, "complete": complete, "ms_version": version}
    return Row("TodoItem", pk, values)


def build(sample: Sample, store: StoreWriter, queue: Queue) -> None:
    """Fills the store."""
    insert_rows(sample, store)
    queue.add(1, "TodoItem", MILK, INSERT)
    queue.add(2, "TodoItem", BIKE, UPDATE)
    queue.add(3, "TodoItem", GONE, {"type": DELETE, "item": DELETED_ITEM})
    queue.add_error("9F0C1E52-6D3B-4B0E-9A58-5C1D7E2F3A40", CONFLICT)


SAMPLE = Sample(
    folder="ios-2014",
    generation="2014",
    model=MODEL,
    options=StoreOptions("2D9C6C1A-5E0B-4C57-9B7F-20140611A001", framework=519),
    rows=[
        todo(1, "3f1b0a52-90c4-4f0e-8a7b-6d2e5c4b3a01", "Water the plants", True, "AAAAAAAAB9E="),
        todo(2, "3f1b0a52-90c4-4f0e-8a7b-6d2e5c4b3a02", "Call Mrs Müller", False, "AAAAAAAAB9I="),
        todo(4, BIKE, 'Repair the "old" bike', True, "AAAAAAAAB9Q="),
        todo(5, MILK, "Milk", False, None),
        todo(6, "3f1b0a52-90c4-4f0e-8a7b-6d2e5c4b3a06", "", False, "AAAAAAAAB/8="),
    ],
    build=build,
    operations=[
        ExpectedOperation(1, "insert", "TodoItem", MILK, row=5),
        ExpectedOperation(2, "update", "TodoItem", BIKE, "AAAAAAAAB9Q=", row=4),
        ExpectedOperation(
            3, "delete", "TodoItem", GONE, "AAAAAAAA/9E=", payload=DELETED_ITEM),
    ],
    errors=[expected_error(CONFLICT, 1)],
)
