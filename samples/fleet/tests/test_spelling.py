"""What decides which row is kept, and how raw values are told, as the tool has it; needs no Spark."""

from __future__ import annotations

import base64
import itertools
import json
import os
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from families import Alone  # noqa: E402
from fleet.canonical import Canonical  # noqa: E402
from fleet.records import REJECT  # noqa: E402
from fleet.spelling import comparable_time, comparable_version  # noqa: E402
from random_devices import Device  # noqa: E402

VERSIONS = [
    None, "", "0", "00", "7", "007", "-1", "+1", " 1", "\u0661", "1.5", "9223372036854775807",
    "9223372036854775808", "10000000000000000000", "0" * 30 + "9223372036854775809", "1" * 40,
    "9" * 40, "1" + "0" * 40, "9" * 41, "0" * 5000 + "8", "8" * 5000, "AAAAAAAAB9E=",
    "AAAAAAAAB9F=", "123456789012", "1-", "1-a", "9-b", "10-a", "12345678-a", "123456789-a", "a",
    "\u00e9", "\uffff", "\U00010000"]
DAYS = ["2020-02-01T00:00:00Z", "2020-02-01T24:00:00Z", "2020-02-30T00:00:00Z",
        "2020-01-31T23:59:60Z", "0001-01-01T00:00:00+01:00", "2020-02-01 00:00:00Z", "", None]
OFFSETS = ["", "z", "+00:00", "-00:01", "+00:59", "+00:60", "+00:99", "-00:60", "+0059", "+0060",
           "+23:59", "+24:00", "01:00", "+1:00"]
TIMES = DAYS + [f"2020-02-01T00:00:00{offset}" for offset in OFFSETS]


def rows_are_kept_as_convert_keeps_them(program: Path, folder: Path) -> None:
    compare(program, folder, "version", VERSIONS, comparable_version)
    compare(program, folder, "updatedAt", TIMES, lambda cell: comparable_time("text", cell))


def compare(
    program: Path, folder: Path, role: str, values: list, comparable: Callable[[object], object]
) -> None:
    """Compares each value with each other, in rows of two devices."""
    pairs = list(itertools.product(values, values))
    stores = []
    for place in (0, 1):
        stores.append(folder / f"{role}-{place}.rehome")
        device = Device(stores[-1], random.Random(0))
        device.make("Item", [("id", "text", "id", None), (role, "text", role, None)])
        for number, pair in enumerate(pairs):
            device.add("Item", number + 1, [str(number), pair[place]])
        device.finish()
    merged = Alone(program).merged(stores, folder / f"{role}.rehome")
    with closing(sqlite3.connect(merged)) as database:
        found = dict(database.execute("SELECT CAST(id AS INTEGER), _source FROM Item"))
    for number, (one, other) in enumerate(pairs):
        first, second = comparable(one), comparable(other)
        is_later = second is not None and (first is None or second > first)
        assert found[number] == 1 + is_later, (one, other, found[number])


def raw_values_are_told_as_an_export_tells_them(program: Path, folder: Path) -> None:
    store, alone = folder / "raw.rehome", Alone(program)
    device = Device(store, random.Random(0))
    device.make("Item", [("id", "text", "id", None), ("n", "integer", "value", None)])
    device.add("Item", 1, ["a", None])
    for number, (storage, raw) in enumerate([
            ("text", b"\xff\xfe"), ("blob", b"\xff\xfe"), ("text", "seven"), ("integer", 7),
            ("real", 0.5), ("null", None)]):
        device.database.execute(
            "INSERT INTO rehome_reject VALUES (?, 1, 'Item', 1, 'n', 'code', ?, ?)",
            (number + 1, storage, raw))
    device.finish()
    store = alone.merged([store], folder / "converted.rehome")
    canonical = Canonical(store)
    found = [record.cells[-2:] for record in canonical.part("", "", REJECT, {})]
    canonical.close()
    lines = (alone.bundle(store, folder / "export") / "rejects.ndjson").read_text().splitlines()
    wanted = [[row["rawStorage"], row["raw"]] for row in map(json.loads, lines)]
    assert found == wanted and found[0] == ["text", base64.b64encode(b"\xff\xfe").decode()], (
        found, wanted)


def values_are_compared_and_told_as_the_tool_has_them(program: Path) -> None:
    """All claims of this file."""
    for claim in (rows_are_kept_as_convert_keeps_them, raw_values_are_told_as_an_export_tells_them):
        with tempfile.TemporaryDirectory(prefix="fleet-test-") as folder:
            claim(program, Path(folder).resolve())


if __name__ == "__main__":
    values_are_compared_and_told_as_the_tool_has_them(Path(os.environ["REHOME"]).resolve())
    print("values are compared and told as the tool has them")
