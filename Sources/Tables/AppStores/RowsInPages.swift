import Bytes
package import Records
import SQLite

/// How a table that this tool has made, and of which it knows every rule, is filled page by page.
package struct PageForm: Sendable {
  /// How each column holds its values; of another kind, the engine would make something else.
  let kinds: [CellKind]
  /// The place of the column of the id: a text that no two rows share, and that none lacks.
  let idPlace: Int?

  /// A form of so many columns, one at least.
  package init(kinds: [CellKind], idPlace: Int?) {
    self.kinds = kinds
    self.idPlace = idPlace
  }
}

/// Rows on their way into a table without rows, whose ids are sorted before their index is written.
///
/// The engine would look for the place of every id, which takes the longer the more there are.
struct RowsInPages: ~Copyable {
  /// Where a row belongs.
  enum Place: Equatable {
    /// Behind all others.
    case behind
    /// The column has no value and must have one.
    case nowhere(column: Int)
    /// Only the engine can tell.
    case unknown
  }

  private let table: String
  private let form: PageForm
  private var load: TableLoad
  private var batch: RecordBatch
  private var lastKey: Int64?

  /// Longer ids would need pages of their own in the index.
  private static let longestID = 800
  /// Longer rows may be more than the engine takes.
  private static let longestRow = 1 << 20

  init(into table: String, _ form: PageForm, _ file: inout StoreFile) throws(StoreError) {
    self.table = table
    self.form = form
    batch = RecordBatch(columnCount: form.kinds.count)
    load = try TableLoad(
      table, valueCount: form.kinds.count, hasKeyColumn: false, indexed: form.idPlace, into: &file)
  }

  /// Where a row belongs.
  func place(of values: [BoundValue], key: Int64) -> Place {
    if let lastKey, key <= lastKey { return .unknown }
    var size = 0
    for (kind, value) in zip(form.kinds, values) {
      switch (value, kind) {
      case (.null, _), (.integer, .integer), (.real, .real): break
      case (.text(let range), .text), (.blob(let range), .binary): size += range.count
      default: return .unknown
      }
    }
    guard let place = form.idPlace else { return size > Self.longestRow ? .unknown : .behind }
    switch values[place] {
    case .null: return .nowhere(column: place)
    case .text(let id) where id.count <= Self.longestID && size <= Self.longestRow: return .behind
    default: return .unknown
    }
  }

  /// Adds a row that belongs behind all others.
  mutating func append(_ values: [BoundValue], _ bytes: Span<UInt8>, key: Int64) {
    for value in values {
      switch value {
      case .null: batch.append(.null)
      case .integer(let number): batch.append(.integer(number))
      case .real(let number): batch.append(.real(number))
      case .text(let range): batch.appendText(bytes.extracting(range))
      case .blob(let range): batch.appendBinary(bytes.extracting(range))
      }
    }
    batch.endRow(key: key)
    lastKey = key
  }

  /// Whether the rows should be handed on before the next.
  var isFull: Bool { batch.isFull }

  /// Hands the rows on to the pages.
  mutating func flush(_ file: inout StoreFile) throws(StoreError) {
    guard batch.rowCount > 0 else { return }
    _ = try load.insert(batch, into: &file)
    batch.removeAll()
  }

  /// Makes the rows and their ids a part of the table.
  ///
  /// - Returns: the rows that share their ids, although the engine takes no two of them; nil where
  ///   they may be any.
  mutating func finish(_ file: inout StoreFile) throws(StoreError) -> [Int64]? {
    try flush(&file)
    guard form.idPlace != nil else {
      try load.finish(&file)
      return []
    }
    return try load.finish(&file, filling: "sqlite_autoindex_\(table)_1")
  }
}

extension Connection {
  /// Takes rows out of a table, all of them where none are named, and inserts them one by one in
  /// their order.
  ///
  /// - Returns: how many rows were refused, by the reason.
  func insertAgain(
    _ rows: [Int64]?, of table: some AppTable
  ) throws(SQLiteError) -> [String: Int] {
    let columns = [table.key ?? "rowid"] + table.targets.map { quoted($0.name) }
    try setAside(rows, of: "main.\(quoted(table.name))", columns)
    let count = try integer("SELECT count(*) FROM temp.aside")
    var insertion = try prepare(
      """
      INSERT INTO main.\(quoted(table.name)) (\(columns.joined(separator: ", ")))
      SELECT * FROM temp.aside WHERE rowid = ?
      """)
    var refusals: [String: Int] = [:]
    for row in 0..<count {
      try insertion.bind(row + 1, at: 1)
      do {
        try insertion.run()
      } catch {
        guard error.code.primary == .constraint else { throw error }
        refusals[error.message, default: 0] += 1
      }
    }
    return refusals
  }

  private func setAside(
    _ rows: [Int64]?, of table: String, _ columns: [String]
  ) throws(SQLiteError) {
    try execute(
      """
      DROP TABLE IF EXISTS temp.aside;
      CREATE TEMP TABLE chosen (row INTEGER PRIMARY KEY)
      """)
    var choice = try prepare("INSERT INTO temp.chosen VALUES (?)")
    for row in rows ?? [] {
      try choice.bind(row, at: 1)
      try choice.run()
    }
    // Without a condition the engine empties the index, too, whatever is in it.
    let condition = rows == nil ? "" : " WHERE \(columns[0]) IN (SELECT row FROM temp.chosen)"
    // Names that hide the number of a row in no table.
    let list = columns.enumerated().map { "\($1) AS c\($0)" }.joined(separator: ", ")
    try execute(
      """
      CREATE TEMP TABLE aside AS SELECT \(list) FROM \(table)\(condition);
      DELETE FROM \(table)\(condition);
      DROP TABLE temp.chosen
      """)
  }
}
