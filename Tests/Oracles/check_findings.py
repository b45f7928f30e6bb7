#!/usr/bin/env python3
"""Compares the findings of an audit with what the store's rows and queue call for.

Standard input has one JSON object a line: `store` is a path, `findings` are those of the audit.
For the codes in `JUDGED` the oracle says from its own reading which operations, items and errors
must be named; it shares no code with the tool. Prints a line for each difference, then how many
stores and findings there were.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.dont_write_bytecode = True

from any_store import read_store  # noqa: E402

PENDING = ("pending", "attempted", "failed")
TRANSIENT = {408, 425, 429} | set(range(500, 600))
JUDGED = (
    "operation-without-row", "operation-for-unknown-table", "undecodable-operation",
    "operation-in-doubt", "insert-then-delete", "insert-after-pending", "operation-after-delete",
    "several-operations-for-item", "duplicate-operation-id", "odd-operation-id",
    "delete-without-item", "error-without-operation", "token-unreadable", "missing-item-id",
    "duplicate-item-id", "item-id-case-twins", "error-conflict", "error-transient",
)


class Judge:
    """What one store calls for, as counted pairs of a code and a place."""

    def __init__(self, store: dict[str, object]) -> None:
        self.store = store
        self.layout = store["layout"]
        self.found: Counter[tuple[str, object]] = Counter()
        tables = {each.lower(): each for each in store["tables"]}
        self.operations = [
            each | {"table": canonical(each["table"], tables, self.layout)}
            for each in store["operations"]]
        self.waiting = [each for each in self.operations if each["state"] in PENDING]
        self.chains: dict[object, list[dict[str, object]]] = defaultdict(list)
        for each in self.waiting:
            if each["kind"] and each["table"] is not None and each["itemId"]:
                self.chains[each["table"], each["itemId"].lower()].append(each)
        self.judge_operations()
        self.judge_chains()
        self.judge_errors()
        self.judge_tables()
        for token in store["tokens"]:
            # The checkpoints of Couchbase are no times.
            if token["updatedAt"] is None and self.layout != "couchbase-lite-1":
                name = canonical(token["table"], tables, self.layout)
                self.found["token-unreadable", (name,)] += 1

    def add(self, code: str, operation: dict[str, object]) -> None:
        """One finding about an operation."""
        self.found[code, operation["sequence"]] += 1

    def judge_operations(self) -> None:
        """What single operations show."""
        seen: set[object] = set()
        for each in self.operations:
            if each["originalId"] is not None and each["originalId"] in seen:
                self.add("duplicate-operation-id", each)
            seen.add(each["originalId"])
        for each in self.waiting:
            if each["table"] is not None and each["table"] not in self.store["tables"]:
                self.add("operation-for-unknown-table", each)
            # The Toolkit deletes by id and version, whatever it kept of the item.
            needs_item = each["kind"] != "delete" or self.layout != "datasync-toolkit"
            is_garbage = needs_item and each["sequence"] in self.store.get("garbage", ())
            if each["kind"] is None or is_garbage:
                self.add("undecodable-operation", each)
            if each["state"] == "attempted":
                self.add("operation-in-doubt", each)
            if self.layout == "azure-mobile-ios" and number(each["originalId"]) <= 0:
                self.add("odd-operation-id", each)
            if (each["kind"] == "delete" and each["item"] in (None, {})
                    and self.layout not in ("azure-mobile-cordova", "datasync-toolkit")):
                self.add("delete-without-item", each)
            # The Toolkit's item is a snapshot, beside which the row may be there all the same.
            if (each["kind"] in ("insert", "update") and each["item"] is None and each["itemId"]
                    and each["table"] in self.store["tables"] and not self.is_deleted(each)
                    and not self.has_row(each["table"], each["itemId"])):
                self.add("operation-without-row", each)

    def has_row(self, table: str, item: str) -> bool:
        """Whether a row of the Toolkit's has an id."""
        return self.layout == "datasync-toolkit" and item in self.ids(table)

    def ids(self, name: str) -> list[object]:
        """The ids of a table's rows; none where it has no column for them."""
        table = self.store["tables"][name]
        columns = [column["name"].lower() for column in table["columns"]]
        if table.get("join") or "id" not in columns:
            return []
        return [row[columns.index("id") + 1] for row in table["rows"]]

    def is_deleted(self, operation: dict[str, object]) -> bool:
        """Whether a later operation deletes the item."""
        chain = self.chains[operation["table"], operation["itemId"].lower()]
        later = chain[chain.index(operation) + 1:]
        return bool(later) and "delete" in (later[0]["kind"], later[-1]["kind"])

    def judge_chains(self) -> None:
        """What several operations on one item show."""
        for chain in self.chains.values():
            if len(chain) > 1:
                self.add("several-operations-for-item", chain[0])
            begin = chain[0]["kind"]
            for before, each in zip(chain, chain[1:]):
                if before["kind"] == "delete":
                    self.add("operation-after-delete", each)
                elif each["kind"] == "insert":
                    self.add("insert-after-pending", each)
                if each["kind"] == "delete" and begin == "insert":
                    self.add("insert-then-delete", each)
                if each["kind"] == "insert" or before["kind"] == "delete":
                    begin = each["kind"]

    def judge_errors(self) -> None:
        """What the SDK noted; an operation of another kind meanwhile is not meant any more."""
        places = {each["sequence"]: each for each in self.operations}
        for error in self.store["errors"]:
            operation = places.get(error["operation"])
            if operation is None:
                continue
            kinds = {error["kind"], operation["kind"]}
            if operation["state"] not in PENDING or len(kinds - {None}) > 1 \
                    or operation["sequence"] in self.store.get("changed", ()):
                continue
            status, code = error["status"], error["code"]
            is_shown = status is None and error["serverItem"] is not None
            if status in (409, 412) or is_shown or (status is None and code == -1303):
                self.add("error-conflict", operation)
            elif status in TRANSIENT or (status is None and self.is_without_answer(error)):
                self.add("error-transient", operation)

    @staticmethod
    def is_without_answer(error: dict[str, object]) -> bool:
        """Whether a request was made and nothing came back, as far as the error tells."""
        # Words alone may be those of a server that refused the change.
        return error["code"] not in (
            None, -1105, -1104, -1103, -1102, -1101, -1303, -1201, 3840)

    def judge_tables(self) -> None:
        """What rows that share an id, or lack one, show."""
        # Only an SDK's tables are known to have items.
        for name in self.store["tables"] if self.layout != "sqlite" else ():
            ids = self.ids(name)
            if any(isinstance(each, bool) or each in (None, "") for each in ids):
                self.found["missing-item-id", (name,)] += 1
            groups: dict[str, list[str]] = defaultdict(list)
            for each in ids:
                if each not in (None, ""):
                    groups[str(each).lower()].append(str(each))
            for group in groups.values():
                spellings = set(group)
                if len(spellings) < len(group):
                    self.found["duplicate-item-id", (name, group[0])] += 1
                if len(spellings) > 1:
                    self.found["item-id-case-twins", (name, group[0])] += 1


def canonical(table: object, tables: dict[str, str], layout: object) -> object:
    """The canonical name of a table; only the SDK for iOS minds letter case."""
    if not isinstance(table, str):
        return table
    for name in (table, f"app_{table}"):
        found = tables.get(name.lower())
        if found and (layout != "azure-mobile-ios" or found == name):
            return found
    return table


def number(text: object) -> int:
    """A number in a text; what is none counts as ordinary."""
    try:
        return int(str(text))
    except ValueError:
        return 1


def place(finding: dict[str, object]) -> tuple[str, object]:
    """A finding's code and what it is about, as the oracle names them."""
    code = finding["code"]
    if code == "unknown-operation-kind":
        code = "undecodable-operation"
    if code in ("token-unreadable", "missing-item-id"):
        return code, (finding["table"],)
    if code in ("duplicate-item-id", "item-id-case-twins"):
        return code, (finding["table"], finding["itemId"])
    return code, finding["operation"]


def main() -> int:
    """Judges every store of standard input."""
    stores = total = 0
    for line in sys.stdin:
        entry = json.loads(line)
        stores += 1
        store = read_store(Path(entry["store"]))
        wanted = Judge(store).found
        given = Counter(place(finding) for finding in entry["findings"])
        given = Counter({key: count for key, count in given.items() if key[0] in JUDGED})
        orphans = sum(each["operation"] is None for each in store["errors"])
        told = sum(each["code"] in ("error-without-operation", "deleted-item-left")
                   for each in entry["findings"])
        stale = sum(each["code"] == "stale-error" for each in entry["findings"])
        if not told <= orphans <= told + stale:
            print(f"{entry['store']}: {told} errors without operation, not {orphans}")
        for counter in (wanted, given):
            for key in [key for key in counter if key[0] == "error-without-operation"]:
                del counter[key]
        total += sum(wanted.values())
        for key in sorted((wanted - given) | (given - wanted), key=str):
            print(f"{entry['store']}: {key} {given[key]} times, not {wanted[key]}")
    print(f"{stores} stores, {total} findings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
