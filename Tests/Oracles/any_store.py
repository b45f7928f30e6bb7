"""Reads a store of any layout that the oracles know."""

from __future__ import annotations

from pathlib import Path

import amplify_store
import ios_store
import parse_store
import offline_store
import sibling_store
from sibling_layout import NotASibling


def read_store(store: Path) -> dict[str, object]:
    """Everything a store holds, in canonical form."""
    store_of_offline_sdk = offline_store.read_store(store)
    if store_of_offline_sdk is not None:
        return store_of_offline_sdk
    try:
        return amplify_store.read_store(store)
    except amplify_store.NotAmplify:
        pass
    try:
        return parse_store.read_store(store)
    except parse_store.NotParse:
        pass
    try:
        return sibling_store.read_store(store)
    except NotASibling:
        return ios_store.read_store(store)
