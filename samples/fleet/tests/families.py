"""Families of devices of one app, made at random, and what the tool alone makes of them."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
ORACLES = Path(__file__).resolve().parents[3] / "Tests" / "Oracles"
sys.path.insert(0, str(ORACLES))

import compare_sent  # noqa: E402
import random_devices  # noqa: E402

LAYOUTS = [layout for layouts in compare_sent.LAYOUTS.values() for layout in layouts]


def make_family(folder: Path, seed: str, count: int) -> list[Path]:
    """Devices that share items; half of the families have queues as the SDKs leave them.

    Of the others two in three are of an SDK to which letter case counts in names.
    """
    folder.mkdir(parents=True)
    chance = random.Random(seed)
    has_queues = chance.random() < 0.5
    kinds = {}
    if chance.random() < 0.5:
        kinds = {name: chance.choice(list(compare_sent.VALUES))
                 for name in ("size", "Note", "when", "photo", "extra")}
    layout = chance.choice(["core-data", "powersync", "amplify-datastore"])
    paths = []
    for number in range(count):
        path = folder / f"device-{number:05}.rehome"
        device = random_devices.Device(path, random.Random(f"{seed} {number}"))
        if has_queues:
            compare_sent.fill(device, chance.choice(LAYOUTS), kinds)
            compare_sent.replay(device, random.Random(f"{seed} {number} replays"))
            compare_sent.mark(device, random.Random(f"{seed} {number} marks"))
        else:
            random_devices.fill(device, number)
            device.database.execute("UPDATE rehome_source SET layout = ?", (layout,))
        device.finish()
        paths.append(path)
    return paths


class Alone:
    """The tool on one machine."""

    def __init__(self, program: Path) -> None:
        self.program = program

    def run(self, *arguments: object) -> str:
        """Runs a command that may end with findings."""
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True,
                              check=False)
        if done.returncode not in (0, 2):
            raise AssertionError(f"{arguments}: {done.returncode} {done.stderr}")
        return done.stdout

    def merged(self, stores: list[Path], output: Path, *options: str) -> Path:
        """All stores as one."""
        self.run("convert", "-q", "-f", "--fail-on", "never", *options, *stores, "-o", output)
        return output

    def hash(self, store: Path) -> str:
        """The content hash of a store."""
        return self.run("hash", store).split()[0]

    def bundle(self, store: Path, folder: Path) -> Path:
        """An export of a store."""
        self.run("export", "-q", store, "--to", "ndjson", "-o", f"{folder}/")
        return folder
