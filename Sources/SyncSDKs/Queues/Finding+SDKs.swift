import Records
import SQLite
import Tables

extension Finding {
  init(_ code: String, _ severity: Severity, _ operation: PendingOperation, _ message: String) {
    self.init(
      code, severity, table: operation.table, itemID: operation.itemID,
      operation: operation.sequence, message: message)
  }

  /// Names in a row of the queue that are no text, so that nothing tells what they name.
  static func damagedNames(
    in row: borrowing Statement, at columns: [(column: Int, what: String)],
    ofOperation sequence: Int64? = nil
  ) -> [Finding] {
    columns.compactMap { column, what in
      row.damagedText(at: column).map { bytes in
        Finding(
          "invalid-text", .warning, operation: sequence,
          message: "the \(what), of \(bytes.count) bytes, is not UTF-8 and names nothing")
      }
    }
  }

  /// A file that an older SDK made and a newer one went on with.
  static func twoGenerations(_ evidence: String) -> Finding {
    Finding(
      "two-sdk-generations", .note,
      message: "two generations of the SDK have written to the file: \(evidence)")
  }
}
