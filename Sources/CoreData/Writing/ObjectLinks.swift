import Records
import SQLite
import Tables

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
        try connection.execute("UPDATE OR ABORT \(name) SET \(changes) WHERE \(isLoose)")
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

  /// What tells of references to partners that name another row as theirs, one for each column.
  ///
  /// They stay as the source has them: which of the rows has the partner, nobody can tell.
  func contested(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in tables {
      guard let entity = table.storage.entity else { continue }
      for link in table.links {
        guard let inverse = link.target.inverseColumn else { continue }
        let count = try connection.integer(
          """
          SELECT count(*) FROM \(quoted(table.name)) AS mine JOIN \(quoted(link.target.table)) AS other
            ON other.Z_PK = mine.\(quoted(link.column))
          WHERE mine.Z_ENT = \(entity) AND other.\(quoted(inverse)) IS NOT mine.Z_PK
          """)
        guard count > 0 else { continue }
        findings.append(
          .contestedReferences(count, column: link.property.name, table: table.source.name))
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
            UPDATE OR ABORT \(quoted(table.name)) SET \(quoted(entity)) =
              (SELECT Z_ENT FROM \(quoted(link.table)) AS target
                WHERE target.Z_PK = \(quoted(table.name)).\(quoted(column)))
            WHERE (\(quoted(column)) IS NULL) <> (\(quoted(entity)) IS NULL)
            """)
        }
        if let position = link.positionColumn {
          if table.leadsToStrangers(column) {
            try connection.execute(
              """
              UPDATE OR ABORT \(quoted(table.name)) SET \(quoted(position)) = NULL
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
      UPDATE OR ABORT \(quoted(table.name)) AS mine SET \(quoted(column)) = pairs.other
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
      UPDATE OR ABORT \(name) AS mine SET \(column) = places.place
      FROM (SELECT rowid AS row, ifnull(max(\(column)) OVER (PARTITION BY \(owner)), 0)
          + 1024 * row_number() OVER (PARTITION BY \(owner), \(column) IS NULL ORDER BY rowid)
          AS place
        FROM \(name) WHERE \(owner) IS NOT NULL) AS places
      WHERE places.row = mine.rowid AND mine.\(column) IS NULL
      """)
  }
}
