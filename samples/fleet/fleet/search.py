"""Which stores there are in the copy of a unit.

A database is one; through everything else the tool looks, and tells what it finds under the names
of the copies.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from fleet.belongings import LOG_ENDINGS
from fleet.child import (
    KILLED, NO_ROOM, TIMED_OUT, UNREADABLE, Outcome, Tool, without_paths)
from fleet.places import Unit
from fleet.spool import Spool, main_path

DATABASE = b"SQLite format 3\0"
# What stores begin with, and what archives do.
STORE_STARTS = (DATABASE, b"PK\3\4", b"\x1f\x8b")
# What no name of a file ends with.
NO_FILE = "!/"
STORE_NAMES = (".sqlite", ".sqlite3", ".sqlitedb", ".db", ".db3", ".rehome", ".storedata")


@dataclass
class Found:
    """A store on the task's disk, or why there is none; `is_guess` where only its name tells one.
    """

    name: str
    path: Path | None
    device: str | None = None
    container: str | None = None
    sha256: str | None = None
    trouble: str | None = None
    is_guess: bool = False
    # How it ended where there is no path.
    status: str = UNREADABLE
    # Whether it stands for all that is in its unit and was not come to.
    is_rest: bool = False

    @property
    def lacked_room(self) -> bool:
        """Whether there was no room for its copy."""
        return NO_ROOM in (self.trouble or "")

    def is_part_of(self, name: str) -> bool:
        """Whether it is what has a name, or in it."""
        return self.name == name or self.name.startswith(name + "!")


class Search:
    """Looks for stores."""

    def __init__(self, tool: Tool, spool: Spool) -> None:
        self.tool = tool
        self.spool = spool
        # Whether the machine may have kept stores of the last unit from being found.
        self.is_passing = False

    def found(self, unit: Unit, folder: Path) -> list[Found]:
        """The stores of a unit; what is none is told as something else."""
        self.is_passing = False
        if unit.is_folder:
            found, rest = self.looked_through(unit, folder)
            if found or rest or not self.is_expected(unit):
                return with_rest(unit, found, rest)
            return [Found(
                unit.name, None, trouble="there is no store in the folder", is_guess=True)]
        place = folder / "store"
        main = Found(unit.name, main_path(unit, place))
        is_database = starts_as(main.path, DATABASE)
        # Of a file that is named nobody asks what belongs to it.
        if is_database and (unit.is_named or not may_hold_more(unit, place)):
            return [main]
        found, rest = self.looked_through(unit, folder)
        own = [store for store in found if store.is_part_of(unit.name)]
        others = [store for store in found if not store.is_part_of(unit.name)]
        if is_database or not own and not rest and self.is_expected(unit):
            own = [replace(main, is_guess=not is_database and not unit.is_named)]
        return with_rest(unit, own if unit.is_named else own + others, rest)

    @staticmethod
    def is_expected(unit: Unit) -> bool:
        """Whether a person would call it a store, whatever is left of it."""
        return unit.is_named or unit.name.lower().endswith(STORE_NAMES) or any(
            file.inside.endswith(LOG_ENDINGS) for file in unit.files[1:])

    def looked_through(self, unit: Unit, folder: Path) -> tuple[list[Found], Found | None]:
        """The stores that the tool finds in a unit, those in containers copied out of them, and what
        stands for those that it did not come to, if it did not come to the end.
        """
        copies, work = folder / "copies", folder / "work"
        copies.mkdir(mode=0o700)
        place = folder / "store"
        outcome = self.tool.run(
            ["find", "-j", "1", "--json", "--fail-on", "never", "--copy-to", str(copies),
             str(place)], work)
        found, is_whole = [], outcome.is_whole
        for line in outcome.output.splitlines():
            try:
                told = json.loads(line)
            except ValueError:
                # The last line of a child that was ended may be cut.
                is_whole = False
                continue
            found += self.told_by_tool(unit, told, str(place))
        forget_guesses(found)
        self.is_passing = outcome.is_passing or any(store.lacked_room for store in found)
        is_at_end = is_whole and (found or not outcome.is_passing)
        return found, None if is_at_end else not_reached(unit.name, outcome)

    def told_by_tool(self, unit: Unit, told: dict, place: str) -> Iterator[Found]:
        """A store as `find` tells it, under its true name; none where it belongs to other units."""
        borders = ("", "!", "/") if unit.is_folder else ("", "!")
        for start, name in self.true_names(unit, place):
            inside = told["store"].removeprefix(start)
            if inside != told["store"] and inside[:1] in borders:
                yield found_in(name, inside, start, told)
                return

    def true_names(self, unit: Unit, place: str) -> Iterator[tuple[str, str]]:
        """Where the copies of what may be a store or hold some begin, and what they are called."""
        yield os.path.join(place, unit.main) if unit.main else place, unit.name
        for file in () if unit.is_folder else unit.files[1:]:
            if not file.is_shared:
                name = self.spool.files(file.path).shown(file.path)
                yield os.path.join(place, unit.place(file.inside)), name


def not_reached(name: str, outcome: Outcome) -> Found:
    """What stands for the stores in something that the tool did not come to."""
    has_ended = outcome.status in (TIMED_OUT, KILLED)
    message = outcome.message or (NO_ROOM if outcome.is_passing else "the tool's answer is cut off")
    return Found(name, None, container=name, is_rest=True,
                 trouble=f"not all of it was looked through: {message}",
                 status=outcome.status if has_ended else UNREADABLE)


def with_rest(unit: Unit, found: list[Found], rest: Found | None) -> list[Found]:
    """The stores of a unit, each under a name of its own, and what stands for those not come to.

    Where the unit is a store itself, that is called as no file can be.
    """
    own = next((store for store in found if store.name == unit.name), None)
    if rest is None:
        return with_numbers(found)
    if own and own.path is None:
        # What the tool itself says of the unit is said once.
        own.is_rest = True
        return with_numbers(found)
    if own:
        rest.name += NO_FILE
    return with_numbers([*found, rest])


def found_in(name: str, inside: str, start: str, told: dict) -> Found:
    """What `find` tells of a store inside of what has a name, whose copy has a path."""
    container = None
    if inside:
        container = name + (told["container"] or start).removeprefix(start)
    # Other containers do not say what device they are of.
    device = told["device"] if told["containerKind"] == "ios-backup" else None
    if error := told.get("error"):
        return Found(name + inside, None, device, container,
                     trouble=without_paths(error["message"], [start]))
    return Found(name + inside, Path(told["path"]), device, container, told["sha256"])


def starts_as(path: Path, *starts: bytes) -> bool:
    """Whether a file begins with one of some bytes."""
    with open(path, "rb") as file:
        return file.read(max(map(len, starts))).startswith(starts)


def may_hold_more(unit: Unit, place: Path) -> bool:
    """Whether what belongs to a store may itself be one; a log is none, whatever it is called."""
    return any(
        not file.is_shared and (not file.inside.endswith(LOG_ENDINGS)
                                or starts_as(place / unit.place(file.inside), *STORE_STARTS))
        for file in unit.files[1:])


def with_numbers(found: list[Found]) -> list[Found]:
    """Tells stores apart that have one name, so that each has a row of its own."""
    taken = {store.name for store in found}
    seen: dict[str, int] = {}
    for store in found:
        name = store.name
        while name in seen and store.name in taken:
            seen[name] += 1
            store.name = f"{name} ({seen[name]})"
        seen.setdefault(name, 1)
        taken.add(store.name)
    return found


def forget_guesses(found: list[Found]) -> None:
    """Forgets the devices that the tool has told by the paths of copies.

    A backup is of one device; where its stores have several, nobody has told it.
    """
    devices: dict[str | None, set[str | None]] = {}
    for store in found:
        devices.setdefault(store.container, set()).add(store.device)
    for store in found:
        if len(devices[store.container]) > 1:
            store.device = None
