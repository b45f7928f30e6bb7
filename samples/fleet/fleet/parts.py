"""The bookkeeping of all stores, operations, errors, journals and so on, as one store has it.

The queue is not merged: it has the operations of all stores, store by store, in the order that they
have there, numbered anew; everything else follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyspark.sql import Column, DataFrame, Row, Window
from pyspark.sql import functions as f

from fleet.merging import Merge
from fleet.records import DEVICE_ITEM, ERROR, FINDING, OPERATION, REJECT, TOKEN, Part
from fleet.spelling import json_member, raw_cells

MERGED_CODE = "same-item-on-several-devices"
TWIN_CODE = "source-given-twice"
LEFT_OUT_CODE = "store-left-out"
TWIN = "; its operations and rows that no id tells apart, if it has any, are here twice"
EMPTY_TWIN = "; there are no rows and no operations in them"
# The hashes of the files of a store, and of those that it was made from, which come first.
BYTES = """
    concat(
      transform(sources, s -> named_struct(
        'hashes', array_join(array_sort(transform(s.files, f -> f.sha256)), ' '),
        'name', coalesce(s.metadata['path'], s.name),
        'isOwn', exists(s.files, f -> f.sha256 <=> sha256))),
      IF(exists(sources, s -> exists(s.files, f -> f.sha256 <=> sha256)), array(),
        array(named_struct('hashes', coalesce(sha256, ''), 'name', '', 'isOwn', true))))"""
TOLD = "ordinal int, path string, device string, source int, cells array<string>"


def cell(part: Part, name: str) -> Column:
    """The cell of a column, as text."""
    return f.get("cells", f.lit([known for known, _ in part.told].index(name)))


def device_cell(name: str) -> Column:
    """What the device of an operation would send, as text."""
    place = len(OPERATION.told) + [known for known, _ in DEVICE_ITEM].index(name)
    return f.get("cells", f.lit(place))


class Parts:
    """The bookkeeping of all stores."""

    def __init__(self, merge: Merge) -> None:
        self.merge = merge
        self.names = merge.mapping.select(
            "catalogue", f.col("table").alias("name"), f.col("united").alias("t"),
            f.element_at("renamed", f.col("table")).alias("renamed"))

    def numbered(self, part: Part) -> DataFrame:
        """The records of a part with their numbers among those of all stores."""
        stores = self.merge.stores.select(
            "ordinal", f.col("store").alias("path"), "device",
            f.col(f"before.{part.name}").alias("numberBefore"))
        order = Window.partitionBy("ordinal").orderBy("n")
        found = self.merge.numbered(part.kind).drop("table", "store", "item", "moment", "version")
        found = found.join(stores, "ordinal")
        number = f.col("numberBefore") + f.row_number().over(order)
        if self.merge.is_alone and part is OPERATION:
            number = f.col("n")
        return found.withColumns(
            {"source": f.col("sourcesBefore") + f.col("source"), "number": number})

    def with_table(self, found: DataFrame, name: Column) -> DataFrame:
        """Adds `t` and the united name of the table that a record names."""
        found = found.withColumn("name", name)
        return found.join(f.broadcast(self.names), ["catalogue", "name"], "left")

    # What refers to rows.

    def operations(self) -> DataFrame:
        """All operations with the tables of their rows."""
        table, row_table = cell(OPERATION, "table"), cell(OPERATION, "rowTable")
        found = self.with_table(self.numbered(OPERATION), f.coalesce(row_table, table))
        found = found.withColumn(
            "rowKey", cell(OPERATION, "rowKey").cast("bigint")).drop("name", "renamed")
        names = f.broadcast(self.names)
        for column, own in (("unitedTable", table), ("unitedRowTable", row_table)):
            renamed = names.select("catalogue", f.col("name"), f.col("renamed").alias(column))
            found = found.withColumn("name", own).join(
                renamed, ["catalogue", "name"], "left").drop("name")
        called = self.merge.mapping.select("catalogue", f.col("table").alias("name"), "appName")
        return found.withColumn("name", table).join(
            f.broadcast(called), ["catalogue", "name"], "left").drop("name")

    def rejects(self) -> DataFrame:
        """All rejects with the tables of their rows."""
        found = self.with_table(self.numbered(REJECT), cell(REJECT, "table"))
        found = found.withColumn("row", cell(REJECT, "row").cast("bigint"))
        columns = self.merge.mapping.select(
            "catalogue", f.col("table").alias("name"), f.col("columns").alias("columnNames"))
        return found.join(f.broadcast(columns), ["catalogue", "name"], "left")

    def asked(self, operations: DataFrame, rejects: DataFrame) -> DataFrame:
        """The rows that operations and rejects are about."""
        return operations.where("rowKey IS NOT NULL").select(
            "t", "ordinal", f.col("rowKey").alias("key")).union(
                rejects.select("t", "ordinal", f.col("row").alias("key")))

    # The parts as one store has them; `cells` in the order of an export.

    def united_operations(self, operations: DataFrame, keys: DataFrame) -> DataFrame:
        """The operations, and what their devices would send."""
        rows = keys.select(f.col("united").alias("t"), "ordinal", f.col("key").alias("rowKey"),
                           "new", "gaveWay")
        found = operations.join(rows, ["t", "ordinal", "rowKey"], "left")
        row_key = f.when(f.col("t").isNotNull(), f.coalesce("new", self.merge.free("rowKey")))
        sends = cell(OPERATION, "item").isNull() & ~cell(OPERATION, "kind").eqNullSafe("delete")
        item = f.when(sends & f.coalesce("gaveWay", f.lit(False)), device_cell("body")).otherwise(
            cell(OPERATION, "item"))
        changed = {
            "table": f.coalesce("unitedTable", cell(OPERATION, "table")), "item": item,
            "rowKey": row_key.cast("string"),
            "rowTable": f.coalesce("unitedRowTable", cell(OPERATION, "rowTable"))}
        own_table = f.when(f.col("unitedTable").isNotNull(), f.col("appName"))
        sent = [f.coalesce(device_cell("table"), own_table),
                *(device_cell(name) for name, _ in DEVICE_ITEM[1:])]
        return self.shown(found, OPERATION, changed, sent)

    def united_errors(self, operations: DataFrame) -> DataFrame:
        """The errors, with the new numbers of their operations."""
        found = self.with_table(self.numbered(ERROR), cell(ERROR, "table"))
        found = self.with_sequence(found, ERROR, operations)
        return self.shown(found, ERROR, {
            "table": f.coalesce("renamed", cell(ERROR, "table")),
            "operation": f.col("newSequence").cast("string")})

    def united_tokens(self) -> DataFrame:
        """The tokens."""
        found = self.with_table(self.numbered(TOKEN), cell(TOKEN, "table"))
        return self.shown(found, TOKEN, {"table": f.coalesce("renamed", cell(TOKEN, "table"))})

    def united_rejects(self, rejects: DataFrame, keys: DataFrame, kept: DataFrame) -> DataFrame:
        """The rejects at the rows that are kept, and values that wider columns cannot hold."""
        rows = keys.select(f.col("united").alias("t"), "ordinal", f.col("key").alias("row"), "new")
        found = rejects.join(rows, ["t", "ordinal", "row"], "left")
        column = cell(REJECT, "column")
        shown = self.shown(found, REJECT, {
            "table": f.coalesce("renamed", cell(REJECT, "table")),
            "row": f.coalesce("new", self.merge.free("row")).cast("string"),
            "column": f.coalesce(f.element_at("columnNames", column), column)})
        return shown.unionByName(self.unheld(kept), allowMissingColumns=True)

    def unheld(self, kept: DataFrame) -> DataFrame:
        """Rejects of whole numbers that a real column cannot hold."""
        spark = self.merge.spark
        names = spark.createDataFrame(
            [(number, place, table["name"], column["name"])
             for number, table in enumerate(self.merge.tables)
             for place, column in enumerate(table["columns"])],
            "united int, place int, tableName string, columnName string")
        stores = self.merge.stores.select("ordinal", f.col("store").alias("path"), "device")
        found = kept.where(f.size("unheld") > 0).select(
            "united", "key", "source", "ordinal", f.explode("unheld").alias("cell"))
        found = found.select("united", "key", "source", "ordinal", "cell.place", "cell.value")
        found = found.join(f.broadcast(names), ["united", "place"]).join(stores, "ordinal")
        integer = f.udf(lambda value: raw_cells(int(value))[1])
        return found.select(
            "ordinal", "path", "device", "source", f.array(
                f.col("tableName"), f.col("key").cast("string"), f.col("columnName"),
                f.lit("value-out-of-range"), f.lit("integer"), integer("value")).alias("cells"))

    def united_findings(self, operations: DataFrame, gave_way: DataFrame) -> DataFrame:
        """The findings, columns that differ, and the rows that gave way to others."""
        found = self.with_table(self.numbered(FINDING), cell(FINDING, "table"))
        found = self.with_sequence(found, FINDING, operations)
        shown = self.shown(found, FINDING, {
            "table": f.coalesce("renamed", cell(FINDING, "table")),
            "operation": f.col("newSequence").cast("string")})
        for more in (self.told_columns(), self.told_rows(gave_way), self.told_twins(),
                     self.told_left_out()):
            shown = shown.unionByName(more, allowMissingColumns=True)
        return shown

    def told_columns(self) -> DataFrame:
        """A finding for each column that is not the same in all stores."""
        rows = [(ordinal, path, device, source,
                 [code, "note", table, None, None, note, None])
                for ordinal, path, device, source, table, code, note in self.merge.notes]
        return self.merge.spark.createDataFrame(rows, TOLD)

    def told_left_out(self) -> DataFrame:
        """A finding for each store that could not be read, which is about none of the others."""
        nothing = f.lit(None).cast("string")
        message = f.concat("store", f.lit(" cannot be read and was left out: "),
                           f.coalesce("message", "status"))
        return self.merge.left_out.select(
            f.lit(None).cast("int").alias("ordinal"), f.col("store").alias("path"), "device",
            f.lit(None).cast("int").alias("source"), f.array(
                f.lit(LEFT_OUT_CODE), f.lit("error"), nothing, nothing, nothing, message, nothing
            ).alias("cells"))

    def told_rows(self, gave_way: DataFrame) -> DataFrame:
        """A finding for each row that gave way, with the row as an export would show it."""
        merge = self.merge
        stores = merge.stores.select("ordinal", f.col("store").alias("path"), "device")
        winners = merge.stores.select(
            f.col("ordinal").alias("winnerOrdinal"), f.col("store").alias("winner"))
        found = gave_way.select(
            "catalogue", "table", "united", "ordinal", f.col("ownKey").alias("n"), "cells",
            "source", "winnerOrdinal")
        found = found.join(stores, "ordinal").join(winners, "winnerOrdinal", "left")
        tables = {(row.catalogue, row.table): row.told for row in self.own_tables()}
        names = [table["name"] for table in merge.tables]
        shared = merge.spark.sparkContext.broadcast((tables, names))
        return merge.spark.createDataFrame(
            found.rdd.mapPartitions(lambda rows: told(rows, *shared.value)),
            TOLD, verifySchema=False)

    def told_twins(self) -> DataFrame:
        """A finding for each store that has the bytes of an earlier one.

        One of them may have come in a canonical store or an export that was made from it.
        """
        stores = self.merge.stores.select(
            "ordinal", f.col("store").alias("path"), "device",
            (f.col("before.sources") + 1).cast("int").alias("source"),
            f.expr("counts.rows + counts.operations + counts.errors = 0").alias("isEmpty"),
            "sha256", "sources")
        found = stores.select("*", f.posexplode(f.expr(BYTES)).alias("place", "bytes")).drop(
            "sources").where("bytes.hashes <> ''")
        found = found.withColumn("label", f.when(f.col("bytes.isOwn"), f.col("path")).otherwise(
            f.concat("bytes.name", f.lit(" in "), "path")))
        first = Window.partitionBy("bytes.hashes").orderBy("ordinal", "place")
        found = found.withColumns({"twin": f.first("label").over(first),
                                   "firstOrdinal": f.first("ordinal").over(first)})
        found = found.where("firstOrdinal < ordinal")
        # Of one that comes twice itself, what it was made from does, too.
        whole = f.max("bytes.isOwn").over(Window.partitionBy("ordinal"))
        found = found.withColumn("whole", whole).where("bytes.isOwn OR NOT whole")
        is_harmless = f.col("bytes.isOwn") & f.col("isEmpty")
        severity = f.when(is_harmless, f.lit("note")).otherwise(f.lit("warning"))
        what = f.when(f.col("bytes.isOwn"), f.lit("the store")).otherwise(f.col("label"))
        message = f.concat(
            what, f.lit(" has the same bytes as "), "twin",
            f.when(is_harmless, f.lit(EMPTY_TWIN)).otherwise(f.lit(TWIN)))
        nothing = f.lit(None).cast("string")
        return found.select("ordinal", "path", "device", "source", f.array(
            f.lit(TWIN_CODE), severity, nothing, nothing, nothing, message, nothing).alias("cells"))

    def own_tables(self) -> Iterator[Row]:
        """The columns of each table of each catalogue."""
        for digest, tables in self.merge.known:
            for table in tables:
                told_columns = [(c["name"], c["type"], c["role"]) for c in table["columns"]]
                yield Row(catalogue=digest, table=table["name"], told=told_columns)

    def united_history(self, part: Part, operations: DataFrame) -> DataFrame:
        """Journals or marks, store by store; of several stores only what is about an operation."""
        found = self.with_sequence(self.numbered(part), part, operations, "sequence")
        if not self.merge.is_alone:
            found = found.where("newSequence IS NOT NULL")
        return self.shown(found, part, {"sequence": f.coalesce(
            f.col("newSequence").cast("string"), cell(part, "sequence"))})

    def with_sequence(
        self, found: DataFrame, part: Part, operations: DataFrame, name: str = "operation"
    ) -> DataFrame:
        """Adds the new number of the operation that a record names by its own."""
        numbers = operations.select(
            "ordinal", f.col("n").alias("operation"), f.col("number").alias("newSequence"))
        found = found.withColumn("operation", cell(part, name).cast("bigint"))
        return found.join(numbers, ["ordinal", "operation"], "left")

    @staticmethod
    def shown(
        found: DataFrame, part: Part, changed: dict[str, Column], more: Iterable[Column] = ()
    ) -> DataFrame:
        """The records with cells in the order of an export, some of them changed."""
        cells = [changed.get(name, cell(part, name)) for name, _ in part.told]
        return found.select("ordinal", "path", "device", "source", "number", "n",
                            f.array(*cells, *more).alias("cells"))


def told(rows: Iterator[Row], tables: dict, names: list[str]) -> Iterator[tuple]:
    """Findings about rows that gave way."""
    for row in rows:
        columns = tables[row.catalogue, row.table]
        members = [json_member(name, kind)(value)
                   for (name, kind, _), value in zip(columns, row.cells)]
        item = "{" + ",".join([f'"_pk":{row.n}', *members]) + "}"
        ids = [value for (_, _, role), value in zip(columns, row.cells) if role == "id"]
        has_id = any(role == "id" for _, _, role in columns)
        what = "the same item" if has_id else "the same pair"
        message = (f"{what} came with {row.winner or 'another source'}, whose row is kept; this "
                   f"one, with _pk {row.n} in its source, is told here")
        cells = [MERGED_CODE, "note", names[row.united], (ids[0] or "") if has_id else None, None,
                 message, item]
        yield row.ordinal, row.path, row.device, row.source, cells
