"""Stores with a queue whose right end is known: the store, the server before, the server after."""

from __future__ import annotations

import base64
import json
import random
import sqlite3
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "samples"))

from maker.dotnet import DATASYNC_TABLES, MOBILE_APPS_TABLES, MOBILE_SERVICES_TABLES  # noqa: E402

# The store whose SDK speaks a dialect, and the table's name there.
LAYOUTS = {"v1": "a", "v2-dotnet": "b", "v2-node": "b", "v3": "c", "toolkit": "f"}
WORDS = ("milk", "Käse", "茶", "two\nlines", "\"quoted\"", "a\\b", "", "🧀", "1e5", "null")
TOOLKIT_QUEUE = (
    'CREATE TABLE "DatasyncOperationsQueue" ("Id" TEXT NOT NULL PRIMARY KEY,'
    ' "Kind" INTEGER NOT NULL, "State" INTEGER NOT NULL, "LastAttempt" TEXT NULL,'
    ' "HttpStatusCode" INTEGER NULL, "EntityType" TEXT NOT NULL, "ItemId" TEXT NOT NULL,'
    ' "EntityVersion" TEXT NOT NULL, "Item" TEXT NOT NULL, "Sequence" INTEGER NOT NULL,'
    ' "Version" INTEGER NOT NULL)',
    'CREATE TABLE "DatasyncDeltaTokens" ("Id" TEXT NOT NULL PRIMARY KEY,'
    ' "Value" INTEGER NOT NULL)',
)
# What becomes of an item; the shares are those of the list.
PLANS = (
    ["insert"] * 8 + ["insert-present"] + ["insert-other"] + ["update"] * 5 + ["update-blind"]
    + ["update-changed"] + ["update-equal"] + ["delete"] * 3 + ["delete-gone"] + ["delete-changed"]
    + ["untouched"]
)
CONFLICTS = {"insert-other", "update-changed", "delete-changed"}


@dataclass
class QueueStore:
    """What was made, and what must come of it."""

    path: Path
    table: str
    # Items that the server has before, as the service is seeded.
    before: list[dict[str, object]] = field(default_factory=list)
    # The fields of each item at the end; None where it is deleted or was never there.
    after: dict[str, dict[str, object] | None] = field(default_factory=dict)
    # The plan of each item, by id, and the operation's place in the queue.
    plans: dict[str, str] = field(default_factory=dict)
    sequences: dict[str, int] = field(default_factory=dict)


def make_store(path: Path, dialect: str, seed: int, count: int) -> QueueStore:
    """Writes a store of the SDK that spoke the dialect, with `count` items."""
    made = QueueStore(path, "todoitem" if LAYOUTS[dialect] in "cf" else "TodoItem")
    chance = random.Random(seed)
    database = sqlite3.connect(path)
    layout = LAYOUTS[dialect]
    for statement in statements(layout):
        database.execute(statement)
    for number in range(count):
        add_item(made, database, layout, chance, number)
    database.commit()
    database.close()
    return made


def statements(layout: str) -> tuple[str, ...]:
    """The tables of a layout."""
    if layout == "f":
        return TOOLKIT_QUEUE + (
            'CREATE TABLE "TodoItems" ("Id" TEXT NOT NULL PRIMARY KEY, "Text" TEXT, "Count" INTEGER,'
            ' "Weight" REAL, "Done" INTEGER NOT NULL, "Version" TEXT, "UpdatedAt" TEXT,'
            ' "Deleted" INTEGER NOT NULL)',)
    version = "__version" if layout == "a" else "version"
    table = "todoitem" if layout == "c" else "TodoItem"
    system = {"a": MOBILE_SERVICES_TABLES, "b": MOBILE_APPS_TABLES, "c": DATASYNC_TABLES}[layout]
    return system + (
        f"CREATE TABLE [{table}] ([id] TEXT PRIMARY KEY, [text] TEXT, [count] INTEGER,"
        f" [weight] FLOAT, [done] BOOLEAN, [{version}] TEXT)",)


def add_item(
    made: QueueStore, database: sqlite3.Connection, layout: str, chance: random.Random, number: int
) -> None:
    """One item, its operation, and both ends on the server."""
    identifier = f"item-{number}-{chance.getrandbits(32):08x}"
    plan = chance.choice(PLANS)
    wanted = contents(chance, identifier)
    base = base64.b64encode(chance.randbytes(8)).decode()
    other = base64.b64encode(chance.randbytes(8)).decode()
    made.plans[identifier] = plan
    kind = plan.partition("-")[0]
    if kind != "untouched":
        made.sequences[identifier] = len(made.sequences) + 1
    old = {**contents(chance, identifier), "text": "as it was before"}
    there = None if plan in ("insert", "delete-gone") else old
    if plan in ("insert-present", "update-equal", "untouched"):
        there = wanted
    if there is not None:
        version = other if plan.endswith(("changed", "equal", "other", "present")) else base
        made.before.append({**there, "version": version})
    made.after[identifier] = there if plan in CONFLICTS or kind == "untouched" else \
        None if kind == "delete" else wanted
    known = None if kind == "insert" or plan == "update-blind" else base
    if layout == "f":
        add_toolkit(database, kind, wanted, known, len(made.sequences))
    else:
        add_dotnet(made, database, layout, kind, wanted, known)


def contents(chance: random.Random, identifier: str) -> dict[str, object]:
    """The fields of an item."""
    return {
        "id": identifier, "text": chance.choice(WORDS) + str(chance.randrange(1000)),
        "count": chance.randrange(-2**53, 2**53), "weight": chance.randrange(1, 4000) / 8 + 0.125,
        "done": chance.random() < 0.5,
    }


def add_dotnet(
    made: QueueStore, database: sqlite3.Connection, layout: str, kind: str,
    item: dict[str, object], version: str | None
) -> None:
    """The row and the operation of layouts a, b and c."""
    if kind != "delete":
        database.execute(
            f"INSERT INTO [{made.table}] VALUES (?,?,?,?,?,?)", (*item.values(), version))
    if kind == "untouched":
        return
    codes = {"c": {"insert": 2, "update": 3, "delete": 1}}.get(
        layout, {"insert": 0, "update": 1, "delete": 2})
    name = "__version" if layout == "a" else "version"
    payload = json.dumps({**item, name: version}, ensure_ascii=False) if kind == "delete" else None
    number = len(made.sequences)
    key = f"{number:08x}-0000-4000-8000-000000000000"
    row: dict[str, object] = {
        "id": key.replace("-", "") if layout == "c" else key, "kind": codes[kind], "state": 0,
        "tableName": made.table, "itemId": item["id"], "item": payload, "sequence": number,
        "version": 1}
    if layout != "c":
        row["tableKind"] = 0
    names = ",".join(f"[{column}]" for column in row)
    marks = ",".join("?" * len(row))
    database.execute(f"INSERT INTO [__operations] ({names}) VALUES ({marks})", (*row.values(),))


def add_toolkit(
    database: sqlite3.Connection, kind: str, item: dict[str, object], version: str | None,
    number: int
) -> None:
    """The row and the operation of layout f, whose payload leaves out default values."""
    if kind != "delete":
        database.execute(
            'INSERT INTO "TodoItems" VALUES (?,?,?,?,?,?,NULL,0)', (*item.values(), version))
    if kind == "untouched":
        return
    sent = {name: value for name, value in item.items() if value}
    if version:
        sent["version"] = version
    database.execute(
        'INSERT INTO "DatasyncOperationsQueue" VALUES (?,?,0,NULL,NULL,?,?,?,?,?,0)',
        (f"{number:032x}", {"insert": 0, "delete": 1, "update": 2}[kind], "MyApp.Data.TodoItem",
         item["id"], version or "", json.dumps(sent, ensure_ascii=False), number))
