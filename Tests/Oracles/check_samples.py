#!/usr/bin/env python3
"""Checks that the readers in this folder read each sample to its expected files.

Sample and expectation come from the sample's description, what is read only from the store, so
an error on either side shows here. Prints what differs; exits 0 when nothing does.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from any_store import read_store  # noqa: E402
from ios_store import table_lines  # noqa: E402

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def check(folder: Path) -> list[str]:
    """What differs in one sample."""
    expected = folder / "expected"
    name = json.loads((expected / "inspect.json").read_bytes())["stores"][0]["name"]
    store = read_store(folder / name)
    found = []
    names = sorted(path.stem for path in (expected / "tables").glob("*.ndjson"))
    if names != sorted(store["tables"]):
        found.append(f"tables are {sorted(store['tables'])}, not {names}")
    for table in names:
        lines = table_lines(store, table).encode()
        if lines != (expected / f"tables/{table}.ndjson").read_bytes():
            found.append(f"table {table} differs")
    found += same("inspect.json", expected, "stores", [inspection(name, store)])
    found += same("convert.json", expected, "tables", conversion(store))
    found += same("audit-queue.json", expected, "stores", [audit(name, store)])
    return [f"{folder.name}: {line}" for line in found]


def same(file: str, expected: Path, key: str, value: object) -> list[str]:
    """Nothing if an expected file has a value under a key, else a difference."""
    wanted = json.loads((expected / file).read_text(encoding="utf-8"))[key]
    return [] if wanted == value else [f"{file} differs: {value} is not {wanted}"]


def inspection(name: str, store: dict[str, object]) -> dict[str, object]:
    """The fixed fields of an inspect report."""
    kinds = [operation["kind"] for operation in store["operations"]]
    queue = {"operations": len(kinds)}
    queue |= {f"{kind}s": kinds.count(kind) for kind in ("insert", "update", "delete")}
    queue |= {"errors": len(store["errors"]), "tokens": len(store["tokens"])}
    return {
        "name": name,
        "layout": store["layout"],
        "generation": store["generation"],
        "tables": [
            {"name": table, "rows": len(content["rows"])}
            for table, content in store["tables"].items()
        ],
        "queue": queue,
    }


def conversion(store: dict[str, object]) -> list[dict[str, object]]:
    """The table counts of a convert report."""
    return [
        {
            "name": name,
            "read": len(table["rows"]),
            "written": len(table["rows"]),
            "rejected": 0,
            "filtered": 0,
        }
        for name, table in store["tables"].items()
    ]


def audit(name: str, store: dict[str, object]) -> dict[str, object]:
    """The queue as an audit shows it; the raw text of tokens is no part of the expectation."""
    tokens = [
        {key: value for key, value in token.items() if key != "raw"} for token in store["tokens"]
    ]
    return {
        "name": name,
        "operations": store["operations"],
        "errors": store["errors"],
        "tokens": tokens,
    }


def main() -> int:
    """Checks every sample."""
    folders = sorted(path.parent for path in SAMPLES.glob("*/expected"))
    found = [line for folder in folders for line in check(folder)]
    for line in found:
        print(line)
    print(f"{len(folders)} samples, {len(found)} differences")
    return 1 if found or not folders else 0


if __name__ == "__main__":
    sys.exit(main())
