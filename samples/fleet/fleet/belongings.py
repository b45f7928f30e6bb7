"""Which files belong to a store, by their names alone, as `Sources/Places/SideFiles.swift` says it.

The tool decides in the end what it reads of them, and so a file too many does no harm; of one too
few it knows nothing. tests/test_belongings.py compares what goes along with what the tool itself
takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import chain

from fleet.files import Entry, Files, ListingTrouble

LOG_ENDINGS = ("-wal", "-journal", "-shm")
PACKED = ".gz"
PACKED_ENDINGS = (PACKED, PACKED.upper())
SUPER_JOURNAL = re.compile(r".+-mj[0-9A-F]{6}9[0-9A-F]{2}", re.DOTALL)
EXTERNAL_DATA = "_EXTERNAL_DATA"
ATTACHMENTS = "attachments"
# An attachment, or what says that all of them are encrypted.
ATTACHMENT = re.compile(r".{40}\.blob|_encryption", re.DOTALL | re.IGNORECASE)
COUCHBASE_FILE, COUCHBASE_FOLDER, COUCHBASE_DATABASE = ".cblite", ".cblite2", "db.sqlite3"
COMMAND_FOLDERS = ("Command Cache", "CommandCache")
# What stands for all commands of a folder where it counts only that there are some.
SOME_COMMAND = f"CachedCommand_{0:016}_{0:08}_0"
COMMAND = re.compile(
    r"Command-[0-9a-f]{16}-[0-9a-f]{8}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|CachedCommand_[0-9a-f]{16}_[0-9a-f]{8}_[0-9]+".replace("0-9a-f", "0-9A-Fa-f"))
LOCAL_IDS, LOCAL_ID = "LocalId", "local_"
# So many folders stay listed of those in which files lie that a person names.
KEPT_FOLDERS = 8
# A file, and its place beside the store.
Part = tuple[str, Entry]


class Folder:
    """A folder, which is listed when somebody asks, and once."""

    def __init__(
        self, folders: Folders, path: str, name: str, parent: Folder | None = None
    ) -> None:
        self.folders = folders
        self.files = folders.files
        self.path = path
        self.name = name
        self.parent = parent
        self.inner: dict[str, Folder] = {}

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """What is in it, by name."""
        return {entry.name: entry for entry in self.files.listed(self.path)
                if not self.folders.is_left_out(entry)}

    @cached_property
    def has_folders(self) -> bool:
        """Whether there are folders in it; most that have stores have none."""
        return any(entry.is_folder for entry in self.entries.values())

    @cached_property
    def has_packed(self) -> bool:
        """Whether there are packed files in it."""
        return any(name.lower().endswith(PACKED) for name in self.entries)

    @cached_property
    def super_journals(self) -> list[Entry]:
        """The files that are there while a change of several databases is not finished."""
        return [entry for name, entry in self.parts() if SUPER_JOURNAL.fullmatch(name)]

    @cached_property
    def around(self) -> Folder:
        """The folder that it is in, also where that is no part of the place."""
        return self.parent or self.folders.at(self.files.parent(self.path))

    @cached_property
    def commands(self) -> list[Entry]:
        """The files in which an SDK of Parse keeps what waits, one command each."""
        return [entry for name, entry in self.parts() if COMMAND.fullmatch(name)]

    def entry(self, name: str) -> Entry | None:
        """What has a name in it; None also where it cannot be listed."""
        try:
            return self.entries.get(name)
        except ListingTrouble:
            return None

    def file(self, name: str) -> Entry | None:
        """The file of a name."""
        entry = self.entry(name)
        return None if entry is None or entry.is_folder else entry

    def folder(self, name: str) -> Folder | None:
        """The folder of a name."""
        entry = self.entry(name)
        if entry is None or not entry.is_folder:
            return None
        if name not in self.inner:
            self.inner[name] = Folder(self.folders, entry.path, name, self)
        return self.inner[name]

    def parts(self, inside: str = "") -> Iterator[Part]:
        """Its files in the order of their names; what cannot be listed has none."""
        with suppress(ListingTrouble):
            for name, entry in sorted(self.entries.items()):
                if not entry.is_folder:
                    yield inside + name, entry


class Folders:
    """The folders of one file system, the last of them kept, as many files may be named in one.

    What lies in the lake that is written is of no place, wherever the lake is.
    """

    def __init__(self, files: Files, lake: str | None = None) -> None:
        self.files = files
        self.lake = None if lake is None else files.whole(lake)
        self.lake_name = last_name(self.lake or "")
        self.at = lru_cache(KEPT_FOLDERS)(self.made)

    def made(self, path: str) -> Folder:
        """The folder of a path."""
        return Folder(self, path, last_name(path))

    def is_left_out(self, entry: Entry) -> bool:
        """Whether it is the folder of the lake."""
        return (entry.name == self.lake_name and entry.is_folder
                and self.files.whole(entry.path) == self.lake)

    def inside_lake(self, place: str) -> str | None:
        """Where in the lake a place is; nothing is the lake itself, None is elsewhere."""
        if self.lake is None:
            return None
        inside = f"{self.files.whole(place)}/".removeprefix(f"{self.lake.rstrip('/')}/")
        return None if inside == f"{self.files.whole(place)}/" else inside.strip("/")


def last_name(path: str) -> str:
    """The last part of a path."""
    return path.rstrip("/").rpartition("/")[2]


# What is a store's own.

def own_parts(folder: Folder, name: str) -> Iterator[Part]:
    """The files that belong to a file of a folder, and to no other."""
    sides = list(side_files(folder, name))
    yield from sides
    if not folder.has_folders:
        return
    # Names that differ in their endings alone have these folders in common.
    stems = dict.fromkeys(map(stem, (name, *(inside for inside, _ in sides))))
    # All others in the folder would have those of one, and there may be thousands of both.
    is_couchbase = name == COUCHBASE_DATABASE or name.endswith(COUCHBASE_FILE)
    alone = [(ATTACHMENTS,)] if is_couchbase else []
    for path in chain(*map(data_folders, stems), alone):
        yield from data(folder, path)


def side_files(folder: Folder, name: str) -> Iterator[Part]:
    """The files that are called after another one."""
    for side in chain(logs(folder, name), packed_logs(folder, name)):
        yield side.name, side
        # What is called so may be a store itself.
        yield from side_files(folder, side.name)


def main_file(folder: Folder, name: str) -> Entry | None:
    """The file that another one is called after as its log."""
    ending = next(filter(name.endswith, LOG_ENDINGS), None)
    return folder.file(name[:-len(ending)]) if ending else None


def logs(folder: Folder, name: str) -> Iterator[Entry]:
    """The log, the journal and the shared memory of a database."""
    found = (folder.file(name + ending) for ending in LOG_ENDINGS)
    return (side for side in found if side is not None)


def packed_logs(folder: Folder, name: str) -> Iterator[Entry]:
    """Those of a packed database, and those that are packed beside one that is not."""
    if not folder.has_packed:
        return
    plain, packing = name[:-len(PACKED)], name[-len(PACKED):]
    if packing.lower() != PACKED:
        # What is packed beside a packed database is that one's.
        alone = [ending for ending in PACKED_ENDINGS if folder.entry(name + ending) is None]
        yield from packed_beside(folder, name, alone)
        return
    yield from packed_beside(folder, plain, list(dict.fromkeys((packing, PACKED))))
    if folder.entry(plain) is None:
        yield from logs(folder, plain)


def packed_beside(folder: Folder, plain: str, endings: list[str]) -> Iterator[Entry]:
    """The side files of a database that are packed by themselves."""
    for log in LOG_ENDINGS:
        found = (folder.file(plain + log + ending) for ending in endings)
        yield from (side for side in found if side is not None)


def stem(name: str) -> str:
    """A name without its ending."""
    return name.rpartition(".")[0] if "." in name else name


def data_folders(stem: str) -> Iterator[tuple[str, ...]]:
    """Where Core Data and Couchbase Lite keep what is large, beside stores of a name."""
    yield f".{stem}_SUPPORT", EXTERNAL_DATA
    yield f"{stem} {ATTACHMENTS}",
    yield stem, ATTACHMENTS


def data(folder: Folder, path: tuple[str, ...]) -> Iterator[Part]:
    """The files of such a folder."""
    inner: Folder | None = folder
    for name in path:
        inner = inner and inner.folder(name)
    if inner:
        yield from (part for part in inner.parts("/".join(path) + "/")
                    if inner.name == EXTERNAL_DATA or ATTACHMENT.fullmatch(part[1].name))


# What goes along besides.

def shared_parts(folder: Folder, name: str) -> Iterator[Part]:
    """The files that belong to a file of a folder, and to others as well."""
    if folder.file(name + "-journal"):
        yield from ((entry.name, entry) for entry in folder.super_journals)
    if COMMAND.fullmatch(name):
        yield from local_ids(folder)


def marks(folder: Folder, name: str) -> Iterator[str]:
    """What lies around a file and tells something about it by being there."""
    for place in COMMAND_FOLDERS if folder.has_folders else ():
        beside = folder.folder(place)
        if beside and beside.commands:
            yield f"{place}/{SOME_COMMAND}"
    if name == COUCHBASE_DATABASE and folder.name.endswith(COUCHBASE_FOLDER):
        database = folder.name.removesuffix(COUCHBASE_FOLDER)
        for other in (database + COUCHBASE_FILE, f"{database}.tmp{COUCHBASE_FOLDER}"):
            if folder.around.entry(other):
                yield f"../{other}"


# A queue of Parse in files, which is a store as a whole.

def local_ids(folder: Folder) -> Iterator[Part]:
    """What the server has called the objects that the commands of a folder speak of."""
    beside = folder.around.folder(LOCAL_IDS)
    if beside:
        yield from (part for part in beside.parts(f"../{LOCAL_IDS}/")
                    if part[1].name.startswith(LOCAL_ID))


def is_of_queue(folder: Folder) -> bool:
    """Whether a folder goes with a queue in files that another one beside it is by its name."""
    if folder.name != LOCAL_IDS or folder.parent is None:
        return False
    beside = map(folder.parent.folder, COMMAND_FOLDERS)
    return any(other.commands for other in beside if other)
