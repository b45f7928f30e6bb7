import Bytes

@testable import Records

/// Everything that a reader gives out about one table.
struct ReadTable: Equatable {
  let table: Table
  var keys: [Int64] = []
  /// The cells of each row as text; nil for NULL.
  var rows: [[String?]] = []
  /// The kinds of the cells, row by row.
  var kinds: [[CellKind]] = []
  /// Place and raw value of each cell that was left empty.
  var rejects: [Reject] = []

  struct Reject: Equatable {
    let key: Int64
    let column: String
    let code: RejectCode
    let raw: RawValue
  }

  /// Reads the whole table.
  init(_ index: Int, of reader: any StoreReader) throws {
    table = reader.catalogue.tables[index]
    try reader.forEachBatch(inTable: index) { (batch) throws(StoreError) in take(batch) }
  }

  private mutating func take(_ batch: RecordBatch) {
    keys += batch.keys
    for row in 0..<batch.rowCount {
      let cells = batch.cells(ofRow: row)
      rows.append(cells.map { Self.text($0, batch.arena) })
      kinds.append(cells.map(\.kind))
    }
    rejects += batch.rejects.map { reject in
      Reject(
        key: batch.keys[reject.row], column: table.columns[reject.column].name,
        code: reject.code, raw: reject.raw)
    }
  }

  private static func text(_ cell: Cell, _ arena: [UInt8]) -> String? {
    switch cell.kind {
    case .null: return nil
    case .integer: return String(cell.integer)
    case .real: return String(cell.real)
    case .text: return String(decoding: arena[cell.range], as: UTF8.self)
    case .binary:
      var digits: [UInt8] = []
      digits.appendBase64(Array(arena[cell.range]).span)
      return "base64:" + String(decoding: digits, as: UTF8.self)
    }
  }

  /// The values of one column.
  func values(_ column: String) -> [String?] {
    guard let place = table.columns.firstIndex(where: { $0.name == column }) else { return [] }
    return rows.map { $0[place] }
  }
}

extension StoreReader {
  /// One table by its canonical name.
  func read(_ name: String) throws -> ReadTable? {
    try catalogue.index(ofTable: name).map { try ReadTable($0, of: self) }
  }

  /// Names of all tables.
  var tableNames: [String] { catalogue.tables.map(\.name) }
}

extension Table {
  /// The type of each column, by name.
  var types: [String: LogicalType] {
    Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.type) })
  }

  /// The column of each part, by part.
  var parts: [ColumnRole: String] {
    let pairs = columns.filter { $0.role != .value }.map { ($0.role, $0.name) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}

/// The text of bytes that should be text.
func text(_ bytes: [UInt8]?) -> String? {
  bytes.map { String(decoding: $0, as: UTF8.self) }
}
