"""A standalone cluster of Spark on this machine: a master and workers, each a process group."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
PATIENCE = 120


def spark_home() -> Path:
    """Where Spark is in this Python environment."""
    import pyspark

    return Path(pyspark.__file__).parent


class Cluster:
    """A master and some workers of one core each, which can be killed."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self.environment = {
            **os.environ, "SPARK_HOME": str(spark_home()), "SPARK_NO_DAEMONIZE": "1",
            "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_WORKER_OPTS": "-Dspark.worker.cleanup.enabled=true"}
        self.processes: list[subprocess.Popen[bytes]] = []
        self.master = self.start("master", MASTER, "--host", "127.0.0.1", "--port", "0",
                                 "--webui-port", "0")
        self.url = self.told("master", "Starting Spark master at ")
        self.workers = [self.worker(number) for number in range(workers)]
        for number in range(workers):
            self.told(f"worker-{number}", "Successfully registered with master ")

    def worker(self, number: int) -> subprocess.Popen[bytes]:
        """One more worker."""
        return self.start(f"worker-{number}", WORKER, "--cores", "1", "--memory", "2g", "--host",
                          "127.0.0.1", "--webui-port", "0", "--work-dir",
                          str(self.folder / f"work-{number}"), self.url)

    def start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Starts a part of the cluster."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                [str(spark_home() / "bin" / "spark-class"), *arguments], stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, env=self.environment, start_new_session=True)
        self.processes.append(process)
        return process

    def told(self, name: str, words: str) -> str:
        """What stands behind some words in a log, as soon as they are there."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for line in (self.folder / f"{name}.log").read_text(errors="replace").splitlines():
                if words in line:
                    return line.partition(words)[2].split()[0]
            time.sleep(0.1)
        raise AssertionError(f"the {name} did not say: {words}")

    def executors(self, number: int) -> list[int]:
        """The executors of a worker, by their process ids."""
        mark = str(self.folder / f"work-{number}").encode()
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                line = (entry / "cmdline").read_bytes()
                where = os.readlink(entry / "cwd").encode()
            except OSError:
                continue
            if where.startswith(mark + b"/") and b"CoarseGrainedExecutorBackend" in line:
                found.append(int(entry.name))
        return found

    def kill(self, number: int) -> None:
        """Kills a worker and its executors, as if its machine had lost its power."""
        for process in self.executors(number):
            os.kill(process, signal.SIGKILL)
        os.killpg(self.workers[number].pid, signal.SIGKILL)

    def stop(self) -> None:
        """Ends everything."""
        for process in reversed(self.processes):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for number in range(len(self.workers)):
            for process in self.executors(number):
                os.kill(process, signal.SIGKILL)


def submit(url: str, folder: Path, *arguments: object, conf: tuple[str, ...] = ()) -> list[str]:
    """The command line of a job; Spark's own temporary files go to a folder."""
    job = Path(__file__).resolve().parents[1] / "rehome_fleet.py"
    settings = ["spark.ui.enabled=false", "spark.log.level=ERROR", f"spark.local.dir={folder}",
                "spark.driver.bindAddress=127.0.0.1", "spark.driver.host=127.0.0.1", *conf]
    given = [part for setting in settings for part in ("--conf", setting)]
    return [str(spark_home() / "bin" / "spark-submit"), "--master", url, *given, str(job),
            *map(str, arguments)]
