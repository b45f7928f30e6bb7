"""What a sample is: a store to write, and the outputs it must give."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable

from .azure import Queue
from .model import Model
from .store import StoreOptions, StoreWriter
from .values import Raw

KINDS = ("insert", "update", "delete")


@dataclass(frozen=True)
class As:
    """A value whose stored form is given beside the form that an export shows."""

    stored: object
    shown: object


@dataclass(frozen=True)
class Row:
    """A row of the app, in its last state."""

    entity: str
    pk: int
    values: dict[str, object]

    def stored_values(self) -> dict[str, object]:
        """The values as the store writer takes them."""
        return {
            key: Raw(value.stored) if isinstance(value, As) else value
            for key, value in self.values.items()
        }


@dataclass(frozen=True)
class ExpectedOperation:
    """A pending operation as an audit lists it; `row` is the key of the row it would send."""

    original: int | str
    kind: str
    table: str
    item_id: str
    base_version: str | None = None
    row: int | None = None
    payload: dict[str, object] | None = None
    state: str = "pending"


@dataclass
class Sample:
    """A sample store; `build` gets an empty store and leaves it complete and committed.

    `operations` stand in push order. `errors` and `tokens` are what an audit shows.
    """

    folder: str
    generation: str
    model: Model
    options: StoreOptions
    rows: list[Row]
    build: Callable[["Sample", StoreWriter, Queue], None]
    operations: list[ExpectedOperation]
    errors: list[dict[str, object]] = field(default_factory=list)
    tokens: list[dict[str, object]] = field(default_factory=list)
    newest_in_log: bool = False
    store_name: str = "qstodoitem.sqlite"

    def row(self, entity: str, pk: int) -> Row:
        """The row with a key."""
        return next(row for row in self.rows if (row.entity, row.pk) == (entity, pk))

    def rows_of(self, entity: str) -> list[Row]:
        """The rows of an entity, by key."""
        return sorted((row for row in self.rows if row.entity == entity), key=lambda row: row.pk)

    def app_entities(self) -> list[str]:
        """The entities that become tables, by number."""
        return [
            entity.name
            for entity in self.model.in_number_order()
            if not entity.name.startswith("MS_Table") and not entity.abstract
        ]


def insert_rows(sample: Sample, store: StoreWriter, *keys: int) -> None:
    """Inserts rows of a sample: all of them, or those with the given keys."""
    for row in sample.rows:
        if not keys or row.pk in keys:
            store.insert(row.entity, row.stored_values(), row.pk)


def expected_error(
    properties: dict[str, object], operation: int | None
) -> dict[str, object]:
    """An error as an audit shows it, from the JSON the SDK kept."""
    return {
        "table": properties["table"],
        "itemId": properties["itemId"],
        "kind": KINDS[properties["operation"]],
        "status": properties["statusCode"] or None,
        "code": properties["code"],
        "message": properties["description"],
        "item": properties.get("item"),
        "serverItem": properties.get("serverItem"),
        "operation": operation,
    }
