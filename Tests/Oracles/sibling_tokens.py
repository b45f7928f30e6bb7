"""Reads the keys and the values of delta tokens."""

from __future__ import annotations

import re

from cell_values import Reject, moment
from sibling_values import iso_time
from store_copy import Text, utf8

NEW_PREFIX = "deltaToken|"
OLD_SUFFIX = "_deltaToken"
OLD_PREFIX = "deltaToken_"
OLD_INFIX = "_deltaToken_"


def text_token(value: object) -> tuple[str | None, str | None]:
    """Canonical and raw form of a token that is ISO text."""
    raw = utf8(value)
    if raw is None:
        return None, str(value) if isinstance(value, (int, float)) else None
    try:
        return iso_time(raw), raw
    except Reject:
        return None, raw


def number_token(value: object) -> tuple[str | None, str | None]:
    """Canonical and raw form of a token in milliseconds; text of digits counts as a number."""
    if isinstance(value, Text):
        raw = utf8(value)
        if raw is None or not re.fullmatch(r"-?\d{1,18}", raw, re.ASCII):
            return None, raw
        value = int(raw)
    if not isinstance(value, int):
        return None, None if value is None or isinstance(value, bytes) else repr(value)
    try:
        return moment(value, 3), str(value)
    except Reject:
        return None, str(value)


def old_or_new_key(key: str) -> tuple[str, str, bool] | None:
    """What a key of layouts a and b says: table and query, or both in one text to split."""
    if key.startswith(NEW_PREFIX):
        table, _, query = key.removeprefix(NEW_PREFIX).partition("|")
        return table, query, False
    if key.endswith(OLD_SUFFIX):
        return key.removesuffix(OLD_SUFFIX), "", True
    if key.startswith(OLD_PREFIX):
        return key.removeprefix(OLD_PREFIX), "", True
    if OLD_INFIX in key:
        table, _, query = key.partition(OLD_INFIX)
        return table, query, False
    return None


def datasync_key(key: str) -> tuple[str, str] | None:
    """What a key of layout c says."""
    prefix, _, rest = key.partition(".")
    table, dot, query = rest.partition(".")
    return (table, query) if prefix == "dt" and dot else None


def toolkit_key(key: str) -> tuple[str, str | None]:
    """Entity type and query of layout f; a pull of the whole type has no query."""
    if not key.startswith("q-"):
        return key, None
    entity_type, _, query = key.removeprefix("q-").partition("-")
    return entity_type, query
