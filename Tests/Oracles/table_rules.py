"""The dialects of the table protocol, strict: what the real servers refuse is refused here."""

from __future__ import annotations

import base64
import binascii
import json
import re
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import parse_qsl, unquote

from table_state import Row, State

DIALECTS = ("v1", "v2-dotnet", "v2-node", "v3", "toolkit")
SYSTEM = ("createdAt", "updatedAt", "version", "deleted")
SYSTEM_V1 = {"__" + name.lower(): "__" + name for name in SYSTEM}


@dataclass
class Request:
    """One request, its header names in lower case."""

    number: int
    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Answer:
    """One answer; `body` is a JSON value, bytes as they are, or nothing."""

    status: int
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)


class Refusal(Exception):
    """An answer that ends the work on a request."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


class Rules:
    """Answers requests over a state, in one dialect."""

    def __init__(self, dialect: str, state: State) -> None:
        self.dialect = dialect
        self.state = state
        self.required: dict[str, str] = {}
        self.prefix = "/tables/"
        self.soft_delete = True
        self.hard_versions = True
        # The status with which lists are answered, and whether numbers are kept as doubles.
        self.listing = 200
        self.doubles = False
        # Whether a deleted item can be brought back by a request of its own.
        self.undeletes = True

    @property
    def family(self) -> str:
        return self.dialect.split("-")[0]

    def answer(self, request: Request) -> Answer:
        """What a server of this dialect says; commits what it accepts."""
        try:
            return self.routed(request)
        except Refusal as refusal:
            return refusal.answer

    # Checks before the table is looked at.

    def routed(self, request: Request) -> Answer:
        path, _, query_text = request.target.partition("?")
        query = parse_qsl(query_text, keep_blank_values=True)
        self.check_version(request, query)
        for name, value in self.required.items():
            if request.headers.get(name.lower()) != value:
                raise self.refusal(401, "unauthorized")
        if not path.lower().startswith(self.prefix.lower()):
            raise self.no_route(request, path)
        parts = path[len(self.prefix):].split("/")
        if len(parts) > 2 or not parts[0] or (len(parts) == 2 and not parts[1]):
            raise self.no_route(request, path)
        table, key = unquote(parts[0]), unquote(parts[1]) if len(parts) == 2 else None
        if self.state.table(table) is None:
            raise self.no_table(request, table, path)
        call = Call(self, request, table, key, query)
        return call.answer()

    def check_version(self, request: Request, query: list[tuple[str, str]]) -> None:
        given = request.headers.get("zumo-api-version")
        for name, value in query:
            if name.lower() == "zumo-api-version":
                given = value
        if self.family == "v1" and given is not None:
            raise self.refusal(400, "zumo-api-version is not supported")
        if self.family == "v2" and not re.fullmatch(r"2\.0\.\d+", given or ""):
            raise self.refusal(400, "wrong or missing ZUMO-API-VERSION")
        if self.family == "v3" and not re.fullmatch(r"[23]\.0(\.\d)?", given or ""):
            raise self.refusal(400, "wrong or missing ZUMO-API-VERSION")

    # How the dialect spells things.

    def refusal(self, status: int, words: str) -> Refusal:
        """An error answer in the dialect's shape."""
        if self.dialect == "v1":
            body: object = {"code": status, "error": words}
        elif self.dialect == "v2-dotnet":
            body = {"message": words}
        elif self.dialect == "v2-node":
            body = {"error": words}
        elif self.dialect == "v3" and status == 400:
            body = {"title": words, "status": status}
        else:
            body = None
        return Refusal(Answer(status, body))

    def no_route(self, request: Request, path: str) -> Refusal:
        """What the web server in front of the tables says to an address that is none."""
        if self.dialect == "v2-dotnet":
            return Refusal(Answer(404, {
                "message": "No HTTP resource was found that matches the request URI "
                f"'https://service.example{path}'."}))
        if self.family in ("v3", "toolkit"):
            return Refusal(Answer(404))
        page = f"<!DOCTYPE html><html><body><pre>Cannot {request.method} {path}</pre></body></html>"
        return Refusal(Answer(404, page.encode(), {"Content-Type": "text/html; charset=utf-8"}))

    def no_table(self, request: Request, table: str, path: str) -> Refusal:
        """What a server says to a table that it does not have."""
        if self.dialect == "v1":
            return self.refusal(404, f"Error: Table '{table}' does not exist.")
        if self.dialect == "v2-node":
            return self.refusal(404, "The table does not exist")
        return self.no_route(request, path)

    def no_item(self, request: Request, key: str | None) -> Refusal:
        """What a server says to an item that it does not have."""
        if self.dialect == "v1":
            return self.refusal(404, f"Error: An item with id '{key}' does not exist.")
        if self.dialect == "v2-node" and request.method != "GET":
            return self.refusal(404, "The item does not exist")
        if self.dialect == "v2-dotnet" and request.method == "PATCH":
            return self.no_route(request, request.target)
        if self.dialect == "v3":
            return Refusal(Answer(404, {
                "type": "https://tools.ietf.org/html/rfc7231#section-6.5.4", "title": "Not Found",
                "status": 404, "traceId": "00-0af7651916cd43dd8448eb211c80319c-00"}))
        return Refusal(Answer(404))

    def date(self, moment: datetime) -> str:
        text = moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}"
        if self.dialect == "v2-dotnet":
            return text.rstrip("0").rstrip(".") + "Z"
        return text + ("+00:00" if self.dialect == "v3" else "Z")

    def shown(self, row: Row, system: set[str] | None = None) -> dict[str, object]:
        """An item as it goes over the wire; v1 shows only the system properties asked for."""
        values = {"createdAt": self.date(row.created), "updatedAt": self.date(row.updated),
                  "version": row.version, "deleted": row.deleted}
        if self.family == "v1":
            wanted = {"__" + name: value for name, value in values.items()
                      if system is None or "__" + name in system}
        elif self.family == "v2":
            wanted = values
        else:
            wanted = {name: values[name] for name in ("updatedAt", "version", "deleted")}
        return {**row.fields, **wanted}

    def with_tag(self, status: int, body: object, row: Row, tagged: bool = True) -> Answer:
        escaped = row.version if self.dialect == "toolkit" else row.version.replace('"', '\\"')
        return Answer(status, body, {"ETag": f'"{escaped}"'} if tagged else {})


class Call:
    """One request to one table."""

    def __init__(
        self, rules: Rules, request: Request, table: str, key: str | None,
        query: list[tuple[str, str]],
    ) -> None:
        self.rules, self.request, self.table, self.key = rules, request, table, key
        self.state, self.family = rules.state, rules.family
        self.rows = rules.state.table(table) or {}
        self.include_deleted = False
        self.system: set[str] = set()
        self.read_query(query)

    def missing(self) -> Refusal:
        return self.rules.no_item(self.request, self.key)

    def refuse(self, status: int, words: str = "") -> Refusal:
        return self.rules.refusal(status, words)

    def read_query(self, query: list[tuple[str, str]]) -> None:
        for name, value in query:
            lower = name.lower()
            if lower == "__includedeleted":
                self.include_deleted = value.lower() == "true"
            elif lower == "__systemproperties" and self.family == "v1":
                self.system = self.system_properties(value)
            elif self.family == "v1" and name.startswith(("$", "__")) and self.key is not None:
                raise self.refuse(400, "unknown query parameter " + name)

    def system_properties(self, value: str) -> set[str]:
        if value == "*":
            return set(SYSTEM_V1.values())
        wanted = set()
        for part in value.split(","):
            name = SYSTEM_V1.get("__" + part.strip().lower().lstrip("_"))
            if name is None:
                raise self.refuse(400, "unknown system property")
            wanted.add(name)
        return wanted

    def answer(self) -> Answer:
        method = self.request.method
        if method == "GET":
            return self.read() if self.key is not None else self.listing()
        if method == "POST":
            if self.key is None:
                return self.insert()
            if self.family in ("v1", "v2"):
                return self.undelete()
        if method == "DELETE" and self.key is not None:
            return self.delete()
        if method == "PATCH" and self.key is not None and self.family != "toolkit":
            return self.update()
        if method == "PUT" and self.key is not None and self.family in ("v3", "toolkit"):
            return self.replace()
        raise self.refuse(405, "method not allowed")

    # Reading.

    def read(self) -> Answer:
        row = self.rows.get(self.key or "")
        if row is None:
            raise self.missing()
        if row.deleted and not self.include_deleted:
            raise self.refuse(410) if self.family in ("v3", "toolkit") else self.missing()
        return self.item(200, row)

    def listing(self) -> Answer:
        if self.rules.listing != 200:
            raise self.refuse(self.rules.listing, "nobody lists these items")
        items = [self.rules.shown(row, self.system) for row in self.rows.values()
                 if self.include_deleted or not row.deleted][:100]
        if self.family in ("v3", "toolkit"):
            return Answer(200, {"items": items, "count": None, "nextLink": None})
        return Answer(200, items)

    def item(self, status: int, row: Row) -> Answer:
        tagged = self.family != "v1" or "__version" in self.system
        return self.rules.with_tag(status, self.rules.shown(row, self.system), row, tagged)

    # Writing.

    def insert(self) -> Answer:
        item = self.body()
        key = item.get("id")
        if key is None or key == "":
            key = uuid.uuid4().hex
        if not isinstance(key, str) or not valid_id(key):
            raise self.refuse(400, "invalid id")
        present = self.rows.get(key)
        if present is not None:
            raise Refusal(self.taken(item, present))
        fields = {**item, "id": key}
        row = self.state.write("insert", self.table, key, fields, False, self.request.number)
        answer = self.item(200 if self.rules.dialect == "v2-node" else 201, row)
        if self.rules.dialect != "v2-node":
            answer.headers["Location"] = f"{self.request.target.partition('?')[0]}/{key}"
        return answer

    def taken(self, item: dict[str, object], row: Row) -> Answer:
        if self.rules.dialect == "v2-node":
            return Answer(409, item)
        if self.family in ("v3", "toolkit"):
            return self.rules.with_tag(409, self.rules.shown(row), row)
        return self.refuse(409, "the item already exists").answer

    def update(self) -> Answer:
        item = self.body()
        row = self.current()
        if self.family == "v3":
            self.check_untouched(item, row)
        sent = {name: value for name, value in item.items() if name not in SYSTEM}
        deleted = bool(item["deleted"]) if self.family == "v3" and "deleted" in item \
            else row.deleted
        fields = {**row.fields, **sent, "id": self.key}
        kind = "undelete" if row.deleted and not deleted else "update"
        new = self.state.write(
            kind, self.table, self.key or "", fields, deleted, self.request.number)
        if self.family != "v1":
            return self.item(200, new)
        partial = Row({**sent, "id": self.key}, new.version, new.created, new.updated)
        return self.item(200, partial)

    def check_untouched(self, item: dict[str, object], row: Row) -> None:
        shown = self.rules.shown(row)
        for name in ("id", "version", "updatedAt"):
            if name in item and item[name] != shown[name]:
                raise self.refuse(400, f"{name} may not be changed")

    def replace(self) -> Answer:
        item = self.body()
        if item.get("id") != self.key:
            raise self.refuse(400, "the id of the body is not the one of the path")
        row = self.current(undeletes=self.include_deleted or item.get("deleted") is False)
        fields = {name: value for name, value in item.items() if name not in SYSTEM}
        kind = "undelete" if row.deleted else "replace"
        return self.item(200, self.state.write(
            kind, self.table, self.key or "", fields, False, self.request.number))

    def delete(self) -> Answer:
        row = self.current()
        key, number = self.key or "", self.request.number
        if self.rules.soft_delete:
            row = self.state.write("delete", self.table, key, row.fields, True, number)
        else:
            self.state.remove(self.table, key, number)
        if self.rules.dialect == "v2-node":
            return self.item(200, row)
        return Answer(204)

    def undelete(self) -> Answer:
        if self.request.body.strip():
            raise self.refuse(400, "undelete takes no body")
        row = self.rows.get(self.key or "")
        if row is None:
            raise self.missing()
        if not self.rules.undeletes:
            raise self.refuse(405, "nothing is brought back")
        self.check_condition(row)
        return self.item(200, self.state.write(
            "undelete", self.table, self.key or "", row.fields, False, self.request.number))

    # Conditions and bodies.

    def current(self, undeletes: bool = False) -> Row:
        """The row to change, once the request may change it."""
        row = self.rows.get(self.key or "")
        if row is None:
            raise self.missing()
        if self.family == "v1":
            self.check_condition(row)
            if row.deleted:
                unconditional = self.request.method == "PATCH" \
                    and "if-match" not in self.request.headers
                raise Refusal(self.mismatch(row)) if unconditional else self.missing()
            return row
        if row.deleted and self.family == "v2":
            raise self.missing()
        if row.deleted and not self.undeletes(undeletes):
            raise self.refuse(410)
        self.check_condition(row)
        return row

    def undeletes(self, given: bool) -> bool:
        if self.request.method == "PUT":
            return given if self.family == "v3" else self.include_deleted
        return self.request.method == "PATCH" and self.body().get("deleted") is False

    def check_condition(self, row: Row) -> None:
        given = self.request.headers.get("if-match")
        if given is not None and not self.matches(given.strip(), row):
            raise Refusal(self.mismatch(row))

    def matches(self, given: str, row: Row) -> bool:
        dialect = self.rules.dialect
        if dialect in ("v1", "v2-dotnet"):
            if given == "*":
                return True
            version = json_string(given)
            if version is None:
                raise self.refuse(400, "invalid If-Match")
            if dialect == "v2-dotnet" and not is_base64(version):
                raise self.refuse(400, "invalid version in If-Match")
            return version == row.version
        if dialect == "v2-node":
            return json_string(given) == row.version
        if given == "*":
            return True
        tags = [tag.strip() for tag in given.split(",")]
        return f'"{row.version}"' in tags

    def mismatch(self, row: Row) -> Answer:
        return self.rules.with_tag(412, self.rules.shown(row), row)

    def body(self) -> dict[str, object]:
        """The item in the body, if the dialect takes it."""
        kind = self.request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json" and not kind.endswith("+json"):
            raise self.refuse(415 if self.family in ("v3", "toolkit") else 400, "not JSON")
        try:
            item = json.loads(self.request.body, object_pairs_hook=without_twins)
        except ValueError:
            raise self.refuse(400, "malformed JSON") from None
        if not isinstance(item, dict):
            raise self.refuse(400, "the body is not an object")
        if self.family == "v1" and any(name.startswith("__") for name in item):
            raise self.refuse(400, "system properties may not be sent")
        if self.family == "v2" and any(name in SYSTEM for name in item):
            raise self.refuse(400, "system properties may not be sent")
        if self.key is not None and item.get("id", self.key) != self.key:
            raise self.refuse(400, "the id of the body is not the one of the path")
        return as_doubles(item) if self.rules.doubles else item


def without_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object; names that differ in nothing or only in case are refused."""
    if len({name.lower() for name, _ in pairs}) != len(pairs):
        raise ValueError("duplicate name")
    return dict(pairs)


def as_doubles(item: dict[str, object]) -> dict[str, object]:
    """An item as a server in JavaScript reads and writes it."""
    return {name: int(float(value)) if type(value) is int else value
            for name, value in item.items()}


def valid_id(key: str) -> bool:
    """Whether the servers take this text as an id."""
    return 0 < len(key) <= 255 and key not in (".", "..") \
        and not re.search(r'[\x00-\x1f\x7f-\x9f"+?\\/`]', key)


def json_string(text: str) -> str | None:
    """The text of one strong entity tag."""
    match = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', text)
    return re.sub(r"\\(.)", r"\1", match[1]) if match else None


def is_base64(text: str) -> bool:
    """Whether the text is base64 of something."""
    try:
        base64.b64decode(text, validate=True)
    except binascii.Error:
        return False
    return True
