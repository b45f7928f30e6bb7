"""The readings of a lake: what was read of each unit, kept wave by wave.

A wave is some thousands of units, read by one Spark job and committed as a whole: a folder counts
when Spark's own committer has put its mark into it. So attempts that failed, ran twice or lost
their machine leave nothing, and a driver that is started again goes on behind the last wave. Of a
unit or a store that is in several waves the latest one counts.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as f

from fleet.child import FINDINGS, OK
from fleet.places import Unit
from fleet.records import ENDED, NOT_REACHED, SCHEMA, STORE, UNIT, Record
from fleet.succession import was_queue

MARK = "_SUCCESS"
WAVE = re.compile(r"wave=(\d{13}-[0-9a-f]{8})")
ABANDONED_AFTER = 24 * 3600 * 1000
BYTES_A_TASK = 256 << 20
UNITS_A_TASK = 100
TASKS_A_CORE = 4
GONE = "path string, container string, wave string"


@dataclass
class Known:
    """The units that were read, with the fingerprints that they had, and which are queues."""

    fingerprints: dict[str, str | None] = field(default_factory=dict)
    queues: set[str] = field(default_factory=set)


class Landing:
    """The readings below the folder of a lake."""

    # The number of the last wave, when somebody has asked for the next one.
    last: int | None = None

    def __init__(self, spark: SparkSession, lake: str) -> None:
        self.spark = spark
        self.root = lake.rstrip("/") + "/readings"
        self.machine = spark._jvm
        self.path = self.machine.org.apache.hadoop.fs.Path(self.root)
        self.files = self.path.getFileSystem(spark._jsc.hadoopConfiguration())
        # The waves that were written here.
        self.written: list[str] = []
        self.counted: tuple[list[str], bool] = ([], False)

    def waves(self) -> list[str]:
        """The waves that are complete, the oldest first."""
        if not self.files.exists(self.path):
            return []
        found = []
        for status in self.files.listStatus(self.path):
            name = status.getPath().getName()
            match = WAVE.fullmatch(name)
            if match and self.files.exists(self.inside(name, MARK)):
                found.append(match.group(1))
        return sorted(found)

    def clear(self) -> None:
        """Takes away what drivers left behind that never came to an end."""
        if not self.files.exists(self.path):
            return
        now = int(time.time() * 1000)
        complete = {f"wave={wave}" for wave in self.waves()}
        for status in self.files.listStatus(self.path):
            name = status.getPath().getName()
            match = WAVE.fullmatch(name)
            if match and name not in complete and now - int(name[5:18]) > ABANDONED_AFTER:
                self.files.delete(status.getPath(), True)

    def inside(self, *names: str) -> object:
        """A path below the readings."""
        return self.machine.org.apache.hadoop.fs.Path("/".join([self.root, *names]))

    # Reading.

    def all(self, kind: str) -> DataFrame:
        """The records of a kind in all waves, with the wave of each."""
        return self.of_waves(kind, self.waves())

    def of_waves(self, kind: str, waves: list[str]) -> DataFrame:
        """The records of a kind in some waves."""
        there = [literal(f"{self.root}/wave={wave}/kind={kind}") for wave in waves
                 if self.files.exists(self.inside(f"wave={wave}", f"kind={kind}"))]
        if not there:
            return self.spark.createDataFrame([], SCHEMA + ", wave string")
        read = self.spark.read.option("basePath", self.root).schema(SCHEMA + ", wave string")
        return read.parquet(*there)

    def units(self) -> DataFrame:
        """The units that were read, with their latest waves."""
        return self.all(UNIT).groupBy("unit").agg(
            f.max(f.struct("wave", f.col("cells")[0].alias("fingerprint"),
                           f.get("cells", f.lit(1)).alias("kind"))).alias("latest")
        ).select("unit", "latest.wave", "latest.fingerprint", "latest.kind")

    def known(self, with_troubles: bool = True) -> Known:
        """The units that were read; those with a store that could not be are left out on demand."""
        units = self.units()
        if not with_troubles:
            troubled = self.all(STORE).where(~fact("status").isin(OK, FINDINGS)).select(
                "unit", "wave")
            units = units.join(troubled, ["unit", "wave"], "left_anti")
        known = Known()
        for row in units.toLocalIterator():
            known.fingerprints[row.unit] = row.fingerprint
            if was_queue(row.unit, row.kind):
                known.queues.add(row.unit)
        return known

    def stores(self) -> DataFrame:
        """The records of the stores that count; what else is told of a store counts with them.

        A unit's are those of the last wave in which it was looked through to its end, and of those
        behind. One that belonged to another unit before, which may be gone, is in both's readings.
        """
        found = self.all(STORE)
        if not self.has_again():
            return found
        since = self.whole_units().groupBy("unit").agg(f.max("wave").alias("since"))
        last = self.units().select("unit", f.col("wave").alias("last"))
        found = found.join(last.join(since, "unit", "left"), "unit")
        is_last = f.col("wave") == f.col("last")
        found = found.where((f.col("wave") >= f.coalesce("since", f.lit("")))
                            & (is_last | ~is_rest())).drop("last", "since")
        for name in (["unit", "store"], ["store", fact("container")]):
            latest = f.max("wave").over(Window.partitionBy(*name))
            found = found.withColumn("latest", latest).where("wave = latest").drop("latest")
        return found

    def whole_units(self) -> DataFrame:
        """The units with the waves in which they were looked through to their ends."""
        others = self.all(STORE).where(is_rest()).select("unit", "wave")
        return self.all(UNIT).select("unit", "wave").join(others, ["unit", "wave"], "left_anti")

    def gone(self) -> DataFrame:
        """The stores that could be read once in units that are still there, and are no more in them,
        with the waves that told it: the first without them.
        """
        if not self.has_again():
            return self.spark.createDataFrame([], GONE)
        there = self.units().where(~f.col("fingerprint").eqNullSafe(ENDED)).select("unit")
        name = ["store", f.coalesce(fact("container"), f.lit("")).alias("container")]
        is_read = fact("status").isin(OK, FINDINGS).alias("isRead")
        told = self.all(STORE).select("unit", "wave", *name, is_read)
        told = told.groupBy("unit", "store", "container").agg(
            f.max("wave").alias("last"), f.max("isRead").alias("isRead")).where("isRead")
        left = told.join(self.stores().select(*name), ["store", "container"], "left_anti")
        found = left.join(there, "unit").join(self.whole_units(), "unit").where("wave > last")
        found = found.groupBy("unit", "store", "container").agg(f.min("wave").alias("wave"))
        return found.groupBy("store", "container").agg(f.max("wave").alias("wave")).select(
            f.col("store").alias("path"), f.expr("nullif(container, '')").alias("container"), "wave")

    def has_again(self) -> bool:
        """Whether something was read several times, which is asked once for the waves that there are.
        """
        waves = self.waves()
        if waves != self.counted[0]:
            self.counted = waves, len(waves) > 1 and (
                self.has_several(UNIT, "unit") or self.has_several(STORE, "store"))
        return self.counted[1]

    def has_several(self, kind: str, name: str) -> bool:
        """Whether there are several records of a kind with one name."""
        told = self.all(kind).agg(f.count("*"), f.count_distinct(name)).first()
        return told[0] != told[1]

    def units_of(self, wave: str) -> int:
        """How many units were read in a wave."""
        return self.of_waves(UNIT, [wave]).count()

    # Writing.

    def write(
        self, units: list[Unit], read: Callable[[Iterator[Unit]], Iterator[Record]]
    ) -> str:
        """Reads some units as one wave, and commits it."""
        wave = f"{self.next_moment():013}-{secrets.token_hex(4)}"
        context = self.spark.sparkContext
        tasks = task_count(units, context.defaultParallelism)
        records = context.parallelize(spread(units, tasks), tasks).mapPartitions(read)
        frame = self.spark.createDataFrame(records, SCHEMA, verifySchema=False)
        frame.write.partitionBy("kind").parquet(f"{self.root}/wave={wave}")
        self.written.append(wave)
        return wave

    def next_moment(self) -> int:
        """A number for a wave, above those of all others, also where this machine's clock is behind.
        """
        if self.last is None:
            self.last = max((int(wave[:13]) for wave in self.waves()), default=0)
        self.last = max(int(time.time() * 1000), self.last + 1)
        return self.last


def literal(path: str) -> str:
    """A path as Spark reads it, which takes some letters as those of a pattern."""
    return re.sub(r"[][{}*?\\]", r"\\\g<0>", path)


def fact(name: str) -> Column:
    """A fact of a store, as text."""
    return f.get_json_object(f.col("cells")[0], f"$.{name}")


def is_rest() -> Column:
    """Whether a store stands for all in its unit that was not come to."""
    return f.coalesce(fact(NOT_REACHED) == "true", f.lit(False))


def task_count(units: list[Unit], cores: int) -> int:
    """How many tasks share some units: few enough to start, many enough to share evenly."""
    size = sum(unit.size for unit in units)
    needed = max(len(units) // UNITS_A_TASK, size // BYTES_A_TASK, cores * TASKS_A_CORE)
    return max(1, min(needed, len(units)))


def spread(units: list[Unit], tasks: int) -> list[Unit]:
    """The units in an order in which tasks of one length get a fair share of the large ones."""
    ordered = sorted(units, key=lambda unit: unit.size, reverse=True)
    return [unit for task in range(tasks) for unit in ordered[task::tasks]]
