"""Local Datastores of Parse with a queue whose right end is known, and the server before it."""

from __future__ import annotations

import json
import random
import sqlite3
import uuid
from dataclasses import dataclass, field
from pathlib import Path

CLASS = "Task"
KNOWN, LATER = "2026-04-01T00:00:00.000Z", "2026-04-02T00:00:00.000Z"
WORDS = ("milk", "Käse", "茶", "two\nlines", '"quoted"', "a\\b", "", "🧀", "a/b")
PLANS = (
    ["new"] * 5 + ["new-set"] * 2 + ["new-twin"] * 2 + ["new-delete"] + ["new-earlier"] * 2
    + ["new-later"] * 2 + ["set"] * 4 + ["increment"] * 4 + ["lists"] * 2 + ["unset"] + ["relate"]
    + ["mixed"] * 2 + ["set-changed", "increment-changed", "set-equal", "set-gone"]
    + ["delete"] * 2 + ["delete-gone", "delete-changed"]
)
CONFLICTS = {"set-changed", "set-gone", "delete-changed"}
IDLE = CONFLICTS | {"set-equal", "delete-gone"}


@dataclass
class Item:
    """One object: on the device, on the server before, and what must be on the server after."""

    plan: str
    label: str
    uuid: str
    object_id: str | None
    sets: list[dict[str, object]]
    deletes: bool = False
    server_values: dict[str, object] = field(default_factory=dict)
    before: dict[str, object] | None = None
    after: dict[str, object] | None = None
    # The label of the object that `next` must lead to.
    target: str | None = None


@dataclass
class ParseQueueStore:
    """What was made, and what must come of it."""

    path: Path
    items: list[Item] = field(default_factory=list)
    # The item of each operation, in push order.
    operations: list[Item] = field(default_factory=list)

    @property
    def before(self) -> dict[str, list[dict[str, object]]]:
        return {CLASS: [each.before for each in self.items if each.before is not None]}

    @property
    def conflicts(self) -> set[int]:
        return {place + 1 for place, item in enumerate(self.operations)
                if item.plan in CONFLICTS}


def make_store(path: Path, seed: int, count: int) -> ParseQueueStore:
    """Writes a store with about `count` operations."""
    made = ParseQueueStore(path)
    chance = random.Random(f"parse-queue-{seed}")
    while sum(len(item.sets) + item.deletes for item in made.items) < count:
        made.items.append(new_item(chance, len(made.items), made.items))
    write(made, chance)
    return made


def new_uuid(chance: random.Random) -> str:
    return str(uuid.UUID(int=chance.getrandbits(128)))


def new_item(chance: random.Random, number: int, others: list[Item]) -> Item:
    plan = chance.choice(PLANS)
    label = "twin" if plan == "new-twin" else f"item {number} {chance.choice(WORDS)}"
    is_new = plan.startswith("new")
    item = Item(plan, label, new_uuid(chance), None if is_new else f"dev{number:07}", [])
    amount = chance.choice((1, 5, -3, 2.5))
    if is_new:
        first: dict[str, object] = {
            "label": label, "count": {"__op": "Increment", "amount": 1}, "done": True,
            "tags": {"__op": "Add", "objects": ["a"]},
            "when": {"__type": "Date", "iso": KNOWN}, "ACL": {"*": {"read": True}}}
        item.sets.append(first)
        item.after = {"label": label, "count": 1, "done": True, "tags": ["a"],
                      "when": first["when"], "ACL": first["ACL"]}
        if plan == "new-set":
            item.sets.append({"count": {"__op": "Increment", "amount": amount}, "done": False})
            item.after |= {"count": 1 + amount, "done": False}
        elif plan == "new-delete":
            item.deletes, item.after = True, None
        return item
    values = {"label": label, "count": 10, "tags": ["x"], "done": False, "old": "stays or goes"}
    item.server_values = values
    item.before = {"objectId": item.object_id, "createdAt": KNOWN, "updatedAt": KNOWN, **values}
    kind, _, state = plan.partition("-")
    if state in ("changed", "equal"):
        item.before |= {"updatedAt": LATER, "done": True, "count": 40}
    if state == "gone":
        item.before = None
    after = dict(item.before or {})
    if kind == "set":
        item.sets = [{"done": state == "equal", "text": "set"}]
        if state == "equal":
            item.before |= {"text": "set"}
            after |= {"text": "set"}
        if not state:
            item.sets = [{"done": True, "text": chance.choice(WORDS)}]
            after |= item.sets[0]
    elif kind == "increment":
        item.sets = [{"count": {"__op": "Increment", "amount": amount}},
                     {"count": {"__op": "Increment", "amount": 1}}][:chance.choice((1, 2))]
        after["count"] += sum(each["count"]["amount"] for each in item.sets)
    elif kind == "lists":
        item.sets = [{"tags": {"__op": "Add", "objects": ["a", "x"]}},
                     {"tags": {"__op": "Remove", "objects": ["x"]}},
                     {"tags": {"__op": "AddUnique", "objects": ["a", "b"]}}]
        after["tags"] = ["a", "b"]
    elif kind == "unset":
        item.sets = [{"old": {"__op": "Delete"}}]
        del after["old"]
    elif kind == "relate":
        item.sets = [{"friends": {"__op": "AddRelation", "objects": [
            {"__type": "Pointer", "className": "_User", "objectId": "u1"}]}}]
        after["friends"] = {"__type": "Relation", "className": "_User"}
    elif kind == "mixed":
        item.sets = [{"count": {"__op": "Increment", "amount": amount}, "done": True,
                      "tags": {"__op": "Add", "objects": [{"a": 1}]}}]
        after |= {"count": 10 + amount, "done": True, "tags": ["x", {"a": 1}]}
    elif kind == "delete":
        item.deletes = True
        after = after if state == "changed" else {}
    item.after = after or None
    return item


def write(made: ParseQueueStore, chance: random.Random) -> None:
    """Ties pointers, puts the operations in an order, and writes the file."""
    fresh = [each for each in made.items if each.plan in ("new", "new-set")]
    for place, item in enumerate(made.items):
        if item.plan in ("new-earlier", "new-later") and fresh:
            target = chance.choice(fresh)
            item.sets[0]["next"] = {"__type": "OfflineObject", "uuid": target.uuid}
            item.target = target.label
    waiting = [[item] * (len(item.sets) + item.deletes) for item in made.items]
    order: list[Item] = []
    while any(waiting):
        # Not quite the order of making, so that operations of several objects are mixed.
        line = chance.choice([each for each in waiting if each][:8])
        order.append(line.pop())
    made.operations = order
    database = sqlite3.connect(made.path)
    database.execute("PRAGMA user_version = 4")
    database.execute(
        "CREATE TABLE ParseObjects (uuid TEXT PRIMARY KEY, className TEXT NOT NULL, objectId TEXT,"
        " json TEXT, isDeletingEventually INTEGER DEFAULT 0, UNIQUE(className, objectId))")
    database.execute(
        "CREATE TABLE Dependencies (key TEXT NOT NULL, uuid TEXT NOT NULL, PRIMARY KEY(key, uuid))")
    pin = new_uuid(chance)

    def insert(name: str, class_name: str, object_id: str | None, body: dict) -> None:
        database.execute(
            "INSERT INTO ParseObjects VALUES (?, ?, ?, ?, 0)",
            (name, class_name, object_id,
             json.dumps(body, ensure_ascii=False, separators=(",", ":")).replace("/", "\\/")))

    for item in made.items:
        for each in item.sets:
            each |= {"__uuid": new_uuid(chance), "__isSaveEventually": True}
        body: dict[str, object] = {"className": CLASS, "__complete": True, "__selectedKeys": []}
        if item.object_id:
            body |= {"objectId": item.object_id, "createdAt": KNOWN, "updatedAt": KNOWN,
                     **item.server_values}
        body["__operations"] = [*item.sets, {"__uuid": new_uuid(chance)}]
        insert(item.uuid, CLASS, item.object_id, body)
        database.execute("INSERT INTO Dependencies VALUES (?, ?)", (pin, item.uuid))
    done: dict[str, int] = {}
    for number, item in enumerate(order):
        place = done.get(item.uuid, 0)
        done[item.uuid] = place + 1
        target = {"__type": "Pointer", "className": CLASS, "objectId": item.object_id} \
            if item.object_id else {"__type": "OfflineObject", "uuid": item.uuid}
        command = {
            "uuid": new_uuid(chance), "type": 1 if place < len(item.sets) else 2, "object": target,
            "time": {"__type": "Date", "iso": f"2026-04-03T{number // 3600000 % 24:02}:"
                     f"{number // 60000 % 60:02}:{number // 1000 % 60:02}.{number % 1000:03}Z"},
            "sessionToken": "r:s3cr3t-of-the-device", "__uuid": new_uuid(chance)}
        if place < len(item.sets):
            command["operationSetUUID"] = item.sets[place]["__uuid"]
        name = new_uuid(chance)
        insert(name, "_EventuallyPin", None, {
            "className": "_EventuallyPin", "__complete": True, "__operations": [command]})
        database.execute("INSERT INTO Dependencies VALUES (?, ?)", (pin, name))
    insert(pin, "_Pin", None, {"className": "_Pin", "__complete": True, "__operations": [
        {"_name": "_eventuallyPin", "_objects": [], "__uuid": new_uuid(chance)}]})
    database.commit()
    database.close()
