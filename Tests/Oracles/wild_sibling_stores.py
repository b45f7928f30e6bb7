#!/usr/bin/env python3
"""Makes random stores of the sibling SDKs: `wild_sibling_stores.py OUTDIR SEED COUNT`.

Store number N of a seed is always the same. Each gets a folder `SEED-N` with the store, its side
files, and `about.json`, which gives the verdict and lists what was put into it. Beside them stand
`SEED-foreign-NAME`, files that only look similar. With `--contested` there are also situations
whose outcome the design leaves open; `about.json` names those.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "samples"))

from maker.sibling import quoted  # noqa: E402
from maker.wal import fixed_version, take_away  # noqa: E402
from wild_foreign import CONTESTED_RECIPES, RECIPES  # noqa: E402
from wild_journal import take_away_hot  # noqa: E402
from wild_plain import WildPlain  # noqa: E402
from wild_sibling_queue import CONTESTED, SITUATIONS, SiblingQueue  # noqa: E402
from wild_sibling_system import SYSTEMS, System  # noqa: E402
from wild_sibling_tables import WildTable, WildTables  # noqa: E402
from wild_sibling_values import SiblingValues  # noqa: E402

STORE_NAME = "store.db"
JOURNALS = ("rollback", "rollback", "wal-closed", "wal-newest", "hot-journal")
LAYOUTS = ("a0", "a1", "a2", "a3", "b", "c", "d1", "d2", "d3", "e", "f", "sqlite")
IDENTIFIERS = {
    "a": "azure-mobile-dotnet", "b": "azure-mobile-dotnet", "c": "datasync-dotnet",
    "d": "azure-mobile-android", "e": "azure-mobile-cordova", "f": "datasync-toolkit",
    "s": "sqlite",
}
# What each layout may have been upgraded from.
HYBRIDS = {
    "a2": ("a1-to-a2",), "a3": ("a2-to-a3",), "b": ("a-to-b", "a1-to-b"), "d2": ("d-upgraded",),
    "d3": ("d-upgraded",), "c": ("b-to-c",),
}
CONTESTED_HYBRIDS = ("b-to-c",)
APP_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
PAGE_SIZES = (512, 1024, 4096, 4096, 65536)


class WildSibling:
    """One random store."""

    def __init__(self, seed: int, number: int, contested: bool) -> None:
        self.rng = random.Random(f"sibling-{seed}-{number}")
        self.layout = LAYOUTS[number % len(LAYOUTS)]
        self.contested = contested
        self.hybrid = self._hybrid()
        self.journal = self.rng.choice(JOURNALS)
        self.damaged = self.rng.random() < 0.6
        values = SiblingValues(self.rng, self.layout[0], self.damaged)
        self.tables = WildTables(self.rng, self.layout, values, self.hybrid)
        self.done: list[str] = []
        self.open: list[str] = []

    def _hybrid(self) -> str | None:
        choices = HYBRIDS.get(self.layout, ())
        if not self.contested:
            choices = tuple(each for each in choices if each not in CONTESTED_HYBRIDS)
        return self.rng.choice(choices) if choices and self.rng.random() < 0.5 else None

    def write(self, folder: Path) -> None:
        """Writes the store, its side files and its description."""
        folder.mkdir(parents=True, exist_ok=True)
        building = folder / "building.db"
        building.unlink(missing_ok=True)
        database = self._open(building)
        database.execute("BEGIN IMMEDIATE")
        self._build(database)
        database.execute("COMMIT")
        self._take_away(database, building, folder / STORE_NAME)
        building.unlink()
        family = self.layout[0]
        write_about(folder, {
            "layout": IDENTIFIERS[family],
            "generation": self.layout if family in "abd" else None,
            "hybrid": self.hybrid,
            "damagedValues": self.damaged,
            "journal": self.journal,
            "situations": sorted(set(self.done)),
            "contested": sorted(set(self.open)),
        })

    def _open(self, path: Path) -> sqlite3.Connection:
        database = sqlite3.connect(path, isolation_level=None)
        database.execute(f"PRAGMA page_size = {self.rng.choice(PAGE_SIZES)}")
        database.execute(f"PRAGMA auto_vacuum = {self.rng.choice((0, 0, 1, 2))}")
        mode = "WAL" if self.journal.startswith("wal") else "DELETE"
        database.execute(f"PRAGMA journal_mode = {mode}")
        if self.journal != "hot-journal":
            database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        return database

    def _build(self, database: sqlite3.Connection) -> None:
        """Tables and bookkeeping, in either order."""
        if self.layout == "sqlite":
            WildPlain(self.rng, database)
            return
        steps = ["tables", "system"]
        self.rng.shuffle(steps)
        system: System | None = None
        for step in steps:
            if step == "tables":
                self.tables.create(database)
            else:
                system = SYSTEMS[self.layout](self.rng, database, self.layout, self.hybrid)

        def add_row(table: WildTable, identifier: str) -> None:
            self.tables.add_row(database, table, identifier)

        self.queue = SiblingQueue(self.rng, system, self.tables.tables, add_row)
        self._fill(database)
        if self.rng.random() < 0.5:
            self.tables.delete_some(database)

    def _fill(self, database: sqlite3.Connection) -> None:
        """Rows for every table, then a handful of situations in any order."""
        if self.layout == "sqlite":
            database.execute("CREATE TABLE added_last (t TEXT)")
            return
        self.tables.fill(database, self.queue.guid)
        chosen = list(self.rng.sample(SITUATIONS, self.rng.randint(0, 16)))
        self.done += [name.replace("_", "-") for name in chosen]
        if self.contested:
            if self.hybrid in CONTESTED_HYBRIDS:
                self.open.append(self.hybrid)
            open_ones = self.rng.sample(CONTESTED, 3)
            self.open += [name.replace("_", "-") for name in open_ones]
            chosen += open_ones
        self.rng.shuffle(chosen)
        for name in chosen:
            getattr(self.queue, name)()

    def _take_away(
        self, database: sqlite3.Connection, building: Path, destination: Path
    ) -> None:
        for suffix in ("", "-wal", "-journal", "-shm"):
            destination.with_name(destination.name + suffix).unlink(missing_ok=True)
        if self.journal == "wal-newest":
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("BEGIN IMMEDIATE")
            self._fill(database)
            if self.layout != "sqlite":
                self.tables.delete_some(database)
            database.execute("COMMIT")
            take_away(building, destination)
        elif self.journal == "hot-journal":
            self._spoil(database)
            take_away_hot(database, building, destination)
        database.close()
        if self.journal not in ("wal-newest", "hot-journal"):
            destination.write_bytes(fixed_version(building.read_bytes()))

    def _spoil(self, database: sqlite3.Connection) -> None:
        """A change that was never committed, though part of it is in the main file."""
        database.execute("PRAGMA cache_size = 1")
        database.execute("BEGIN IMMEDIATE")
        names = [row[0] for row in database.execute(APP_TABLES)]
        for name in names:
            database.execute(f"DELETE FROM {quoted(name)}")
        database.execute("CREATE TABLE never_committed (filler BLOB)")
        for _ in range(150):
            database.execute("INSERT INTO never_committed VALUES (zeroblob(2000))")


def write_foreign(folder: Path, seed: int, name: str) -> None:
    """Writes a file that is no SDK's, with its verdict."""
    folder.mkdir(parents=True, exist_ok=True)
    building = folder / "building.db"
    building.unlink(missing_ok=True)
    database = sqlite3.connect(building, isolation_level=None)
    database.execute("PRAGMA synchronous = OFF")
    recipe = RECIPES.get(name) or CONTESTED_RECIPES[name]
    verdict = recipe(database, random.Random(f"foreign-{seed}-{name}")) or {}
    database.close()
    (folder / STORE_NAME).write_bytes(fixed_version(building.read_bytes()))
    building.unlink()
    about = {"layout": "sqlite", "generation": None, "hybrid": None, "damagedValues": False,
             "journal": "rollback", "situations": [name],
             "contested": [name] if name in CONTESTED_RECIPES else []}
    write_about(folder, about | verdict)


def write_about(folder: Path, about: dict[str, object]) -> None:
    """Writes a store's description."""
    text = json.dumps(about, ensure_ascii=False, indent=1) + "\n"
    (folder / "about.json").write_bytes(text.encode())


def main() -> int:
    """Makes the stores the arguments ask for."""
    parser = argparse.ArgumentParser(description="Make random stores of the sibling SDKs.")
    parser.add_argument("folder", type=Path, metavar="OUTDIR")
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--contested", action="store_true")
    options = parser.parse_args()
    for number in range(options.count):
        store = WildSibling(options.seed, number, options.contested)
        store.write(options.folder / f"{options.seed}-{number:04}")
    for name in [*RECIPES, *(CONTESTED_RECIPES if options.contested else ())]:
        write_foreign(options.folder / f"{options.seed}-foreign-{name}", options.seed, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
