"""The situations a queue can be in: one function each, drawn at random.

A function adds rows, operations, errors and tokens. Those in `CONTESTED` have an outcome that the
design does not fix word for word.
"""

from __future__ import annotations

import random
from typing import Callable
from uuid import UUID

from maker.azure import Queue

DOMAINS = (
    None,
    "com.Microsoft.WindowsAzureMobileServices.ErrorDomain",
    "com.Microsoft.MicrosoftAzureMobile.ErrorDomain",
)
TOKENS = ("2016-10-03T06:30:00.250Z", "1970-01-01T00:00:00.000Z", "2031-01-01T00:00:00.001Z")
BAD_TOKENS = ("", "garbage", None, "2016-13-45T00:00:00.000Z", "2016-10-03", "1475476200", "☃")


class WildQueue:
    """Writes situations into one store; `rows` adds a row of the app and gives its id."""

    def __init__(
        self,
        rng: random.Random,
        queue: Queue,
        tables: list[str],
        generation: str,
        add_row: Callable[[str, object], int],
    ) -> None:
        self.rng = rng
        self.queue = queue
        self.tables = tables
        self.generation = generation
        self.add_row = add_row
        self.number = rng.randint(1, 20)

    # Building blocks

    def guid(self) -> str:
        """An id in upper or lower case."""
        text = str(UUID(bytes=self.rng.randbytes(16)))
        return text.upper() if self.rng.random() < 0.5 else text

    def table(self) -> str:
        """An entity that has an id."""
        return self.rng.choice(self.tables)

    def next_number(self) -> int:
        """A number for an operation, with gaps."""
        self.number += self.rng.choice((1, 1, 1, 2, 7))
        return self.number

    def item(self, with_row: bool = True) -> tuple[str, str]:
        """An item, with or without its row."""
        table, identifier = self.table(), self.guid()
        if with_row:
            self.add_row(table, identifier)
        return table, identifier

    def operations(self, table: str, identifier: str, *kinds: object) -> list[int]:
        """Operations on one item; a kind is a type or a whole payload."""
        numbers = []
        for kind in kinds:
            number = self.next_number()
            payload = self.delete_payload(identifier) if kind == 2 else kind
            self.queue.add(number, table, identifier, payload)
            numbers.append(number)
        return numbers

    def delete_payload(self, identifier: str, spelling: str | None = None) -> dict[str, object]:
        """What a delete keeps; `spelling` is its version's key."""
        own = "version" if self.generation == "2016" else "__version"
        item = {
            "id": identifier,
            "text": self.rng.choice(("Größe prüfen", "", None, "a/b \"c\" \\ 🎉")),
            "complete": self.rng.choice((True, False, 0, 1, None)),
            spelling or own: "AAAAAAAAB9M=",
        }
        if self.rng.random() < 0.3:
            item |= {"unknown": {"deep": [1, -2, {"x": None}], "n": 12345678901}, "half": 0.5}
        return {"type": 2, "item": item}

    def error_payload(
        self, table: str, identifier: str, kind: int, status: int, code: int = -1302
    ) -> dict[str, object]:
        """What the SDK keeps of a failed request."""
        payload: dict[str, object] = {"code": code}
        domain = self.rng.choice(DOMAINS)
        if domain:
            payload["domain"] = domain
        payload |= {
            "description": self.rng.choice(("", "Failed: \"x\" / 🎉", "An item exists.")),
            "table": table,
            "operation": kind,
            "itemId": identifier,
            "statusCode": status,
        }
        if status:
            payload["item"] = {"id": identifier, "text": "mine", "complete": False}
        if status == 412:
            payload["serverItem"] = {"id": identifier, "text": "theirs", "version": "AAAAAAAAB9Q="}
        return payload

    # Ordinary life

    def lone_insert(self) -> None:
        self.operations(*self.item(), 0)

    def lone_update(self) -> None:
        self.operations(*self.item(), 1)

    def lone_delete(self) -> None:
        self.operations(*self.item(with_row=False), 2)

    def row_without_operation(self) -> None:
        self.item()

    def gaps_in_the_key(self) -> None:
        self.number += 1000
        self.operations(*self.item(), 1)

    # Several operations on one item

    def insert_update(self) -> None:
        self.operations(*self.item(), 0, 1)

    def insert_delete(self) -> None:
        self.operations(*self.item(with_row=False), 0, 2)

    def update_update(self) -> None:
        self.operations(*self.item(), 1, 1)

    def update_delete(self) -> None:
        self.operations(*self.item(with_row=False), 1, 2)

    def insert_update_delete(self) -> None:
        self.operations(*self.item(with_row=False), 0, 1, 2)

    def long_chain(self) -> None:
        self.operations(*self.item(), *[1] * self.rng.randint(3, 6))

    def operation_after_delete(self) -> None:
        self.operations(*self.item(), 2, self.rng.choice((0, 1)))

    def insert_after_pending(self) -> None:
        self.operations(*self.item(), 1, 0)

    # Broken bonds

    def insert_without_row(self) -> None:
        self.operations(*self.item(with_row=False), 0)

    def update_without_row(self) -> None:
        self.operations(*self.item(with_row=False), 1)

    def unknown_table(self) -> None:
        table = self.rng.choice(("Gone", "todoitem ", "Überraschung", "MS_TableConfig2"))
        self.operations(table, self.guid(), self.rng.choice((0, 1, 2)))

    def id_of_other_case(self) -> None:
        table, identifier = self.item()
        self.operations(table, identifier.swapcase(), 1)

    def duplicate_rows(self) -> None:
        """The SDK takes the row it finds first, the one with the lowest key."""
        table, identifier = self.item()
        self.add_row(table, identifier)
        self.operations(table, identifier, 1)

    def case_twins(self) -> None:
        table, identifier = self.item()
        self.add_row(table, identifier.swapcase())
        self.operations(table, identifier, 1)

    def rows_without_id(self) -> None:
        table = self.table()
        for identifier in (None, None, ""):
            self.add_row(table, identifier)

    # Odd operations

    def duplicate_number(self) -> None:
        number = self.next_number()
        for kind in (0, 1):
            table, identifier = self.item()
            self.queue.add(number, table, identifier, kind)

    def negative_number(self) -> None:
        for number in self.rng.sample((0, -1, -5, -(2**63)), 2):
            table, identifier = self.item()
            self.queue.add(number, table, identifier, 1)

    def huge_number(self) -> None:
        table, identifier = self.item()
        self.queue.add(2**63 - 1, table, identifier, 1)

    def undecodable(self) -> None:
        broken = (
            None, b"", b"garbage", b"[]", b"[1,2]", b"7", b'"text"', b"null", b"{}", b'{"type":',
            b'{"type":0}}', b"\xff\xfe", b'{"item":{"id":"x"}}', b'{"type":1}\x00', b"{'type':1}",
            b'{"type":null}', b'{"type":NaN}', b'{"type":0,}', b"\x1f\x8b\x08",
        )
        self.operations(*self.item(), self.rng.choice(broken))

    def unknown_kind(self) -> None:
        self.operations(*self.item(), {"type": self.rng.choice((3, 7, -1, 2**40))})

    def kind_in_a_string(self) -> None:
        kind = self.rng.choice("012")
        table, identifier = self.item(with_row=kind != "2")
        payload = self.delete_payload(identifier)
        payload["type"] = kind
        self.operations(table, identifier, payload)

    def extra_keys(self) -> None:
        self.operations(*self.item(), {"type": 1, "attempts": 3, "note": "not the SDK's"})

    # Delete payloads

    def delete_without_item(self) -> None:
        self.operations(*self.item(with_row=False), {"type": 2})

    def delete_with_id_only(self) -> None:
        table, identifier = self.item(with_row=False)
        self.operations(table, identifier, {"type": 2, "item": {"id": identifier}})

    def delete_of_other_generation(self) -> None:
        table, identifier = self.item(with_row=False)
        spelling = self.rng.choice(("version", "__version", "ms_version"))
        self.operations(table, identifier, self.delete_payload(identifier, spelling))

    def delete_with_null_version(self) -> None:
        table, identifier = self.item(with_row=False)
        payload = {"type": 2, "item": {"id": identifier, "version": None, "__version": None}}
        self.operations(table, identifier, payload)

    # Errors

    def conflict(self) -> None:
        table, identifier = self.item()
        number = self.operations(table, identifier, 1)[0]
        self.queue.add_error(
            self.guid().upper(), self.error_payload(table, identifier, 1, 412, -1303), number)

    def rejected_insert(self) -> None:
        table, identifier = self.item()
        number = self.operations(table, identifier, 0)[0]
        self.queue.add_error(
            self.guid().upper(), self.error_payload(table, identifier, 0, 409), number)

    def no_answer(self) -> None:
        table, identifier = self.item(with_row=False)
        number = self.operations(table, identifier, 1)[0]
        self.queue.add_error(
            self.guid().upper(), self.error_payload(table, identifier, 1, 0, -1101), number)

    def several_errors(self) -> None:
        table, identifier = self.item()
        number = self.operations(table, identifier, 1)[0]
        for status in (500, 503, 400):
            self.queue.add_error(
                self.guid(), self.error_payload(table, identifier, 1, status), number)

    def orphan_error(self) -> None:
        payload = self.error_payload(self.table(), self.guid(), 1, 404)
        self.queue.add_error(self.guid(), payload, 900_000 + self.next_number())

    def error_without_number(self) -> None:
        """0 and NULL say nothing, so the item and the kind must do."""
        table, identifier = self.item()
        self.operations(table, identifier, 1)
        payload = self.error_payload(table, identifier, 1, 500)
        self.queue.add_error(self.guid(), payload, self.rng.choice((0, None)))

    def orphan_without_number(self) -> None:
        payload = self.error_payload(self.table(), self.guid(), 0, 409)
        self.queue.add_error(self.guid(), payload, self.rng.choice((0, None)))

    def empty_error(self) -> None:
        broken = self.rng.choice((None, b"", b"garbage", b"[]", b"\xff", b"{}"))
        self.queue.add_error(self.rng.choice((None, self.guid())), broken, 0)

    def reused_number(self) -> None:
        """The error's operation is gone; its number belongs to another item now."""
        table, identifier = self.item()
        number = self.operations(table, identifier, 1)[0]
        self.queue.add_error(
            self.guid(), self.error_payload(table, self.guid(), 1, 412, -1303), number)

    # Tokens

    def tokens(self) -> None:
        table = self.table()
        for query in self.rng.sample(("allTodoItems", "AllRecords", "", "ü 🎉", "a|b"), 2):
            self.token(table, query, self.rng.choice(TOKENS))

    def bad_token(self) -> None:
        self.token(self.table(), "allTodoItems", self.rng.choice(BAD_TOKENS))

    def token_of_unknown_table(self) -> None:
        self.token("Gone", "allGone", self.rng.choice(TOKENS))

    def leftover_token(self) -> None:
        """The shape that only a helper of the SDK's own tests wrote."""
        self.token(None, None, TOKENS[0], "deltaToken|TodoItem|all")

    def token(self, table: object, query: object, value: object, guid: object = None) -> None:
        """A token, where the store has a table for it."""
        if "MS_TableConfig" in self.queue.attributes:
            self.queue.add_token(guid or self.guid().upper(), table, query, value)

    # Contested

    def null_number(self) -> None:
        table, identifier = self.item()
        self.queue.add(None, table, identifier, 1)

    def null_item_id(self) -> None:
        self.queue.add(self.next_number(), self.table(), None, 1)

    def null_table(self) -> None:
        self.queue.add(self.next_number(), None, self.guid(), 1)

    def kind_in_a_strange_string(self) -> None:
        strange = self.rng.choice(("", "abc", " 2", "2x", "1.0"))
        self.operations(*self.item(), {"type": strange})

    def kind_not_an_integer(self) -> None:
        strange = self.rng.choice((b'{"type":1.0}', b'{"type":true}', b'{"type":2e0}'))
        self.operations(*self.item(), strange)

    def duplicate_key(self) -> None:
        self.operations(*self.item(), b'{"type":0,"type":1}')

    def delete_with_array(self) -> None:
        self.operations(*self.item(with_row=False), {"type": 2, "item": []})

    def twin_of_later_row(self) -> None:
        table, identifier = self.item()
        self.add_row(table, identifier.swapcase())
        self.operations(table, identifier.swapcase(), 1)

    def changed_operation(self) -> None:
        """The operation became a delete after its update had failed."""
        table, identifier = self.item(with_row=False)
        number = self.operations(table, identifier, 2)[0]
        self.queue.add_error(self.guid(), self.error_payload(table, identifier, 1, 412), number)

    def empty_error_with_number(self) -> None:
        number = self.operations(*self.item(), 1)[0]
        self.queue.add_error(self.guid(), None, number)

    def error_of_one_of_two(self) -> None:
        table, identifier = self.item()
        self.operations(table, identifier, 1, 1)
        self.queue.add_error(self.guid(), self.error_payload(table, identifier, 1, 500), None)

    def token_without_fraction(self) -> None:
        self.token(self.table(), "allTodoItems", "2016-10-03T06:30:00Z")


CONTESTED = (
    "null_number", "null_item_id", "null_table", "kind_in_a_strange_string",
    "kind_not_an_integer", "duplicate_key", "delete_with_array", "twin_of_later_row",
    "changed_operation", "empty_error_with_number", "error_of_one_of_two",
    "token_without_fraction",
)
HELPERS = (
    "guid", "table", "next_number", "item", "operations", "delete_payload", "error_payload",
    "token",
)
SITUATIONS = tuple(
    name
    for name, member in vars(WildQueue).items()
    if callable(member)
    and not name.startswith("_")
    and name not in HELPERS
    and name not in CONTESTED
)
