"""Opens a private copy of a store, so that the original and its side files stay untouched."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator


class Text(bytes):
    """The bytes of a TEXT value, valid UTF-8 or not; a BLOB comes as plain bytes."""


@contextmanager
def opened(store: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a copy of the main file, its log and its rollback journal."""
    with tempfile.TemporaryDirectory() as private:
        for suffix in ("", "-wal", "-journal"):
            path = store.with_name(store.name + suffix)
            if path.exists():
                shutil.copyfile(path, Path(private) / path.name)
        database = sqlite3.connect(Path(private) / store.name)
        database.text_factory = Text
        try:
            yield database
        finally:
            database.close()


def table_columns(database: sqlite3.Connection, table: str) -> dict[str, str]:
    """The columns of a table with their declared types, in physical order; empty if it is not."""
    rows = database.execute(f"PRAGMA table_info({quoted(table)})").fetchall()
    return {row[1].decode(): row[2].decode().upper() for row in rows}


def table_names(database: sqlite3.Connection) -> list[str]:
    """All tables of a database."""
    rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return [row[0].decode() for row in rows]


def quoted(name: str) -> str:
    """A name as SQL."""
    return '"' + name.replace('"', '""') + '"'


def utf8(value: object) -> str | None:
    """The text of a TEXT value, or None for anything else."""
    if not isinstance(value, Text):
        return None
    try:
        return value.decode()
    except UnicodeDecodeError:
        return None
