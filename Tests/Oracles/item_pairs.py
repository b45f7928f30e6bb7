#!/usr/bin/env python3
"""Two copies of the same items, spelled in two ways; shares no code with the tool.

    item_pairs.py FOLDER SEED COUNT    device.db (tables of SQLite), TodoItem.json (a server's
                                       answer) and expected.json: how many items differ, and how
"""

import json
import random
import sqlite3
import sys
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path

DAY = datetime(2016, 10, 1, tzinfo=timezone.utc)


def moment(dice: random.Random, time: datetime) -> str:
    """The same moment in one of its spellings."""
    offset = timezone(timedelta(minutes=dice.choice([0, 120, -330])))
    local = time.astimezone(offset)
    text = local.strftime("%Y-%m-%dT%H:%M:%S.%f")
    text = text if dice.random() < 0.5 else text.rstrip("0").rstrip(".")
    sign, minutes = ("-" if offset.utcoffset(None) < timedelta() else "+"), abs(
        int(offset.utcoffset(None).total_seconds()) // 60)
    return text + ("Z" if minutes == 0 else f"{sign}{minutes // 60:02}:{minutes % 60:02}")


def item(dice: random.Random, number: int, textual: bool) -> dict:
    name = str(uuid.UUID(int=dice.getrandbits(128))) if textual else number
    return {
        "id": name,
        "title": dice.choice(["", "ä\u0301", "x" * 300, '"', None, f"title {number}"]),
        "count": dice.choice([0, -1, 2**53 + 1, 2**62, None]),
        "price": dice.choice([0.5, 1.0, 1e300, -2.25, None]),
        "done": dice.choice([True, False, None]),
        "due": dice.choice([None, DAY + timedelta(milliseconds=dice.randrange(10**10))]),
        "code": dice.choice(["007", "7", None]),
    }


def change(dice: random.Random, values: dict) -> str:
    """Makes one value another one and says which."""
    name = dice.choice(["title", "count", "price", "done", "due", "code"])
    other = {
        "title": "another", "count": 77, "price": 77.5, "done": values["done"] is not True,
        "due": DAY - timedelta(milliseconds=1), "code": "0007",
    }
    values[name] = other[name]
    return name


def stored(dice: random.Random, values: dict) -> tuple:
    name = values["id"]
    done = None if values["done"] is None else int(values["done"])
    due = None if values["due"] is None else moment(dice, values["due"])
    if isinstance(name, str) and dice.random() < 0.5:
        name = name.upper()
    return (due, values["code"], values["title"], values["count"], values["price"], done, name, 1)


def answered(dice: random.Random, values: dict) -> dict:
    result = dict(values)
    result["due"] = None if values["due"] is None else moment(dice, values["due"])
    if isinstance(values["count"], int) and dice.random() < 0.5:
        result["count"] = str(values["count"])
    if isinstance(result["price"], float) and result["price"] == 1 and dice.random() < 0.5:
        result["price"] = 1
    for name in [name for name, value in result.items() if value is None]:
        if dice.random() < 0.5:
            del result[name]
    members = list(result.items())
    dice.shuffle(members)
    return {"__version": "AAAA", **dict(members), "serverOnly": True}


def main(folder: Path, seed: int, count: int) -> None:
    dice = random.Random(seed)
    textual = dice.random() < 0.5
    expected = {"onlyLeft": 0, "onlyRight": 0, "changed": 0}
    rows, answer = [], []
    for number in range(count):
        values = item(dice, number, textual)
        draw = dice.random()
        if draw < 0.1:
            expected["onlyLeft"] += 1
            rows.append(stored(dice, values))
        elif draw < 0.2:
            expected["onlyRight"] += 1
            answer.append(answered(dice, values))
        else:
            rows.append(stored(dice, values))
            if draw < 0.4:
                expected["changed"] += 1
                change(dice, values)
            answer.append(answered(dice, values))
    dice.shuffle(answer)
    with sqlite3.connect(folder / "device.db") as database:
        kind = "TEXT" if textual else "INTEGER"
        database.execute(
            "CREATE TABLE TodoItem (due TEXT, code TEXT, title TEXT, count INTEGER, price REAL, "
            f"done BOOLEAN, id {kind} PRIMARY KEY, deviceOnly INTEGER)")
        database.executemany("INSERT INTO TodoItem VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    (folder / "TodoItem.json").write_text(json.dumps(answer))
    (folder / "expected.json").write_text(json.dumps(expected))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
