"""Writes the samples, and checks that the ones at hand are what would be written."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from pathlib import Path

from . import (
    amplify_ios_2024,
    android_2014,
    android_2016,
    cordova_2017,
    couchbase_2015,
    datasync_2023,
    dotnet_2014,
    dotnet_2019,
    ios_2014,
    ios_2015,
    ios_2016,
    parse_2016,
    powersync_2025,
    toolkit_2025,
    watermelon_2024,
)
from .azure import Queue
from .expected import Expectation
from .metadata import FIRST_WITH_MODEL_CACHE
from .sample import Sample
from .sibling import SiblingExpectation, SiblingSample, SiblingWriter, collate
from .store import StoreWriter
from .wal import fixed_version, take_away

IOS_SAMPLES = (ios_2014.SAMPLE, ios_2015.SAMPLE, ios_2016.SAMPLE)
SIBLING_SAMPLES = (
    dotnet_2014.SAMPLE,
    dotnet_2019.SAMPLE,
    datasync_2023.SAMPLE,
    android_2014.SAMPLE,
    android_2016.SAMPLE,
    cordova_2017.SAMPLE,
    toolkit_2025.SAMPLE,
    amplify_ios_2024.SAMPLE,
    parse_2016.SAMPLE,
    watermelon_2024.SAMPLE,
    powersync_2025.SAMPLE,
    couchbase_2015.SAMPLE,
)
SAMPLES = IOS_SAMPLES + SIBLING_SAMPLES
SIDE_FILES = ("", "-wal", "-shm", "-journal")


def write_samples(folder: Path) -> None:
    """Writes every sample with its expected outputs into a folder."""
    for sample in SAMPLES:
        write_store(sample, folder / sample.folder)
        expected = folder / sample.folder / "expected"
        shutil.rmtree(expected, ignore_errors=True)
        expectation(sample).write(expected)


def expectation(sample: Sample | SiblingSample) -> Expectation:
    """What a sample must give."""
    if isinstance(sample, SiblingSample):
        return SiblingExpectation(sample)
    return Expectation(sample, sample.options.framework >= FIRST_WITH_MODEL_CACHE)


def write_store(sample: Sample | SiblingSample, folder: Path) -> None:
    """Builds the store in a private folder and takes it from there."""
    folder.mkdir(parents=True, exist_ok=True)
    destination = folder / sample.store_name
    for suffix in SIDE_FILES:
        destination.with_name(destination.name + suffix).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as private:
        path = Path(private) / sample.store_name
        store = built(sample, path)
        if sample.newest_in_log:
            take_away(path, destination)
            store.finish()
        else:
            store.finish()
            destination.write_bytes(fixed_version(path.read_bytes()))


def built(sample: Sample | SiblingSample, path: Path) -> StoreWriter | SiblingWriter:
    """The complete store, still open."""
    if isinstance(sample, SiblingSample):
        return SiblingWriter(path, sample)
    store = StoreWriter(path, sample.model, sample.options)
    sample.build(sample, store, Queue(store))
    return store


def differences(folder: Path) -> list[str]:
    """What differs between the samples in a folder and fresh ones."""
    with tempfile.TemporaryDirectory() as private:
        fresh = Path(private)
        write_samples(fresh)
        found = []
        for sample in SAMPLES:
            found += sample_differences(sample, folder / sample.folder, fresh / sample.folder)
        return found


def sample_differences(
    sample: Sample | SiblingSample, folder: Path, fresh: Path
) -> list[str]:
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
        collate(database)
        verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
        text = "\n".join(database.iterdump())
        database.close()
    return f"-- integrity: {verdict}\n{text}"
