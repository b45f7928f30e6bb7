#!/usr/bin/env python3
"""Reads the stores of a fleet with Spark, and keeps what is in them in a lake of Parquet files.

    spark-submit --files rehome rehome_fleet.py PLACE... --lake LAKE [--to-bundle FOLDER]

A PLACE is a folder, an archive, a device backup or a store, on any file system that Spark reads.
Run again, it reads what is new or changed. README.md beside this file tells the rest.
"""

from __future__ import annotations

import argparse
import atexit
import shutil
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from fleet.belongings import Folders
from fleet.bundle import Bundle
from fleet.child import Limits, Tool
from fleet.files import HadoopFiles, LocalFiles, is_local
from fleet.lake import OWN_FOLDERS, Lake
from fleet.landing import Landing
from fleet.places import Unit, units_of_entry
from fleet.reading import Reading
from fleet.records import ENDED, Record
from fleet.spool import Spool
from fleet.succession import Succession

WRONG_USAGE, CANNOT_CREATE = 64, 73
SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    # A value that does not fit is told as a reject; it does not end the job.
    "spark.sql.ansi.enabled": "false",
    # Names that differ in the case of letters beyond ASCII are different names.
    "spark.sql.caseSensitive": "true",
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    "spark.sql.sources.partitionOverwriteMode": "static",
}


class Arguments(argparse.ArgumentParser):
    """A command line whose mistakes end as those of the tool do."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(WRONG_USAGE, f"{self.prog}: {message}\n")


def pattern(text: str) -> str:
    """A path pattern that tells a device."""
    if text.count("{device}") != 1:
        raise argparse.ArgumentTypeError("takes a path with {device} in it once")
    return text


def count(text: str) -> int:
    """A number of something of which there must be some."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("takes a number from 1")
    return number


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = Arguments(description="Read the stores of a fleet into a lake.")
    parser.add_argument("places", nargs="*", metavar="PLACE",
                        help="a folder, archive, device backup or store")
    parser.add_argument("--places-from", metavar="FILE",
                        help="take places from a file of the driver, one a line")
    parser.add_argument("--lake", required=True, metavar="LAKE", help="where the data sets go")
    parser.add_argument("--rehome", default="rehome", metavar="NAME",
                        help="the program's name among the files of the job, or its path")
    parser.add_argument("--device", type=pattern, metavar="PATTERN",
                        help="take the device's name from each store's path: 'shelf/{device}/**'")
    parser.add_argument("--to-bundle", type=Path, metavar="FOLDER",
                        help="write an export of the merged lake to a folder of the driver")
    parser.add_argument("--again", action="store_true",
                        help="read once more what could not be read before")
    parser.add_argument("--wave", type=count, default=20_000, metavar="N",
                        help="commit what was read after so many files")
    limits = parser.add_argument_group("what one store may cost")
    limits.add_argument("--timeout", type=count, default=Limits.seconds, metavar="SECONDS")
    limits.add_argument("--max-memory", type=count, default=Limits.memory, metavar="BYTES")
    limits.add_argument("--max-output", type=count, default=Limits.output, metavar="BYTES")
    limits.add_argument("--max-row", type=count, default=Limits.row, metavar="BYTES")
    limits.add_argument("--max-copy", type=count, default=Limits.copy, metavar="BYTES")
    limits.add_argument("--max-tables", type=count, default=500, metavar="N")
    return parser.parse_args(given)


def session() -> SparkSession:
    """The session of the job, with the settings that the lake relies on."""
    spark = SparkSession.builder.appName("rehome fleet").getOrCreate()
    for name, value in SETTINGS.items():
        spark.conf.set(name, value)
    context = spark.sparkContext
    if context.getConf().get("spark.sql.shuffle.partitions") is None:
        spark.conf.set("spark.sql.shuffle.partitions", str(max(4, context.defaultParallelism * 2)))
    # What a task writes counts when its job has ended, and a mark tells that it has.
    settings = spark._jsc.hadoopConfiguration()
    settings.set("mapreduce.fileoutputcommitter.algorithm.version", "1")
    settings.set("mapreduce.fileoutputcommitter.marksuccessfuljobs", "true")
    context.setLogLevel("ERROR")
    context.addPyFile(packed_modules())
    return spark


def packed_modules() -> str:
    """The modules beside this file as an archive, for the workers; it goes when the driver ends."""
    folder = tempfile.mkdtemp(prefix="rehome-fleet-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    archive = Path(folder) / "fleet.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for module in sorted((HERE / "fleet").glob("*.py")):
            packed.write(module, f"fleet/{module.name}")
    return str(archive)


class Ways:
    """What lists places: those of this machine, and those behind Hadoop."""

    def __init__(self, spark: SparkSession, lake: str) -> None:
        behind = HadoopFiles(spark._jvm, spark._jsc.hadoopConfiguration())
        self.folders = {
            is_near: Folders(files, lake if is_local(lake) == is_near else None)
            for is_near, files in ((True, LocalFiles()), (False, behind))}

    def to(self, place: str) -> Folders:
        """What lists a place."""
        return self.folders[is_local(place)]


def found_units(
    ways: Ways, places: list[str], succession: Succession
) -> Iterator[Unit]:
    """The units of all places, each once, and each place listed by what can read it."""
    seen = set()
    for place in places:
        folders = ways.to(place)
        files = folders.files
        entry = files.entry(place)
        # An address may lack what the paths below it have.
        root = files.shown(entry.path if entry else place)
        for unit in units_of_entry(folders, files.shown(place), entry):
            succession.note(unit, files, root)
            if unit.name not in seen:
                seen.add(unit.name)
                yield unit


def qualified(spark: SparkSession, place: str) -> str:
    """A place with its scheme, where Spark's own file system is not that of the machines."""
    path = spark._jvm.org.apache.hadoop.fs.Path
    settings = spark._jsc.hadoopConfiguration()
    if "://" in place or settings.get("fs.defaultFS").startswith("file:"):
        return place
    return path(place).getFileSystem(settings).makeQualified(path(place)).toString()


def hadoop_settings(spark: SparkSession, places: list[str]) -> dict[str, str]:
    """The job's own settings for file systems that the workers must reach, and no others."""
    if all(map(is_local, places)):
        return {}
    found = spark.sparkContext.getConf().getAll()
    own = {name.removeprefix("spark.hadoop."): value
           for name, value in found if name.startswith("spark.hadoop.")}
    own["fs.defaultFS"] = spark._jsc.hadoopConfiguration().get("fs.defaultFS")
    return own


def read(
    spark: SparkSession, landing: Landing, ways: Ways, options: argparse.Namespace
) -> int:
    """Reads what is new or changed, wave by wave; gives how many units that were."""
    known = landing.known()
    settled = landing.known(with_troubles=False) if options.again else known
    there = {name for name, mark in known.fingerprints.items() if mark != ENDED}
    succession = Succession(there, known.queues)
    fresh = [replace(unit, is_known=unit.name in there)
             for unit in found_units(ways, options.places, succession)
             if settled.fingerprints.get(unit.name) != unit.fingerprint]
    fresh += (Unit(name, (), has_ended=True) for name in succession.ended())
    limits = Limits(options.timeout, options.max_memory, options.max_output, options.max_row,
                    options.max_copy)
    # What workers need goes to them as Spark's own settings do, and is in no log.
    shared = spark.sparkContext.broadcast(
        (options.rehome, limits, options.max_tables, hadoop_settings(spark, options.places)))

    def task(units: Iterator[Unit]) -> Iterator[Record]:
        program, limits, most_tables, settings = shared.value
        if "/" not in program:
            program = SparkFiles.get(program)
        spool = Spool(settings, limits.copy)
        yield from Reading(Tool(program, limits), spool, limits, most_tables).records(units)

    started = time.monotonic()
    for start in range(0, len(fresh), options.wave):
        units = fresh[start:start + options.wave]
        wave = landing.write(units, task)
        say(f"{start + len(units)} of {len(fresh)} new or changed files "
            f"read in {time.monotonic() - started:.1f} s")
        if any(unit.is_known for unit in units) and (
                kept := len(units) - landing.units_of(wave)):
            say(f"{kept} of them cannot be read now, and are in the lake as they were")
    return len(fresh)


def tell_gone(lake: Lake) -> None:
    """Tells how many stores have left a lake in this run."""
    written = lake.landing.written
    if not written or not lake.landing.has_again():
        return
    if gone := lake.read("gone", is_new=False).where(f.col("wave").isin(written)).count():
        say(f"{gone} stores were not found again in what they were read from, and are in the lake "
            "no more; its data set gone names them")


def say(text: str) -> None:
    """A line for the person who waits."""
    print(text, file=sys.stderr, flush=True)


def run(spark: SparkSession, options: argparse.Namespace) -> int:
    """Reads, merges, and tells what there is."""
    started = time.monotonic()
    if options.to_bundle and options.to_bundle.exists():
        say(f"{options.to_bundle} is there already")
        return CANNOT_CREATE
    if options.places_from:
        listed = Path(options.places_from).read_text(encoding="utf-8").splitlines()
        options.places += [line for line in listed if line]
    options.places = [qualified(spark, place) for place in options.places]
    options.lake = qualified(spark, options.lake)
    ways = Ways(spark, options.lake)
    for place in options.places:
        inside = ways.to(place).inside_lake(place)
        if inside is not None and inside.partition("/")[0] in {"", *OWN_FOLDERS}:
            say(f"{place} is where the data sets of the lake go, which would take its place;"
                " name another place, or another lake")
            return WRONG_USAGE
    landing = Landing(spark, options.lake)
    lake = Lake(spark, options.lake, landing)
    if lake.is_of_others():
        say(f"{options.lake} is no lake, and has folders that those of one would replace;"
            " name another folder for the lake")
        return WRONG_USAGE
    landing.clear()
    fresh = read(spark, landing, ways, options)
    if not landing.waves():
        say("there is nothing to read")
        return 66
    if not lake.is_current(options.device or ""):
        lake.build(options.device)
    tell_gone(lake)
    told = {row["status"]: row["count"]
            for row in lake.read("stores", is_new=False).groupBy("status").count().collect()}
    say(f"{sum(told.values())} stores: "
        + ", ".join(f"{count} {status}" for status, count in sorted(told.items()))
        + f"; {fresh} files were new or changed; {time.monotonic() - started:.0f} s")
    if options.to_bundle:
        digest = Bundle(lake, options.to_bundle, "rehome fleet").write()
        print(f"{digest}  {options.to_bundle}")
    return 0


def main() -> int:
    """Runs the job in a session of its own."""
    options = arguments()
    spark = session()
    try:
        return run(spark, options)
    finally:
        spark.stop()


if __name__ == "__main__":
    sys.exit(main())
