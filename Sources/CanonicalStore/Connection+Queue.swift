import Records
import SQLite

extension Connection {
  /// Writes operations, errors and tokens of one source.
  func write(_ queue: Queue, source: Int64) throws(SQLiteError) {
    try write(queue.operations, source: source)
    try write(queue.errors, source: source)
    var tokens = try prepareInsert(into: "rehome_token", valueCount: 6)
    for token in queue.tokens {
      try tokens.insert([
        .optionalInteger(nil), .integer(source), .optionalText(token.table),
        .optionalText(token.query), .optionalText(token.updatedAt), .optionalText(token.raw),
      ])
    }
  }

  private func write(_ operations: [PendingOperation], source: Int64) throws(SQLiteError) {
    var statement = try prepareInsert(into: "rehome_operation", valueCount: 13)
    for operation in operations {
      try statement.insert([
        .integer(operation.sequence), .integer(source), .optionalText(operation.table),
        .optionalText(operation.itemID), .optionalText(operation.kind?.rawValue),
        .text(operation.state.rawValue), .optionalBytesOfText(operation.item),
        .optionalText(operation.baseVersion), .optionalInteger(operation.rowKey),
        .optionalText(operation.rowTable), .optionalText(operation.originalID),
        .optionalText(operation.originalCode), .raw(operation.raw),
      ])
    }
  }

  private func write(_ errors: [OperationError], source: Int64) throws(SQLiteError) {
    var statement = try prepareInsert(into: "rehome_error", valueCount: 14)
    for error in errors {
      try statement.insert([
        .optionalInteger(nil), .integer(source), .optionalText(error.table),
        .optionalText(error.itemID), .optionalText(error.kind?.rawValue),
        .optionalInteger(error.status), .optionalText(error.code), .optionalText(error.message),
        .optionalBytesOfText(error.item), .optionalBytesOfText(error.serverItem),
        .optionalInteger(error.operation), .optionalText(error.originalID),
        .optionalText(error.originalOperationID), .raw(error.raw),
      ])
    }
  }

  /// Writes one finding of one source.
  func write(_ finding: Finding, source: Int64) throws(SQLiteError) {
    try insert(
      into: "rehome_finding",
      [
        .optionalInteger(nil), .integer(source), .text(finding.code),
        .text(finding.severity.rawValue), .optionalText(finding.table),
        .optionalText(finding.itemID), .optionalInteger(finding.operation),
        .text(finding.message),
      ])
  }
}
