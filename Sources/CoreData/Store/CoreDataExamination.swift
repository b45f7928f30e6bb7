import Bytes
import Records
import SQLite
import Tables

/// Looks at the rows of a store for what a person should know; it costs a pass over the tables.
struct CoreDataExamination {
  let tables: [PlannedTable]
  let resolution: SchemaResolution
  let metadata: CoreDataMetadata

  /// Runs every rule.
  func findings(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in tables {
      findings += try references(of: table, connection)
    }
    findings += try contestedReferences(connection)
    return findings
  }

  private func references(
    of table: PlannedTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    // What a person says to be no reference may still have keys that only the other side knows.
    for column in table.columns where column.column.role != .referenceEntity {
      if let target = column.targetTable {
        findings += try misled(column, to: target, of: table, connection)
      }
      if let pairs = column.otherSide {
        let count = try connection.integer(
          "WITH filled(mine, partner) AS (\(pairs)) SELECT count(DISTINCT mine) FROM filled")
        if count > 0 { findings.append(oneSided(count, column, table)) }
      }
    }
    return findings
  }

  /// References to rows that are not there, or that are not of the entity beside the key.
  private func misled(
    _ column: PlannedColumn, to target: String, of table: PlannedTable,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    guard let entity = column.targetEntity else {
      let count = try connection.integer(
        table.counting(
          // What is no whole number is rejected, and no key. The left side stands outside the inner
          // query, whose table may have such a column, too.
          where: "typeof(\(column.expression)) = 'integer' AND "
            + "\(column.expression) NOT IN (SELECT Z_PK FROM \(quoted(target)))"))
      return count > 0 ? [dangling(count, column, table)] : []
    }
    // No entity beside the key is as wrong as another, also where there is no row.
    let links = table.selection(of: ["\(column.expression) AS key", "\(entity) AS entity"])
    var statement = try connection.prepare(
      """
      WITH links AS (\(links)) SELECT count(*), count(target.Z_PK)
      FROM links LEFT JOIN \(quoted(target)) AS target ON target.Z_PK = links.key
      WHERE target.Z_ENT IS NOT ifnull(links.entity, '') AND typeof(links.key) = 'integer'
      """)
    guard try statement.step() else { return [] }
    let ofOthers = statement.integer(at: 1)
    let missing = statement.integer(at: 0) - ofOthers
    return (missing > 0 ? [dangling(missing, column, table)] : [])
      + (ofOthers > 0 ? [misnamed(ofOthers, column, table)] : [])
  }

  /// Partners that several rows claim, be these rows of one entity or of several in its table.
  private func contestedReferences(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for entity in resolution.entities {
      for case .reference(let reference) in entity.properties
      where reference.definedBy == entity.name {
        guard let table = entity.table, let key = reference.keyColumn,
          let pairs = reference.otherSide(of: table, entity: nil, giving: "Z_PK")
        else { continue }
        let count = try connection.integer(Self.contested(key, pairs, table))
        if count > 0 { findings.append(contested(count, reference, entity)) }
      }
    }
    return findings
  }

  /// Counts the rows that several others have for their one partner, be it by either side's column.
  private static func contested(_ key: ActualColumn, _ pairs: String, _ table: String) -> String {
    """
    WITH filled(mine, partner) AS (\(pairs)),
      partners(key) AS (SELECT \(quoted(key.name)) FROM \(quoted(table)) NOT INDEXED UNION ALL
        SELECT partner FROM filled)
    SELECT count(*) FROM
      (SELECT key FROM partners WHERE typeof(key) = 'integer' GROUP BY key HAVING count(*) > 1)
    """
  }

  private func contested(
    _ count: Int64, _ reference: ResolvedReference, _ entity: ResolvedEntity
  ) -> Finding {
    let table = tables.first { $0.entity == entity.number }?.name ?? entity.name
    return Finding(
      "contested-reference", .warning, table: table, column: reference.name,
      message: count.counting("row is", "rows are")
        + " the one \(reference.name) of several rows of \(table)")
  }

  private func dangling(_ count: Int64, _ column: PlannedColumn, _ table: PlannedTable) -> Finding {
    .danglingReferences(count, column: column.column.name, table: table.name)
  }

  private func misnamed(_ count: Int64, _ column: PlannedColumn, _ table: PlannedTable) -> Finding {
    Finding(
      "dangling-reference", .warning, table: table.name, column: column.column.name,
      message: count.counting("row", "rows")
        + " of \(table.name) \(count == 1 ? "refers" : "refer") by \(column.column.name) to rows of "
        + "another entity than the one that the store says they are of, or it says none; the "
        + Finding.numbersKept)
  }

  private func oneSided(_ count: Int64, _ column: PlannedColumn, _ table: PlannedTable) -> Finding {
    Finding(
      "one-sided-reference", .note, table: table.name,
      message: count.counting("row", "rows")
        + " of \(table.name) \(count == 1 ? "knows its" : "know their") \(column.column.name) only "
        + "from the other side; it is filled in from there")
  }
}

extension Finding {
  /// Rows of a table that refer by a column to rows that are not there.
  static func danglingReferences(_ count: Int64, column: String, table: String) -> Finding {
    Finding(
      "dangling-reference", .warning, table: table, column: column,
      message: count.counting("row", "rows")
        + " of \(table) \(count == 1 ? "refers" : "refer") by \(column) to rows that are not there; "
        + "the \(numbersKept)")
  }

  /// Rows of a table that refer by a column to rows which name others as theirs.
  static func contestedReferences(_ count: Int64, column: String, table: String) -> Finding {
    Finding(
      "contested-reference", .warning, table: table, column: column,
      message: count.counting("row", "rows")
        + " of \(table) \(count == 1 ? "has" : "have") as \(column) a row that names another one as "
        + "its own; both are kept")
  }
}
