import Bytes
import Records

/// What a person says about a store's tables and columns where the store says it wrongly or not.
package struct Corrections: Sendable, Equatable {
  /// `TABLE.COLUMN=TYPE`, each.
  private let types: [String]
  /// `TABLE=NAME` or `TABLE.COLUMN=NAME`, each.
  private let names: [String]
  /// `TABLE.COLUMN`, each.
  private let drops: [String]

  /// Corrections as they are written on the command line.
  package init(types: [String] = [], names: [String] = [], drops: [String] = []) {
    self.types = types
    self.names = names
    self.drops = drops
  }

  /// Whether nothing is to be corrected.
  package var isEmpty: Bool { all.isEmpty }

  /// All of them, as they were written.
  private var all: [String] { types + names + drops }

  /// Those that name one of these tables.
  package func about(_ tables: [String]) -> Corrections {
    func isAbout(_ correction: String) -> Bool {
      tables.contains { correction.hasPrefix($0 + ".") || correction.hasPrefix($0 + "=") }
    }
    return Corrections(
      types: types.filter(isAbout), names: names.filter(isAbout), drops: drops.filter(isAbout))
  }

  /// One that names none of these tables.
  package func stranger(to tables: [String]) -> String? {
    let known = about(tables).all
    return all.first { !known.contains($0) }
  }

  /// What a table of this name shall be called.
  package func name(ofTable table: String) -> String {
    names.lazy.compactMap { $0.removing(prefix: table + "=") }.first ?? table
  }

  /// Applies everything to tables whose names are not claimed yet.
  ///
  /// `time` is how the layout stores a time where nothing else is known.
  ///
  /// - Throws: `StoreError` when a table, a column or a type does not exist.
  func apply(
    to tables: inout [PlannedTable], time: CellDecoding, path: String
  ) throws(StoreError) {
    guard drops.isEmpty else {
      throw StoreError(
        .usage, path: path, "--drop is for columns of plain files", hint: "leave --drop away")
    }
    for correction in types {
      try setType(correction, in: &tables, time: time, path: path)
    }
    for correction in names { try rename(correction, in: &tables, path: path) }
  }

  /// What is told of the columns of a plain table beside their names and types: their places.
  struct ColumnChoices {
    /// Those that are to be left out.
    var dropped: Set<Int> = []
    /// Those with the days of a spreadsheet.
    var serialDates: Set<Int> = []
  }

  /// Applies everything to the tables of plain files, which are called by their new names already.
  ///
  /// - Returns: what is told of columns beside their names and types, for each table.
  /// - Throws: `StoreError` when a table, a column or a type does not exist.
  func apply(
    to tables: inout [Table], called plain: [PlainTable], path: String
  ) throws(StoreError) -> [ColumnChoices] {
    var told = tables.map { _ in ColumnChoices() }
    for correction in types {
      let isSerial = correction.hasSuffix("=" + Self.serialDate)
      let (place, type) =
        isSerial
        ? (String(correction.dropLast(Self.serialDate.count + 1)), .timestamp)
        : try Self.type(correction, path)
      let found = try Self.column(place, of: tables, plain, "--type \(correction)", path)
      tables[found.table].columns[found.column].type = type
      if isSerial {
        told[found.table].serialDates.insert(found.column)
      } else {
        told[found.table].serialDates.remove(found.column)
      }
    }
    for correction in drops {
      let found = try Self.column(correction, of: tables, plain, "--drop \(correction)", path)
      told[found.table].dropped.insert(found.column)
    }
    for correction in names where !plain.contains(where: { $0.isRenamed(by: correction) }) {
      try Self.renameColumn(correction, in: &tables, plain, path)
    }
    return told
  }

  /// What `--type` calls the days of a spreadsheet, counted from 1900.
  private static let serialDate = "excel-date"

  private static func renameColumn(
    _ correction: String, in tables: inout [Table], _ plain: [PlainTable], _ path: String
  ) throws(StoreError) {
    let option = "--rename \(correction)"
    guard let equals = correction.lastIndex(of: "=") else {
      throw usage(option, "it must be TABLE=NAME or TABLE.COLUMN=NAME", path)
    }
    let name = String(correction[correction.index(after: equals)...])
    let found = try column(String(correction[..<equals]), of: tables, plain, option, path)
    var claimed = CatalogueNames()
    for (place, column) in tables[found.table].columns.enumerated() where place != found.column {
      _ = claimed.claimColumn(column.name)
    }
    guard !name.isEmpty, claimed.claimColumn(name) == name else {
      throw usage(option, "the new name is empty or taken", path)
    }
    tables[found.table].columns[found.column].name = name
  }

  /// The place of `TABLE.COLUMN`, by any name that either has.
  private static func column(
    _ place: String, of tables: [Table], _ plain: [PlainTable], _ option: String, _ path: String
  ) throws(StoreError) -> (table: Int, column: Int) {
    for (table, columns) in tables.map(\.columns).enumerated() {
      for name in Set([tables[table].name, plain[table].name] + plain[table].names) {
        guard let own = place.removing(prefix: name + ".") else { continue }
        let found =
          columns.firstIndex { $0.sourceName == own } ?? columns.firstIndex { $0.name == own }
        if let found { return (table, found) }
      }
    }
    throw usage(option, "the store has no column \(place)", path)
  }

  private static func type(
    _ correction: String, _ path: String
  ) throws(StoreError) -> (place: String, type: LogicalType) {
    guard let equals = correction.lastIndex(of: "=") else {
      throw usage("--type \(correction)", "it must be TABLE.COLUMN=TYPE", path)
    }
    let word = String(correction[correction.index(after: equals)...])
    guard let type = LogicalType(rawValue: word), type != .reference else {
      let all = LogicalType.allCases.filter { $0 != .reference }.map(\.rawValue)
      throw usage(
        "--type \(correction)",
        word == serialDate
          ? "\(word) is for plain files" : "the types are \(all.joined(separator: ", "))", path)
    }
    return (String(correction[..<equals]), type)
  }

  private func setType(
    _ correction: String, in tables: inout [PlannedTable], time: CellDecoding, path: String
  ) throws(StoreError) {
    let (place, type) = try Self.type(correction, path)
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
      return try renameColumn(correction, in: &tables, path: path)
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

  private func renameColumn(
    _ correction: String, in tables: inout [PlannedTable], path: String
  ) throws(StoreError) {
    let option = "--rename \(correction)"
    guard let equals = correction.lastIndex(of: "=") else {
      throw Self.usage(option, "it must be TABLE=NAME or TABLE.COLUMN=NAME", path)
    }
    let new = String(correction[correction.index(after: equals)...])
    for table in tables.indices {
      guard let name = String(correction[..<equals]).removing(prefix: tables[table].name + "."),
        let column = tables[table].columns.firstIndex(where: { $0.column.name == name })
      else { continue }
      let isTaken = tables[table].columns.contains {
        $0.column.name.lowercased() == new.lowercased()
      }
      guard !new.isEmpty, !isTaken else {
        throw Self.usage(option, "the new name is empty or taken", path)
      }
      tables[table].columns[column].column.name = new
      return
    }
    throw Self.usage(option, "it must be TABLE=NAME or TABLE.COLUMN=NAME for what is there", path)
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
