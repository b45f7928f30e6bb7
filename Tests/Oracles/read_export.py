"""Reads bundles and documents by `rehome-export(5)`, with Python's own parsers.

Nothing here shares code with the tool. Text of CSV is read twice: by Python's `csv`, and by a small
parser that tells an empty field from an empty string, which `csv` does not.
"""

from __future__ import annotations

import base64
import csv
import gzip
import hashlib
import io
import json
import math
import re
from pathlib import Path
from xml.etree import ElementTree

PARTS = ("operations", "errors", "tokens", "rejects")
Table = dict[str, object]


def read_export(path: Path) -> dict[str, object]:
    """The tables and parts of an export; rows are lists of the key and the typed cells."""
    if path.is_dir():
        return read_bundle(path)
    data = path.read_bytes()
    if path.name.endswith(".gz"):
        data = gzip.decompress(data)
    return read_xml(data) if data.startswith(b"<?xml") else read_json(data)


def typed(text: str | None, kind: str) -> object:
    """A value of CSV or XML from its text."""
    if text is None:
        return None
    if kind in ("integer", "reference"):
        assert str(int(text)) == text, text
        return int(text)
    if kind == "real":
        assert text not in ("inf", "nan"), text
        return float(text.replace("Infinity", "inf"))
    if kind == "boolean":
        return {"true": 1, "false": 0}[text]
    if kind == "binary":
        return base64.b64decode(text, validate=True)
    return text


def from_json(value: object, kind: str) -> object:
    """A value of JSON."""
    if value is None:
        return None
    if kind == "boolean":
        assert isinstance(value, bool), value
        return int(value)
    if kind in ("integer", "reference"):
        assert type(value) is int, value
        return value
    if kind == "real":
        assert isinstance(value, float) or value in ("Infinity", "-Infinity"), value
        return float(value)
    assert isinstance(value, str), value
    return base64.b64decode(value, validate=True) if kind == "binary" else value


def no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object, refused when a key comes twice."""
    keys = dict(pairs)
    assert len(keys) == len(pairs), f"a key twice: {[key for key, _ in pairs]}"
    return keys


def loads(data: bytes) -> object:
    """Strict JSON."""
    def refuse(word: str) -> object:
        raise ValueError(word)
    return json.loads(data.decode(), object_pairs_hook=no_twins, parse_constant=refuse)


def columns_of(table: Table) -> list[tuple[str, str]]:
    """Names and types of the columns."""
    return [(column["name"], column["type"]) for column in table["columns"]]


def json_rows(rows: list[dict[str, object]], columns: list[tuple[str, str]]) -> list[list[object]]:
    """The rows of JSON objects."""
    for row in rows:
        assert list(row) == ["_pk"] + [name for name, _ in columns], list(row)
    return [
        [row["_pk"]] + [from_json(row[name], kind) for name, kind in columns] for row in rows
    ]


def csv_fields(text: str) -> list[list[str | None]]:
    """The records of RFC 4180; an empty field without quotes is None."""
    records, record, place = [], [], 0
    while place < len(text):
        field, quoted = "", text[place] == '"'
        if quoted:
            place += 1
            while True:
                end = text.index('"', place)
                field += text[place:end]
                place = end + 1
                if text[place] != '"':
                    break
                field += '"'
                place += 1
        else:
            while text[place] not in ",\r\n":
                assert text[place] != '"', "a quote in a plain field"
                field += text[place]
                place += 1
        record.append(field if quoted or field else None)
        if text[place] == ",":
            place += 1
        else:
            assert text[place:place + 2] == "\r\n", "records end with CR and LF"
            place += 2
            records.append(record)
            record = []
    return records


def from_spreadsheet(field: str | None, kind: str) -> str | None:
    """What a field says that is spelled for a spreadsheet."""
    if not field:
        return field
    if field.startswith('="'):
        assert field.endswith('"') and '"' not in field[2:-1], field
        return field[2:-1]
    if field.startswith("'"):
        return field[1:]
    assert field[0] not in "=+@\t\r\n", field
    looks = re.fullmatch(r"([+-]?)(\d*)(?:(\.)(\d*))?([eE][+-]?\d+)?", field)
    if looks and looks[2] + (looks[4] or "") and kind != "real":
        assert not looks[1] == "+" and not re.match("0\\d", looks[2]), field
        assert len(looks[2] + (looks[4] or "")) < 16, field
    else:
        assert field[0] != "-" or kind == "real", field
    if kind == "timestamp":
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3}|\.\d{9})?", field), field
        return field.replace(" ", "T") + (".000Z" if len(field) == 19 else "Z")
    return field


def csv_rows(
    data: bytes, columns: list[tuple[str, str]], safe: bool, program: str | None = None
) -> list[list[object]]:
    """The rows of a CSV file, its header checked."""
    if program:
        assert program == "excel" and data.startswith(b"\xef\xbb\xbf"), data[:9]
        data = data[3:]
    text = data.decode()
    csv.field_size_limit(1 << 30)
    records = csv_fields(text)
    own = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert own == [[field or "" for field in record] for record in records]
    if program:
        kinds = ["integer"] + [kind for _, kind in columns]
        records = [[from_spreadsheet(name, "text") for name in records[0]]] + [
            [from_spreadsheet(field, kind) for field, kind in zip(record, kinds, strict=True)]
            for record in records[1:]
        ]
    elif safe:
        plain = ("integer", "reference", "real", "boolean")
        kinds = ["integer"] + [kind for _, kind in columns]
        for record in records[1:]:
            for place, kind in enumerate(kinds):
                field = record[place]
                if field and kind not in plain:
                    number = kind == "decimal" and field.lstrip("-").replace(".", "").isdigit()
                    assert field[0] not in "=+-@\t\r" or number, field
                    record[place] = field[1:] if field[0] == "'" else field
        records[0] = [name[1:] if name[0] == "'" else name for name in records[0]]
    assert records[0] == ["_pk"] + [name for name, _ in columns], records[0]
    return [
        [int(record[0])]
        + [typed(field, kind) for field, (_, kind) in zip(record[1:], columns, strict=True)]
        for record in records[1:]
    ]


def attribute(element: ElementTree.Element, name: str) -> str | None:
    """An attribute, or what its base64 form says."""
    packed = element.get(name + "-base64")
    return element.get(name) if packed is None else base64.b64decode(packed).decode()


def xml_table(element: ElementTree.Element) -> Table:
    """A table element."""
    columns = [
        {"name": attribute(column, "name"), "type": column.get("type")}
        for column in element.findall("column")
    ]
    rows = []
    for row in element.findall("row"):
        assert len(row) == len(columns)
        cells = [xml_cell(cell, column["type"]) for cell, column in zip(row, columns)]
        rows.append([int(row.get("pk"))] + cells)
    end = element.find("end")
    assert element[-1] is end
    return {
        "name": attribute(element, "name"), "columns": columns, "rows": rows,
        "count": int(end.get("rows")), "hash": end.get("hash"),
    }


def xml_cell(cell: ElementTree.Element, kind: str) -> object:
    """A value element."""
    if cell.tag == "n":
        return None
    assert cell.tag == "v"
    text = cell.text or ""
    if cell.get("e") is not None:
        assert cell.get("e") == "base64"
        text = base64.b64decode(text, validate=True).decode()
    return typed(text, kind)


def read_xml(data: bytes) -> dict[str, object]:
    """An XML document."""
    root = ElementTree.fromstring(data)
    assert root.tag == "rehome" and root.get("kind") == "document"
    export = {part: xml_table(root.find(part)) for part in PARTS}
    export["tables"] = [xml_table(table) for table in root.findall("table")]
    export["hash"] = root.find("end").get("hash")
    return export


def read_json(data: bytes) -> dict[str, object]:
    """A JSON document."""
    document = loads(data)
    assert document["rehome"]["kind"] == "document"
    for table in document["tables"] + [document[part] for part in PARTS]:
        table["rows"] = json_rows(table["rows"], columns_of(table))
    return document


def read_bundle(folder: Path) -> dict[str, object]:
    """A bundle, every file proven by its size and hash."""
    manifest = loads((folder / "manifest.json").read_bytes())
    assert manifest["rehome"]["kind"] == "bundle"
    members = manifest["tables"] + [manifest[part] for part in PARTS]
    names = [member["file"].lower() for member in members] + ["manifest.json"]
    assert len(set(names)) == len(names), names
    assert sorted(path.name.lower() for path in folder.iterdir()) == sorted(names)
    for member in members:
        data = (folder / member["file"]).read_bytes()
        assert len(data) == member["bytes"]
        assert hashlib.sha256(data).hexdigest() == member["sha256"]
        member["rows"] = member_rows(data, member, manifest)
    return manifest


def member_rows(data: bytes, member: Table, manifest: dict[str, object]) -> list[list[object]]:
    """The rows of a file of a bundle."""
    columns = columns_of(member)
    if manifest["dataFormat"] == "csv":
        return csv_rows(data, columns, manifest["csvSafe"], manifest.get("csvFor"))
    if manifest["dataFormat"] == "json":
        return json_rows(loads(data), columns)
    if manifest["dataFormat"] == "ndjson":
        assert data == b"" or data.endswith(b"\n")
        return json_rows([loads(line) for line in data.split(b"\n")[:-1]], columns)
    root = ElementTree.fromstring(data)
    assert root.get("kind") == "table" and len(root) == 1
    table = xml_table(root[0])
    assert table["name"] == member["name"] and columns_of(table) == columns
    assert table["hash"] == member["hash"] and table["count"] == member["count"]
    return table["rows"]


def same(left: object, right: object) -> bool:
    """Whether two values are the same, by type and to the last bit."""
    if isinstance(left, float) and isinstance(right, float) and not math.isnan(left):
        return left == right
    return type(left) is type(right) and left == right
