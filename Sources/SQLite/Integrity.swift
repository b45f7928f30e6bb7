/// What the engine's own check says about a database.
package struct IntegrityReport: Sendable, Equatable {
  /// Pages or trees contradict each other: rows may be missing or wrong.
  package var damage: [String] = []
  /// The pages are sound, but a promise of the schema is not kept.
  package var remarks: [String] = []
}

extension Connection {
  /// Runs the engine's quick check.
  ///
  /// - Throws: `SQLiteError` when the check is interrupted or the file cannot be read.
  package func quickCheck() throws(SQLiteError) -> IntegrityReport {
    var report = IntegrityReport()
    do {
      var statement = try prepare("PRAGMA quick_check(20)")
      while try statement.step() {
        let line = statement.text(at: 0) ?? ""
        if line == "ok" { continue }
        if Self.isRemark(line) {
          report.remarks.append(line)
        } else {
          report.damage.append(line)
        }
      }
    } catch {
      switch error.code {
      case .corrupt, .notADatabase: report.damage.append(error.message)
      case .error: report.remarks.append("the check could not run: \(error.message)")
      default: throw error
      }
    }
    return report
  }

  /// Complaints about contents: each row is still read as it is.
  private static func isRemark(_ line: String) -> Bool {
    let beginnings = ["NULL value in", "CHECK constraint", "non-unique entry"]
    return beginnings.contains { line.hasPrefix($0) } || line.contains(" value in ")
      || line.contains("missing from index")
  }
}
