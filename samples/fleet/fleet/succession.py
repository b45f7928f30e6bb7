"""Which units of a lake have ended, because their files are parts of others now.

A folder that was read file by file may be a device backup when the rest of it has come, and the
other way round. What is merely gone from its place stays in the lake.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from fleet.belongings import COMMAND, COMMAND_FOLDERS, last_name
from fleet.files import Files, readable
from fleet.places import Unit
from fleet.records import QUEUE


class Succession:
    """Compares the units that are there with those that a lake knows.

    The folder of a queue is read file by file as well, so that a file in it tells nothing of the
    queue, which may only have been sent.
    """

    def __init__(self, known: set[str], queues: set[str]) -> None:
        self.known = known
        self.queues = queues
        # That of a file system ends with a slash, which those that a path leads through do not.
        self.roots = {name.rstrip("/"): name for name in known if name.endswith("/")}
        self.present: set[str] = set()
        self.parts: set[str] = set()
        self.last_folder = ("", "")

    def note(self, unit: Unit, files: Files, place: str) -> None:
        """Takes down a unit that was found in a place."""
        if unit.name in self.known:
            self.present.add(unit.name)
        # What cannot be listed, or is not there, takes nothing over.
        if not unit.files or not self.known:
            return
        for name in names(unit, files):
            if name in self.known:
                self.parts.add(name)
            folder, _, last = name.rpartition("/")
            if unit.is_whole and folder in self.queues and COMMAND.fullmatch(last):
                self.parts.add(folder)
            if (place, folder) != self.last_folder:
                self.last_folder = (place, folder)
                self.parts.update(self.wholes_above(name, place))

    def wholes_above(self, name: str, place: str) -> Iterator[str]:
        """The folders of a place that a path leads through, and that were read as a whole."""
        inside = place.rstrip("/") + "/"
        for end in (end for end, letter in enumerate(name) if letter == "/"):
            above = self.roots.get(name[:end], name[:end])
            is_whole = above in self.known and above not in self.queues
            if is_whole and name[:end + 1].startswith(inside):
                yield above

    def ended(self) -> list[str]:
        """The units that are no more, because others have their files."""
        return sorted(self.parts - self.present)


def names(unit: Unit, files: Files) -> Iterator[str]:
    """What the files of a unit are called, but for those that others have as well."""
    if unit.is_whole:
        # To ask what each file of a backup is called would take long behind Hadoop.
        above = unit.name.rstrip("/")
        return (f"{above}/{readable(file.inside)}" for file in unit.files)
    own, parts = ([], unit.files) if unit.is_folder else ([unit.name], unit.files[1:])
    return chain(own, (files.shown(file.path) for file in parts if not file.is_shared))


def was_queue(name: str, kind: str | None) -> bool:
    """Whether a unit of a lake was a queue; in old lakes only its name tells that."""
    return kind == QUEUE or kind is None and last_name(name) in COMMAND_FOLDERS
