"""A store of the 2015 quickstart (SDK 2.2), copied while its newest rows were in the log."""

from __future__ import annotations

from .azure import DELETE, INSERT, UPDATE, Queue, system_entities
from .model import Attribute, Entity, Model
from .sample import ExpectedOperation, Row, Sample, expected_error, insert_rows
from .store import StoreOptions, StoreWriter

TICKETS = "5b8e1d30-2c47-4c1f-8d4a-91f0a7c6e502"
LETTER = "5b8e1d30-2c47-4c1f-8d4a-91f0a7c6e503"
GONE = "b7d9c2f0-43f1-4a53-9a3e-0d6f5e0c7a11"
BREAD = "1E4A7C90-3B2D-4F65-A871-C0D9E8F7A6B5"

MODEL = Model(
    system_entities()
    + [
        Entity(
            "TodoItem",
            (
                Attribute("complete", "boolean"),
                Attribute("id", "string"),
                Attribute("ms_createdAt", "date"),
                Attribute("ms_deleted", "boolean"),
                Attribute("ms_updatedAt", "date"),
                Attribute("ms_version", "string"),
                Attribute("text", "string"),
            ),
        )
    ]
)

DELETED_ITEM = {
    "id": GONE,
    "text": None,
    "complete": 0,
    "__createdAt": "2015-08-01T07:12:45.500Z",
    "__updatedAt": "2015-08-02T18:00:00.000Z",
    "__version": "AAAAAAAAB9I=",
    "__deleted": 0,
}

CONFLICT = {
    "code": -1302,
    "domain": "com.Microsoft.WindowsAzureMobileServices.ErrorDomain",
    "description": "An item with that id already exists.",
    "table": "TodoItem",
    "operation": INSERT,
    "itemId": BREAD,
    "statusCode": 409,
    "item": {"id": BREAD, "text": "Bread / rolls", "complete": 0},
}

OLD_TOKEN = "2015-08-01T07:12:45.500Z"
TOKEN = "2015-08-02T18:00:00.000Z"


def todo(
    pk: int,
    item_id: str,
    text: str | None,
    complete: bool,
    created: str | None,
    updated: str | None,
    version: str | None,
) -> Row:
    """A row of `TodoItem`."""
    values = {
        "id": item_id,
        "text": text,
        "complete": complete,
        "ms_createdAt": created,
        "ms_updatedAt": updated,
        "ms_deleted": None if version is None else False,
        "ms_version": version,
    }
    return Row("TodoItem", pk, values)


GONE_ROW = todo(
    4, GONE, None, False, "2015-08-01T07:12:45.500Z", "2015-08-02T18:00:00.000Z", "AAAAAAAAB9I=")


def build(sample: Sample, store: StoreWriter, queue: Queue) -> None:
    """The main file gets an older state; all that follows stays in the log."""
    insert_rows(sample, store, 1, 2, 3)
    store.update("TodoItem", 3, {"text": "Write the letter"})
    store.insert("TodoItem", GONE_ROW.stored_values(), GONE_ROW.pk)
    queue.add(1, "TodoItem", TICKETS, UPDATE)
    token = queue.add_token(
        "3F2504E0-4F89-41D3-9A0C-0305E82C3301", "TodoItem", "allTodoItems", OLD_TOKEN)
    store.checkpoint()
    insert_rows(sample, store, 5, 6)
    queue.add(2, "TodoItem", BREAD, INSERT)
    queue.add(3, "TodoItem", BREAD, UPDATE)
    store.commit()
    store.update("TodoItem", 3, {"text": sample.row("TodoItem", 3).values["text"]})
    queue.add(4, "TodoItem", LETTER, UPDATE)
    store.commit()
    store.delete("TodoItem", GONE_ROW.pk)
    queue.add(5, "TodoItem", GONE, {"type": DELETE, "item": DELETED_ITEM})
    store.update("MS_TableConfig", token, {"value": TOKEN})
    queue.add_error("C56A4180-65AA-42EC-A945-5FD21DEC0538", CONFLICT, 2)
    store.commit()


SAMPLE = Sample(
    folder="ios-2015",
    generation="2015",
    model=MODEL,
    options=StoreOptions("7B1F0E5C-92D4-4A6B-8C3E-20150108B005", framework=641, wal=True),
    rows=[
        todo(
            1, "5b8e1d30-2c47-4c1f-8d4a-91f0a7c6e501", "Pay the rent", True,
            "2015-07-30T10:00:00.000Z", "2015-07-31T06:30:12.345Z", "AAAAAAAAB8E="),
        todo(
            2, TICKETS, "Buy tickets 🎫 for “Aïda”", False,
            "2015-07-30T10:05:41.007Z", "2015-07-30T10:05:41.007Z", "AAAAAAAAB8I="),
        todo(
            3, LETTER, "Write the letter, post it", False,
            "2015-07-31T21:59:59.999Z", "2015-08-01T07:12:45.500Z", "AAAAAAAAB9A="),
        todo(
            5, "5b8e1d30-2c47-4c1f-8d4a-91f0a7c6e505", None, False,
            "2015-08-02T17:59:59.250Z", "2015-08-02T18:00:00.000Z", "AAAAAAAAB+A="),
        todo(6, BREAD, "Bread / rolls", False, None, None, None),
    ],
    build=build,
    operations=[
        ExpectedOperation(1, "update", "TodoItem", TICKETS, "AAAAAAAAB8I=", row=2),
        ExpectedOperation(2, "insert", "TodoItem", BREAD, row=6),
        ExpectedOperation(3, "update", "TodoItem", BREAD, row=6),
        ExpectedOperation(4, "update", "TodoItem", LETTER, "AAAAAAAAB9A=", row=3),
        ExpectedOperation(
            5, "delete", "TodoItem", GONE, "AAAAAAAAB9I=", payload=DELETED_ITEM),
    ],
    errors=[expected_error(CONFLICT, 2)],
    tokens=[{"table": "TodoItem", "query": "allTodoItems", "updatedAt": TOKEN}],
    newest_in_log=True,
)
