#!/usr/bin/env python3
"""Kills `rehome replay` again and again against a service that misbehaves, and checks the end.

    replay_chaos.py REHOME [--seed N] [--runs N] [--operations N] [--kills N] [--dialect NAME]

Each run makes a store whose right end is known, converts it, replays it under seeded faults,
kills the tool at random instants, goes on until nothing is left that running again could finish,
and compares the server with what it must hold: nothing lost, nothing inserted twice, no conflict
that is none, and the token nowhere but in the requests. The long run, for a release build:

    replay_chaos.py .build/release/rehome --runs 50 --operations 2000 --kills 30
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.dont_write_bytecode = True

from queue_store import CONFLICTS, LAYOUTS, QueueStore, make_store  # noqa: E402

TOKEN = "tok.Xq7/s3cr3t+Zz-9431"
TEMPORARY, CONFLICT = 75, 4
# What a server at fault refuses again and again; the next run tries it again.
REFUSED = 2
FAULTS = (
    {"kind": "reset", "share": 0.02}, {"kind": "reset", "commit": "after", "share": 0.04},
    {"kind": "reset", "commit": "late", "milliseconds": 30, "share": 0.02},
    {"kind": "close", "commit": "after", "share": 0.02}, {"kind": "cut", "share": 0.02},
    {"kind": "cut-chunked", "share": 0.01}, {"kind": "empty", "share": 0.01},
    {"kind": "garbage", "share": 0.01}, {"kind": "truncated", "share": 0.01},
    {"kind": "other-item", "share": 0.01, "methods": ["POST", "PATCH", "PUT"]},
    {"kind": "status", "status": 503, "retryAfter": 0.01, "share": 0.02},
    {"kind": "status", "status": 429, "retryAfter": 1, "date": True, "share": 0.003},
    {"kind": "status", "status": 500, "commit": "after", "share": 0.02},
    {"kind": "redirect", "status": 307, "elsewhere": True, "share": 0.01},
    {"kind": "redirect", "status": 302, "share": 0.005}, {"kind": "slow", "share": 0.005},
    {"kind": "untagged", "share": 0.02},
    {"kind": "raw", "raw": "HTTP/1.1 200 OK\r\nContent-Le", "share": 0.01},
    {"kind": "stall", "commit": "after", "share": 0.002},
)


class Service:
    """The test service in a process of its own."""

    def __init__(self, dialect: str) -> None:
        program = Path(__file__).with_name("table_service.py")
        self.process = subprocess.Popen(
            [sys.executable, "-B", program, "--dialect", dialect, "--until-input-ends"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.places = json.loads(self.process.stdout.readline())

    def tell(self, method: str, path: str, body: object = None) -> object:
        """One order over the control's own port."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.places["control"] + path, data=data, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    @property
    def requests(self) -> int:
        """How many requests have arrived."""
        return self.tell("GET", "/counts")["requests"]

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait(10)


class ChaosRun:
    """One store, one service, many kills."""

    def __init__(self, tool: str, seed: int, dialect: str, given: argparse.Namespace) -> None:
        self.tool, self.seed, self.dialect, self.given = tool, seed, dialect, given
        self.chance = random.Random(seed)
        self.output = b""
        self.kills = 0
        # Runs that were killed, or gave up for now, after they had sent something.
        self.amid = 0
        self.complaints: list[str] = []
        self.report: dict[str, object] = {}

    def run(self) -> list[str]:
        """What is wrong at the end."""
        service = Service(self.dialect)
        try:
            with tempfile.TemporaryDirectory() as folder:
                return self.run_in(Path(folder), service)
        finally:
            service.end()

    def run_in(self, folder: Path, service: Service) -> list[str]:
        made = make_store(
            folder / "device.db", self.dialect, self.seed, self.given.operations)
        service.tell("POST", "/seed", {made.table: made.before})
        service.tell("POST", "/require", {"X-ZUMO-AUTH": TOKEN})
        service.tell("POST", "/plan", {"seed": self.seed, "latency": 1, "rules": FAULTS})
        (folder / "headers").write_text(f"X-ZUMO-AUTH: {TOKEN}\n")
        (folder / "headers").chmod(0o600)
        work = folder / "work"
        work.mkdir()
        store = work / "queue.rehome"
        self.call([self.tool, "convert", made.path, "-o", store])
        dialect = self.dialect.partition("-")[0]
        command = [
            self.tool, "replay", store, "--to", service.places["service"], "--header-file",
            folder / "headers", "--dialect", dialect, "--jobs", "8", "--timeout", "2", "--retries",
            "3", "--json"]
        code = self.replay_until_done(command, service)
        self.check_end(service, made, code)
        self.check_token(service, work)
        return self.complaints

    def replay_until_done(self, command: list[object], service: Service) -> int | None:
        """Kills as often as asked, then lets it run until running again would do nothing."""
        for _ in range(self.given.kills * 3):
            if self.kills >= self.given.kills:
                break
            before = service.requests
            # Most are killed once they have sent some requests, the others at any time; few enough
            # that even a busy machine notices before the last one.
            most = max(1, min(60, self.given.operations // 8))
            wait = self.chance.randint(1, most) if self.chance.random() < 0.8 else None
            limit = self.chance.uniform(0.01, 0.3)
            ends = lambda: service.requests >= before + wait  # noqa: E731
            if self.call(command, limit if wait is None else 30, ends if wait else None) \
                    not in (None, TEMPORARY, REFUSED):
                break
            self.amid += service.requests > before
        for _ in range(40):
            code = self.call(command)
            if code not in (TEMPORARY, REFUSED):
                return code
        self.complaints.append("running again never came to an end")
        return TEMPORARY

    def call(
        self, command: list[object], limit: float | None = None,
        ends: Callable[[], bool] | None = None,
    ) -> int | None:
        """The exit code; none when the process was killed after `limit` seconds, or at `ends`."""
        process = subprocess.Popen(
            [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        start = time.monotonic()
        while ends is not None and process.poll() is None and time.monotonic() - start < limit:
            if ends():
                limit = 0.0
        try:
            output, errors = process.communicate(timeout=600 if limit is None else limit)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            output, errors = process.communicate()
            self.kills += 1
            self.output += output + errors
            if limit is None:
                self.complaints.append("the tool hangs")
            return None
        self.output += output + errors
        if process.returncode not in (0, 2, CONFLICT, TEMPORARY):
            self.complaints.append(f"exit {process.returncode}: {errors.decode()[-300:]}")
        if command[1] == "replay":
            self.report = json.loads(output or b"{}")
        return process.returncode

    # Checks.

    def check_end(self, service: Service, made: QueueStore, code: int | None) -> None:
        state = service.tell("GET", "/state")
        rows = state["tables"].get(made.table, {})
        for identifier, wanted in made.after.items():
            row = rows.get(identifier)
            has = None if row is None or row["deleted"] else same_spelling(row["fields"])
            wants = None if wanted is None else same_spelling(wanted)
            if has != wants:
                self.complaints.append(
                    f"{identifier} ({made.plans[identifier]}): has {has}, must have {wants}")
        self.check_commits(made, state["commits"])
        self.check_report(made, code)

    def check_commits(self, made: QueueStore, commits: list[dict[str, object]]) -> None:
        """Nothing twice; an update without a condition may be, as nobody could tell."""
        counts = Counter(commit["id"] for commit in commits)
        for identifier, plan in made.plans.items():
            idle = plan in CONFLICTS or plan in (
                "untouched", "delete-gone", "insert-present", "update-equal")
            fine = (1, 2, 3) if plan == "update-blind" else (0,) if idle else (1,)
            if counts[identifier] not in fine:
                self.complaints.append(f"{identifier} ({plan}): {counts[identifier]} commits")
        for identifier in counts.keys() - made.plans.keys():
            self.complaints.append(f"{identifier}: nobody asked for it")

    def check_report(self, made: QueueStore, code: int | None) -> None:
        conflicts = {number for identifier, number in made.sequences.items()
                     if made.plans[identifier] in CONFLICTS}
        if code != (CONFLICT if conflicts else 0):
            self.complaints.append(f"exit {code} at the end")
        told = {entry["sequence"] for entry in self.report.get("operations", [])
                if entry["outcome"] == "conflict"}
        if told != conflicts:
            self.complaints.append(
                f"false conflicts {sorted(told - conflicts)}, missed {sorted(conflicts - told)}")

    def check_token(self, service: Service, work: Path) -> None:
        if service.tell("GET", "/elsewhere"):
            self.complaints.append("something was sent to another origin")
        places = {"the output": self.output}
        places |= {file.name: file.read_bytes() for file in work.rglob("*") if file.is_file()}
        for name, data in places.items():
            if TOKEN.encode() in data or b"s3cr3t" in data:
                self.complaints.append(f"the token is in {name}")


def same_spelling(fields: dict[str, object]) -> dict[str, object]:
    """Fields by value: a missing one is null, false or 0 where the SDK leaves those out."""
    values = {name: fields.get(name) for name in ("id", "text", "count", "weight", "done")}
    return {name: value or None if name in ("done", "count", "text") else value
            for name, value in values.items()}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--operations", type=int, default=600)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--dialect", choices=list(LAYOUTS))
    given = parser.parse_args()
    failed = 0
    for number in range(given.runs):
        seed = given.seed + number
        dialect = given.dialect or list(LAYOUTS)[number % len(LAYOUTS)]
        run = ChaosRun(given.tool, seed, dialect, given)
        complaints = run.run()
        failed += bool(complaints)
        print(f"seed {seed} {dialect}: {run.kills} kills, {run.amid} of them amid requests, "
              f"{len(complaints)} complaints", flush=True)
        for complaint in complaints[:20]:
            print("  " + complaint)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
