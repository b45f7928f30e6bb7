#!/usr/bin/env python3
"""Compares the requests of a replay to a server of Parse with what a store calls for.

    parse_requests.py REHOME STORE…

The requests are worked out from the format's description; `replay --dry-run --json` must show the
same ones, in the same order, and hold back the same operations.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

sys.dont_write_bytecode = True

from parse_store import Number, Store  # noqa: E402
from store_copy import opened  # noqa: E402

# Signing up, signing in and registering are no changes of objects.
OWN_CLASSES = ("_User", "_Session", "_Installation")
SECRETS = {"_User": ("sessionToken", "authData", "password"), "_Session": ("sessionToken",),
           "_Installation": ("installationId",)}


class Requests:
    """What of a store is sent, and what is not."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.operations = store.operations
        self.known = {row.uuid: (row.class_name, row.object_id) for row in store.data
                      if row.object_id is not None and row.uuid is not None}
        self.makers: dict[str, int] = {}
        self.before: dict[int, int] = {}
        self.held: set[int] = set()
        self.chain()
        self.hold()

    def chain(self) -> None:
        """The operation before each on its object; those that nobody can read stand beside."""
        last: dict[object, int] = {}
        orphans: dict[object, bool] = {}
        for place, each in enumerate(self.operations):
            if each["table"] is None or not each["itemId"]:
                continue
            item = (each["table"], each["itemId"])
            if each["kind"] is None:
                # The one before it cannot be told from it, or else the one after it.
                if item in last:
                    self.held.add(last[item])
                else:
                    orphans[item] = True
                continue
            if item in last:
                self.before[place] = last[item]
            elif orphans.get(item):
                self.held.add(place)
            last[item] = place
            if each["kind"] == "insert":
                self.makers.setdefault(each["itemId"], place)

    def hold(self) -> None:
        for place in range(len(self.operations)):
            if not self.is_sendable(place):
                self.held.add(place)
        # Whatever waits for what is not sent, or for itself, is not sent either.
        sent: set[int] = set()
        while True:
            ready = {place for place in range(len(self.operations))
                     if place not in self.held and place not in sent
                     and all(each in sent for each in self.waits_for(place))}
            if not ready:
                break
            sent |= ready
        self.held = set(range(len(self.operations))) - sent

    def is_sendable(self, place: int) -> bool:
        each, (row, changes) = self.operations[place], self.store.sources[place]
        if each["kind"] is None or each["table"] is None or not each["itemId"]:
            return False
        if each["kind"] == "insert" and each["table"] in OWN_CLASSES:
            return False
        is_of_device = row.object_id is None if row else len(each["itemId"]) == 36
        if each["kind"] != "insert" and is_of_device and place not in self.before:
            return False
        if each["kind"] == "delete":
            return True
        if not isinstance(changes, dict) or has_open_file(changes):
            return False
        return all(name in self.known or name in self.makers for name in names_in(changes))

    def waits_for(self, place: int) -> list[int]:
        changes = self.store.sources[place][1]
        others = [self.before[place]] if place in self.before else []
        if self.operations[place]["kind"] != "delete":
            others += [self.makers[name] for name in names_in(changes) if name not in self.known]
        return others

    def requests(self) -> list[tuple[int, str, str, object]]:
        """Sequence, method, path and body, in order."""
        requests = []
        for place, each in enumerate(self.operations):
            if place in self.held:
                continue
            path = "classes/" + quote(each["table"], safe="")
            method, body = "DELETE", None
            row, changes = self.store.sources[place]
            if each["kind"] != "insert":
                path += "/" + quote(each["itemId"], safe="")
            if each["kind"] != "delete":
                method = "POST" if each["kind"] == "insert" else "PUT"
                hidden = SECRETS.get(each["table"], ())
                body = {name: self.shown(value) for name, value in changes.items()
                        if not name.startswith("__") and name not in hidden}
                if each["kind"] == "insert" and row.object_id is not None:
                    body["objectId"] = row.object_id
            requests.append((each["sequence"], method, path, body))
        return requests

    def shown(self, value: object) -> object:
        """A value with pointers by the server's ids, or by the device's before there are any."""
        if isinstance(value, list):
            return [self.shown(each) for each in value]
        if not isinstance(value, dict):
            return value
        if value.get("__type") == "OfflineObject" and isinstance(value.get("uuid"), str):
            name = value["uuid"]
            if name in self.known:
                table, key = self.known[name]
                return {"__type": "Pointer", "className": table, "objectId": key}
            return {"__type": "Pointer", "localId": name,
                    "className": self.operations[self.makers[name]]["table"]}
        return {key: self.shown(each) for key, each in value.items()}


def names_in(value: object) -> list[str]:
    if isinstance(value, list):
        return [name for each in value for name in names_in(each)]
    if not isinstance(value, dict):
        return []
    if value.get("__type") == "OfflineObject" and isinstance(value.get("uuid"), str):
        return [value["uuid"]]
    return [name for each in value.values() for name in names_in(each)]


def has_open_file(value: object) -> bool:
    if isinstance(value, list):
        return any(map(has_open_file, value))
    if not isinstance(value, dict):
        return False
    if value.get("__type") == "File" and ("name" not in value or "url" not in value):
        return True
    return any(map(has_open_file, value.values()))


def plan(tool: str, store: str) -> tuple[list, list[int]]:
    """What the tool would send, and what it holds back."""
    with tempfile.TemporaryDirectory() as folder:
        outcome = subprocess.run(
            [tool, "replay", store, "--to", "https://example.invalid/parse", "--dry-run", "--json",
             "-q", "--journal", f"{folder}/j.rehome"], capture_output=True, timeout=600)
    if outcome.returncode != 0:
        raise RuntimeError(f"{store}: exit {outcome.returncode}: {outcome.stderr.decode()[-300:]}")
    document = json.loads(outcome.stdout, parse_int=Number, parse_float=Number)
    steps = [(int(step["sequences"][0]), step["method"], step["path"], step["body"])
             for step in document["steps"]]
    return steps, [int(each["sequence"]) for each in document["held"]]


def main() -> int:
    tool, wrong, sent = sys.argv[1], 0, 0
    for name in sys.argv[2:]:
        with opened(Path(name)) as database:
            expected = Requests(Store(database))
        wanted = expected.requests()
        held = [expected.operations[place]["sequence"] for place in sorted(expected.held)]
        steps, told = plan(tool, name)
        sent += len(wanted)
        for one, other in zip(wanted, steps):
            if one != other:
                print(f"{name}: must send {one}, sends {other}")
                wrong += 1
        if [each[0] for each in wanted] != [each[0] for each in steps] or held != told:
            print(f"{name}: must send {[each[0] for each in wanted]} and hold {held}, sends "
                  f"{[each[0] for each in steps]} and holds {told}")
            wrong += 1
    print(f"{len(sys.argv) - 2} stores, {sent} requests, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
