"""Many stores on a cluster of two workers, against the conversion on one machine.

    test_large.py [--stores N] [--damaged PERCENT] [--seed N] [--kill-driver]

The program is taken from REHOME. While the job runs, one worker is killed with its executor at a
random moment; with --kill-driver the driver is killed, too, and started again. In the end each
store has one row, those that are damaged are told, and the merge has the content hash of the
conversion.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from cluster import Cluster, submit  # noqa: E402
from families import Alone, make_family  # noqa: E402

LONGEST = 3600
# Any task that is a little slower than others is run twice at once.
SPECULATION = ("spark.speculation=true", "spark.speculation.interval=100ms",
               "spark.speculation.multiplier=1.1", "spark.speculation.quantile=0.3",
               "spark.speculation.minTaskRuntime=100ms")


def damage(path: Path, chance: random.Random) -> None:
    """Makes a store that cannot be read, in one of several ways."""
    data = path.read_bytes()
    kind = chance.randrange(4)
    if kind == 0:
        path.write_bytes(data[:chance.randrange(1, len(data) // 2)])
    elif kind == 1:
        path.write_bytes(b"")
    elif kind == 2:
        path.write_bytes(chance.randbytes(len(data)))
    else:
        path.write_bytes(data[:100] + bytes(len(data) - 100))


def make_stores(folder: Path, options: argparse.Namespace) -> tuple[list[Path], set[Path]]:
    """The stores, and those of them that are damaged."""
    chance = random.Random(f"large {options.seed}")
    stores, families = [], 0
    while len(stores) < options.stores:
        count = min(50, options.stores - len(stores))
        # All families are one app; their queues and columns differ from family to family.
        stores += make_family(folder / f"batch-{families:04}", f"{options.seed} {families}", count)
        families += 1
    damaged = set(chance.sample(stores, len(stores) * options.damaged // 100))
    for path in sorted(damaged):
        damage(path, chance)
    return stores, damaged


def readable(alone: Alone, stores: list[Path], folder: Path) -> list[Path]:
    """The stores that the tool reads by itself, in the order of their names."""
    found = []
    for path in sorted(stores):
        done = subprocess.run([alone.program, "convert", "-q", "-f", path, "-o", folder / "one"],
                              capture_output=True, check=False)
        if done.returncode in (0, 2):
            found.append(path)
    return found


def run_job(cluster: Cluster, folder: Path, options: argparse.Namespace) -> float:
    """Runs the job, and kills what it runs on."""
    chance = random.Random(f"kill {options.seed}")
    arguments = [folder / "in", "--lake", folder / "lake", "--rehome", os.environ["REHOME"],
                 "--wave", max(100, options.stores // 4)]
    command = submit(cluster.url, folder / "spark", *arguments, "--to-bundle", folder / "bundle",
                     conf=SPECULATION)
    (folder / "spark").mkdir(exist_ok=True)
    start = time.monotonic()
    if options.kill_driver:
        driver = subprocess.Popen(command, start_new_session=True)
        time.sleep(chance.uniform(15, 30))
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()
        print("the driver was killed", flush=True)
    driver = subprocess.Popen(command, start_new_session=True)
    try:
        time.sleep(chance.uniform(10, 10 + options.stores / 50))
        if driver.poll() is None:
            cluster.kill(1)
            print(f"a worker was killed after {time.monotonic() - start:.0f} s", flush=True)
        code = driver.wait(LONGEST)
        assert code == 0, f"the job ended with {code}"
    finally:
        if driver.poll() is None:
            os.killpg(driver.pid, signal.SIGKILL)
    return time.monotonic() - start


def check_rows(lake: Path, stores: list[Path], good: list[Path]) -> None:
    """Each store has one row, which tells how it ended."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = builder.getOrCreate()
    rows = spark.read.parquet(str(lake / "stores")).select("path", "status").collect()
    spark.stop()
    paths = [row.path for row in rows]
    assert len(paths) == len(set(paths)), "a store has two rows"
    assert set(paths) == {str(path) for path in stores}, "a store has no row"
    read = {row.path for row in rows if row.status in ("ok", "findings")}
    assert read == {str(path) for path in good}, read ^ {str(path) for path in good}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stores", type=int, default=2000)
    parser.add_argument("--damaged", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kill-driver", action="store_true")
    options = parser.parse_args()
    alone = Alone(Path(os.environ["REHOME"]).resolve())
    folder = Path(tempfile.mkdtemp(prefix="fleet-large-"))
    cluster = None
    try:
        stores, damaged = make_stores(folder / "in", options)
        good = readable(alone, stores, folder)
        wanted = alone.hash(alone.merged(good, folder / "merged.rehome"))
        cluster = Cluster(folder / "cluster", 2)
        seconds = run_job(cluster, folder, options)
        check_rows(folder / "lake", stores, good)
        found = alone.hash(folder / "bundle")
        assert found == wanted, f"{found} in place of {wanted}"
    finally:
        if cluster is not None:
            cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(stores)} stores, {len(damaged)} damaged, one of two workers killed: one row each, "
          f"the same content hash; {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
