#!/usr/bin/env python3
"""Compares what the tool's reader found in stores with what the reader in this folder finds.

Standard input has one JSON object a line: `store` is a path, the rest is the tool's reading. All
stores go through one process. Prints a line for each difference, then how many stores were read.

The `table` of operations, errors and tokens is the canonical name; here it is the entity's.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from ios_store import read_store  # noqa: E402

INFINITIES = {float("inf"): "Infinity", float("-inf"): "-Infinity"}


def differences(reading: dict[str, object]) -> list[str]:
    """What differs in one store."""
    store = read_store(Path(reading["store"]))
    found = compare("layout", store["layout"], reading["layout"])
    found += compare_generation(store, reading)
    found += compare("tables", list(store["tables"]), reading["tableNames"])
    for name in store["tables"].keys() & reading["tables"].keys():
        found += compare_table(name, store["tables"][name], reading["tables"][name])
    for key in ("operations", "errors", "tokens"):
        wanted = [canonical(entry, store) for entry in store[key]]
        if key == "errors" and store["layout"] == "azure-mobile-ios":
            wanted = [entry | {"code": json_text(entry["code"])} for entry in wanted]
        given = [shown(entry, store) for entry in reading[key]]
        found += compare(key, len(wanted), len(given))
        for at, (left, right) in enumerate(zip(wanted, given)):
            for name in left:
                found += compare(f"{key} {at + 1} {name}", left[name], right.get(name))
    found += compare("rejects", rejects(store["rejects"]), rejects(reading["rejects"]))
    return found


def compare(what: str, wanted: object, given: object) -> list[str]:
    """One difference or none; true and 1 differ, as do 1 and 1.0."""
    if json_text(wanted) == json_text(given):
        return []
    return [f"{what}: {json_text(given)}, not {json_text(wanted)}"]


def compare_generation(store: dict[str, object], reading: dict[str, object]) -> list[str]:
    """A store without system columns counts as new here; the tool asks its payloads, too."""
    columns = {
        column["sourceName"].removeprefix("ms_")
        for table in store["tables"].values() for column in table["columns"]
    }
    has_system_columns = bool(columns & {"version", "createdAt", "updatedAt"})
    if not has_system_columns and (store["generation"], reading["generation"]) == ("2016", "2015"):
        return []
    return compare("generation", store["generation"], reading["generation"])


def compare_table(
    name: str, wanted: dict[str, object], given: dict[str, object]
) -> list[str]:
    """What differs in columns and rows; the keys of join rows mean nothing."""
    columns = [[column[key] for key in ("name", "type")] for column in wanted["columns"]]
    found = compare(f"{name} columns", columns, given["columns"])
    kinds = ["key"] + [kind for _, kind in columns]
    rows = [[cell(kind, value) for kind, value in zip(kinds, row)] for row in given["rows"]]
    left, right = wanted["rows"], rows
    if wanted.get("join"):
        left, right = (sorted((row[1:] for row in each), key=repr) for each in (left, right))
    found += compare(f"{name} rows", len(left), len(right))
    for one, other in zip(left, right):
        found += compare(f"{name} row {one[0]}", one, other)
    return found


def cell(kind: str, value: object) -> object:
    """A cell as the oracle spells it: doubles come as the digits of their bits."""
    if value is None:
        return None
    if kind == "boolean":
        return bool(value)
    if kind == "real":
        number = float.fromhex(value)
        return INFINITIES.get(number, number)
    return value


def canonical(entry: dict[str, object], store: dict[str, object]) -> dict[str, object]:
    """An entry with the canonical name of its table."""
    table = entry["table"]
    renamed = f"app_{table}"
    return entry | {"table": renamed if renamed in store["tables"] else table}


def shown(entry: dict[str, object], store: dict[str, object]) -> dict[str, object]:
    """An entry of the tool's as the oracle shows it: payloads decoded, the current row attached."""
    entry = dict(entry)
    for key in ("item", "serverItem"):
        if key in entry:
            value = json.loads(entry[key]) if entry[key] is not None else None
            entry[key] = value if isinstance(value, dict) else None
    row_key = entry.get("rowKey")
    if row_key is not None:
        table = store["tables"][entry["rowTable"] or entry["table"]]
        names = ["_pk"] + [column["name"] for column in table["columns"]]
        row = next(row for row in table["rows"] if row[0] == row_key)
        entry["item"] = dict(zip(names, row))
    return entry


def rejects(entries: list[dict[str, object]]) -> list[list[object]]:
    """Rejects in one order; a date outside the calendar has two names."""
    names = {"date-out-of-range": "value-out-of-range"}
    return sorted(
        [entry["table"], entry["pk"], entry["column"], names.get(entry["code"], entry["code"])]
        for entry in entries)


def json_text(value: object) -> str | None:
    """A value as text that tells 1, 1.0 and true apart."""
    return None if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)


def main() -> int:
    """Compares every line."""
    count = 0
    for line in sys.stdin.buffer:
        reading = json.loads(line)
        name = Path(reading["store"]).parent.name
        for difference in differences(reading):
            print(f"{name}: {difference}")
        count += 1
    print(f"{count} stores")
    return 0


if __name__ == "__main__":
    sys.exit(main())
