#!/usr/bin/env python3
"""Loads a million rows into a PostgreSQL server, and compares everything that is read back.

    million_rows.py REHOME [--rows N] [--seed N]

A canonical store is made with values of every type: names and texts with quotes, backslashes, tabs,
`\\.` and NULs, numbers and times at their limits. Its script is loaded with psql into a server of
its own. What comes back is compared row by row with the store, and the load is timed against
the same rows as CSV.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from random_devices import BOOKKEEPING, STORAGE  # noqa: E402

TABLE = 'Item "x\\.'
COLUMNS = [
    ("id", "text", "id", None), ("note\\", "text", "value", None),
    ('say "it"', "text", "value", None), ("size", "integer", "value", None),
    ("rate", "real", "value", None),
    ("done", "boolean", "value", None), ("updatedAt", "timestamp", "updatedAt", None),
    ("price", "decimal", "value", None), ("photo", "binary", "value", None),
    ("next", "reference", "reference", TABLE),
]
TEXTS = ["", "\\.", "\\N", "\\", "a\tb", "line\nline", "\r", "'; DROP TABLE x; --", '"', "é😀",
         "NULL", "plain words of an ordinary note", "$$", "\x7f", "  ", "before\0behind"]
REALS = [0.0, -1.5, 1e300, 5e-324, float("inf"), float("-inf"), 0.1, 123456.789]
WHOLES = [0, 1, -1, 2**63 - 1, -(2**63), 42]
DECIMALS = ["0", "12.50", "-0.001", "12345678901234567890.5"]


def quoted(name: str) -> str:
    """A name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'


def make_store(path: Path, rows: int, chance: random.Random) -> None:
    """A canonical store with so many rows."""
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript("PRAGMA synchronous = OFF; BEGIN;" + BOOKKEEPING)
    declared = "".join(
        f", {quoted(name)} {STORAGE.get(kind, 'TEXT')}" for name, kind, *_ in COLUMNS)
    database.execute(
        f"CREATE TABLE {quoted(TABLE)} (_pk INTEGER PRIMARY KEY{declared}) STRICT")
    database.execute("INSERT INTO rehome_table VALUES (?, 0, ?, ?, ?, ?, 0, 0)",
                     (TABLE, TABLE, TABLE, rows, rows))
    for place, (name, kind, role, target) in enumerate(COLUMNS):
        database.execute("INSERT INTO rehome_column VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?)",
                         (TABLE, place, name, name, name, kind, role, target))
    marks = ", ".join("?" * (len(COLUMNS) + 1))
    database.executemany(f"INSERT INTO {quoted(TABLE)} VALUES ({marks})",
                         (row(number, rows, chance) for number in range(1, rows + 1)))
    database.execute("COMMIT")
    database.close()


def row(number: int, rows: int, chance: random.Random) -> tuple:
    """A row; one cell in eight is NULL."""
    pick = chance.random
    values = [
        f"item-{number}", chance.choice(TEXTS), chance.choice(TEXTS), chance.choice(WHOLES),
        chance.choice(REALS), chance.randrange(2),
        f"20{chance.randrange(10, 30)}-0{chance.randrange(1, 10)}-1{chance.randrange(10)}"
        f"T09:15:30.{chance.randrange(1000):03}Z",
        chance.choice(DECIMALS), chance.randbytes(chance.randrange(12)),
        chance.randrange(1, rows + 1)]
    return (number, values[0], *(None if pick() < 0.125 else value for value in values[1:]))


def timed(command: list[str]) -> float:
    """The seconds that a command takes; it must succeed."""
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # A text with a NUL has no place in the server, which is told with exit code 2.
    if done.returncode not in (0, 2):
        raise SystemExit(f"{command[:4]}: {done.returncode} {done.stderr[-2000:]}")
    return time.monotonic() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rehome")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rehome-postgresql-") as folder:
        # The server's own user must get there.
        Path(folder).chmod(0o755)
        store, script = Path(folder) / "store.rehome", Path(folder) / "script.sql"
        make_store(store, options.rows, random.Random(options.seed))
        export = [options.rehome, "export", "-q", str(store), "--to"]
        seconds = timed([*export, "postgresql", "--schema", "million", "-o", str(script)])
        csv = timed([*export, "csv", "-o", folder + "/csv/"])
        server = [sys.executable, str(HERE / "postgresql_server.py")]
        timed([*server, "start", folder + "/server"])
        try:
            psql = ["-h", folder + "/server", "-U", "postgres"]
            load = timed(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", *psql, "-f", str(script)])
            check = subprocess.run(
                [sys.executable, str(HERE / "check_postgresql.py"), str(store), "million", *psql],
                capture_output=True, text=True, check=False)
        finally:
            timed([*server, "stop", folder + "/server"])
    if check.returncode:
        raise SystemExit(check.stdout + check.stderr)
    print(f"{options.rows} rows, {check.stdout.strip()} values read back as they were; script "
          f"{seconds:.1f} s ({csv / seconds:.2f}x the speed of CSV), load {load:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
