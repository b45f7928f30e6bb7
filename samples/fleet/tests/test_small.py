"""What a fleet must do, on few stores and in one process.

    test_small.py [--families N] [--seed N] [--quick]

The program is taken from REHOME. Each claim has a function; all share one Spark session, because
starting one takes longer than most of them.
"""

from __future__ import annotations

import argparse
import difflib
import io
import json
import os
import plistlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
FLEET = HERE.parent
SAMPLES = FLEET.parent
sys.path[:0] = [str(HERE), str(FLEET)]

from pyspark.sql import SparkSession  # noqa: E402

import rehome_fleet  # noqa: E402
from families import ORACLES, Alone, make_family  # noqa: E402
from fleet.canonical import Canonical  # noqa: E402
from fleet.catalogues import EXACT_LAYOUTS, ROW_SENDERS  # noqa: E402
from fleet.lake import Lake  # noqa: E402
from fleet.landing import Landing  # noqa: E402
from fleet.places import Unit  # noqa: E402
from fleet.records import NOT_REACHED, STORE, UNIT, Record  # noqa: E402
from fleet.stores import with_devices  # noqa: E402
from random_devices import Device  # noqa: E402
from test_belongings import (  # noqa: E402
    Maker, devices_are_those_that_backups_tell, make_backup, tasks_have_what_the_tool_takes)
from test_places import places_are_listed_and_copied_as_they_must  # noqa: E402
from test_queries import queries_of_the_page_have_answers  # noqa: E402
from test_search import containers_are_told_however_their_reading_ends  # noqa: E402
from test_spelling import values_are_compared_and_told_as_the_tool_has_them  # noqa: E402

DAMAGED = {"cut.sqlite": 3000, "head.sqlite": 100}


class Fleet:
    """The job, in this process."""

    def __init__(self, spark: SparkSession, program: Path, folder: Path) -> None:
        self.spark = spark
        self.program = program
        self.folder = folder
        self.alone = Alone(program)

    def run(self, *arguments: object) -> None:
        """Runs the job as its command line would."""
        options = rehome_fleet.arguments(["--rehome", str(self.program), *map(str, arguments)])
        code = rehome_fleet.run(self.spark, options)
        assert code == 0, f"exit code {code}"

    def rows(self, lake: Path, query: str) -> list[tuple]:
        """What a query on the stores of a lake tells."""
        self.spark.read.parquet(str(lake / "stores")).createOrReplaceTempView("stores")
        return [tuple(row) for row in self.spark.sql(query).collect()]


def families_merge_as_convert_merges_them(fleet: Fleet, count: int, seed: int) -> None:
    for number in range(seed, seed + count):
        place = fleet.folder / f"family-{number}"
        stores = make_family(place / "in", str(number), 1 + number % 8)
        merged = fleet.alone.merged(stores, place / "merged.rehome")
        # To Spark its name could be a pattern.
        lake = place / f"l[a-k]*{{{number},e}}\\e?"
        fleet.run(place / "in", "--lake", lake, "--to-bundle", place / "bundle")
        found, wanted = fleet.alone.hash(place / "bundle"), fleet.alone.hash(merged)
        assert found == wanted, f"family {number}: {found} in place of {wanted}"
        export = fleet.alone.bundle(merged, place / "export")
        for file in sorted(export.glob("*.ndjson")):
            # The order of rejects is no promise, and neither are their numbers.
            if file.name != "rejects.ndjson":
                own = (place / "bundle" / file.name).read_bytes()
                assert own == file.read_bytes(), f"family {number}: {file.name}"
        wanted = notes_of_columns(export, stores)
        assert notes_of_columns(place / "bundle", stores) == wanted, f"family {number}"
        shutil.rmtree(place)


def no_names_or_values_of_a_store_end_the_job(fleet: Fleet) -> None:
    lake = Lake(fleet.spark, str(fleet.folder / "names"), Landing(fleet.spark, "nowhere"))
    names = ["_source", "_source_2", "key", "cells", "at", "at_TEXT", "A.b`", "\u00e4", "\u00c4", "\n"]
    table = {"name": "Item", "sourceName": "Item", "sourceTable": "Item", "columns": [
        {"name": name, "type": "timestamp" if name == "at" else "text"} for name in names]}
    moment = "2016-10-01T09:15:30.100200300Z"
    cells = [moment if name == "at" else f"value {place}" for place, name in enumerate(names)]
    lake.write_table(0, table, fleet.spark.createDataFrame(
        [(0, 7, 3, cells)], "united int, key bigint, source int, cells array<string>"))
    empty = {**table, "columns": []}
    told = lake.catalogue(SimpleNamespace(tables=[table, empty])).collect()
    written = lake.read("tables/Item")
    assert [row.column for row in told] == [
        name for name in written.columns if name not in ("_pk", "_source", "at_text_2")] + [None]
    (row,) = written.drop("at").collect()
    assert row.asDict() == {
        "_pk": 7, "_source": 3, "_source_2": "value 0", "_source_2_2": "value 1", "key": "value 2",
        "cells": "value 3", "at_text_2": moment, "at_TEXT": "value 5", "A.b`": "value 6",
        "\u00e4": "value 7", "\u00c4": "value 8", "\n": "value 9"}, row
    for codes, by in ((["a", None], ["code"]), (["a" * 300], []), (["a", ""], []), (["../a"], []),
                      (["__HIVE_DEFAULT_PARTITION__"], [])):
        frame = fleet.spark.createDataFrame([(code,) for code in codes], "code string")
        assert Lake.partitions(frame, "code") == by, codes


def places_that_the_lake_takes_are_refused(fleet: Fleet) -> None:
    lake = fleet.folder / "taking"
    store = lake / "stores" / "x.db"
    store.parent.mkdir(parents=True)
    shutil.copy(SAMPLES / "dotnet-2019" / "localstore.db", store)
    # A folder of others that is called so is not taken either.
    for place in (lake, lake / "stores", store, fleet.folder / "elsewhere"):
        options = rehome_fleet.arguments([str(place), "--lake", f"file://{lake}"])
        assert rehome_fleet.run(fleet.spark, options) == 64, place
    assert store.exists()
    tried = Lake(fleet.spark, str(lake), Landing(fleet.spark, str(lake)))
    for name, is_of_others in (("mine", True), ("0" * 32, False)):
        (lake / "state" / name).mkdir(parents=True)
        assert tried.is_of_others() == is_of_others, name
    # The first wave of a driver that was killed is no folder of others.
    begun = Landing(fleet.spark, str(fleet.folder / "begun"))
    (fleet.folder / "begun" / "readings" / "wave=0000000000009-00000000").mkdir(parents=True)
    assert not Lake(fleet.spark, str(fleet.folder / "begun"), begun).is_of_others()


def what_was_not_come_to_stays(fleet: Fleet) -> None:
    landing = Landing(fleet.spark, str(fleet.folder / "partial"))
    waves = []
    for stores, is_whole, wanted, left in (
            ("abc", True, "abc", {}), ("ab", True, "ab", {"c": 1}),
            # What had gone before does not come back.
            ("a", False, "ab.", {"c": 1}), ("bd", False, "abd.", {"c": 1}),
            ("d", True, "d", {"a": 4, "b": 4, "c": 1}), ("d", True, "d", {"a": 4, "b": 4, "c": 1})):
        waves.append(landing.write([Unit("u", ())], reader(stores, is_whole)))
        found = [row.store.removeprefix("u!") for row in landing.stores().collect()]
        assert "".join(sorted(found)) == "".join(sorted(wanted)), (stores, found)
        gone = {row.path.removeprefix("u!"): waves.index(row.wave)
                for row in landing.gone().collect()}
        assert gone == left, (stores, gone)
    assert landing.written == waves


def reader(stores: str, is_whole: bool) -> Callable[[Iterator[Unit]], Iterator[Record]]:
    """What reads some stores in a unit, and may not come to its end."""
    def records(units: Iterator[Unit]) -> Iterator[Record]:
        for unit in units:
            for name in stores if is_whole else [*stores, "."]:
                facts = {"status": "killed" if name == "." else "ok", "container": unit.name}
                if name == ".":
                    facts[NOT_REACHED] = True
                yield Record(STORE, unit.name, f"{unit.name}!{name}", cells=[json.dumps(facts)])
            yield Record(UNIT, unit.name, cells=["mark"])
    return records


def notes_of_columns(bundle: Path, stores: list[Path]) -> set[tuple[str, str]]:
    """What an export tells of columns that are not the same everywhere, and of names that gave way,
    whatever it calls a store.
    """
    found = set()
    for finding in json.loads((bundle / "manifest.json").read_text())["findings"]:
        if finding["code"] in ("column-types-differ", "name-changed"):
            message = finding["message"]
            for store in stores:
                message = message.replace(str(store), store.name)
            found.add((finding["table"], message))
    return found


def stores_are_told_as_convert_tells_them(fleet: Fleet) -> None:
    place = fleet.folder / "told"
    make_told_stores(fleet, place / "in")
    merged = fleet.alone.merged([place / "in"], place / "merged.rehome", "--skip-unreadable")
    fleet.run(place / "in", "--lake", place / "lake", "--to-bundle", place / "bundle")
    export = fleet.alone.bundle(merged, place / "export")
    for name in ("operations", "deviceItems", "Post"):
        wanted = (export / f"{name}.ndjson").read_bytes()
        own = (place / "bundle" / f"{name}.ndjson").read_bytes()
        expect_lines(own.decode(), wanted.decode())
    found, wanted = (told(folder / "manifest.json") for folder in (place / "bundle", export))
    expect_lines(*(json.dumps(facts, indent=1, sort_keys=True) for facts in (found, wanted)))
    messages = fleet.rows(place / "lake", "SELECT message FROM stores WHERE message IS NOT NULL"
                                          " ORDER BY path")
    assert messages == [
        ("the file is cut off: 3000 of 45056 bytes are here",),
        ("manifest.json: line 1, column 12: document ends early (at byte 11)",),
        ("not a SQLite database",)], messages
    shutil.rmtree(place)


def expect_lines(found: str, wanted: str) -> None:
    """Fails where two texts differ, with the lines that do."""
    lines = difflib.unified_diff(wanted.splitlines(), found.splitlines(), "wanted", "found")
    assert found == wanted, "\n".join(lines)


def make_told_stores(fleet: Fleet, place: Path) -> None:
    """Stores that send rows, come twice and have no model, and beside them what is damaged."""
    paths = [place / f"n!{number}.db" for number in range(1, 6)]
    packed = place.parent / "packed"
    for folder in (place, packed):
        folder.mkdir(parents=True)
    shutil.copy(SAMPLES / "amplify-ios-2024" / "TodoApp.db", paths[0])
    shutil.copy(SAMPLES / "amplify-ios-2024" / "TodoApp.db", paths[1])
    # One sends a row with less in its payload, which gives way to that of the other.
    change(paths[0], "UPDATE MutationEvent SET json = json_remove(json, '$.rating', '$.tags')")
    change(paths[1], "DELETE FROM MutationEvent", "UPDATE Post SET rating = 99",
           "UPDATE MutationSyncMetadata SET lastChangedAt = lastChangedAt + 1, version = 9")
    shutil.copy(paths[1], packed / "n.db")
    shutil.make_archive(str(packed / "in!ner"), "tar", packed, "n.db")
    paths[2] = Path(shutil.make_archive(str(place / "n!3"), "zip", packed, "in!ner.tar"))
    fleet.alone.merged([paths[1]], paths[3])
    shutil.copy(SAMPLES / "ios-2016" / "qstodoitem.sqlite", paths[4])
    change(paths[4], "DROP TABLE Z_MODELCACHE")
    # What its column is for no value tells.
    paths.append(place / "n!55.db")
    change(paths[5], "CREATE TABLE Extra (id TEXT PRIMARY KEY, note)",
           "INSERT INTO Extra VALUES ('a', NULL)")
    whole = (SAMPLES / "ios-2016" / "qstodoitem.sqlite").read_bytes()
    (place / "n!6.db").write_bytes(whole[:3000])
    (place / "n!7").mkdir()
    (place / "n!7" / "manifest.json").write_text('{"rehome": ')
    # A queue in files, with what the server has called its objects, comes twice.
    Maker(place / "n!8", random.Random(1)).queue_in_files()
    shutil.copytree(place / "n!8", place / "n!9")
    # What is only called as a database is no store that is left out.
    (place / "n!91.db").write_bytes(b"\xd0\xcf\x11\xe0 thumbs")


def change(path: Path, *statements: str) -> None:
    """Changes a database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)


def told(manifest: Path) -> tuple:
    """What a manifest tells of the sources and columns of an export, of sources that come twice,
    and of those that are left out.
    """
    facts = json.loads(manifest.read_text())
    names = ("name", "layout", "generation", "metadata", "files", "nameOrigin")
    devices = [{name: device[name] for name in names}
               for source in facts["sources"] for device in source["devices"]]
    findings = [finding for finding in facts["findings"]
                if finding["code"] in ("source-given-twice", "store-left-out")]
    for finding in findings:
        # A file in what a place is belongs to the message there, and to the name here.
        finding["message"] = finding["message"].replace(
            "/manifest.json cannot be read and was left out:",
            " cannot be read and was left out: manifest.json:")
    columns = [(table["name"], table["columns"]) for table in facts["tables"]]
    return facts["nameOrigin"], devices, findings, columns


def units_that_become_others_leave_no_rows(fleet: Fleet) -> None:
    place, lake = fleet.folder / "becoming" / "in", fleet.folder / "becoming" / "lake"
    backup, gone = place / "backup", place / "gone.db"
    records = make_backup(backup, "Documents/q.db")
    (body,) = backup.glob("??/*")
    shutil.copy(body, gone)
    shutil.move(records, place.parent)
    assert stores_read(fleet, place, lake) == (2, {str(body), str(gone)})
    # The rest of a backup comes: its folder is one unit now. What is gone from its place stays.
    gone.unlink()
    (backup / "Info.plist").write_bytes(plistlib.dumps({"Device Name": "A phone"}))
    shutil.move(place.parent / records.name, records)
    inside = f"{backup}!AppDomain-com.a/Documents/q.db"
    assert stores_read(fleet, place, lake) == (2, {inside, str(gone)})
    assert stores_read(fleet, place, lake) == (0, {inside, str(gone)})
    # And it goes again; and a folder that is within a place says nothing about what is around it.
    shutil.move(records, place.parent)
    (backup / "Info.plist").unlink()
    assert stores_read(fleet, body.parent, lake) == (1, {inside, str(body), str(gone)})
    assert stores_read(fleet, place, lake) == (1, {str(body), str(gone)})
    shutil.rmtree(place.parent)


def stores_come_once_and_stay(fleet: Fleet) -> None:
    place, lake = fleet.folder / "staying" / "in", fleet.folder / "staying" / "lake"
    first, second = place / "x.sqlite", place / "x.db"
    inner = place / ".x_SUPPORT" / "_EXTERNAL_DATA" / "inner"
    queue = place / "CommandCache"
    Maker(place, random.Random(3)).queue_in_files()
    (queue / "other.db").unlink(missing_ok=True)
    (place / "ParseOfflineStore").unlink(missing_ok=True)
    (queue / "note.txt").write_text("a note")
    inner.parent.mkdir(parents=True)
    for store in (first, inner):
        shutil.copy(SAMPLES / "dotnet-2019" / "localstore.db", store)
    wanted = {str(store) for store in (first, inner, queue)}
    assert stores_read(fleet, place, lake) == (3, wanted)
    # Another one has what lies beside both now; then both are gone; and the queue was sent.
    shutil.copy(first, second)
    wanted.add(str(second))
    assert stores_read(fleet, place, lake) == (2, wanted)
    first.unlink()
    second.unlink()
    for command in queue.glob("Cached*"):
        command.unlink()
    count, found = stores_read(fleet, place, lake)
    assert found == wanted, found
    assert stores_read(fleet, place, lake) == (0, wanted)
    # What cannot be read for the moment takes nothing away, also where nothing else is read.
    assert stores_read(fleet, first, lake) == (1, wanted)
    assert Landing(fleet.spark, str(lake)).gone().count() == 0
    # Of a container that is still there goes what has gone from it, and that is told.
    packed, archive = place.parent / "packed", place.parent / "more" / "packed.zip"
    packed.mkdir()
    for name in ("a.db", "b.db"):
        shutil.copy(SAMPLES / "dotnet-2019" / "localstore.db", packed / name)
    leaving, staying = (f"{archive}!{name}" for name in ("a.db", "b.db"))
    for found in ({leaving, staying}, {staying}):
        shutil.make_archive(str(archive.with_suffix("")), "zip", packed)
        assert stores_read(fleet, archive.parent, lake) == (1, wanted | found)
        (packed / "a.db").unlink(missing_ok=True)
    wanted.add(staying)
    # It is told by the run that read the archive again; a later one does not count it once more.
    archive.touch()
    for place_read in (archive.parent, first):
        with redirect_stderr(io.StringIO()) as said:
            fleet.run(place_read, "--lake", lake)
        assert "not found again" not in said.getvalue(), said.getvalue()
    gone = fleet.spark.read.parquet(f"{lake}/gone").select("path", "container").collect()
    assert [tuple(row) for row in gone] == [(leaving, str(archive))], gone
    assert {path for path, in fleet.rows(lake, "SELECT path FROM stores")} == wanted
    landing = Landing(fleet.spark, str(lake))
    counts = [landing.units_of(wave) for wave in landing.waves()]
    assert sum(counts) == landing.all(UNIT).count(), counts
    assert counts[0] > counts[-1] == 0, counts
    shutil.rmtree(place.parent)


def stores_read(fleet: Fleet, place: Path, lake: Path) -> tuple[int, set[str]]:
    """How many units of a place are read or end, and the stores that a lake has then."""
    options = rehome_fleet.arguments(
        ["--rehome", str(fleet.program), str(place), "--lake", str(lake)])
    landing = Landing(fleet.spark, str(lake))
    ways = rehome_fleet.Ways(fleet.spark, options.lake)
    count = rehome_fleet.read(fleet.spark, landing, ways, options)
    found = [row.store for row in landing.stores().collect()]
    assert len(found) == len(set(found)), f"some come twice: {sorted(found)}"
    return count, set(found)


def devices_are_called_as_find_calls_them(fleet: Fleet) -> None:
    place = fleet.folder / "devices"
    store = SAMPLES / "dotnet-2019" / "localstore.db"
    for name in ("d!1/n!m.db", "d!2/n!m.db", "d!2/b/n.db", "e/packed/a!b/n!m.db",
                 "e/packed/c/n.db"):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(store, place / name)
    # Containers in each other, with marks in their names.
    for inner, name, kind in (("e/packed/a!b", "e/packed/c/in!ner", "tar"),
                              ("e/packed", "e/out!er", "zip")):
        shutil.make_archive(str(place / name), kind, place / inner)
        shutil.rmtree(place / inner)
    for pattern in (None, "devices/{device}/**", "**/{device}/*.db", "d?{device}/*",
                    "!{device}!*", "out!er.zip!{device}/**", "x/{device}"):
        given = [] if pattern is None else ["--device", pattern]
        listed = [json.loads(line) for line in fleet.alone.run(
            "find", "-q", "--json", "--fail-on", "never", *given, place).splitlines()]
        archive = str(place / "e" / "out!er.zip")
        rows = [(archive, told["store"], told["container"], None, "")
                if told["store"].startswith(archive) else
                (told["store"], told["store"], None, None, "") for told in listed]
        frame = fleet.spark.createDataFrame(
            rows, "unit string, store string, container string, device string, catalogue string")
        found = {row.store: row.device for row in with_devices(frame, pattern).collect()}
        wanted = {told["store"]: told["device"] for told in listed}
        assert found == wanted, f"{pattern}: {found} in place of {wanted}"
    shutil.rmtree(place)


def layouts_are_as_the_tool_knows_them(fleet: Fleet) -> None:
    words = [path.read_text() for path in (SAMPLES.parent / "Sources").rglob("*.swift")]
    layouts = sorted(set(re.findall(r'Layout\(named: "([^"]+)"\)', "".join(words))))
    assert set(ROW_SENDERS) <= set(layouts) and set(EXACT_LAYOUTS) <= set(layouts), layouts
    place = fleet.folder / "layouts"
    place.mkdir()
    for layout in layouts:
        stores = [make_store_of(layout, place / f"{layout}-{table}.rehome", table)
                  for table in ("Item", "ITEM")]
        merged = Canonical(fleet.alone.merged(stores, place / f"{layout}.rehome"))
        sends = any(item[2] for item in merged.sent_items(merged.sequences()).values())
        assert Canonical(stores[0]).sends_rows() == sends, f"{layout} sends rows: {sends}"
        is_exact = len(merged.tables) == 2
        assert (layout in EXACT_LAYOUTS) == is_exact, f"to {layout} letter case counts: {is_exact}"


def make_store_of(layout: str, path: Path, table: str) -> Path:
    """A store with a row, and an operation on it that has kept a payload."""
    device = Device(path, random.Random(0))
    device.make(table, [("id", "text", "id", None), ("n", "integer", "value", None)])
    device.add(table, 1, ["a", 7])
    device.database.execute("UPDATE rehome_source SET layout = ?", (layout,))
    device.database.execute(
        "INSERT INTO rehome_operation (sequence, source, \"table\", itemId, kind, state, item,"
        " rowKey, raw) VALUES (1, 1, ?, 'a', 'update', 'pending', '{\"id\":\"a\"}', 1,"
        " '{\"id\":\"a\"}')", (table,))
    device.finish()
    return path


def mistakes_on_the_command_line_are_told_at_once() -> None:
    for wrong in (["--device", "shelf"], ["--wave", "0"], ["--timeout", "x"]):
        try:
            with redirect_stderr(io.StringIO()):
                rehome_fleet.arguments(["shelf", "--lake", "lake", *wrong])
            raise AssertionError(f"{wrong} are taken")
        except SystemExit as end:
            assert end.code == 64, f"{wrong}: {end.code}"


def make_shelf(place: Path) -> Path:
    """The samples, and beside them what is damaged, empty, foreign or packed."""
    shelf = place / "shelf"
    for sample in SAMPLES.iterdir():
        if sample.is_dir() and (sample / "expected").is_dir():
            shutil.copytree(sample, shelf / sample.name, ignore=shutil.ignore_patterns("expected"))
    whole = (SAMPLES / "ios-2016" / "qstodoitem.sqlite").read_bytes()
    bad = shelf / "damaged"
    bad.mkdir()
    for name, size in DAMAGED.items():
        (bad / name).write_bytes(whole[:size])
    (bad / "empty.sqlite").touch()
    (bad / "noise.db").write_bytes(bytes(range(256)) * 40)
    (bad / "note.txt").write_text("no store")
    for name in ("endless", "crashing", "large"):
        (bad / f"{name}.sqlite").write_bytes(whole)
    shutil.make_archive(str(shelf / "packed"), "zip", SAMPLES / "dotnet-2019")
    return shelf


def make_poisoned(fleet: Fleet) -> Path:
    """The tool, but for stores that it never ends with, dies of, or fills the disk with."""
    program = fleet.folder / "poisoned"
    program.write_text(f"""#!/bin/sh
case "$*" in
  *convert*endless*) sleep 600 ;;
  *convert*crashing*) kill -SEGV $$ ;;
  *convert*large*) exec head -c 100000000 /dev/zero > more ;;
esac
exec '{fleet.program}' "$@"
""")
    program.chmod(0o755)
    return program


def each_store_has_one_row_however_it_ends(fleet: Fleet) -> None:
    shelf, lake = make_shelf(fleet.folder), fleet.folder / "lake"
    poisoned = make_poisoned(fleet)
    limits = ["--timeout", "4", "--max-output", "50000000"]
    fleet.run(shelf, "--lake", lake, "--device", "shelf/{device}/**", "--rehome", poisoned, *limits,
              "--to-bundle", fleet.folder / "bundle")
    found = dict(fleet.rows(lake, "SELECT path, status FROM stores"))
    wanted = {str(path): "unreadable" for path in (shelf / "damaged").iterdir()
              if path.suffix != ".txt"}
    wanted[str(shelf / "damaged" / "endless.sqlite")] = "timed-out"
    wanted[str(shelf / "damaged" / "crashing.sqlite")] = "killed"
    wanted[str(shelf / "damaged" / "large.sqlite")] = "killed"
    good = {path for path, status in found.items() if status in ("ok", "findings")}
    assert found == {**{path: found[path] for path in good}, **wanted}, found
    inside = {path for path in good if "!" in path}
    assert inside == {f"{shelf}/packed.zip!localstore.db"}, inside
    names = {sample.name for sample in shelf.iterdir()} - {"damaged"}
    devices = {row[0] for row in fleet.rows(lake, "SELECT device FROM stores")} - {None}
    assert devices - {"damaged"} == names, devices
    assert fleet.rows(lake, "SELECT count(*), count(DISTINCT path) FROM stores")[0] == (
        len(found), len(found))
    queries_of_the_page_have_answers(fleet.spark, lake)
    lake_loads_into_postgresql(fleet, fleet.folder / "bundle")
    second_run_reads_only_what_changed(fleet, shelf, lake, poisoned)


def lake_loads_into_postgresql(fleet: Fleet, bundle: Path) -> None:
    if not Path("/usr/lib/postgresql").is_dir():
        print("skipped: postgresql is not installed")
        return
    # The server's own user must get there.
    fleet.folder.chmod(0o755)
    folder, script = fleet.folder / "server", fleet.folder / "script.sql"
    fleet.alone.run("export", "-q", bundle, "--to", "postgresql", "-o", script)
    fleet.alone.run("seed", "-q", bundle, "-o", fleet.folder / "seeded.rehome")
    server = [sys.executable, str(ORACLES / "postgresql_server.py")]
    subprocess.run([*server, "start", str(folder)], check=True)
    try:
        psql = ["-h", str(folder), "-U", "postgres"]
        subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", *psql, "-f", str(script)],
                       check=True)
        check = [sys.executable, "-B", str(ORACLES / "check_postgresql.py"),
                 str(fleet.folder / "seeded.rehome"), "rehome", *psql]
        subprocess.run(check, check=True)
    finally:
        subprocess.run([*server, "stop", str(folder)], check=True)


def second_run_reads_only_what_changed(
    fleet: Fleet, shelf: Path, lake: Path, poisoned: Path
) -> None:
    waves = sorted((lake / "readings").iterdir())
    before = fleet.rows(lake, "SELECT * FROM stores ORDER BY path")
    # What could not be read is not tried again unasked: a program that is gone does not matter.
    fleet.run(shelf, "--lake", lake, "--device", "shelf/{device}/**", "--rehome", "/nowhere")
    assert sorted((lake / "readings").iterdir()) == waves
    assert fleet.rows(lake, "SELECT * FROM stores ORDER BY path") == before
    shutil.copy(SAMPLES / "ios-2014" / "qstodoitem.sqlite", shelf / "damaged" / "cut.sqlite")
    shutil.copytree(SAMPLES / "ios-2014", shelf / "zz-new",
                    ignore=shutil.ignore_patterns("expected", "*.md"))
    fleet.run(shelf, "--lake", lake, "--device", "shelf/{device}/**", "--rehome", poisoned)
    (wave,) = set((lake / "readings").iterdir()) - set(waves)
    units = fleet.spark.read.parquet(str(wave / "kind=unit")).collect()
    assert {row.unit for row in units} == {
        str(shelf / "damaged" / "cut.sqlite"), str(shelf / "zz-new" / "qstodoitem.sqlite")}
    after = dict(fleet.rows(lake, "SELECT path, status FROM stores"))
    assert len(after) == len(before) + 1 and after[str(shelf / "damaged" / "cut.sqlite")] == "ok"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="what takes little time only")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="fleet-test-"))
    spark = rehome_fleet.session()
    try:
        fleet = Fleet(spark, Path(os.environ["REHOME"]).resolve(), folder)
        mistakes_on_the_command_line_are_told_at_once()
        layouts_are_as_the_tool_knows_them(fleet)
        devices_are_those_that_backups_tell(fleet.program, folder)
        places_are_listed_and_copied_as_they_must(fleet.program)
        containers_are_told_however_their_reading_ends(fleet.program)
        values_are_compared_and_told_as_the_tool_has_them(fleet.program)
        no_names_or_values_of_a_store_end_the_job(fleet)
        places_that_the_lake_takes_are_refused(fleet)
        what_was_not_come_to_stays(fleet)
        tasks_have_what_the_tool_takes(
            fleet.program, folder, 1 if options.quick else 5, options.seed)
        families_merge_as_convert_merges_them(fleet, options.families, options.seed)
        if not options.quick:
            stores_are_told_as_convert_tells_them(fleet)
            units_that_become_others_leave_no_rows(fleet)
            stores_come_once_and_stay(fleet)
            devices_are_called_as_find_calls_them(fleet)
            each_store_has_one_row_however_it_ends(fleet)
    finally:
        spark.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print("the fleet does what it must")
    return 0


if __name__ == "__main__":
    sys.exit(main())
