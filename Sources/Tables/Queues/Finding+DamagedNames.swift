package import Records
package import SQLite

extension Finding {
  /// Names in a row of the queue that are no text, so that nothing tells what they name.
  ///
  /// The row is that of an operation, or of another record with a number.
  package static func damagedNames(
    in row: borrowing Statement, at columns: [(column: Int, what: String)],
    of record: (kind: String, number: Int)? = nil, ofOperation sequence: Int64? = nil
  ) -> [Finding] {
    var findings: [Finding] = []
    for (column, what) in columns {
      guard let bytes = row.damagedText(at: column) else { continue }
      let place = record.map { " of \($0.kind) \($0.number)" } ?? ""
      findings.append(
        Finding(
          "invalid-text", .warning, operation: sequence,
          message: "the \(what)\(place), of \(bytes.count) bytes, is not UTF-8 and names nothing"))
    }
    return findings
  }
}
