/// A line of a schema that was read page by page.
package struct SchemaEntry: Sendable, Equatable {
  /// What it describes: `table`, `index`, `view` or `trigger`.
  package let type: String
  /// The name of what it describes.
  package let name: String
  /// Where its tree starts; 0 when it has none.
  package let root: UInt32
  /// The statement that made it; nil for what the engine makes by itself.
  package let sql: String?
  /// How the texts of the file are written, as the type shows.
  let encoding: FileHeader.Encoding
}

extension Salvage {
  private static let schemaProfile = TableProfile(
    name: "sqlite_schema", root: 1,
    columns: [Affinity.text, .text, .text, .integer, .text].map {
      TableProfile.Column(affinity: $0, isNotNull: false)
    }, rowIDColumn: nil)

  /// Reads the schema as far as it can be found, in the order of its row ids.
  package mutating func readSchema() -> [SchemaEntry] {
    var entries: [(key: Int64, entry: SchemaEntry)] = []
    let keep: Sink<Never> = { (_, key, values, arena) throws(Never) in
      guard let entry = SchemaEntry(values, arena) else { return }
      entries.append((key, entry))
    }
    let search = TableSearch(tables: [Self.schemaProfile]) { page in
      page.rows.indices.allSatisfy { row in
        SchemaEntry(Array(page.values(ofRow: row)), page.arena) != nil
      }
    }
    let accounts = recover(search, into: keep)
    encoding = entries.first?.entry.encoding ?? encoding
    account.isSchemaDamaged = accounts.contains { !$0.isWhole }
    return entries.sorted { $0.key < $1.key }.map(\.entry)
  }
}

extension SchemaEntry {
  private static let types: Set = ["table", "index", "view", "trigger"]

  /// Nil when the row is no line of a schema.
  fileprivate init?(_ values: [StoredValue], _ arena: [UInt8]) {
    guard values.count == 5, values[0].kind == .text, values[1].kind == .text else { return nil }
    let typeBytes = arena[values[0].range]
    let encodings = FileHeader.Encoding.allCases
    guard let encoding = encodings.first(where: { Self.types.contains($0.string(of: typeBytes)) })
    else { return nil }
    self.encoding = encoding
    type = encoding.string(of: typeBytes)
    name = encoding.string(of: arena[values[1].range])
    root = values[3].kind == .integer ? UInt32(exactly: values[3].integer) ?? 0 : 0
    sql = values[4].kind == .text ? encoding.string(of: arena[values[4].range]) : nil
  }
}

extension FileHeader.Encoding {
  /// A text of a file with this encoding; what is invalid is repaired.
  package func string(of bytes: ArraySlice<UInt8>) -> String {
    guard self != .utf8 else { return String(decoding: bytes, as: UTF8.self) }
    let pairs = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { place in
      let first = UInt16(bytes[place])
      let second = UInt16(bytes[place + 1])
      return self == .utf16BigEndian ? first << 8 | second : second << 8 | first
    }
    return String(decoding: pairs, as: UTF16.self)
  }
}
