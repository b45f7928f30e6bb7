"""Brings the files of a unit to a task's own disk."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fleet.files import Files, HadoopFiles, LocalFiles, folders_made, is_local
from fleet.places import Unit, UnitFile

TROUBLES = (OSError, ValueError, RuntimeError)
GONE = "the file is gone, or this machine does not see it"
CHANGED = "it changed while it was being copied"


class SpoolTrouble(Exception):
    """Why a unit's files cannot be had, in words for a person, and whether that may pass."""

    def __init__(self, message: str, is_passing: bool = True) -> None:
        super().__init__(message)
        self.is_passing = is_passing


class Spool:
    """Copies units; the way to Hadoop is made when the first path needs it.

    `settings` are those of the job that lead to its file systems. They go from memory to memory.
    """

    def __init__(self, settings: dict[str, str], most: int) -> None:
        self.settings = settings
        self.most = most
        # Whether the unit that was copied last lacks files that had gone meanwhile.
        self.has_gaps = False
        # How the files of that unit were before they were copied.
        self.states: dict[UnitFile, tuple[int, int] | None] = {}

    @contextmanager
    def copied(self, unit: Unit) -> Iterator[Path]:
        """A private folder with the copy of a unit in `store/`; all of it goes at the end."""
        # Spark clears its own folders when an executor or the job has ended, however that was.
        parent = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or None
        try:
            folder = Path(tempfile.mkdtemp(prefix="rehome-fleet-", dir=parent))
        except OSError as error:
            raise SpoolTrouble(f"this machine has no folder for copies: {error.strerror}") from None
        try:
            self.copy(unit, folder / "store")
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def copy(self, unit: Unit, folder: Path) -> None:
        """Copies the files of a unit, if there is room for them."""
        if not unit.files:
            raise SpoolTrouble(
                "the folder cannot be listed" if unit.is_folder else "there is no such file")
        room = shutil.disk_usage(folder.parent).free * 3 // 4
        if unit.size > min(self.most, room):
            raise SpoolTrouble(f"its {unit.size} bytes are more than a task may copy",
                               is_passing=unit.size <= self.most)
        self.states = {}
        gone = {file for file in unit.files if not self.is_copied(unit, file, folder)}
        if any(map(self.has_changed, self.states)):
            raise SpoolTrouble(CHANGED)
        if unit.is_sent_without(gone):
            raise SpoolTrouble(GONE)
        self.has_gaps = bool(gone)
        for mark in unit.marks:
            folders_made(folder / unit.place(mark)).touch()
        if unit.link is not None:
            folders_made(main_path(unit, folder)).symlink_to(folder / unit.main)

    def is_copied(self, unit: Unit, file: UnitFile, folder: Path) -> bool:
        """Copies a file, unless it has gone meanwhile and the others can do without it."""
        target = folders_made(folder / unit.place(file.inside))
        try:
            files = self.files(file.path)
            self.states[file] = files.state(file.path)
            files.copy(file.path, file.size, target)
        except PermissionError:
            raise SpoolTrouble("the file may not be read") from None
        except FileNotFoundError:
            if unit.can_lack(file):
                return False
            raise SpoolTrouble(GONE) from None
        except TROUBLES as error:
            raise SpoolTrouble(
                f"the file cannot be copied: {type(error).__name__}",
                is_passing=getattr(error, "errno", None) != errno.ENAMETOOLONG) from None
        if os.path.getsize(target) != file.size:
            raise SpoolTrouble(CHANGED)
        return True

    def has_changed(self, file: UnitFile) -> bool:
        """Whether a file has another size than in its listing, or changed after its copy had begun.

        The time in its listing does not count: another machine may tell it less exactly.
        """
        before = self.states[file]
        if before is None:
            return False
        return before[0] != file.size or self.files(file.path).state(file.path) not in (None, before)

    def files(self, path: str) -> Files:
        """What reads a path."""
        return LocalFiles() if is_local(path) else hadoop(self.settings)


def main_path(unit: Unit, folder: Path) -> Path:
    """What is named in the copy of a unit: its file, or the link to it, which is beside nothing."""
    if unit.link is None:
        return folder / unit.main
    return folder.with_name("link") / unit.place(unit.link)


_hadoop: dict[str, HadoopFiles] = {}


def hadoop(settings: dict[str, str]) -> HadoopFiles:
    """Hadoop's file systems, in a Java machine that lives as long as this worker."""
    if "files" not in _hadoop:
        # A worker has no way into its executor's Java machine; Spark's own files start another.
        from pyspark.java_gateway import launch_gateway

        os.environ.setdefault("PYSPARK_SUBMIT_ARGS", "--driver-memory 256m pyspark-shell")
        machine = launch_gateway().jvm
        configuration = machine.org.apache.hadoop.conf.Configuration()
        for name, value in settings.items():
            configuration.set(name, value)
        _hadoop["files"] = HadoopFiles(machine, configuration)
    return _hadoop["files"]
