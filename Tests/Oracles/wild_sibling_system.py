"""The bookkeeping tables of every sibling layout, and how each keeps an operation.

One class a family; all take the same calls, so that situations need not know the layout.
"""

from __future__ import annotations

import json
import random
import sqlite3
from uuid import UUID

from maker.sibling import quoted
from wild_sibling_tables import add

DOTNET_OPERATIONS = {
    "kind": "INTEGER", "tableName": "TEXT", "itemId": "TEXT", "item": "TEXT",
    "sequence": "INTEGER",
}
DOTNET_ERRORS = {
    "httpStatus": "INTEGER", "operationKind": "INTEGER", "tableName": "TEXT", "item": "TEXT",
    "rawResult": "TEXT",
}
COUNTED = {"state": "INTEGER", "version": "INTEGER"}
KIND = {"tableKind": "INTEGER"}
ANDROID_OPERATIONS = {
    "kind": "REAL", "tablename": "TEXT", "itemid": "TEXT", "__queueloadedat": "TEXT",
    "sequence": "REAL", "state": "REAL",
}
ANDROID_ERRORS = {
    "operationid": "TEXT", "operationkind": "TEXT", "tablename": "TEXT", "itemid": "TEXT",
    "clientitem": "TEXT", "errormessage": "TEXT", "statuscode": "REAL", "serverresponse": "TEXT",
    "serveritem": "TEXT",
}
SESSIONS = ("2016-10-01T07:30:00.000Z", "2016-10-01T19:05:44.120Z", "2016-11-02T00:00:00.000Z")
TYPE_PREFIXES = ("MyApp.Data.", "Com.Example.Größe.", "MyApp.Outer+", "")
SINGULAR = {"TodoItems": "TodoItem", "Categories": "Category", "Boxes": "Box", "Note": "Note"}
CONFLICTS = (409, 412)


class System:
    """Bookkeeping of one store."""

    kinds = {"insert": 0, "update": 1, "delete": 2}
    states = {"pending": 0, "attempted": 1, "failed": 2}
    unknown_kinds: tuple[object, ...] = (3, 7, -1, None, 1.5, "insert")
    old_spelling = False
    tables: dict[str, dict[str, str]] = {}
    id_type = "TEXT PRIMARY KEY"

    def __init__(
        self, rng: random.Random, database: sqlite3.Connection, layout: str, hybrid: str | None
    ) -> None:
        self.rng = rng
        self.database = database
        self.layout = layout
        self.hybrid = hybrid
        self.number = rng.randint(0, 20)
        self.tables = self.definitions()
        self.create()

    def definitions(self) -> dict[str, dict[str, str]]:
        """Table → columns with declared types, without the id."""
        raise NotImplementedError

    def create(self) -> None:
        """Makes the tables; columns may stand in any order, as after upgrades."""
        for name, columns in self.tables.items():
            items = list(columns.items())
            if self.rng.random() < 0.3:
                self.rng.shuffle(items)
            parts = [f"{quoted('id')} {self.id_type_of(name)}"]
            parts += [f"{quoted(column)} {declared}" for column, declared in items]
            self.database.execute(f"CREATE TABLE {quoted(name)} ({', '.join(parts)})")

    def id_type_of(self, table: str) -> str:
        """How a table's id is declared."""
        return self.id_type

    def insert(self, table: str, cells: dict[str, object]) -> None:
        """Adds a row; columns that this layout does not have are left out."""
        known = self.tables[table].keys() | {"id"}
        add(self.database, table, {key: value for key, value in cells.items() if key in known})

    def guid(self) -> str:
        """An id as the SDK makes them."""
        return str(UUID(bytes=self.rng.randbytes(16)))

    def next_number(self) -> int:
        """The next place in the queue, now and then with a gap."""
        self.number += self.rng.choice((1, 1, 1, 2, 7))
        return self.number

    def kind_code(self, kind: object) -> object:
        """The number of a kind; anything else goes in as it is."""
        return self.kinds.get(kind, kind) if isinstance(kind, str) else kind

    def state_code(self, state: object) -> object:
        """The number of a state."""
        return self.states.get(state, 0) if isinstance(state, str) else state

    def version_key(self) -> str:
        """How the SDK spells a version in JSON."""
        return "__version" if self.old_spelling else "version"

    def operation(
        self, kind: object, table: object, item_id: object, item: object = None,
        state: object = "pending", number: object = ...,
    ) -> object:
        """Adds an operation and gives its id."""
        raise NotImplementedError

    def error(
        self, operation: object, table: object, item_id: object, kind: object, status: object,
        item: object, body: object,
    ) -> None:
        """Adds an error, where the layout keeps any."""

    def token(self, table: str, query: str, readable: bool) -> None:
        """Adds a delta token."""
        raise NotImplementedError

    def leftovers(self) -> None:
        """Rows of the bookkeeping that are neither operation, error nor token."""

    def iso(self) -> str:
        """A date of a server."""
        return self.rng.choice((
            "2016-10-03T06:30:00.250Z", "1970-01-01T00:00:00.000Z", "2031-01-01T00:00:00.001Z",
            "2016-10-03T06:30:00Z", "2016-10-03T06:30:00.5Z", "2016-10-03T06:30:00.12+00:00"))

    def unreadable(self) -> object:
        """What cannot be a date."""
        return self.rng.choice((
            "", "garbage", None, "2016-13-45T00:00:00.000Z", "2016-10-03", "03.10.2016 06:30:00",
            "☃", "2016-10-03T06:30:00.250Zzz"))


class Dotnet(System):
    """Layouts a and b."""

    def definitions(self) -> dict[str, dict[str, str]]:
        layout, operations, errors = self.layout, dict(DOTNET_OPERATIONS), dict(DOTNET_ERRORS)
        self.old_spelling = layout != "b"
        date = "REAL" if layout in ("a0", "a1") else "DATETIME"
        if layout != "b" or self.hybrid in ("a-to-b", "a1-to-b"):
            operations["__createdAt"] = date
        if layout == "b":
            operations["createdAt"] = "DATETIME"
        if layout != "a0":
            operations |= COUNTED
            errors["operationVersion"] = "INTEGER"
        if layout not in ("a0", "a1"):
            operations |= KIND
            errors |= KIND
        if layout in ("a0", "a1", "a2") or self.hybrid in ("a2-to-a3", "a1-to-b"):
            errors["operationId"] = "TEXT"
        return {"__operations": operations, "__errors": errors, "__config": {"value": "TEXT"}}

    def create(self) -> None:
        """Makes the tables; the settings of a later client show an upgrade."""
        super().create()
        if self.hybrid == "a2-to-a3":
            self.insert("__config", {"id": "systemProperties|TodoItem", "value": "6"})

    def operation(
        self, kind: object, table: object, item_id: object, item: object = None,
        state: object = "pending", number: object = ...,
    ) -> object:
        identifier = self.guid()
        upgraded = self.hybrid in ("a1-to-a2", "a1-to-b") and self.rng.random() < 0.5
        self.insert("__operations", {
            "id": identifier, "kind": self.kind_code(kind), "tableName": table, "itemId": item_id,
            "item": item, "state": self.state_code(state), "version": self.rng.randint(1, 4),
            "tableKind": None if upgraded else 0,
            "__createdAt": 1_400_000_000.5 if self.layout in ("a0", "a1") else None,
            "sequence": self.next_number() if number is ... else number,
        })
        return identifier

    def error(
        self, operation: object, table: object, item_id: object, kind: object, status: object,
        item: object, body: object,
    ) -> None:
        self.insert("__errors", {
            "id": operation, "httpStatus": status, "operationId": operation,
            "operationVersion": 1, "operationKind": self.kind_code(kind), "tableName": table,
            "tableKind": 0, "item": item, "rawResult": body,
        })

    def token(self, table: str, query: str, readable: bool) -> None:
        key = f"deltaToken|{table}|{query}"
        older = self.hybrid in ("a2-to-a3", "a1-to-b") and self.rng.random() < 0.4
        if self.layout in ("a0", "a1", "a2") or older:
            key = f"{table}_{query}_deltaToken"
            if self.rng.random() < 0.3:
                key = self.rng.choice((
                    f"{table}_deltaToken_{query}", f"deltaToken_{table}_{query}"))
        value = self.iso() if self.rng.random() < 0.3 else self.round_trip()
        self.insert("__config", {"id": key, "value": value if readable else self.unreadable()})

    def round_trip(self) -> str:
        """A date with seven digits and an offset."""
        seconds, fraction = self.rng.randint(10, 59), self.rng.randint(0, 9_999_999)
        fraction = fraction // 10_000 * 10_000 if self.rng.random() < 0.6 else fraction
        offset = self.rng.choice(("+00:00", "+00:00", "+00:00", "+02:00", "-09:30"))
        return f"2014-05-01T10:20:{seconds}.{fraction:07}{offset}"

    def leftovers(self) -> None:
        """Settings of tables, and keys that no SDK writes."""
        keys = ("other", "", "deltatoken|x|y", "settings|TodoItem")
        if self.layout in ("a0", "a1", "a2"):
            keys += ("TodoItem_systemProperties",)
        else:
            keys += ("systemProperties|TodoItem", "systemProperties|Gone")
        for key in self.rng.sample(keys, 3):
            self.insert("__config", {"id": key, "value": self.rng.choice(("15", "65535", None))})


class Datasync(System):
    """Layout c."""

    kinds = {"insert": 2, "update": 3, "delete": 1}
    states = {"pending": 0, "attempted": 1, "completed": 2, "failed": 3}
    unknown_kinds = (0, 4, -1, None, 2.5, "Insert")

    def definitions(self) -> dict[str, dict[str, str]]:
        errors = {
            "status": "INTEGER", "version": "INTEGER", "kind": "INTEGER", "tableName": "TEXT",
            "item": "TEXT", "rawResult": "TEXT",
        }
        value = "TEXT" if self.hybrid == "b-to-c" else "INTEGER"
        return {
            "__operations": DOTNET_OPERATIONS | COUNTED, "__errors": errors,
            "__config": {"value": value},
        }

    def guid(self) -> str:
        return super().guid().replace("-", "")

    def operation(
        self, kind: object, table: object, item_id: object, item: object = None,
        state: object = "pending", number: object = ...,
    ) -> object:
        identifier = self.guid()
        self.insert("__operations", {
            "id": identifier, "kind": self.kind_code(kind), "state": self.state_code(state),
            "tableName": table, "itemId": item_id, "item": item, "version": 1,
            "sequence": self.next_number() if number is ... else number,
        })
        return identifier

    def error(
        self, operation: object, table: object, item_id: object, kind: object, status: object,
        item: object, body: object,
    ) -> None:
        self.insert("__errors", {
            "id": operation, "status": status, "version": 1, "kind": self.kind_code(kind),
            "tableName": table, "item": item, "rawResult": body,
        })

    def token(self, table: str, query: str, readable: bool) -> None:
        value = self.rng.choice((0, 1_684_060_830_123, -1, 10**15)) if readable else (
            self.rng.choice(("soon", None, "", 2**62)))
        self.insert("__config", {"id": f"dt.{table.replace('.', '_')}.{query}", "value": value})

    def leftovers(self) -> None:
        """Keys that no SDK writes."""
        for key in ("other", "dt", "dt.alone"):
            self.insert("__config", {"id": key, "value": 5})


class Android(System):
    """Layout d."""

    unknown_kinds = (3.0, -1.0, None, 0.5, "insert")

    def definitions(self) -> dict[str, dict[str, str]]:
        operations, errors = dict(ANDROID_OPERATIONS), dict(ANDROID_ERRORS)
        self.old_spelling = self.layout == "d1"
        upgraded = self.hybrid == "d-upgraded"
        if self.layout == "d1" or upgraded:
            operations["__createdat"] = errors["__createdat"] = "TEXT"
        if self.layout != "d1":
            operations["createdat"] = errors["createdat"] = "TEXT"
        if self.layout == "d3":
            operations["item"] = "TEXT"
        tables = {"__operations": operations, "__errors": errors,
                  "__incrementalpulldata": {"maxupdateddate": "TEXT"}}
        if self.layout != "d3" or upgraded:
            tables["__itembackups"] = {
                "tablename": "TEXT", "itemid": "TEXT", "clientitem": "TEXT"}
        return tables

    def create(self) -> None:
        """Makes the tables, and what the platform adds."""
        super().create()
        self.sequences = {session: 0.0 for session in SESSIONS}
        if self.rng.random() < 0.8:
            self.database.execute("CREATE TABLE android_metadata (locale TEXT)")
            self.database.execute("INSERT INTO android_metadata VALUES ('en_GB')")
            self.database.execute("PRAGMA user_version = 1")

    def operation(
        self, kind: object, table: object, item_id: object, item: object = None,
        state: object = "pending", number: object = ...,
    ) -> object:
        identifier = self.guid()
        session = self.rng.choice(SESSIONS)
        if number is ...:
            number = self.sequences[session]
            self.sequences[session] += 1.0
        own = "item" in self.tables["__operations"] and (
            "__itembackups" not in self.tables or self.rng.random() < 0.5)
        self.insert("__operations", {
            "id": identifier, "kind": self.kind_code(kind), "tablename": table,
            "itemid": item_id, "createdat": session, "__createdat": session,
            "__queueloadedat": session, "sequence": number, "state": self.state_code(state),
            "item": item if own else None,
        })
        if item is not None and not own:
            self.backup(table, item_id, item)
        return identifier

    def backup(self, table: object, item_id: object, item: object) -> None:
        """Keeps a deleted item where the early clients do."""
        if "__itembackups" in self.tables:
            self.insert("__itembackups", {
                "id": f"{table}/{item_id}", "tablename": table, "itemid": item_id,
                "clientitem": item,
            })

    def error(
        self, operation: object, table: object, item_id: object, kind: object, status: object,
        item: object, body: object,
    ) -> None:
        code = self.kind_code(kind)
        conflict = status in CONFLICTS and '"id"' in str(body) and self.rng.random() < 0.5
        self.insert("__errors", {
            "id": self.guid(), "operationid": operation, "tablename": table, "itemid": item_id,
            "operationkind": float(code) if isinstance(code, int) else code,
            "clientitem": item, "statuscode": status,
            "errormessage": self.rng.choice((None, "Precondition failed", "")),
            "serveritem": body if conflict else None, "serverresponse": None if conflict else body,
        })

    def token(self, table: str, query: str, readable: bool) -> None:
        value = self.iso() if readable else self.unreadable()
        self.insert("__incrementalpulldata", {
            "id": f"{table.lower()}_{query}", "maxupdateddate": value})

    def leftovers(self) -> None:
        """A backup of an item that has no operation."""
        self.backup("todoitem", self.guid(), '{"id":"left over"}')


class Cordova(System):
    """Layout e."""

    kinds = {"insert": "insert", "update": "update", "delete": "delete"}
    unknown_kinds = ("upsert", "Insert", "", None, " delete")

    def definitions(self) -> dict[str, dict[str, str]]:
        operations = {
            "tableName": "TEXT", "action": "TEXT", "itemId": "TEXT", "metadata": "TEXT"}
        return {"__operations": operations,
                "__pulltime": {"tableName": "TEXT", "value": "INTEGER"}}

    def id_type_of(self, table: str) -> str:
        return "INTEGER PRIMARY KEY" if table == "__operations" else self.id_type

    def operation(
        self, kind: object, table: object, item_id: object, item: object = None,
        state: object = "pending", number: object = ...,
    ) -> object:
        number = self.next_number() if number is ... else number
        metadata = self.rng.choice((
            '{"version":"AAAAAAAAB9E="}', "{}", '{"version":null}', None, "", "garbage",
            '{"version":7}', "[]"))
        if kind == "delete" and self.rng.random() < 0.7:
            metadata = '{"version":"AAAAAAAAB9M="}'
        self.insert("__operations", {
            "id": number, "tableName": table, "action": self.kind_code(kind), "itemId": item_id,
            "metadata": metadata,
        })
        return number

    def token(self, table: str, query: str, readable: bool) -> None:
        value = self.rng.choice((1_494_757_230_123, -90_000_000, 0)) if readable else (
            self.rng.choice((None, "", "garbage", 2**62)))
        self.insert("__pulltime", {"id": query, "tableName": table, "value": value})


class Toolkit(System):
    """Layout f."""

    kinds = {"insert": 0, "update": 2, "delete": 1}
    states = {"pending": 0, "completed": 1, "failed": 2}
    unknown_kinds = (3, -1, 1.5, "Add")
    id_type = "TEXT NOT NULL PRIMARY KEY"

    def definitions(self) -> dict[str, dict[str, str]]:
        queue = {
            "Kind": "INTEGER NOT NULL", "State": "INTEGER NOT NULL", "LastAttempt": "TEXT NULL",
            "HttpStatusCode": "INTEGER NULL", "EntityType": "TEXT NOT NULL",
            "ItemId": "TEXT NOT NULL", "EntityVersion": "TEXT NOT NULL", "Item": "TEXT NOT NULL",
            "Sequence": "INTEGER NOT NULL", "Version": "INTEGER NOT NULL",
        }
        return {"DatasyncOperationsQueue": queue,
                "DatasyncDeltaTokens": {"Value": "INTEGER NOT NULL"}}

    def create(self) -> None:
        """Makes the tables, and what migrations leave."""
        super().create()
        self.prefix = self.rng.choice(TYPE_PREFIXES)
        if self.rng.random() < 0.5:
            self.database.execute(
                'CREATE TABLE "__EFMigrationsHistory" ("MigrationId" TEXT NOT NULL PRIMARY KEY,'
                ' "ProductVersion" TEXT NOT NULL)')

    def guid(self) -> str:
        return super().guid().replace("-", "")

    def entity_type(self, table: object) -> object:
        """The type behind a table; a table that is not the SDK's has one of its own name."""
        return self.prefix + SINGULAR.get(table, table) if isinstance(table, str) else ""

    def operation(
        self, kind: object, table: object, item_id: object, item: object = None,
        state: object = "pending", number: object = ...,
    ) -> object:
        identifier = self.guid()
        state = {"attempted": "failed"}.get(state, state)
        snapshot = item if item is not None else json.dumps(
            {"id": item_id, "title": self.rng.choice(("", "ü 🎉")), "n": 0.5, "deep": [{"x": 1}]})
        self.insert("DatasyncOperationsQueue", {
            "id": identifier, "Kind": self.kind_code(kind),
            "State": 0 if state is None else self.state_code(state),
            "LastAttempt": None, "EntityType": self.entity_type(table),
            "HttpStatusCode": self.rng.choice((412, 409, 500, None)) if state == "failed" else None,
            "ItemId": item_id if isinstance(item_id, str) else "",
            "EntityVersion": self.rng.choice(("", "AAAAAAAAB9E=")), "Item": snapshot,
            "Sequence": self.rng.randint(1, 99), "Version": 0,
        })
        return identifier

    def token(self, table: str, query: str, readable: bool) -> None:
        key = self.entity_type(table)
        if self.rng.random() < 0.6:
            key = f"q-{key}-{query}"
        value = self.rng.choice((0, 1_746_094_830_123)) if readable else (
            self.rng.choice((2**62, "soon", "")))
        self.insert("DatasyncDeltaTokens", {"id": key, "Value": value})


SYSTEMS: dict[str, type[System]] = {
    "a0": Dotnet, "a1": Dotnet, "a2": Dotnet, "a3": Dotnet, "b": Dotnet, "c": Datasync,
    "d1": Android, "d2": Android, "d3": Android, "e": Cordova, "f": Toolkit,
}
