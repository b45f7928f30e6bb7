"""Reads JSON as strictly as stores' readers do."""

from __future__ import annotations

import json
from typing import Callable


def parsed(text: str | None, number: Callable[[str], object] | None = None) -> object:
    """A document; None where it is none or names a member twice. `number` makes the numbers."""
    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a member comes twice")
        return dict(pairs)
    def refuse(word: str) -> None:
        raise ValueError(word)
    try:
        return json.loads(text or "", object_pairs_hook=members, parse_constant=refuse,
                          parse_int=number, parse_float=number)
    except (ValueError, RecursionError):
        return None
