"""Which units places have, how they follow each other, and what is copied; needs no Spark.

Most of it asks about names in memory, so that a folder can be what no disk has.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent)]

from fleet.belongings import Folders  # noqa: E402
from fleet.child import NO_ROOM, Limits, Tool  # noqa: E402
from fleet.files import Entry, HadoopFiles, LocalFiles, is_local  # noqa: E402
from fleet.landing import Landing  # noqa: E402
from fleet.places import Unit, UnitFile, units_of_entry, units_of_place  # noqa: E402
from fleet.reading import Reading  # noqa: E402
from fleet.records import NOT_REACHED, QUEUE, STORE, UNIT  # noqa: E402
from fleet.search import Search  # noqa: E402
from fleet.spool import Spool, SpoolTrouble  # noqa: E402
from fleet.succession import Succession, was_queue  # noqa: E402

STORE_FILE = SAMPLES / "dotnet-2019" / "localstore.db"
COMMANDS = [f"CachedCommand_{number:016x}_00000001_1234" for number in range(3)]
EXTERNAL = ".x_SUPPORT/_EXTERNAL_DATA/inner"


class Names(LocalFiles):
    """Files of which there are only the names; it counts how often a folder is listed."""

    def __init__(self, *names: str, root: str = "/p/", is_backward: bool = False) -> None:
        self.root = root
        self.names = sorted(names, reverse=is_backward)
        self.listings: Counter[str] = Counter()

    def entry(self, path: str) -> Entry:
        inside = path.removeprefix(self.root)
        return Entry(path, os.path.basename(path), inside not in self.names, 1, 1)

    def listed(self, folder: str) -> list[Entry]:
        self.listings[folder] += 1
        start = folder.rstrip("/") + "/"
        below = [(self.root + name)[len(start):] for name in self.names
                 if (self.root + name).startswith(start)]
        first = dict.fromkeys((name.partition("/")[0], "/" in name) for name in below)
        return [Entry(start + name, name, is_folder, 1, 1) for name, is_folder in first]

    def shown(self, path: str) -> str:
        return path

    def units(self, place: str | None = None) -> dict[str, Unit]:
        """The units of a place by the names that they have in it."""
        return {unit.name.removeprefix(self.root): unit
                for unit in units_of_place(self, place or self.root)}


def ended(files: Names, known: list[str], queues: list[str] | None = None) -> list[str]:
    """The known units that have ended when these files are there."""
    own = [files.root + name for name in known]
    succession = Succession(set(own), {files.root + name for name in queues or []})
    for unit in files.units().values():
        succession.note(unit, files, files.root)
    return [name.removeprefix(files.root) for name in succession.ended()]


# Who follows whom.

def what_is_merely_gone_stays() -> None:
    queue = "q/CommandCache"
    note = f"{queue}/note.txt"
    # A queue was sent, wholly or in part; what lies beside its commands says nothing of it.
    assert ended(Names(note), [queue, note], [queue]) == []
    assert ended(Names(note, f"{queue}/{COMMANDS[0]}"), [queue, note], [queue]) == []
    # Of a folder that is a whole its files end what they were, and those of others do not.
    whole = ["b/Manifest.db", "b/Info.plist", "b/there.db", f"b/app/{COMMANDS[0]}"]
    known = ["b/there.db", "b/gone.db", "b/app", "b/sent", "b/inner"]
    assert ended(Names(*whole), known, ["b/app", "b/sent"]) == ["b/app", "b/there.db"]
    assert ended(Names(*whole, "b/inner/file"), known, ["b/app", "b/sent"]) == [
        "b/app", "b/inner", "b/there.db"]
    # The same the other way round, and for what belongs to another file now.
    assert ended(Names("b/app/there.db"), ["b", "b/app", "b/other"]) == ["b", "b/app"]
    assert ended(Names("x.sqlite", EXTERNAL), [EXTERNAL]) == [EXTERNAL]


def places_end_units_whatever_their_addresses_lack() -> None:
    for place, root in (("s3a://b/", "s3a://b/"), ("s3a://b", "s3a://b/"), ("/", "/"),
                        ("/p", "/p/"), ("hdfs:///p", "hdfs://n:8020/p/")):
        files = Names("backup/aa/body", root=root)
        whole = root if place.endswith("/") else root[:-1]
        succession = Succession({root + "backup", whole, "/elsewhere"}, set())
        for unit in units_of_entry(Folders(files), place, files.entry(whole)):
            succession.note(unit, files, whole)
        assert succession.ended() == [whole, root + "backup"], (place, succession.ended())


def old_lakes_tell_queues_by_their_names() -> None:
    for name in ("q/CommandCache", "q/Command Cache"):
        assert was_queue(name, QUEUE) and was_queue(name, None), name
        queues = [name] if was_queue(name, None) else []
        assert ended(Names(f"{name}/note.txt"), [name], queues) == [], name
    assert was_queue("q/sent", QUEUE) and not was_queue("q/backup", None)


def names_may_be_any_bytes(program: Path, folder: Path) -> None:
    for name in (b"caf\xe9.sqlite", "caf\u00e9.sqlite".encode(), b"d\xe9/x.sqlite"):
        path = Path(os.fsdecode(os.path.join(os.fsencode(folder), name)))
        path.parent.mkdir(exist_ok=True)
        shutil.copy(STORE_FILE, path)
    before = {unit.name for unit in units_of_place(LocalFiles(), str(folder))}
    (folder / "Manifest.mbdb").touch()
    succession = Succession(before, set())
    (backup,) = units_of_place(LocalFiles(), str(folder))
    succession.note(backup, LocalFiles(), str(folder))
    assert len(before) == 3 and succession.ended() == sorted(before), (before, succession.ended())


# What places are.

def addresses_are_paths_as_they_are() -> None:
    for address, path in (
            ("file:///a#b?c", "/a#b?c"), ("file:/a%25b", "/a%25b"), ("file:///a%20b [c", "/a%20b [c"),
            ("file://host/a", "/a"), ("file:////a/b", "/a/b"), ("file://", "/"), ("file:a", "a"),
            ("FILE:///a", "/a"), ("/a/file:///b", "/a/file:///b"), ("a#b?c%25", "a#b?c%25")):
        assert is_local(address) and LocalFiles.plain(address) == path, address
    for address in ("s3a://[b/x", "hdfs:///x", "hdfs:/x", "abfss://c@a.net/x?y"):
        assert not is_local(address), address


def what_is_in_the_lake_is_of_no_place(_: Path, folder: Path) -> None:
    (folder / "link").symlink_to(folder / "in")
    for name in ("a.db", "lake/a.db", "inner/lake/b.db", "lake2/c.db"):
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(STORE_FILE, folder / "in" / name)
    for lake in ("in/lake", "link/lake", "in/inner/../lake/"):
        for lake in (f"{folder}/{lake}", f"file://{folder}/{lake}"):
            folders = Folders(LocalFiles(), lake)
            place = str(folder / "in")
            found = {unit.name.removeprefix(f"{place}/")
                     for unit in units_of_entry(folders, place, folders.files.entry(place))}
            assert found == {"a.db", "inner/lake/b.db", "lake2/c.db"}, (lake, found)
            for place, inside in (("in", None), ("in/lake", ""), ("link/lake/stores/x", "stores/x"),
                                  ("in/lake2", None)):
                assert folders.inside_lake(f"{folder}/{place}") == inside, place
    assert Folders(LocalFiles(), "/").inside_lake("/stores") == "stores"
    assert Folders(LocalFiles()).inside_lake("/stores") is None


# What a fingerprint tells.

def fingerprint(files: Names, name: str) -> str:
    return files.units()[name].fingerprint


def what_is_read_otherwise_has_another_fingerprint() -> None:
    alone, both = Names("x.sqlite", EXTERNAL), Names("x.sqlite", "x.db", EXTERNAL)
    assert fingerprint(alone, "x.sqlite") != fingerprint(both, "x.sqlite")
    # What was read rightly before is not read again; what may lack something is.
    for names, is_plain in ((["x"], True), (["x", "x-wal"], True), (["x", EXTERNAL], False)):
        facts = "\0\0".join(f"{name}\0{1}\0{1}" for name in names)
        plain = hashlib.sha256(facts.encode()).hexdigest()
        assert (fingerprint(Names(*names), "x") == plain) == is_plain, names


def what_is_read_alike_has_one_fingerprint() -> None:
    names = ["a.db", "a.db-journal", "a.db-mj0A1B2C9D3", "a.db-mj0A1B2C9D4"]
    assert fingerprint(Names(*names), "a.db") == fingerprint(Names(*names, is_backward=True), "a.db")
    queues = [Names("a.db", *(f"CommandCache/{name}" for name in commands))
              for commands in (COMMANDS, COMMANDS[1:], [])]
    sent = [fingerprint(files, "a.db") for files in queues]
    assert sent[0] == sent[1] != sent[2], sent


# What it costs.

def large_folders_cost_no_more_than_small_ones() -> None:
    names = [f"{number}.db" for number in range(100)]
    blobs = [f"attachments/{number:040X}.blob" for number in range(100)]
    assert sum(len(unit.files) for unit in Names(*names, *blobs).units().values()) == 200
    files = Names(*names, *blobs)
    folders = Folders(files)
    for name in names:
        path = files.root + name
        (unit,) = units_of_entry(folders, path, files.entry(path))
        assert unit.is_named and len(unit.files) == 1
    assert set(files.listings.values()) == {1}, files.listings
    inside = [f"{number}.cblite2/db.sqlite3" for number in range(100)]
    files = Names(*inside)
    folders = Folders(files)
    for name in inside:
        list(units_of_entry(folders, name, files.entry(files.root + name)))
    assert set(files.listings.values()) == {1}, files.listings
    files = Names("LocalId/local_1", *(f"D{number}/a.db" for number in range(100)))
    files.units()
    assert set(files.listings.values()) == {1}, files.listings


# What is copied.

def files_come_under_one_name_each() -> None:
    names = ["a.db-mj0A1B2C9D3", "a.db-mj0A1B2C9D3-journal", *(
        "a" + "".join(endings) for count in range(3) for endings in itertools.product(
            ["-wal", "-journal", ".gz", ".GZ", ".sqlite"], repeat=count))]
    chance = random.Random(1)
    for _ in range(2000):
        sample = chance.sample(names, chance.randrange(2, 8))
        for unit in Names(*sample).units().values():
            found = Counter(file.inside for file in unit.files)
            assert set(found.values()) == {1}, (sample, found)


def links_may_be_called_as_what_they_lead_to_has_it(program: Path, folder: Path) -> None:
    for name in ("b", "b-wal", "links/b-wal"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).symlink_to(folder / "b") if "/" in name else shutil.copy(
            STORE_FILE, folder / name)
    spool = Spool({}, Limits.copy)
    (unit,) = units_of_place(LocalFiles(), str(folder / "links/b-wal"))
    with spool.copied(unit) as copy:
        (copy / "work").mkdir()
        (found,) = Search(Tool(str(program), Limits()), spool).found(unit, copy)
        assert found.path and found.path.read_bytes() == STORE_FILE.read_bytes(), found
        assert found.path.is_symlink()


class VanishingFiles(Spool):
    """Copies, while files go meanwhile."""

    def __init__(self, *gone: str) -> None:
        super().__init__({}, Limits.copy)
        self.gone = gone

    def files(self, path: str) -> LocalFiles:
        if path.endswith(self.gone):
            raise FileNotFoundError(path)
        return LocalFiles()


def what_goes_meanwhile_costs_no_store(program: Path, folder: Path) -> None:
    for name in ("x.sqlite", "x.sqlite-wal", EXTERNAL, f"q/{COMMANDS[0]}", f"q/{COMMANDS[1]}",
                 f"ids/q/{COMMANDS[0]}", "ids/LocalId/local_0000000000000001"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(STORE_FILE, folder / name) if name == "x.sqlite" else (
            folder / name).write_text('{"httpPath":"classes/A","httpMethod":"POST"}')
    (folder / "x.sqlite-wal").write_bytes(b"")
    (folder / "cut").mkdir()
    for name, content in ((COMMANDS[0], ""), ("CachedCommand_0000000000000009_0000000a_1", "{}")):
        (folder / "cut" / name).write_text(content)
    units = {unit.name.removeprefix(f"{folder}/"): unit
             for unit in units_of_place(LocalFiles(), str(folder))}
    # Of what goes, how many stores are told of a new unit and a known one, and with which mark.
    told = [("x.sqlite", "inner", (1, True, False), (1, True, False)),
            ("x.sqlite", "nothing", (1, True, True), (1, True, True)),
            ("x.sqlite", "-wal", (1, True, False), (0, False, False)),
            ("x.sqlite", "x.sqlite", (1, True, False), (0, False, False)),
            ("q", COMMANDS[0], (1, True, False), (1, True, False)),
            ("q", "1234", (1, True, False), (0, False, False)),
            # What the server has called its objects is no queue.
            ("ids/q", "1234", (1, True, False), (0, False, False)),
            ("ids/q", "0001", (1, True, False), (1, True, False)),
            ("cut", "_1", (0, True, False), (0, False, False))]
    for name, gone, new, known in told:
        unit = units[name]
        for is_known, wanted in ((False, new), (True, known)):
            reading = Reading(Tool(str(program), Limits()), VanishingFiles(gone), Limits(), 500)
            records = list(reading.of_unit(replace(unit, is_known=is_known)))
            marks = [record.cells for record in records if record.kind == UNIT]
            count = sum(record.kind == STORE for record in records)
            found = count, bool(marks), bool(marks and marks[0][0])
            assert found == wanted, (name, gone, is_known, found)
            assert not marks or (marks[0][1:] == [QUEUE]) == (name != "x.sqlite")


class ChangingFiles(LocalFiles):
    """Files of which one changes when a part of a unit has been copied."""

    def __init__(self, changed: Path, after: str, content: bytes) -> None:
        self.changed = changed
        self.after = after
        self.content = content

    def copy(self, path: str, size: int, target: Path) -> None:
        super().copy(path, size, target)
        if path.endswith(self.after):
            self.changed.write_bytes(self.content)


class ChangingSpool(Spool):
    """Copies from files that change."""

    def __init__(self, files: LocalFiles) -> None:
        super().__init__({}, Limits.copy)
        self.own = files

    def files(self, path: str) -> LocalFiles:
        return self.own


def what_changes_meanwhile_takes_nothing(program: Path, folder: Path) -> None:
    place = folder / "in"
    main, log = place / "x.sqlite", place / "x.sqlite-wal"
    whole = STORE_FILE.read_bytes()
    place.mkdir()

    def told(files: LocalFiles, is_grown: bool = False) -> list[tuple[int, bool, bool]]:
        found = []
        for is_known in (False, True):
            main.write_bytes(whole)
            log.write_bytes(b"")
            (unit,) = units_of_place(LocalFiles(), str(place))
            if is_grown:
                main.write_bytes(whole + bytes(20_000))
            reading = Reading(Tool(str(program), Limits()), ChangingSpool(files), Limits(), 500)
            records = list(reading.of_unit(replace(unit, is_known=is_known)))
            marks = [record.cells[0] for record in records if record.kind == UNIT]
            found.append((len([record for record in records if record.kind == STORE]), bool(marks),
                          any(marks)))
        return found

    settled, kept = [(1, True, True)] * 2, [(1, True, False), (0, False, False)]
    assert told(LocalFiles()) == settled
    # It grew behind its listing, or while it was copied; or the log was written back into it.
    assert told(LocalFiles(), is_grown=True) == kept
    for after in ("x.sqlite", "-wal"):
        for content in (whole + bytes(20_000), whole[::-1]):
            assert told(ChangingFiles(main, after, content)) == kept, (after, len(content))


def told_by(
    program: Path, folder: Path, find: str
) -> tuple[tuple[int, bool, bool], tuple[int, bool, bool]]:
    """How many stores are told of an archive, whether the unit is and has a mark, when it is new and
    when it is known; `find` is a shell's way to do what the tool does.
    """
    shutil.make_archive(str(folder / "in" / "packed"), "zip", STORE_FILE.parent, STORE_FILE.name)
    wrapper = folder / "wrapper"
    wrapper.write_text(
        f"#!/bin/sh\ntool='{program}'\ncase $1 in find) {find} ;; esac\nexec \"$tool\" \"$@\"\n")
    wrapper.chmod(0o755)
    (unit,) = units_of_place(LocalFiles(), str(folder / "in"))
    found = []
    for is_known in (False, True):
        reading = Reading(Tool(str(wrapper), Limits()), Spool({}, Limits.copy), Limits(), 500)
        records = list(reading.of_unit(replace(unit, is_known=is_known)))
        marks = [record.cells[0] for record in records if record.kind == UNIT]
        found.append((sum(record.kind == STORE for record in records), bool(marks), any(marks)))
    return found[0], found[1]


def what_passes_while_it_looks_takes_nothing(program: Path, folder: Path) -> None:
    kept, settled = ((1, True, False), (0, False, False)), ((1, True, True), (1, True, True))
    error = """"$tool" "$@" | sed 's/"error":null/"error":{"code":"limit","message":"%s"}/'; exit %d"""
    full = "echo 'rehome: no space left on device' >&2; exit 74"
    for find, wanted in (
            ("", settled), (full, kept), (f'"$tool" "$@"; {full}', ((2, True, False), kept[1])),
            (error % (NO_ROOM, 2), kept), (error % (NO_ROOM, 65), kept),
            # Of a limit that the archive itself passes there is no end.
            (error % ("it holds more than 10 GiB", 2), settled)):
        assert told_by(program, folder, find) == wanted, find
    words = [path.read_text() for path in (SAMPLES.parent / "Sources/Places").glob("*.swift")]
    assert NO_ROOM in "".join(words)


def disks_that_are_full_pass(program: Path, folder: Path) -> None:
    (folder / "noise").write_text("no database" * 100)
    for name, script, is_passing in (
            ("full", "PRAGMA max_page_count = 1; CREATE TABLE t (c)", True),
            ("none/there", "SELECT 1", True), ("noise", "SELECT * FROM sqlite_master", False)):
        reading = Reading(Tool(str(program), Limits()), Spool({}, 1), Limits(), 500)
        try:
            with closing(sqlite3.connect(folder / name)) as database:
                database.executescript(script)
            raise AssertionError(name)
        except sqlite3.Error as error:
            reading.fail(error, {}, str(error))
        assert reading.is_passing == is_passing, name


def what_is_too_large_is_told(program: Path, folder: Path) -> None:
    shutil.copy(STORE_FILE, folder / "x.db")
    (unit,) = units_of_place(LocalFiles(), str(folder / "x.db"))
    reading = Reading(Tool(str(program), Limits()), Spool({}, 1), Limits(), 500)
    told = list(reading.of_unit(replace(unit, is_known=True)))
    assert [record.kind for record in told] == [STORE, UNIT], told
    assert told[1].cells == [unit.fingerprint], told
    # It may be an archive of which more was read before.
    assert json.loads(told[0].cells[0])[NOT_REACHED], told


def later_waves_have_higher_numbers() -> None:
    for last in (0, int(time.time() * 1000) + 7_200_000):
        landing = Landing.__new__(Landing)
        told = [["0000000000009-00000000", f"{last:013}-ffffffff"]]
        landing.waves = told.pop
        first = landing.next_moment()
        # What there is is listed once.
        assert last < first < landing.next_moment()
    assert first == last + 1


# What is behind Hadoop.

class Root:
    """The path of a file system's root, as Java has it."""

    def getParent(self) -> None:
        return None

    def toString(self) -> str:
        return "s3a://b/"


class Troubled(HadoopFiles):
    """Files that cannot be copied."""

    def __init__(self, trouble: str = "") -> None:
        self.trouble = trouble
        path = SimpleNamespace(Path=lambda text: text)
        hadoop = SimpleNamespace(fs=path)
        self.machine = SimpleNamespace(org=SimpleNamespace(apache=SimpleNamespace(hadoop=hadoop)))

    def path(self, text: str) -> Root:
        return Root()

    def system(self, text: str) -> None:
        raise Exception(f"java.io.{self.trouble}: hdfs://n/x")


class HadoopSpool(Spool):
    """Copies from files that cannot be copied."""

    def __init__(self, trouble: str) -> None:
        super().__init__({}, Limits.copy)
        self.trouble = trouble

    def files(self, path: str) -> Troubled:
        return Troubled(self.trouble)


def hadoop_has_roots_and_troubles_as_disks_have() -> None:
    assert Troubled().parent("s3a://b/") == "s3a://b/"
    unit = Unit("x", (UnitFile("hdfs://n/x", "x", 1, 1),), above="n")
    for trouble, word in (("FileNotFoundException", "gone"), ("AccessControlException", "may not"),
                          ("IOException", "cannot be copied")):
        try:
            with HadoopSpool(trouble).copied(unit):
                raise AssertionError("it is copied")
        except SpoolTrouble as told:
            assert word in str(told), told


def places_are_listed_and_copied_as_they_must(program: Path) -> None:
    """All claims of this file."""
    what_is_merely_gone_stays()
    places_end_units_whatever_their_addresses_lack()
    old_lakes_tell_queues_by_their_names()
    what_is_read_otherwise_has_another_fingerprint()
    what_is_read_alike_has_one_fingerprint()
    large_folders_cost_no_more_than_small_ones()
    files_come_under_one_name_each()
    hadoop_has_roots_and_troubles_as_disks_have()
    addresses_are_paths_as_they_are()
    later_waves_have_higher_numbers()
    for claim in (links_may_be_called_as_what_they_lead_to_has_it,
                  what_goes_meanwhile_costs_no_store, what_is_too_large_is_told,
                  what_passes_while_it_looks_takes_nothing, disks_that_are_full_pass,
                  names_may_be_any_bytes, what_is_in_the_lake_is_of_no_place,
                  what_changes_meanwhile_takes_nothing):
        with tempfile.TemporaryDirectory(prefix="fleet-test-") as folder:
            claim(program, Path(folder).resolve())


if __name__ == "__main__":
    places_are_listed_and_copied_as_they_must(Path(os.environ["REHOME"]).resolve())
    print("places are listed and copied as they must")
