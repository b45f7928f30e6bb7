#!/usr/bin/env python3
"""Checks that the queues of several devices are sent as each device alone would have sent them.

    compare_sent.py REHOME [--seed N] [--runs N] [--devices N] [--service N]

Each run makes devices of one app at random, which share items and differ in columns, types and
letter case, and merges them: at once, step by step, and by way of exports. Some operations were replayed before, to
the same server, to another one, or as a rehearsal. The plan of a replay of
each merged store must be the plans of the devices one behind the other, request by request and
byte for byte. In the first runs the requests also go to a table service: what it has in the end,
and every change that it took, must be the same whether the devices come one after the other or as
one store. The long run:

    compare_sent.py .build/debug/rehome --runs 500
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from random_devices import Device  # noqa: E402

LAYOUTS = {
    "v1": [("azure-mobile-ios", "2014"), ("azure-mobile-ios", "2015"),
           ("azure-mobile-dotnet", "a1"), ("azure-mobile-android", "d1")],
    "v2": [("azure-mobile-ios", "2016"), ("azure-mobile-dotnet", "b"),
           ("azure-mobile-android", "d2"), ("azure-mobile-cordova", None)],
    "v3": [("datasync-dotnet", None)],
}
SERVER = "https://example.net"
SERVICES = {"v1": "v1", "v2": "v2-node", "v3": "v3"}
JOURNAL = """
CREATE TABLE rehome_replay (id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, at TEXT NOT NULL,
  event TEXT NOT NULL, detail TEXT, target TEXT, attempt INTEGER, status INTEGER, version TEXT)
  STRICT
"""
MARKS = """
CREATE TABLE rehome_mark (id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, mark TEXT NOT NULL,
  at TEXT NOT NULL, who TEXT, why TEXT) STRICT
"""
TIMES = ["2016-10-01T09:15:30.000Z", "2016-10-01T09:15:30.100200300Z", "2017-01-01T00:00:00.000Z",
         None]
IDS = ["a", "A", "b", "B", "c", "item-1", "Item-1", "7"]
VERSION = "AAAAAAAAB9E="
VALUES = {
    "text": ["", "text", "é\"\\", "5", "true"], "integer": [0, 5, -7, 2 ** 53 + 1],
    "real": [0.5, 5.0, -1e300], "boolean": [0, 1], "decimal": ["5", "0.10"],
    "timestamp": ["2016-10-01T09:15:30.000Z", "2016-10-01T09:15:30.100200300Z"],
    "binary": [b"", b"\x00\xff"], "uuid": ["5B8E1D30-2C47-4C1F-8D4A-91F0A7C6E502"],
    "json": ['{"k": [1, 2]}', "no json"],
}


def item_columns(chance: random.Random, kinds: dict[str, str]) -> list[tuple]:
    """The columns of one device: which it has, in which types and in which order."""
    columns = [("id", "text", "id", None), ("version", "text", "version", None),
               ("updatedAt", "timestamp", "updatedAt", None)]
    for name in ("size", "Note", "when", "photo", "extra"):
        if chance.random() < 0.7:
            spelled = chance.choice([name, name, name.upper()])
            kind = kinds.get(name) or chance.choice(list(VALUES))
            columns.append((spelled, kind, "value", None))
    if chance.random() < 0.3:
        columns.remove(columns[1])
    if chance.random() < 0.5:
        chance.shuffle(columns)
    return columns


def fill(device: Device, layout: tuple, kinds: dict[str, str]) -> None:
    """Gives a device its rows, and a queue about them as its SDK would leave it."""
    chance, sql = device.chance, device.database.execute
    sql(JOURNAL)
    sql("UPDATE rehome_source SET layout = ?, generation = ?", layout)
    table = chance.choice(["Item", "Item", "ITEM"])
    columns = item_columns(chance, kinds)
    device.keys[table] = device.new_keys(chance.randrange(1, 8))
    device.make(table, columns)
    rows = {}
    for key in device.keys[table]:
        values = {}
        for name, kind, role, _ in columns:
            if role == "id":
                values[name] = chance.choice(IDS)
            elif role == "version":
                values[name] = chance.choice([VERSION, "AAAAAAAAB9I=", "other", None])
            elif role == "updatedAt":
                values[name] = chance.choice(TIMES)
            else:
                values[name] = chance.choice([None, *VALUES[kind]])
        device.add(table, key, list(values.values()))
        rows[key] = values
    for sequence in sorted(chance.sample(range(1, 60), chance.randrange(0, 9))):
        kind = chance.choice(["insert", "update", "update", "delete", None])
        key = chance.choice(device.keys[table])
        item = rows[key]["id"]
        payload = None
        version = rows[key].get("version") if kind in ("update", "delete") else None
        if kind == "delete":
            payload = json.dumps({"id": item, "version": version})
            key = None
        elif chance.random() < 0.1:
            payload = json.dumps({"id": item, "snapshot": sequence})
        if chance.random() < 0.1 and item.lower() == item:
            item = item.upper()
        sql("INSERT INTO rehome_operation VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, NULL, ?, NULL, NULL)",
            (sequence, table, item, kind,
             chance.choice(["pending", "pending", "failed", "completed", "dropped"]),
             payload, version, key if chance.random() < 0.95 else 12345, str(sequence)))


def replay(device: Device, chance: random.Random) -> None:
    """Writes what replays of some operations have come to, one behind the other."""
    sql = device.database.execute
    sequences = [row[0] for row in sql("SELECT sequence FROM rehome_operation").fetchall()]
    for _ in range(chance.randrange(0, 3)):
        target = chance.choice([SERVER, SERVER, "https://other.example", "rehome:1f"])
        for sequence in chance.sample(sequences, chance.randrange(0, len(sequences) + 1)):
            events = ["sending", *chance.choice([[], ["applied"], ["conflict"], ["dropped"],
                                                 ["rejected"], ["pending"], ["alreadyApplied"]])]
            for event in events:
                sql("INSERT INTO rehome_replay (sequence, at, event, target, version, detail)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (sequence, TIMES[chance.randrange(3)], event, target,
                     chance.choice([None, "AAAAAAAAB9M=", 'a"b']), chance.choice([None, "é, \n"])))


def mark(device: Device, chance: random.Random) -> None:
    """Writes what people have decided about some operations, one mark behind the other."""
    sql = device.database.execute
    sql(MARKS)
    sequences = [row[0] for row in sql("SELECT sequence FROM rehome_operation").fetchall()]
    for _ in range(chance.randrange(0, 3)):
        for sequence in chance.sample(sequences, chance.randrange(0, len(sequences) + 1)):
            sql("INSERT INTO rehome_mark (sequence, mark, at, who, why) VALUES (?, ?, ?, ?, ?)",
                (sequence, chance.choice(["drop", "drop", "keep"]), TIMES[chance.randrange(3)],
                 chance.choice([None, "Ann"]), chance.choice([None, "é, \n"])))


class Run:
    """One family of devices in a folder of its own."""

    def __init__(self, rehome: str, folder: Path, seed: str, count: int) -> None:
        self.rehome = rehome
        self.folder = folder
        chance = random.Random(seed)
        self.dialect = chance.choice(list(LAYOUTS))
        names = ("size", "Note", "when", "photo", "extra")
        self.has_same_types = chance.random() < 0.5
        kinds = {n: chance.choice(list(VALUES)) for n in names} if self.has_same_types else {}
        self.devices = []
        for number in range(count):
            path = folder / f"device-{number}.rehome"
            device = Device(path, random.Random(f"{seed} {number}"))
            fill(device, chance.choice(LAYOUTS[self.dialect]), kinds)
            replay(device, random.Random(f"{seed} {number} journal"))
            mark(device, random.Random(f"{seed} {number} marks"))
            device.finish()
            self.devices.append(path)

    def tool(self, *arguments: object, codes: tuple = (0, 2)) -> str:
        done = subprocess.run([self.rehome, *map(str, arguments)], capture_output=True, text=True,
                              cwd=self.folder, check=False)
        if done.returncode not in codes:
            raise SystemExit(f"{arguments}: {done.returncode} {done.stderr}")
        return done.stdout

    def merge(self, stores: list[Path], name: str) -> Path:
        output = self.folder / name
        self.tool("convert", "-q", "--fail-on", "never", *stores, "-o", output)
        return output

    def requests(self, store: Path) -> list[dict]:
        plan = json.loads(self.tool("replay", store, "--to", SERVER, "--dry-run",
                                    "--json", "--dialect", self.dialect))
        names = ("kind", "method", "path", "query", "condition", "body", "itemId", "isInDoubt")
        return [{name: step[name] for name in names} for step in plan["steps"]]

    def check(self) -> list[str]:
        """What is not as it must be."""
        wanted = [request for device in self.devices for request in self.requests(device)]
        whole = self.merge(self.devices, "all.rehome")
        found = {"at once": whole}
        half = self.merge(self.devices[:2], "half.rehome")
        found["step by step"] = self.merge([half, *self.devices[2:]], "steps.rehome")
        found["converted again"] = self.merge([whole], "again.rehome")
        for form in ("json", "xml", "csv"):
            bundle = self.folder / f"bundle-{form}"
            self.tool("export", "-q", whole, "--to", form, "-o", f"{bundle}/")
            found[f"seeded from {form}"] = self.folder / f"{form}.rehome"
            self.tool("seed", "-q", "--fail-on", "never", bundle, "-o", found[f"seeded from {form}"])
        found["merged export"] = self.merge([self.folder / "bundle-json"], "export.rehome")
        troubles = []
        hashes = {}
        for name, store in found.items():
            requests = self.requests(store)
            # Columns that got wider on the way have lost what they were.
            if name != "step by step" or self.has_same_types:
                hashes[name] = self.tool("hash", store).split()[0]
            for place, (left, right) in enumerate(zip(requests, wanted)):
                if left != right:
                    troubles.append(f"{name}, request {place}: {left} instead of {right}")
                    break
            if len(requests) != len(wanted):
                troubles.append(f"{name}: {len(requests)} requests instead of {len(wanted)}")
            troubles += [f"{name}: {text}" for text in self.provenance(store)]
            if self.beneath(store) != self.beneath(*self.devices):
                troubles.append(f"{name}: other marks, or other states beneath them")
        if len(set(hashes.values())) > 1:
            troubles.append(f"different hashes: {hashes}")
        return troubles

    @staticmethod
    def beneath(*stores: Path) -> list[list[tuple]]:
        """The operations of stores in their order, each with what lies beneath its marks and these."""
        found = []
        for store in stores:
            database = sqlite3.connect(store)
            for sequence, state in database.execute(
                    "SELECT sequence, state FROM rehome_operation ORDER BY sequence"):
                marks = database.execute("SELECT mark, at, who, why FROM rehome_mark"
                                         " WHERE sequence = ? ORDER BY id", (sequence,)).fetchall()
                # What came dropped from elsewhere has no other state to go back to.
                is_kept = marks and marks[-1][0] == "keep"
                found.append([("pending" if is_kept and state == "dropped" else state,), *marks])
        return found

    def provenance(self, store: Path) -> list[str]:
        """Whether a store knows each device, and each row the right one."""
        database = sqlite3.connect(store)
        found = database.execute(
            "SELECT layout, generation, json_extract(metadata, '$.path') FROM rehome_source "
            "ORDER BY id").fetchall()
        wanted = []
        for device in self.devices:
            wanted += sqlite3.connect(device).execute(
                "SELECT layout, generation, ? FROM rehome_source", (str(device),)).fetchall()
        troubles = [] if found == wanted else [f"sources {found} instead of {wanted}"]
        table, = database.execute("SELECT name FROM rehome_table").fetchone()
        for number, count in database.execute(
                f'SELECT _source, count(*) FROM "{table}" GROUP BY _source').fetchall():
            if number is None or not 1 <= number <= len(self.devices):
                troubles.append(f"{count} rows of source {number}")
        return troubles

    def send(self) -> list[str]:
        """What the service has after the devices, and after the one store of all of them."""
        ends = []
        for stores in (self.devices, [self.folder / "all.rehome"]):
            with Service(self.dialect) as service:
                outcomes = []
                for store in stores:
                    copy = self.folder / f"sent-{len(ends)}-{store.name}"
                    copy.write_bytes(store.read_bytes())
                    report = json.loads(self.tool(
                        "replay", copy, "--to", service.address, "--allow-http", "--json",
                        "--dialect", self.dialect, "--jobs", 4 if len(ends) else 1,
                        codes=(0, 2, 4)))
                    outcomes += [(o["kind"], o["outcome"], o["itemId"], o["status"])
                                 for o in report["operations"]]
                state = service.ask("GET", "/state")
                ends.append((outcomes, per_item(state["commits"])))
        names = ("outcomes", "changes")
        return [f"{name}: {found} instead of {wanted}"
                for name, wanted, found in zip(names, *ends) if wanted != found]


def per_item(commits: list) -> dict:
    """The changes that a server took, item by item, as independent ones may change places."""
    items: dict[str, list] = {}
    for commit in commits:
        told = {k: v for k, v in commit.items() if k not in ("request", "version")}
        text = json.dumps(told, sort_keys=True)
        items.setdefault(str(commit["id"]).lower(), []).append(text)
    return items


class Service:
    """A table service on loopback that has a few items."""

    def __init__(self, dialect: str) -> None:
        script = Path(__file__).with_name("table_service.py")
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(script), "--dialect", SERVICES[dialect],
             "--until-input-ends"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Service:
        self.address = json.loads(self.process.stdout.readline())["service"]
        self.ask("POST", "/options", {"openToAnyTable": True})
        return self

    def ask(self, verb: str, path: str, body: object = None) -> dict:
        line = f"{verb} {path}" + (f" {json.dumps(body)}" if body is not None else "")
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rehome")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--devices", type=int, default=3)
    parser.add_argument("--service", type=int, default=1)
    arguments = parser.parse_args()
    bad = 0
    for seed in range(arguments.seed, arguments.seed + arguments.runs):
        with tempfile.TemporaryDirectory() as folder:
            run = Run(str(Path(arguments.rehome).resolve()), Path(folder), str(seed),
                      arguments.devices)
            troubles = run.check()
            if seed - arguments.seed < arguments.service:
                troubles += run.send()
        for trouble in troubles:
            print(f"seed {seed}: {trouble[:2000]}")
        bad += bool(troubles)
    print(f"{arguments.runs} families, {bad} with trouble")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
