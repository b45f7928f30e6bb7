import Foundation
import TestSupport

@testable import CoreData

/// What Python finds in a store.
struct StoreDump: Decodable {
  struct Table: Decodable {
    let name: String
    let columns: [[String]]
  }
  struct Row: Decodable {
    let number: Int64
    let name: String?
    let parent: Int64
  }

  let tables: [Table]
  let rows: [Row]
  let hashedNames: [String]
  let model: Data
  let occupied: [String: [String]]

  /// Looks into a copy of the store, so that the original gets no side files.
  init(of store: URL) throws {
    let copy = try TemporaryFolder()
    let main = URL(filePath: copy.path("store.sqlite"))
    for suffix in ["", "-wal"]
    where FileManager.default.fileExists(atPath: store.path + suffix) {
      try Data(contentsOf: URL(fileURLWithPath: store.path + suffix))
        .write(to: URL(fileURLWithPath: main.path + suffix))
    }
    let output = try Python.run(Self.script, arguments: [main.path])
    self = try JSONDecoder().decode(Self.self, from: output)
  }

  var actualTables: [ActualTable] {
    tables.map { table in
      ActualTable(
        name: table.name, columns: table.columns.map { (name: $0[0], declaredType: $0[1]) })
    }
  }

  var primaryKeyRows: [PrimaryKeyRow] {
    rows.map { PrimaryKeyRow(number: $0.number, name: $0.name, parent: $0.parent) }
  }

  private static let script = """
    import base64, json, plistlib, sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    names = [n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns = lambda n: [[r[1], r[2]] for r in db.execute(f'PRAGMA table_info("{n}")')]
    occupied = {}
    for n in names:
        if not n.startswith("Z") or n.startswith("Z_"): continue
        for c, _ in columns(n):
            for (e,) in db.execute(f'SELECT DISTINCT Z_ENT FROM "{n}" WHERE "{c}" IS NOT NULL'):
                occupied.setdefault(str(e), []).append(c)
    (plist,) = db.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
    (model,) = db.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()
    rows = db.execute("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY")
    json.dump({"tables": [{"name": n, "columns": columns(n)} for n in names],
               "rows": [dict(zip(("number", "name", "parent"), r)) for r in rows],
               "hashedNames": list(plistlib.loads(plist)["NSStoreModelVersionHashes"]),
               "model": base64.b64encode(model).decode(), "occupied": occupied}, sys.stdout)
    """
}
