import Bytes

/// A line of a schema that was read page by page.
package struct SchemaEntry: Sendable, Equatable {
  /// What it describes.
  package let word: SchemaWord
  /// The name of what it describes, with its bytes as the file has them.
  package private(set) var name: [UInt8]
  /// The name of the table that this belongs to, likewise.
  package private(set) var table: [UInt8]
  /// Where its tree starts; 0 when it has none.
  package let root: UInt32
  /// The statement that made it, likewise; nil for what the engine makes by itself.
  package var sql: [UInt8]?
  /// How the texts of the file are written, as the type shows.
  let encoding: FileHeader.Encoding

  /// A text of the entry for people; what is invalid is repaired.
  package func text(_ bytes: [UInt8]) -> String { encoding.string(of: bytes[...]) }
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
    let search = TableSearch(tables: [Self.schemaProfile], givesStrays: false) { page in
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
  /// Nil when the row is no line of a schema.
  fileprivate init?(_ values: [StoredValue], _ arena: [UInt8]) {
    guard values.count == 5 else { return nil }
    // The engine takes the bytes of a blob for a text.
    let texts = values.map { $0.kind == .text || $0.kind == .blob ? Array(arena[$0.range]) : nil }
    guard let type = texts[0], let name = texts[1],
      let (word, encoding) = Self.meaning(of: type, statement: texts[4])
    else { return nil }
    self.word = word
    self.encoding = encoding
    self.name = name
    table = texts[2] ?? name
    root = values[3].kind == .integer ? UInt32(exactly: values[3].integer) ?? 0 : 0
    sql = texts[4]
    mendNames()
  }

  /// What a line describes and how its texts are written; where its word is damaged, its statement
  /// tells.
  private static func meaning(
    of type: [UInt8], statement: [UInt8]?
  ) -> (SchemaWord, FileHeader.Encoding)? {
    let encodings = FileHeader.Encoding.allCases
    for encoding in encodings {
      if let word = SchemaWord(encoding.string(of: type[...])) { return (word, encoding) }
    }
    guard let statement else { return nil }
    for encoding in encodings {
      let sql = encoding.string(of: statement[...])
      if let word = SchemaWord(ofStatement: sql) { return (word, encoding) }
    }
    return nil
  }

  /// Gives a table or a view, which has one name in three places, that on which two of them agree.
  private mutating func mendNames() {
    guard word == .table || word == .view, let sql,
      let stated = SchemaWord.name(inStatement: text(sql)).map({ ExactText(sqlName: $0) })
    else { return }
    let isNamed = ExactText(sqlName: text(name)) == stated
    let isOwn = ExactText(sqlName: text(table)) == stated
    if isNamed, !isOwn { table = name }
    if isOwn, !isNamed { name = table }
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
