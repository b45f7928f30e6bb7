#!/usr/bin/env python3
"""Compares what the tool reads from random stores of an offline SDK with what an oracle reads.

`compare_offline.py REHOME FAMILY SEED COUNT`. Store number N of a seed is always the same. A third
of the stores is damaged afterwards: of these only the exit code is looked at, which must be one of
the contract. Files that only look like the family's must be something else. Prints a line for each
difference; exits 1 when there is one.
"""

from __future__ import annotations

import importlib
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from offline_store import read_family  # noqa: E402
from offline_values import Store  # noqa: E402

MAKERS = {
    "watermelondb": "WildWatermelon", "powersync": "WildPowerSync", "couchbase": "WildCouchbase"}
CODES = {0, 2, 65}


def run(rehome: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """One run of the tool."""
    return subprocess.run([rehome, *arguments], capture_output=True, check=False)


def differences(rehome: str, path: Path, wanted: Store, folder: Path) -> list[str]:
    """What differs in one store."""
    audit = run(rehome, "audit", "--json", "--fail-on", "never", str(path))
    if audit.returncode not in (0, 2):
        return [f"audit ends with {audit.returncode}: {audit.stderr.decode()}"]
    report = json.loads(audit.stdout)["stores"][0]
    found = compare("layout", wanted.layout, report.get("layout"))
    found += compare("generation", wanted.generation, report.get("generation"))
    found += compare("operations", len(wanted.operations), len(report["operations"]))
    for number, (left, right) in enumerate(zip(wanted.operations, report["operations"]), 1):
        left = {"sequence": number} | left
        for key in left:
            found += compare(f"operation {number} {key}", left[key], right.get(key))
    for number, (left, right) in enumerate(zip(wanted.effects or [], report["effects"]), 1):
        for key in left:
            found += compare(f"effect {number} {key}", left[key], right.get(key))
    if wanted.effects is not None:
        found += compare("effects", len(wanted.effects), len(report["effects"]))
    found += compare("tokens", wanted.tokens, [
        {key: token[key] for key in ("table", "query", "raw", "updatedAt")}
        for token in report["tokens"]])
    own = importlib.import_module(f"{FAMILY}_store").FINDINGS
    seen = {finding["code"] for finding in report["findings"]} & own
    found += compare("findings", sorted(wanted.findings & own), sorted(seen))
    output = folder / "out.rehome"
    convert = run(rehome, "convert", "-f", "--fail-on", "never", str(path), "-o", str(output))
    if convert.returncode not in (0, 2):
        return found + [f"convert ends with {convert.returncode}: {convert.stderr.decode()}"]
    return found + table_differences(wanted, output) + hash_differences(rehome, path, output)


def hash_differences(rehome: str, path: Path, output: Path) -> list[str]:
    """Whether the store and its conversion have one hash."""
    hashes = [
        run(rehome, "hash", str(each)).stdout.decode().split(" ")[0] for each in (path, output)]
    return compare("hash", hashes[0], hashes[1])


def table_differences(wanted: Store, output: Path) -> list[str]:
    """What differs in the rows of a converted store."""
    database = sqlite3.connect(output)
    given = [name for (name,) in database.execute("SELECT name FROM rehome_table ORDER BY position")]
    found = compare("tables", list(wanted.tables), given)
    for table in given:
        if table not in wanted.tables:
            continue
        columns, rows = wanted.tables[table]
        types = database.execute(
            'SELECT c.name, c.type, c.role FROM rehome_column c JOIN rehome_table t '
            'ON c."table" = t.name WHERE t.name = ? ORDER BY c.position', (table,)).fetchall()
        found += compare(
            f"columns of {table}", [[c.name, c.type, c.role] for c in columns],
            [list(each) for each in types])
        stored = list(map(list, database.execute(f'SELECT * FROM "{table}" ORDER BY _pk')))
        rows = sorted(rows, key=lambda row: row[0])
        found += compare(f"rows of {table}", len(rows), len(stored))
        for left, right in zip(rows, stored):
            found += compare(f"{table} {left[0]}", left, right)
    rejects = sorted(database.execute('SELECT "table", "row", "column" FROM rehome_reject'))
    found += compare("rejects", sorted(map(list, wanted.rejects)), [list(r) for r in rejects])
    return found


def compare(what: str, wanted: object, given: object) -> list[str]:
    """One difference or none; 1 and 1.0 differ."""
    left, right = (json.dumps(each, ensure_ascii=False, default=repr) for each in (wanted, given))
    return [] if left == right else [f"{what}: {right}, not {left}"]


def damage(path: Path, rng: random.Random) -> None:
    """Overwrites some bytes, or cuts the file."""
    content = bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 4, 40))):
        content[rng.randrange(len(content))] = rng.randrange(256)
    path.write_bytes(content[: rng.choice((len(content), len(content), len(content) * 2 // 3))])


def main(rehome: str, family: str, seed: str, count: str) -> int:
    """Makes the stores, and prints what differs."""
    wild = importlib.import_module(f"wild_{family}")
    lines = []
    with tempfile.TemporaryDirectory() as private:
        folder = Path(private)
        for path in wild.write_look_alikes(folder):
            given = json.loads(run(rehome, "inspect", "--json", str(path)).stdout)
            layout = given["stores"][0]["layout"]
            if layout != "sqlite" or read_family(family, path) is not None:
                lines.append(f"{path.name}: {layout}")
        for number in range(int(count)):
            rng = random.Random(f"{family}-{seed}-{number}")
            path = folder / f"{number}.db"
            path = getattr(wild, MAKERS[family])(rng).write(path) or path
            wanted = read_family(family, path)
            if number % 3 == 2:
                damage(path, rng)
                for command in ("inspect", "audit", "hash"):
                    code = run(rehome, command, str(path)).returncode
                    lines += [] if code in CODES else [f"{number}: {command} ends with {code}"]
            elif wanted is None:
                lines.append(f"{number}: the oracle does not know it")
            else:
                found = differences(rehome, path, wanted, folder)
                lines += [f"{number}: {line}" for line in found]
    print("\n".join(lines), end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    FAMILY = sys.argv[2]
    sys.exit(main(*sys.argv[1:5]))
