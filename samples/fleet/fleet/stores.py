"""One row a store: what is known of it, and its place among the others."""

from __future__ import annotations

import re

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as f

from fleet.child import FINDINGS, OK
from fleet.landing import Landing
from fleet.records import PARTS, STORE

COUNTS = ("tables", "rows", "operations", "inserts", "updates", "deletes", "errors", "tokens",
          "findings", "rejects", "journal", "marks")
FACTS = (
    "status string, message string, isGuess boolean, device string, container string, layout string,"
    " generation string, bytes bigint, sha256 string, seconds double, toolVersion string,"
    " catalogue string, nextKeys map<string, bigint>, sources array<struct<number: int,"
    " name: string, layout: string, generation: string, evidence: array<string>,"
    " metadata: map<string, string>, nameOrigin: string, files: array<struct<name: string,"
    " bytes: bigint, sha256: string>>>>, counts struct<"
    + ", ".join(f"`{name}`: bigint" for name in COUNTS) + ">")
MERGED = (OK, FINDINGS)
# So many parts of a path, one behind the other, may be needed to tell a device.
MOST_PARTS = 4
ALL_PARTS = 1 << 20


def stores(landing: Landing, pattern: str | None) -> DataFrame:
    """All stores; those that were read have an ordinal, from 1 in the order of their names.

    Behind the counts of each store stand those of all before it, as `before`.
    """
    told = landing.stores().select(
        "unit", "store", "wave", f.from_json(f.col("cells")[0], FACTS).alias("facts"))
    told = told.select("unit", "store", "wave", "facts.*")
    told = with_devices(told, pattern)
    merged = told.where(f.col("status").isin(*MERGED))
    order = Window.orderBy("store")
    earlier = order.rowsBetween(Window.unboundedPreceding, -1)
    before = [f.coalesce(f.sum(f"counts.{name}").over(earlier), f.lit(0)).alias(name)
              for name in (part.name for part in PARTS)]
    before.append(f.coalesce(
        f.sum(f.size("sources")).over(earlier), f.lit(0)).cast("int").alias("sources"))
    merged = merged.select("*", f.row_number().over(order).alias("ordinal"),
                           f.struct(*before).alias("before"))
    return merged.unionByName(told.where(~f.col("status").isin(*MERGED)), allowMissingColumns=True)


def with_devices(told: DataFrame, pattern: str | None) -> DataFrame:
    """The devices that the stores' names tell, where a backup has not told them.

    What no pattern tells is told by the shortest part of the names that tells all of them apart.
    """
    if pattern is not None:
        found = told_by(pattern)
        told = told.withColumn("device", f.when(found != "", found).otherwise(f.col("device")))
    parts = parts_of_names()
    nameless = told.where("device IS NULL AND catalogue IS NOT NULL").select(parts.alias("parts"))
    place = telling_part(nameless)
    if place is None:
        return told
    part = f.array_join(f.slice(parts, place[0] + 1, place[1]), "/")
    own = f.when(f.col("catalogue").isNotNull(), part)
    return told.withColumn("device", f.coalesce("device", own))


def told_by(pattern: str) -> Column:
    """The device that a pattern finds in a name; the empty text for none.

    In an archive a `!` ends the name of a container, elsewhere it is a part of the name.
    """
    def found(border: str) -> Column:
        names = f.filter(f.split("store", border), lambda part: part != "")
        path = f.concat(f.array_join(names, "/"), f.lit("/"))
        return f.regexp_extract(path, device_expression(pattern, border), 1)
    is_in_archive = f.expr("substr(store, length(container) + 1, 1) = '!'")
    return f.when(is_in_archive, found("[/!]")).otherwise(found("/"))


def parts_of_names() -> Column:
    """The parts of names; a `!` ends one only where it stands behind the name of a container."""
    return f.expr("""
        filter(concat(
            split(unit, '/'),
            split(substr(coalesce(container, store), length(unit) + 1), '[/!]'),
            split(substr(store, length(coalesce(container, store)) + 2), '/')
        ), part -> part <> '')""")


def telling_part(names: DataFrame) -> tuple[int, int] | None:
    """The first place and the number of the parts that are different in all names."""
    shortest, count, first = names.agg(
        f.min(f.size("parts")), f.count("*"), f.first("parts")).first()
    if count < 2:
        return None
    equal = names.agg(*(f.min(f.get("parts", f.lit(n)) == part)
                        for n, part in enumerate(first[:shortest]))).first() if shortest else []
    shared = next((n for n, is_equal in enumerate(equal) if not is_equal), len(equal))
    for length in range(1, min(shortest - shared, MOST_PARTS) + 1):
        starts = range(shared, shortest - length + 1)
        found = names.agg(*(f.count_distinct(f.slice("parts", start + 1, length))
                            for start in starts)).first()
        for start, distinct in zip(starts, found):
            if distinct == count:
                return start, length
    # All that is behind what they share tells any apart.
    start = min(shared, shortest - 1)
    if start < 0 or names.agg(f.count_distinct(f.slice("parts", start + 1, ALL_PARTS))
                              ).first()[0] != count:
        return None
    return start, ALL_PARTS


def device_expression(pattern: str, border: str) -> str:
    """A path pattern with `{device}` in it once, as a regular expression for the end of a name.

    Each part of the name ends with a slash, the last one, too.
    """
    parts = []
    for part in filter(None, re.split(border, pattern)):
        if part == "**":
            parts.append("(?:[^/]+/)*?")
            continue
        pieces = re.split(r"(\{device\}|\*|\?)", part)
        known = {"{device}": "([^/]+)", "*": "[^/]*?", "?": "[^/]"}
        parts.append("".join(known.get(piece, re.escape(piece)) for piece in pieces) + "/")
    return "(?:^|/)" + "".join(parts) + "$"


def table_of_stores(found: DataFrame) -> DataFrame:
    """The data set `stores`, exactly one row a store."""
    counts = [f.col(f"counts.{name}").alias(name) for name in COUNTS]
    return found.select(
        f.col("store").alias("path"), "device", "container", "sha256", "bytes", "layout",
        "generation", *counts, "status", "message", "seconds", "toolVersion",
        (f.col("before.sources") + 1).alias("source"),
        f.when(f.col("ordinal").isNotNull(), f.size("sources")).alias("sources"), "ordinal")
