"""The outputs a sample must give, worked out from its description alone."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from .layout import Column, Layout
from .sample import KINDS, As, ExpectedOperation, Sample
from .store import Ref
from .values import single

SYSTEM_NAMES = {
    "ms_version": "version",
    "ms_createdAt": "createdAt",
    "ms_updatedAt": "updatedAt",
    "ms_deleted": "deleted",
}
KNOWN_NAMES = {"id", "version", "createdAt", "updatedAt", "deleted"}


class Expectation:
    """Works out rows and reports of one sample."""

    layout_id = "azure-mobile-ios"

    def __init__(self, sample: Sample, has_model_cache: bool) -> None:
        self.sample = sample
        self.layout = Layout(sample.model)
        self.has_model_cache = has_model_cache

    def name(self, column: Column) -> str:
        """The canonical name of a column; without a model only the SDK's spellings are known."""
        name = SYSTEM_NAMES.get(column.path, column.path)
        known = self.has_model_cache or name in KNOWN_NAMES
        name = name if known else column.name.removeprefix("Z")
        return name + {"entity": "_entity", "position": "_position"}.get(column.part, "")

    def row(self, entity: str, pk: int) -> dict[str, object]:
        """A row as an export shows it."""
        values = self.sample.row(entity, pk).values
        shown: dict[str, object] = {"_pk": pk}
        for column in self.layout.columns_of(entity):
            shown[self.name(column)] = self.value(column, values.get(column.path))
        return shown

    def value(self, column: Column, value: object) -> object:
        """A value as an export shows it."""
        if isinstance(value, As):
            return value.shown
        if isinstance(value, Ref):
            return value.entity if column.part == "entity" else value.pk
        if isinstance(value, bytes):
            return base64.b64encode(value).decode("ascii")
        if value is not None and column.kind == "float":
            return single(value)
        if isinstance(value, bool) and not self.has_model_cache:
            return int(value)
        return value

    def table_lines(self, entity: str) -> str:
        """A table as newline-delimited JSON."""
        rows = (self.row(entity, row.pk) for row in self.sample.rows_of(entity))
        return "".join(compact(row) + "\n" for row in rows)

    def operation(self, sequence: int, operation: ExpectedOperation) -> dict[str, object]:
        """An operation as an audit shows it."""
        item = operation.payload
        if operation.row is not None:
            item = self.row(operation.table, operation.row)
        return {
            "sequence": sequence,
            "table": operation.table,
            "itemId": operation.item_id,
            "kind": operation.kind,
            "state": operation.state,
            "item": item,
            "baseVersion": operation.base_version,
            "originalId": str(operation.original),
        }

    def inspection(self) -> dict[str, object]:
        """The fixed fields of an inspect report."""
        kinds = [operation.kind for operation in self.sample.operations]
        queue = {"operations": len(kinds)}
        queue |= {f"{kind}s": kinds.count(kind) for kind in KINDS}
        queue |= {"errors": len(self.sample.errors), "tokens": len(self.sample.tokens)}
        tables = [
            {"name": entity, "rows": len(self.sample.rows_of(entity))}
            for entity in self.sample.app_entities()
        ]
        store = {
            "name": self.sample.store_name,
            "layout": self.layout_id,
            "generation": self.sample.generation,
            "tables": tables,
            "queue": queue,
        }
        return {"stores": [store]}

    def conversion(self) -> dict[str, object]:
        """The fixed fields of a convert report."""
        tables = []
        for entity in self.sample.app_entities():
            rows = len(self.sample.rows_of(entity))
            counts = {"read": rows, "written": rows, "rejected": 0, "filtered": 0}
            tables.append({"name": entity} | counts)
        source = {"name": self.sample.store_name, "layout": self.layout_id}
        return {"sources": [source], "tables": tables}

    def audit(self) -> dict[str, object]:
        """The fixed fields of an audit report that tell of the queue."""
        operations = enumerate(self.sample.operations, start=1)
        store = {
            "name": self.sample.store_name,
            "operations": [self.operation(at, each) for at, each in operations],
            "errors": self.sample.errors,
            "tokens": self.sample.tokens,
        }
        return {"stores": [store]}

    def write(self, folder: Path) -> None:
        """Writes all expected files."""
        tables = folder / "tables"
        tables.mkdir(parents=True, exist_ok=True)
        for entity in self.sample.app_entities():
            write_text(tables / f"{entity}.ndjson", self.table_lines(entity))
        write_text(folder / "inspect.json", pretty(self.inspection()))
        write_text(folder / "convert.json", pretty(self.conversion()))
        write_text(folder / "audit-queue.json", pretty(self.audit()))


def compact(value: object) -> str:
    """JSON on one line, without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def pretty(value: object) -> str:
    """JSON for people."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def write_text(path: Path, text: str) -> None:
    """Writes UTF-8 with the line ends as they are."""
    path.write_bytes(text.encode())
