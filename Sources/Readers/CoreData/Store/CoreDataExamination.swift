import Records
import SQLite

/// Looks at the rows of a store for what a person should know; it costs a pass over the tables.
struct CoreDataExamination {
  let tables: [PlannedTable]
  let resolution: SchemaResolution
  let metadata: CoreDataMetadata

  /// Runs every rule.
  func findings(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    var findings = try lostChanges(connection)
    for table in tables where table.entity != nil {
      findings += try references(of: table, connection)
    }
    return findings
  }

  /// A last given key below one that is in use: the newest changes of the bookkeeping are missing.
  private func lostChanges(_ connection: borrowing Connection) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    var statement = try connection.prepare("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
    for entity in resolution.entities where entity.parent == nil {
      guard let table = entity.table else { continue }
      let highest = try connection.integer(
        "SELECT ifnull(max(Z_PK), 0) FROM \(quoted(table))")
      try statement.bind(entity.number, at: 1)
      defer { statement.reset() }
      guard try statement.step(), statement.storageClass(at: 0) == .integer else { continue }
      let given = statement.integer(at: 0)
      guard given < highest else { continue }
      findings.append(
        Finding(
          "wal-missing", .warning, table: entity.name,
          message: "the last key given for \(entity.name) is \(given), but \(highest) is in use: "
            + "the -wal file with recent changes seems to be missing"))
    }
    return findings
  }

  private func references(
    of table: PlannedTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for column in table.columns where column.column.role == .reference {
      if let target = column.targetTable {
        let count = try connection.integer(
          table.counting(
            where: """
              \(column.expression) IS NOT NULL AND NOT EXISTS
              (SELECT 1 FROM \(quoted(target)) AS target WHERE target.Z_PK = \(column.expression))
              """))
        if count > 0 { findings.append(dangling(count, column, table)) }
      }
      if let pairs = column.otherSide {
        let count = try connection.integer("SELECT count(*) FROM (\(pairs))")
        if count > 0 { findings.append(oneSided(count, column, table)) }
      }
    }
    return findings
  }

  private func dangling(_ count: Int64, _ column: PlannedColumn, _ table: PlannedTable) -> Finding {
    Finding(
      "dangling-reference", .warning, table: table.name,
      message: "\(count) rows of \(table.name) refer by \(column.column.name) to rows that are "
        + "not there; the numbers are kept")
  }

  private func oneSided(_ count: Int64, _ column: PlannedColumn, _ table: PlannedTable) -> Finding {
    Finding(
      "one-sided-reference", .note, table: table.name,
      message: "\(count) rows of \(table.name) know their \(column.column.name) only from the "
        + "other side; it is filled in from there")
  }
}
