"""Writes the samples, and checks that the ones at hand are what would be written."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from pathlib import Path

from . import ios_2014, ios_2015, ios_2016
from .azure import Queue
from .expected import Expectation
from .metadata import FIRST_WITH_MODEL_CACHE
from .sample import Sample
from .store import StoreWriter
from .wal import fixed_version, take_away

SAMPLES = (ios_2014.SAMPLE, ios_2015.SAMPLE, ios_2016.SAMPLE)
SIDE_FILES = ("", "-wal", "-shm", "-journal")


def write_samples(folder: Path) -> None:
    """Writes every sample with its expected outputs into a folder."""
    for sample in SAMPLES:
        write_store(sample, folder / sample.folder)
        has_model_cache = sample.options.framework >= FIRST_WITH_MODEL_CACHE
        expected = folder / sample.folder / "expected"
        shutil.rmtree(expected, ignore_errors=True)
        Expectation(sample, has_model_cache).write(expected)


def write_store(sample: Sample, folder: Path) -> None:
    """Builds the store in a private folder and takes it from there."""
    folder.mkdir(parents=True, exist_ok=True)
    destination = folder / sample.store_name
    for suffix in SIDE_FILES:
        destination.with_name(destination.name + suffix).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as private:
        path = Path(private) / sample.store_name
        store = StoreWriter(path, sample.model, sample.options)
        sample.build(sample, store, Queue(store))
        if sample.newest_in_log:
            take_away(path, destination)
            store.finish()
        else:
            store.finish()
            destination.write_bytes(fixed_version(path.read_bytes()))


def differences(folder: Path) -> list[str]:
    """What differs between the samples in a folder and fresh ones."""
    with tempfile.TemporaryDirectory() as private:
        fresh = Path(private)
        write_samples(fresh)
        found = []
        for sample in SAMPLES:
            found += sample_differences(sample, folder / sample.folder, fresh / sample.folder)
        return found


def sample_differences(sample: Sample, folder: Path, fresh: Path) -> list[str]:
    """What differs between one sample and a fresh one."""
    names = {file_name(folder, path) for path in files(folder)} - {"README.md"}
    fresh_names = {file_name(fresh, path) for path in files(fresh)}
    found = [f"{sample.folder}: {name} is missing" for name in sorted(fresh_names - names)]
    found += [f"{sample.folder}: {name} is not made here" for name in sorted(names - fresh_names)]
    for name in sorted(names & fresh_names):
        if name.startswith(sample.store_name):
            continue
        if (folder / name).read_bytes() != (fresh / name).read_bytes():
            found.append(f"{sample.folder}: {name} differs")
    if sample.store_name in names & fresh_names:
        if dump(folder / sample.store_name) != dump(fresh / sample.store_name):
            found.append(f"{sample.folder}: the content of {sample.store_name} differs")
    return found


def files(folder: Path) -> list[Path]:
    """All files in a folder, at any depth."""
    return [path for path in folder.rglob("*") if path.is_file()]


def file_name(folder: Path, path: Path) -> str:
    """A file's path inside a folder."""
    return path.relative_to(folder).as_posix()


def dump(store: Path) -> str:
    """The store as SQL, with what its log holds; read from a copy, after an integrity check."""
    with tempfile.TemporaryDirectory() as private:
        for suffix in ("", "-wal"):
            path = store.with_name(store.name + suffix)
            if path.exists():
                shutil.copyfile(path, Path(private) / path.name)
        database = sqlite3.connect(Path(private) / store.name)
        verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
        text = "\n".join(database.iterdump())
        database.close()
    return f"-- integrity: {verdict}\n{text}"
