"""Measures the audit page of one large store and of a large fleet, as a browser opens them.

Usage: measure_page.py PROGRAM [--operations N] [--stores N] [--each N]

Makes random stores of the .NET SDK, has PROGRAM write their pages, and prints how large these are,
what making them took, and how long opening, searching and going to one place lets one wait. Not
part of the tests, since a debug build takes minutes; times mean little on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

from browser import Browser
from check_page import searched, type_in

LIMIT = 10_000_000
WORDS = "milk bread tea rent letter visit pay call write fetch send park shop garden paint".split()
SCHEMA = """
PRAGMA synchronous = off; PRAGMA journal_mode = off;
CREATE TABLE TodoItem (id TEXT PRIMARY KEY, text TEXT, complete BOOLEAN, price FLOAT, version TEXT,
  createdAt DATETIME, updatedAt DATETIME, deleted BOOLEAN);
CREATE TABLE __operations (id TEXT PRIMARY KEY, kind INTEGER, state INTEGER, tableName TEXT,
  tableKind INTEGER, itemId TEXT, item TEXT, createdAt DATETIME, sequence INTEGER,
  version INTEGER);
CREATE TABLE __errors (id TEXT PRIMARY KEY, httpStatus INTEGER, operationVersion INTEGER,
  operationKind INTEGER, tableName TEXT, tableKind INTEGER, item TEXT, rawResult TEXT);
CREATE TABLE __config (id TEXT PRIMARY KEY, value TEXT);
INSERT INTO __config VALUES ('deltaToken|TodoItem|all', '2017-05-01T10:20:30.1230000+00:00');
"""


def make_store(path: Path, operations: int, rng: random.Random) -> str:
    """A store with so many operations, one in twenty of them in conflict; returns an item's id."""
    path.parent.mkdir(parents=True)
    base = sqlite3.connect(path)
    base.executescript(SCHEMA)
    item = ""
    for number in range(1, operations + 1):
        item, key = (str(uuid.UUID(int=rng.getrandbits(128))) for _ in range(2))
        text, version = " ".join(rng.choices(WORDS, k=4)), f"AAAAAAAA{rng.randrange(4096):03X}="
        kind, when = rng.choice([0, 1, 1, 2]), 1.5e9 + rng.randrange(10**8)
        payload = {"id": item, "text": text, "version": version}
        if kind != 2:
            base.execute(
                "INSERT INTO TodoItem VALUES (?, ?, ?, ?, ?, ?, ?, 0)",
                (item, text, number % 2, rng.randrange(9999) / 100, version if kind else None,
                 when, when))
        base.execute(
            "INSERT INTO __operations VALUES (?, ?, 0, 'TodoItem', 0, ?, ?, ?, ?, 1)",
            (key, kind, item, json.dumps(payload) if kind == 2 else None, when, number))
        if number % 20 == 7:
            base.execute(
                "INSERT INTO __errors VALUES (?, 412, 1, ?, 'TodoItem', 0, ?, ?)",
                (key, kind, json.dumps(payload), json.dumps(payload | {"text": "theirs"})))
    base.commit()
    base.close()
    return item


def measure(program: str, stores: list[Path], page: Path, text: str, anchor: str) -> bool:
    """Makes a page and looks at it; true where it is small enough."""
    start = time.monotonic()
    process = subprocess.Popen(
        [program, "audit", "-q", "-f", "--fail-on", "never", "--html", page, *stores])
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{program} ended with {status}")
    took, memory = time.monotonic() - start, usage.ru_maxrss / 1024
    size = page.stat().st_size
    print(f"{len(stores)} stores: {size:,} bytes, made in {took:.1f} s, {memory:.0f} MiB")
    with Browser() as browser:
        browser.view(1280)
        print(f"  ready after {browser.open(page):.2f} s")
        start = time.monotonic()
        type_in(browser, text)
        found = searched(browser, text)
        print(f"  {text}: {found} after {time.monotonic() - start:.2f} s")
        start = time.monotonic()
        browser.run(f"location.hash = '{anchor}'")
        browser.wait(
            f"!!document.getElementById('{anchor[1:]}')?.checkVisibility()")
        print(f"  {anchor} after {time.monotonic() - start:.2f} s")
        complaints = browser.complaints()
        print("".join(f"  console: {each}\n" for each in complaints), end="")
    return size < LIMIT and found[0] != "0" and not complaints


def main() -> None:
    """Measures both pages."""
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--stores", type=int, default=10_000)
    parser.add_argument("--each", type=int, default=20)
    arguments = parser.parse_args()
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        large = root / "large" / "localstore.db"
        item = make_store(large, arguments.operations, rng)
        is_good = measure(
            arguments.program, [large], root / "one.html", item, f"#op-{arguments.operations}")
        stores = [
            root / f"device-{number:05d}" / "localstore.db" for number in range(arguments.stores)]
        for store in stores:
            item = make_store(store, arguments.each, rng)
        is_good &= measure(
            arguments.program, stores, root / "fleet.html", item, f"#store-{arguments.stores}")
    raise SystemExit(0 if is_good else 1)


if __name__ == "__main__":
    main()
