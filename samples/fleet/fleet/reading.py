"""One task's work: units go in, records come out.

Whatever a unit holds, it costs at most what its limits allow, and ends as records: one for the
unit, and one for each store in it, however its reading ended.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from fleet.canonical import Canonical, TooLargeRow, catalogue_record
from fleet.child import FINDINGS, OK, UNREADABLE, Limits, Outcome, Tool, may_pass
from fleet.places import Unit
from fleet.records import ENDED, NOT_REACHED, OTHER, QUEUE, STORE, UNIT, Record
from fleet.search import Found, Search
from fleet.spool import Spool, SpoolTrouble

READ = ["-q", "-j", "1", "-f"]
# What SQLite says where the disk is full or fails, in the low byte of its codes.
DISK_TROUBLES, PRIMARY = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}, 0xFF


class ReadingTrouble(Exception):
    """Why a store that was converted cannot be taken."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.message)
        self.outcome = outcome


class Reading:
    """Reads units one after the other."""

    def __init__(self, tool: Tool, spool: Spool, limits: Limits, most_tables: int) -> None:
        self.tool = tool
        self.spool = spool
        self.search = Search(tool, spool)
        self.limits = limits
        self.most_tables = most_tables
        self.version = tool.version()
        self.told: set[str] = set()
        self.is_passing = False

    def records(self, units: Iterator[Unit]) -> Iterator[Record]:
        """The records of all units."""
        for unit in units:
            yield from self.of_unit(unit)

    def of_unit(self, unit: Unit) -> Iterator[Record]:
        """The records of one unit, the one that tells its fingerprint last.

        Without a fingerprint it is read again by the next run. What else is told of a store counts
        with the record of the store only, so that a trouble that passes takes nothing from a lake.
        """
        if unit.has_ended:
            yield Record(UNIT, unit.name, cells=[ENDED])
            return
        self.is_passing = self.spool.has_gaps = False
        stores = []
        for record in self.of_copy(unit):
            if record.kind == STORE:
                stores.append(record)
            else:
                yield record
        if unit.is_known and (self.is_passing or self.spool.has_gaps and not stores):
            return
        yield from stores
        is_partial = self.is_passing or self.spool.has_gaps
        kind = [QUEUE] if unit.is_queue else []
        yield Record(UNIT, unit.name, cells=[None if is_partial else unit.fingerprint, *kind])

    def of_copy(self, unit: Unit) -> Iterator[Record]:
        """The records of the stores of a unit, or of the trouble with its copy."""
        try:
            with self.spool.copied(unit) as folder:
                (folder / "work").mkdir(mode=0o700)
                stores = self.search.found(unit, folder)
                self.is_passing = self.search.is_passing
                for found in stores:
                    yield from self.of_store(unit, found, folder / "work")
                if not stores:
                    yield Record(OTHER, unit.name)
        except SpoolTrouble as trouble:
            yield from self.not_copied(unit, str(trouble), trouble.is_passing)
        except OSError as error:
            yield from self.not_copied(
                unit, f"it cannot be copied: {error.strerror or type(error).__name__}",
                may_pass(error))

    def not_copied(self, unit: Unit, trouble: str, is_passing: bool) -> Iterator[Record]:
        """The record of a unit that this machine's disk does not have."""
        self.is_passing = is_passing
        yield from self.of_store(
            unit, Found(unit.name, None, trouble=trouble, is_rest=True), Path())

    # What a store holds.

    def of_store(self, unit: Unit, found: Found, work: Path) -> Iterator[Record]:
        """The records of one store, the one that tells how it went last."""
        start = time.monotonic()
        facts = {"status": found.status, "message": found.trouble, "device": found.device,
                 "container": found.container, "toolVersion": self.version}
        if found.is_guess:
            facts["isGuess"] = True
        if found.is_rest:
            facts[NOT_REACHED] = True
        if found.path is not None:
            facts.update(file_facts(found))
            yield from self.converted(unit, found, work, facts)
        facts["seconds"] = round(time.monotonic() - start, 3)
        yield Record(STORE, unit.name, found.name, cells=[json.dumps(facts, ensure_ascii=False)])

    def converted(self, unit: Unit, found: Found, work: Path, facts: dict) -> Iterator[Record]:
        """The records of a store that can be read; `facts` tells in the end whether it could."""
        output = work / "store.rehome"
        outcome = self.tool.run(
            ["convert", *READ, str(found.path), "-o", str(output)], work)
        self.end(outcome, facts)
        if outcome.status not in (OK, FINDINGS) or not output.exists():
            return
        try:
            store = Canonical(output)
        except sqlite3.Error as error:
            self.fail(error, facts, f"the conversion cannot be read: {error}")
            return
        try:
            yield from self.taken(unit, found, work, store, facts)
        except (TooLargeRow, sqlite3.Error) as error:
            self.fail(error, facts, str(error))
        except ReadingTrouble as trouble:
            self.end(trouble.outcome, facts)
        except Exception as error:
            # Whatever a store makes go wrong costs its row, not the job.
            self.fail(error, facts, f"the conversion cannot be taken: {type(error).__name__}")
        finally:
            store.close()
            output.unlink(missing_ok=True)

    def end(self, outcome: Outcome, facts: dict) -> None:
        """Takes down how a run of the tool ended."""
        facts.update(status=outcome.status, message=outcome.message)
        self.is_passing = self.is_passing or outcome.is_passing

    def fail(self, error: Exception, facts: dict, message: str) -> None:
        """Takes down why what the tool made cannot be taken."""
        facts.update(status=UNREADABLE, message=message)
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
        is_passing = isinstance(error, OSError) or code & PRIMARY in DISK_TROUBLES
        self.is_passing = self.is_passing or is_passing

    def taken(
        self, unit: Unit, found: Found, work: Path, store: Canonical, facts: dict
    ) -> Iterator[Record]:
        """The records of a canonical store, and the facts about it."""
        store.check_rows(self.limits.row)
        if trouble := self.table_trouble(store):
            facts.update(status=UNREADABLE, message=trouble)
            return
        sent = self.sent(store, work)
        text, digest = store.catalogue()
        if digest not in self.told:
            self.told.add(digest)
            yield catalogue_record(unit.name, text, digest)
        yield from store.records(unit.name, found.name, sent)
        # Of what cannot be taken to its end none of this is told.
        sources = store.sources()
        only = sources[0] if len(sources) == 1 else {"layout": "rehome", "generation": None}
        facts.update(
            layout=only["layout"], generation=only["generation"], catalogue=digest,
            sources=sources, nextKeys=store.next_keys(), counts=store.counts())

    def table_trouble(self, store: Canonical) -> str | None:
        """Why the tables of a store cannot be those of a fleet; None where they can."""
        if len(store.tables) > self.most_tables:
            return (f"it has {len(store.tables)} tables; --max-tables takes a larger number than "
                    f"{self.most_tables}")
        return None

    def sent(self, store: Canonical, work: Path) -> dict[int, tuple]:
        """What the device would send for its operations, should their rows give way."""
        if not store.sends_rows():
            return {}
        # What several sources become tells this; the second one has nothing in it.
        nothing, output = work / "nothing.db", work / "sent.rehome"
        make_empty(nothing)
        outcome = self.tool.run(
            ["convert", *READ, "--fail-on", "never", str(store.path), str(nothing), "-o",
             str(output)], work)
        if outcome.status not in (OK, FINDINGS):
            raise ReadingTrouble(outcome)
        sent = Canonical(output)
        try:
            return sent.sent_items(store.sequences())
        finally:
            sent.close()
            output.unlink()


def make_empty(path: Path) -> None:
    """A database without tables."""
    if path.exists():
        return
    database = sqlite3.connect(path)
    database.executescript(
        "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; CREATE TABLE t (c); DROP TABLE t;")
    database.close()


def file_facts(found: Found) -> dict[str, object]:
    """The size and the SHA-256 of a store's own file, or of what describes an export."""
    file = found.path
    if file.is_dir():
        file /= "manifest.json"
        # A queue in files has none, and the tool has told what its files are together.
        if not file.exists():
            return {"sha256": found.sha256}
    try:
        with open(file, "rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
        return {"bytes": file.stat().st_size, "sha256": digest}
    except OSError:
        return {}
