import Bytes
package import Records

extension [PlannedTable] {
  /// A note for each name that had to give way when names were claimed.
  package func changedNames(from wanted: [PlannedTable]) -> [Finding] {
    zip(wanted, self).flatMap { before, after in
      var findings: [Finding] = []
      if !hasSameBytes(before.name, after.name) {
        findings.append(
          .changedName(
            "the table \(before.name.withKeptBytesSpelled)", to: after.name, inTable: after.name))
      }
      for (old, new) in zip(before.columns, after.columns)
      where !hasSameBytes(old.column.name, new.column.name) {
        findings.append(
          .changedName(
            "the column \(old.column.name.withKeptBytesSpelled) of \(after.name)",
            to: new.column.name,
            inTable: after.name))
      }
      return findings
    }
  }
}

extension Catalogue {
  /// A note for each name that had to give way when names were claimed, where source names are
  /// those of the app.
  package var changedNames: [Finding] {
    tables.flatMap { table in
      var findings: [Finding] = []
      if !hasSameBytes(table.sourceName, table.name) {
        findings.append(
          .changedName("the table \(table.sourceName)", to: table.name, inTable: table.name))
      }
      for column in table.columns
      where column.role == .value && !hasSameBytes(column.sourceName, column.name) {
        findings.append(
          .changedName(
            "the column \(column.sourceName) of \(table.name)", to: column.name,
            inTable: table.name))
      }
      return findings
    }
  }
}
