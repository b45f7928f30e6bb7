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
      findings.append(.damagedName(what, of: record, bytes.count, ofOperation: sequence))
    }
    return findings
  }

  /// A name of so many bytes that are no text.
  static func damagedName(
    _ what: String, of record: (kind: String, number: Int)?, _ size: Int,
    ofOperation sequence: Int64?
  ) -> Finding {
    Finding(
      "invalid-text", .warning, operation: sequence,
      message: "the \(what)\(place(of: record)), of \(size) bytes, is not UTF-8 and names nothing")
  }

  /// Words for a record behind those for what it has.
  static func place(of record: (kind: String, number: Int)?) -> String {
    record.map { " of \($0.kind) \($0.number)" } ?? ""
  }
}
