import Bytes
import Records

/// What a person says about a store's tables and columns where the store says it wrongly or not.
package struct Corrections: Sendable, Equatable {
  /// `TABLE.COLUMN=TYPE`, each.
  private let types: [String]
  /// `TABLE=NAME`, each.
  private let names: [String]

  /// Corrections as they are written on the command line.
  package init(types: [String] = [], names: [String] = []) {
    self.types = types
    self.names = names
  }

  /// Whether nothing is to be corrected.
  var isEmpty: Bool { types.isEmpty && names.isEmpty }

  /// Applies everything to tables whose names are not claimed yet.
  ///
  /// `time` is how the layout stores a time where nothing else is known.
  ///
  /// - Throws: `StoreError` when a table, a column or a type does not exist.
  func apply(
    to tables: inout [PlannedTable], time: CellDecoding, path: String
  ) throws(StoreError) {
    for correction in types {
      try setType(correction, in: &tables, time: time, path: path)
    }
    for correction in names { try rename(correction, in: &tables, path: path) }
  }

  /// Applies everything to the tables of plain files, whose names are claimed already.
  ///
  /// - Throws: `StoreError` when a table, a column or a type does not exist.
  func apply(to tables: inout [Table], path: String) throws(StoreError) {
    var planned = tables.map { table in
      PlannedTable(
        name: table.name, sourceName: table.sourceName, sourceTable: table.sourceTable,
        columns: table.columns.map {
          PlannedColumn(column: $0, position: 0, expression: "", decoding: .text)
        }, origin: "")
    }
    try apply(to: &planned, time: .text, path: path)
    for index in tables.indices {
      tables[index].name = planned[index].name
      tables[index].columns = planned[index].columns.map(\.column)
    }
  }

  /// Takes the columns out whose type is that of a spreadsheet's days.
  ///
  /// - Returns: the places of these columns, by table, and the corrections as others read them.
  func takingSerialDates(of tables: [Table]) -> (columns: [Set<Int>], others: Corrections) {
    var columns = tables.map { _ in Set<Int>() }
    var others: [String] = []
    for correction in types {
      let ending = "=" + Self.serialDate
      guard correction.hasSuffix(ending) else {
        others.append(correction)
        continue
      }
      let place = String(correction.dropLast(ending.count))
      others.append("\(place)=\(LogicalType.timestamp.rawValue)")
      for (table, found) in tables.enumerated() {
        guard let name = place.removing(prefix: found.name + "."),
          let column = found.columns.firstIndex(where: { $0.name == name })
        else { continue }
        columns[table].insert(column)
        break
      }
    }
    return (columns, Corrections(types: others, names: names))
  }

  /// What `--type` calls the days of a spreadsheet, counted from 1900.
  private static let serialDate = "excel-date"

  private func setType(
    _ correction: String, in tables: inout [PlannedTable], time: CellDecoding, path: String
  ) throws(StoreError) {
    guard let equals = correction.lastIndex(of: "=") else {
      throw Self.usage("--type \(correction)", "it must be TABLE.COLUMN=TYPE", path)
    }
    let word = String(correction[correction.index(after: equals)...])
    guard let type = LogicalType(rawValue: word), type != .reference else {
      let all = LogicalType.allCases.filter { $0 != .reference }.map(\.rawValue)
      let isSerial = word == Self.serialDate
      throw Self.usage(
        "--type \(correction)",
        isSerial
          ? "\(word) is for plain files" : "the types are \(all.joined(separator: ", "))", path)
    }
    let place = String(correction[..<equals])
    for table in tables.indices {
      guard let name = place.removing(prefix: tables[table].name + "."),
        let column = tables[table].columns.firstIndex(where: { $0.column.name == name })
      else { continue }
      // A column that has the type already keeps its layout's way of storing it.
      guard tables[table].columns[column].column.type != type else { return }
      tables[table].columns[column].column.type = type
      tables[table].columns[column].decoding = CellDecoding(corrected: type, time: time)
      return
    }
    throw Self.usage("--type \(correction)", "the store has no column \(place)", path)
  }

  private func rename(
    _ correction: String, in tables: inout [PlannedTable], path: String
  ) throws(StoreError) {
    // A name may hold an equals sign itself, so the longest table that fits is meant.
    let fitting = tables.indices.filter { correction.hasPrefix(tables[$0].name + "=") }
    guard let table = fitting.max(by: { tables[$0].name.count < tables[$1].name.count }) else {
      throw Self.usage("--rename \(correction)", "it must be TABLE=NAME for a table", path)
    }
    let old = tables[table].name
    let new = correction.removing(prefix: old + "=") ?? ""
    guard !new.isEmpty, !tables.contains(where: { $0.name == new }) else {
      throw Self.usage("--rename \(correction)", "the new name is empty or taken", path)
    }
    tables[table].name = new
    for other in tables.indices {
      for column in tables[other].columns.indices
      where tables[other].columns[column].column.target == old {
        tables[other].columns[column].column.target = new
      }
    }
  }

  private static func usage(_ option: String, _ reason: String, _ path: String) -> StoreError {
    StoreError(
      .usage, path: path, "\(option): \(reason)",
      hint: "'rehome inspect' shows the tables of the store")
  }
}

extension CellDecoding {
  /// How values are read in a column of which a person has told the type.
  init(corrected type: LogicalType, time: CellDecoding) {
    switch type {
    case .text, .uri, .json: self = .text
    case .integer: self = .integer
    case .real: self = .real
    case .boolean: self = .boolean
    case .timestamp: self = time
    case .decimal: self = .decimal
    case .uuid: self = .uuid
    case .binary: self = .base64
    case .reference: self = .reference(otherSide: [:])
    }
  }
}
