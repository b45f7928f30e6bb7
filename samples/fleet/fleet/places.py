"""Which files of some places make one store, before anything is read of them.

A unit is what one task reads at a time: a file with its side files, or a folder that is a whole
(a device backup, an export). Whether it holds a store, several or none is found out by its content.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from fleet.files import Entry, Files, ListingTrouble

SIDE_ENDINGS = ("-wal", "-journal", "-shm")
BACKUP_LISTS = {"Info.plist", "Manifest.plist", "Status.plist"}
BODY_FOLDER = re.compile(r"[0-9a-f]{2}")
OWN_DOCUMENT = b'{"rehome"'
DEEPEST = 512


@dataclass(frozen=True)
class UnitFile:
    """One file of a unit: where it is, and its place beside the others."""

    path: str
    inside: str
    size: int
    changed: int


@dataclass(frozen=True)
class Unit:
    """Files that are read together; `is_named` where a person asked for just these."""

    name: str
    files: tuple[UnitFile, ...]
    is_folder: bool = False
    is_named: bool = False

    @property
    def size(self) -> int:
        """How many bytes there are to be copied."""
        return sum(file.size for file in self.files)

    @property
    def fingerprint(self) -> str:
        """What changes when a file is added, goes, or is written again."""
        facts = [f"{file.inside}\0{file.size}\0{file.changed}" for file in self.files]
        return hashlib.sha256("\0\0".join(facts).encode("utf-8", "surrogateescape")).hexdigest()


def units(files: Files, places: Iterable[str]) -> Iterator[Unit]:
    """The units of some places, each once."""
    seen = set()
    for place in places:
        for unit in units_of_place(files, place):
            if unit.name not in seen:
                seen.add(unit.name)
                yield unit


def units_of_place(files: Files, place: str) -> Iterator[Unit]:
    """The units of a folder, or the one that a file is."""
    entry = files.entry(place)
    if entry is None:
        yield Unit(files.shown(place), (), is_named=True)
    elif entry.is_folder:
        yield from units_of_folder(files, entry)
    else:
        beside = {}
        with suppress(ListingTrouble):
            beside = {other.name: other for other in files.listed(files.parent(entry.path))}
        yield unit_of_file(files, entry, beside, is_named=True)


def units_of_folder(files: Files, folder: Entry, depth: int = 0) -> Iterator[Unit]:
    """The units below a folder; links are not followed.

    One that cannot be listed keeps nobody from the others: it is a unit without files.
    """
    try:
        entries = {entry.name: entry for entry in files.listed(folder.path)}
        if is_whole(files, entries):
            found = tuple(files_below(files, folder, ""))
            yield Unit(files.shown(folder.path), found, is_folder=True)
            return
    except ListingTrouble:
        yield Unit(files.shown(folder.path), (), is_folder=True)
        return
    supports = {support_name(name) for name, entry in entries.items() if not entry.is_folder}
    for name, entry in sorted(entries.items()):
        if entry.is_folder:
            if name not in supports and depth < DEEPEST:
                yield from units_of_folder(files, entry, depth + 1)
        elif not is_side_file(name, entries):
            yield unit_of_file(files, entry, entries)


def is_whole(files: Files, entries: dict[str, Entry]) -> bool:
    """Whether a folder is a device backup or an export."""
    if "Manifest.mbdb" in entries:
        return True
    if "Manifest.db" in entries:
        return any(name in BACKUP_LISTS or BODY_FOLDER.fullmatch(name) for name in entries)
    manifest = entries.get("manifest.json")
    if manifest is None or manifest.is_folder:
        return False
    start = files.start(manifest.path, 64)
    return b"".join(start.split())[:len(OWN_DOCUMENT)] == OWN_DOCUMENT


def unit_of_file(
    files: Files, entry: Entry, beside: dict[str, Entry], is_named: bool = False
) -> Unit:
    """A file with those that belong to it, which get its name as they have it beside it."""
    found = [UnitFile(entry.path, entry.name, entry.size, entry.changed)]
    for ending in SIDE_ENDINGS:
        side = beside.get(entry.name + ending)
        if side is not None and not side.is_folder:
            found.append(UnitFile(side.path, side.name, side.size, side.changed))
    support = beside.get(support_name(entry.name))
    if support is not None and support.is_folder:
        # What cannot be had is told by the tool, value by value.
        with suppress(ListingTrouble):
            found += files_below(files, support, support.name + "/")
    return Unit(files.shown(entry.path), tuple(found), is_named=is_named)


def files_below(files: Files, folder: Entry, inside: str, depth: int = 0) -> Iterator[UnitFile]:
    """All files of a folder, in the order of their names."""
    for entry in sorted(files.listed(folder.path), key=lambda entry: entry.name):
        if not entry.is_folder:
            yield UnitFile(entry.path, inside + entry.name, entry.size, entry.changed)
        elif depth < DEEPEST:
            yield from files_below(files, entry, inside + entry.name + "/", depth + 1)


def support_name(name: str) -> str:
    """The folder in which a store keeps large values."""
    stem = name.rpartition(".")[0] or name
    return f".{stem}_SUPPORT"


def is_side_file(name: str, entries: dict[str, Entry]) -> bool:
    """Whether a file belongs to another one beside it."""
    return any(name.endswith(ending) and name[:-len(ending)] in entries
               for ending in SIDE_ENDINGS)
