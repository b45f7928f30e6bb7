"""A store of the 2016 quickstart with an entity of the app's own, and a busy queue."""

from __future__ import annotations

from .azure import DELETE, INSERT, UPDATE, Queue, system_entities
from .model import Attribute, Entity, Model, Relationship
from .sample import As, ExpectedOperation, Row, Sample, expected_error, insert_rows
from .store import Ref, StoreOptions, StoreWriter

DOMAIN = "com.Microsoft.MicrosoftAzureMobile.ErrorDomain"

CONFLICTED = "b7d9c2f0-43f1-4a53-9a3e-0d6f5e0c7a11"
GONE = "b7d9c2f0-43f1-4a53-9a3e-0d6f5e0c7a12"
DISCARDED = "b7d9c2f0-43f1-4a53-9a3e-0d6f5e0c7a13"
PARTY = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
QUOTES = "E2D1C0B9-A897-4665-8453-423120FFEEDD"
FIRST_VISIT = "8d3c5e7a-10f2-4b64-9c86-a7b8c9d0e101"
NEW_VISIT = "4C6E8A0B-2D4F-4061-8283-94A5B6C7D8E9"

MODEL = Model(
    system_entities()
    + [
        Entity(
            "TodoItem",
            (
                Attribute("complete", "boolean"),
                Attribute("createdAt", "date"),
                Attribute("id", "string"),
                Attribute("text", "string"),
                Attribute("updatedAt", "date"),
                Attribute("version", "string"),
            ),
            (Relationship("visits", "Visit", inverse="task", to_many=True),),
        ),
        Entity(
            "Visit",
            (
                Attribute("createdAt", "date"),
                Attribute("deleted", "boolean"),
                Attribute("device", "uuid"),
                Attribute("distance", "integer64", 0),
                Attribute("done", "boolean", False),
                Attribute("fee", "decimal"),
                Attribute("id", "string"),
                Attribute("link", "uri"),
                Attribute("note", "string"),
                Attribute("people", "integer32", 0),
                Attribute("photo", "binary"),
                Attribute("rank", "integer16", 0),
                Attribute("rating", "float", 0.0),
                Attribute("startedAt", "date"),
                Attribute("tags", "transformable"),
                Attribute("temperature", "double", 0.0),
                Attribute("updatedAt", "date"),
                Attribute("version", "string"),
            ),
            (Relationship("task", "TodoItem", inverse="visits"),),
        ),
    ]
)

DELETED_ITEM = {
    "id": GONE,
    "text": "Größe prüfen",
    "complete": False,
    "createdAt": "2016-10-01T09:15:30.123Z",
    "updatedAt": "2016-10-02T18:00:00.000Z",
    "version": "AAAAAAAAB9M=",
}

CONFLICT = {
    "code": -1303,
    "domain": DOMAIN,
    "description": "The server's version did not match the passed version",
    "table": "TodoItem",
    "operation": UPDATE,
    "itemId": CONFLICTED,
    "statusCode": 412,
    "item": {
        "id": CONFLICTED,
        "text": "mine",
        "complete": False,
        "createdAt": "2016-10-01T09:15:30.123Z",
        "updatedAt": "2016-10-02T18:00:00.000Z",
        "version": "AAAAAAAAB9M=",
    },
    "serverItem": {
        "id": CONFLICTED,
        "text": "theirs",
        "complete": True,
        "createdAt": "2016-10-01T09:15:30.123Z",
        "updatedAt": "2016-10-03T06:30:00.250Z",
        "version": "AAAAAAAAB9Q=",
        "deleted": False,
    },
}

ROW_GONE = {
    "code": -1101,
    "domain": DOMAIN,
    "description": "No item was provided.",
    "table": "TodoItem",
    "operation": UPDATE,
    "itemId": DISCARDED,
    "statusCode": 0,
}

# A keyed archive would be usual here; these bytes are an app's own.
TAGS = b"tags\x00home\x00urgent\x00"
PNG_START = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


def todo(
    pk: int,
    item_id: str | None,
    text: str | None,
    complete: bool | None,
    created: str | None = None,
    updated: str | None = None,
    version: str | None = None,
) -> Row:
    """A row of `TodoItem`."""
    values = {
        "id": item_id,
        "text": text,
        "complete": complete,
        "createdAt": created,
        "updatedAt": updated,
        "version": version,
    }
    return Row("TodoItem", pk, values)


TODO_ROWS = [
    todo(
        1, "b7d9c2f0-43f1-4a53-9a3e-0d6f5e0c7a01", "Buy coffee ☕ and 🥐", True,
        "2016-09-28T08:00:00.000Z", "2016-09-30T21:45:10.042Z", "AAAAAAAAB8A="),
    todo(
        2, CONFLICTED, "mine", False,
        "2016-10-01T09:15:30.123Z", "2016-10-02T18:00:00.000Z", "AAAAAAAAB9M="),
    todo(
        3, "b7d9c2f0-43f1-4a53-9a3e-0d6f5e0c7a03", "Line one\nline two\twith a tab", False,
        "2016-10-01T09:15:31.001Z", "2016-10-01T09:15:31.001Z", "AAAAAAAAB/c="),
    todo(6, PARTY, "Plan the party 🎉👩‍👩‍👧 — каток, 寿司, ʻOhana", False),
    todo(7, QUOTES, "She said \"it's 5/8\", then left \\o/", True),
    todo(
        8, "b7d9c2f0-43f1-4a53-9a3e-0d6f5e0c7a08", None, None,
        "2016-10-02T10:00:00.500Z", "2016-10-02T10:00:00.500Z", "AAAAAAAACAA="),
]

VISIT_ROWS = [
    Row("Visit", 1, {
        "id": FIRST_VISIT,
        "note": "Gate code: 4711; ask for \"Zoë\"",
        "createdAt": "2016-10-01T09:00:00.000Z",
        "updatedAt": "2016-10-02T17:59:00.333Z",
        "version": "AAAAAAAACBE=",
        "deleted": False,
        "done": True,
        "rank": 3,
        "people": 2,
        "distance": 12_345_678_901,
        "fee": "19.95",
        "temperature": 21.5,
        "rating": 4.3,
        "startedAt": As(497_080_800.987654321, "2016-10-02T06:00:00.987654328Z"),
        "device": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
        "link": "https://example.org/visits/1?from=app&lang=de",
        "tags": TAGS,
        "photo": PNG_START,
        "task": Ref("TodoItem", 1),
    }),
    Row("Visit", 2, {
        "id": NEW_VISIT,
        "note": "",
        "deleted": None,
        "done": False,
        "rank": -32_768,
        "people": -2_147_483_648,
        "distance": 9_223_372_036_854_775_807,
        "fee": "-0.01",
        "temperature": -40.0,
        "rating": 0.0,
        "startedAt": "1969-07-20T20:17:40.000Z",
        "photo": b"",
        "task": Ref("TodoItem", 6),
    }),
    Row("Visit", 4, {
        "id": "8d3c5e7a-10f2-4b64-9c86-a7b8c9d0e104",
        "createdAt": "2016-10-02T07:00:00.000Z",
        "updatedAt": "2016-10-02T07:00:00.000Z",
        "version": "AAAAAAAACBQ=",
        "distance": -9_223_372_036_854_775_808,
        "fee": "1250",
        "temperature": 0.1,
        "rating": 1.5,
        "startedAt": As(-63_114_076_800, "0001-01-01T00:00:00.000Z"),
    }),
]


def build(sample: Sample, store: StoreWriter, queue: Queue) -> None:
    """Operations are added in another order than they are sent, as after changes of the queue."""
    insert_rows(sample, store)
    queue.add(3, "TodoItem", PARTY, INSERT)
    queue.add(5, "TodoItem", QUOTES, INSERT)
    queue.add(9, "TodoItem", QUOTES, UPDATE)
    queue.add(4, "Visit", NEW_VISIT, INSERT)
    queue.add(7, "TodoItem", CONFLICTED, UPDATE)
    queue.add(8, "TodoItem", GONE, {"type": DELETE, "item": DELETED_ITEM})
    queue.add(10, "TodoItem", DISCARDED, UPDATE)
    queue.add(11, "Visit", FIRST_VISIT.upper(), UPDATE)
    store.set_maximum("MS_TableOperations", 14)
    queue.add_error("0A1B2C3D-4E5F-4071-8293-A4B5C6D7E8F9", CONFLICT, 7)
    queue.add_error("7D444840-9DC0-41D1-B245-5FFDCE74FAD2", ROW_GONE, 10)
    queue.add_token(
        "3F2504E0-4F89-41D3-9A0C-0305E82C3301", "TodoItem", "allTodoItems", TODO_TOKEN)
    queue.add_token(
        "3F2504E0-4F89-41D3-9A0C-0305E82C3302", "Visit", "allVisits", VISIT_TOKEN)


TODO_TOKEN = "2016-10-02T18:00:00.000Z"
VISIT_TOKEN = "2016-10-02T17:59:00.333Z"

SAMPLE = Sample(
    folder="ios-2016",
    generation="2016",
    model=MODEL,
    options=StoreOptions(
        "A4F6C3B2-1D0E-4F9A-8B7C-20161003C010",
        framework=865,
        application={"lastCleanUp": "2016-10-01"},
    ),
    rows=TODO_ROWS + VISIT_ROWS,
    build=build,
    operations=[
        ExpectedOperation(3, "insert", "TodoItem", PARTY, row=6),
        ExpectedOperation(4, "insert", "Visit", NEW_VISIT, row=2),
        ExpectedOperation(5, "insert", "TodoItem", QUOTES, row=7),
        ExpectedOperation(7, "update", "TodoItem", CONFLICTED, "AAAAAAAAB9M=", row=2),
        ExpectedOperation(
            8, "delete", "TodoItem", GONE, "AAAAAAAAB9M=", payload=DELETED_ITEM),
        ExpectedOperation(9, "update", "TodoItem", QUOTES, row=7),
        ExpectedOperation(10, "update", "TodoItem", DISCARDED),
        ExpectedOperation(11, "update", "Visit", FIRST_VISIT.upper(), "AAAAAAAACBE=", row=1),
    ],
    errors=[expected_error(CONFLICT, 4), expected_error(ROW_GONE, 7)],
    tokens=[
        {"table": "TodoItem", "query": "allTodoItems", "updatedAt": TODO_TOKEN},
        {"table": "Visit", "query": "allVisits", "updatedAt": VISIT_TOKEN},
    ],
)
