"""Whether a task has beside a store what the tool itself takes with it; needs no Spark.

    test_belongings.py [--seed N] [--count N]

Folders are made at random of all that may lie around stores. For each the tool is asked twice: what
is in the folder, and what is in the copies that tasks make of its units. The hash that it tells of
a store is one over all of its files, so that a file too few or too many shows.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import os
import plistlib
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent)]

from families import Alone  # noqa: E402
from fleet.belongings import EXTERNAL_DATA  # noqa: E402
from fleet.child import Limits, Tool  # noqa: E402
from fleet.files import LocalFiles  # noqa: E402
from fleet.places import units_of_place  # noqa: E402
from fleet.search import Found, Search  # noqa: E402
from fleet.spool import Spool  # noqa: E402

CORE_DATA = SAMPLES / "ios-2015" / "qstodoitem.sqlite"
OTHER = SAMPLES / "dotnet-2019" / "localstore.db"
COUCHBASE = SAMPLES / "couchbase-ios-2015" / "notes.cblite"
PARSE = SAMPLES / "parse-android-2016" / "ParseOfflineStore"
FACTS = ("layout", "generation", "sha256", "bytes", "rows", "queue", "findings")


class Maker:
    """Makes what may lie around a store, at random."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder = folder
        self.chance = chance

    def put(self, path: str, content: bytes) -> None:
        """A file; what is there already stays."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            target.write_bytes(content)

    def may(self) -> bool:
        """Whether something is there this time."""
        return self.chance.random() < 0.6

    def logs(self, name: str) -> None:
        """What is called after a database: real, packed, empty, of another, or a store itself."""
        log = Path(f"{CORE_DATA}-wal").read_bytes()
        for ending in ("-wal", "-journal", "-shm"):
            for packing in ("", ".gz", ".GZ"):
                content = self.chance.choice([None, None, log, log, b"", OTHER.read_bytes()])
                if content is not None and packing:
                    content = gzip.compress(content)
                if content is not None:
                    self.put(name + ending + packing, content)

    def database(self, name: str) -> None:
        """A database with or without a log, packed or not."""
        whole = CORE_DATA.read_bytes()
        if self.may():
            self.put(name, self.chance.choice([whole, whole, OTHER.read_bytes(), b"a note"]))
        if self.chance.random() < 0.3:
            self.put(name + self.chance.choice([".gz", ".GZ"]), gzip.compress(whole))
        self.logs(name)

    def external_data(self, name: str) -> None:
        """What Core Data keeps outside of a store; some of it could be a store."""
        folder = f".{name.rpartition('.')[0] or name}_SUPPORT/"
        packed = self.folder / "packed"
        with zipfile.ZipFile(packed, "w") as archive:
            archive.write(OTHER, "inner.db")
        for place, content in enumerate([b"%PDF", OTHER.read_bytes(), packed.read_bytes()]):
            if self.may():
                self.put(f"{folder}_EXTERNAL_DATA/{place:08X}-0000-4000-8000-000000000000", content)
        packed.unlink()
        if self.may():
            self.put(folder + "other.db", OTHER.read_bytes())

    def couchbase(self, name: str, place: str, is_folder: bool) -> None:
        """A database of Couchbase Lite with an attachment, beside which an older one may lie."""
        content = b"an attachment"
        key = hashlib.sha1(content).digest()
        self.put(place, b"")
        shutil.copy(COUCHBASE, self.folder / place)
        shutil.copy(f"{COUCHBASE}-wal", self.folder / f"{place}-wal")
        with closing(sqlite3.connect(self.folder / place, isolation_level=None)) as database:
            (number, text) = database.execute(
                "SELECT sequence, json FROM revs WHERE current = 1 AND deleted = 0"
                " AND json IS NOT NULL LIMIT 1").fetchone()
            item = json.loads(text) | {"_attachments": {"a.txt": {
                "content_type": "text/plain", "length": len(content), "revpos": 1, "stub": True,
                "digest": "sha1-" + base64.b64encode(key).decode()}}}
            database.execute("UPDATE revs SET json = ?, no_attachments = 0 WHERE sequence = ?",
                             (json.dumps(item).encode(), number))
        inner = os.path.dirname(place) + "/attachments"
        if not is_folder:
            inner = self.chance.choice(
                [f"{name} attachments", f"{name}/attachments", "attachments"])
        self.put(f"{inner}/{key.hex().upper()}.blob", content)
        if is_folder and self.may():
            self.put(self.chance.choice([f"{name}.cblite", f"{name}.tmp.cblite2/x"]), b"left over")

    def queue_in_files(self) -> None:
        """Commands of Parse, what the server has called objects, and a store beside them."""
        for place in range(self.chance.randrange(1, 4)):
            self.put(f"CommandCache/CachedCommand_{place:016x}_00000001_1234", json.dumps({
                "httpPath": "classes/Todo", "httpMethod": "POST", "parameters": {"n": place},
                "localId": "local_1111111111111111"}).encode())
        if self.may():
            self.put("LocalId/local_1111111111111111", b'{"retainCount":1,"objectId":"abc"}')
        if self.may():
            self.put("CommandCache/other.db", OTHER.read_bytes())
        if self.may():
            self.put("ParseOfflineStore", PARSE.read_bytes())

    def unfinished_change(self) -> None:
        """A change of two databases at once, which was never finished: both take it back."""
        name = "a.db-mj0A1B2C9D3"
        for store in ("a.db", "b.db"):
            self.put(store, b"")
            with closing(sqlite3.connect(self.folder / store, isolation_level=None)) as database:
                database.executescript("CREATE TABLE t (v); INSERT INTO t VALUES ('old');")
                before = (self.folder / store).read_bytes()
                database.execute("UPDATE t SET v = 'new'")
            self.put(f"{store}-journal", journal(before, f"/data/data/com.a/databases/{name}"))
        if self.may():
            self.put(name, b"/data/data/com.a/databases/a.db-journal\0")

    def export(self, alone: Alone) -> None:
        """An export, with or without content in its description."""
        alone.bundle(OTHER, self.folder / "export")
        if not self.may():
            (self.folder / "export" / "manifest.json").write_bytes(b"")

    def lost_beginning(self) -> None:
        """A database whose first page is lost, where Android has the databases of apps."""
        content = b"\xa5" * 4096 + Path(f"{CORE_DATA}").read_bytes()[4096:]
        self.put(self.chance.choice(["databases/main", "apps/com.a/db/main", "main"]), content)


def journal(before: bytes, name: str) -> bytes:
    """A journal that has all pages of a database as they were, and names what guards its change."""
    page, nonce = 4096, 12345
    records = b""
    for number in range(len(before) // page):
        content = before[number * page:][:page]
        total = (nonce + sum(content[place] for place in range(page - 200, 0, -200))) & 0xffffffff
        records += struct.pack(">I", number + 1) + content + struct.pack(">I", total)
    mark = bytes.fromhex("d9d505f920a163d7")
    count = len(before) // page
    head = mark + struct.pack(">IIIII", count, nonce, count, 512, page)
    end = struct.pack(">I", 0x40000000 // page + 1) + name.encode()
    return (head.ljust(512, b"\0") + records + end
            + struct.pack(">II", len(name), sum(name.encode())) + mark)


def make_shelf(folder: Path, chance: random.Random, alone: Alone) -> None:
    """Folders with some of everything."""
    for name in ("q.sqlite", "q", "x-wal"):
        maker = Maker(folder / f"of {name}", chance)
        maker.put("note.txt", b"a note")
        maker.database(name)
        maker.external_data(name)
    Maker(folder / "file", chance).couchbase("n", "n.cblite", is_folder=False)
    Maker(folder / "folder", chance).couchbase("n", "n.cblite2/db.sqlite3", is_folder=True)
    Maker(folder / "queue", chance).queue_in_files()
    Maker(folder / "change", chance).unfinished_change()
    Maker(folder / "lost", chance).lost_beginning()
    Maker(folder, chance).export(alone)


class Comparison:
    """What the tool finds in a place, and what it finds in the copies that tasks make of it."""

    def __init__(self, alone: Alone) -> None:
        limits = Limits()
        self.alone = alone
        self.spool = Spool({}, limits.copy)
        self.search = Search(Tool(str(alone.program), limits), self.spool)

    def listed(self, place: Path) -> dict[str, dict | None]:
        """The facts of the stores in a place; none of those that cannot be read."""
        done = subprocess.run(
            [self.alone.program, "find", "-q", "--json", "--fail-on", "never", place],
            capture_output=True, check=False)
        # What is no store, or cannot be read, ends with 65 where it is named.
        assert done.returncode in (0, 2, 65), done.stderr
        return {told["store"]: None if told["error"] else {name: told[name] for name in FACTS}
                for told in map(json.loads, done.stdout.splitlines())}

    def copied(self, place: Path) -> dict[str, dict | None]:
        """The same of the copies."""
        told: dict[str, dict | None] = {}
        for unit in units_of_place(LocalFiles(), str(place)):
            with self.spool.copied(unit) as folder:
                (folder / "work").mkdir()
                for found in self.search.found(unit, folder):
                    if found.is_guess:
                        # It has a row in the lake, and the tool tells nothing.
                        continue
                    assert found.name not in told, f"{found.name} comes twice"
                    told[found.name] = self.facts(found)
        return told

    def facts(self, found: Found) -> dict | None:
        """The facts of one store."""
        return found.path and next(iter(self.listed(found.path).values()), None)

    def compare(self, place: Path) -> None:
        """Fails where the two differ."""
        wanted, found = self.listed(place), self.copied(place)
        differing = {name: (found.get(name, "not found"), wanted.get(name, "not wanted"))
                     for name in sorted(wanted.keys() | found.keys())
                     if name not in found or found[name] != wanted.get(name, found[name])
                     or name not in wanted and not is_in_value_of_several(name)}
        assert not differing, json.dumps(differing, indent=1, default=str)


def is_in_value_of_several(name: str) -> bool:
    """Whether a store lies in a large value that several files claim by their names.

    It is no store of its own where one of them is a database, which no listing says: the task of
    another one tells it as a store all the same.
    """
    support, _, value = name.partition(f"/{EXTERNAL_DATA}/")
    if not value:
        return False
    folder, stem = Path(support).parent, Path(support).name[1:-len("_SUPPORT")]
    return sum(file.is_file() and stem in (file.name, file.stem) for file in folder.iterdir()) > 1


def make_backup(folder: Path, *names: str) -> Path:
    """An iOS backup of stores of one app that tells no device; gives its list of files."""
    records = folder / "Manifest.db"
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(records, isolation_level=None)) as database:
        database.execute("CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT,"
                         " relativePath TEXT, flags INTEGER, file BLOB)")
        for name in names:
            identifier = hashlib.sha1(f"AppDomain-com.a-{name}".encode()).hexdigest()
            body = folder / identifier[:2] / identifier
            body.parent.mkdir(exist_ok=True)
            shutil.copy(OTHER, body)
            database.execute("INSERT INTO Files VALUES (?, 'AppDomain-com.a', ?, 1, '')",
                             (identifier, name))
    return records


def devices_are_those_that_backups_tell(program: Path, folder: Path) -> None:
    backup, search = folder / "backup", Comparison(Alone(program))
    make_backup(backup, "a.db", "b.db")
    for device in (None, "A phone"):
        if device:
            (backup / "Info.plist").write_bytes(plistlib.dumps({"Device Name": device}))
        (unit,) = units_of_place(LocalFiles(), str(backup))
        with search.spool.copied(unit) as copy:
            (copy / "work").mkdir()
            found = search.search.found(unit, copy)
        told = [(store.name, store.device) for store in found]
        assert told == [(f"{backup}!AppDomain-com.a/{name}.db", device) for name in "ab"], told
    shutil.rmtree(backup)


def links(folder: Path) -> Iterator[Path]:
    """Links to all files of a folder."""
    (folder / "links").mkdir()
    for file in sorted(folder.glob("of */*")):
        if file.is_file():
            link = folder / "links" / f"link {file.parent.name} {file.name}"
            link.symlink_to(file)
            yield link


def tasks_have_what_the_tool_takes(
    program: Path, folder: Path, count: int = 3, seed: int = 1
) -> None:
    alone = Alone(program)
    comparison = Comparison(alone)
    for number in range(seed, seed + count):
        shelf = folder / f"shelf-{number}"
        make_shelf(shelf, random.Random(number), alone)
        try:
            comparison.compare(shelf)
            for link in links(shelf):
                if link.read_bytes().startswith(b"SQLite format 3\0"):
                    comparison.compare(link)
        except AssertionError as error:
            raise AssertionError(f"shelf {number}: {error}") from None
        shutil.rmtree(shelf)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fleet-test-") as folder:
        program = Path(os.environ["REHOME"]).resolve()
        devices_are_those_that_backups_tell(program, Path(folder))
        tasks_have_what_the_tool_takes(program, Path(folder), options.count, options.seed)
    print("tasks have what the tool takes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
