#!/usr/bin/env python3
"""Runs commands on a store with a long queue whose files for what is set aside cannot be read back.

    lost_reads.py REHOME FOLDER COMPILER

A line for each command: its name, its exit code, and whether it left a file under the name that it
was to write; `same` where all of it is as on a machine whose disk works.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import queue_memory

# `{}` stands for the folder of the sources, `<>` for that of what is written.
COMMANDS = {
    "inspect": "inspect --json {}/store.sqlite",
    "audit": "audit --json {}/store.sqlite",
    "audit-csv": "audit -q --csv <>/out {}/store.sqlite",
    "ops": "ops list --json {}/store.sqlite",
    "hash": "hash {}/store.sqlite",
    "verify": "verify {}/store.sqlite {}/store.rehome",
    "convert": "convert -q --fail-on never {}/store.sqlite -o <>/out",
    "merge": "convert -q --fail-on never {}/store.sqlite {}/other.sqlite -o <>/out",
    "json": "export -q --fail-on never {}/store.sqlite --to json -o <>/out",
    "xml": "export -q --fail-on never {}/store.rehome --to xml -o <>/out.xml",
    "seed": "seed -q --fail-on never {}/bundle -o <>/out",
    "toolkit": "seed -q --fail-on never {}/bundle --into toolkit -o <>/out",
    "core-data": "seed -q --fail-on never {}/store.rehome --into core-data "
                 "--template {}/template.sqlite -o <>/out",
    "plan": "replay --json {}/store.rehome --to {}/target.rehome --dry-run",
}


def run(tool: str, words: str, folder: Path, environment: dict[str, str]) -> tuple:
    """The exit code, what was printed, and the hash of what was written."""
    written = folder / "written"
    shutil.rmtree(written, ignore_errors=True)
    written.mkdir()
    command = words.replace("{}", str(folder)).replace("<>", str(written)).split()
    done = subprocess.run(
        [tool, *command], capture_output=True, env={**os.environ, **environment}, check=False)
    outputs = sorted(path for path in written.iterdir() if not path.name.startswith("."))
    contents = None
    if outputs:
        contents = subprocess.run([tool, "hash", outputs[0]], capture_output=True, check=False)
        contents = contents.stdout[:64] or outputs[0].read_bytes()
    return done.returncode, done.stdout, contents, bool(outputs)


def make_template(path: Path) -> None:
    """A store of the same layout that its app has just made."""
    samples = Path(__file__).parents[2] / "samples"
    shutil.copy(samples / "ios-2016" / "qstodoitem.sqlite", path)
    base = sqlite3.connect(path)
    own = {"Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"}
    names = {name for (name,) in base.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    for name in names - own:
        base.execute(f'DELETE FROM "{name}"')
    base.commit()
    base.close()


def main() -> None:
    """Makes the stores and runs the commands."""
    tool, place, compiler = sys.argv[1:4]
    folder = Path(place)
    folder.mkdir(parents=True)
    # More than the 32 MiB of operations, and the 4 MiB of errors, that stay in memory.
    options = Namespace(
        operations=8_000, rows=8_000, payload=13_000, names=1, text=0, errors=2_500, amplify=None,
        sdk=None)
    queue_memory.make(folder / "store.sqlite", options)
    shutil.copy(folder / "store.sqlite", folder / "other.sqlite")
    for words in ("convert -q --fail-on never {}/store.sqlite -o {}/store.rehome",
                  "export -q --fail-on never {}/store.sqlite --to csv -o {}/bundle"):
        subprocess.run([tool, *words.replace("{}", place).split()], check=True)
    shutil.copy(folder / "store.rehome", folder / "target.rehome")
    make_template(folder / "template.sqlite")
    library = folder / "lost_reads.so"
    source = Path(__file__).with_suffix(".c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    for name, words in COMMANDS.items():
        lost = run(tool, words, folder, {"LD_PRELOAD": str(library)})
        if lost[0] == 74:
            print(name, 74, "published" if lost[3] else "nothing", flush=True)
        else:
            whole = run(tool, words, folder, {})
            print(name, lost[0], "same" if lost == whole else "other", flush=True)


if __name__ == "__main__":
    main()
