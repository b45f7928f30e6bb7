"""Which stores are told of what the tool looks through, however that ends; needs no Spark."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent)]

from fleet.canonical import Canonical  # noqa: E402
from fleet.child import Limits, Tool  # noqa: E402
from fleet.files import LocalFiles  # noqa: E402
from fleet.places import Unit, UnitFile, units_of_place  # noqa: E402
from fleet.reading import Reading  # noqa: E402
from fleet.records import NOT_REACHED, ROW, STORE, UNIT, Record  # noqa: E402
from fleet.search import Found, Search, with_numbers  # noqa: E402
from fleet.spool import Spool  # noqa: E402

STORE_FILE = SAMPLES / "dotnet-2019" / "localstore.db"
DAMAGED = "it is damaged"


class TerseTool(Tool):
    """The tool, which may not say much."""

    longest_answer = 100


def told(program: Path, folder: Path, find: str, kind: type[Tool] = Tool) -> dict[str, str]:
    """The stores of a folder with how they ended; `find` is a shell's way to do what the tool does.

    What stands for others is marked, and is in what it stands for.
    """
    wrapper = folder / "wrapper"
    wrapper.write_text(
        f"#!/bin/sh\ntool='{program}'\ncase $1 in find) {find} ;; esac\nexec \"$tool\" \"$@\"\n")
    wrapper.chmod(0o755)
    reading = Reading(kind(str(wrapper), Limits()), Spool({}, Limits.copy), Limits(), 500)
    records = [record for unit in units_of_place(LocalFiles(), str(folder / "in"))
               for record in reading.of_unit(unit) if record.kind == STORE]
    found = {}
    for record in records:
        facts = json.loads(record.cells[0])
        message = facts["message"] or ""
        is_rest = "not all of it was looked through" in message
        assert facts.get(NOT_REACHED, False) == (is_rest or DAMAGED in message), facts
        assert not is_rest or facts["container"] == record.unit, facts
        found[record.store.removeprefix(f"{folder}/in/")] = facts["status"]
    assert len(found) == len(records), records
    return found


def error_of(name: str) -> str:
    """A shell's way to tell what the tool tells of a file that it cannot read."""
    return (f"""echo '{{"store":"'"$(find "$9" -name {name})"'","device":null,"container":null,"""
            f""""containerKind":null,"error":{{"message":"{DAMAGED}"}}}}'""")


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
            (f"{error_of('packed.zip')}; kill -SEGV $$", {}, "unreadable")):
        wanted = found if status is None else {**found, "packed.zip": status}
        assert told(program, folder, find) == wanted, (find, told(program, folder, find))
    assert told(program, folder, ":", TerseTool) == {"packed.zip": "killed"}


def what_belongs_to_a_store_and_was_not_reached_has_a_row(program: Path, folder: Path) -> None:
    inner = folder / "in" / ".x_SUPPORT" / "_EXTERNAL_DATA" / "inner"
    inner.parent.mkdir(parents=True)
    # No name that a store can have is that of what stands for others.
    for path in (folder / "in" / "x.sqlite", folder / "in" / "x.sqlite (2)", inner):
        shutil.copy(STORE_FILE, path)
    inside = str(inner.relative_to(folder / "in"))
    own = {"x.sqlite": "ok", "x.sqlite (2)": "ok"}
    assert told(program, folder, ":") == {**own, inside: "ok"}
    for find in ("kill -SEGV $$", f"{error_of('x.sqlite')}; kill -SEGV $$"):
        assert told(program, folder, find) == {**own, "x.sqlite!/": "killed"}, find


class Unlike(Found):
    """A store that is compared with no other, as there may be thousands."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("stores are compared")


def stores_of_one_name_get_names_that_are_free(_: Path, folder: Path) -> None:
    names = ["a", "a (2)", "a", "a", "a (2)", "b"]
    found = [store.name for store in with_numbers([Found(name, None) for name in names])]
    assert found == ["a", "a (2)", "a (3)", "a (4)", "a (2) (2)", "b"], found
    (folder / "store").mkdir()
    (folder / "store" / "x.zip").write_bytes(b"PK")
    search = Search(Tool("none", Limits()), Spool({}, 1))
    search.looked_through = lambda *_: ([Unlike(name, None) for name in names], None)
    unit = Unit("x.zip", (UnitFile("x.zip", "x.zip", 2, 1), UnitFile("y", "y", 2, 1)))
    (folder / "store" / "y").write_bytes(b"PK")
    assert len(search.found(unit, folder)) == len(names)


def what_the_system_refuses_costs_a_row(program: Path, folder: Path) -> None:
    (folder / "in" / "b").mkdir(parents=True)
    shutil.copy(STORE_FILE, folder / "in" / "a.db")
    for name in ("Manifest.db", "Info.plist"):
        (folder / "in" / "b" / name).touch()
    deep = str(folder / "in" / "b")
    while len(deep) < 4087:
        deep += "/" + "d" * min(200, 4086 - len(deep))
    os.makedirs(deep)
    Path(deep, "f").touch()
    assert told(program, folder, ":") == {"a.db": "ok", "b": "unreadable"}
    unit = next(unit for unit in units_of_place(LocalFiles(), str(folder / "in"))
                if not unit.is_folder)
    for code, is_passing in ((errno.ENOSPC, True), (errno.EMFILE, True), (errno.ENOTDIR, False)):
        reading = Reading(Tool(str(program), Limits()), Spool({}, Limits.copy), Limits(), 500)

        def copied(_: Unit, code: int = code) -> None:
            raise OSError(code, os.strerror(code))

        reading.spool.copied = copied
        (*stores, mark) = reading.of_unit(unit)
        assert [store.store for store in stores] == [unit.name] and mark.kind == UNIT, stores
        assert mark.cells == [None if is_passing else unit.fingerprint], code
        assert json.loads(stores[0].cells[0])[NOT_REACHED]
    # What is wrong with a machine says nothing of a store, and is tried again.
    with patch.dict(os.environ, SPARK_LOCAL_DIRS=str(folder / "none")):
        reading = Reading(Tool(str(program), Limits()), Spool({}, Limits.copy), Limits(), 500)
        (_, mark) = reading.of_unit(unit)
        assert mark.cells == [None], mark
    outcome = Tool(str(folder / "none"), Limits()).run([], folder)
    assert outcome.status == "unreadable" and not outcome.is_whole and outcome.is_passing


def what_goes_wrong_with_a_store_costs_its_row(program: Path, folder: Path) -> None:
    (folder / "in").mkdir()
    shutil.copy(STORE_FILE, folder / "in" / "x.db")
    (unit,) = units_of_place(LocalFiles(), str(folder / "in"))
    full = OSError(errno.ENOSPC, "a value")
    for error, is_passing in ((ValueError("a value"), False), (full, True)):
        reading = Reading(Tool(str(program), Limits()), Spool({}, Limits.copy), Limits(), 500)

        def records(*_: object, error: Exception = error) -> Iterator[Record]:
            yield Record(ROW, unit.name)
            raise error

        with patch.object(Canonical, "records", records):
            *_, store, mark = reading.of_unit(unit)
        facts = json.loads(store.cells[0])
        assert facts["status"] == "unreadable" and "a value" not in facts["message"], facts
        assert not {"layout", "catalogue", "sources", "nextKeys", "counts"} & set(facts), facts
        assert mark.cells == [None if is_passing else unit.fingerprint], mark


def containers_are_told_however_their_reading_ends(program: Path) -> None:
    """All claims of this file."""
    for claim in (what_was_not_reached_has_a_row, what_goes_wrong_with_a_store_costs_its_row,
                  what_belongs_to_a_store_and_was_not_reached_has_a_row,
                  stores_of_one_name_get_names_that_are_free, what_the_system_refuses_costs_a_row):
        with tempfile.TemporaryDirectory(prefix="fleet-test-") as folder:
            claim(program, Path(folder).resolve())


if __name__ == "__main__":
    containers_are_told_however_their_reading_ends(Path(os.environ["REHOME"]).resolve())
    print("containers are told however their reading ends")
