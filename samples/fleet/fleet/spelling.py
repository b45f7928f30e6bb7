"""How values are spelled in the lake's readings, and how rows are hashed.

A cell is None or a text in the spelling that rehome-export(5) gives for CSV and XML. The content
hash is written from the words of the same page.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
import struct
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

Cell = str | None

NUMBERS = {"integer", "reference"}
LARGEST_PLAIN_REAL = 2.0**53


def spelled_real(value: float) -> str:
    """The shortest digits that read back to the same double, with `.0` when whole."""
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    text = repr(value or 0.0)
    if abs(value) <= LARGEST_PLAIN_REAL or "e" in text:
        return text
    sign = "-" if value < 0 else ""
    digits = text.lstrip("-").removesuffix(".0")
    shown = digits.rstrip("0")
    point = "." + shown[1:] if len(shown) > 1 else ""
    return f"{sign}{shown[0]}{point}e+{len(digits) - 1:02}"


def spelled(kind: str, value: object) -> Cell:
    """A value of a canonical store as text."""
    if value is None:
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, float):
        return spelled_real(value)
    if kind == "boolean":
        return "true" if value else "false"
    return str(value)


def raw_cells(value: object, told: str | None = None) -> tuple[Cell, Cell]:
    """The storage class of a raw value, and its bytes in Base64.

    Text that is not UTF-8 is kept as bytes; only what is `told` beside it says that it was text.
    """
    if value is None:
        return None, None
    storage, data = "text" if told == "text" else "blob", value
    if isinstance(value, int):
        storage, data = "integer", struct.pack(">q", value)
    elif isinstance(value, float):
        storage, data = "real", struct.pack(">d", value or 0.0)
    elif isinstance(value, str):
        storage, data = "text", value.encode()
    return storage, base64.b64encode(data).decode("ascii")


# What decides which row of an item is kept.

ZONED = re.compile(
    r"(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?"
    r"(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))", re.ASCII)
# Digits alone are a number up to so many.
MOST_DIGITS = 40


def comparable_time(kind: str, cell: Cell) -> str | None:
    """A time so that later ones are greater as text; None where there is none."""
    if cell is None:
        return None
    if kind != "timestamp":
        cell = canonical_time(cell)
    return cell.rstrip("Z0") or None if cell else None


def canonical_time(text: str) -> str | None:
    """The canonical spelling of a time that a text gives; None where it gives none."""
    match = ZONED.fullmatch(text)
    if match is None:
        return None
    day, clock, fraction, sign, hours, minutes = match.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}")
        if hours is not None:
            offset = timedelta(hours=int(hours), minutes=int(minutes))
            moment += offset if sign == "-" else -offset
    except (ValueError, OverflowError):
        return None
    digits = (fraction or "").ljust(9, "0")
    return f"{moment.isoformat()}.{digits[:3] if digits.endswith('000000') else digits}Z"


def comparable_version(value: object) -> bytes | None:
    """A version so that higher ones are greater as bytes.

    A row version of SQL Server, eight bytes in Base64, is above other texts, these are above
    numbers, and all are above none. Digits alone are a number, one that no whole number has room for
    a text of forty of them, and so is what stands before the hyphen in a revision of Couchbase.
    """
    if value is None:
        return None
    if isinstance(value, (int, float)):
        return b"\1" + ordered_number(value)
    if isinstance(value, bytes):
        return b"\3" + value
    number = row_version(value)
    if number is not None:
        return b"\3" + number
    if re.fullmatch("[0-9]+", value):
        digits = value.lstrip("0")
        # Python refuses to read a number of thousands of digits.
        if len(digits) < 20 and int(digits or "0") < 1 << 63:
            return b"\1" + ordered_number(int(digits or "0"))
        return b"\2" + digits.zfill(MOST_DIGITS).encode()
    if revision := re.fullmatch("([0-9]{1,8})-(.+)", value, re.DOTALL):
        value = f"{revision[1].zfill(8)}-{revision[2]}"
    return b"\2" + value.encode()


def row_version(text: str) -> bytes | None:
    """The eight bytes of a row version; None where a text is none."""
    if len(text) != 12 or len(text.encode()) != 12:
        return None
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    is_canonical = base64.b64encode(data).decode("ascii") == text
    return data if len(data) == 8 and is_canonical else None


def ordered_number(value: float) -> bytes:
    """A whole or a real number so that greater ones are greater as bytes."""
    near = float(value)
    bits = struct.unpack(">Q", struct.pack(">d", near or 0.0))[0]
    bits = bits ^ 0xFFFF_FFFF_FFFF_FFFF if bits >> 63 else bits | 1 << 63
    rest = value - int(near) if isinstance(value, int) else 0
    return struct.pack(">QH", bits, rest + 0x8000)


# The content hash and the lines of an export.

def hashed_cell(kind: str) -> Callable[[str], bytes]:
    """What encodes a cell of a type for the hash, None left out."""
    if kind in NUMBERS:
        return lambda cell: b"\1" + struct.pack(">q", int(cell))
    if kind == "boolean":
        return lambda cell: b"\1" + struct.pack(">q", cell == "true")
    if kind == "real":
        return lambda cell: b"\2" + struct.pack(">d", float(cell) or 0.0)
    if kind == "binary":
        return lambda cell: b"\4" + counted(base64.b64decode(cell))
    return lambda cell: b"\3" + counted(cell.encode())


def counted(data: bytes) -> bytes:
    """Bytes with their number in front."""
    return struct.pack(">I", len(data)) + data


def row_digest(key: int, cells: Iterable[Cell], encoders: list[Callable[[str], bytes]]) -> int:
    """The hash of a row, as a number."""
    data = struct.pack(">q", key)
    data += b"".join(b"\0" if cell is None else encode(cell)
                     for cell, encode in zip(cells, encoders))
    return int.from_bytes(hashlib.sha256(data).digest(), "big")


def table_digest(name: str, columns: list[tuple[str, str]], count: int, total: int) -> bytes:
    """The hash of a table whose rows have a sum."""
    head = counted(b"rehome table 1") + counted(name.encode()) + struct.pack(">I", len(columns))
    head += b"".join(counted(column.encode()) + counted(kind.encode()) for column, kind in columns)
    head += struct.pack(">Q", count) + (total % 2**256).to_bytes(32, "big")
    return hashlib.sha256(head).digest()


def store_digest(tables: dict[str, bytes], queue: list[bytes]) -> str:
    """The hash of a store, given those of its tables and of the parts of its queue."""
    data = counted(b"rehome store 1") + struct.pack(">I", len(tables))
    data += b"".join(tables[name] for name in sorted(tables, key=str.encode)) + b"".join(queue)
    return hashlib.sha256(data).hexdigest()


def json_member(name: str, kind: str) -> Callable[[Cell], str]:
    """What spells the member of a column in a line of NDJSON."""
    head = json.dumps(name, ensure_ascii=False) + ":"
    if kind in NUMBERS or kind == "boolean":
        return lambda cell: head + (cell or "null")
    if kind == "real":
        return lambda cell: head + (
            "null" if cell is None else json.dumps(cell) if "Inf" in cell else cell)
    return lambda cell: head + ("null" if cell is None else json.dumps(cell, ensure_ascii=False))
