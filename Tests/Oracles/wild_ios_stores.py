#!/usr/bin/env python3
"""Makes random Azure Mobile iOS stores: `wild_ios_stores.py OUTDIR SEED COUNT`.

Store number N of a seed is always the same. Each gets a folder `SEED-N` with the store, its side
files, and `about.json`, which lists what was put into it. With `--contested` there are also
situations whose outcome the design leaves open; `about.json` names those.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from uuid import UUID

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "samples"))

from maker.azure import Queue  # noqa: E402
from maker.layout import Column  # noqa: E402
from maker.store import Ref, StoreOptions, StoreWriter, position  # noqa: E402
from maker.values import Raw  # noqa: E402
from maker.wal import fixed_version, take_away  # noqa: E402
from wild_model import WildModel, wild_model  # noqa: E402
from wild_queue import CONTESTED, SITUATIONS, WildQueue  # noqa: E402
from wild_values import WildValues  # noqa: E402

STORE_NAME = "qstodoitem.sqlite"
JOURNALS = ("rollback", "wal-closed", "wal-newest")
# Framework versions; a newer store without a model cache is a scrubbed copy.
WITH_CACHE = (641, 754, 865, 977, 1347)
WITHOUT_CACHE = (386, 519, 519, 865)
SYSTEM_VERSIONS = ("version", "ms_version")


class WildStore:
    """One random store."""

    def __init__(self, seed: int, number: int, contested: bool) -> None:
        self.rng = random.Random(f"{seed}-{number}")
        self.contested = contested
        self.wild: WildModel = wild_model(self.rng, contested)
        self.journal = self.rng.choice(JOURNALS)
        self.values = WildValues(self.rng, wrong=self.rng.random() < 0.6)
        self.rows: dict[str, list[int]] = {}
        self.done: list[str] = list(self.wild.situations)
        self.open: list[str] = []
        self.external_files: dict[str, bytes] = {}

    def write(self, folder: Path) -> None:
        """Writes the store, its side files and its description."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / STORE_NAME
        building = folder / "building.sqlite"
        self.store = StoreWriter(building, self.wild.model, self._options())
        self.queue = WildQueue(
            self.rng, Queue(self.store), self.wild.synced(), self.wild.generation, self.add_row)
        self._fill()
        if self.journal == "wal-newest":
            self.store.checkpoint()
            self._fill()
            self._change()
            self.store.commit()
            take_away(building, path)
            self.store.finish()
        else:
            self.store.finish()
            path.write_bytes(fixed_version(building.read_bytes()))
        building.unlink()
        self._write_external_files(folder)
        about = json.dumps(self._about(), ensure_ascii=False, indent=1) + "\n"
        (folder / "about.json").write_bytes(about.encode())

    def _options(self) -> StoreOptions:
        stale = {}
        if "Puppy" in self.wild.model.by_name and self.rng.random() < 0.5:
            stale = {"Puppy": "Whelp"}
            self.done.append("stale-entity-name")
        proxies, mutable = self.rng.random() < 0.5, self.rng.random() < 0.3
        return StoreOptions(
            str(UUID(bytes=self.rng.randbytes(16))).upper(),
            framework=self.rng.choice(WITH_CACHE if self.wild.cache else WITHOUT_CACHE),
            cache=self.wild.cache,
            proxies=proxies,
            mutable_names=mutable,
            wal=self.journal != "rollback",
            stale_names=stale,
            application={"lastSync": 5} if self.rng.random() < 0.2 else {},
        )

    def _about(self) -> dict[str, object]:
        return {
            "generation": self.wild.generation,
            "hybrid": self.wild.hybrid,
            "modelCache": self.wild.cache,
            "journal": self.journal,
            "situations": sorted(set(self.done)),
            "contested": sorted(set(self.open)),
        }

    # Rows

    def _fill(self) -> None:
        """Rows for every entity, then a handful of situations in any order."""
        names = [entity.name for entity in self.wild.model.in_number_order()
                 if not entity.name.startswith("MS_Table") and not entity.abstract]
        for name in names:
            for _ in range(self.rng.randint(0, 6)):
                self.add_row(name, self.queue.guid())
        self._link()
        chosen = list(self.rng.sample(SITUATIONS, self.rng.randint(0, 14)))
        self.done += [name.replace("_", "-") for name in chosen]
        if self.contested:
            open_ones = self.rng.sample(CONTESTED, 3)
            self.open += [name.replace("_", "-") for name in open_ones]
            chosen += open_ones
        self.rng.shuffle(chosen)
        for name in chosen:
            getattr(self.queue, name)()

    def add_row(self, entity: str, identifier: object) -> int:
        """Adds a row with random values and a given id."""
        values: dict[str, object] = {}
        for column in self.store.layout.columns_of(entity):
            key = f"{column.path}#position" if "position" in column.part else column.path
            if column.part != "entity":
                values[key] = self._value(entity, column)
        if "id" in values:
            values["id"] = identifier
        pk = self.store.insert(entity, values, opt=self.rng.randint(1, 9))
        self.rows.setdefault(entity, []).append(pk)
        if self.rng.random() < 0.1:
            self.store.set_maximum(entity, self.store.maxima[self.wild.model.root(entity)] + 3)
        return pk

    def _value(self, entity: str, column: Column) -> object:
        if "position" in column.part:
            return position(self.rng.randint(0, 9))
        if column.kind == "key":
            return self._reference(entity, column)
        if column.path in SYSTEM_VERSIONS:
            return self.rng.choice((None, "AAAAAAAAB9E=", "AAAAAAAA/9E=", "AAAAAAAAB+E="))
        attribute = next(
            each
            for owner in self.wild.model.lineage(entity)
            for each in owner.attributes
            if each.name == column.property
        )
        if attribute.external:
            return self._external()
        return self.values.value(column.kind)

    def _reference(self, entity: str, column: Column) -> object:
        """A row that is there, none, or now and then a dangling one."""
        if self.rng.random() < 0.3:
            return None
        if column.part == "owner":
            destination = column.path.split(".")[0]
        else:
            destination = self.wild.model.relationship(entity, column.path)[1].destination
        if self._is_one_to_one(entity, column):
            return None
        family = [
            name for name in self.wild.model.numbers
            if destination in [each.name for each in self.wild.model.lineage(name)]
            and not self.wild.model.by_name[name].abstract
        ]
        rows = [(name, pk) for name in family for pk in self.rows.get(name, [])]
        if not rows or self.rng.random() < 0.05:
            self.done.append("dangling-reference")
            return Ref(family[0], 900_000 + self.rng.randint(1, 99))
        return Ref(*self.rng.choice(rows))

    def _is_one_to_one(self, entity: str, column: Column) -> bool:
        if column.part == "owner":
            return False
        inverse = self.wild.model.inverse(self.wild.model.relationship(entity, column.path)[1])
        return inverse is not None and not inverse[1].to_many

    def _external(self) -> object:
        dice = self.rng.random()
        if dice < 0.2:
            return None
        if dice < 0.6:
            return self.rng.randbytes(self.rng.randint(0, 50))
        name = str(UUID(bytes=self.rng.randbytes(16))).upper()
        if dice < 0.85:
            self.external_files[name] = self.rng.randbytes(200)
            self.done.append("external-file")
        else:
            self.done.append("external-file-missing")
        return Raw(b"\x02" + name.encode() + b"\0")

    def _write_external_files(self, folder: Path) -> None:
        data = folder / f".{STORE_NAME.removesuffix('.sqlite')}_SUPPORT" / "_EXTERNAL_DATA"
        for name, content in self.external_files.items():
            data.mkdir(parents=True, exist_ok=True)
            (data / name).write_bytes(content)

    # Relationships

    def _link(self) -> None:
        if "Parent" in self.wild.model.by_name:
            self._link_pairs()
        if "Box" in self.wild.model.by_name:
            self._link_many()

    def _link_pairs(self) -> None:
        """One-to-one pairs of rows that have none yet; some say so on one side only."""
        for parent, child in zip(self.rows.pop("Parent", []), self.rows.pop("Child", [])):
            side = self.rng.choice(("both", "both", "parent", "child"))
            if side in ("both", "parent"):
                self.store.update("Parent", parent, {"child": Ref("Child", child)})
            if side in ("both", "child"):
                self.store.update("Child", child, {"parent": Ref("Parent", parent)})
            if side != "both":
                self.done.append("one-sided-reference")

    def _link_many(self) -> None:
        boxes, labels = self.rows.pop("Box", []), self.rows.pop("Label", [])
        for box in boxes:
            for at, label in enumerate(self.rng.sample(labels, min(len(labels), 2))):
                self.store.link("Box", "labels", box, label, position(at))

    # Changes that only the log knows

    def _change(self) -> None:
        """Updates and deletes rows, so that the main file alone shows stale ones."""
        for pk in self.rows.get("TodoItem", [])[:3]:
            self.store.update("TodoItem", pk, {"text": "changed in the log"})
        for pk in self.rows.get("TodoItem", [])[3:5]:
            self.store.delete("TodoItem", pk)


def main() -> int:
    """Makes the stores the arguments ask for."""
    parser = argparse.ArgumentParser(description="Make random Azure Mobile iOS stores.")
    parser.add_argument("folder", type=Path, metavar="OUTDIR")
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--contested", action="store_true")
    options = parser.parse_args()
    for number in range(options.count):
        store = WildStore(options.seed, number, options.contested)
        store.write(options.folder / f"{options.seed}-{number:04}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
