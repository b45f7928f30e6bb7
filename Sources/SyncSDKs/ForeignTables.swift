import Bytes
import Records
import SQLite
import Tables

extension Connection {
  /// What to tell of tables in a file of an SDK's that are neither its own nor the system's: whoever made
  /// them keeps rows there that nobody reads.
  func foreignTables(
    besides isOwn: (_ name: String) -> Bool
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in try tables() where table.name != "android_metadata" && !isOwn(table.name) {
      guard holdsRows(table.name) else { continue }
      findings.append(
        Finding(
          "table-left-out", .warning, table: table.name.mended,
          message: "the table \(table.name.mended) is none of the SDK's, and its rows are not read")
      )
    }
    return try findings
      + VirtualTables.findings(
        in: self, besides: isOwn, reason: "it is none of the SDK's, and its rows are not read")
  }

  /// Whether a table has rows, or cannot be asked, as one whose order only its app knows.
  private func holdsRows(_ table: String) -> Bool {
    (try? {
      var statement = try prepare("SELECT 1 FROM \(quoted(table)) LIMIT 1")
      return try statement.step()
    }()) ?? true
  }
}
