"""Which canonical name and logical type each column of a sibling store has.

Where neither the SDK nor the declared type says what a column holds (SQLite's NUMERIC affinity,
or no type at all), its values do: only integers make an integer, numbers a real, only text a
text, only blobs a binary; else the commonest class wins, text before blob before number. A column
without values is text. In a file of no SDK a clear type gives way as well, where the values would
contradict another one less often.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

import sibling_values as values
from cell_values import boolean, integer, real, text
from sibling_layout import Layout, folded
from store_copy import quoted

Convert = Callable[[object], object]
Kind = tuple[str, Convert]

TEXT: Kind = ("text", text)
INTEGER: Kind = ("integer", integer)
REAL: Kind = ("real", real)
BOOLEAN: Kind = ("boolean", boolean)
BINARY: Kind = ("binary", values.blob)
JSON: Kind = ("json", text)

DOTNET = {
    "TEXT": TEXT, "INTEGER": INTEGER, "INT": INTEGER, "REAL": REAL, "FLOAT": REAL,
    "BOOLEAN": BOOLEAN, "BLOB": ("binary", values.base64_text), "JSON": JSON,
    "GUID": ("uuid", text), "URI": ("uri", text), "TIMESPAN": TEXT,
}
CORDOVA = {
    "TEXT": TEXT, "STRING": TEXT, "INTEGER": INTEGER, "INT": INTEGER, "REAL": REAL, "FLOAT": REAL,
    "BOOLEAN": BOOLEAN, "BOOL": BOOLEAN, "DATE": ("timestamp", values.milliseconds),
    "OBJECT": JSON, "ARRAY": JSON,
}
DECLARED = {
    "a": DOTNET | {"DATETIME": ("timestamp", values.seconds)},
    "b": DOTNET | {"DATETIME": ("timestamp", values.seconds)},
    "c": DOTNET | {"DATETIME": ("timestamp", values.milliseconds)},
    "e": CORDOVA,
}
TIMES = {
    "a": values.seconds_or_text,
    "b": values.seconds_or_text,
    "c": values.milliseconds_or_text,
    "d": values.time_text,
    "e": values.milliseconds_or_text,
    "f": values.blank_or_t_text,
}

PLAIN = {folded(name): name for name in ("version", "createdAt", "updatedAt", "deleted")}
OLD = {"__" + low: name for low, name in PLAIN.items()}
SYSTEM = {
    "a": OLD,
    "b": PLAIN | OLD,
    "c": {low: name for low, name in PLAIN.items() if name != "createdAt"},
    "d1": OLD,
    "d2": PLAIN | OLD,
    "d3": PLAIN | OLD,
    "e": PLAIN,
    "f": {low: name for low, name in PLAIN.items() if name != "createdAt"},
}
# What a synchronised table of each layout has at least; others are the app's own affair.
SYNCED = {"f": {"id", "updatedat", "version"}}
BY_AFFINITY = {"integer": INTEGER, "text": TEXT, "real": REAL, "blob": BINARY}


@dataclass(frozen=True)
class Column:
    """One column; `role` is the id, one of the four system columns, or nothing."""

    source: str
    name: str
    kind: str
    role: str | None
    convert: Convert


def columns_of(database: sqlite3.Connection, layout: Layout, table: str) -> list[Column]:
    """The columns of a table in physical order, computed ones included."""
    rows = database.execute(f"PRAGMA table_xinfo({quoted(table)})").fetchall()
    declared = {row[1].decode(): row[2].decode() for row in rows if row[6] != 1}
    names = {folded(name) for name in declared}
    synced = layout.family != "sqlite" and names >= SYNCED.get(layout.family, {"id"})
    system = SYSTEM.get(layout.family) or SYSTEM.get(layout.generation or "", {})
    columns = []
    for source, words in declared.items():
        role = system.get(folded(source)) if synced else None
        if synced and folded(source) == "id":
            role = "id"
        kind = system_kind(layout, role) or plain_kind(database, layout, table, source, words)
        name = canonical_name(source, role, names)
        columns.append(Column(source, name, kind[0], role, kind[1]))
    return columns


def canonical_name(source: str, role: str | None, names: set[str]) -> str:
    """The name of a column; an old spelling beside the plain one stays as it is."""
    if role not in (None, "id"):
        taken = folded(role) in names and folded(source) != folded(role)
        return source if taken else role
    return source + "_" if folded(source) == "_pk" else source


def system_kind(layout: Layout, role: str | None) -> Kind | None:
    """The one type that a system column has."""
    if role in (None, "id"):
        return None
    if role == "version":
        return ("text", values.version if layout.family == "f" else text)
    if role == "deleted":
        return BOOLEAN
    return ("timestamp", TIMES[layout.family])


def plain_kind(
    database: sqlite3.Connection, layout: Layout, table: str, column: str, declared: str
) -> Kind:
    """What the SDK's own type word says, else the affinity, else the values."""
    known = DECLARED.get(layout.family, {}).get(declared.upper())
    if known is not None:
        return known
    clear = BY_AFFINITY.get(affinity_of(declared))
    if clear is not None and layout.family != "sqlite":
        return clear
    return kind_of_values(database, table, column, clear)


def affinity_of(declared: str) -> str:
    """SQLite's rule for the words of a declared type; no type at all is `none`."""
    words = declared.upper()
    if "INT" in words:
        return "integer"
    if any(part in words for part in ("CHAR", "CLOB", "TEXT")):
        return "text"
    if "BLOB" in words:
        return "blob"
    if any(part in words for part in ("REAL", "FLOA", "DOUB")):
        return "real"
    return "numeric" if words else "none"


def kind_of_values(
    database: sqlite3.Connection, table: str, column: str, declared: Kind | None
) -> Kind:
    """The kind that most values fit; the declared one first, then in the order of `ranked`."""
    name = quoted(column)
    query = f"SELECT typeof({name}), count(*) FROM {quoted(table)} NOT INDEXED GROUP BY 1"
    counts = {name.decode(): count for name, count in database.execute(query)}
    integers, reals = counts.get("integer", 0), counts.get("real", 0)
    fitting = integers
    if integers and reals:
        query = f"SELECT {name} FROM {quoted(table)} NOT INDEXED WHERE typeof({name}) = 'integer'"
        fitting = sum(int(float(value)) == value for value, in database.execute(query))
    ranked = [
        (counts.get("text", 0), TEXT), (counts.get("blob", 0), BINARY),
        *([(reals + fitting, ("real", values.any_number))] if reals else []), (integers, INTEGER),
    ]
    most = max(count for count, _ in ranked)
    if most == 0:
        return declared or TEXT
    best = [kind for count, kind in ranked if count == most]
    return next((kind for kind in best if declared and kind[0] == declared[0]), best[0])
