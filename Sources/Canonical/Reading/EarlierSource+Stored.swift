import Bytes
import Records
import SQLite

extension EarlierSource {
  /// More sources a store does not name; what claims more was not written by this tool.
  private static let highest: Int64 = 1 << 24

  /// The stores from which a canonical store was made, in the order of their numbers; none where
  /// the numbers are of no use.
  static func all(in connection: borrowing Connection) throws(SQLiteError) -> [EarlierSource] {
    var files: [Int64: [SourceFile]] = [:]
    try connection.forEachRecord(of: CanonicalSchema.files, by: "rowid") { stored in
      // What is no size or no hash was not written by this tool, and no export could tell it.
      guard stored.file.bytes >= 0, SHA256Digest(hexadecimal: stored.file.sha256) != nil else {
        return
      }
      files[stored.source, default: []].append(stored.file)
    }
    var stores: [EarlierSource] = []
    try connection.forEachRecord(of: CanonicalSchema.sources) { store in
      stores.append(store)
      stores[stores.count - 1].source.files = files[store.number] ?? []
    }
    return stores.allSatisfy { (1..<highest).contains($0.number) } ? stores : []
  }
}
