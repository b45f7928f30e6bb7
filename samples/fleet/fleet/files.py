"""Files wherever Spark finds them: on disks that all machines share, or behind Hadoop.

Paths of `file:` are read as they are. Every other path goes through Hadoop's own classes, with
the settings of the job, in whichever Java machine a gateway leads to.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

SCHEME = re.compile("([A-Za-z][A-Za-z0-9+.-]+):/")
# As for Hadoop, what follows is a path as it is: nothing in it is an escape or ends it.
FILE_ADDRESS = re.compile("file:(?P<host>//[^/]*)?(?P<path>.*)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Entry:
    """A file or a folder in a listing; `changed` is in thousandths of a second or finer.

    Of a link that a person names, `name` is its own, and `path` where it leads.
    """

    path: str
    name: str
    is_folder: bool
    size: int
    changed: int


class ListingTrouble(Exception):
    """A folder that cannot be listed."""


class Files(Protocol):
    """Where files are listed, and copied from."""

    def entry(self, path: str) -> Entry | None:
        """What is at a path; None where nothing is."""

    def listed(self, folder: str) -> list[Entry]:
        """What is in a folder."""

    def parent(self, path: str) -> str:
        """The folder of a file."""

    def start(self, path: str, size: int) -> bytes:
        """The first bytes of a file."""

    def shown(self, path: str) -> str:
        """A path as people and programs see it."""

    def whole(self, path: str) -> str:
        """The one spelling that a path has."""

    def state(self, path: str) -> tuple[int, int] | None:
        """The size of a file and when it changed, where a copy does not show that it did."""

    def copy(self, path: str, size: int, target: Path) -> None:
        """Copies a file of a known size to this machine's own disk; what it grew by stays."""


def readable(name: str) -> str:
    """A name as text, whatever bytes it has."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def is_local(path: str) -> bool:
    """Whether a path is read as a file of this machine."""
    scheme = SCHEME.match(path)
    return scheme is None or scheme[1].lower() == "file"


class LocalFiles:
    """Files of this machine, which all machines see under the same paths."""

    def entry(self, path: str) -> Entry | None:
        plain = os.path.abspath(self.plain(path))
        try:
            facts = os.stat(plain)
        except OSError:
            return None
        is_folder = stat.S_ISDIR(facts.st_mode)
        if not is_folder and not stat.S_ISREG(facts.st_mode):
            return None
        # What belongs to a file lies where it is.
        path = os.path.realpath(plain) if os.path.islink(plain) and not is_folder else plain
        return Entry(path, os.path.basename(plain), is_folder, facts.st_size, facts.st_mtime_ns)

    def listed(self, folder: str) -> list[Entry]:
        try:
            with os.scandir(folder) as found:
                return [entry for entry in map(self.scanned, found) if entry is not None]
        except OSError as error:
            raise ListingTrouble(folder) from error

    @staticmethod
    def scanned(found: os.DirEntry[str]) -> Entry | None:
        """A file or a folder; None for links, pipes and devices."""
        try:
            is_folder = found.is_dir(follow_symlinks=False)
            if not is_folder and not found.is_file(follow_symlinks=False):
                return None
            facts = found.stat(follow_symlinks=False)
        except OSError:
            return None
        return Entry(found.path, found.name, is_folder, facts.st_size, facts.st_mtime_ns)

    def parent(self, path: str) -> str:
        return os.path.dirname(path)

    def start(self, path: str, size: int) -> bytes:
        try:
            with open(path, "rb") as file:
                return file.read(size)
        except OSError:
            return b""

    def shown(self, path: str) -> str:
        return readable(os.path.abspath(self.plain(path)))

    def whole(self, path: str) -> str:
        return os.path.realpath(self.plain(path))

    def state(self, path: str) -> tuple[int, int] | None:
        try:
            facts = os.stat(path)
        except OSError:
            return None
        return facts.st_size, facts.st_mtime_ns

    def copy(self, path: str, size: int, target: Path) -> None:
        # A pipe that took the place of a file has nothing to give, and is not waited for.
        with open(path, "rb", opener=without_waiting) as source, open(target, "xb") as copy:
            while size > 0:
                count = os.sendfile(copy.fileno(), source.fileno(), None, min(size, 1 << 24))
                if count == 0:
                    break
                size -= count

    @staticmethod
    def plain(path: str) -> str:
        """The path of a `file:` address."""
        address = FILE_ADDRESS.fullmatch(path)
        if address is None:
            return path
        return address["path"] if address["host"] is None else f"/{address['path'].lstrip('/')}"


class HadoopFiles:
    """Files behind Hadoop, through the Java machine of a gateway."""

    def __init__(self, machine: Any, settings: Any) -> None:
        self.machine = machine
        self.settings = settings

    def entry(self, path: str) -> Entry | None:
        try:
            return self.told(self.system(path).getFileStatus(self.path(path)))
        except Exception as error:
            if "FileNotFoundException" in str(error):
                return None
            raise

    def listed(self, folder: str) -> list[Entry]:
        try:
            found = self.system(folder).listStatus(self.path(folder))
        except Exception as error:
            raise ListingTrouble(folder) from error
        return [self.told(status) for status in found]

    @staticmethod
    def told(status: Any) -> Entry:
        path = status.getPath()
        return Entry(path.toString(), path.getName(), status.isDirectory(), status.getLen(),
                     status.getModificationTime())

    def parent(self, path: str) -> str:
        # What is above all others is its own.
        return (self.path(path).getParent() or self.path(path)).toString()

    def start(self, path: str, size: int) -> bytes:
        stream = self.system(path).open(self.path(path))
        try:
            found = bytearray()
            while len(found) < size and (byte := stream.read()) >= 0:
                found.append(byte)
            return bytes(found)
        finally:
            stream.close()

    def shown(self, path: str) -> str:
        return self.path(path).toString()

    def whole(self, path: str) -> str:
        return self.system(path).makeQualified(self.path(path)).toString()

    def state(self, path: str) -> None:
        # All of a file is copied, and to ask for each would take long.
        return None

    def copy(self, path: str, size: int, target: Path) -> None:
        local = self.machine.org.apache.hadoop.fs.Path("file://" + str(target))
        try:
            self.system(path).copyToLocalFile(False, self.path(path), local, True)
        except Exception as error:
            raise known_error(error) from error

    def path(self, text: str) -> Any:
        return self.machine.org.apache.hadoop.fs.Path(text)

    def system(self, text: str) -> Any:
        return self.path(text).getFileSystem(self.settings)


def known_error(error: Exception) -> OSError:
    """A trouble that Java tells, as Python does."""
    known = {"FileNotFoundException": FileNotFoundError, "AccessControlException": PermissionError}
    return next((kind() for name, kind in known.items() if name in str(error)), OSError())


def without_waiting(path: str, flags: int) -> int:
    """Opens a file so that nothing is waited for."""
    return os.open(path, flags | os.O_NONBLOCK)


def folders_made(path: Path) -> Path:
    """The path, when the folders above it are there."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path

