"""An export of the merged lake, which the tool reads like its own.

It is written where the driver runs, file after file, while the machines of the cluster make the
lines and their hashes.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as f

from fleet.lake import Lake
from fleet.records import ERROR, JOURNAL, MARK, OPERATION, REJECT, TOKEN, Part
from fleet.spelling import (
    hashed_cell,
    json_member,
    row_digest,
    spelled_real,
    store_digest,
    table_digest,
)

LINES_A_PIECE = 2000
ROWS_A_PARTITION = 200_000
SOURCE_COLUMN = {"name": "_source", "type": "integer", "role": "source", "nullable": True,
                 "target": None, "sourceName": "_source", "sourceColumn": "_source"}
# Where the names of tables and columns may come from, the surest first.
NAME_ORIGINS = ("schema", "model-cache", "model", "fallback")
DEVICE_COLUMNS = [("source", "integer"), ("table", "text"), ("item", "json"), ("body", "json"),
                  ("updatedAt", "text"), ("version", "text")]


class Bundle:
    """An export in a folder."""

    def __init__(self, lake: Lake, folder: Path, tool: str) -> None:
        self.lake = lake
        self.target = folder
        self.folder = folder.with_name(folder.name + ".partial")
        self.tool = tool
        self.taken: set[str] = {"manifest.json"}

    def write(self) -> str:
        """Writes the export; it has its name when it is complete. Gives its content hash."""
        if self.target.exists():
            raise FileExistsError(f"{self.target} is there already")
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        devices = self.devices()
        # What is made of one store does not tell which one, row by row.
        is_alone = len(devices) == 1
        tables = [self.table(table, has_source=not is_alone) for table in self.tables()]
        parts = {part.name: self.part(part, not is_alone and part is not OPERATION)
                 for part in (OPERATION, ERROR, TOKEN, REJECT)}
        if not is_alone:
            parts["deviceItems"] = self.device_items()
        for part in (JOURNAL, MARK):
            if not self.lake.read(f"merged/{part.name}", is_new=False).isEmpty():
                parts[part.name] = self.part(part, has_source=False)
        digest = store_digest(
            {table["name"]: bytes.fromhex(table["hash"]) for table in tables},
            [bytes.fromhex(parts[name]["hash"]) for name in ("operations", "errors", "tokens")])
        # As with any store of several, it is that of which least is known.
        name_origin = max((device["nameOrigin"] for device in devices), key=NAME_ORIGINS.index,
                          default=NAME_ORIGINS[0])
        self.write_manifest(self.source(devices), tables, parts, self.findings(is_alone), digest,
                            name_origin)
        os.rename(self.folder, self.target)
        return digest

    # Files.

    def tables(self) -> list[dict]:
        """The tables of the app."""
        found: dict[int, dict] = {}
        for row in self.lake.read("merged/catalogue", is_new=False).orderBy(
                "united", "position").toLocalIterator():
            table = found.setdefault(row.united, {
                "number": row.united, "name": row.table, "sourceName": row.sourceName,
                "sourceTable": row.sourceTable, "columns": []})
            if row.name is not None:
                column = {
                    "name": row.name, "type": row.type, "role": row.role,
                    "nullable": row.nullable, "target": row.target,
                    "sourceName": row.columnSourceName, "sourceColumn": row.columnSourceColumn}
                # It is told only where it is so.
                table["columns"].append(column | {"undecided": True} if row.undecided else column)
        return [found[number] for number in sorted(found)]

    def table(self, table: dict, has_source: bool) -> dict:
        """Writes the rows of a table; gives what the manifest says of it."""
        rows = self.lake.rows(is_new=False)
        rows = rows.where(f.col("united") == table["number"]).select("key", "source", "cells")
        facts = self.file(table["name"], rows, table["columns"], has_source)
        return {"name": table["name"], "sourceName": table["sourceName"],
                "sourceTable": table["sourceTable"], **facts}

    def part(self, part: Part, has_source: bool) -> dict:
        """Writes a part of the bookkeeping, with the new numbers of its records."""
        rows = self.lake.read(f"merged/{part.name}", is_new=False)
        if part in (REJECT, JOURNAL, MARK):
            rows = renumbered(rows)
        rows = rows.select(f.col("number").alias("key"), "source", "cells")
        return {"name": part.name, **self.file(part.name, rows, columns(part.told), has_source)}

    def device_items(self) -> dict:
        """Writes what the devices of the operations would send."""
        first = len(OPERATION.told) + 1
        rows = self.lake.read("merged/operations", is_new=False).select(
            f.col("number").alias("key"), "source", f.concat(
                f.array(f.col("source").cast("string")),
                f.slice("cells", first, len(DEVICE_COLUMNS) - 1)).alias("cells"))
        return {"name": "deviceItems", **self.file("deviceItems", rows, columns(DEVICE_COLUMNS))}

    def file(
        self, name: str, rows: DataFrame, told: list[dict], has_source: bool = False
    ) -> dict:
        """Writes one file in the order of its keys; gives its facts."""
        kinds = [(column["name"], column["type"]) for column in told]
        size = rows.count()
        if size > ROWS_A_PARTITION:
            rows = rows.repartitionByRange(-(-size // ROWS_A_PARTITION), "key")
        else:
            rows = rows.coalesce(1)
        pieces = rows.sortWithinPartitions("key").rdd.mapPartitions(
            lambda part: lines(part, kinds, has_source))
        path = self.folder / self.file_name(name)
        digest, count, total = hashlib.sha256(), 0, 0
        with open(path, "wb") as file:
            for data, number, part in pieces.toLocalIterator(prefetchPartitions=True):
                file.write(data)
                digest.update(data)
                count, total = count + number, (total + part) % 2**256
        return {"file": path.name, "bytes": path.stat().st_size, "sha256": digest.hexdigest(),
                "count": count, "hash": table_digest(name, kinds, count, total).hex(),
                "columns": told + ([SOURCE_COLUMN] if has_source else [])}

    def file_name(self, table: str) -> str:
        """The name of a table's file, as rehome-export(5) has it."""
        from fleet.lake import folder_of

        name = folder_of(table) + ".ndjson"
        if name.lower() in self.taken or name.upper().split(".")[0] in WINDOWS_DEVICES:
            name = f"table-{hashlib.sha256(table.encode()).hexdigest()[:16]}.ndjson"
        self.taken.add(name.lower())
        return name

    # The manifest.

    def findings(self, is_alone: bool) -> list[dict]:
        """The findings, each with its source where there are several."""
        names = ("code", "severity", "table", "itemId", "operation", "message")
        found = self.lake.read("merged/findings", is_new=False).orderBy(
            f.col("ordinal").asc_nulls_last(), f.col("number").asc_nulls_last(), "cells")
        findings = []
        for row in found.toLocalIterator():
            finding = dict(zip(names, [*row.cells[:4], row.cells[4] and int(row.cells[4]),
                                       row.cells[5]]))
            if not is_alone and row.source:
                finding["_source"] = row.source
            findings.append(finding)
        return findings

    def write_manifest(
        self, source: dict, tables: list[dict], parts: dict[str, dict], findings: list[dict],
        digest: str, name_origin: str
    ) -> None:
        """Writes what describes the export."""
        manifest = {
            "rehome": {"format": 1, "kind": "bundle", "tool": self.tool},
            "dataFormat": "ndjson", "csvSafe": False, "nameOrigin": name_origin,
            "sources": [source], "tables": tables, **parts, "findings": findings,
            "hash": digest}
        text = json.dumps(manifest, ensure_ascii=False, indent=1)
        (self.folder / "manifest.json").write_text(text + "\n", encoding="utf-8")

    def devices(self) -> list[dict]:
        """The stores that the lake was made from."""
        devices = []
        stores = self.lake.read("merged/stores", is_new=False).where("ordinal IS NOT NULL")
        for row in stores.orderBy("ordinal").toLocalIterator():
            for source in row.sources:
                known = source.asDict(recursive=True)
                metadata = known["metadata"] or {}
                if "path" not in metadata:
                    metadata["path"] = row.store
                    if row.device is not None:
                        metadata["device"] = row.device
                devices.append({
                    "number": len(devices) + 1, "name": known["name"], "layout": known["layout"],
                    "generation": known["generation"], "evidence": known["evidence"],
                    "metadata": metadata, "files": known["files"],
                    "nameOrigin": known["nameOrigin"] or NAME_ORIGINS[0]})
        return devices

    def source(self, devices: list[dict]) -> dict:
        """The lake as a source, with its devices."""
        if len(devices) == 1:
            return {name: value for name, value in devices[0].items()
                    if name not in ("number", "nameOrigin")}
        return {"name": self.target.name, "layout": "rehome", "generation": None,
                "evidence": [f"merged from {len(devices)} stores"], "metadata": {}, "files": [],
                "devices": devices}


WINDOWS_DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"COM{n}" for n in range(10)),
                   *(f"LPT{n}" for n in range(10))}


def columns(told: list[tuple[str, str]]) -> list[dict]:
    """Columns of a part of the queue, as a manifest describes them."""
    return [{"name": name, "type": kind, "role": "value", "nullable": True, "target": None,
             "sourceName": name, "sourceColumn": name} for name, kind in told]


def renumbered(rows: DataFrame) -> DataFrame:
    """Records with numbers from 1, in the order of their stores, where some have come or gone."""
    from pyspark.sql import Window

    order = Window.orderBy("ordinal", f.col("number").asc_nulls_last(), "cells")
    return rows.withColumn("number", f.row_number().over(order))


def lines(
    rows: Iterator[Row], kinds: list[tuple[str, str]], has_source: bool
) -> Iterator[tuple[bytes, int, int]]:
    """Lines of NDJSON in pieces, each with the number of its rows and the sum of their hashes."""
    members = [json_member(name, kind) for name, kind in kinds]
    encoders = [hashed_cell(kind) for _, kind in kinds]
    reals = [place for place, (_, kind) in enumerate(kinds) if kind == "real"]
    piece, total = [], 0
    for key, source, cells in rows:
        for place in reals:
            if cells[place] is not None:
                cells[place] = spelled_real(float(cells[place]))
        total += row_digest(key, cells, encoders)
        told = [f'"_pk":{key}', *(member(cell) for member, cell in zip(members, cells))]
        if has_source:
            told.append(f'"_source":{"null" if source is None else source}')
        piece.append("{" + ",".join(told) + "}\n")
        if len(piece) == LINES_A_PIECE:
            yield "".join(piece).encode(), len(piece), total
            piece, total = [], 0
    if piece:
        yield "".join(piece).encode(), len(piece), total
