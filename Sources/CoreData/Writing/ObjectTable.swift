import Bytes
import Records
import SQLite
import Tables

/// A table of objects or of pairs in a Core Data store, with what goes into it.
struct ObjectTable: AppTable {
  let source: Table
  let name: String
  let storage: TableStorage
  var key: String?
  var keyOffset: Int64 = 0
  var columns: [ObjectColumn]
  var leftOut: [(place: Int, name: String)] = []
  /// The references that rows of the table hold, with their columns.
  var links: [(column: String, link: ColumnStorage.Link)] = []

  var targets: [(name: String, place: Int?)] { columns.map { ($0.name, $0.place) } }

  func value(
    of cell: Cell, forColumn index: Int, arena: Span<UInt8>, into bytes: inout [UInt8],
    _ shortfalls: inout Shortfalls
  ) -> BoundValue? {
    let column = columns[index]
    if cell.kind == .null { return missingValue(of: column, into: &bytes, &shortfalls) }
    if let entities = column.entities {
      var name: [UInt8] = []
      name.append(arena.extracting(cell.range))
      return entities[String(decoding: name, as: UTF8.self)].map(BoundValue.integer)
    }
    switch column.form.value(cell, arena: arena, into: &bytes) {
    case .taken(.integer(let number)):
      let (key, isTooLarge) = number.addingReportingOverflow(column.offset)
      return isTooLarge ? nil : .integer(key)
    case .taken(let value): return value
    case .changed(let value):
      // Digits behind the fifteenth are one thing, and another number another.
      let severity: Severity = if case .integer = column.form { .warning } else { .note }
      shortfalls.add(
        severity, table: source.name,
        "numbers of \(source.name).\(column.label) that the app's type does not hold as they are")
      return value
    case .rejected: return nil
    }
  }

  /// What the column holds where the source has nothing.
  private func missingValue(
    of column: ObjectColumn, into bytes: inout [UInt8], _ shortfalls: inout Shortfalls
  ) -> BoundValue {
    guard !column.isOptional else { return .null }
    let start = bytes.count
    let name = "\(source.name).\(column.label)"
    if column.place != nil {
      let end = column.fallback == nil ? "the app does not expect" : "became the app's default"
      shortfalls.add(
        column.fallback == nil ? .warning : .note, table: source.name,
        "nulls of \(name) that \(end)")
    }
    switch column.fallback {
    case nil: return .null
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .text(let text):
      bytes.append(text.span)
      return .text(start..<bytes.count)
    case .binary(let value):
      bytes.append(value.span)
      return .blob(start..<bytes.count)
    }
  }
}

/// A column of such a table.
struct ObjectColumn: Sendable {
  /// The column's name in the store.
  var name: String
  /// Its place among the cells of a row; nil where the source has no such column.
  var place: Int?
  /// What a person calls it.
  var label: String
  /// How values are stored.
  var form: ColumnStorage.Form
  /// Whether there may be no value.
  var isOptional = true
  /// What stands for a value that is missing where there must be one.
  var fallback: RawValue?
  /// What is added to the keys of rows.
  var offset: Int64 = 0
  /// The numbers of entities, where the values are their names.
  var entities: [String: Int64]?

  /// A column of the framework's own, which has the same value in all rows.
  static func constant(_ name: String, _ value: Int64) -> ObjectColumn {
    ObjectColumn(
      name: name, label: name, form: .integer(bits: 64), isOptional: false,
      fallback: .integer(value))
  }
}
