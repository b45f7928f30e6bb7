import Formats

/// What the records of a CSV file show.
extension PlainSurvey {
  /// Looks at all records of a CSV file.
  init(csv reader: consuming CSVReader, _ inference: InferenceRule) throws(FormatError) {
    var reader = reader
    try self.init(columnsOf: &reader, inference)
    if !reader.hasHeader { add(reader) }
    try addRecords(of: &reader)
  }

  /// Takes the columns of a CSV file from its first record, which is its header or else a row.
  init(columnsOf reader: inout CSVReader, _ inference: InferenceRule) throws(FormatError) {
    self.init(inference)
    guard try reader.next() else {
      throw FormatError(
        .truncated, at: 0, "there is no header, and no line of text to take for one")
    }
    // Quotes of a header say as much as those of rows.
    if reader.isEscapingFound { backslashes.take(reader) }
    let given = reader.fields.map { field in
      reader.hasHeader ? Array(reader.bytes[field.range]) : []
    }
    let taken = Set(given)
    for (place, name) in given.enumerated() {
      var name = name
      if name.isEmpty {
        name = Array("column\(place + 1)".utf8)
        while taken.contains(name) { name.append(UInt8(ascii: "_")) }
        if reader.hasHeader { unnamed.insert(place) }
      }
      guard add(name: name) else {
        guard given[..<place].contains(name) else {
          throw reader.recordError(
            "there are more than \(PlainColumnNames.limit) columns",
            advice: "a store has no room for more; leave columns out of the file")
        }
        throw reader.recordError(
          "the column \(String(decoding: name, as: UTF8.self)) comes twice",
          advice: "give each column a name of its own, or say --no-header")
      }
    }
  }

  /// Looks at the records that follow.
  mutating func addRecords(of reader: inout CSVReader) throws(FormatError) {
    while try reader.next() { add(reader) }
    addCounts(of: reader)
  }

  /// Takes what was counted in a file or piece that was read to its end.
  mutating func addCounts(of reader: CSVReader) {
    blankLines += reader.blankLines
    formulas += reader.formulas
  }

  /// Looks at the record that was read last.
  mutating func add(_ reader: CSVReader) {
    beginRow()
    let bytes = reader.bytes
    for (place, field) in reader.fields.enumerated() {
      guard !field.isNull else {
        if place == 0 { addNoKey() }
        continue
      }
      if place == 0 { addKey(bytes.span.extracting(field.range)) }
      add(bytes.span.extracting(field.range), at: place, isText: false)
      if field.range.count == 2, reader.isEscapedNull(field) { backslashes.takeEscapedNull() }
    }
    if reader.isEscapingFound { backslashes.take(reader) }
  }
}
