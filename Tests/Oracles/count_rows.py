"""Counts the rows of tables in whatever was written: count_rows.py PATH [TABLE]...

Prints a JSON object of counts by table. Stores are read with Python's `sqlite3`, exports by
`read_export.py`, scripts of PostgreSQL by their COPY blocks, where a row is a line, and one table's
rows alone by Python's `json` and `csv`.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from read_export import read_export  # noqa: E402

NAME = r'"((?:[^"]|"")+)"'
COPY = re.compile(rf'^COPY {NAME}\.{NAME} \([^)].*?\) FROM stdin;\n(.*?)^\\\.$', re.S | re.M)


def in_store(path: Path, names: list[str]) -> dict[str, int]:
    """The counts in a database, those of entities of Core Data by their tables' names."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    there = {name for name, in database.execute("SELECT name FROM sqlite_schema")}
    found = {}
    for name in names:
        table = (name if name in there else "Z" + name.upper()).replace('"', '""')
        found[name] = database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
    database.close()
    return found


def in_script(text: str, names: list[str]) -> dict[str, int]:
    """The counts in a script, by the names in the order of its tables.

    What is too long for PostgreSQL has another name there. The bookkeeping's tables are left out.
    """
    blocks = [block for _, name, block in COPY.findall(text) if not name.startswith("rehome_")]
    return {name: block.count("\n") for name, block in zip(names, blocks, strict=True)}


def counted(path: Path, names: list[str]) -> dict[str, int]:
    """The counts in a file or folder."""
    start = b"" if path.is_dir() else path.read_bytes()[:16]
    if start == b"SQLite format 3\0":
        return in_store(path, names)
    if start.startswith(b"\\set"):
        return in_script(path.read_bytes().decode(), names)
    if start.startswith(b'{"_pk"'):
        return {names[0]: len([json.loads(line) for line in path.read_bytes().splitlines()])}
    if start and not start.startswith((b"{", b"<", b"\x1f\x8b")):
        text = io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")
        return {names[0]: len(list(csv.reader(text, strict=True))) - 1}
    return {table["name"]: len(table["rows"]) for table in read_export(path)["tables"]}


print(json.dumps(counted(Path(sys.argv[1]), sys.argv[2:])))
