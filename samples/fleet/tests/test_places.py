"""Which units places have, and how they follow each other; needs no Spark.

Most of it asks about names in memory, so that a folder can be what no disk has.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import random
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from fleet.belongings import Folders  # noqa: E402
from fleet.files import Entry, HadoopFiles, LocalFiles  # noqa: E402
from fleet.places import Unit, units_of_entry, units_of_place  # noqa: E402
from fleet.succession import Succession  # noqa: E402

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


# What is behind Hadoop.

class Root:
    """The path of a file system's root, as Java has it."""

    def getParent(self) -> None:
        return None

    def toString(self) -> str:
        return "s3a://b/"


class WithoutJava(HadoopFiles):
    """Files of a file system that is a root only."""

    def __init__(self) -> None:
        pass

    def path(self, text: str) -> Root:
        return Root()


def hadoop_has_roots_as_disks_have() -> None:
    assert WithoutJava().parent("s3a://b/") == "s3a://b/"


def places_are_listed_and_copied_as_they_must() -> None:
    """All claims of this file."""
    what_is_merely_gone_stays()
    places_end_units_whatever_their_addresses_lack()
    what_is_read_otherwise_has_another_fingerprint()
    what_is_read_alike_has_one_fingerprint()
    large_folders_cost_no_more_than_small_ones()
    files_come_under_one_name_each()
    hadoop_has_roots_as_disks_have()


if __name__ == "__main__":
    places_are_listed_and_copied_as_they_must()
    print("places are listed and copied as they must")
