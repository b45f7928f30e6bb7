#!/usr/bin/env python3
"""Validates JSON files against a JSON Schema: `check_json_schema.py SCHEMA FILE...`.

Exits 0 when all are valid, 1 when one is not, 77 when Python's `jsonschema` is not installed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> int:
    """Checks every file."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        print("jsonschema is not installed")
        return 77
    schema = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    found = [
        f"{path}: {error.json_path}: {error.message[:200]}"
        for path in sys.argv[2:]
        for error in validator.iter_errors(json.loads(Path(path).read_text(encoding="utf-8")))
    ]
    print("\n".join(found[:20]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
