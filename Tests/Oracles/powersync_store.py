"""Reads a store of PowerSync by the formats' description; shares no code with the tool."""

from __future__ import annotations

import json
import re
import sqlite3

from offline_values import Column, Store, plain_table, quoted, shown_time

PARTS = ("ps_migration", "ps_crud", "ps_oplog", "ps_buckets", "ps_untyped")
DATA, LOCAL = "ps_data__", "ps_data_local__"
KINDS = {"PUT": "insert", "PATCH": "update", "DELETE": "delete"}
FOREVER = 9223372036854775807
FINDINGS = {
    "upload-unconfirmed", "local-change-without-operation", "conflict-with-downloaded-copy",
    "row-json-unreadable", "attachment-not-uploaded", "rows-of-unknown-table", "hidden-columns",
    "local-only-table", "schema-newer-than-known", "undecodable-operation",
    "unknown-operation-kind", "several-operations-for-item", "operation-without-row",
    "operation-for-unknown-table", "token-unreadable",
}


def recognised(names: dict[str, list[str]]) -> bool:
    """Whether tables, with their columns, are those of a store."""
    return (
        all(part in names for part in PARTS)
        and sorted(names["ps_migration"]) == ["down_migrations", "id"]
        and {"id", "data"} <= set(names["ps_crud"])
    )


class Unreadable(Exception):
    """A text that is no JSON object."""


def parsed(text: object) -> dict[str, object]:
    """A text as a JSON object, its numbers as they are spelled."""
    try:
        value = json.loads(
            text, parse_float=Real, parse_int=Whole, parse_constant=refuse,
            object_pairs_hook=members)
    except (ValueError, TypeError, RecursionError) as error:
        raise Unreadable from error
    if not isinstance(value, dict):
        raise Unreadable
    return value


def refuse(_: str) -> None:
    """JSON knows neither NaN nor infinity."""
    raise ValueError


def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The members of an object, each key once."""
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError
    return dict(pairs)


class Real(float):
    """A number with fraction or exponent, and its spelling."""

    def __new__(cls, text: str) -> Real:
        number = super().__new__(cls, text)
        number.text = text
        return number


class Whole(int):
    """A whole number."""


def compact(value: object) -> str:
    """A value as compact JSON, numbers as they were spelled."""
    if isinstance(value, Real):
        return value.text
    if isinstance(value, dict):
        return "{" + ",".join(f"{compact(k)}:{compact(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(compact, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


class Rejected(Exception):
    """A value that its column does not take."""


def by_view(kind: str, value: object) -> object:
    """A value in a column of the view; 4.3."""
    if value is None:
        return None
    if isinstance(value, bool):
        return {"text": str(int(value)), "integer": int(value), "real": float(value)}[kind]
    if kind == "text":
        if isinstance(value, str):
            return value
        return compact(value) if isinstance(value, (dict, list)) else shortest(value)
    if isinstance(value, (dict, list)):
        raise Rejected
    if kind == "integer":
        return as_integer(value)
    if isinstance(value, str):
        if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value, re.ASCII):
            raise Rejected
    return float(value) + 0.0


def shortest(value: float) -> str:
    """A number as text: a whole one by its digits, another by the fewest that tell it."""
    return str(int(value)) if isinstance(value, Whole) else repr(float(value))


def as_integer(value: object) -> int:
    """A value in a column of whole numbers."""
    if isinstance(value, str):
        if value != "0" and not re.fullmatch(r"-?[1-9][0-9]{0,17}", value, re.ASCII):
            raise Rejected
        return int(value)
    if value != int(value) or not -(2**63) <= int(value) < 2**63:
        raise Rejected
    return int(value)


def content_type(values: list[object]) -> str:
    """The type of a column that no view has."""
    kinds = {kind_of(value) for value in values if value is not None}
    if kinds <= {"text"}:
        return "text"
    if len(kinds) == 1:
        return kinds.pop()
    return "real" if kinds == {"integer", "real"} else "json"


def kind_of(value: object) -> str:
    """What a value is by itself."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "text"
    if isinstance(value, Whole):
        return "integer" if -(2**63) <= value < 2**63 else "json"
    return "real" if isinstance(value, Real) else "json"


def by_content(kind: str, value: object) -> object:
    """A value in a column that no view has."""
    if value is None:
        return None
    if kind == "json":
        return compact(value)
    if kind == "real":
        if isinstance(value, Whole) and int(float(value)) != value:
            raise Rejected
        return float(value) + 0.0
    return {"text": str, "boolean": int, "integer": int}[kind](value)


VIEW = re.compile(
    r'\s*CREATE\s+VIEW\s+(?:"((?:[^"]|"")*)"|(\w+))\s*\((.*?)\)\s*AS\s+SELECT\s+(.*?)\s+'
    r'FROM\s+(?:"((?:[^"]|"")*)"|(\w+))(.*)', re.I | re.S)
CAST = re.compile(r"CAST\(.*?\s+as\s+(TEXT|INTEGER|REAL)\)", re.I)


def views(database: sqlite3.Connection) -> dict[str, tuple[str, list[tuple[str, str]]]]:
    """The views with their columns, by the tables that they show."""
    found = {}
    for name, sql in database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'"):
        match = VIEW.match(sql or "")
        if not match or "powersync-auto-generated" not in sql:
            continue
        names = [each.replace('""', '"') for each in re.findall(r'"((?:[^"]|"")*)"', match[3])]
        expressions = CAST.findall(match[4])
        table = match[5] or match[6]
        columns = [
            (column, kind.lower()) for column, kind in zip(names[1:], expressions)]
        found[table] = (name, columns)
    return found


def read(database: sqlite3.Connection, names: dict[str, list[str]]) -> Store:
    """Everything in a store."""
    (generation,) = database.execute("SELECT max(id) FROM ps_migration").fetchone()
    store = Store("powersync", str(generation))
    if generation > 14:
        store.findings.add("schema-newer-than-known")
    seen_views = views(database)
    items: dict[str, dict[str, dict[str, object] | None]] = {}
    for table in names:
        if table.startswith((DATA, LOCAL)):
            items |= add_table(store, database, table, seen_views.get(table, (None, None))[1])
        elif not table.startswith(("ps_", "powersync_", "__ps_temp_")) and table != "android_metadata":
            store.tables[table] = plain_table(database, table, names[table])
    add_untyped(store, database)
    known = set(items) | set(store.tables) | insert_only(database)
    queue = add_operations(store, database, names, known, items)
    add_tokens(store, database, names)
    add_comparisons(store, database, names, queue, items, seen_views)
    add_attachments(store, database, items)
    return store


def add_table(
    store: Store, database: sqlite3.Connection, table: str, columns: list[tuple[str, str]] | None
) -> dict[str, dict[str, dict[str, object] | None]]:
    """One table of documents."""
    name = table.removeprefix(LOCAL).removeprefix(DATA)
    rows = database.execute(f"SELECT rowid, id, data FROM {quoted(table)} ORDER BY rowid").fetchall()
    shown = [] if columns is None else [
        (column, kind) for column, kind in columns if column not in ("_metadata", "_deleted")]
    if rows and table.startswith(LOCAL):
        store.findings.add("local-only-table")
    documents = add_rows(store, name, shown, rows, columns is not None)
    return {name: {row[1]: document for row, document in zip(rows, documents)}}


def add_rows(
    store: Store, name: str, shown: list[tuple[str, str]], rows: list[tuple], has_view: bool
) -> list[dict[str, object] | None]:
    """The rows of documents, with the keys that no view shows behind the others."""
    documents: list[dict[str, object] | None] = []
    for _, _, text in rows:
        try:
            documents.append({} if text is None else parsed(text))
        except Unreadable:
            documents.append(None)
    own = {column for column, _ in shown} | {"id"}
    hidden = sorted(
        {key for document in documents for key in document or {}} - own - {"_metadata", "_deleted"},
        key=lambda key: key.encode())
    if hidden and has_view:
        store.findings.add("hidden-columns")
    kinds = [
        (key, content_type([(each or {}).get(key) for each in documents])) for key in hidden]
    columns = [Column("id", "id", "text", "id")] + [
        Column(key, key, kind) for key, kind in shown + kinds]
    if len(columns) == 1 and None in documents:
        kinds = [("data", "text")]
        columns.append(Column("data", "data", "text"))
    store.tables[name] = (columns, [])
    for (pk, identity, _), document in zip(rows, documents):
        cells: list[object] = [pk, identity]
        if document is None:
            store.findings.add("row-json-unreadable")
            store.rejects.append((name, pk, columns[1].name))
        for key, kind in shown:
            try:
                cells.append(by_view(kind, (document or {}).get(key)))
            except Rejected:
                cells.append(None)
                store.rejects.append((name, pk, key))
        for key, kind in kinds:
            try:
                cells.append(by_content(kind, (document or {}).get(key)))
            except Rejected:
                cells.append(None)
                store.rejects.append((name, pk, key))
        store.tables[name][1].append(cells)
    return documents


def add_untyped(store: Store, database: sqlite3.Connection) -> None:
    """The rows of types for which the app has no table."""
    types = [row[0] for row in database.execute("SELECT DISTINCT type FROM ps_untyped ORDER BY 1")]
    for kind in types:
        rows = database.execute(
            "SELECT rowid, id, data FROM ps_untyped WHERE type = ? ORDER BY rowid", (kind,))
        store.findings.add("rows-of-unknown-table")
        name = kind if kind not in store.tables else kind + "_2"
        add_rows(store, name, [], rows.fetchall(), False)


def insert_only(database: sqlite3.Connection) -> set[str]:
    """The types that a view or trigger writes into the queue without keeping the rows."""
    found = set()
    for (sql,) in database.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'"):
        found |= set(re.findall(r"'type',\s*'((?:[^']|'')*)'", sql or ""))
        found |= set(re.findall(r"powersync_crud\s*\(.*?VALUES\s*\([^,]*,[^,]*,\s*'((?:[^']|'')*)'",
                                sql or "", re.S))
    return found


def add_operations(
    store: Store, database: sqlite3.Connection, names: dict[str, list[str]], known: set[str],
    items: dict[str, dict[str, dict[str, object] | None]],
) -> list[tuple[str | None, str | None]]:
    """The upload queue with what it folds to."""
    transaction = "tx_id" if "tx_id" in names["ps_crud"] else "NULL"
    chains: dict[tuple[str, str], list[int]] = {}
    payloads: list[dict[str, object] | None] = []
    for number, data, tx in database.execute(
            f"SELECT id, data, {transaction} FROM ps_crud ORDER BY id"):
        operation = {
            "table": None, "itemId": None, "kind": None, "state": "pending", "item": None,
            "baseVersion": None, "originalId": str(number), "transaction": tx}
        payload = None
        try:
            entry = parsed(data)
        except Unreadable:
            entry = {}
            store.findings.add("undecodable-operation")
        else:
            payload = fill(operation, entry, store)
        store.operations.append(operation)
        payloads.append(payload)
        if operation["kind"]:
            chains.setdefault((operation["table"], operation["itemId"]), []).append(
                len(store.operations))
            if operation["table"] not in known:
                store.findings.add("operation-for-unknown-table")
    add_effects(store, chains, payloads)
    for (table, identity), chain in chains.items():
        if len(chain) > 1:
            store.findings.add("several-operations-for-item")
        last = store.operations[chain[-1] - 1]["kind"]
        if last != "delete" and table in items and identity not in items[table]:
            if table not in insert_only(database) or items[table]:
                store.findings.add("operation-without-row")
    return list(chains)


def fill(operation: dict[str, object], entry: dict[str, object], store: Store) -> object:
    """Decodes one entry; returns its payload."""
    table, identity, word = (entry.get(key) for key in ("type", "id", "op"))
    if isinstance(table, str):
        operation["table"] = table
    if isinstance(identity, str) or (isinstance(identity, Whole)):
        operation["itemId"] = str(identity)
    if not isinstance(word, str):
        store.findings.add("undecodable-operation")
        return None
    if operation["table"] is None or operation["itemId"] is None:
        store.findings.add("undecodable-operation")
        return None
    if word not in KINDS:
        store.findings.add("unknown-operation-kind")
        return None
    payload = entry.get("old" if word == "DELETE" else "data")
    if word != "DELETE" and not isinstance(payload, dict):
        store.findings.add("undecodable-operation")
        return None
    operation["kind"] = KINDS[word]
    payload = payload if isinstance(payload, dict) else None
    operation["item"] = payload
    if word == "PATCH":
        operation["changed"] = list(payload)
    for key in ("old", "metadata"):
        if key in entry:
            operation[key] = entry[key]
    return payload


def add_effects(
    store: Store, chains: dict[tuple[str, str], list[int]],
    payloads: list[dict[str, object] | None],
) -> None:
    """What the operations on each item come to; 5.2."""
    effects = []
    for (table, identity), chain in chains.items():
        current: dict[str, object] | None = None
        for number in chain:
            kind, payload = store.operations[number - 1]["kind"], payloads[number - 1]
            if current is None or (current["kind"] == "delete" and kind == "update"):
                current = {"table": table, "itemId": identity, "kind": kind, "sequences": [number],
                           "item": payload, "baseVersion": None}
                effects.append(current)
                continue
            current["sequences"].append(number)
            if kind == "update":
                current["item"] = (current["item"] or {}) | (payload or {})
            else:
                # Of several deletes the last that keeps the old values counts.
                if payload is not None or kind != current["kind"]:
                    current["item"] = payload
                current["kind"] = kind
    store.effects = sorted(effects, key=lambda effect: effect["sequences"][0])


def add_tokens(store: Store, database: sqlite3.Connection, names: dict[str, list[str]]) -> None:
    """How far downloads had come."""
    def add(query: str, value: object) -> None:
        if isinstance(value, int):
            time = shown_time(value, 1_000_000)
        else:
            match = re.fullmatch(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)", str(value))
            time = f"{match[1]}T{match[2]}.000Z" if match else None
        if time is None:
            store.findings.add("token-unreadable")
        store.tokens.append(
            {"table": None, "query": query, "raw": str(value), "updatedAt": time})

    if "ps_sync_state" in names:
        for priority, time in database.execute(
                "SELECT priority, last_synced_at FROM ps_sync_state ORDER BY rowid"):
            add("complete" if priority == 2147483647 else f"priority:{priority}", time)
    elif "ps_kv" in names:
        for (time,) in database.execute("SELECT value FROM ps_kv WHERE key = 'last_synced_at'"):
            add("complete", time)
    if "ps_stream_subscriptions" in names:
        (generation,) = database.execute("SELECT max(id) FROM ps_migration").fetchone()
        for stream, parameters, time in database.execute(
                "SELECT stream_name, local_params, last_synced_at FROM ps_stream_subscriptions "
                "WHERE last_synced_at IS NOT NULL ORDER BY id"):
            none = parameters in (None, "null")
            add(stream if none else f"{stream} {parameters}",
                time if generation >= 13 else time * 1_000_000)
            store.tokens[-1]["raw"] = str(time)


def gate_is_shut(database: sqlite3.Connection, generation: int) -> bool:
    """Whether local writes wait for the service to confirm them."""
    if generation >= 14:
        keys = dict(database.execute("SELECT key, value FROM ps_kv"))
        target = keys.get("target_checkpoint_request_id")
        seen = keys.get("last_seen_checkpoint_request_id")
        return target is not None and (seen is None or int(target) > int(seen))
    row = database.execute(
        "SELECT target_op, last_op FROM ps_buckets WHERE name = '$local'").fetchone()
    return row is not None and row[0] > row[1]


def add_comparisons(
    store: Store, database: sqlite3.Connection, names: dict[str, list[str]],
    queue: list[tuple[str | None, str | None]],
    items: dict[str, dict[str, dict[str, object] | None]],
    shown: dict[str, tuple[str, list[tuple[str, str]]]],
) -> None:
    """What the downloaded copies tell."""
    generation = int(store.generation)
    if not store.operations and gate_is_shut(database, generation):
        store.findings.add("upload-unconfirmed")
    key = "id" if generation >= 5 else "name"
    applied = dict(database.execute(f"SELECT {key}, last_applied_op FROM ps_buckets"))
    newest: dict[tuple[str, str], tuple[int, object]] = {}
    waiting = set()
    local = set()
    extra = "" if generation >= 5 else "WHERE superseded = 0 AND op IN (3, 4)"
    for bucket, op, kind, identity, data in database.execute(
            f"SELECT bucket, op_id, row_type, row_id, data FROM ps_oplog {extra}"):
        if bucket == "$local":
            continue
        item = (kind, identity)
        if op > applied.get(bucket, 0):
            waiting.add(item)
        if item not in newest or newest[item][0] < op:
            newest[item] = (op, data)
    if waiting & set(queue):
        store.findings.add("conflict-with-downloaded-copy")
    if generation >= 5:
        local = set(database.execute("SELECT row_type, row_id FROM ps_updated_rows"))
    else:
        local = set(database.execute(
            "SELECT row_type, row_id FROM ps_oplog WHERE bucket = '$local'"))
    for kind, identity in local - set(queue):
        if kind not in items or items[kind].get(identity) is None:
            continue
        copy = newest.get((kind, identity), (0, None))[1]
        columns = shown.get(DATA + kind, ("", []))[1]
        if copy is None or not same(items[kind][identity], parsed(copy), columns):
            store.findings.add("local-change-without-operation")


def same(row: dict, copy: dict, columns: list[tuple[str, str]]) -> bool:
    """Whether a view would show a row and its copy alike."""
    return all(seen(kind, row.get(name)) == seen(kind, copy.get(name)) for name, kind in columns)


def seen(kind: str, value: object) -> object:
    """A value in a column, or the raw value where it has no place there."""
    try:
        return by_view(kind, value)
    except Rejected:
        return compact(value)


def add_attachments(
    store: Store, database: sqlite3.Connection,
    items: dict[str, dict[str, dict[str, object] | None]],
) -> None:
    """Files that were most likely never uploaded."""
    for name in ("attachments", "attachments_queue"):
        for document in items.get(name, {}).values():
            if document and document.get("state") in (0, 1) and document.get("local_uri") \
                    and not document.get("has_synced"):
                store.findings.add("attachment-not-uploaded")
