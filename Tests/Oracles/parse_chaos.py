#!/usr/bin/env python3
"""The same as `replay_chaos.py`, for a Local Datastore of Parse and a server of its own.

    parse_chaos.py REHOME [--seed N] [--runs N] [--operations N] [--kills N]

Every second server remembers the ids of requests, as servers of Parse may be told to; the others do
not, and never carry out a request after they have dropped its connection.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True

from parse_queue_store import CLASS, IDLE, ParseQueueStore, make_store  # noqa: E402
from replay_chaos import CONFLICT, FAULTS, TOKEN, ChaosRun, Service  # noqa: E402

KEYS = {"X-Parse-Application-Id": "app-1", "X-Parse-Session-Token": TOKEN}
EXTRA = (
    {"kind": "status", "status": 400, "code": 155, "share": 0.01},
    {"kind": "status", "status": 500, "code": 1, "commit": "after", "share": 0.01},
)


class ParseChaosRun(ChaosRun):
    """One store, one server, many kills."""

    def run_in(self, folder: Path, service: Service) -> list[str]:
        made = make_store(folder / "ParseOfflineStore", self.seed, self.given.operations)
        remembers = self.seed % 2 == 0
        faults = [rule for rule in FAULTS + EXTRA if remembers or rule.get("commit") != "late"]
        service.tell("POST", "/seed", made.before)
        service.tell("POST", "/require", KEYS)
        service.tell("POST", "/options", {"idempotent": remembers})
        service.tell("POST", "/plan", {"seed": self.seed, "latency": 1, "rules": faults})
        (folder / "headers").write_text(
            "".join(f"{name}: {value}\n" for name, value in KEYS.items()))
        (folder / "headers").chmod(0o600)
        work = folder / "work"
        work.mkdir()
        store = work / "queue.rehome"
        self.call([self.tool, "convert", made.path, "-o", store, "--fail-on", "never"])
        command = [
            self.tool, "replay", store, "--to", service.places["service"] + "/parse",
            "--header-file", folder / "headers", "--jobs", self.chance.choice(("1", "8")),
            "--timeout", "2", "--retries", "3", "--json"]
        code = self.replay_until_done(command, service)
        self.check_objects(service, made)
        self.check_report_of(made, code)
        self.check_token(service, work)
        return self.complaints

    def check_objects(self, service: Service, made: ParseQueueStore) -> None:
        """Every object is as it must be, and no change was carried out twice."""
        state = service.tell("GET", "/state")
        objects = state["classes"].get(CLASS, {})
        labels = {key: each.get("label") for key, each in objects.items()}
        commits = Counter(commit["id"] for commit in state["commits"])
        created = Counter(
            objects[commit["id"]]["label"] for commit in state["commits"]
            if commit["kind"] == "create" and commit["id"] in objects)
        wanted = Counter(
            item.label for item in made.items if item.object_id is None and item.after)
        if created != wanted:
            self.complaints.append(f"created {created - wanted} too often, {wanted - created} not")
        for item in made.items:
            found = [key for key, label in labels.items() if label == item.label]
            if item.label == "twin":
                continue
            if len(found) != (item.after is not None):
                self.complaints.append(f"{item.label} ({item.plan}): {len(found)} of it")
            for key in found:
                self.check_object(item, objects[key], labels)
                times = 0 if item.plan in IDLE else len(item.sets) + item.deletes
                # What is in a relation cannot be seen, and is the same however often it is sent.
                if commits[key] != times and not (item.plan == "relate" and commits[key] > 0):
                    self.complaints.append(
                        f"{item.label} ({item.plan}): {commits[key]} commits, not {times}")

    def check_object(self, item: object, there: dict, labels: dict[str, str]) -> None:
        has = {name: value for name, value in there.items()
               if name not in ("objectId", "createdAt", "updatedAt", "next")}
        wants = {name: value for name, value in (item.after or {}).items()
                 if name not in ("objectId", "createdAt", "updatedAt")}
        if has != wants:
            self.complaints.append(f"{item.label} ({item.plan}): has {has}, must have {wants}")
        target = there.get("next")
        if (labels.get(target["objectId"]) if target else None) != item.target:
            self.complaints.append(f"{item.label}: leads to {target}, not to {item.target}")

    def check_report_of(self, made: ParseQueueStore, code: int | None) -> None:
        if code != (CONFLICT if made.conflicts else 0):
            self.complaints.append(f"exit {code} at the end")
        outcomes = {entry["sequence"]: entry for entry in self.report.get("operations", [])}
        told = {place for place, entry in outcomes.items() if entry["outcome"] == "conflict"}
        if told != made.conflicts:
            self.complaints.append(
                f"false conflicts {sorted(told - made.conflicts)}, missed "
                f"{[outcomes[place] for place in sorted(made.conflicts - told)]}")
        if len(outcomes) != len(made.operations):
            self.complaints.append(f"{len(outcomes)} operations told")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--operations", type=int, default=600)
    parser.add_argument("--kills", type=int, default=20)
    given = parser.parse_args()
    failed = 0
    for number in range(given.runs):
        run = ParseChaosRun(given.tool, given.seed + number, "parse", given)
        complaints = run.run()
        failed += bool(complaints)
        print(f"seed {given.seed + number} parse: {run.kills} kills, {run.amid} of them amid "
              f"requests, {len(complaints)} complaints", flush=True)
        for complaint in complaints[:20]:
            print("  " + complaint)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
