#!/usr/bin/env python3
"""Compares what the tool tells of stores with what the reader in this folder finds in them.

Standard input has one JSON object a line: `store` is a path, `inspect` and `audit` are the store's
entries in the tool's reports. Prints a line for each difference, then how many stores were compared.
Tables are for `compare_canonical.py`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from any_store import read_store  # noqa: E402

OPERATION = ("sequence", "table", "itemId", "kind", "state", "item", "baseVersion", "originalId")
TOKEN = ("table", "query", "updatedAt")


def judged(layout: str) -> tuple[str, ...]:
    """The findings that the reader of a layout judges."""
    if layout == "amplify-datastore":
        from amplify_store import JUDGED
    else:
        from parse_store import JUDGED
    return JUDGED


def differences(entry: dict[str, object]) -> list[str]:
    """What differs in one store."""
    store = read_store(Path(entry["store"]))
    inspect, audit = entry["inspect"], entry["audit"]
    found = []
    for key in ("layout", "generation"):
        found += compare(key, store[key], inspect[key])
    counts = {each["name"]: each["rows"] for each in inspect["tables"]}
    found += compare("tables", {name: len(each["rows"]) for name, each in
                                store["tables"].items()}, counts)
    for key, names in (("operations", OPERATION), ("tokens", TOKEN)):
        found += compare(f"number of {key}", len(store[key]), len(audit[key]))
        for wanted, given in zip(store[key], audit[key]):
            for name in names:
                found += compare(f"{key} {wanted.get('sequence')} {name}",
                                 plain(wanted[name]), plain(given[name]))
    codes = judged(store["layout"])
    given = [[each["code"], each["table"], each["itemId"], each["operation"]]
             for each in audit["findings"] if each["code"] in codes]
    left, right = (sorted(map(json.dumps, each)) for each in (store["findings"], given))
    found += [f"finding missing: {each}" for each in left if each not in right]
    found += [f"finding too much: {each}" for each in right if each not in left]
    if len(left) != len(right) and not found:
        found.append(f"{len(right)} findings, not {len(left)}")
    return found


def plain(value: object) -> object:
    """A value with all numbers alike: what hands the report on spells 1.0 as 1."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number else value


def compare(what: str, wanted: object, given: object) -> list[str]:
    """One difference or none; true and 1 differ, as do 1 and 1.0."""
    left, right = (json.dumps(each, sort_keys=True) for each in (wanted, given))
    return [] if left == right else [f"{what}: {right}, not {left}"]


def main() -> None:
    count = 0
    for line in sys.stdin:
        entry = json.loads(line)
        for found in differences(entry):
            print(f"{entry['store']}: {found}")
        count += 1
    print(f"{count} stores")


if __name__ == "__main__":
    main()
