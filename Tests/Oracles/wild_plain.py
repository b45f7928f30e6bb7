"""Random plain SQLite files: every affinity, loose columns, and all forms of keys."""

from __future__ import annotations

import random
import sqlite3

from maker.sibling import quoted
from maker.values import TextBytes
from wild_sibling_tables import ODD_COLUMNS, ODD_TABLES, PLAIN_TABLES, add
from wild_sibling_values import NUMBER_LIKE
from wild_values import BROKEN_TEXTS, WildValues

DECLARED = {
    "INTEGER": "integer", "INT": "integer", "BIGINT UNSIGNED": "integer", "TINYINT(1)": "integer",
    "TEXT": "text", "VARCHAR(20)": "text", "NVARCHAR": "text", "CLOB": "text",
    "REAL": "real", "DOUBLE": "real", "FLOAT": "real", "BLOB": "blob", "": "any",
    "NUMERIC": "any", "DECIMAL(10,2)": "any", "DATETIME": "any", "BOOLEAN": "any", "JSON": "any",
}
KEYS = ("none", "none", "integer", "autoincrement", "text", "pair", "pair-without-row-ids",
        "text-without-row-ids")
OTHER_SHARE = 0.06


class WildPlain:
    """Fills one database."""

    def __init__(self, rng: random.Random, database: sqlite3.Connection) -> None:
        self.rng = rng
        self.database = database
        self.values = WildValues(rng, wrong=False)
        self.draw = {
            "integer": self.values.integer, "text": self.text, "real": self.values.real,
            "blob": self.values.binary,
        }
        names = rng.sample(PLAIN_TABLES, 2) + rng.sample(ODD_TABLES, rng.randint(0, 3))
        for name in names:
            self._table(name)

    def text(self) -> object:
        """Text, now and then one that looks like a number, or broken."""
        dice = self.rng.random()
        if dice < 0.05:
            return TextBytes(self.rng.choice(BROKEN_TEXTS))
        return self.rng.choice(NUMBER_LIKE) if dice < 0.15 else self.values.text()

    def _table(self, name: str) -> None:
        form = self.rng.choice(KEYS)
        keys, constraint = self._keys(form)
        low = {key.lower() for key in keys}
        pool = [each for each in ("a", "b", "c", "version", "updatedAt", "deleted", *ODD_COLUMNS)
                if each and each.lower() not in low]
        columns = {each: self.rng.choice(list(DECLARED)) for each in self.rng.sample(pool, 5)}
        parts = [f"{quoted(key)} {words}" for key, words in keys.items()]
        parts += [f"{quoted(each)} {words}" for each, words in columns.items()]
        parts += constraint
        suffix = " WITHOUT ROWID" if form.endswith("without-row-ids") else ""
        self.database.execute(f"CREATE TABLE {quoted(name)} ({', '.join(parts)}){suffix}")
        first = next(iter(columns))
        self.database.execute(
            f"CREATE INDEX {quoted(name + ' index')} ON {quoted(name)} ({quoted(first)})")
        leanings = {each: self._leaning(words) for each, words in columns.items()}
        for at in range(self.rng.choice((0, 1, 5, 30))):
            cells = self._key_cells(form, at)
            cells |= {each: self._cell(kind) for each, kind in leanings.items()}
            add(self.database, name, cells)

    def _keys(self, form: str) -> tuple[dict[str, str], list[str]]:
        """Key columns with their declarations, and the table's constraint."""
        if form == "none":
            return {}, []
        if form in ("integer", "autoincrement"):
            more = " AUTOINCREMENT" if form == "autoincrement" else ""
            return {"id": "INTEGER PRIMARY KEY" + more}, []
        if form.startswith("text"):
            return {"id": "TEXT PRIMARY KEY"}, []
        columns = {"left": "INTEGER", "right": "TEXT COLLATE NOCASE"}
        return columns, ['PRIMARY KEY ("right", "left")']

    def _key_cells(self, form: str, at: int) -> dict[str, object]:
        if form == "none":
            return {}
        if form in ("integer", "autoincrement"):
            return {"id": self.rng.randint(-(2**62), 2**62)}
        word = self.rng.choice(("a", "B", "b", "Z", "ü", "", "A", "_")) + str(at % 4)
        if form.startswith("text"):
            return {"id": word + str(at)}
        return {"left": self.rng.randint(-9, 99), "right": word}

    def _leaning(self, declared: str) -> str:
        """Which class most values of a column have; now and then not the declared one."""
        kind = DECLARED[declared]
        if kind == "any" or self.rng.random() < 0.25:
            return self.rng.choice(("integer", "text", "real", "blob"))
        return kind

    def _cell(self, kind: str) -> object:
        dice = self.rng.random()
        if dice < 0.12:
            return None
        if dice < 0.12 + OTHER_SHARE:
            kind = self.rng.choice(list(self.draw))
        return self.draw[kind]()
