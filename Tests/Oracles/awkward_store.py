#!/usr/bin/env python3
"""Adds tables of awkward names and values to a canonical store: `awkward_store.py STORE`.

The tables are those that every writer of exports must carry without loss.
"""

from __future__ import annotations

import json
import sqlite3
import sys

TYPES = {
    "text": "TEXT", "integer": "INTEGER", "real": "REAL", "boolean": "INTEGER",
    "timestamp": "TEXT", "decimal": "TEXT", "uuid": "TEXT", "uri": "TEXT", "binary": "BLOB",
    "json": "TEXT", "reference": "INTEGER",
}

NAMES = (
    'with "quotes"', "slash/and\\backslash", "new\nline\rand\ttab", "CON", "nul", "Com1",
    "../../etc/passwd", ".hidden", "-rf", "=1+1", "Größe", "任务", "control\x01\x1b[31m", "\ufffe",
    "trailing.", " blank ", "manifest", "operations", "tokens", "<v>&amp;", "]]>", "x" * 300,
    "%s%n", "a,b", "'", "\U0001f389", "e\u0301", "\u00e9",
    # Marks that are one character with the accent behind them.
    "a\"\u0301; b", "l\u2019'\u0301x", "12\"\ufe0f", "a/\u0301b", "a,\u0301b", "\\\u0301! c",
)

TEXTS = (
    "", " ", "\n", "\r", "\r\n", "\t", "NULL", "null", "''", '"', '""', '","', "a\rb", "a,b",
    "a\nb", "'quoted'", "=1+1", "+1", "-1", "@x", "\tx", "\rx", "'=1", "a=1",
    "".join(map(chr, range(1, 32))),
    "\x00", "a\x00b", "\x7f\x80\x85\u2028\u2029", "\ufeffmark", "\ufffe", "\uffff", "\ufffd",
    "\ud7ff\ue000", "\U00010000\U0001ffff\U0010fffd\U0010ffff", "]]>", "<!-- & -->", "&#13;",
    "<v/>", "\\", "\\u0000", "\\n", "true", "1e5", "x" * 30_000, '"' * 1000, "e\u0301 \u00e9",
    "".join(chr(plane << 16 | 0x123) for plane in range(17)),
    "a'\u0301b", "a\"\u0301,b", "a\\\u0301b", "a\t\u0301b", "a\n\u0301b", "a\x00\u0301b",
    "&\u0301<\u0301>", "=\u0301", "12345678\"", "1234567\r", "\u00ef\u00bf\u00be", "abcdefg\uffff", "1234567>",
)

INTEGERS = (0, 1, -1, 2**53, 2**53 + 1, -2**53 - 1, 2**63 - 1, -2**63, 10**18)

REALS = (
    0.0, -0.0, 1.0, -1.5, 0.1, 1 / 3, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
    float("inf"), float("-inf"), 1e16, 1e15, 9007199254740993.0, 123456789.125, 1e22, 1e23, 1e-5,
)

BLOBS = (b"", b"\0", b"\xfb\xff", bytes(range(256)), b"x" * 70_000, b"\xf8")

DECIMALS = ("0", "-12.50", "123456789012345678901234567890.123", "=2", "-x")

TIMES = ("0001-01-01T00:00:00.000Z", "2001-01-01T00:00:00.000000000Z", "2016-10-01T09:15:30.123456789Z", "9999-12-31T23:59:59.999Z")


def quoted(name: str) -> str:
    """A name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'


def add_table(database: sqlite3.Connection, name: str, columns: list, rows: list) -> None:
    """One table with its bookkeeping; columns are pairs of name and type."""
    place = database.execute("SELECT count(*) FROM rehome_table").fetchone()[0]
    declared = "".join(f", {quoted(column)} {TYPES[kind]}" for column, kind in columns)
    database.execute(f"CREATE TABLE {quoted(name)} (_pk INTEGER PRIMARY KEY{declared}) STRICT")
    database.execute(
        "INSERT INTO rehome_table (name, position, sourceName, sourceTable) VALUES (?, ?, ?, ?)",
        [name, place, name, name])
    for position, (column, kind) in enumerate(columns):
        database.execute(
            "INSERT INTO rehome_column VALUES (?, ?, ?, ?, ?, ?, 'value', 1, NULL)",
            [name, position, column, column, column, kind])
    marks = ",".join("?" * (len(columns) + 1))
    database.executemany(f"INSERT INTO {quoted(name)} VALUES ({marks})", rows)


def main() -> None:
    """Adds the tables."""
    database = sqlite3.connect(sys.argv[1])
    for number, name in enumerate(NAMES):
        add_table(database, name, [(name, "text"), ("Plain", "text")], [(number, name, None)])
    values = {
        "text": TEXTS, "json": (json.dumps(TEXTS[:-1]), "{}"), "uri": ("http://x/?a=1&b=<2>", ""),
        "uuid": ("6F9619FF-8B86-D011-B42D-00C04FC964FF",), "integer": INTEGERS,
        "reference": INTEGERS, "real": REALS, "boolean": (0, 1), "binary": BLOBS,
        "decimal": DECIMALS, "timestamp": TIMES,
    }
    columns = [("of " + kind, kind) for kind in values]
    lengths = max(map(len, values.values()))
    rows = [
        [key] + [
            None if (key + place) % 5 == 0 else listed[key % len(listed)]
            for place, listed in enumerate(values.values())
        ]
        for key in range(-lengths, 2 * lengths)
    ]
    add_table(database, "Awkward values", columns, rows)
    add_table(database, "Extremes", [("key", "text")], [(-2**63, ""), (2**63 - 1, None)])
    add_table(database, "Empty", [("nothing", "binary")], [])
    add_table(database, "Keys only", [], [(1,), (2,)])
    add_table(database, "All NULL", [("a", "text"), ("b", "real")], [(1, None, None)])
    database.execute(
        "INSERT INTO rehome_operation VALUES (1000, 1, ?, ?, NULL, 'pending', ?, NULL, NULL, NULL,"
        " ?, NULL, ?)", ["\r\n", "\x01", '{"a":"\\u0000"}', "", b"\xff\xfe"])
    for place, raw in enumerate((None, -(2**63), 0.5, "text", b"\xff")):
        database.execute(
            "INSERT INTO rehome_reject VALUES (NULL, 1, 'Empty', ?, 'nothing', 'invalid-text',"
            " 'x', ?)", [place, raw])
    database.commit()


if __name__ == "__main__":
    main()
