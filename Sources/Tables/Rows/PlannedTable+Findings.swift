import Bytes
package import Records

extension [PlannedTable] {
  /// A note for each name that had to give way when names were claimed.
  package func changedNames(from wanted: [PlannedTable]) -> [Finding] {
    zip(wanted, self).flatMap { before, after in
      var findings: [Finding] = []
      if !hasSameBytes(before.name, after.name) {
        findings.append(
          .changedName("the table \(before.name)", to: after.name, inTable: after.name))
      }
      for (old, new) in zip(before.columns, after.columns)
      where !hasSameBytes(old.column.name, new.column.name) {
        findings.append(
          .changedName(
            "the column \(old.column.name) of \(after.name)", to: new.column.name,
            inTable: after.name))
      }
      return findings
    }
  }
}

extension Finding {
  fileprivate static func changedName(
    _ what: String, to name: String, inTable table: String
  ) -> Finding {
    Finding("name-changed", .note, table: table, message: "\(what) is called \(name) here")
  }
}
