"""Which units of a lake have ended, because their files are parts of others now.

A folder that was read file by file may be a device backup when the rest of it has come, and the
other way round. What is merely gone from its place stays in the lake.
"""

from __future__ import annotations

from fleet.files import Files
from fleet.places import Unit


class Succession:
    """Compares the units that are there with those that a lake knows."""

    def __init__(self, known: set[str]) -> None:
        self.known = known
        self.present: set[str] = set()
        self.parts: set[str] = set()
        self.wholes: set[str] = set()
        self.last_folder = ""

    def note(self, unit: Unit, files: Files, place: str) -> None:
        """Takes down a unit that was found in a place."""
        if unit.name in self.known:
            self.present.add(unit.name)
        # What cannot be listed, or is not there, takes nothing over.
        if not unit.files:
            return
        if unit.is_folder and not unit.above:
            self.wholes.add(unit.name)
        else:
            parts = unit.files if unit.is_folder else unit.files[1:]
            names = (files.shown(file.path) for file in parts if not file.is_shared)
            self.parts.update(name for name in names if name in self.known)
        folder = unit.name.rpartition("/")[0]
        if folder != self.last_folder:
            self.last_folder = folder
            self.parts.update(
                above for above in (place, *folders_above(unit.name))
                if above in self.known and f"{above}/".startswith(f"{place}/"))

    def ended(self) -> list[str]:
        """The units that are no more, because others have their files."""
        gone = self.known - self.present
        return sorted(name for name in gone if name in self.parts or any(
            above in self.wholes for above in folders_above(name)))


def folders_above(name: str) -> list[str]:
    """The folders that a path leads through."""
    ends = (place for place, letter in enumerate(name) if letter == "/")
    return [name[:end] for end in ends if end > 0]
