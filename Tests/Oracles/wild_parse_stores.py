#!/usr/bin/env python3
"""Makes random Local Datastores of Parse: `wild_parse_stores.py OUTDIR SEED COUNT`.

Store number N of a seed is always the same; each gets a folder `SEED-N`. Most stores have something
that no SDK would have left: documents that are none, sets without commands and commands without
sets, references that lead nowhere, secrets in places of every kind.
"""

from __future__ import annotations

import json
import random
import sqlite3
import string
import uuid
from pathlib import Path

from wild_files import write_stores

GENERATIONS = ("ios", "android-0", "android-1", "android-2")
CLASSES = ("Game", "Score", "_User", "_Session", "_Installation", "Ünïcode", "it's")
FIELDS = ("score", "title", "tags", "when", "photo", "place", "friends", "deleted", "ACL", "ratio",
          "owner", "mixed", "Éclair")
ISO = ("2016-05-01T10:20:30.123Z", "1969-12-31T23:59:59.999Z", "2024-02-29T00:00:00.000Z")
SECRET = "s3cr3t-never-shown"


class Wild:
    """One random store."""

    def __init__(self, seed: int, number: int) -> None:
        self.rng = random.Random(f"parse-{seed}-{number}")
        self.generation = GENERATIONS[number % len(GENERATIONS)]
        self.is_android = self.generation != "ios"
        self.odd = self.rng.random() < 0.7
        self.objects: list[tuple[str, str, str | None]] = []
        self.pinned: list[str] = []
        self.clock = 0

    def chance(self, share: float) -> bool:
        return self.odd and self.rng.random() < share

    def new_uuid(self) -> str:
        text = str(uuid.UUID(int=self.rng.getrandbits(128)))
        return text if self.is_android else text.upper()

    def new_id(self) -> str:
        return "".join(self.rng.choices(string.ascii_letters + string.digits, k=10))

    def write(self, path: Path) -> None:
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA page_size = %d" % self.rng.choice((1024, 4096)))
        if self.is_android:
            if self.rng.random() < 0.5:
                self.db.execute("CREATE TABLE android_metadata (locale TEXT)")
            else:
                self.db.execute("PRAGMA user_version = 4")
        self.db.execute("BEGIN")
        self.db.execute("CREATE TABLE ParseObjects (uuid TEXT PRIMARY KEY, className TEXT NOT NULL, "
                        "objectId TEXT, json TEXT, isDeletingEventually INTEGER DEFAULT 0, "
                        "UNIQUE(className, objectId))")
        self.db.execute("CREATE TABLE Dependencies (key TEXT NOT NULL, uuid TEXT NOT NULL, "
                        "PRIMARY KEY(key, uuid))")
        self.queue_pin = self.new_uuid()
        self.waiting: list[str] = []
        for _ in range(self.rng.choice((0, 1, 5, 20))):
            self.add_object()
        for _ in range(self.rng.choice((0, 0, 2))):
            self.add_command(3, None, None)
        for kind, target, name in self.planned():
            self.add_command(kind, target, name)
        self.add_pins()
        self.db.execute("COMMIT")
        self.db.close()

    def text(self, value: object) -> str:
        return json.dumps(value, ensure_ascii=self.rng.random() < 0.2,
                          separators=(",", ":")).replace("/", "\\/")

    def insert(self, name: str, class_name: str, object_id: str | None, text: object,
               flag: object = 0) -> None:
        self.db.execute("INSERT INTO ParseObjects VALUES (?,?,?,?,?)",
                        (name, class_name, object_id, text, flag))

    # Objects

    def value(self, field: str) -> object:
        rng = self.rng
        if rng.random() < 0.1:
            return None
        if field == "mixed":
            return rng.choice((1, 2.5, "x", True, {"a": [1, 2.0]}, {"__type": "Date", "iso": ISO[0]}))
        if self.chance(0.04):
            return rng.choice((True, "text", 7, [], {"__type": "Date"}, 1e300,
                               {"__type": "Bytes", "base64": "?"}, {"__type": "Date", "iso": "soon"}))
        return {
            "score": lambda: rng.choice((0, 7, -3, 2**53 + 1)),
            "ratio": lambda: rng.choice((1, 2.5, 1e300, -0.5)),
            "title": lambda: rng.choice(("", "a/b", "ü ½", "𝄞", '"q"', "line\nbreak")),
            "tags": lambda: rng.choice(([], ["a", 1], ["a", "a", {"b": None}])),
            "when": lambda: {"__type": "Date", "iso": rng.choice(ISO)},
            "photo": lambda: {"__type": "Bytes", "base64": rng.choice(("", "AQID", "/w=="))},
            "place": lambda: {"__type": "GeoPoint", "latitude": 1.5, "longitude": -2},
            "friends": lambda: {"__type": "Relation", "className": "_User", "objects": [
                self.pointer("_User", "u1")]},
            "deleted": lambda: rng.choice((True, False)),
            "ACL": lambda: {"*": {"read": True}},
            "owner": lambda: rng.choice((self.pointer("_User", "u1"), self.local_pointer())),
            "Éclair": lambda: "é",
        }[field]()

    def pointer(self, class_name: str, object_id: str) -> dict[str, object]:
        return {"__type": "Pointer", "className": class_name, "objectId": object_id}

    def local_pointer(self) -> dict[str, object]:
        if self.objects and not self.chance(0.3):
            return {"__type": "OfflineObject", "uuid": self.rng.choice(self.objects)[0]}
        return {"__type": "OfflineObject", "uuid": self.new_uuid()}

    def change(self, field: str) -> object:
        rng = self.rng
        if self.chance(0.05):
            return rng.choice(({"__op": "Nonsense"}, {"__op": 7}, {"__op": "Increment"}))
        by_field = {
            "score": [{"__op": "Increment", "amount": rng.choice((1, -2, 2.5))}],
            "ratio": [{"__op": "Increment", "amount": 0.25}],
            "tags": [{"__op": word, "objects": ["a", 1, {"b": None}]}
                     for word in ("Add", "AddUnique", "Remove")],
            "friends": [
                {"__op": "AddRelation", "objects": [self.pointer("_User", rng.choice("uvw") + "1")]},
                {"__op": "RemoveRelation", "objects": [self.pointer("_User", "u1")]},
                {"__op": "Batch", "ops": [
                    {"__op": "AddRelation", "objects": [self.pointer("_User", "v2")]},
                    {"__op": "RemoveRelation", "objects": [self.pointer("_User", "u1")]}]}],
        }.get(field, [])
        if by_field and rng.random() < 0.7:
            return rng.choice(by_field)
        return {"__op": "Delete"} if rng.random() < 0.2 else self.value(field)

    def new_set(self, size: int, flagged: bool) -> dict[str, object]:
        fields = self.rng.sample(FIELDS, size)
        one: dict[str, object] = {field: self.change(field) for field in fields}
        one["__uuid"] = self.new_uuid()
        if flagged:
            one["__isSaveEventually"] = True
        elif not self.is_android:
            one["__updatedAt"] = {"__type": "Date", "iso": ISO[0]}
        return one

    def add_object(self) -> None:
        rng = self.rng
        name, class_name = self.new_uuid(), rng.choice(CLASSES)
        object_id = self.new_id() if rng.random() < 0.7 else None
        if any(each[1:] == (class_name, object_id) for each in self.objects):
            return
        self.objects.append((name, class_name, object_id))
        if rng.random() < 0.9:
            self.pinned.append(name)
        if rng.random() < 0.07:
            return self.insert(name, class_name, object_id, None)
        if self.chance(0.06):
            return self.insert(name, class_name, object_id, rng.choice(
                ("", "{", "[]", '{"a":1,"a":2}', "null", b"\xff", 5)))
        body: dict[str, object] = {"className": class_name}
        if object_id is not None:
            body["objectId"] = object_id
            if rng.random() < 0.9:
                body |= {"createdAt": ISO[0], "updatedAt": rng.choice(ISO)}
            if self.chance(0.05):
                body["updatedAt"] = rng.choice(("soon", 7))
            for field in rng.sample(FIELDS, rng.randint(0, 6)):
                body[field] = self.value(field)
        if class_name == "_User" and rng.random() < 0.7:
            body |= {"sessionToken": SECRET, "authData": {"facebook": {"token": SECRET}}}
        if class_name == "_Session":
            body["sessionToken"] = SECRET
        if class_name == "_Installation":
            body["installationId"] = SECRET
        if self.generation == "android-2" and rng.random() < 0.8:
            body["__selectedKeys"] = []
        if self.generation in ("android-1", "android-2"):
            body["__isDeletingEventually"] = rng.choice((0, 0, 1))
        else:
            body["isDeletingEventually"] = rng.choice((0, 0, 1))
        body["__complete"] = rng.random() < 0.85
        sets: list[object] = []
        for _ in range(rng.choice((0, 0, 1, 2))):
            one = self.new_set(rng.randint(0, 3), rng.random() < 0.7)
            if class_name == "_User" and rng.random() < 0.4:
                one["password"] = SECRET
            sets.append(one)
        sets.append(self.new_set(rng.choice((0, 0, 0, 2)), False))
        if self.chance(0.05):
            sets.insert(0, rng.choice((7, None, [])))
        body["__operations"] = sets
        self.sets = getattr(self, "sets", [])
        self.sets += [(name, class_name, object_id, one) for one in sets
                      if isinstance(one, dict) and one.get("__isSaveEventually")]
        if self.rng.random() < 0.05:
            del body["__operations"]
        self.insert(name, class_name, object_id, self.text(body), rng.choice((0, 0, 1)))

    # The queue

    def planned(self) -> list[tuple[int, object, str | None]]:
        rng = self.rng
        planned = []
        for name, class_name, object_id, one in getattr(self, "sets", []):
            if rng.random() < 0.8:
                planned.append((1, self.target(name, class_name, object_id), one["__uuid"]))
        for name, class_name, object_id in self.objects:
            if rng.random() < 0.15:
                planned.append((2, self.target(name, class_name, object_id), None))
        if self.chance(0.4):
            planned += [(1, self.pointer("Game", "nowhere123"), self.new_uuid()),
                        (2, self.pointer("Lost", "nowhere456"), None),
                        (4, self.pointer("Game", "nowhere123"), None),
                        (1, self.local_pointer(), self.new_uuid())]
        rng.shuffle(planned)
        return planned

    def target(self, name: str, class_name: str, object_id: str | None) -> dict[str, object]:
        if object_id is None:
            return {"__type": "OfflineObject", "uuid": name}
        return self.pointer(class_name, object_id)

    def add_command(self, kind: int, target: object, set_name: str | None) -> None:
        rng = self.rng
        self.clock += rng.choice((0, 1, 7))
        name = self.new_uuid()
        one: dict[str, object] = {
            "uuid": self.new_uuid(), "type": kind, "__uuid": self.new_uuid(),
            "time": {"__type": "Date", "iso": "2016-05-01T11:%02d:%02d.000Z"
                     % divmod(rng.choice((self.clock, self.clock, 5)), 60)}}
        if self.chance(0.05):
            one["time"] = "never"
        if target is not None:
            one["object"] = target
        if set_name is not None:
            one["operationSetUUID"] = set_name
        if rng.random() < 0.6:
            one["sessionToken"] = SECRET
        if kind == 3:
            path = rng.choice(("events/AppOpened", "functions/pay"))
            one["command"] = {"httpPath": path, "httpMethod": "POST",
                              "parameters": {"at": {"__type": "Date", "iso": ISO[0]}, "n": 1.5},
                              "sessionToken": SECRET}
        body: dict[str, object] = {"className": "_EventuallyPin", "__complete": True,
                                   "__operations": [one]}
        self.insert(name, "_EventuallyPin", None, self.text(body))
        if rng.random() < 0.9:
            self.waiting.append(name)

    def add_pins(self) -> None:
        for name, label, kept in ((self.queue_pin, "_eventuallyPin", self.waiting),
                                  (self.new_uuid(), "_default", self.pinned)):
            one = {"_name": label, "_objects": [], "__uuid": self.new_uuid()}
            self.insert(name, "_Pin", None, self.text(
                {"className": "_Pin", "__complete": True, "__operations": [one]}))
            for each in [name, *kept]:
                self.db.execute("INSERT INTO Dependencies VALUES (?,?)", (name, each))


if __name__ == "__main__":
    write_stores(Wild)
