import Bytes
package import Records

extension Corrections {
  /// Applies everything to tables whose names are not claimed yet.
  ///
  /// `time` is how the layout stores a time where nothing else is known.
  ///
  /// - Throws: `StoreError` when a table, a column or a type does not exist.
  package func apply(
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

  private func setType(
    _ correction: String, in tables: inout [PlannedTable], time: CellDecoding, path: String
  ) throws(StoreError) {
    let (place, type) = try Self.type(correction, path)
    // A name may have to give way; then the one that everything else shows is meant, too.
    var claimed = tables
    _ = claimed.claimNames(origin: .schema)
    guard let (table, column) = Self.column(place, in: tables) ?? Self.column(place, in: claimed)
    else { throw Self.usage("--type \(correction)", "the store has no column \(place)", path) }
    // A column that has the type already keeps its layout's way of storing it.
    guard tables[table].columns[column].column.type != type else { return }
    tables[table].columns[column].setType(type, time: time)
  }

  /// The places of a table and of its column that are called `TABLE.COLUMN`.
  private static func column(
    _ place: String, in tables: [PlannedTable]
  ) -> (table: Int, column: Int)? {
    for table in tables.indices {
      guard let name = place.removing(prefix: tables[table].name + "."),
        let column = tables[table].columns.firstIndex(where: { hasSameBytes($0.column.name, name) })
      else { continue }
      return (table, column)
    }
    return nil
  }

  private func rename(
    _ correction: String, in tables: inout [PlannedTable], path: String
  ) throws(StoreError) {
    // A name may hold an equals sign itself, so the longest table that fits is meant.
    let fitting = tables.indices.filter {
      correction.removing(prefix: tables[$0].name + "=") != nil
    }
    guard let table = fitting.max(by: { tables[$0].name.utf8.count < tables[$1].name.utf8.count })
    else {
      return try renameColumn(correction, in: &tables, path: path)
    }
    let old = tables[table].name
    let new = correction.removing(prefix: old + "=") ?? ""
    guard !new.isEmpty, !tables.contains(where: { hasSameBytes($0.name, new) }) else {
      throw Self.usage("--rename \(correction)", "the new name is empty or taken", path)
    }
    var names = tables.map(\.name)
    names[table] = new
    tables.renameTables(to: names)
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
        let column = tables[table].columns.firstIndex(where: { hasSameBytes($0.column.name, name) })
      else { continue }
      let isTaken = tables[table].columns.contains {
        ExactText(sqlName: $0.column.name) == ExactText(sqlName: new)
      }
      guard !new.isEmpty, !isTaken else {
        throw Self.usage(option, "the new name is empty or taken", path)
      }
      tables[table].renameColumn(column, to: new)
      return
    }
    throw Self.usage(option, "it must be TABLE=NAME or TABLE.COLUMN=NAME for what is there", path)
  }
}

extension PlannedTable {
  /// Gives a column another name; what goes with a reference is called as that.
  fileprivate mutating func renameColumn(_ place: Int, to new: String) {
    let old = columns[place].column.name
    columns[place].column.name = new
    guard columns[place].column.role == .reference else { return }
    for other in columns.indices
    where [.referenceEntity, .position].contains(columns[other].column.role) {
      guard let ending = columns[other].column.name.removing(prefix: old + "_"),
        ["entity", "position"].contains(ending)
      else { continue }
      columns[other].column.name = "\(new)_\(ending)"
    }
  }
}

extension PlannedColumn {
  /// Takes the type that a person has told; a reference that is none any more refers to no table.
  fileprivate mutating func setType(_ type: LogicalType, time: CellDecoding) {
    column.type = type
    decoding = CellDecoding(corrected: type, time: time)
    // The keys that only the other side knows are whole numbers.
    if type != .integer { otherSide = nil }
    guard column.role == .reference || column.role == .referenceEntity else { return }
    column.role = .value
    column.target = nil
    targetTable = nil
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
