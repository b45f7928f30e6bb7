"""The situations a sibling SDK's queue can be in: one function each, drawn at random.

Those in `CONTESTED` have an outcome that design and format description do not fix.
"""

from __future__ import annotations

import json
import random
from typing import Callable
from uuid import UUID

from wild_sibling_system import Android, Dotnet, System
from wild_sibling_tables import WildTable

BROKEN_JSON = ("", "garbage", "[]", "7", '"text"', "null", '{"id":', "{'id':1}", '{"id":NaN}',
               '{"id":1,}', '{"id":"\\ud800"}')
QUERIES = ("allItems", "my_items", "ü 🎉", "0cc175b9c0f1b6a831c399e269772661", "a.b", "x-y", "q 1")
ODD_IDS = ("it's", 'quo"te', "a/b", "%", "ü 🎉", " ", "[x]", "{6F9619FF}", "a|b", "😀" * 50, "7",
           "line\nbreak", "null")


class SiblingQueue:
    """Writes situations into one store; `add_row` adds a row of the app."""

    def __init__(
        self,
        rng: random.Random,
        system: System,
        tables: list[WildTable],
        add_row: Callable[[WildTable, str], None],
    ) -> None:
        self.rng = rng
        self.system = system
        self.tables = [table for table in tables if table.roles or system.layout != "f"] or tables
        self.add_row = add_row

    # Building blocks

    def guid(self) -> str:
        """An id; upper case, lower case, or of the app's own making."""
        if self.rng.random() < 0.08:
            return self.rng.choice(ODD_IDS) + str(self.rng.randint(0, 10**6))
        text = str(UUID(bytes=self.rng.randbytes(16)))
        return text.upper() if self.rng.random() < 0.3 else text

    def item(self, with_row: bool = True) -> tuple[str, str]:
        """An item, with or without its row."""
        table, identifier = self.rng.choice(self.tables), self.guid()
        if with_row:
            self.add_row(table, identifier)
        return table.name, identifier

    def operations(self, table: str, identifier: str, *kinds: object) -> list[object]:
        """Operations on one item, one after the other."""
        return [
            self.system.operation(
                kind, table, identifier,
                self.payload(identifier) if kind == "delete" else None)
            for kind in kinds
        ]

    def payload(self, identifier: str, version_key: str | None = None) -> str:
        """What a delete keeps of its item."""
        item: dict[str, object] = {
            "id": identifier,
            "text": self.rng.choice(("Größe prüfen", "", None, 'a/b "c" \\ 🎉')),
            "complete": self.rng.choice((True, False, 0, 1, None)),
            version_key or self.system.version_key(): "AAAAAAAAB9M=",
        }
        if self.rng.random() < 0.3:
            item |= {"unknown": {"deep": [1, -2, {"x": None}], "n": 12345678901}, "half": 0.5}
        return json.dumps(
            item, ensure_ascii=self.rng.random() < 0.3, separators=(",", ":"))

    def failed(
        self, status: object, body: object, kind: str = "update", item: object = ...,
        operation: object = ..., table: object = ..., with_row: bool = True,
    ) -> None:
        """An operation with its error; arguments replace what would be natural."""
        name, identifier = self.item(with_row)
        number = self.system.operation(
            kind, name, identifier, self.payload(identifier) if kind == "delete" else None,
            "failed")
        sent = json.dumps({"id": identifier, "text": "mine", "n": 1})
        self.system.error(
            number if operation is ... else operation, name if table is ... else table,
            identifier, kind, status, sent if item is ... else item, body)

    def server_item(self) -> str:
        """A server's copy of an item."""
        return json.dumps({"id": self.guid(), "text": "theirs", "description": "of the item",
                           self.system.version_key(): "AAAAAAAAB9Q="}, ensure_ascii=False)

    # Ordinary life

    def lone_insert(self) -> None:
        self.operations(*self.item(), "insert")

    def lone_update(self) -> None:
        self.operations(*self.item(), "update")

    def lone_delete(self) -> None:
        self.operations(*self.item(with_row=False), "delete")

    def row_without_operation(self) -> None:
        self.item()

    def queue_out_of_order(self) -> None:
        """The numbers do not follow the order in which the rows were added."""
        if self.system.layout not in ("e", "f"):
            base = self.system.number + 50
            for number in (base + 9, base + 3, base + 6):
                self.system.operation("update", *self.item(), number=number)
            self.system.number = base + 9

    # Several operations on one item

    def insert_update(self) -> None:
        self.operations(*self.item(), "insert", "update")

    def insert_delete(self) -> None:
        self.operations(*self.item(with_row=False), "insert", "delete")

    def update_update(self) -> None:
        self.operations(*self.item(), "update", "update")

    def update_delete(self) -> None:
        self.operations(*self.item(with_row=False), "update", "delete")

    def long_chain(self) -> None:
        self.operations(*self.item(), *["update"] * self.rng.randint(3, 6))

    def operation_after_delete(self) -> None:
        self.operations(*self.item(), "delete", self.rng.choice(("insert", "update")))

    def insert_after_pending(self) -> None:
        self.operations(*self.item(), "update", "insert")

    # Broken bonds

    def insert_without_row(self) -> None:
        self.operations(*self.item(with_row=False), "insert")

    def update_without_row(self) -> None:
        self.operations(*self.item(with_row=False), "update")

    def unknown_table(self) -> None:
        table = self.rng.choice(("gone", "todoitem ", "Überraschung", "__config", "sqlite_master"))
        self.operations(table, self.guid(), self.rng.choice(("insert", "update", "delete")))

    def table_of_other_case(self) -> None:
        table, identifier = self.item()
        if self.system.layout != "f":
            ascii_swapped = "".join(
                each.swapcase() if each.isascii() else each for each in table)
            self.operations(ascii_swapped, identifier, "update")

    def id_of_other_case(self) -> None:
        """Layout e finds the row, the others do not."""
        table, identifier = self.item()
        ascii_swapped = "".join(
            each.swapcase() if each.isascii() else each for each in identifier)
        self.operations(table, ascii_swapped, "update")

    def case_twins(self) -> None:
        table = self.rng.choice(self.tables)
        identifier = "twin" + self.guid().lower()
        self.add_row(table, identifier.upper())
        self.add_row(table, identifier)
        self.operations(table.name, identifier, "update")

    def delete_with_row(self) -> None:
        self.operations(*self.item(), "delete")

    # Kinds and states

    def unknown_kind(self) -> None:
        self.operations(*self.item(), self.rng.choice(self.system.unknown_kinds))

    def state_null(self) -> None:
        self.system.operation("update", *self.item(), state=None)

    def state_attempted(self) -> None:
        self.system.operation("insert", *self.item(), state="attempted")

    def state_failed(self) -> None:
        self.system.operation("update", *self.item(), state="failed")

    def state_completed(self) -> None:
        if "completed" in self.system.states:
            self.system.operation("update", *self.item(), state="completed")

    # Payloads

    def delete_without_item(self) -> None:
        self.system.operation("delete", *self.item(with_row=False))

    def delete_with_id_only(self) -> None:
        table, identifier = self.item(with_row=False)
        self.system.operation("delete", table, identifier, json.dumps({"id": identifier}))

    def delete_with_broken_payload(self) -> None:
        table, identifier = self.item(with_row=False)
        self.system.operation("delete", table, identifier, self.rng.choice(BROKEN_JSON))

    def delete_of_other_generation(self) -> None:
        table, identifier = self.item(with_row=False)
        spelling = self.rng.choice(("version", "__version"))
        self.system.operation("delete", table, identifier, self.payload(identifier, spelling))

    def delete_with_null_version(self) -> None:
        table, identifier = self.item(with_row=False)
        item = json.dumps({"id": identifier, "version": None, "__version": None})
        self.system.operation("delete", table, identifier, item)

    def delete_with_indented_payload(self) -> None:
        table, identifier = self.item(with_row=False)
        item = {"id": identifier, "list": [1, 2], self.system.version_key(): "AAAAAAAAB9M="}
        self.system.operation("delete", table, identifier, json.dumps(item, indent=2))

    def broken_snapshot(self) -> None:
        if self.system.layout == "f":
            self.system.operation("update", *self.item(), self.rng.choice(BROKEN_JSON))

    # Errors

    def conflict(self) -> None:
        self.failed(412, self.server_item())

    def conflict_of_insert(self) -> None:
        self.failed(409, self.server_item(), "insert")

    def conflict_without_item(self) -> None:
        self.failed(409, '{"code":409,"error":"An item with that id already exists."}', "insert")

    def conflict_of_delete(self) -> None:
        self.failed(412, self.server_item(), "delete", with_row=False)

    def rejected(self) -> None:
        self.failed(400, '{"code":400,"error":"Text is required.","description":"no"}')

    def rejected_with_description(self) -> None:
        self.failed(403, '{"error":{"inner":1},"description":"not yours"}')

    def rejected_in_a_string(self) -> None:
        self.failed(500, '"Größe is \\"wrong\\" 🎉"')

    def rejected_in_prose(self) -> None:
        self.failed(self.rng.choice((404, 500, 503)), self.rng.choice((
            "<html>Service Unavailable</html>", "", "Bad 'request'", "[1,2]", "12", "null")))

    def no_answer(self) -> None:
        self.failed(None, None, item='{"id":"only"}')

    def error_without_item(self) -> None:
        self.failed(500, None, item=None)

    def error_with_broken_item(self) -> None:
        self.failed(400, "no", item=self.rng.choice(BROKEN_JSON))

    def error_with_number_as_id(self) -> None:
        self.failed(400, "no", item='{"id":7}')

    def error_without_table(self) -> None:
        self.failed(400, "no", table=None)

    def orphan_error(self) -> None:
        self.failed(404, "gone", operation=self.guid())

    def orphan_error_without_item(self) -> None:
        self.failed(404, "gone", operation=self.guid(), item=None)

    # Tokens

    def tokens(self) -> None:
        for query in self.rng.sample(QUERIES, 2):
            self.system.token(self.rng.choice(self.tables).name, query, readable=True)

    def bad_token(self) -> None:
        name = self.rng.choice(self.tables).name
        self.system.token(name, f"bad{self.rng.randint(0, 99)}", readable=False)

    def token_of_unknown_table(self) -> None:
        self.system.token("gone", "allGone", readable=True)

    def token_with_underscores(self) -> None:
        """The query could be part of a longer table's name."""
        self.system.token(self.rng.choice(self.tables).name, "book_page_all", readable=True)

    def other_settings(self) -> None:
        self.system.leftovers()

    # Contested

    def null_sequence(self) -> None:
        if self.system.layout not in ("e", "f"):
            table, identifier = self.item()
            self.system.operation("update", table, identifier, number=None)

    def equal_sequences(self) -> None:
        if self.system.layout not in ("e", "f"):
            for _ in range(2):
                self.system.operation("update", *self.item(), number=900)

    def unknown_state(self) -> None:
        self.system.operation("update", *self.item(), state=7)

    def null_item_id(self) -> None:
        self.system.operation("update", self.rng.choice(self.tables).name, None)

    def null_table(self) -> None:
        self.system.operation("update", None, self.guid())

    def delete_without_item_but_row(self) -> None:
        self.system.operation("delete", *self.item())

    def update_with_item(self) -> None:
        table, identifier = self.item()
        self.system.operation("update", table, identifier, self.payload(identifier))

    def duplicate_key_in_payload(self) -> None:
        table, identifier = self.item(with_row=False)
        self.system.operation("delete", table, identifier, '{"id":"x","version":"a","version":"b"}')

    def payload_in_a_blob(self) -> None:
        table, identifier = self.item(with_row=False)
        self.system.operation("delete", table, identifier, self.payload(identifier).encode())

    def message_under_message(self) -> None:
        self.failed(400, '{"message":"of Web API"}')

    def status_zero(self) -> None:
        self.failed(0, None)

    def conflict_with_number_as_id(self) -> None:
        self.failed(412, '{"id":7,"text":"theirs"}')

    def token_without_offset(self) -> None:
        if isinstance(self.system, (Dotnet, Android)):
            self.system.iso = lambda: "2016-10-03T06:30:00.250"  # type: ignore[method-assign]
            self.system.token(self.tables[0].name, "local", readable=True)
            del self.system.iso

    def token_without_query(self) -> None:
        if isinstance(self.system, Dotnet) and self.system.layout in ("a3", "b"):
            self.system.insert("__config", {"id": "deltaToken|TodoItem", "value": "x"})

    def old_token_in_datasync(self) -> None:
        if self.system.layout == "c":
            self.system.insert("__config", {
                "id": "deltaToken|todoitem|all", "value": "2019-05-14T10:20:30.1230000+00:00"})


CONTESTED = (
    "null_sequence", "equal_sequences", "unknown_state", "null_item_id", "null_table",
    "delete_without_item_but_row", "update_with_item", "duplicate_key_in_payload",
    "payload_in_a_blob", "message_under_message", "status_zero", "conflict_with_number_as_id",
    "token_without_offset", "token_without_query", "old_token_in_datasync",
)
HELPERS = ("guid", "item", "operations", "payload", "failed", "server_item")
SITUATIONS = tuple(
    name
    for name, member in vars(SiblingQueue).items()
    if callable(member)
    and not name.startswith("_")
    and name not in HELPERS
    and name not in CONTESTED
)
