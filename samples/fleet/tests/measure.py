"""Measures what a store costs, from few stores to many, and what a second worker brings.

    measure.py [--sizes 100,1000,10000] [--workers 1,2] [--keep FOLDER]

The program is taken from REHOME. The stores are those of an app with a few dozen rows and
operations each, all different. Reading and merging are timed apart, on a standalone cluster of
workers with one core each. Figures are only worth something on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from cluster import Cluster, submit  # noqa: E402

SAMPLE = Path(__file__).resolve().parents[2] / "ios-2016" / "qstodoitem.sqlite"


def make_stores(folder: Path, count: int) -> None:
    """So many stores of one app; one item in three is on several devices."""
    folder.mkdir(parents=True)
    for number in range(count):
        path = folder / f"{number // 1000:03}" / f"device-{number:06}.sqlite"
        path.parent.mkdir(exist_ok=True)
        shutil.copy(SAMPLE, path)
        database = sqlite3.connect(path, isolation_level=None)
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA journal_mode = MEMORY")
        database.execute("UPDATE ZTODOITEM SET ZID = ZID || '-' || ? WHERE Z_PK % 3 > 0", [number])
        database.close()


def job(cluster: Cluster, folder: Path, place: Path) -> dict[str, float]:
    """Runs the job; gives the seconds of reading and of all, and those of all processors."""
    (folder / "spark").mkdir(exist_ok=True)
    command = submit(cluster.url, folder / "spark", place, "--lake", folder / "lake", "--rehome",
                     os.environ["REHOME"])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit((done.stdout + done.stderr)[-3000:])
    told = re.findall(r"read in ([0-9.]+) s", done.stdout + done.stderr)
    shutil.rmtree(folder / "lake")
    return {"all": seconds, "reading": float(told[-1]),
            "driver": after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="100,1000,10000")
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--keep", type=Path, help="make the stores here, and leave them")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="fleet-measure-"))
    stores = options.keep or folder
    print("stores  workers  reading s  ms a store and worker  merging s  all s  load")
    try:
        for size in map(int, options.sizes.split(",")):
            place = stores / f"stores-{size}"
            if not place.exists():
                make_stores(place, size)
            for workers in map(int, options.workers.split(",")):
                cluster = Cluster(folder / "cluster", workers)
                try:
                    found = job(cluster, folder, place)
                finally:
                    cluster.stop()
                    shutil.rmtree(folder / "cluster")
                print(f"{size:6}  {workers:7}  {found['reading']:9.1f}  "
                      f"{found['reading'] * workers / size * 1000:21.1f}  "
                      f"{found['all'] - found['reading']:9.1f}  {found['all']:5.1f}  "
                      f"{os.getloadavg()[0]:.1f}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
