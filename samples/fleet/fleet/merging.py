"""The merge of all stores, in Spark SQL, by the rule of `rehome convert`.

rehome-store(5), SEVERAL SOURCES, is the rule. Every step works on all tables at once, so that the
number of steps does not grow with the number of tables. Numbers stand for stores (`ordinal`) and
for united tables (`united`); `t` is the united table that something refers to.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from pyspark.sql import Column, DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as f

from fleet.catalogues import EXACT_LAYOUTS, UnitedCatalogue
from fleet.landing import Landing
from fleet.records import CATALOGUE, ROW

WIDEST_GAP = 1 << 16
FARTHEST = 1 << 32
MAPPING = (
    "catalogue string, `table` string, united int, origins array<struct<act: string, own: int,"
    " text: string, entity: int>>, pair array<int>, renamed map<string, string>,"
    " columns map<string, string>, appName string")
# What the united rows are kept as; rows that are gone keep their own cells.
UNITED = (
    "key bigint, source int, ordinal int, ownKey bigint, cells array<string>, catalogue string,"
    " `table` string, winnerOrdinal int, unheld array<struct<place: int, value: string>>,"
    " gone string, united string")
RUN = "united int, ordinal int, first bigint, last bigint, new bigint"


class Merge:
    """The stores of a lake as one."""

    def __init__(self, landing: Landing, stores: DataFrame) -> None:
        self.spark: SparkSession = landing.spark
        self.landing = landing
        self.stores = stores.where("ordinal IS NOT NULL")
        # What only its name makes a store is none to the tool.
        self.left_out = stores.where("ordinal IS NULL AND isGuess IS NULL")
        # What is merged with nothing stays as it is, as in a conversion of one store.
        self.is_alone = self.stores.count() == 1
        self.catalogue, self.mapping = self.unite()
        self.tables = self.catalogue.shown()

    # The tables.

    def unite(self) -> tuple[UnitedCatalogue, DataFrame]:
        """The tables of all stores as one catalogue, and the ways from theirs to its."""
        is_exact = f.exists("sources", lambda source: source.layout.isin(*EXACT_LAYOUTS))
        first = self.stores.groupBy("catalogue").agg(
            f.min("ordinal").alias("first"), f.max(is_exact).alias("isExact"))
        texts = self.landing.all(CATALOGUE).groupBy(f.col("table").alias("catalogue")).agg(
            f.first(f.col("cells")[0]).alias("text"))
        owners = self.stores.select(
            f.col("ordinal").alias("first"), f.col("store").alias("path"), "device",
            (f.col("before.sources") + 1).cast("int").alias("source"))
        found = first.join(texts, "catalogue").join(owners, "first").orderBy("first").collect()
        self.known = [(row.catalogue, json.loads(row.text)) for row in found]
        united = UnitedCatalogue(self.is_alone)
        # What a person should know of columns that differ, with the first store that has them so.
        self.notes = [
            (row.first, row.path, row.device, row.source, table, code, note)
            for row, (_, tables) in zip(found, self.known)
            for table, code, note in united.unite(tables, row.path, row.isExact)]
        rows = [self.mapping_row(digest, mapping)
                for digest, tables in self.known for mapping in united.mappings(tables)]
        return united, self.spark.createDataFrame(rows, MAPPING)

    @staticmethod
    def mapping_row(digest: str, mapping) -> tuple:
        """A way between tables, as a row."""
        origins = [asdict(origin) for origin in mapping.origins]
        pair = list(mapping.pair) if mapping.pair else None
        return (digest, mapping.table, mapping.united,
                [(o["act"], o["own"], o["text"], o["entity"]) for o in origins], pair,
                mapping.renamed, mapping.columns, mapping.app_name)

    # Rows, and what they refer to.

    def numbered(self, kind: str) -> DataFrame:
        """The records of a kind with the ordinals of their stores."""
        stores = self.stores.select(
            "unit", "store", "wave", "ordinal", "catalogue",
            f.col("before.sources").alias("sourcesBefore"))
        found = self.landing.all(kind).drop("kind")
        return found.join(stores, ["unit", "store", "wave"]).drop("wave")

    def rows(self) -> DataFrame:
        """The rows of all stores, each with the way to its united table."""
        return self.numbered(ROW).join(f.broadcast(self.mapping), ["catalogue", "table"])

    def places(self) -> DataFrame:
        """The united tables by catalogue and by the names that they have there."""
        return self.mapping.select("catalogue", f.col("table").alias("name"),
                                   f.col("united").alias("t"))

    def references(self, rows: DataFrame) -> DataFrame:
        """The references of rows: which row, at which place, to which key of which table."""
        found = rows.select(
            "catalogue", "united", "ordinal", "n", "cells",
            f.posexplode("origins").alias("place", "origin")).where("origin.act = 'reference'")
        found = found.select(
            "catalogue", "united", "ordinal", "n", "place",
            f.expr("try_cast(get(cells, origin.own) AS bigint)").alias("key"),
            f.expr("coalesce(get(cells, origin.entity), origin.text)").alias("name"))
        found = found.where("key IS NOT NULL")
        return found.join(f.broadcast(self.places()), ["catalogue", "name"], "left").drop(
            "catalogue", "name")

    # Survivors.

    def losers(self, rows: DataFrame) -> DataFrame:
        """The rows that give way, with those that are kept in their places."""
        item = Window.partitionBy("united", "item")
        best = item.orderBy(f.desc_nulls_last("moment"), f.desc_nulls_last("version"),
                            "ordinal", "n")
        found = rows.where("item IS NOT NULL").select(
            "united", "ordinal", f.col("n").alias("key"),
            f.first("ordinal").over(best).alias("winnerOrdinal"),
            f.first("n").over(best).alias("winnerKey"),
            (f.min("ordinal").over(item) != f.max("ordinal").over(item)).alias("isShared"))
        return found.where(
            "isShared AND NOT (ordinal = winnerOrdinal AND key = winnerKey)").drop("isShared")

    # Keys.

    def runs(self, rows: DataFrame) -> DataFrame:
        """Keys that lie close together, and the new key of the first of them."""
        order = Window.partitionBy("united", "ordinal").orderBy("n")
        gap = f.col("n").cast("decimal(20,0)") - f.lag("n").over(order).cast("decimal(20,0)")
        keys = rows.select("united", "ordinal", "n", gap.alias("gap"))
        begins = f.col("gap").isNull() | (f.col("gap") > WIDEST_GAP)
        keys = keys.withColumn("run", f.sum(begins.cast("int")).over(order))
        runs = keys.groupBy("united", "ordinal", "run").agg(
            f.min("n").alias("first"), f.max("n").alias("last")).drop("run")
        runs = runs.join(self.own_next_keys(), ["united", "ordinal"], "left")
        count = max(1, min(len(self.tables), self.spark.sparkContext.defaultParallelism * 4))
        ordered = runs.select("united", "ordinal", "first", "last", "ownNext").repartition(
            count, "united").sortWithinPartitions("united", "ordinal", "first")
        return self.spark.createDataFrame(
            ordered.rdd.mapPartitions(numbered_runs), RUN, verifySchema=False)

    def own_next_keys(self) -> DataFrame:
        """From which numbers the stores themselves would go on, where they tell it."""
        told = self.stores.where(f.size("nextKeys") > 0).select(
            "catalogue", "ordinal", f.explode("nextKeys").alias("name", "ownNext"))
        return told.join(f.broadcast(self.places()), ["catalogue", "name"]).select(
            f.col("t").alias("united"), "ordinal", "ownNext")

    def resolved(self, points: DataFrame, runs: DataFrame) -> DataFrame:
        """The new keys of some keys: as their runs moved, or numbers that no row has."""
        starts = runs.select(
            "united", "ordinal", f.col("first").alias("key"), f.lit(0).alias("mark"),
            f.struct("first", "last", "new").alias("run"))
        asked = points.select("united", "ordinal", "key").withColumn("mark", f.lit(1))
        if self.is_alone:
            return points.select("united", "ordinal", "key", f.col("key").alias("new"))
        both = asked.unionByName(starts, allowMissingColumns=True)
        order = Window.partitionBy("united", "ordinal").orderBy("key", "mark")
        run = f.last("run", ignorenulls=True).over(order)
        found = both.withColumn("run", run).where("mark = 1")
        return found.select("united", "ordinal", "key", f.when(
            f.col("key") <= f.col("run.last"),
            f.col("run.new") + (f.col("key") - f.col("run.first"))
        ).otherwise(self.free("key")).alias("new"))

    def keys(
        self, rows: DataFrame, asked: DataFrame, losers: DataFrame, runs: DataFrame
    ) -> DataFrame:
        """The new keys of all rows and of whatever is referred to.

        `gaveWay` marks those of rows that gave way; theirs are the keys of the rows kept.
        """
        points = rows.select("united", "ordinal", f.col("n").alias("key")).union(
            asked.where("t IS NOT NULL").select(f.col("t").alias("united"), "ordinal", "key"))
        moved = self.resolved(points.distinct(), runs)
        winners = losers.join(
            moved.select("united", f.col("ordinal").alias("winnerOrdinal"),
                         f.col("key").alias("winnerKey"), f.col("new").alias("winnerNew")),
            ["united", "winnerOrdinal", "winnerKey"], "left")
        found = moved.join(winners, ["united", "ordinal", "key"], "left")
        return found.select(
            "united", "ordinal", "key", f.coalesce("winnerNew", "new").alias("new"),
            f.col("winnerNew").isNotNull().alias("gaveWay"), "winnerOrdinal")

    def free(self, key: str) -> Column:
        """A number that no row has, and that tells the key that no row had."""
        if self.is_alone:
            return f.col(key)
        return f.when(f.col(key) > 0, -f.col(key)).otherwise(f.col(key))

    # The united rows.

    def united_rows(
        self, rows: DataFrame, references: DataFrame, keys: DataFrame
    ) -> DataFrame:
        """The rows as the united tables have them, and as they were those that are `gone`.

        They are made in one pass, because it is the one that moves most.
        """
        target = keys.select(f.col("united").alias("t"), "ordinal", "key", "new")
        led = references.join(target, ["t", "ordinal", "key"], "left").select(
            "united", "ordinal", "n", "place",
            f.coalesce("new", self.free("key")).alias("new"), "t")
        led = led.groupBy("united", "ordinal", "n").agg(f.map_from_entries(f.collect_list(
            f.struct("place", f.struct("new", "t")))).alias("led"))
        own = keys.select("united", "ordinal", f.col("key").alias("n"), "new", "gaveWay",
                          "winnerOrdinal")
        found = rows.join(own, ["united", "ordinal", "n"]).join(
            led, ["united", "ordinal", "n"], "left")
        found = self.with_pairs(found)
        gone = f.expr("gaveWay OR isKnownPair")

        def if_gone(column: str, otherwise: Column | None = None) -> Column:
            return f.when(gone, f.col(column)).otherwise(otherwise)

        return found.select(
            "united", gone.alias("gone"), f.col("new").alias("key"),
            (f.col("sourcesBefore") + f.col("source")).alias("source"), "ordinal",
            f.col("n").alias("ownKey"), if_gone("cells", united_cells()).alias("cells"),
            if_gone("catalogue").alias("catalogue"), if_gone("table").alias("table"),
            f.coalesce("winnerOrdinal", "firstOrdinal").alias("winnerOrdinal"),
            f.when(~gone, unheld_cells()).alias("unheld"))

    @staticmethod
    def with_pairs(rows: DataFrame) -> DataFrame:
        """Tells the pairs of relationships that an earlier store had."""
        def side(number: int) -> Column:
            # The place in the united table whose reference comes from this side.
            return f.expr(
                "element_at(led, array_position(transform(origins, o -> o.act = 'reference' AND"
                f" o.own = pair[{number}]), true) - 1)")
        rows = rows.withColumn("owner", f.when(f.col("pair").isNotNull(), side(0)))
        rows = rows.withColumn("other", f.when(f.col("pair").isNotNull(), side(1)))
        is_pair = f.expr("NOT gaveWay AND owner.t IS NOT NULL AND other.t IS NOT NULL"
                         " AND owner.new > 0 AND other.new > 0")
        rows = rows.withColumn("pairKey", f.when(is_pair, f.struct("owner", "other")))
        # A row without a pair is alone in its group, so that no task gets all of them.
        alone = f.when(f.col("pairKey").isNull(), f.struct("ordinal", "n"))
        first = f.min("ordinal").over(Window.partitionBy("united", "pairKey", alone))
        known = f.col("pairKey").isNotNull() & (first < f.col("ordinal"))
        return rows.withColumn("firstOrdinal", first).withColumn("isKnownPair", known)


def json_string(text: str) -> str:
    """What spells a text as a string of JSON, as Python does without escapes of letters."""
    found = text
    for byte in [0x5C, 0x22, *range(0x20)]:
        escape = json.dumps(chr(byte))[1:-1].replace("\\", "\\\\")
        found = f"replace({found}, char({byte}), '{escape}')"
    return f"concat(char(34), {found}, char(34))"


def united_cells() -> Column:
    """The cells of a row in the order and the spelling of its united table."""
    return f.expr(f"""
        transform(origins, (o, place) -> CASE o.act
          WHEN 'none' THEN CAST(NULL AS string)
          WHEN 'copy' THEN get(cells, o.own)
          WHEN 'digit' THEN CASE get(cells, o.own) WHEN 'true' THEN '1' WHEN 'false' THEN '0' END
          WHEN 'real' THEN CASE get(cells, o.own)
            WHEN 'true' THEN '1.0' WHEN 'false' THEN '0.0' END
          WHEN 'whole' THEN CASE
            WHEN CAST(CAST(get(cells, o.own) AS double) AS decimal(38, 0))
              = CAST(get(cells, o.own) AS decimal(38, 0)) THEN concat(get(cells, o.own), '.0') END
          WHEN 'string' THEN {json_string("get(cells, o.own)")}
          WHEN 'number' THEN CASE WHEN get(cells, o.own) LIKE '%Infinity'
            THEN concat(char(34), get(cells, o.own), char(34)) ELSE get(cells, o.own) END
          WHEN 'reference' THEN CAST(element_at(led, place).new AS string)
          WHEN 'entity' THEN coalesce(element_at(renamed, get(cells, o.own)), get(cells, o.own))
          WHEN 'constant' THEN CASE WHEN get(cells, o.own) IS NOT NULL THEN o.text END
        END)""")


def unheld_cells() -> Column:
    """The places and values of whole numbers that a real column cannot hold."""
    return f.expr("""
        filter(transform(origins, (o, place) -> CASE
          WHEN o.act = 'whole' AND CAST(CAST(get(cells, o.own) AS double) AS decimal(38, 0))
              <> CAST(get(cells, o.own) AS decimal(38, 0))
          THEN struct(place AS place, get(cells, o.own) AS value) END),
          cell -> cell IS NOT NULL)""")


def numbered_runs(runs: Iterator[Row]) -> Iterator[tuple]:
    """Gives runs their new keys: tables one by one, in each store behind store."""
    table = store = own_next = None
    following, last_run = 1, None
    for united, ordinal, first, last, told in runs:
        if (united, ordinal) != (table, store):
            following = next_behind(following, last_run, own_next)
            if united != table:
                following = 1
            table, store, own_next, last_run = united, ordinal, told, None
        is_near = first >= following and first - following < WIDEST_GAP
        new = first if is_near else following
        following = new + (last - first) + 1
        last_run = (first, last, new)
        yield united, ordinal, first, last, new


def next_behind(following: int, last_run: tuple | None, own: int | None) -> int:
    """The least free key behind a store, given the one that the store itself had for more rows."""
    if own is None or last_run is None or own <= last_run[1]:
        return following
    moved = own + last_run[2] - last_run[0]
    if moved >= 2**63 or moved - following > FARTHEST:
        return following
    return max(following, moved)
