"""Compares what a server has after a script was loaded with the canonical store of the same source.

    check_postgresql.py STORE.rehome SCHEMA PSQL-ARGUMENT...

The store is read with Python's sqlite3, the server with psql's COPY as CSV. Every table, column,
row and value is compared, and the queue, errors, tokens and rejects. Prints how many values were
compared, or what differs.
"""

import base64
import csv
import io
import sqlite3
import subprocess
import sys

import postgresql_server

PARTS = {
    "rehome_operation": ("rehome_operation", "sequence", [
        "table", "itemId", "kind", "state", "item", "baseVersion", "rowKey", "rowTable",
        "originalId", "originalCode"]),
    "rehome_error": ("rehome_error", "id", [
        "table", "itemId", "kind", "status", "code", "message", "item", "serverItem", "operation",
        "originalId", "originalOperationId"]),
    "rehome_token": ("rehome_token", "id", ["table", "query", "updatedAt", "raw"]),
}


def psql(arguments, sql):
    done = subprocess.run(
        [postgresql_server.psql(), "-X", "-q", "-v", "ON_ERROR_STOP=1"] + arguments + ["-c", sql],
        capture_output=True)
    if done.returncode:
        sys.exit(done.stderr.decode())
    return done.stdout.decode()


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def literal(text):
    return "'" + text.replace("'", "''") + "'"


def server_rows(arguments, table, key):
    """The rows as texts; NULL is None."""
    sql = (f"SET timezone = 'UTC'; SET extra_float_digits = 1; COPY (SELECT * FROM {table} ORDER BY"
           f" {quoted(key)}) TO stdout WITH (FORMAT csv, HEADER, NULL 'NULL', FORCE_QUOTE *)")
    rows = read_csv(psql(arguments, sql))
    return rows[0], rows[1:]


def read_csv(text):
    """Fields without quotes are NULL: everything else has them."""
    rows, row, field, place = [], [], None, 0
    while place < len(text):
        if text[place] == '"':
            end, parts = place + 1, []
            while True:
                stop = text.index('"', end)
                parts.append(text[end:stop])
                if text[stop + 1:stop + 2] == '"':
                    parts.append('"')
                    end = stop + 2
                    continue
                break
            field, place = "".join(parts), stop + 1
        else:
            stop = place
            while text[stop] not in ",\n":
                stop += 1
            field = None if text[place:stop] == "NULL" else text[place:stop]
            place = stop
        row.append(field)
        if text[place] == "\n":
            rows.append(row)
            row = []
        place += 1
    return rows


def types(arguments, schema, table):
    sql = ("COPY (SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid"
           f" = {literal(quoted(schema) + '.' + quoted(table))}::regclass AND attnum > 0 AND NOT"
           " attisdropped ORDER BY attnum) TO stdout WITH (FORMAT csv, FORCE_QUOTE *)")
    return read_csv(psql(arguments, sql))


def same(ours, theirs, kind):
    if ours is None or theirs is None:
        return ours is None and theirs is None
    if kind == "bytea":
        return theirs == "\\x" + bytes(ours).hex()
    if kind == "boolean":
        return theirs == ("t" if ours else "f")
    if kind == "double precision":
        return float(theirs) == float(ours)
    if kind == "timestamp with time zone":
        head, _, rest = theirs.partition("+")
        if rest != "00":
            return False
        day, clock = head.split(" ")
        whole, _, digits = clock.partition(".")
        mine = ours.rstrip("Z").split("T")
        seconds, _, fraction = mine[1].partition(".")
        return (day, whole, digits.ljust(9, "0")) == (mine[0], seconds, fraction.ljust(9, "0"))
    if kind == "uuid":
        return theirs.lower() == str(ours).lower()
    return theirs == str(ours)


def main():
    store = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    store.text_factory = lambda raw: raw.decode("utf-8")
    schema, arguments = sys.argv[2], sys.argv[3:]
    compared, wrong = 0, []
    names = [row[0] for row in store.execute("SELECT name FROM rehome_table ORDER BY position")]
    tables = [row[0] for row in read_csv(psql(
        arguments, "COPY (SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid ="
        f" c.relnamespace WHERE n.nspname = {literal(schema)} AND c.relkind = 'r' AND c.relname !~"
        " '^rehome_' ORDER BY c.oid) TO stdout WITH (FORMAT csv, FORCE_QUOTE *)"))]
    if len(tables) != len(names):
        sys.exit(f"{tables} in place of {names}")
    pairs = [(ours, theirs, "_pk", None) for ours, theirs in zip(names, tables)]
    pairs += [(ours, theirs, key, columns) for theirs, (ours, key, columns) in PARTS.items()]
    lost = {row[0] for row in read_csv(psql(
        arguments, f'COPY (SELECT "row" FROM {quoted(schema)}.rehome_reject)'
        " TO stdout WITH (FORMAT csv, FORCE_QUOTE *)"))}
    for ours, theirs, key, columns in pairs:
        kinds = [kind for _, kind in types(arguments, schema, theirs)]
        header, rows = server_rows(arguments, quoted(schema) + "." + quoted(theirs), key)
        if columns:
            places = [0] + [header.index(name) for name in columns]
            rows = [[row[place] for place in places] for row in rows]
            kinds = [kinds[place] for place in places]
            chosen = ", ".join(quoted(name) for name in [key] + columns)
        else:
            own = [row[0] for row in store.execute(
                'SELECT name FROM rehome_column WHERE "table" = ? ORDER BY position', (ours,))]
            # In a store of several sources a row knows its own; no catalogue tells that.
            if store.execute("SELECT 1 FROM pragma_table_info(?) WHERE name = '_source'",
                             (ours,)).fetchone() and "_source" not in own:
                own.append("_source")
            chosen = ", ".join(quoted(name) for name in [key] + own)
        mine = store.execute(f"SELECT {chosen} FROM {quoted(ours)} ORDER BY {quoted(key)}").fetchall()
        if len(mine) != len(rows):
            wrong.append(f"{ours}: {len(rows)} rows in place of {len(mine)}")
            continue
        for left, right in zip(mine, rows):
            if len(left) != len(right):
                wrong.append(f"{ours}: {len(right)} columns in place of {len(left)}")
                break
            for place, (a, b, kind) in enumerate(zip(left, right, kinds)):
                compared += 1
                if b is None and isinstance(a, str) and "\0" in a:
                    if str(left[0]) in lost:
                        continue
                if not same(a, b, kind):
                    wrong.append(f"{ours} {left[0]} column {place} {kind}: {b!r} in place of {a!r}")
    for line in wrong[:20]:
        print(line)
    if wrong:
        sys.exit(f"{len(wrong)} differences")
    print(compared)


main()
