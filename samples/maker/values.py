"""How Core Data keeps the value of each attribute type in SQLite."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from uuid import UUID

SECONDS_1970_TO_2001 = 978_307_200
INLINE_TAG = b"\x01"
EXTERNAL_TAG = b"\x02"


@dataclass(frozen=True)
class Raw:
    """A value that goes into the column as it is, whatever the attribute's type."""

    value: object


@dataclass(frozen=True)
class TextBytes:
    """Bytes that go into the column as TEXT, valid UTF-8 or not."""

    data: bytes


def stored(kind: str, value: object, external: bool = False) -> object:
    """The SQLite value of a canonical value."""
    if value is None or isinstance(value, TextBytes):
        return value
    if isinstance(value, Raw):
        return value.value
    if external:
        return INLINE_TAG + value
    encode = ENCODERS.get(kind)
    return encode(value) if encode else value


def sdk_date(value: str | int | float) -> float | int:
    """Seconds since 2001 as the SDK made them: milliseconds since 1970, then moved to 2001."""
    if isinstance(value, (int, float)):
        return value
    milliseconds = milliseconds_since_1970(value)
    return as_stored_number(float(Fraction(milliseconds, 1000)) - SECONDS_1970_TO_2001)


def milliseconds_since_1970(text: str) -> int:
    """Whole milliseconds of a canonical timestamp with three digits."""
    moment = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    return (moment - datetime(1970, 1, 1)) // timedelta(milliseconds=1)


def as_stored_number(value: float) -> float | int:
    """A whole number comes back as INTEGER from a column with NUMERIC affinity."""
    return int(value) if value.is_integer() else value


def decimal(value: str | int) -> float | int:
    """A decimal loses what a double cannot hold, as it did on the device."""
    return int(value) if str(value).lstrip("-").isdigit() else float(value)


def single(value: float) -> float:
    """A 32-bit float, widened."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


ENCODERS = {
    "boolean": int,
    "date": sdk_date,
    "decimal": decimal,
    "float": single,
    "uuid": lambda value: UUID(value).bytes,
}
