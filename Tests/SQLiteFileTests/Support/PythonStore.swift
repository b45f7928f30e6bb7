import Bytes
import Foundation
import SQLiteFile
import TestSupport

/// A store that Python made, with what Python read back from it.
struct PythonStore {
  let folder: TemporaryFolder
  /// The root page of each table or index.
  private(set) var roots: [String: UInt32] = [:]
  /// The rows of each table as Python's own engine reads them: spelled values behind the row id.
  private(set) var rows: [String: [String]] = [:]

  var path: String { folder.path("store") }

  /// Runs `script` with a connection `db` to a new database of this page size, then reads all.
  init(pageSize: Int = 4096, _ script: String) throws {
    folder = try TemporaryFolder()
    let output = try Python.run(
      Self.prelude + script + Self.postlude, arguments: [path, String(pageSize)])
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if fields[0] == "root" {
        roots[fields[1]] = UInt32(fields[2])
      } else {
        rows[fields[1], default: []].append(fields[2...].joined(separator: " "))
      }
    }
  }

  private static let prelude = """
    import sqlite3, sys, random, struct, os
    r = random.Random(7)
    path = sys.argv[1]
    db = sqlite3.connect(path, isolation_level=None)
    db.execute('PRAGMA synchronous=OFF')
    db.execute('PRAGMA journal_mode=MEMORY')
    db.execute('PRAGMA page_size=' + sys.argv[2])
    db.text_factory = bytes

    """

  private static let postlude = """

    def spell(kind, value):
        if kind == b'null': return 'null'
        if kind == b'integer': return 'integer:%d' % value
        if kind == b'real': return 'real:' + struct.pack('>d', value).hex()
        return kind.decode() + ':' + value.hex()
    out = []
    schema = db.execute('SELECT type, name, rootpage, sql FROM sqlite_schema').fetchall()
    for kind, name, root, sql in schema:
        name = name.decode()
        out.append('root\\t%s\\t%d' % (name, root))
        if kind != b'table' or b'WITHOUT ROWID' in (sql or b''): continue
        columns = [c[1].decode() for c in db.execute('PRAGMA table_info("%s")' % name)]
        list = ', '.join('typeof("%s"), "%s"' % (c, c) for c in columns)
        for row in db.execute('SELECT rowid, %s FROM "%s" ORDER BY rowid' % (list, name)):
            cells = [spell(row[i], row[i + 1]) for i in range(1, len(row), 2)]
            out.append('\\t'.join(['row', name, str(row[0])] + cells))
    print('\\n'.join(out))
    """
}

extension StoredBatch {
  /// A row as the oracle spells it.
  func spelledRow(_ row: Int) -> String {
    let cells = values[row * columnCount..<(row + 1) * columnCount].map(spelled)
    return ([String(keys[row])] + cells).joined(separator: " ")
  }

  private func spelled(_ value: StoredValue) -> String {
    let bytes = { () in
      var digits: [UInt8] = []
      digits.appendHex(self.arena.span.extracting(value.range))
      return String(decoding: digits, as: UTF8.self)
    }
    return switch value.kind {
    case .null, .missing: "null"
    case .integer: "integer:\(value.integer)"
    case .real: "real:" + String(format: "%016llx", value.real.bitPattern)
    case .text: "text:" + bytes()
    case .blob: "blob:" + bytes()
    }
  }
}

extension PageFile {
  /// Lends all rows of a table, scanned in chunks of so many pages.
  func readRows(
    ofTableAt root: UInt32, _ shape: TableShape, chunk: Int, _ body: (StoredBatch) -> Void
  ) throws {
    var batch = StoredBatch()
    for chunk in try leaves(ofTableAt: root).chunks(ofPages: chunk) {
      var scan = TableScan(of: chunk, in: self, shape: shape)
      while try scan.read(into: &batch) { body(batch) }
    }
  }

  /// All rows of a table, scanned in chunks of so many pages.
  func spelledRows(ofTableAt root: UInt32, _ shape: TableShape, chunk: Int) throws -> [String] {
    var rows: [String] = []
    try readRows(ofTableAt: root, shape, chunk: chunk) { batch in
      rows += (0..<batch.rowCount).map(batch.spelledRow)
    }
    return rows
  }
}
