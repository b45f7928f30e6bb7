import Foundation
import TestSupport
import Testing

/// Stores of a real app, row by row as Python's ElementTree reads them.
@Suite(
  .enabled(if: Corpus.has("atomlib"), "the corpus of real stores is not here"),
  .enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct CoreDataXMLCorpusTests {
  @Test(arguments: ["template", "Al_roundtrip"])
  func rowsAreWhatPythonReads(store: String) throws {
    let path = Corpus.file("atomlib/\(store).mslice").path
    let before = try Fingerprint(of: path)
    let reading = try XMLStoreReading(path)
    let input = try JSONSerialization.data(withJSONObject: [
      "names": reading.tableNames, "tables": reading.tables,
    ])
    let report = try Python.run(Self.oracle, arguments: [path], input: input)
    #expect(String(decoding: report, as: UTF8.self) == "same\n")
    #expect(reading.rejects == [])
    #expect(try Fingerprint(of: path) == before)
  }

  private static let oracle = """
    import base64, json, plistlib, re, sys
    import xml.etree.ElementTree as ET
    given = json.load(sys.stdin)
    root = ET.parse(sys.argv[1]).getroot()
    plist = plistlib.loads(ET.tostring(root.find("databaseInfo/metadata/plist")))
    names = {name.upper(): name for name in plist["NSStoreModelVersionHashes"]}
    objects, keys = root.findall("object"), {}
    for o in objects:
        if re.fullmatch("z[1-9][0-9]*", o.get("id")): keys[o.get("id")] = int(o.get("id")[1:])
    largest = max(keys.values())
    for o in objects:
        if o.get("id") not in keys: keys[o.get("id")] = largest = largest + 1
    kinds = {"string": "text", "int16": "integer", "int32": "integer", "int64": "integer",
             "float": "real", "double": "real", "bool": "boolean", "binary": "binary"}
    def value(kind, text):
        if kind in ("integer", "boolean"): return int(text)
        if kind == "real": return float(text)
        if kind == "binary": return base64.b64encode(base64.b64decode(text)).decode()
        return text
    tables = {}
    for o in objects:
        columns, rows = tables.setdefault(names[o.get("type")], ({}, []))
        row = {"_pk": keys[o.get("id")]}
        for a in o.findall("attribute"):
            kind = columns.setdefault(a.get("name"), kinds[a.get("type")])
            row[a.get("name")] = value(kind, a.text or "")
        for r in o.findall("relationship"): row["@" + r.get("name")] = r.get("idrefs", "").split()
        rows.append(row)
    wrong = []
    for name, (columns, rows) in tables.items():
        for r in sorted({k for row in rows for k in row if k[0] == "@"}):
            assert all(len(row.get(r, [])) < 2 for row in rows), "a to-many that this oracle lacks"
            columns[r[1:]] = "reference"
            for row in rows: row[r[1:]] = keys[row[r][0]] if row.get(r) else None
        wanted = [[row["_pk"]] + [row.get(c) for c in columns]
                  for row in sorted(rows, key=lambda row: row["_pk"])]
        table = given["tables"].get(name, {"columns": [], "rows": []})
        if list(map(list, columns.items())) != table["columns"]: wrong.append((name, "columns"))
        real = [i for i, kind in enumerate(columns.values()) if kind == "real"]
        for row in table["rows"]:
            for i in real:
                if row[i + 1] is not None: row[i + 1] = float.fromhex(row[i + 1])
        if wanted != table["rows"]: wrong.append((name, wanted, table["rows"]))
    if given["names"] != sorted(tables, key=str.lower): wrong.append(given["names"])
    print(wrong or "same")
    """
}
