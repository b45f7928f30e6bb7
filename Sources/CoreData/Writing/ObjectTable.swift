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

/// A reference that rows of a table hold.
struct ObjectLink: Sendable {
  let property: Column
  /// Whether it may lead nowhere.
  let isOptional: Bool
  let target: ColumnStorage.Link

  /// The name of the column in the app's store.
  var column: String { property.sourceColumn }

  /// The condition of rows that refer by it to no row.
  ///
  /// It looks keys up in the other table itself, so it takes no memory for them.
  var isLoose: String {
    let key = quoted(column)
    return "\(key) IS NOT NULL AND \(key) NOT IN (SELECT Z_PK FROM \(quoted(target.table)))"
  }
}

/// Completes what belongs to references, once the rows to which they lead are there.
struct ObjectLinks {
  let tables: [ObjectTable]
  /// The tables of the app into which nothing, or not all, is loaded.
  let incomplete: Set<String>

  /// Takes references away that lead to rows which were left out: the app would give their keys to
  /// other rows.
  ///
  /// A pair is nothing without them, and goes itself.
  ///
  /// - Returns: the tables of pairs that have lost some, with how many they lost and whose rows lack.
  func loosen(
    _ connection: borrowing Connection, _ losses: inout Losses
  ) throws(SQLiteError) -> [(pairs: String, count: Int, target: String)] {
    var lost: [(pairs: String, count: Int, target: String)] = []
    for table in tables {
      for reference in table.links where incomplete.contains(reference.target.table) {
        let (column, link) = (reference.column, reference.target)
        let (name, isLoose) = (quoted(table.name), reference.isLoose)
        let count = try connection.integer("SELECT count(*) FROM \(name) WHERE \(isLoose)")
        guard count > 0 else { continue }
        losses.add(
          .warning, table: table.source.name, table.looseReferences, count: Int(count))
        if table.isOfPairs {
          try connection.execute("DELETE FROM \(name) WHERE \(isLoose)")
          lost.append((table.source.name, Int(count), link.table))
          continue
        }
        let others = [link.entityColumn, link.positionColumn].compactMap(\.self)
        let changes = ([column] + others).map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
        try connection.execute("UPDATE \(name) SET \(changes) WHERE \(isLoose)")
      }
    }
    return lost
  }

  /// What tells of references that lead nowhere although no row was left out, one for each column.
  func dangling(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    var ranges: [String: ClosedRange<Int64>?] = [:]
    for table in tables {
      // Entities may share a table.
      let entity = table.storage.entity.map { "Z_ENT = \($0) AND " } ?? ""
      for link in table.links where !incomplete.contains(link.target.table) {
        let target = link.target.table
        let keys =
          if let known = ranges[target] { known } else { try gaplessKeys(target, connection) }
        ranges[target] = .some(keys)
        let isLoose =
          keys.map { "\(quoted(link.column)) NOT BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
          ?? link.isLoose
        let count = try connection.integer(
          "SELECT count(*) FROM \(quoted(table.name)) WHERE \(entity)\(isLoose)")
        guard count > 0 else { continue }
        findings.append(
          .danglingReferences(count, column: link.property.name, table: table.source.name))
      }
    }
    return findings
  }

  /// The keys of a table, where none is missing between them, as in most that are made from files: to
  /// compare with the two ends takes a twentieth of the time that looking up each key takes.
  private func gaplessKeys(
    _ table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> ClosedRange<Int64>? {
    // Each by itself is found without reading the rows.
    let parts = ["min(Z_PK)", "max(Z_PK)", "count(*)"]
    let queries = parts.map { "(SELECT \($0) FROM \(quoted(table)))" }.joined(separator: ", ")
    var statement = try connection.prepare("SELECT \(queries)")
    guard try statement.step() else { return nil }
    let (first, last) = (statement.integer(at: 0), statement.integer(at: 1))
    let count = statement.integer(at: 2)
    let (distance, isTooFar) = last.subtractingReportingOverflow(first)
    return count > 0 && !isTooFar && distance == count - 1 ? first...last : nil
  }

  /// Remembers keys of rows that are not there as given out, so that the app gives them to no others.
  ///
  /// It comes to none of those that lie beyond all that it can give out.
  func keepLooseKeys(_ connection: borrowing Connection) throws(SQLiteError) {
    for table in tables {
      for link in table.links {
        try connection.raiseLargestKey(
          ofEntity: link.target.root, to: table.name, column: link.column,
          upTo: ObjectTemplate.possibleKeys.upperBound)
      }
    }
  }

  /// Fills the other sides, the numbers of entities and the places that the source did not give.
  func complete(_ connection: borrowing Connection) throws(SQLiteError) {
    for table in tables {
      for link in table.links {
        if let inverse = link.target.inverseColumn {
          try fill(link.column, of: table, from: inverse, of: link.target, connection)
        }
      }
    }
    for table in tables {
      for reference in table.links {
        let (column, link) = (reference.column, reference.target)
        if let entity = link.entityColumn {
          try connection.execute(
            """
            UPDATE \(quoted(table.name)) SET \(quoted(entity)) =
              (SELECT Z_ENT FROM \(quoted(link.table)) AS target
                WHERE target.Z_PK = \(quoted(table.name)).\(quoted(column)))
            WHERE (\(quoted(column)) IS NULL) <> (\(quoted(entity)) IS NULL)
            """)
        }
        if let position = link.positionColumn {
          if table.leadsToStrangers(column) {
            try connection.execute(
              """
              UPDATE \(quoted(table.name)) SET \(quoted(position)) = NULL
              WHERE \(quoted(column)) IS NULL AND \(quoted(position)) IS NOT NULL
              """)
          }
          try number(position, of: table, by: column, connection)
        }
      }
    }
  }

  /// Tells of objects that lack the partner which they must have, now that either side has told its
  /// own.
  func tellLonely(
    _ connection: borrowing Connection, _ losses: inout Losses
  ) throws(SQLiteError) {
    for table in tables {
      guard let entity = table.storage.entity else { continue }
      for link in table.links where !link.isOptional && link.target.inverseColumn != nil {
        let count = try connection.integer(
          """
          SELECT count(*) FROM \(quoted(table.name))
          WHERE Z_ENT = \(entity) AND \(quoted(link.column)) IS NULL
          """)
        losses.add(
          .warning, table: table.source.name,
          "nulls of \(table.source.name).\(link.property.name) that the app does not expect",
          count: Int(count))
      }
    }
  }

  /// Core Data keeps a one-to-one relationship on both sides.
  private func fill(
    _ column: String, of table: ObjectTable, from inverse: String,
    of link: ColumnStorage.Link, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.execute(
      """
      UPDATE \(quoted(table.name)) AS mine SET \(quoted(column)) = pairs.other
      FROM (SELECT min(Z_PK) AS other, \(quoted(inverse)) AS back FROM \(quoted(link.table))
        WHERE \(quoted(inverse)) IS NOT NULL GROUP BY \(quoted(inverse))) AS pairs
      WHERE pairs.back = mine.Z_PK AND mine.\(quoted(column)) IS NULL
      """)
  }

  /// Rows without a place follow those that have one, in the order of their keys and with the gaps
  /// that Core Data leaves.
  private func number(
    _ position: String, of table: ObjectTable, by key: String,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let (name, column, owner) = (quoted(table.name), quoted(position), quoted(key))
    try connection.execute(
      """
      UPDATE \(name) AS mine SET \(column) = places.place
      FROM (SELECT rowid AS row, ifnull(max(\(column)) OVER (PARTITION BY \(owner)), 0)
          + 1024 * row_number() OVER (PARTITION BY \(owner), \(column) IS NULL ORDER BY rowid)
          AS place
        FROM \(name) WHERE \(owner) IS NOT NULL) AS places
      WHERE places.row = mine.rowid AND mine.\(column) IS NULL
      """)
  }
}
