"""The property list in Z_METADATA."""

from __future__ import annotations

import base64
import hashlib
import plistlib

from .model import Model

FIRST_WITH_MODEL_CACHE = 637
FIRST_WITH_DIGEST = 973
FIRST_WITH_CHECKSUM = 1333


def entity_hash(name: str) -> bytes:
    """A stand-in for the real hash, whose recipe is private: 32 bytes that depend on the name."""
    return hashlib.sha256(name.encode()).digest()


def metadata_plist(model: Model, framework: int, application: dict[str, object]) -> bytes:
    """The binary property list, with the application's own keys."""
    names = sorted(model.by_name, key=lambda name: name.encode())
    hashes = {name: entity_hash(name) for name in names}
    plist: dict[str, object] = {
        "NSPersistenceFrameworkVersion": framework,
        "NSStoreModelVersionHashes": hashes,
        "NSStoreModelVersionHashesVersion": 3,
        "NSStoreModelVersionIdentifiers": list(model.identifiers),
        "NSStoreType": "SQLite",
        "_NSAutoVacuumLevel": "2",
    }
    if framework >= FIRST_WITH_DIGEST:
        joined = b"".join(name.encode() + value for name, value in hashes.items())
        plist["NSStoreModelVersionHashesDigest"] = base64_text(hashlib.sha512(joined).digest())
    if framework >= FIRST_WITH_CHECKSUM:
        joined = b"".join(hashes.values())
        plist["NSStoreModelVersionChecksumKey"] = base64_text(hashlib.sha256(joined).digest())
    return plistlib.dumps(plist | application, fmt=plistlib.FMT_BINARY)


def base64_text(data: bytes) -> str:
    """Bytes as base64 text."""
    return base64.b64encode(data).decode("ascii")
