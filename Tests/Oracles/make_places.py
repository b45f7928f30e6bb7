"""Makes folders, archives and device backups that hold sample stores.

    make_places.py SAMPLES OUT

Prints as JSON, for each place, the stores that must be found: the name behind the place, and the
sample whose content it has. Everything is written with Python's own modules, or by hand from the
description of the format; nothing of the tool is used.
"""

import gzip
import hashlib
import io
import json
import os
import plistlib
import shutil
import sqlite3
import struct
import sys
import tarfile
import zipfile
import zlib

PLAIN = "ios-2016/qstodoitem.sqlite"
LOGGED = "ios-2015/qstodoitem.sqlite"
OTHER = "dotnet-2019/localstore.db"


class Maker:
    def __init__(self, samples, out):
        self.samples, self.out = samples, out
        self.expected = []

    def bytes(self, name):
        with open(os.path.join(self.samples, name), "rb") as file:
            return file.read()

    def place(self, name, stores, **more):
        self.expected.append({"place": name, "stores": stores, **more})
        return os.path.join(self.out, name)

    def members(self):
        """The files of one app, with what is no store."""
        return [
            ("Documents/q.sqlite", self.bytes(LOGGED)),
            ("Documents/q.sqlite-wal", self.bytes(LOGGED + "-wal")),
            ("Documents/ünï/local.db", self.bytes(OTHER)),
            ("Library/Preferences/app.plist", plistlib.dumps({"a": 1})),
            ("Library/empty", b""),
            ("Library/picture.png", b"\x89PNG\r\n\x1a\n" + b"x" * 600),
        ]

    STORES = {"Documents/q.sqlite": LOGGED, "Documents/ünï/local.db": OTHER}

    # Folders

    def folder(self):
        root = self.place("shelf", {
            "/a/" + name: sample for name, sample in self.STORES.items()} | {
            "/b/plain.sqlite": PLAIN, "/b/.hidden/x": PLAIN})
        for name, data in self.members():
            self.write(os.path.join(root, "a", name), data)
        self.write(os.path.join(root, "b/plain.sqlite"), self.bytes(PLAIN))
        self.write(os.path.join(root, "b/.hidden/x"), self.bytes(PLAIN))
        os.symlink("/etc", os.path.join(root, "b/outside"))
        os.symlink("..", os.path.join(root, "b/circle"))
        os.mkfifo(os.path.join(root, "b/pipe"))

    @staticmethod
    def write(path, data):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)

    # ZIP

    def zips(self):
        stores = {"!" + name: sample for name, sample in self.STORES.items()}
        for name, method in [("stored.zip", 0), ("deflated.zip", 8)]:
            with zipfile.ZipFile(self.place(name, stores), "w", method) as archive:
                for member, data in self.members():
                    archive.writestr(member, data)
        # Streamed: sizes stand behind the data.
        buffer = Unseekable()
        with zipfile.ZipFile(buffer, "w", 8) as archive:
            for member, data in self.members():
                archive.writestr(member, data)
        self.write(self.place("streamed.zip", stores), bytes(buffer.data))
        # With bytes in front, and a comment that imitates an end record.
        with zipfile.ZipFile(buffer := io.BytesIO(), "w", 8) as archive:
            for member, data in self.members():
                archive.writestr(member, data)
            archive.comment = b"PK\x05\x06" + b"\0" * 40
        self.write(self.place("prefixed.zip", stores), b"#!/bin/sh\nexit\n" + buffer.getvalue())
        # ZIP64 records everywhere.
        with zipfile.ZipFile(self.place("long.zip", stores), "w", 8) as archive:
            for member, data in self.members():
                with archive.open(member, "w", force_zip64=True) as file:
                    file.write(data)
        # Twice the same name with other bytes.
        with zipfile.ZipFile(self.place("twice.zip", {"!q.db": PLAIN, "!q.db (2)": OTHER}), "w") as a:
            a.writestr("q.db", self.bytes(PLAIN))
            import warnings
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                a.writestr("q.db", self.bytes(OTHER))
        # Hostile names.
        names = {"!../../evil.db": PLAIN, "!abs.db": OTHER}
        with zipfile.ZipFile(self.place("names.zip", names), "w") as archive:
            archive.writestr("../../evil.db", self.bytes(PLAIN))
            archive.writestr("/abs.db", self.bytes(OTHER))
        # A wrong checksum.
        with zipfile.ZipFile(buffer := io.BytesIO(), "w", 0) as archive:
            archive.writestr("good.db", self.bytes(PLAIN))
            archive.writestr("bad.db", self.bytes(OTHER))
        data = bytearray(buffer.getvalue())
        at = data.index(self.bytes(OTHER)) + 3000
        data[at] ^= 0xFF
        self.write(
            self.place("checksum.zip", {"!good.db": PLAIN}, errors={"!bad.db": "checksum"}),
            bytes(data))
        cut = buffer.getvalue()[:-30]
        self.write(self.place("cut.zip", {}, errors={"": "truncated"}), cut)
        self.overlap()
        self.locked()

    def overlap(self):
        """Two entries of the directory with the same data."""
        with zipfile.ZipFile(buffer := io.BytesIO(), "w", 0) as archive:
            archive.writestr("one.db", self.bytes(PLAIN))
        data = buffer.getvalue()
        end = data.rindex(b"PK\x05\x06")
        start = struct.unpack_from("<I", data, end + 16)[0]
        entry = data[start:end]
        tail = bytearray(data[end:])
        struct.pack_into("<HH", tail, 8, 2, 2)
        struct.pack_into("<I", tail, 12, 2 * len(entry))
        self.write(
            self.place("overlap.zip", {}, errors={"": "overlap"}), data[:end] + entry + bytes(tail))

    def locked(self):
        """An entry that says that it needs a password."""
        with zipfile.ZipFile(buffer := io.BytesIO(), "w", 0) as archive:
            archive.writestr("open.db", self.bytes(PLAIN))
            archive.writestr("locked.db", self.bytes(OTHER))
        data = bytearray(buffer.getvalue())
        for mark, offset in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)]:
            at = data.rindex(mark)
            data[at + offset] |= 1
        self.write(
            self.place("locked.zip", {"!open.db": PLAIN}, errors={"!locked.db": "encrypted"}),
            bytes(data))

    # tar

    def tars(self):
        stores = {"!" + name: sample for name, sample in self.STORES.items()}
        for name, form in [
            ("ustar.tar", tarfile.USTAR_FORMAT), ("gnu.tar", tarfile.GNU_FORMAT),
            ("pax.tar", tarfile.PAX_FORMAT),
        ]:
            self.tar(self.place(name, stores), "w", form, self.members())
        self.tar(self.place("app.tar.gz", stores), "w:gz", tarfile.PAX_FORMAT, self.members())
        long = "deep/" * 60 + "q.db"
        for name, form in [("longgnu.tar", tarfile.GNU_FORMAT), ("longpax.tar", tarfile.PAX_FORMAT)]:
            self.tar(self.place(name, {"!" + long: PLAIN}), "w", form, [(long, self.bytes(PLAIN))])
        # The side file comes first, in a packed archive.
        turned = list(reversed(self.members()))
        self.tar(self.place("turned.tgz", stores), "w:gz", tarfile.GNU_FORMAT, turned)
        # Cut in the second store; what came before is good.
        self.tar(
            path := os.path.join(self.out, "whole.tmp"), "w", tarfile.GNU_FORMAT,
            [("one.db", self.bytes(PLAIN)), ("two.db", self.bytes(OTHER))])
        with open(path, "rb") as file:
            data = file.read()
        os.remove(path)
        at = data.index(self.bytes(OTHER)) + 4096
        self.write(
            self.place("cut.tar", {"!one.db": PLAIN}, errors={"": "truncated", "!two.db": None}),
            data[:at])
        self.sparse()
        self.liars()

    def liars(self):
        """A link of nearly endless size, and a file of a few bytes that is nearly all holes."""
        path = self.place("endless.tar", {"!q.db": PLAIN}, errors={"": "damaged"})
        with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
            info = tarfile.TarInfo("q.db")
            info.size = len(self.bytes(PLAIN))
            archive.addfile(info, io.BytesIO(self.bytes(PLAIN)))
            link = tarfile.TarInfo("link")
            link.type, link.linkname = tarfile.SYMTYPE, "q.db"
            link.pax_headers = {"size": str(2**63 - 1)}
            archive.addfile(link)
        body = b"1\n0\n512\n".ljust(512, b"\0") + self.bytes(PLAIN)[:512]
        holes = tarfile.TarInfo("GNUSparseFile.1/q.db")
        holes.size = len(body)
        holes.pax_headers = {
            "GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "q.db",
            "GNU.sparse.realsize": str(2**40)}
        path = self.place("holes.tar", {}, errors={"!q.db": "limit"})
        with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
            archive.addfile(holes, io.BytesIO(body))

    @staticmethod
    def tar(path, mode, form, members):
        with tarfile.open(path, mode, format=form) as archive:
            for name, data in members:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))

    def sparse(self):
        """A file with holes, in the form 1.0 of GNU."""
        data = self.bytes(PLAIN)
        pieces, start = [], 0
        while start < len(data):
            block = data[start:start + 4096]
            if block.strip(b"\0"):
                pieces.append((start, len(block)))
            start += 4096
        table = f"{len(pieces)}\n" + "".join(f"{o}\n{n}\n" for o, n in pieces)
        body = table.encode().ljust(-(-len(table) // 512) * 512, b"\0")
        body += b"".join(data[o:o + n] for o, n in pieces)
        info = tarfile.TarInfo("GNUSparseFile.1/q.db")
        info.size = len(body)
        info.pax_headers = {
            "GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "q.db",
            "GNU.sparse.realsize": str(len(data))}
        path = self.place("sparse.tar", {"!q.db": PLAIN})
        with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
            archive.addfile(info, io.BytesIO(body))

    # gzip and Android

    def gzips(self):
        self.write(self.place("plain.sqlite.gz", {"!plain.sqlite": PLAIN}),
                   gzip.compress(self.bytes(PLAIN)))
        half = len(self.bytes(PLAIN)) // 2
        data = gzip.compress(self.bytes(PLAIN)[:half]) + gzip.compress(self.bytes(PLAIN)[half:])
        self.write(self.place("members.gz", {"!members": PLAIN}), data + b"\0" * 100)

    def android(self):
        stores = {"!apps/com.example/db/local.db": OTHER}
        members = [("apps/com.example/_manifest", b"1\n"),
                   ("apps/com.example/db/local.db", self.bytes(OTHER))]
        with tarfile.open(fileobj=(raw := io.BytesIO()), mode="w", format=tarfile.USTAR_FORMAT) as a:
            for name, data in members:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                a.addfile(info, io.BytesIO(data))
        head = b"ANDROID BACKUP\n5\n%d\nnone\n"
        self.write(self.place("packed.ab", stores), head % 1 + zlib.compress(raw.getvalue()))
        self.write(self.place("plain.ab", stores), head % 0 + raw.getvalue())
        self.write(self.place("refused.ab", {}), head % 1 + zlib.compress(b"\0" * 1024))
        self.write(
            self.place("locked.ab", {}, errors={"": "encrypted"}),
            b"ANDROID BACKUP\n5\n1\nAES-256\n" + b"00\n" * 5 + os.urandom(4096))

    # iOS backups

    def file_id(self, domain, path):
        return hashlib.sha1(f"{domain}-{path}".encode()).hexdigest()

    def backup_files(self):
        domain = "AppDomain-com.example.todo"
        return [(domain, name, data) for name, data in self.members()]

    def ios(self):
        stores = {"!AppDomain-com.example.todo/" + name: sample
                  for name, sample in self.STORES.items()}
        root = self.place("Backup", {
            "/00008030-001C2D9E3A12802E" + name: sample for name, sample in stores.items()},
            device="Jörg’s iPhone 📱")
        self.modern(os.path.join(root, "00008030-001C2D9E3A12802E"))
        self.old(self.place("mbdb", stores, device="Old phone"))
        self.modern(self.place("whole", stores, device="Jörg’s iPhone 📱"))
        # A backup that was packed as it is.
        with zipfile.ZipFile(
            self.place("backup.zip", {"!whole" + name: sample for name, sample in stores.items()}),
            "w", 8) as archive:
            self.pack(archive, os.path.join(self.out, "whole"), "whole")
        # A body that is missing, and an encrypted backup.
        lost = self.place(
            "lost", {k: v for k, v in stores.items() if v == OTHER},
            errors={"!AppDomain-com.example.todo/Documents/q.sqlite": "file-missing"})
        self.modern(lost)
        gone = self.file_id("AppDomain-com.example.todo", "Documents/q.sqlite")
        os.remove(os.path.join(lost, gone[:2], gone))
        locked = self.place("locked", {}, errors={"": "encrypted"})
        self.modern(locked)
        with open(os.path.join(locked, "Manifest.db"), "wb") as file:
            file.write(os.urandom(8192))
        with open(os.path.join(locked, "Manifest.plist"), "wb") as file:
            file.write(plistlib.dumps({"IsEncrypted": True}))

    @staticmethod
    def pack(archive, root, name):
        for folder, _, files in os.walk(root):
            for file in sorted(files):
                path = os.path.join(folder, file)
                archive.write(path, name + "/" + os.path.relpath(path, root))

    def modern(self, root):
        os.makedirs(root)
        self.write(root + "/Info.plist", plistlib.dumps(
            {"Device Name": "Jörg’s iPhone 📱", "Target Identifier": "00008030-001C2D9E3A12802E"}))
        self.write(root + "/Manifest.plist", plistlib.dumps(
            {"IsEncrypted": False}, fmt=plistlib.FMT_BINARY))
        self.write(root + "/Status.plist", plistlib.dumps({"SnapshotState": "finished"}))
        database = sqlite3.connect(root + "/Manifest.db")
        database.executescript(
            "PRAGMA journal_mode = WAL; CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT,"
            " relativePath TEXT, flags INTEGER, file BLOB); CREATE TABLE Properties (key TEXT"
            " PRIMARY KEY, value BLOB);")
        add = "INSERT INTO Files VALUES (?, ?, ?, ?, ?)"
        domain = "AppDomain-com.example.todo"
        database.execute(add, (self.file_id(domain, ""), domain, "", 2, b""))
        for domain, path, data in self.backup_files():
            id = self.file_id(domain, path)
            archive = plistlib.dumps(
                {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": plistlib.UID(1)},
                 "$objects": ["$null", {"Size": len(data), "Mode": 0o100644}]},
                fmt=plistlib.FMT_BINARY)
            database.execute(add, (id, domain, path, 1, archive))
            self.write(os.path.join(root, id[:2], id), data)
        database.commit()
        database.close()

    def old(self, root):
        os.makedirs(root)
        self.write(root + "/Info.plist", plistlib.dumps({"Device Name": "Old phone"}))
        records = b"mbdb\5\0"
        for domain, path, data in self.backup_files():
            text = lambda value: struct.pack(">H", len(value)) + value
            records += text(domain.encode()) + text(path.encode()) + b"\xff\xff" * 3
            records += struct.pack(">HQIIIIIQB", 0o100644, 1, 501, 501, 1, 1, 1, len(data), 4)
            records += b"\1" + text(b"attr") + text(b"\xff\xfe\0")
            self.write(os.path.join(root, self.file_id(domain, path)), data)
        self.write(root + "/Manifest.mbdb", records)

    # Nested

    def nested(self):
        with zipfile.ZipFile(inner := io.BytesIO(), "w", 8) as archive:
            for member, data in self.members():
                archive.writestr(member, data)
        stores = {"!d/upload.zip!" + name: sample for name, sample in self.STORES.items()}
        self.tar(self.place("nest.tar", stores), "w", tarfile.GNU_FORMAT,
                 [("d/upload.zip", inner.getvalue())])
        data = self.bytes(PLAIN)
        for level in range(6):
            with zipfile.ZipFile(buffer := io.BytesIO(), "w", 8) as archive:
                archive.writestr(f"{level}.zip" if level else "q.db", data)
            data = buffer.getvalue()
        self.write(self.place("deep.zip", {}, errors={"!5.zip!4.zip!3.zip!2.zip": "limit"}), data)
        self.write(self.place("bomb.gz", {}, errors={"!bomb": "limit"}),
                   gzip.compress(b"SQLite format 3\0" + b"\0" * (300 << 20)))


class Unseekable(io.RawIOBase):
    """A stream that only goes forward, as a pipe."""

    def __init__(self):
        self.data = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.data += bytes(data)
        return len(data)


def main():
    maker = Maker(sys.argv[1], sys.argv[2])
    for make in [maker.folder, maker.zips, maker.tars, maker.gzips, maker.android, maker.ios,
                 maker.nested]:
        make()
    json.dump(maker.expected, sys.stdout, ensure_ascii=False, indent=1)


main()
