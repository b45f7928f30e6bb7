#!/usr/bin/env python3
"""Makes SQLite files with every kind of schema, and damaged ones, with SQLite's own verdict on each.

    wild_schemas.py FOLDER SEED COUNT

Prints JSON that says of each file whether it is `sound`, `damaged` or `unopened`, what it has of
interest, and how many rows its tables have.
"""

from __future__ import annotations

import json
import random
import sqlite3
import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from mutate_database import damage_pages  # noqa: E402

PAGE_SIZES = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
ENCODINGS = ("UTF-8", "UTF-16le", "UTF-16be")
NAMES = (
    "ZNUMBEROFPICKUPSWITHOUTAPPLICATIONUSAGE", "without rowid", "WITHOUT ROWID", "a)b", "(", ")",
    'q"uote', "it's", "b`tick", "[odd]", "--dash", "/*", "*/", "ü", "\U0001F600", "WITHOUT",
    "rowid_", "strict", "x) WITHOUT ROWID --", "line\nbreak", "semi;colon", "a,b", "Withoutrowid")
TYPES = (
    "INTEGER", "TEXT", "REAL", "BLOB", "", "NUMERIC", "VARCHAR(20, 3)", "DOUBLE PRECISION",
    '"without rowid"', "[odd ( type]", "withoutrowid")
STRICT_TYPES = ("INT", "INTEGER", "REAL", "TEXT", "BLOB", "ANY")
DEFAULTS = (
    "", "", "", " DEFAULT 'x) WITHOUT ROWID'", " DEFAULT 3", " DEFAULT (1 + (2))", " DEFAULT ''''",
    " DEFAULT NULL", ' DEFAULT "WITHOUT ROWID"', " DEFAULT -1.5", " COLLATE NOCASE",
    " DEFAULT x'00'", " CHECK (1 /* ) WITHOUT ROWID */)", " NOT NULL DEFAULT 'n'")
COMMENTS = (
    "", "", " ", "\n", "\t", " /* without rowid */ ", " -- ) without rowid\n", "/**/", " /* ' */ ",
    ' -- "\n', "\f", "\r\n")
HEADER_FORMAT = 44
RESERVED = 20


def quoted(rng: random.Random, name: str) -> str:
    """A name in one of the four ways in which SQLite takes it."""
    ways = ['"' + name.replace('"', '""') + '"', "`" + name.replace("`", "``") + "`"]
    if "]" not in name:
        ways.append("[" + name + "]")
    if name.isascii() and name.isidentifier() and name.upper() not in ("WITHOUT",):
        ways.append(name)
    return rng.choice(ways)


class WildSchema:
    """Fills one database."""

    def __init__(self, rng: random.Random, path: Path) -> None:
        self.rng = rng
        self.marks: list[str] = []
        self.tables: dict[str, list[str]] = {}
        self.path = path
        self._connect()
        self._set_up()
        for at in range(rng.randint(1, 5)):
            self._try(self._add_table, at)
        self._try(self._add_others, 0)
        self._change_rows()
        if rng.random() < 0.15:
            self.database.execute("ANALYZE")
            self.marks.append("statistics")
        if rng.random() < 0.1:
            self._try(lambda _: self.database.execute("VACUUM"), 0)
        if rng.random() < 0.3 and self.vacuum == 2:
            self.database.execute(f"PRAGMA incremental_vacuum({rng.randint(1, 9)})")
        self.counts = {name: self._count(name) for name in self.tables}
        self.database.close()

    def _set_up(self) -> None:
        rng = self.rng
        self.size = rng.choice(PAGE_SIZES)
        self.vacuum = rng.choice((0, 0, 1, 2))
        encoding = rng.choice((ENCODINGS[0], *ENCODINGS))
        for pragma in ("synchronous = OFF", f"page_size = {self.size}",
                       f"encoding = '{encoding}'", f"auto_vacuum = {self.vacuum}",
                       "user_version = 1"):
            self.database.execute("PRAGMA " + pragma)
        self.database.close()
        # Formats below 4 ignore DESC in indexes and have no values of their own for 0 and 1.
        form = rng.choice((4, 4, 4, 4, 1, 2, 3))
        reserved = rng.choice((0, 0, 0, 0, 0, 0, 8, 16, 32))
        prepare(self.path, form, reserved)
        self._connect()
        self.marks += [str(self.size), encoding, f"vacuum{self.vacuum}", f"format{form}"]
        self.marks += [f"reserved{reserved}"] * (reserved > 0)

    def _connect(self) -> None:
        self.database = sqlite3.connect(self.path, isolation_level=None)
        self.database.execute("PRAGMA synchronous = OFF")
        self.database.execute("PRAGMA journal_mode = MEMORY")

    def _try(self, add, at: int) -> None:
        """Some combinations are refused by the engine itself, which is as good as not trying."""
        try:
            add(at)
        except sqlite3.Error as error:
            self.marks.append("refused:" + str(error).split(":")[0].replace(" ", "-")[:30])

    def _gap(self) -> str:
        return self.rng.choice(COMMENTS) or " "

    def _add_table(self, at: int) -> None:
        rng = self.rng
        name = rng.choice((f"t{at}", rng.choice(NAMES) + str(at)))
        is_strict = rng.random() < 0.2
        is_rowless = rng.random() < 0.3
        types = STRICT_TYPES if is_strict else TYPES
        columns = rng.sample(NAMES, rng.randint(1, 5))
        parts = [f"{quoted(rng, each)}{self._gap()}{rng.choice(types)}"
                 + ("" if is_strict else rng.choice(DEFAULTS)) for each in columns]
        key = rng.choice(("none", "integer", "desc", "columns"))
        if is_rowless and key in ("none",):
            key = "columns"
        if key in ("integer", "desc"):
            order = " DESC" if key == "desc" else ""
            parts.insert(rng.randint(0, len(parts)), f"k INTEGER PRIMARY KEY{order}")
        rest = []
        if key == "columns":
            chosen = rng.sample(columns, rng.randint(1, min(2, len(columns))))
            rest.append("PRIMARY KEY (" + ", ".join(
                quoted(rng, each) + rng.choice(("", " DESC", " COLLATE NOCASE")) for each in chosen)
                + ")")
        if rng.random() < 0.2:
            rest.append(f"UNIQUE ({quoted(rng, rng.choice(columns))})")
        if rng.random() < 0.25:
            kind = rng.choice(("STORED", "VIRTUAL", ""))
            parts.append(f"g {'TEXT' if is_strict else ''} AS (1 || ') WITHOUT ROWID') {kind}")
        options = []
        if is_rowless:
            options.append(rng.choice(("WITHOUT ROWID", "without/**/rowid", "WithOut\n RowId",
                                       "WITHOUT -- x\n ROWID")))
        if is_strict:
            options.append("STRICT")
        rng.shuffle(options)
        sql = (f"CREATE TABLE {quoted(rng, name)}{rng.choice(COMMENTS)}(" + ",".join(parts + rest)
               + rng.choice(COMMENTS) + ")" + rng.choice(COMMENTS)
               + ("," + rng.choice(COMMENTS)).join(options) + rng.choice(("", ";", " -- end", " ;")))
        self.database.execute(sql)
        self.tables[name] = columns
        self.marks += ["rowless"] * is_rowless + ["strict"] * is_strict
        for number in range(rng.choice((0, 1, 1, 2))):
            self._try(lambda _: self._add_index(name, at, number), 0)
        for _ in range(rng.choice((0, 1, 20, 150))):
            self._insert(name)
        if rng.random() < 0.15 and not is_strict:
            self._try(lambda _: self.database.execute(
                f"ALTER TABLE {quoted(rng, name)} ADD COLUMN added DEFAULT 'without'"), 0)

    def _add_index(self, name: str, at: int, number: int) -> None:
        rng = self.rng
        column = quoted(rng, rng.choice(self.tables[name]))
        what = rng.choice((column, column + " DESC", f"lower({column})", f"{column} || 'x'",
                           f"{column}, length({column}) DESC"))
        where = rng.choice(("", "", f" WHERE {column} IS NOT NULL", f" WHERE {column} > 'm'"))
        self.database.execute(
            f"CREATE INDEX i{at}_{number} ON {quoted(rng, name)} ({what}){where}")

    def _add_others(self, _: int) -> None:
        rng = self.rng
        name = quoted(rng, next(iter(self.tables), "sqlite_schema"))
        if rng.random() < 0.3:
            self.database.execute(f"CREATE VIEW v AS SELECT * FROM {name} -- without rowid")
        if rng.random() < 0.3:
            self.database.execute(
                f"CREATE TRIGGER tr AFTER DELETE ON {name} BEGIN SELECT 'without rowid'; END")
        if rng.random() < 0.2:
            module = rng.choice(("fts3(body)", "fts4(body, title)", "fts5(body)", "rtree(i, a, b)"))
            self.database.execute(f"CREATE VIRTUAL TABLE docs USING {module}")
            self.marks.append("virtual")
        if rng.random() < 0.2:
            self.database.execute("CREATE TABLE counted (a INTEGER PRIMARY KEY AUTOINCREMENT)")
            self.database.execute("INSERT INTO counted VALUES (7)")
            self.tables["counted"] = ["a"]
        if rng.random() < 0.2:
            self.database.execute(f"CREATE TABLE made AS SELECT * FROM {name}")
            self.tables["made"] = []
        if rng.random() < 0.15:
            # Deeper than a hardened connection might think honest.
            terms = " OR ".join(f"a = {number}" for number in range(300))
            self.database.execute(f"CREATE TABLE deep (a CHECK (a IS NULL OR {terms}))")
            self.tables["deep"] = ["a"]

    def _insert(self, name: str) -> None:
        rng = self.rng
        count = len(self.tables[name])
        values = [rng.choice((None, rng.randint(-9, 9), rng.random(), "x" * rng.choice((0, 9, 3000)),
                              rng.randbytes(rng.choice((3, 700))), rng.getrandbits(62)))
                  for _ in range(count)]
        columns = ", ".join(quoted(rng, each) for each in self.tables[name])
        try:
            self.database.execute(
                f"INSERT INTO {quoted(rng, name)} ({columns}) VALUES "
                f"({', '.join('?' * count)})", values)
        except sqlite3.Error:
            # A key that is taken, or a value that the column does not take.
            return

    def _change_rows(self) -> None:
        rng = self.rng
        for name in list(self.tables):
            if rng.random() < 0.3:
                self._try(lambda _: self.database.execute(
                    f"DELETE FROM {quoted(rng, name)} WHERE abs(random()) % 3 > 0"), 0)
            if rng.random() < 0.1 and len(self.tables) > 1:
                self._try(lambda _: self.database.execute(f"DROP TABLE {quoted(rng, name)}"), 0)
                if not self.database.execute(
                        "SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)).fetchone():
                    del self.tables[name]

    def _count(self, name: str) -> int:
        text = '"' + name.replace('"', '""') + '"'
        return self.database.execute(f"SELECT count(*) FROM {text} NOT INDEXED").fetchone()[0]


def prepare(path: Path, form: int, reserved: int) -> None:
    """Gives a file without tables a schema format, and room at the end of each page."""
    content = bytearray(path.read_bytes())
    content[HEADER_FORMAT + 3] = form
    content[RESERVED] = reserved
    usable = len(content) - reserved
    # Where the cells of the first page will start.
    content[105:107] = struct.pack(">H", usable & 0xFFFF)
    path.write_bytes(content)


def verdict(path: Path) -> str:
    """What the engine's own check says about a file."""
    if path.stat().st_size == 0:
        # A database without a table to the engine, and no store to us.
        return "unopened"
    database = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    database.text_factory = bytes
    try:
        database.execute("PRAGMA cell_size_check = ON")
        database.execute("SELECT count(*) FROM sqlite_schema")
    except (sqlite3.Error, UnicodeDecodeError):
        database.close()
        return "unopened"
    try:
        lines = [line for line, in database.execute("PRAGMA integrity_check")]
    except (sqlite3.Error, UnicodeDecodeError):
        lines = [b"failed"]
    database.close()
    # Values that the schema forbids are no damage.
    broken = [line for line in lines if b" value in " not in line and b"CHECK constr" not in line]
    return "sound" if broken in ([], [b"ok"]) else "damaged"


def main() -> None:
    """Writes the files and says of each what it is."""
    folder, seed, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    others: list[bytes] = []
    files = []
    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)
        path = folder / f"{number}.db"
        schema = WildSchema(rng, path)
        marks, counts = list(schema.marks), dict(schema.counts)
        content = path.read_bytes()
        others = [*others[-9:], content]
        if rng.random() < 0.3:
            path.write_bytes(damage_pages(content, others, rng))
            marks.append("mutant")
            counts = {}
        files.append({"path": str(path), "verdict": verdict(path), "marks": marks, "rows": counts})
    json.dump(files, sys.stdout)


if __name__ == "__main__":
    main()
