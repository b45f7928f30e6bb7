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
  var possibleKeys: ClosedRange<Int64> {
    isOfPairs ? .min ... .max : ObjectTemplate.possibleKeys
  }
  var columns: [ObjectColumn]
  var leftOut: [(place: Int, name: String)] = []
  /// The names of the source's columns that are left out although the app has one of that name: there
  /// it is a system property, which the source keeps under another name.
  var foreignNames: Set<String> = []
  /// The references that rows of the table hold.
  var links: [ObjectLink] = []

  var targets: [(name: String, place: Int?)] { columns.map { ($0.name, $0.place) } }

  /// A pair is nothing without the rows at its ends.
  var endPlaces: [Int] { isOfPairs ? columns.indices.filter { columns[$0].shift != nil } : [] }

  var isOfPairs: Bool { storage.entity == nil }

  /// What tells of references that lead to rows which were left out.
  var looseReferences: String {
    "references of \(source.name) to rows that were left out, which "
      + (isOfPairs ? "were left out, too" : "became NULL")
  }

  /// Whether references of a column may have become NULL because the app does not know their table.
  func leadsToStrangers(_ column: String) -> Bool {
    columns.contains { $0.name == column && $0.shift?.mayLeadToStrangers == true }
  }

  /// Whether the source has something for a column.
  func fills(_ column: String) -> Bool {
    columns.contains { $0.name == column && $0.place != nil }
  }

  func value(
    of cell: Cell, in row: ArraySlice<Cell>, forColumn index: Int, arena: Span<UInt8>,
    into bytes: inout [UInt8], _ losses: inout Losses
  ) -> BoundValue? {
    let column = columns[index]
    if cell.kind == .null { return missingValue(of: column, into: &bytes, &losses) }
    if let entities = column.entities {
      var name: [UInt8] = []
      name.append(arena.extracting(cell.range))
      // The reference to a table that the app does not know becomes NULL, and so does its name.
      return entities[String(decoding: name, as: UTF8.self)].map {
        $0.map(BoundValue.integer) ?? .null
      }
    }
    switch column.form.value(cell, arena: arena, into: &bytes) {
    case .taken(.integer(let number)):
      guard let shift = column.shift else { return .integer(number) }
      if let key = shift.key(number, in: row, arena) { return .integer(key) }
      guard shift.leadsToStranger(in: row, arena) else { return nil }
      losses.add(.warning, table: source.name, looseReferences)
      return .null
    case .taken(let value): return value
    case .changed(let value):
      // Digits behind the fifteenth are one thing, and another number another.
      let severity: Severity = if case .integer = column.form { .warning } else { .note }
      let what = if case .date = column.form { "times" } else { "numbers" }
      losses.add(
        severity, table: source.name,
        "\(what) of \(source.name).\(column.label) that the app's type does not hold as they are")
      return value
    case .rejected: return nil
    }
  }

  /// What the column holds where the source has nothing.
  private func missingValue(
    of column: ObjectColumn, into bytes: inout [UInt8], _ losses: inout Losses
  ) -> BoundValue {
    guard !column.isOptional, !column.isFilledLater, !isOfPairs else { return .null }
    let start = bytes.count
    let name = "\(source.name).\(column.label)"
    if column.place != nil {
      let end = column.fallback == nil ? "the app does not expect" : "became the app's default"
      losses.add(
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
  var name: String
  /// Its place among the cells of a row; nil where the source has no such column.
  var place: Int?
  var label: String
  var form: ColumnStorage.Form
  /// Whether there may be no value.
  var isOptional = true
  /// Whether the other side of a one-to-one relationship may have what is missing.
  var isFilledLater = false
  /// What stands for a value that is missing where there must be one.
  var fallback: RawValue?
  /// What is added to the keys of rows; nil where the values are none.
  var shift: KeyShift?
  /// The numbers of entities, where the values are their names; nil for tables that the app does not
  /// know.
  var entities: [String: Int64?]?

  /// A column of the framework's own, which has the same value in all rows.
  static func constant(_ name: String, _ value: Int64) -> ObjectColumn {
    ObjectColumn(
      name: name, label: name, form: .integer(bits: 64), isOptional: false,
      fallback: .integer(value))
  }
}
