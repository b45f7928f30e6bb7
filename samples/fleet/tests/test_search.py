"""Which stores are told of what the tool looks through, however that ends; needs no Spark."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent)]

from fleet.child import Limits, Tool  # noqa: E402
from fleet.files import LocalFiles  # noqa: E402
from fleet.places import units_of_place  # noqa: E402
from fleet.reading import Reading  # noqa: E402
from fleet.records import ROW, STORE, Record  # noqa: E402
from fleet.spool import Spool  # noqa: E402

STORE_FILE = SAMPLES / "dotnet-2019" / "localstore.db"


class TerseTool(Tool):
    """The tool, which may not say much."""

    longest_answer = 100


def told(program: Path, folder: Path, find: str, kind: type[Tool] = Tool) -> dict[str, str]:
    """The stores of a folder with how they ended; `find` is a shell's way to do what the tool does.
    """
    wrapper = folder / "wrapper"
    wrapper.write_text(
        f"#!/bin/sh\ntool='{program}'\ncase $1 in find) {find} ;; esac\nexec \"$tool\" \"$@\"\n")
    wrapper.chmod(0o755)
    reading = Reading(kind(str(wrapper), Limits()), Spool({}, Limits.copy), Limits(), 500)
    records = [record for unit in units_of_place(LocalFiles(), str(folder / "in"))
               for record in reading.of_unit(unit) if record.kind == STORE]
    found = {record.store.removeprefix(f"{folder}/in/"): json.loads(record.cells[0])["status"]
             for record in records}
    assert len(found) == len(records), records
    return found


def what_was_not_reached_has_a_row(program: Path, folder: Path) -> None:
    for name in ("a.db", "b.db"):
        (folder / "packed").mkdir(exist_ok=True)
        shutil.copy(STORE_FILE, folder / "packed" / name)
    shutil.make_archive(str(folder / "in" / "packed"), "zip", folder / "packed")
    first, both = {"packed.zip!a.db": "ok"}, {
        "packed.zip!a.db": "ok", "packed.zip!b.db": "ok"}
    all_of_it, one = '"$tool" "$@"', '"$tool" "$@" | head -n 1'
    for find, found, status in (
            (":", both, None), (f"{all_of_it}; exit", both, None),
            (f"{all_of_it}; kill -KILL $$", both, "killed"),
            (f"{one}; kill -SEGV $$", first, "killed"), (f"{one}; kill -XCPU $$", first, "timed-out"),
            ("kill -XCPU $$", {}, "timed-out"), (f"{one}; exit 70", first, "unreadable"),
            # A line that is cut is no store, and nobody knows what came behind it.
            (f"{all_of_it} | head -c 900; exit 0", first, "unreadable"),
            # What the tool itself says of a container is said once.
            ("""echo '{"store":"'"$(find "$9" -name packed.zip)"'","device":null,"""
             """"container":null,"containerKind":null,"error":{"message":"it is damaged"}}'; kill -SEGV $$""", {}, "unreadable")):
        wanted = found if status is None else {**found, "packed.zip": status}
        assert told(program, folder, find) == wanted, (find, told(program, folder, find))
    assert told(program, folder, ":", TerseTool) == {"packed.zip": "killed"}


def what_belongs_to_a_store_and_was_not_reached_has_a_row(program: Path, folder: Path) -> None:
    inner = folder / "in" / ".x_SUPPORT" / "_EXTERNAL_DATA" / "inner"
    inner.parent.mkdir(parents=True)
    for path in (folder / "in" / "x.sqlite", inner):
        shutil.copy(STORE_FILE, path)
    inside = str(inner.relative_to(folder / "in"))
    own = {"x.sqlite": "ok"}
    assert told(program, folder, ":") == {**own, inside: "ok"}
    assert told(program, folder, "kill -SEGV $$") == {**own, "x.sqlite (2)": "killed"}


def what_goes_wrong_with_a_store_costs_its_row(program: Path, folder: Path) -> None:
    (folder / "in").mkdir()
    shutil.copy(STORE_FILE, folder / "in" / "x.db")
    (unit,) = units_of_place(LocalFiles(), str(folder / "in"))
    for error, is_passing in ((ValueError("a value"), False), (OSError("a value"), True)):
        reading = Reading(Tool(str(program), Limits()), Spool({}, Limits.copy), Limits(), 500)

        def taken(*_: object, error: Exception = error) -> Iterator[Record]:
            yield Record(ROW, unit.name)
            raise error

        reading.taken = taken
        *_, store, mark = reading.of_unit(unit)
        facts = json.loads(store.cells[0])
        assert facts["status"] == "unreadable" and "a value" not in facts["message"], facts
        assert mark.cells == [None if is_passing else unit.fingerprint], mark


def containers_are_told_however_their_reading_ends(program: Path) -> None:
    """All claims of this file."""
    for claim in (what_was_not_reached_has_a_row, what_goes_wrong_with_a_store_costs_its_row,
                  what_belongs_to_a_store_and_was_not_reached_has_a_row):
        with tempfile.TemporaryDirectory(prefix="fleet-test-") as folder:
            claim(program, Path(folder).resolve())


if __name__ == "__main__":
    containers_are_told_however_their_reading_ends(Path(os.environ["REHOME"]).resolve())
    print("containers are told however their reading ends")
