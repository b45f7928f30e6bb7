"""Writes what makers of random stores make."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from typing import Iterable, Protocol


class Maker(Protocol):
    """What makes a random store of a seed."""

    def __init__(self, seed: int, number: int) -> None: ...

    def write(self, path: Path) -> None:
        """Writes the store."""


def write_stores(maker: type[Maker]) -> None:
    """Writes the stores that the command line asks for: FOLDER SEED COUNT."""
    folder, seed, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for number in range(count):
        place = folder / f"{seed}-{number}"
        place.mkdir(parents=True, exist_ok=True)
        (place / "store.db").unlink(missing_ok=True)
        maker(seed, number).write(place / "store.db")


def write_schemas(folder: Path, schemas: Iterable[Iterable[str]]) -> list[Path]:
    """Writes a database for each list of statements, as those that only look like a store."""
    files = []
    for number, statements in enumerate(schemas):
        path = folder / f"look-alike-{number}.db"
        database = sqlite3.connect(path)
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()
        files.append(path)
    return files
