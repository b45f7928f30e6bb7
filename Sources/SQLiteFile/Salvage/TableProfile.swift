/// What the schema says about a table whose rows are searched for.
package struct TableProfile: Sendable {
  /// One stored column.
  package struct Column: Sendable {
    let affinity: Affinity
    let isNotNull: Bool

    /// A column as it was declared.
    package init(affinity: Affinity, isNotNull: Bool) {
      self.affinity = affinity
      self.isNotNull = isNotNull
    }
  }

  /// The table's name, for the account.
  package let name: String
  /// The page where its tree starts; 0 when that is lost.
  let root: UInt32
  let columns: [Column]
  /// The column that stands for the row id and is stored as NULL.
  package let rowIDColumn: Int?
  /// Whether the tree is ordered by row ids; else it is one of whole rows, like an index.
  package let hasRowIDs: Bool

  /// Whether a row shows anything by fitting: a table whose columns have no types takes every row.
  var isSelective: Bool {
    columns.indices.contains { $0 != rowIDColumn && columns[$0].affinity != .blob }
  }

  /// The places of the columns in a record.
  package var columnPlaces: Range<Int> { columns.indices }

  /// A table whose records have these columns, in their order.
  package init(
    name: String, root: UInt32, columns: [Column], rowIDColumn: Int?, hasRowIDs: Bool = true
  ) {
    self.name = name
    self.root = root
    self.columns = columns
    self.rowIDColumn = rowIDColumn
    self.hasRowIDs = hasRowIDs
  }

  /// Whether the table's own tree may lead to a row like this; it may have a NULL where none should be.
  func mayHold(_ row: ArraySlice<StoredValue>) -> Bool {
    strangeness(of: row, mayLackValues: true) != nil
  }

  /// How strange a row would be in this table; nil when it cannot be one of its rows.
  func strangeness(of row: ArraySlice<StoredValue>, mayLackValues: Bool = false) -> Int? {
    guard !row.isEmpty, row.count <= columns.count else { return nil }
    // Records written before a column was added are short, which is rare.
    var strangeness = row.count < columns.count ? 1 : 0
    for (column, value) in zip(columns.indices, row) {
      if column == rowIDColumn {
        guard value.kind == .null else { return nil }
        continue
      }
      switch (columns[column].affinity, value.kind) {
      case (_, .null):
        if columns[column].isNotNull, !mayLackValues { return nil }
      case (.text, .integer), (.text, .real): return nil
      case (.text, .blob), (.real, .text), (.real, .blob), (.integer, .blob), (.numeric, .blob):
        strangeness += 2
      case (.integer, .text), (.numeric, .text): strangeness += 1
      default: break
      }
    }
    return strangeness
  }
}

/// The row ids that a part of a tree may hold: above one bound and not above the other.
struct KeyRange: Equatable {
  /// All keys are larger; nil when there is no bound.
  var lower: Int64?
  /// No key is larger; nil when there is no bound.
  var upper: Int64?

  /// Every row id.
  static let all = KeyRange(lower: nil, upper: nil)

  /// Whether a key may be in this part.
  func contains(_ key: Int64) -> Bool {
    (lower.map { key > $0 } ?? true) && (upper.map { key <= $0 } ?? true)
  }
}

/// A line of a schema that was read page by page.
package struct SchemaEntry: Sendable, Equatable {
  /// What it describes: `table`, `index`, `view` or `trigger`.
  package let type: String
  /// The name of what it describes, with its bytes as the file has them.
  package let name: [UInt8]
  /// The name of the table that this belongs to, likewise.
  package let table: [UInt8]
  /// Where its tree starts; 0 when it has none.
  package let root: UInt32
  /// The statement that made it, likewise; nil for what the engine makes by itself.
  package let sql: [UInt8]?
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
    name = Array(arena[values[1].range])
    table = values[2].kind == .text ? Array(arena[values[2].range]) : name
    root = values[3].kind == .integer ? UInt32(exactly: values[3].integer) ?? 0 : 0
    sql = values[4].kind == .text ? Array(arena[values[4].range]) : nil
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
