"""What the test service knows: tables, rows, versions, and every commit in order."""

from __future__ import annotations

import base64
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

START = datetime(2024, 5, 1, 10, 20, 30, tzinfo=timezone.utc)


@dataclass
class Row:
    """One item: the app's own fields, and what the server keeps beside them."""

    fields: dict[str, object]
    version: str
    created: datetime
    updated: datetime
    deleted: bool = False


@dataclass
class State:
    """All tables of one service; `width` is the number of bytes of a version."""

    width: int = 8
    tables: dict[str, dict[str, Row]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    commits: list[dict[str, object]] = field(default_factory=list)
    clock: int = 0
    open_to_any_table: bool = True

    def table(self, name: str) -> dict[str, Row] | None:
        """The rows of a table, whatever the case of its name; none if it is not known."""
        key = name.lower()
        if key not in self.tables and self.open_to_any_table:
            self.declare(name)
        return self.tables.get(key)

    def declare(self, name: str) -> dict[str, Row]:
        """Makes a table, if it is not there."""
        self.names.setdefault(name.lower(), name)
        return self.tables.setdefault(name.lower(), {})

    def tick(self) -> tuple[str, datetime]:
        """The next version and its time; both only grow."""
        self.clock += 1
        raw = self.clock.to_bytes(self.width, "big")
        return base64.b64encode(raw).decode(), START + timedelta(milliseconds=self.clock)

    def write(
        self, kind: str, table: str, key: str, fields: dict[str, object], deleted: bool, request: int
    ) -> Row:
        """Commits one change and logs it."""
        version, now = self.tick()
        rows = self.declare(table)
        old = rows.get(key)
        row = Row(fields, version, old.created if old else now, now, deleted)
        rows[key] = row
        self.log(kind, table, key, version, request)
        return row

    def remove(self, table: str, key: str, request: int) -> None:
        """Commits a hard delete and logs it."""
        self.tick()
        self.declare(table).pop(key, None)
        self.log("delete", table, key, None, request)

    def log(self, kind: str, table: str, key: str, version: str | None, request: int) -> None:
        """Adds to the list of commits."""
        self.commits.append(
            {"kind": kind, "table": self.names[table.lower()], "id": key, "version": version,
             "request": request}
        )

    def seed(self, document: dict[str, list[dict[str, object]]]) -> None:
        """Puts rows in without logging them; `version` and `deleted` may be given."""
        for name, items in document.items():
            rows = self.declare(name)
            for item in items:
                fields = dict(item)
                version, now = self.tick()
                version = str(fields.pop("version", version))
                updated = fields.pop("updatedAt", None)
                moment = datetime.fromisoformat(str(updated).replace("Z", "+00:00")) \
                    if updated else now
                deleted = bool(fields.pop("deleted", False))
                key = str(fields.setdefault("id", uuid.uuid4().hex))
                rows[key] = Row(fields, version, moment, moment, deleted)

    def dump(self) -> dict[str, object]:
        """The whole state for the other side of a test."""
        return {
            "tables": {
                self.names[key]: {
                    identifier: {"fields": row.fields, "version": row.version,
                                 "updatedAt": row.updated.isoformat(), "deleted": row.deleted}
                    for identifier, row in rows.items()
                }
                for key, rows in self.tables.items()
            },
            "commits": self.commits,
        }
