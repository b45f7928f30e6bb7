import Bytes
package import Records
package import SQLite

extension Connection {
  /// Writes how far pulls had come.
  package func write(_ tokens: [DeltaToken], sourcesBefore before: Int64) throws(SQLiteError) {
    var statement = try prepareInsert(into: "rehome_token", valueCount: 6)
    for token in tokens {
      try statement.insert([
        .optionalInteger(nil), .integer(before + token.source.asNumber), .optionalText(token.table),
        .optionalText(token.query), .optionalText(token.updatedAt), .optionalText(token.raw),
      ])
    }
  }

  /// Writes the failures that were written down.
  package func write(_ errors: ErrorList, sourcesBefore before: Int64) throws(SQLiteError) {
    var statement = try prepareInsert(into: "rehome_error", valueCount: 14)
    for error in errors {
      try statement.insert([
        .optionalInteger(nil), .integer(before + error.source.asNumber), .optionalText(error.table),
        .optionalText(error.itemID), .optionalText(error.kind?.rawValue),
        .optionalInteger(error.status), .optionalText(error.code), .optionalText(error.message),
        .optionalBytesOfText(error.item), .optionalBytesOfText(error.serverItem),
        .optionalInteger(error.operation), .optionalText(error.originalID),
        .optionalText(error.originalOperationID), .raw(error.raw),
      ])
    }
  }

  /// Writes what people have decided about operations.
  package func write(_ marks: [Int64: [OperationMark]]) throws(SQLiteError) {
    var statement = try prepareInsert(into: "rehome_mark", valueCount: 6)
    for (sequence, marks) in marks.sorted(by: { $0.key < $1.key }) {
      for mark in marks {
        try statement.insert([
          .optionalInteger(nil), .integer(sequence), .text(mark.kind.rawValue),
          .text(mark.time.text), .optionalText(mark.who), .optionalText(mark.why),
        ])
      }
    }
  }

  /// Writes what devices would send for their operations.
  package func write(_ items: [DeviceItem]) throws(SQLiteError) {
    // Only stores of several devices have such a table.
    try execute(CanonicalSchema.deviceItemTable)
    var statement = try prepareInsert(into: "rehome_device_item", valueCount: 6)
    for item in items {
      try statement.insert([
        .integer(item.operation), .optionalText(item.table), .optionalBytesOfText(item.item),
        .optionalBytesOfText(item.body), .optionalText(item.updatedAt),
        .optionalText(item.version),
      ])
    }
  }

  /// Writes lines of the journal of earlier replays.
  package func write(_ lines: [JournalLine]) throws(SQLiteError) {
    var statement = try prepareInsert(into: "rehome_replay", valueCount: 9)
    for line in lines {
      try statement.insert([
        .optionalInteger(nil), .integer(line.sequence), .text(line.time.text),
        .text(line.event), .optionalText(line.detail), .optionalText(line.target),
        .optionalInteger(line.attempt), .optionalInteger(line.status),
        .optionalText(line.version),
      ])
    }
  }

  /// Writes what is known about a store that was read, and its files.
  package func insert(
    _ store: EarlierSource, readAt: String, _ toolVersion: String
  ) throws(SQLiteError) {
    let source = store.source
    try insert(
      into: "rehome_source",
      [
        .integer(store.number), .text(source.name), .text(source.layout.rawValue),
        .optionalText(source.generation), .text(BookkeepingJSON.array(source.evidence)),
        .text(BookkeepingJSON.object(source.metadata)), .text(store.nameOrigin.rawValue),
        .text(readAt), .text(toolVersion),
      ])
    try insert(source.files, ofSource: store.number)
  }

  /// Writes the files of a store that was read.
  package func insert(_ files: [SourceFile], ofSource number: Int64) throws(SQLiteError) {
    for file in files {
      try insert(
        into: "rehome_source_file",
        [.integer(number), .text(file.name), .integer(Int64(file.bytes)), .text(file.sha256)])
    }
  }

  /// Writes the files of a store through which others came.
  package func insert(filesInBetween files: [SourceFile]) throws(SQLiteError) {
    var statement = try prepare("INSERT OR IGNORE INTO rehome_meta VALUES (?, ?)")
    for file in files {
      // Several files of an export may have the same bytes.
      try statement.bind("\(CanonicalSchema.readFrom)\(file.sha256) \(file.name)", at: 1)
      try statement.bind(file.name, at: 2)
      try statement.run()
    }
  }

  /// Prepares the writing of findings, which have a place for a row in stores of several sources.
  func prepareFinding(merging: Bool) throws(SQLiteError) -> Statement {
    try prepareInsert(into: "rehome_finding", valueCount: merging ? 9 : 8)
  }
}

extension Statement {
  /// Writes one finding; `item` where there is a place for it.
  package mutating func insert(
    _ finding: Finding, sourcesBefore before: Int64, item: [UInt8]??
  ) throws(SQLiteError) {
    let values: [BookkeepingValue] = [
      .optionalInteger(nil), .integer(before + finding.source.asNumber), .text(finding.code),
      .text(finding.severity.rawValue), .optionalText(finding.table),
      .optionalText(finding.itemID), .optionalInteger(finding.operation),
      .text(finding.message),
    ]
    try insert(values + (item.map { [.optionalBytesOfText($0)] } ?? []))
  }
}
