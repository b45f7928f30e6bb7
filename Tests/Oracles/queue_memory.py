#!/usr/bin/env python3
"""Tells how much memory the commands take for a store with a long queue.

    queue_memory.py REHOME FOLDER [--operations N] [--rows N] [--payload BYTES] [--text BYTES]
                     [--names N] [--errors N] [--stores N] [--apart] [--amplify KIND] [--sdk NAME] [--only NAME]...

The store is that of the SDK for iOS: each operation is on an item of its own, every third one is a
delete that keeps the deleted item, of so many bytes; a row's text may be as long. The operations name so many tables, of which
all but one are not there. The first operations have failed, as many as there are to be errors, each
with two kilobytes of what the server said. A merge is one of so many stores with the same items,
or with items of their own where these are to be apart. With a kind, which is Create or Update, the
store is that of Amplify for JavaScript, where something is found about each update. With an SDK it is
one that keeps a list of all items beside the queue: powersync, amplify-ios or android. A line for each
command: its name, the peak of its memory in MiB and its exit code.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

SCHEMA = """
PRAGMA journal_mode = off; PRAGMA synchronous = off;
CREATE TABLE ZMS_TABLECONFIG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
  ZKEYTYPE INTEGER, ZID VARCHAR, ZKEY VARCHAR, ZTABLE VARCHAR, ZVALUE VARCHAR);
CREATE TABLE ZMS_TABLEOPERATIONERRORS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
  ZOPERATIONID INTEGER, ZTABLEKIND INTEGER, ZID VARCHAR, ZPROPERTIES BLOB);
CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
  ZID INTEGER, ZTABLEKIND INTEGER, ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
CREATE TABLE ZTODOITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
  ZID VARCHAR, ZTEXT VARCHAR, ZVERSION VARCHAR);
CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
  Z_MAX INTEGER);
CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableConfig', 0, 0),
  (2, 'MS_TableOperationErrors', 0, 0), (3, 'MS_TableOperations', 0, 100000000),
  (4, 'TodoItem', 0, 100000000);
INSERT INTO Z_METADATA VALUES (1, '5E1F0B1A-0000-4000-8000-000000000001', NULL);
"""

AMPLIFY_SCHEMA = """
PRAGMA journal_mode = off; PRAGMA synchronous = off;
CREATE TABLE TodoItem (id TEXT PRIMARY KEY NOT NULL, text TEXT, _version INTEGER,
  _lastChangedAt INTEGER, _deleted INTEGER);
CREATE TABLE MutationEvent (id TEXT PRIMARY KEY NOT NULL, model TEXT NOT NULL, data TEXT,
  modelId TEXT NOT NULL, operation TEXT NOT NULL, condition TEXT);
CREATE TABLE ModelMetadata (id TEXT PRIMARY KEY NOT NULL, namespace TEXT, model TEXT,
  lastSync INTEGER, lastFullSync INTEGER, fullSyncInterval INTEGER, lastSyncPredicate TEXT);
CREATE TABLE Setting (id TEXT PRIMARY KEY NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL);
"""

POWERSYNC_SCHEMA = """
PRAGMA journal_mode = off; PRAGMA synchronous = off;
CREATE TABLE ps_migration(id INTEGER PRIMARY KEY, down_migrations TEXT);
INSERT INTO ps_migration VALUES (12, NULL);
CREATE TABLE ps_crud (id INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT, tx_id INTEGER);
CREATE TABLE ps_untyped(type TEXT NOT NULL, id TEXT NOT NULL, data TEXT, PRIMARY KEY (type, id));
CREATE TABLE ps_buckets(id INTEGER PRIMARY KEY, name TEXT NOT NULL,
  last_applied_op INTEGER NOT NULL DEFAULT 0, last_op INTEGER NOT NULL DEFAULT 0,
  target_op INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO ps_buckets VALUES (1, 'items', 5, 9, 0);
CREATE TABLE ps_oplog(bucket INTEGER NOT NULL, op_id INTEGER NOT NULL, row_type TEXT, row_id TEXT,
  key TEXT, data TEXT, hash INTEGER NOT NULL) STRICT;
CREATE TABLE ps_updated_rows(row_type TEXT, row_id TEXT, PRIMARY KEY(row_type, row_id))
  STRICT, WITHOUT ROWID;
CREATE TABLE "ps_data__items"(id TEXT PRIMARY KEY NOT NULL, data TEXT);
CREATE VIEW "items"("id", "text") AS SELECT id, CAST(json_extract(data, '$.text') as TEXT)
  FROM "ps_data__items" -- powersync-auto-generated
;
"""

AMPLIFY_IOS_SCHEMA = """
PRAGMA journal_mode = off; PRAGMA synchronous = off;
CREATE TABLE TodoItem (id text primary key not null, text text);
CREATE TABLE ModelSyncMetadata (id text primary key not null, lastSync integer, syncPredicate text);
CREATE TABLE MutationEvent (id text primary key not null, createdAt text not null,
  graphQLFilterJSON text, inProcess integer not null, json text not null, modelId text not null,
  modelName text not null, mutationType text not null, version integer);
CREATE TABLE MutationSyncMetadata (id text primary key not null, deleted integer not null,
  lastChangedAt integer not null, version integer not null);
"""

ANDROID_SCHEMA = """
PRAGMA journal_mode = off; PRAGMA synchronous = off;
CREATE TABLE todoitem (id TEXT PRIMARY KEY, text TEXT, __version TEXT);
CREATE TABLE __operations (id TEXT PRIMARY KEY, kind REAL, tablename TEXT, itemid TEXT,
  __queueloadedat TEXT, sequence REAL, state REAL, __createdat TEXT);
CREATE TABLE __errors (id TEXT PRIMARY KEY, operationid TEXT, operationkind TEXT, tablename TEXT,
  itemid TEXT, clientitem TEXT, errormessage TEXT, statuscode REAL, serverresponse TEXT,
  serveritem TEXT, __createdat TEXT);
CREATE TABLE __itembackups (id TEXT PRIMARY KEY, tablename TEXT, itemid TEXT, clientitem TEXT);
CREATE TABLE __incrementalpulldata (id TEXT PRIMARY KEY, maxupdateddate TEXT);
"""

# For each SDK what stands in its tables for each of the rows, and then for each of the operations.
SDKS = {
    "powersync": (POWERSYNC_SCHEMA, [
        "INSERT INTO ps_data__items VALUES (:id, json_object('text', :number))",
        "INSERT INTO ps_oplog VALUES (1, 6, 'items', :id, '', json_object('text', :number), 0)",
    ], [
        "INSERT INTO ps_crud (data) VALUES (json_object('op', 'PATCH', 'type', 'items', 'id', :id, "
        "'data', json_object('text', :number || :filler)))",
        "INSERT OR IGNORE INTO ps_updated_rows VALUES ('items', :id)",
    ]),
    "amplify-ios": (AMPLIFY_IOS_SCHEMA, [
        "INSERT INTO TodoItem VALUES (:id, 'text')",
        "INSERT INTO MutationSyncMetadata VALUES ('TodoItem|' || :id, 0, 1, :number)",
    ], [
        "INSERT INTO MutationEvent VALUES ('e' || :number, '2024-05-01T10:20:30.123Z', NULL, 0, "
        "json_object('id', :id), :id, 'TodoItem', 'update', NULL)",
    ]),
    "android": (ANDROID_SCHEMA, [], [
        "INSERT INTO __operations VALUES ('e' || :number, 2.0, 'todoitem', :id, '2016', :number, 0.0, "
        "NULL)",
        "INSERT INTO __itembackups VALUES ('todoitem/' || :id, 'todoitem', :id, "
        "json_object('id', :id, '__version', :number, 'text', 'a text of forty letters, or some more'))",
    ]),
}

# What is run in this order; the words are the arguments, `{}` stands for the folder.
COMMANDS = {
    "inspect": "inspect --json {}/store.sqlite",
    "audit": "audit {}/store.sqlite",
    "audit-json": "audit --json {}/store.sqlite",
    "audit-html": "audit -q -f --html {}/page.html {}/store.sqlite",
    "audit-csv": "audit -q -f --csv {}/operations.csv {}/store.sqlite",
    "ops": "ops list {}/store.sqlite",
    "ops-json": "ops list --json {}/store.sqlite",
    "ops-finding": "ops list --finding insert-already-on-server {}/store.sqlite",
    "ops-show": "ops show {}/store.sqlite 7",
    "find": "find --json {}/store.sqlite",
    "hash": "hash {}/store.sqlite",
    "convert": "convert -q {}/store.sqlite -o {}/store.rehome",
    "inspect-both": "inspect --json {}/store.sqlite {}/store.rehome",
    "convert-json": "convert --json {}/store.sqlite -o {}/told.rehome",
    "json-json": "export --json {}/store.sqlite --to json -o {}/told.json --report {}/told",
    "verify": "verify {}/store.sqlite {}/store.rehome",
    "json": "export -q {}/store.sqlite --to json -o {}/store.json",
    "ndjson": "export -q {}/store.sqlite --to ndjson -o {}/store.ndjson",
    "csv": "export -q {}/store.sqlite --to csv -o {}/bundle",
    "xml": "export -q {}/store.sqlite --to xml -o {}/store.xml",
    "postgresql": "export -q {}/store.sqlite --to postgresql -o {}/store.sql",
    "seed-json": "seed -q {}/store.json -o {}/json.rehome",
    "seed-ndjson": "seed -q {}/store.ndjson -o {}/ndjson.rehome",
    "seed-csv": "seed -q {}/bundle -o {}/csv.rehome",
    "seed-xml": "seed -q {}/store.xml -o {}/xml.rehome",
    "seed-toolkit": "seed -q {}/bundle --into toolkit -o {}/toolkit.db",
    "again": "convert -q {}/store.rehome -o {}/again.rehome",
    "plan": "replay {}/store.rehome --to {}/target.rehome --dry-run",
    "plan-json": "replay --json {}/store.rehome --to {}/target.rehome --dry-run",
    "replay": "replay -q {}/store.rehome --to {}/target.rehome --on-conflict client-wins",
    "replay-again": "replay -q {}/store.rehome --to {}/target.rehome --on-conflict client-wins",
    "conflicts": "replay -q -f --report {}/told.json {}/told.rehome --to {}/changed.rehome",
    "inspect-after": "inspect --json {}/store.rehome",
    "audit-after": "audit --json {}/store.rehome",
    "html-after": "audit -q -f --html {}/page.html {}/store.rehome",
    "merge": "convert -q --files-from {}/stores.txt -o {}/merged.rehome",
    "audit-merged": "audit --json {}/merged.rehome",
    "html-merged": "audit -q -f --html {}/page.html {}/merged.rehome",
    "hash-merged": "hash {}/merged.rehome",
    "verify-merged": "verify {}/merged.rehome {}/merged.rehome",
    "json-merged": "export -q {}/merged.rehome --to json -o {}/merged.json",
    "csv-merged": "export -q {}/merged.rehome --to csv -o {}/merged",
    "xml-merged": "export -q {}/merged.rehome --to xml -o {}/merged.xml",
    "seed-json-merged": "seed -q {}/merged.json -o {}/json-merged.rehome",
    "seed-xml-merged": "seed -q {}/merged.xml -o {}/xml-merged.rehome",
    "seed-csv-merged": "seed -q {}/merged -o {}/csv-merged.rehome",
    "plan-merged": "replay {}/merged.rehome --to {}/other.rehome --dry-run",
    "merge-seeded": "convert -q {}/store.rehome {}/json.rehome -o {}/merged-seeded.rehome",
    "mark": "ops drop -q {}/store.rehome --table TodoItem --why obsolete",
    "mark-again": "ops keep --json {}/store.rehome --table TodoItem",
    "inspect-marked": "inspect --json {}/store.rehome",
    "hash-marked": "hash {}/store.rehome",
    "json-marked": "export -q {}/store.rehome --to json -o {}/marked.json",
    "seed-marked": "seed -q {}/marked.json -o {}/marked.rehome",
    "merge-marked": "convert -q {}/store.rehome {}/marked.rehome -o {}/merged-marked.rehome",
    "verify-pending": "verify --by-id --pending {}/store.sqlite {}/target.rehome",
}


def rows(count: int, text: int) -> Iterator[tuple]:
    """The items, of which every third one has no version yet."""
    filler = "x" * text
    for number in range(1, count + 1):
        version = None if number % 3 == 0 else f"AAAAAAA{number:05x}="
        yield number, item_id(number), f"eggs, water {number % 4001}{filler}", version


def operations(count: int, items: int, payload: int, names: int) -> Iterator[tuple]:
    """The operations, whose items come in another order than the rows."""
    filler = "x" * payload
    for number in range(1, count + 1):
        item = item_id(number * 7919 % items + 1)
        kind = number % 3
        stored = f'{{"type":{kind}}}'
        if kind == 2:
            stored = (f'{{"type":2,"item":{{"id":"{item}","version":"AA{number:x}",'
                      f'"text":"{filler}"}}}}')
        name = f"Gone{number % names}" if number % names else "TodoItem"
        yield number, number, item, name, stored.encode()


def errors(count: int, items: int) -> Iterator[tuple]:
    """What the SDK wrote down of the first operations, half of them with the server's copy."""
    words = "no " * 700
    for number in range(1, count + 1):
        item = item_id(number * 7919 % items + 1)
        copy = f',"serverItem":{{"id":"{item}","text":"server","version":"ZZ"}}'
        stored = (f'{{"id":"e{number}","code":-1302,"description":"{words}{number}",'
                  f'"table":"TodoItem","operation":{number % 3},"itemId":"{item}",'
                  f'"statusCode":{412 if number % 2 else 500},"tableKind":0,'
                  f'"item":{{"id":"{item}","text":"mine"}}{copy if number % 2 else ""}}}')
        yield number, number, f"e{number}", stored.encode()


def item_id(number: int) -> str:
    """The id of an item."""
    return f"{number * 2654435761 % 2**32:08x}-aaaa-4bbb-8ccc-{number:012x}"


def events(count: int, items: int, kind: str) -> Iterator[tuple]:
    """The changes that Amplify keeps, all of one kind."""
    for number in range(1, count + 1):
        item = item_id(number * 7919 % items + 1)
        stored = f'{{"id":"{item}","text":"text {number}","_version":1}}'
        yield item_id(number + 10**8), "TodoItem", stored, item, kind, "{}"


def make_amplify(path: Path, options: argparse.Namespace) -> None:
    """Makes the store of Amplify."""
    base = sqlite3.connect(path)
    base.executescript(AMPLIFY_SCHEMA)
    base.executemany(
        "INSERT INTO TodoItem VALUES (?, ?, 1, 1600000000000, 0)",
        ((item_id(number), f"text {number}") for number in range(1, options.rows + 1)))
    base.executemany(
        "INSERT INTO MutationEvent VALUES (?, ?, ?, ?, ?, ?)",
        events(options.operations, options.rows, options.amplify))
    base.commit()
    base.close()


def make_sdk(path: Path, options: argparse.Namespace) -> None:
    """Makes the store of an SDK that lists its items beside the queue."""
    schema, of_rows, of_operations = SDKS[options.sdk]
    filler = "x" * options.payload
    base = sqlite3.connect(path)
    base.executescript(schema)
    for count, statements in (options.rows, of_rows), (options.operations, of_operations):
        for statement in statements:
            base.executemany(statement, (
                {"number": number, "id": item_id(number * 7919 % options.rows + 1), "filler": filler}
                for number in range(1, count + 1)))
    base.commit()
    base.close()


def make(path: Path, options: argparse.Namespace) -> None:
    """Makes the store."""
    if options.sdk:
        make_sdk(path, options)
        return
    if options.amplify:
        make_amplify(path, options)
        return
    base = sqlite3.connect(path)
    base.executescript(SCHEMA)
    base.executemany(
        "INSERT INTO ZTODOITEM VALUES (?, 4, 1, ?, ?, ?)", rows(options.rows, options.text))
    base.executemany(
        "INSERT INTO ZMS_TABLEOPERATIONS VALUES (?, 3, 1, ?, 0, ?, ?, ?)",
        operations(options.operations, options.rows, options.payload, options.names))
    base.executemany(
        "INSERT INTO ZMS_TABLEOPERATIONERRORS VALUES (?, 2, 1, ?, 0, ?, ?)",
        errors(min(options.errors, options.operations), options.rows))
    base.commit()
    base.close()


def make_others(folder: Path, options: argparse.Namespace) -> None:
    """Makes the stores of a merge, each of another device."""
    paths = [folder / "store.sqlite"]
    for number in range(2, options.stores + 1):
        paths.append(folder / f"store{number}.sqlite")
        shutil.copy(paths[0], paths[-1])
        base = sqlite3.connect(paths[-1])
        base.execute("UPDATE Z_METADATA SET Z_UUID = ?", (f"device {number}",))
        if options.apart:
            for table, column in ("ZTODOITEM", "ZID"), ("ZMS_TABLEOPERATIONS", "ZITEMID"):
                base.execute(f"UPDATE {table} SET {column} = {number} || {column}")
        base.commit()
        base.close()
    (folder / "stores.txt").write_text("".join(f"{path}\n" for path in paths))


def make_changed(folder: Path) -> None:
    """Makes a target whose items are all others than the device knew."""
    shutil.copy(folder / "store.rehome", folder / "changed.rehome")
    base = sqlite3.connect(folder / "changed.rehome")
    base.execute("UPDATE TodoItem SET text = 'server', version = 'ZZ'")
    base.commit()
    base.close()


def measure(tool: str, words: str, folder: Path) -> tuple[int, int]:
    """The peak of memory in MiB, and the exit code."""
    with (folder / "output").open("wb") as output, (folder / "error").open("wb") as error:
        process = subprocess.Popen(
            [tool, *words.replace("{}", str(folder)).split()], stdout=output, stderr=error)
        _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss // 1024, os.waitstatus_to_exitcode(status)


def main() -> None:
    """Makes the store and measures the commands."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--operations", type=int, default=2_000_000)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--payload", type=int, default=20)
    parser.add_argument("--text", type=int, default=0)
    parser.add_argument("--names", type=int, default=1)
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("--stores", type=int, default=2)
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--amplify")
    parser.add_argument("--sdk", choices=SDKS)
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if not (options.folder / "store.sqlite").exists():
        make(options.folder / "store.sqlite", options)
    for name, words in COMMANDS.items():
        if options.only and name not in options.only:
            continue
        if name == "merge":
            make_others(options.folder, options)
        if name == "conflicts":
            make_changed(options.folder)
        if name == "plan-merged":
            shutil.copy(options.folder / "merged.rehome", options.folder / "other.rehome")
        if name == "plan":
            shutil.copy(options.folder / "store.rehome", options.folder / "target.rehome")
        for output in words.split(" -o {}/")[1:]:
            path = options.folder / output
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(True)
        memory, code = measure(options.tool, words, options.folder)
        print(f"{name} {memory} {code}", flush=True)


if __name__ == "__main__":
    main()
