"""Which files of some places make one store, before anything is read of them.

A unit is what one task reads at a time: a file with those that belong to it, or a folder that is a
whole (a device backup, an export, a queue in files). Whether it holds a store, several or none is
found out by its content.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from fleet.belongings import (
    COMMAND, LOCAL_ID, LOG_ENDINGS, Folder, Folders, Part, is_of_queue, last_name, local_ids,
    main_file, marks, own_parts, shared_parts)
from fleet.files import Entry, Files, ListingTrouble

BACKUP_LISTS = {"Info.plist", "Manifest.plist", "Status.plist"}
BODY_FOLDER = re.compile(r"[0-9a-f]{2}")
OWN_DOCUMENT = b'{"rehome"'
# What every export has beside its description.
OWN_PARTS, OWN_ENDINGS = ("operations", "errors", "tokens"), ("csv", "json", "ndjson", "xml")
DEEPEST = 512
# Facts of what is read otherwise than by those who knew nothing of it: files of other units, and
# what belongs to a store besides its logs.
SHARED, MORE_THAN_LOGS = "\0shared", "more than logs"
# In so many folders above it a file stands in a copy, too: they may tell what it is.
KEPT_FOLDERS = 3


@dataclass(frozen=True)
class UnitFile:
    """One file of a unit: where it is, and its place beside the others.

    What is shared belongs to other units as well, and is no store of this one.
    """

    path: str
    inside: str
    size: int
    changed: int
    is_shared: bool = False


@dataclass(frozen=True)
class Unit:
    """Files that are read together; `is_named` where a person asked for just these.

    The first one is what the others belong to, unless the unit is a folder. `marks` are the places
    of what is only there, `above` is where all of it stands, and `link` is what a person calls it.
    One that has ended has nothing any more: its files are parts of other units. Of one that is known
    a lake has what was read before.
    """

    name: str
    files: tuple[UnitFile, ...]
    is_folder: bool = False
    is_named: bool = False
    marks: tuple[str, ...] = ()
    above: str = ""
    link: str | None = None
    has_ended: bool = False
    is_known: bool = False

    @property
    def is_queue(self) -> bool:
        """Whether it is the queue in files of a folder, in which others may be as well."""
        return self.is_folder and bool(self.above)

    @property
    def is_whole(self) -> bool:
        """Whether all that is in a folder is its."""
        return self.is_folder and not self.above

    @property
    def size(self) -> int:
        """How many bytes there are to be copied."""
        return sum(file.size for file in self.files)

    @property
    def fingerprint(self) -> str:
        """What changes when a file is added, goes, or is written again."""
        facts = [f"{file.inside}\0{file.size}\0{file.changed}{SHARED if file.is_shared else ''}"
                 for file in self.files]
        facts += self.marks
        if not self.is_folder and not all(
                file.inside.endswith(LOG_ENDINGS) for file in self.files[1:]):
            facts.append(MORE_THAN_LOGS)
        return hashlib.sha256("\0\0".join(facts).encode("utf-8", "surrogateescape")).hexdigest()

    @property
    def main(self) -> str:
        """The place of the file or the folder that it is called after."""
        return self.above if self.is_folder else self.place(self.files[0].inside)

    def place(self, inside: str) -> str:
        """The place of a file or a mark among the folders above."""
        return os.path.normpath(os.path.join(self.above, inside)) if self.above else inside

    def can_lack(self, file: UnitFile) -> bool:
        """Whether a file may have gone meanwhile: a command, or what a value is kept in."""
        return self.is_queue if self.is_folder else "/" in file.inside

    def is_sent_without(self, gone: set[UnitFile]) -> bool:
        """Whether it is a queue whose commands have all gone; what is beside them is no queue."""
        return self.is_queue and all(file in gone for file in self.files if "/" not in file.inside)


def units_of_place(files: Files, place: str) -> Iterator[Unit]:
    """The units of a place."""
    return units_of_entry(Folders(files), files.shown(place), files.entry(place))


def units_of_entry(folders: Folders, name: str, entry: Entry | None) -> Iterator[Unit]:
    """The units of a folder, or the one that a file is, which has a name."""
    if entry is None:
        yield Unit(name, (), is_named=True)
    elif entry.is_folder:
        yield from units_of_folder(Folder(folders, entry.path, entry.name), set())
    else:
        folder, own_name = folders.at(folders.files.parent(entry.path)), last_name(entry.path)
        yield replace(
            unit_of_file(folder, replace(entry, name=own_name)), name=name, is_named=True,
            link=None if entry.name == own_name else entry.name)


def units_of_folder(folder: Folder, taken: set[str], depth: int = 0) -> Iterator[Unit]:
    """The units below a folder, but for files that are taken; links are not followed.

    One that cannot be listed keeps nobody from the others: it is a unit without files.
    """
    name = folder.files.shown(folder.path)
    try:
        if is_whole(folder):
            yield Unit(name, tuple(files_below(folder)), is_folder=True)
            return
    except ListingTrouble:
        yield Unit(name, (), is_folder=True)
        return
    if queue := unit_of_queue(folder):
        yield queue
    found = units_of_files(folder, taken)
    yield from found
    own = own_paths(found)
    taken |= own
    if depth < DEEPEST:
        for inner in sorted(folder.entries):
            if folder.folder(inner):
                yield from units_of_folder(folder.inner.pop(inner), taken, depth + 1)
    taken -= own


def is_whole(folder: Folder) -> bool:
    """Whether a folder is a device backup or an export."""
    entries = folder.entries
    if "Manifest.mbdb" in entries:
        return True
    if "Manifest.db" in entries:
        return any(name in BACKUP_LISTS or BODY_FOLDER.fullmatch(name) for name in entries)
    manifest = folder.file("manifest.json")
    if manifest is None:
        return False
    if manifest.size == 0:
        return any(all(f"{part}.{ending}" in entries for part in OWN_PARTS)
                   for ending in OWN_ENDINGS)
    start = folder.files.start(manifest.path, 64)
    return b"".join(start.split())[:len(OWN_DOCUMENT)] == OWN_DOCUMENT


def unit_of_queue(folder: Folder) -> Unit | None:
    """The queue in files that a folder is, with what stands beside it."""
    if not folder.commands:
        return None
    parts = chain(((command.name, command) for command in folder.commands), local_ids(folder))
    return Unit(folder.files.shown(folder.path), tuple(unit_files(parts)), is_folder=True,
                above=kept_folders(folder.commands[0].path))


def units_of_files(folder: Folder, taken: set[str]) -> list[Unit]:
    """The units that the files of a folder are, one by one."""
    is_beside_queue = is_of_queue(folder)
    files = [entry for name, entry in folder.parts()
             if entry.path not in taken and not COMMAND.fullmatch(name)
             and not (is_beside_queue and name.startswith(LOCAL_ID))]
    # Most files of many are logs, which are with their databases in any case.
    mains = ((main_file(folder, entry.name), entry) for entry in files)
    found = [unit_of_file(folder, entry) for main, entry in mains
             if main is None or main.path in taken]
    own = own_paths(found)
    claimed: set[str] = set()
    return [claiming(unit, claimed) for unit in found if unit.files[0].path not in own]


def claiming(unit: Unit, claimed: set[str]) -> Unit:
    """A unit to which what an earlier one has claimed is shared."""
    if any(file.path in claimed for file in unit.files):
        unit = replace(unit, files=tuple(
            replace(file, is_shared=file.is_shared or file.path in claimed)
            for file in unit.files))
    claimed |= own_paths([unit])
    return unit


def own_paths(found: list[Unit]) -> set[str]:
    """Where the files are that belong to others, and are no units of their own."""
    return {file.path for unit in found for file in unit.files[1:] if not file.is_shared}


def unit_of_file(folder: Folder, entry: Entry) -> Unit:
    """A file with those that belong to it, which have its name as they have it beside it."""
    own = chain([(entry.name, entry)], own_parts(folder, entry.name))
    found: dict[str, UnitFile] = {}
    # What belongs to it in two ways is one file all the same.
    for file in chain(unit_files(own), unit_files(shared_parts(folder, entry.name), True)):
        found.setdefault(file.inside, file)
    return Unit(folder.files.shown(entry.path), tuple(found.values()),
                marks=tuple(marks(folder, entry.name)), above=kept_folders(entry.path))


def unit_files(parts: Iterable[Part], is_shared: bool = False) -> Iterator[UnitFile]:
    """Parts of a store as files of a unit."""
    return (UnitFile(entry.path, inside, entry.size, entry.changed, is_shared)
            for inside, entry in parts)


def files_below(folder: Folder, inside: str = "", depth: int = 0) -> Iterator[UnitFile]:
    """All files of a folder, in the order of their names."""
    for name, entry in sorted(folder.entries.items()):
        if folder.folder(name) is None:
            yield UnitFile(entry.path, inside + name, entry.size, entry.changed)
        elif depth < DEEPEST:
            yield from files_below(folder.inner.pop(name), f"{inside}{name}/", depth + 1)


def kept_folders(path: str) -> str:
    """The folders above a file that tell what it is."""
    return "/".join([part for part in path.split("/") if part][-1 - KEPT_FOLDERS:-1]) or "root"
