"""The canonical spelling of what the sibling SDKs put into a cell."""

from __future__ import annotations

import base64
import binascii
import math
import re
from datetime import date
from fractions import Fraction

from cell_values import (
    OUT_OF_RANGE,
    SECONDS_PER_DAY,
    WRONG_TYPE,
    Reject,
    is_nearest,
    moment,
    real,
    text,
)
from store_copy import Text

DAYS_TO_1970 = date(1970, 1, 1).toordinal()
ISO_TEXT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)([T ])(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:(Z)|([+-])(\d\d):(\d\d))",
    re.ASCII)


def seconds(value: object) -> str:
    """A number of seconds since 1970."""
    return since_1970(value, 1)


def milliseconds(value: object) -> str:
    """A number of milliseconds since 1970."""
    return since_1970(value, 1000)


def since_1970(value: object, units: int) -> str:
    """A number as a time: three digits where whole milliseconds give it back, else nine."""
    if not isinstance(value, (int, float)):
        raise Reject(WRONG_TYPE)
    if isinstance(value, float) and not math.isfinite(value):
        raise Reject(OUT_OF_RANGE)
    exact = Fraction(value) / units
    whole = round(exact * 1000)
    if is_nearest(value, Fraction(whole * units, 1000)):
        return moment(whole, 3)
    return moment(round(exact * 10**9), 9)


def iso_time(spelled: str, separators: str = "T") -> str:
    """ISO text with an offset or `Z` as UTC; raises `Reject`."""
    parts = ISO_TEXT.fullmatch(spelled)
    if parts is None or parts[4] not in separators:
        raise Reject(WRONG_TYPE)
    hour, minute, second = int(parts[5]), int(parts[6]), int(parts[7])
    try:
        days = date(int(parts[1]), int(parts[2]), int(parts[3])).toordinal() - DAYS_TO_1970
    except ValueError:
        raise Reject(WRONG_TYPE) from None
    offset = 0 if parts[9] else int(parts[11]) * 60 + int(parts[12])
    if hour > 23 or minute > 59 or second > 59 or offset > 14 * 60 or int(parts[12] or 0) > 59:
        raise Reject(WRONG_TYPE)
    utc = days * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second
    utc -= (-60 if parts[10] == "-" else 60) * offset
    fraction = int((parts[8] or "").ljust(9, "0"))
    if fraction % 10**6 == 0:
        return moment(utc * 1000 + fraction // 10**6, 3)
    return moment(utc * 10**9 + fraction, 9)


def time_text(value: object, separators: str = "T") -> str:
    """A TEXT value that holds a time."""
    if not isinstance(value, Text):
        raise Reject(WRONG_TYPE)
    try:
        spelled = value.decode()
    except UnicodeDecodeError:
        raise Reject(WRONG_TYPE) from None
    return iso_time(spelled, separators)


def seconds_or_text(value: object) -> str:
    """A system column of layouts a and b; text where the app declared a string."""
    return time_text(value) if isinstance(value, Text) else seconds(value)


def milliseconds_or_text(value: object) -> str:
    """A system column of layouts c and e; in e the text may be in JSON's quotes."""
    if isinstance(value, Text):
        bare = value[1:-1] if len(value) > 1 and value[:1] == value[-1:] == b'"' else value
        return time_text(Text(bare))
    return milliseconds(value)


def blank_or_t_text(value: object) -> str:
    """A system column of layout f."""
    return time_text(value, " T")


def base64_text(value: object) -> str:
    """A binary cell that holds base64 text; bytes stay as they are."""
    if not isinstance(value, bytes):
        raise Reject(WRONG_TYPE)
    if not isinstance(value, Text):
        return base64.b64encode(value).decode("ascii")
    try:
        content = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise Reject(WRONG_TYPE) from None
    if base64.b64encode(content) != value:
        raise Reject(WRONG_TYPE)
    return value.decode("ascii")


def blob(value: object) -> str:
    """Bytes."""
    if not isinstance(value, bytes) or isinstance(value, Text):
        raise Reject(WRONG_TYPE)
    return base64.b64encode(value).decode("ascii")


def version(value: object) -> str:
    """A version as text; layout f may keep it as bytes."""
    if isinstance(value, bytes) and not isinstance(value, Text):
        return blob(value)
    return text(value)


def any_number(value: object) -> float | str:
    """A real where SQLite itself keeps whole numbers as integers."""
    if isinstance(value, int):
        if int(float(value)) != value:
            raise Reject(WRONG_TYPE)
        return float(value)
    return real(value)
