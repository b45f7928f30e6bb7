#!/usr/bin/env python3
"""Makes a Core Data store in which two entities share a root, and so the sequence of keys.

    family_store.py STORE [NUMBER]

With a number it has the objects of that device: a cat, a dog, and an owner of both whose pet is the
dog; and a letter to the owner.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "samples"))

from maker.model import Attribute, Entity, Model, Relationship  # noqa: E402
from maker.store import Ref, StoreOptions, StoreWriter  # noqa: E402

MODEL = Model([
    Entity(
        "Animal", (Attribute("name", "string"),),
        (Relationship("keepers", "Owner", inverse="animals", to_many=True),), abstract=True),
    Entity("Cat", (Attribute("lives", "integer16"),), parent="Animal"),
    Entity("Dog", (Attribute("bark", "string"),), parent="Animal"),
    Entity("Letter", (Attribute("text", "string"),), (Relationship("receiver", "Owner"),)),
    Entity("Owner", (Attribute("name", "string"),), (
        Relationship("animals", "Animal", inverse="keepers", to_many=True),
        Relationship("dog", "Dog"), Relationship("pet", "Animal"))),
])


def main() -> int:
    """Writes the store that the arguments name."""
    options = StoreOptions("7B1F0E5C-92D4-4A6B-8C3E-20150108B000", framework=865)
    path = Path(sys.argv[1])
    path.unlink(missing_ok=True)
    store = StoreWriter(path, MODEL, options)
    for number in sys.argv[2:]:
        cat = store.insert("Cat", {"name": f"Tom{number}"})
        dog = store.insert("Dog", {"name": f"Rex{number}"})
        owner = store.insert(
            "Owner", {"name": f"Ann{number}", "dog": dog, "pet": Ref("Dog", dog)})
        store.insert("Letter", {"text": f"to Ann{number}", "receiver": owner})
        for animal in (cat, dog):
            store.link("Owner", "animals", owner, animal)
    store.finish()
    return 0


if __name__ == "__main__":
    sys.exit(main())
