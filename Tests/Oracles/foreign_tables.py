"""Writes one awkward table with every program that is there, and says what must be read from it.

    foreign_tables.py FOLDER

Programs: Python's csv, the sqlite3 shell, pandas, DuckDB, PostgreSQL (a server that psql reaches by
itself) and LibreOffice. What is missing is left out and named on standard error. Prints a JSON list
of {"program", "file", "options", "rows"}; each row has the cells of the table as the canonical
store has them.
"""

import csv
import importlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys

NAMES = ["id", "name", "note", "qty", "price", "flag", "day", "moment"]
AWKWARD = [
    "plain", "comma, and; semicolon | bar", 'say "yes"', "two\nlines", "cr\r\nlf", "tab\there",
    "'=1+1", "=1+1", "  blanks  ", "back\\slash \\N \\n", "é 中 🎉", "007", "\\.", "null", "NULL",
    "#hash", '"', '""', "x" * 70000,
]


def table():
    rows = []
    for number in range(60):
        name = AWKWARD[number % len(AWKWARD)]
        note = None if number % 3 == 0 else "" if number % 3 == 1 else "n%d" % number
        qty = None if number % 7 == 3 else number * 1001 - 30000
        price = number + 0.25
        rows.append([
            "k%03d" % number, name, note, qty, price, number % 2 == 0,
            "2016-10-%02d" % (number % 28 + 1), "2016-10-01 09:%02d:30.5" % number])
    return rows


ROWS = table()


def expected(rows=None, empties=True, names=None):
    """The cells of the canonical store; without empties an empty text is no value."""
    found = []
    for row in rows or ROWS:
        identity, name, note, qty, price, flag, day, at = row
        if not empties and note == "":
            note = None
        found.append([
            identity, names(name) if names else name, note, qty, price, int(flag),
            day + "T00:00:00.000Z", at.replace(" ", "T") + "00Z"])
    return found


def texts(row, none="", true="true", false="false", comma=False):
    cells = []
    for cell in row:
        if cell is None:
            cells.append(none)
        elif isinstance(cell, bool):
            cells.append(true if cell else false)
        elif comma and isinstance(cell, float):
            cells.append(repr(cell).replace(".", ","))
        else:
            cells.append(str(cell))
    return cells


class Writer:
    def __init__(self, folder):
        self.folder = folder
        self.cases = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def add(self, program, name, rows, *options):
        self.cases.append(
            {"program": program, "file": self.path(name), "options": list(options), "rows": rows})

    def python(self, name, encoding, rows=None, options=(), comma=False, words=None, **form):
        rows = rows or ROWS
        true, false = words or ("TRUE", "FALSE")
        with open(self.path(name), "w", newline="", encoding=encoding) as file:
            writer = csv.writer(file, **form)
            writer.writerow(NAMES)
            for row in rows:
                writer.writerow(texts(row, true=true, false=false, comma=comma))
        self.add("python", name, expected(rows, empties=False), *options)


def latin(rows):
    return [row for row in rows if "中" not in row[1]]


def write_python(out):
    out.python("excel.csv", "utf-8-sig", dialect="excel")
    out.python("semicolons.csv", "utf-8-sig", delimiter=";", comma=True, words=("yes", "no"),
               options=["--decimal-comma"])
    out.python("unicode.txt", "utf-16", dialect="excel-tab")
    out.python("big.tsv", "utf-16-be", dialect="excel-tab", options=["--encoding", "utf-16be"])
    out.python("bars", "utf-8", delimiter="|", lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    out.python("old-mac.csv", "utf-8", lineterminator="\r", quoting=csv.QUOTE_ALL,
               rows=[row for row in ROWS if row[2] and row[3] is not None])
    out.python("windows.csv", "cp1252", rows=latin(ROWS), delimiter=";",
               options=["--encoding", "windows-1252"])
    with open(out.path("separator.csv"), "w", newline="", encoding="utf-8-sig") as file:
        file.write("sep=;\r\n")
        csv.writer(file, delimiter=";").writerows([NAMES] + [texts(row) for row in ROWS])
    out.add("python", "separator.csv", expected(empties=False))


def write_sqlite(out):
    if not shutil.which("sqlite3"):
        raise ImportError("sqlite3")
    # The shell itself would change line ends in what it is given.
    base = sqlite3.connect(out.path("shell.db"))
    base.execute("CREATE TABLE t(%s)" % ",".join(NAMES))
    rows = [["true" if cell is True else "false" if cell is False else cell for cell in row]
            for row in ROWS]
    base.executemany("INSERT INTO t VALUES (?,?,?,?,?,?,?,?)", rows)
    base.commit()
    base.close()
    script = ".headers on\n.mode csv\n.once '%s'\nSELECT * FROM t;\n" % out.path("shell.csv")
    subprocess.run(["sqlite3", out.path("shell.db")], input=script.encode(), check=True)
    out.add("sqlite3", "shell.csv", expected())


def write_pandas(out):
    pandas = importlib.import_module("pandas")
    frame = pandas.DataFrame(ROWS, columns=NAMES)
    frame["qty"] = frame["qty"].astype("Int64")
    frame["day"] = pandas.to_datetime(frame["day"])
    # In a file whose lines end with LF alone, a lone CR could not be told from a line end.
    frame.to_csv(out.path("pandas.csv"), index=False)
    out.add("pandas", "pandas.csv", expected(empties=False))
    frame.to_csv(out.path("missing.csv"), index=False, na_rep="NA", sep=";")
    out.add("pandas", "missing.csv", expected(), "--null", "NA")


def write_duckdb(out):
    duckdb = importlib.import_module("duckdb")
    base = duckdb.connect()
    base.execute("CREATE TABLE t(id TEXT, name TEXT, note TEXT, qty INTEGER, price DOUBLE,"
                 " flag BOOLEAN, day DATE, moment TIMESTAMP)")
    base.executemany("INSERT INTO t VALUES (?,?,?,?,?,?,?,?)", ROWS)
    base.execute("COPY t TO '%s' (HEADER)" % out.path("duck.csv"))
    out.add("duckdb", "duck.csv", expected())
    base.execute("COPY t TO '%s' (HEADER, DELIMITER '|')" % out.path("duck.txt"))
    out.add("duckdb", "duck.txt", expected())


def write_postgresql(out):
    probe = subprocess.run(["psql", "-XAtc", "SELECT 1"], capture_output=True)
    if probe.returncode != 0:
        raise ImportError("a PostgreSQL server")

    def literal(cell):
        if cell is None:
            return "NULL"
        if isinstance(cell, str):
            return "'%s'" % cell.replace("'", "''")
        return str(cell)

    values = ",".join("(" + ",".join(map(literal, row)) + ")" for row in ROWS)
    make = ("SET standard_conforming_strings = on; CREATE TEMP TABLE t(id text, name text,"
            " note text, qty int, price float8, flag boolean, day date, moment timestamp);"
            " INSERT INTO t VALUES %s;" % values)
    for name, form, options in [
            ("server.csv", "FORMAT csv, HEADER", []),
            ("server-semicolons.csv", "FORMAT csv, HEADER, DELIMITER ';', NULL 'NULL'",
             ["--null", "NULL"]),
            ("server-bare.csv", "FORMAT csv", ["--no-header"]),
            ("server.tsv", "FORMAT text, HEADER", ["--from", "copy"]),
            ("server.txt", "FORMAT text", ["--from", "copy", "--no-header"])]:
        done = subprocess.run(
            ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1"], capture_output=True,
            input=(make + "COPY t TO STDOUT (%s);" % form).encode())
        if done.returncode != 0:
            raise SystemExit(done.stderr.decode())
        with open(out.path(name), "wb") as file:
            file.write(done.stdout)
        # PostgreSQL's letters for true and false are only taken where that is told.
        table = name.rsplit(".", 1)[0]
        flag = "column6" if "--no-header" in options else "flag"
        out.add("postgresql", name, expected(), "--type", "%s.%s=boolean" % (table, flag), *options)


def write_libreoffice(out):
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if not program:
        raise ImportError("LibreOffice")
    # Filter options: separator, quote, encoding (76 is UTF-8), first line, column types.
    for name, form, options in [
            ("office.csv", "44,34,76,1,,0,false,true,false", []),
            ("office-semicolons.csv", "59,34,76,1,,0,false,true,false", [])]:
        folder = out.path(name + ".d")
        subprocess.run(
            [program, "--headless", "-env:UserInstallation=file://" + out.path("profile"),
             "--convert-to", "csv:Text - txt - csv (StarCalc):" + form,
             "--infilter=CSV:44,34,76,1,1/2/2/2/3/2/4/2/5/2/6/2/7/2/8/2", "--outdir", folder,
             out.path("excel.csv")], check=True, capture_output=True)
        shutil.move(os.path.join(folder, "excel.csv"), out.path(name))
        # A cell of LibreOffice holds no more, and lines in it end with LF.
        rows = expected(
            empties=False, names=lambda name: name.replace("\r\n", "\n")[:65535])
        out.add("libreoffice", name, rows, *options)


def main():
    out = Writer(sys.argv[1])
    for write in [write_python, write_sqlite, write_pandas, write_duckdb, write_postgresql,
                  write_libreoffice]:
        try:
            write(out)
        except ImportError as error:
            print("left out:", write.__name__, error, file=sys.stderr)
    print(json.dumps(out.cases))


main()
