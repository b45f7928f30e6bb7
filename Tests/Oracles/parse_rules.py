"""The REST interface of Parse for tests, strict: what a real server refuses is refused here."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qsl, unquote

from table_rules import Answer, Refusal, Request

START = datetime(2026, 5, 1, 10, 20, 30, tzinfo=timezone.utc)
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
OWN = {"objectId", "createdAt", "updatedAt"}


def spelled(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


@dataclass
class ParseState:
    """All classes of one server; relations are apart, as nobody sees them in an object."""

    classes: dict[str, dict[str, dict[str, object]]] = field(default_factory=dict)
    relations: dict[str, list[object]] = field(default_factory=dict)
    commits: list[dict[str, object]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    open_to_any_table: bool = True
    clock: int = 0

    def tick(self) -> str:
        self.clock += 1
        return spelled(START + timedelta(milliseconds=self.clock))

    def seed(self, document: dict[str, list[dict[str, object]]]) -> None:
        """Puts objects in without logging them."""
        for name, objects in document.items():
            for each in objects:
                now = self.tick()
                made = {"createdAt": now, "updatedAt": now, **each}
                self.classes.setdefault(name, {})[str(made["objectId"])] = made

    def log(self, kind: str, table: str, key: str, request: int) -> None:
        self.commits.append({"kind": kind, "table": table, "id": key, "request": request})

    def dump(self) -> dict[str, object]:
        return {"classes": self.classes, "relations": self.relations, "commits": self.commits}


class ParseRules:
    """Answers requests over a state."""

    def __init__(self) -> None:
        self.state = ParseState()
        self.required: dict[str, str] = {}
        self.options: dict[str, object] = {}
        self.strange_headers: Counter[str] = Counter()

    @staticmethod
    def refusal(status: int, words: str, code: int | None = None) -> Refusal:
        body = {"error": words} if code is None else {"code": code, "error": words}
        return Refusal(Answer(status, body))

    def answer(self, request: Request) -> Answer:
        """What the server says; commits what it accepts."""
        try:
            self.check_keys(request)
            return self.work(request)
        except Refusal as refusal:
            return refusal.answer

    def check_keys(self, request: Request) -> None:
        for name, value in self.required.items():
            if request.headers.get(name.lower()) == value:
                continue
            if name.lower() == "x-parse-session-token":
                raise self.refusal(400, "Invalid session token", 209)
            raise self.refusal(403, "unauthorized")

    def work(self, request: Request) -> Answer:
        path, _, query = request.target.partition("?")
        parts = path.strip("/").split("/")
        if parts[0] == "parse":
            parts = parts[1:]
        if len(parts) not in (2, 3) or parts[0] != "classes":
            return Answer(404, b"Cannot " + request.method.encode() + b" " + path.encode(),
                          {"Content-Type": "text/html"})
        name = unquote(parts[1])
        key = unquote(parts[2]) if len(parts) == 3 else None
        if name not in ("_User", "_Role", "_Session", "_Installation") and not NAME.match(name):
            raise self.refusal(400, f"Invalid classname: {name}", 103)
        if name in self.options.get("noClasses", ()):
            raise self.refusal(400, "access to a class that is not there", 119)
        objects = self.state.classes.setdefault(name, {})
        method = request.method
        if method == "GET":
            if name in self.options.get("closed", ()):
                raise self.refusal(400, f"Permission denied for action find on class {name}.", 119)
            return self.find(name, objects, query) if key is None else self.get(objects, key)
        if method == "POST" and key is None:
            return self.create(name, objects, request)
        if method == "PUT" and key is not None:
            return self.update(name, objects, key, request)
        if method == "DELETE" and key is not None:
            self.existing(objects, key)
            del objects[key]
            self.state.tick()
            self.state.log("delete", name, key, request.number)
            return Answer(200, {})
        raise self.refusal(405, "no such method")

    # Reading

    def existing(self, objects: dict[str, dict], key: str) -> dict[str, object]:
        if key not in objects:
            raise self.refusal(404, "Object not found.", 101)
        return objects[key]

    def get(self, objects: dict[str, dict], key: str) -> Answer:
        return Answer(200, self.existing(objects, key))

    def find(self, name: str, objects: dict[str, dict], query: str) -> Answer:
        given = dict(parse_qsl(query, keep_blank_values=True))
        where = json.loads(given.pop("where", "{}"))
        order = given.pop("order", "createdAt")
        limit = int(given.pop("limit", "100"))
        if given:
            raise self.refusal(400, f"Invalid parameter for query: {sorted(given)}", 102)
        if self.options.get("noConditions") and where:
            raise self.refusal(400, "bad query", 102)
        found = [each for each in objects.values() if all(
            self.fits(each.get(field), value) for field, value in where.items())]
        found.sort(key=lambda each: str(each.get(order.lstrip("-"), "")),
                   reverse=order.startswith("-"))
        return Answer(200, {"results": found[:limit]})

    def fits(self, value: object, wanted: object) -> bool:
        if isinstance(wanted, dict) and "__type" not in wanted:
            raise self.refusal(400, "bad constraint", 102)
        if isinstance(value, list) and not isinstance(wanted, list):
            return wanted in value
        return value == wanted

    # Writing

    def create(self, name: str, objects: dict[str, dict], request: Request) -> Answer:
        body = self.body(request)
        self.check_repeated(request)
        key = body.pop("objectId", None)
        if key is not None and key in objects:
            raise self.refusal(400, "A duplicate value for a field with unique values", 137)
        fields: dict[str, object] = {}
        relations = self.changed(name, fields, body)
        self.check_unique(name, objects, fields, None)
        now = self.state.tick()
        key = key or f"srv{self.state.clock:07}"
        made = {"objectId": key, "createdAt": now, "updatedAt": now, **fields}
        objects[key] = made
        self.relate(name, key, relations)
        self.state.log("create", name, key, request.number)
        return Answer(201, {"objectId": key, "createdAt": now},
                      {"Location": f"/classes/{name}/{key}"})

    def update(self, name: str, objects: dict[str, dict], key: str, request: Request) -> Answer:
        body = self.body(request)
        self.check_repeated(request)
        if "objectId" in body:
            raise self.refusal(400, "objectId is an invalid field name.", 105)
        there = self.existing(objects, key)
        fields = dict(there)
        relations = self.changed(name, fields, body)
        self.check_unique(name, objects, fields, key)
        fields["updatedAt"] = self.state.tick()
        objects[key] = fields
        self.relate(name, key, relations)
        self.state.log("update", name, key, request.number)
        answer = {"updatedAt": fields["updatedAt"]}
        answer |= {field: fields[field] for field, change in body.items()
                   if isinstance(change, dict) and "__op" in change and field in fields}
        return Answer(200, answer)

    def check_repeated(self, request: Request) -> None:
        """Servers that remember the ids of requests do so before they carry them out."""
        name = request.headers.get("x-parse-request-id")
        if not self.options.get("idempotent") or name is None:
            return
        if name in self.state.seen:
            raise self.refusal(400, "Duplicate request", 159)
        self.state.seen.add(name)

    def check_unique(
        self, name: str, objects: dict[str, dict], fields: dict[str, object], key: str | None
    ) -> None:
        for field_name in self.options.get("unique", {}).get(name, ()):
            if any(other.get(field_name) == fields.get(field_name) is not None
                   for own, other in objects.items() if own != key):
                raise self.refusal(400, "A duplicate value for a field with unique values was "
                                        "provided", 137)

    def body(self, request: Request) -> dict[str, object]:
        if not request.headers.get("content-type", "").startswith("application/json"):
            raise self.refusal(400, "no JSON", 107)
        try:
            body = json.loads(request.body)
        except ValueError:
            raise self.refusal(400, "bad JSON", 107) from None
        if not isinstance(body, dict):
            raise self.refusal(400, "no object", 107)
        for name in body:
            if name in OWN - {"objectId"} or not (NAME.match(name) or name == "ACL"):
                raise self.refusal(400, f"Invalid field name: {name}.", 105)
        self.check_values(body)
        return body

    def check_values(self, value: object) -> None:
        if isinstance(value, list):
            for each in value:
                self.check_values(each)
        elif isinstance(value, dict):
            kind = value.get("__type")
            if kind == "OfflineObject" or "localId" in value or \
                    kind == "Pointer" and not isinstance(value.get("objectId"), str):
                raise self.refusal(400, "not a pointer", 111)
            if kind == "File" and not value.get("name"):
                raise self.refusal(400, "not a file", 111)
            for each in value.values():
                self.check_values(each)

    def changed(
        self, name: str, fields: dict[str, object], body: dict[str, object]
    ) -> list[tuple[str, str, list]]:
        """Applies changes to fields; those of relations are given back."""
        relations: list[tuple[str, str, list]] = []
        for field_name, change in body.items():
            word = change.get("__op") if isinstance(change, dict) else None
            old = fields.get(field_name)
            if word is None:
                fields[field_name] = change
            elif word == "Delete":
                fields.pop(field_name, None)
            elif word == "Increment":
                if not isinstance(old, (int, float, type(None))) or isinstance(old, bool):
                    raise self.refusal(400, "not a number", 111)
                fields[field_name] = (old or 0) + change["amount"]
            elif word in ("Add", "AddUnique", "Remove"):
                if not isinstance(old, (list, type(None))):
                    raise self.refusal(400, "not a list", 111)
                fields[field_name] = listed(word, old or [], change["objects"])
            elif word in ("AddRelation", "RemoveRelation", "Batch"):
                ops = change["ops"] if word == "Batch" else [change]
                for each in ops:
                    relations.append((field_name, each["__op"], each["objects"]))
                    if each["objects"]:
                        fields[field_name] = {
                            "__type": "Relation", "className": each["objects"][0]["className"]}
            else:
                raise self.refusal(400, f"unknown __op {word}", 111)
        return relations

    def relate(self, name: str, key: str, relations: list[tuple[str, str, list]]) -> None:
        for field_name, word, objects in relations:
            known = self.state.relations.setdefault(f"{name} {key} {field_name}", [])
            for each in objects:
                if word == "AddRelation" and each not in known:
                    known.append(each)
                elif word == "RemoveRelation" and each in known:
                    known.remove(each)


def listed(word: str, old: list, objects: list) -> list:
    """What a change makes of a list."""
    if word == "Add":
        return old + objects
    if word == "Remove":
        return [each for each in old if each not in objects]
    return old + [each for place, each in enumerate(objects)
                  if each not in old and each not in objects[:place]]
