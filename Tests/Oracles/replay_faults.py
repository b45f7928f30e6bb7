#!/usr/bin/env python3
"""Lets each call by which `rehome replay` writes fail, or end the process, and checks the end.

    replay_faults.py REHOME LIBRARY [--dialect NAME] [--operations N] [--step N] [--first N]

LIBRARY is `Tests/Oracles/faults/faults.c`, compiled: cc -O1 -shared -fPIC -o faults.so faults.c.
Each run replays the same store to the same service, with a fault at one call; a second run without
faults must then finish the work. The service must hold what it must, nothing sent twice and nothing
lost, and the report must say so. Every call is tried with one of the errors and with a kill; with
`--step N` only every N-th is, from the one that `--first` names.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from queue_store import LAYOUTS, QueueStore, make_store  # noqa: E402
from replay_chaos import CONFLICT, TEMPORARY, TOKEN, ChaosRun, Service  # noqa: E402

# The calls that change something, as in the tests of the other commands.
CALLS = "open,write,pwrite,fsync,ftruncate,rename,link,mkdir,chmod"
ERRORS = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EACCES)
KILL = 0
# How a run may end at a fault: finished all the same, or with an error that names a place.
ENDS = (0, CONFLICT, 73, 74, TEMPORARY, 77)


class FaultedReplay(ChaosRun):
    """One store and one service, set back before each fault."""

    def __init__(self, given: argparse.Namespace, folder: Path, service: Service) -> None:
        super().__init__(given.tool, 1, given.dialect, given)
        self.service = service
        self.made: QueueStore = make_store(
            folder / "device.db", given.dialect, 1, given.operations)
        self.folder, self.work = folder, folder / "work"
        (folder / "headers").write_text(f"X-ZUMO-AUTH: {TOKEN}\n")
        (folder / "headers").chmod(0o600)
        self.call([self.tool, "convert", "-q", self.made.path, "-o", folder / "queue.rehome"])
        self.command = [
            self.tool, "replay", self.work / "queue.rehome", "--to", service.places["service"],
            "--header-file", folder / "headers", "--dialect", given.dialect.partition("-")[0],
            "--jobs", "2", "--timeout", "5", "--json"]

    def set_back(self) -> None:
        """A server and a store on which nothing was replayed yet."""
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()
        shutil.copy(self.folder / "queue.rehome", self.work)
        self.output, self.complaints = b"", []
        self.service.tell("POST", "/reset", {})
        self.service.tell("POST", "/seed", {self.made.table: self.made.before})
        self.service.tell("POST", "/require", {"X-ZUMO-AUTH": TOKEN})

    def count(self) -> int:
        """How many calls there are when nothing fails."""
        self.set_back()
        place = self.folder / "count"
        code = self.run_with({"FAULT_COUNT": str(place)})
        self.finish(code)
        return int(place.read_text())

    def run_with(self, variables: dict[str, str]) -> int:
        """Replays under the library; the exit code, or minus the signal."""
        process = subprocess.run(
            [str(part) for part in self.command], capture_output=True, timeout=600,
            env={**os.environ, "LD_PRELOAD": self.given.library, "FAULT_CALLS": CALLS, **variables})
        self.output += process.stdout + process.stderr
        if process.returncode in (0, CONFLICT):
            self.report = json.loads(process.stdout)
        if process.returncode > 0 and process.returncode not in (CONFLICT, TEMPORARY) \
                and not process.stderr.startswith(b"rehome: "):
            self.complaints.append(f"says {process.stderr[:200]!r}")
        return process.returncode

    def try_fault(self, call: int, number: int) -> list[str]:
        """What is wrong after a fault and a run that finishes."""
        self.set_back()
        code = self.run_with({"FAULT_AT": str(call), "FAULT_ERRNO": str(number)})
        # How many calls there are depends on how the answers arrive: the last may not be reached.
        if code not in ((-9, 0, CONFLICT) if number == KILL else ENDS):
            self.complaints.append(f"exit {code} at the fault")
        self.finish(self.call(self.command))
        return self.complaints

    def finish(self, code: int | None) -> None:
        self.check_end(self.service, self.made, code)
        self.check_token(self.service, self.work)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("library")
    parser.add_argument("--dialect", choices=list(LAYOUTS), default="v3")
    parser.add_argument("--operations", type=int, default=12)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--first", type=int, default=1)
    given = parser.parse_args()
    service = Service(given.dialect)
    failed = tried = 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            run = FaultedReplay(given, Path(folder), service)
            calls = run.count()
            for complaint in run.complaints:
                print(f"without a fault: {complaint}")
                failed += 1
            for call in range(given.first, calls + 1, given.step):
                for number in (KILL, ERRORS[call % len(ERRORS)]):
                    complaints = run.try_fault(call, number)
                    tried += 1
                    failed += bool(complaints)
                    for complaint in complaints[:5]:
                        print(f"call {call} of {calls}, error {number}: {complaint}", flush=True)
    finally:
        service.end()
    print(f"{given.dialect}: {calls} calls, {tried} faults, {failed} complaints")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
