import Records
import SQLite

extension Connection {
  /// Writes how far pulls of one source had come.
  func write(_ tokens: [DeltaToken], source: Int64) throws(SQLiteError) {
    var statement = try prepareInsert(into: "rehome_token", valueCount: 6)
    for token in tokens {
      try statement.insert([
        .optionalInteger(nil), .integer(source), .optionalText(token.table),
        .optionalText(token.query), .optionalText(token.updatedAt), .optionalText(token.raw),
      ])
    }
  }

  /// Writes the failures that one source had written down.
  func write(_ errors: [OperationError], source: Int64) throws(SQLiteError) {
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

  /// Prepares the writing of findings, which have a place for a row in stores of several sources.
  func prepareFinding(merging: Bool) throws(SQLiteError) -> Statement {
    try prepareInsert(into: "rehome_finding", valueCount: merging ? 9 : 8)
  }
}

extension Statement {
  /// Writes one finding of one source; `item` where there is a place for it.
  mutating func insert(_ finding: Finding, source: Int64, item: [UInt8]??) throws(SQLiteError) {
    let values: [BookkeepingValue] = [
      .optionalInteger(nil), .integer(source), .text(finding.code),
      .text(finding.severity.rawValue), .optionalText(finding.table),
      .optionalText(finding.itemID), .optionalInteger(finding.operation),
      .text(finding.message),
    ]
    try insert(values + (item.map { [.optionalBytesOfText($0)] } ?? []))
  }
}
