"""What a task tells of what it read: records of one shape, whatever they are about.

A record of a row, an operation, an error, a token, a finding, a reject, a line of the journal or a
mark has its values as cells, in the spelling of an export. Records of stores, units and catalogues
have a JSON text as their only cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

SCHEMA = (
    "kind string, unit string, store string, n bigint, source int, `table` string, item binary, "
    "moment string, version binary, cells array<string>")

UNIT = "unit"
STORE = "store"
OTHER = "other"
CATALOGUE = "catalogue"
ROW = "row"
# The fingerprint of a unit whose files are parts of others now.
ENDED = ""
# What stands behind the fingerprint of the queue of a folder in which others may be as well.
QUEUE = "queue"
# The fact of a store that stands for all in its unit that was not come to.
NOT_REACHED = "notReached"


class Record(NamedTuple):
    """One record; `n` is a key or number, the fields behind `table` tell items apart."""

    kind: str
    unit: str
    store: str | None = None
    n: int | None = None
    source: int | None = None
    table: str | None = None
    item: bytearray | None = None
    moment: str | None = None
    version: bytearray | None = None
    cells: list[str | None] | None = None


@dataclass(frozen=True)
class Part:
    """A table of the bookkeeping: its columns with their types, the raw payload last if any."""

    kind: str
    table: str
    key: str
    columns: tuple[tuple[str, str], ...]
    has_raw: bool = False
    source: str = "source"
    # What tells the storage class of the raw payload, where its own does not.
    storage: str = "NULL"

    @property
    def name(self) -> str:
        """What all its records are called."""
        return self.kind if self.kind == "journal" else self.kind + "s"

    @property
    def stored(self) -> list[str]:
        """The columns as the canonical store has them."""
        return [name for name, _ in self.columns] + (["raw"] if self.has_raw else [])

    @property
    def told(self) -> list[tuple[str, str]]:
        """The columns as an export has them."""
        raw = [("rawStorage", "text"), ("raw", "binary")] if self.has_raw else []
        return [*self.columns, *raw]


def texts(*names: str) -> tuple[tuple[str, str], ...]:
    """Columns of text."""
    return tuple((name, "text") for name in names)


def source_of(table: str) -> str:
    """The store of the operation that a line or a mark is about."""
    return f"(SELECT source FROM rehome_operation o WHERE o.sequence = {table}.sequence)"


OPERATION = Part(
    "operation", "rehome_operation", "sequence",
    (*texts("table", "itemId", "kind", "state"), ("item", "json"), *texts("baseVersion"),
     ("rowKey", "integer"), *texts("rowTable", "originalId", "originalCode")), has_raw=True)
ERROR = Part(
    "error", "rehome_error", "id",
    (*texts("table", "itemId", "kind"), ("status", "integer"), *texts("code", "message"),
     ("item", "json"), ("serverItem", "json"), ("operation", "integer"),
     *texts("originalId", "originalOperationId")), has_raw=True)
TOKEN = Part(
    "token", "rehome_token", "id",
    (*texts("table", "query"), ("updatedAt", "timestamp"), *texts("raw")))
FINDING = Part(
    "finding", "rehome_finding", "id",
    (*texts("code", "severity", "table", "itemId"), ("operation", "integer"), *texts("message"),
     ("item", "json")))
REJECT = Part(
    "reject", "rehome_reject", "id",
    (*texts("table"), ("row", "integer"), *texts("column", "code")), has_raw=True,
    storage="storage")
JOURNAL = Part(
    "journal", "rehome_replay", "id",
    (("sequence", "integer"), ("at", "timestamp"), *texts("event", "detail", "target"),
     ("attempt", "integer"), ("status", "integer"), *texts("version")),
    source=source_of("rehome_replay"))
# The state beneath the marks is that of the operation's own row.
MARK = Part(
    "mark", "rehome_mark", "id",
    (("sequence", "integer"), *texts("mark"), ("at", "timestamp"), *texts("who", "why", "state")),
    source=source_of("rehome_mark"))
PARTS = (OPERATION, ERROR, TOKEN, FINDING, REJECT, JOURNAL, MARK)

# What the device of an operation would send; these cells follow those of an operation.
DEVICE_ITEM = (*texts("table"), ("item", "json"), ("body", "json"), *texts("updatedAt", "version"))
