"""Random cells for the declared types of the sibling SDKs, with damaged and extreme ones."""

from __future__ import annotations

import base64
import json
import random
from datetime import datetime, timedelta
from fractions import Fraction
from uuid import UUID

from maker.values import TextBytes
from wild_values import BROKEN_TEXTS, NULL_SHARE, WRONG_SHARE, WildValues

YEAR_ONE_MS = -62_135_596_800_000
YEAR_TEN_THOUSAND_MS = 253_402_300_800_000

# What NUMERIC affinity makes numbers of.
NUMBER_LIKE = ("00123", "1.50", "7", "1e5", " 12 ", "-0", "0.1", "123456789012345678901", "+5")
BAD_BASE64 = ("AQI", "!!!!", "A", "AQID=", "====", "AQ=D", "AQID AQ", "-_-_")
WRONG = {
    "INTEGER": ("abc", 0.5, b"\x01", "", 1e300, "1x"),
    "BOOLEAN": (2, -1, "yes", 0.5, b"", "true", ""),
    "REAL": ("abc", b"\x00", "", "1,5"),
    "DATETIME": ("abc", b"\x00", "", "noon", "yesterday", "01/05/2024 10:20:30"),
    "TEXT": (b"blob", b""),
    "NAMED": NUMBER_LIKE,
    "BASE64": (*BAD_BASE64, 5, 1.25),
    "BLOB": ("text", 5, 1.25, ""),
}
GROUPS = {
    "INT": "INTEGER", "FLOAT": "REAL", "BOOL": "BOOLEAN", "DATE": "DATETIME", "GUID": "NAMED",
    "URI": "NAMED", "JSON": "NAMED", "TIMESPAN": "NAMED", "STRING": "NAMED", "OBJECT": "NAMED",
    "ARRAY": "NAMED",
}
BAD_TIMES = (
    "", "garbage", "2024-13-45T00:00:00.000Z", "2024-02-30T00:00:00Z", "2024-05-01", "☃",
    "2024-05-01T25:00:00Z", "2024-05-01T10:20:60Z", "1714558830123", "2024-05-01T10:20:30.Z",
    "2024-05-01T10:20:30+25:00", "24-05-01T10:20:30Z", "2024-05-01T10:20:30.123Z ",
)


class SiblingValues:
    """Draws cells from a seeded generator; `family` decides how dates are kept."""

    def __init__(self, rng: random.Random, family: str, wrong: bool) -> None:
        self.rng = rng
        self.family = family
        self.wrong = wrong
        self.plain = WildValues(rng, wrong=False)
        self.draw = {
            "TEXT": self.plain.text, "INTEGER": self.plain.integer, "REAL": self.real,
            "BOOLEAN": self.boolean, "DATETIME": self.number_date, "BLOB": self.plain.binary,
            "BASE64": self.base64, "GUID": self.guid, "URI": self.plain.uri, "JSON": self.json,
            "TIMESPAN": self.time_span, "STRING": self.word, "OBJECT": self.json,
            "ARRAY": self.json,
        }

    def cell(self, declared: str) -> object:
        """A value for a declared type: NULL, damaged, extreme or plain."""
        kind = self.kind(declared)
        dice = self.rng.random()
        if dice < NULL_SHARE:
            return None
        if self.wrong and dice < NULL_SHARE + 2 * WRONG_SHARE:
            return self.damaged(GROUPS.get(kind, kind))
        return self.draw[kind if kind in self.draw else GROUPS[kind]]()

    def kind(self, declared: str) -> str:
        """What to draw for a declared type."""
        kind = declared.upper()
        return "BASE64" if kind == "BLOB" and self.family in "abc" else kind

    def damaged(self, group: str) -> object:
        """A value that a reader cannot take."""
        if group in ("TEXT", "NAMED") and self.rng.random() < 0.4:
            return TextBytes(self.rng.choice(BROKEN_TEXTS))
        if group == "DATETIME" and self.rng.random() < 0.5:
            return self.date_out_of_range()
        return self.rng.choice(WRONG[group])

    def real(self) -> object:
        """A double; in layouts a0 and a1 it may be a date as well."""
        return self.number_date() if self.rng.random() < 0.2 else self.plain.real()

    def boolean(self) -> object:
        """0 or 1."""
        return self.rng.choice((0, 1, 1.0, 0.0))

    def word(self) -> object:
        """Text that NUMERIC affinity leaves alone."""
        return "w" + self.rng.choice(("", "ord", "örter 🎉", " 12", "\n", "\0x"))

    def base64(self) -> object:
        """Bytes as the .NET clients kept them; now and then bytes."""
        data = self.rng.randbytes(self.rng.choice((0, 1, 2, 3, 40)))
        return data if self.rng.random() < 0.1 else base64.b64encode(data).decode()

    def guid(self) -> object:
        """A UUID in text."""
        text = str(UUID(bytes=self.rng.randbytes(16)))
        return text.upper() if self.rng.random() < 0.2 else text

    def json(self) -> object:
        """JSON of an object or an array, indented or not."""
        value = self.rng.choice((
            {}, [], {"k": [1, 2.5, None]}, ["ü", "\"", "\\", {"deep": [[]]}], {"n": 2**53 + 1},
        ))
        return json.dumps(value, ensure_ascii=self.rng.random() < 0.5,
                          indent=self.rng.choice((None, 2)))

    def time_span(self) -> object:
        """A .NET time span."""
        return self.rng.choice(("00:00:01", "1.02:03:04.5000000", "-00:30:00", "00:00:00.0000001"))

    # Dates

    def milliseconds(self) -> int:
        """An instant on a millisecond, common or extreme."""
        return self.rng.choice((
            self.rng.randint(1_400_000_000_000, 1_750_000_000_000),
            self.rng.randint(1_400_000_000, 1_750_000_000) * 1000,
            self.rng.randint(YEAR_ONE_MS, YEAR_TEN_THOUSAND_MS - 1),
            self.rng.choice((0, 1, -1, YEAR_ONE_MS, YEAR_TEN_THOUSAND_MS - 1, -14_182_940_000)),
        ))

    def number_date(self) -> object:
        """The number that a layout keeps for a date."""
        value = self.milliseconds()
        if self.family in "ab":
            stored = float(Fraction(value, 1000))
            if self.rng.random() < 0.1:
                stored += self.rng.choice((1e-5, 0.0004))
            if (Fraction(stored) * 10**9).denominator == 2:
                stored = float(round(stored))
            return int(stored) if stored.is_integer() and self.rng.random() < 0.5 else stored
        if self.rng.random() < 0.9:
            return value
        fine = float(value) + self.rng.choice((0.25, 0.001, 0.5, -0.125))
        return value if halfway(fine) or not in_range(fine) else fine

    def date_out_of_range(self) -> object:
        """A number outside years 1 to 9999."""
        if self.family in "ab":
            return self.rng.choice((
                253_402_300_800, -62_135_596_801, -62_135_596_800.5, 1e18, float("inf"),
                float("-inf"), 2**63 - 1, -(2**63)))
        return self.rng.choice((
            YEAR_TEN_THOUSAND_MS, YEAR_ONE_MS - 1, 1e300, float("inf"), 2**63 - 1, -(2**63)))

    def iso_text(self) -> str:
        """A date as a server spells it."""
        moment = datetime(1970, 1, 1) + timedelta(
            milliseconds=self.rng.randint(-10**12, 2 * 10**12))
        separator = " " if self.family == "f" and self.rng.random() < 0.8 else "T"
        text = moment.strftime("%Y-%m-%d") + separator + moment.strftime("%H:%M:%S")
        text += self.rng.choice(
            ("", ".1", ".12", ".123", ".1230000", ".1234567", ".000", ".9999999"))
        zones = ("+00:00", "+00:00", "+02:00", "-07:30", "+14:00", "Z")
        return text + self.rng.choice(zones if self.family != "d" else ("Z", "Z", "+00:00"))

    def system(self, role: str, declared: str) -> object:
        """A cell of a system column."""
        dice = self.rng.random()
        if dice < NULL_SHARE:
            return None
        damaged = self.wrong and dice < NULL_SHARE + WRONG_SHARE
        if role == "version":
            return self.version(declared, damaged)
        if role == "deleted":
            return self.rng.choice(WRONG["BOOLEAN"]) if damaged else self.rng.choice((0, 0, 0, 1))
        if declared.upper() in ("TEXT", "STRING"):
            return self.rng.choice(BAD_TIMES) if damaged else self.system_text()
        return self.damaged("DATETIME") if damaged else self.number_date()

    def system_text(self) -> str:
        """A date as text; layout e may keep it in JSON's quotes."""
        text = self.iso_text()
        return f'"{text}"' if self.family == "e" and self.rng.random() < 0.7 else text

    def version(self, declared: str, damaged: bool) -> object:
        """A version."""
        if damaged:
            return TextBytes(self.rng.choice(BROKEN_TEXTS))
        text = "AAAAAAAA" + self.rng.choice(("B9E=", "/9E=", "B+E=", "CAA=", "\\\"E="))
        if declared.upper() == "BLOB":
            return self.rng.randbytes(8)
        return text


def halfway(value: float) -> bool:
    """Whether a number of milliseconds lies halfway between two nanoseconds."""
    return (Fraction(value) * 10**6).denominator == 2


def in_range(value: float) -> bool:
    """Whether a number of milliseconds is in years 1 to 9999."""
    return YEAR_ONE_MS <= value < YEAR_TEN_THOUSAND_MS
