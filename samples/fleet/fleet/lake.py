"""The data sets that people query: one a table of the app, and those about the stores.

Each is written beside the lake's own and then takes its place, so that a driver that ends on the
way leaves whole data sets. What could not be finished is made again by the next run.
"""

from __future__ import annotations

import hashlib
import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from fleet.catalogues import SOURCE, Names, is_undecided
from fleet.landing import Landing, literal
from fleet.merging import UNITED, Merge
from fleet.parts import Parts
from fleet.records import (
    DEVICE_ITEM, ERROR, FINDING, JOURNAL, MARK, OPERATION, PARTS, REJECT, TOKEN, Part)
from fleet.stores import stores, table_of_stores

# Grows when the data sets get other columns: those of an older lake are made anew.
FORM = 5
LONGEST_VALUE = 64
# What begins so is a name of Spark's, such as __HIVE_DEFAULT_PARTITION__ for no value.
PLAIN_VALUE = f"(?!__)[A-Za-z0-9_-]{{1,{LONGEST_VALUE}}}"
STATE = re.compile("[0-9a-f]{32}")
PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
KEY = "_pk"
MOST_DIGITS = 38
TABLES_AT_A_TIME = 4
DECIMAL = r"^-?[0-9]+([.][0-9]+)?$"
# The folders of the lake that are written anew.
OWN_FOLDERS = {"readings", "state", "_new", "stores", "tables", "merged", "gone",
               *(part.name for part in PARTS)}
PARTITIONS = {"operations": "kind", "findings": "code", "rejects": "code"}
MOST_PARTITIONS = 200


@dataclass(frozen=True)
class Shape:
    """What the values of a column need, where its type alone does not say it."""

    has_nanoseconds: bool = False
    scale: int | None = None


def folder_of(table: str) -> str:
    """A folder for a table, which is safe whatever the table is called."""
    if PLAIN_NAME.fullmatch(table):
        return table
    harmless = "".join(c for c in table[:32] if c.isascii() and (c.isalnum() or c in "_-"))
    digest = hashlib.sha256(table.encode()).hexdigest()[:16]
    return (harmless.lstrip("_-") or "table") + "-" + digest


def shown_names(columns: list[dict]) -> tuple[Names, list[str]]:
    """What the columns of a table are called in its data set, and all names that are taken there.

    To the column that tells the store one of the app gives way, as in a merge of several.
    """
    names = Names()
    for own in (KEY, SOURCE):
        names.claim(own)
    return names, [names.claim_column(column["name"]) for column in columns]


class Lake:
    """The data sets below one folder."""

    def __init__(self, spark: SparkSession, root: str, landing: Landing) -> None:
        self.spark = spark
        self.root = root.rstrip("/")
        self.landing = landing
        self.path = spark._jvm.org.apache.hadoop.fs.Path
        self.files = self.path(self.root).getFileSystem(spark._jsc.hadoopConfiguration())

    def is_of_others(self) -> bool:
        """Whether a folder that it would replace is there, and nothing tells that there is a lake."""
        if self.landing.waves() or self.has_state():
            return False
        # Of what is called as its readings nothing but waves is taken away.
        return any(self.files.exists(self.path(f"{self.root}/{name}"))
                   for name in OWN_FOLDERS - {"readings"})

    def has_state(self) -> bool:
        """Whether there was a whole lake."""
        path = self.path(f"{self.root}/state")
        found = self.files.listStatus(path) if self.files.exists(path) else []
        return any(STATE.fullmatch(status.getPath().getName()) for status in found)

    # One version of everything.

    def is_current(self, wanted: str) -> bool:
        """Whether the data sets hold all that was read."""
        mark = self.path(f"{self.root}/state/{self.state(wanted)}")
        return bool(self.files.exists(mark))

    def state(self, wanted: str) -> str:
        """A name for what was read and how it is to be shown."""
        facts = json.dumps([FORM, self.landing.waves(), wanted])
        return hashlib.sha256(facts.encode()).hexdigest()[:32]

    def build(self, pattern: str | None) -> None:
        """Makes all data sets from the readings."""
        state = self.state(pattern or "")
        self.files.delete(self.path(f"{self.root}/state"), True)
        self.files.delete(self.path(f"{self.root}/_new"), True)
        found = stores(self.landing, pattern)
        self.write("merged/stores", found.coalesce(1))
        found = self.read("merged/stores")
        self.write("stores", table_of_stores(found).coalesce(1))
        self.write("gone", self.landing.gone().coalesce(1))
        self.merge(Merge(self.landing, found))
        self.publish()
        self.files.mkdirs(self.path(f"{self.root}/state/{state}"))

    def merge(self, merge: Merge) -> None:
        """Makes the data sets of tables and queues."""
        parts = Parts(merge)
        rows = merge.rows()
        operations, rejects = parts.operations(), parts.rejects()
        references = merge.references(rows)
        asked = references.select("t", "ordinal", "key").union(parts.asked(operations, rejects))
        self.write("merged/runs", merge.runs(rows))
        self.write("merged/keys", merge.keys(
            rows, asked, merge.losers(rows), self.read("merged/runs")))
        keys = self.read("merged/keys")
        self.write("merged/rows", merge.united_rows(rows, references, keys), "gone", "united")
        kept, gave_way = self.rows(), self.rows(are_gone=True)
        self.write("merged/catalogue", self.catalogue(merge))
        parts_written = [
            (OPERATION, parts.united_operations(operations, keys)),
            (ERROR, parts.united_errors(operations)), (TOKEN, parts.united_tokens()),
            (FINDING, parts.united_findings(operations, gave_way)),
            (REJECT, parts.united_rejects(rejects, keys, kept)),
            *((part, parts.united_history(part, operations)) for part in (JOURNAL, MARK))]
        with ThreadPoolExecutor(TABLES_AT_A_TIME) as pool:
            jobs = [pool.submit(self.write_part, part, frame) for part, frame in parts_written]
            jobs += [pool.submit(self.write_table, number, table, kept)
                     for number, table in enumerate(merge.tables)]
            for job in jobs:
                job.result()

    def catalogue(self, merge: Merge) -> DataFrame:
        """What each table and column is, and where it lies."""
        rows = [(number, table["name"], f"tables/{folder_of(table['name'])}", table["sourceName"],
                 table["sourceTable"], place, column.get("name"), column.get("type"),
                 column.get("role"), bool(column.get("nullable", True)), column.get("target"),
                 column.get("sourceName"), column.get("sourceColumn"), is_undecided(column), shown)
                for number, table in enumerate(merge.tables)
                for place, (column, shown) in enumerate(
                    list(zip(table["columns"], shown_names(table["columns"])[1])) or [({}, None)])]
        return self.spark.createDataFrame(
            rows, "united int, `table` string, path string, sourceName string, sourceTable string,"
            " position int, name string, type string, role string, nullable boolean,"
            " target string, columnSourceName string, columnSourceColumn string,"
            " undecided boolean, column string").coalesce(1)

    # Data sets.

    def write_table(self, number: int, table: dict, kept: DataFrame) -> None:
        """The data set of one table of the app."""
        rows = kept.where(f.col("united") == number)
        columns = table["columns"]
        shapes = self.shapes(rows, columns)
        names, own_names = shown_names(columns)
        shown = [f.col("key").alias(KEY)]
        for place, (column, name) in enumerate(zip(columns, own_names)):
            value = f.get("cells", f.lit(place))
            shape = shapes.get(place, Shape())
            shown.append(typed(column["type"], value, shape).alias(name))
            if shape.has_nanoseconds:
                shown.append(value.alias(names.claim_column(f"{name}_text")))
        shown.append(f.col("source").alias(SOURCE))
        ordered = rows.select(*shown).repartitionByRange(KEY).sortWithinPartitions(KEY)
        self.write(f"tables/{folder_of(table['name'])}", ordered)

    def shapes(self, rows: DataFrame, columns: list[dict]) -> dict[int, Shape]:
        """What the values of the columns need that depends on them."""
        asked, places = [], []
        for place, column in enumerate(columns):
            if column["type"] not in ("timestamp", "decimal"):
                continue
            cell = f.get("cells", f.lit(place))
            places.append((place, column["type"]))
            if column["type"] == "timestamp":
                asked.append(f.max((f.length(cell) == 30) & (f.substring(cell, 27, 3) != "000")))
            else:
                whole = f.length(f.regexp_replace(cell, "^-?0*([0-9]*).*$", "$1"))
                part = f.length(f.regexp_replace(cell, "^[^.]*[.]?", ""))
                asked.append(f.struct(f.max(whole), f.max(part), f.min(cell.rlike(DECIMAL))))
        if not asked:
            return {}
        told = rows.agg(*asked).first()
        return {place: shape(kind, fact) for (place, kind), fact in zip(places, told)}

    def write_part(self, part: Part, found: DataFrame) -> None:
        """The data set of one part of the bookkeeping, and its cells as an export has them."""
        name = part.name
        self.write(f"merged/{name}", found)
        found = self.read(f"merged/{name}")
        shown = [f.col("path"), f.col("device"), f.col("source")]
        if part is OPERATION:
            shown += [f.col("number").alias("sequence"), f.col("n").alias("ownSequence")]
        columns = list(part.told)
        if part is OPERATION:
            columns += [("device_" + known, kind) for known, kind in DEVICE_ITEM]
        shown += [typed(kind, f.get("cells", f.lit(place))).alias(known)
                  for place, (known, kind) in enumerate(columns)]
        found = found.select(*shown)
        self.write(name, found, *self.partitions(found, PARTITIONS.get(name)))

    @staticmethod
    def partitions(found: DataFrame, by: str | None) -> list[str]:
        """The column by which a data set is partitioned, if that is sensible.

        Without a row there would be no folder, and nothing that tells the columns; a store that was
        made to harm could bring a new value in each row, or one that no folder can be called.
        """
        if by is None:
            return []
        # The driver takes no more of each value than it takes to refuse it.
        start = f.substring(by, 1, LONGEST_VALUE + 1)
        values = found.select(start).distinct().limit(MOST_PARTITIONS + 1).collect()
        are_plain = all(value is None or re.fullmatch(PLAIN_VALUE, value) for value, in values)
        return [by] if 0 < len(values) <= MOST_PARTITIONS and are_plain else []

    def write(self, name: str, frame: DataFrame, *by: str) -> None:
        """Writes a data set beside the one that it will replace."""
        frame.write.mode("overwrite").partitionBy(*by).parquet(f"{self.root}/_new/{name}")

    def read(self, name: str, is_new: bool = True) -> DataFrame:
        """A data set, the one that will replace another or that other."""
        return self.spark.read.parquet(self.folder(name, is_new))

    def rows(self, are_gone: bool = False, is_new: bool = True) -> DataFrame:
        """The rows of all united tables, or those that gave way."""
        found = self.spark.read.schema(UNITED).parquet(
            self.folder("merged/rows", is_new)).withColumns(
            {"united": f.col("united").cast("int"), "gone": f.col("gone") == "true"})
        return found.where("gone" if are_gone else "NOT gone")

    def folder(self, name: str, is_new: bool) -> str:
        """Where Spark reads a data set."""
        return literal(f"{self.root}/{'_new/' if is_new else ''}{name}")

    def publish(self) -> None:
        """Puts the new data sets into the places of the old ones."""
        self.files.mkdirs(self.path(f"{self.root}/_new/tables"))
        for status in self.files.listStatus(self.path(f"{self.root}/_new")):
            target = self.path(f"{self.root}/{status.getPath().getName()}")
            self.files.delete(target, True)
            if not self.files.rename(status.getPath(), target):
                raise RuntimeError(f"{target} cannot be put into its place")
        self.files.delete(self.path(f"{self.root}/_new"), True)


def typed(kind: str, cell: Column, wanted: Shape = Shape()) -> Column:
    """A cell as a value of a type that Spark has."""
    if kind in ("integer", "reference"):
        return cell.cast("bigint")
    if kind == "real":
        return cell.cast("double")
    if kind == "boolean":
        return cell.cast("boolean")
    if kind == "timestamp":
        # Spark keeps six digits of a second; the others are cut, and stand in a column of text.
        return f.concat(f.substring(cell, 1, 19), f.rpad(
            f.substring(f.regexp_replace(cell, "Z$", ""), 20, 7), 7, "0"), f.lit("Z")
        ).cast("timestamp")
    if kind == "decimal" and wanted.scale is not None:
        return cell.cast(f"decimal({MOST_DIGITS}, {wanted.scale})")
    if kind == "binary":
        return f.unbase64(cell)
    return cell


def shape(kind: str, fact: object) -> Shape:
    """What the values of a column need, as they told it."""
    if kind == "timestamp":
        return Shape(has_nanoseconds=bool(fact))
    whole, part, are_plain = fact
    if whole is None or not are_plain or whole + part > MOST_DIGITS:
        return Shape(scale=0 if whole is None else None)
    return Shape(scale=part)
