import Bytes
import Records
import SQLite

extension Connection {
  /// What to tell of tables in a file of an SDK's that are neither its own nor the system's: whoever made
  /// them keeps rows there that nobody reads.
  func foreignTables(
    besides isOwn: (_ name: String) -> Bool
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in try tables() where table.name != "android_metadata" && !isOwn(table.name) {
      var statement = try prepare("SELECT 1 FROM \(quoted(table.name)) LIMIT 1")
      guard try statement.step() else { continue }
      findings.append(
        Finding(
          "table-left-out", .warning, table: table.name.mended,
          message: "the table \(table.name.mended) is none of the SDK's, and its rows are not read")
      )
    }
    return findings
  }
}
