"""What the readers of the offline SDKs' stores share: what a store is, and how values are shown."""

from __future__ import annotations

import base64
import datetime
import sqlite3
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True)
class Column:
    """A column with its canonical name, its source's name, type and role."""

    name: str
    source: str
    type: str
    role: str = "value"


@dataclass
class Store:
    """What is in a store; tables have columns and rows, a row begins with its key."""

    layout: str
    generation: str | None
    tables: dict[str, tuple[list[Column], list[list[object]]]] = field(default_factory=dict)
    operations: list[dict[str, object]] = field(default_factory=list)
    effects: list[dict[str, object]] | None = None
    tokens: list[dict[str, object]] = field(default_factory=list)
    rejects: list[tuple[str, int, str]] = field(default_factory=list)
    findings: set[str] = field(default_factory=set)


def quoted(name: str) -> str:
    """A name as SQL."""
    return '"' + name.replace('"', '""') + '"'


def plain_table(
    database: sqlite3.Connection, table: str, names: list[str]
) -> tuple[list[Column], list[list[object]]]:
    """A table that is none of the SDK's; the makers give it texts alone."""
    rows = database.execute(f"SELECT rowid, * FROM {quoted(table)} ORDER BY rowid").fetchall()
    return [Column(name, name, "text") for name in names], [list(row) for row in rows]


def shown_time(milliseconds: float, per_second: int = 1000) -> str | None:
    """A time since 1970 in canonical spelling; None outside the years 1 to 9999."""
    seconds = Fraction(milliseconds) / per_second
    nanoseconds = round(seconds * 10**9)
    whole, rest = divmod(nanoseconds, 10**9)
    try:
        time = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=whole)
    except OverflowError:
        return None
    digits = f"{rest // 10**6:03}" if rest % 10**6 == 0 else f"{rest:09}"
    return f"{time:%Y}".zfill(4) + f"{time:-%m-%dT%H:%M:%S}.{digits}Z"


def exported(column: Column, value: object) -> object:
    """A cell as an export shows it."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return bool(value) if column.type == "boolean" and value is not None else value


def schema(database: sqlite3.Connection) -> dict[str, list[str]]:
    """The tables of a file in order of creation, each with its columns."""
    tables = database.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
        "ORDER BY rowid").fetchall()
    return {
        name: [row[1] for row in database.execute(f"PRAGMA table_info({quoted(name)})")]
        for (name,) in tables
    }
