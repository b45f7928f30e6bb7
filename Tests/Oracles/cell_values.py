"""The canonical spelling of stored values, as the design's tables and fine print fix it."""

from __future__ import annotations

import base64
import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from store_copy import Text

SECONDS_1970_TO_2001 = 978_307_200
DISTANT_PAST = -63_114_076_800
DAYS_0001_TO_1970 = 719_162
SECONDS_PER_DAY = 86_400
FIRST_SECOND = -DAYS_0001_TO_1970 * SECONDS_PER_DAY
SECONDS_0001_TO_10000 = 3_652_059 * SECONDS_PER_DAY

WRONG_TYPE = "value-of-wrong-type"
INVALID_TEXT = "invalid-text"
OUT_OF_RANGE = "date-out-of-range"
FILE_MISSING = "external-data-missing"

EXTERNAL_NAME = re.compile(rb"\x02([0-9A-F-]{36})\x00")


@dataclass(frozen=True)
class Reject(Exception):
    """A value that is not of its column's type; the cell becomes null."""

    code: str


def canonical(kind: str, value: object, external: Path | None = None) -> object:
    """The JSON value of a stored value; raises `Reject`."""
    if value is None:
        return None
    if kind == "binary" and isinstance(value, bytes) and not isinstance(value, Text):
        return base64.b64encode(resolved(value, external)).decode("ascii")
    return CONVERSIONS[kind](value)


def integer(value: object) -> int:
    """Any 64-bit integer."""
    if not isinstance(value, int):
        raise Reject(WRONG_TYPE)
    return value


def boolean(value: object) -> bool:
    """0 or 1, nothing else."""
    if value not in (0, 1) or not isinstance(value, int):
        raise Reject(WRONG_TYPE)
    return bool(value)


def real(value: object) -> float | str:
    """A double; infinities become text."""
    if not isinstance(value, float):
        raise Reject(WRONG_TYPE)
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def text(value: object) -> str:
    """Valid UTF-8."""
    if not isinstance(value, Text):
        raise Reject(WRONG_TYPE)
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise Reject(INVALID_TEXT) from None


def uuid(value: object) -> str:
    """Sixteen bytes as upper-case digits with hyphens."""
    if not isinstance(value, bytes) or isinstance(value, Text) or len(value) != 16:
        raise Reject(WRONG_TYPE)
    digits = value.hex().upper()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def decimal(value: object) -> str:
    """The shortest digits, without exponent."""
    if isinstance(value, int):
        return str(value)
    if not isinstance(value, float) or math.isinf(value):
        raise Reject(WRONG_TYPE)
    digits = format(Decimal(repr(value)), "f")
    return digits.removesuffix(".0")


def timestamp(value: object) -> str:
    """Seconds since 2001 as UTC text."""
    if not isinstance(value, (int, float)):
        raise Reject(WRONG_TYPE)
    if isinstance(value, float) and not math.isfinite(value):
        raise Reject(OUT_OF_RANGE)
    if value == DISTANT_PAST:
        return "0001-01-01T00:00:00.000Z"
    milliseconds = whole_milliseconds(value)
    if milliseconds is not None:
        return moment(milliseconds, 3)
    exact = Fraction(value) + SECONDS_1970_TO_2001
    return moment(round(exact * 1_000_000_000), 9)


def whole_milliseconds(value: int | float) -> int | None:
    """The milliseconds since 1970 that give back the stored number, from 2001 or from 1970."""
    exact = Fraction(value)
    from_2001 = round(exact * 1000)
    if is_nearest(value, Fraction(from_2001, 1000)):
        return from_2001 + SECONDS_1970_TO_2001 * 1000
    from_1970 = round((exact + SECONDS_1970_TO_2001) * 1000)
    since_1970 = Fraction(float(Fraction(from_1970, 1000)))
    if is_nearest(value, since_1970 - SECONDS_1970_TO_2001):
        return from_1970
    return None


def is_nearest(value: int | float, exact: Fraction) -> bool:
    """Whether a stored number is the nearest double to an exact one, or just equals it."""
    return Fraction(value) == exact or Fraction(value) == Fraction(float(exact))


def moment(units: int, digits: int) -> str:
    """A time since 1970 in units of 10^-digits seconds, in the proleptic Gregorian calendar."""
    seconds, fraction = divmod(units, 10**digits)
    if not 0 <= seconds - FIRST_SECOND < SECONDS_0001_TO_10000:
        raise Reject(OUT_OF_RANGE)
    days, second = divmod(seconds, SECONDS_PER_DAY)
    year, month, day = civil(days)
    hour, second = divmod(second, 3600)
    minute, second = divmod(second, 60)
    date = f"{year:04}-{month:02}-{day:02}"
    return f"{date}T{hour:02}:{minute:02}:{second:02}.{fraction:0{digits}}Z"


def civil(days: int) -> tuple[int, int, int]:
    """Year, month and day of a day counted from 1970-01-01, by eras of 400 years from March."""
    shifted = days + 719_468
    era, day_of_era = divmod(shifted, 146_097)
    year_of_era = (
        day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month_from_march = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month_from_march + 2) // 5 + 1
    month = month_from_march + 3 if month_from_march < 10 else month_from_march - 9
    return year_of_era + era * 400 + (1 if month <= 2 else 0), month, day


def wrong(value: object) -> object:
    """Refuses every value."""
    raise Reject(WRONG_TYPE)


def resolved(value: bytes, external: Path | None) -> bytes:
    """The data of a binary value that may be kept in a file beside the store.

    `external` is the folder of such files where the attribute has the external storage flag.
    """
    if external is None:
        return value
    name = EXTERNAL_NAME.fullmatch(value)
    if name is None:
        if value[:1] != b"\x01":
            raise Reject(WRONG_TYPE)
        return value[1:]
    path = external / name.group(1).decode("ascii")
    if not path.is_file():
        raise Reject(FILE_MISSING)
    return path.read_bytes()


CONVERSIONS = {
    "integer": integer,
    "reference": integer,
    "boolean": boolean,
    "real": real,
    "text": text,
    "uri": text,
    "uuid": uuid,
    "decimal": decimal,
    "timestamp": timestamp,
    "binary": wrong,
}
