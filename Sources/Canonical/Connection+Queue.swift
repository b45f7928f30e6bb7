import Records
import SQLite

/// How the numbers of sources in a store that is read become those in the store that is written.
struct SourceNumbers {
  /// How many sources the new store had before.
  let before: Int64
  let isOfSeveral: Bool

  /// The new number of a source; 0 is the only one, and of several one that nobody knows, which it
  /// stays.
  subscript(number: Int32) -> Int32 {
    isOfSeveral && number == 0 ? 0 : Int32(clamping: before + number.asNumber)
  }
}

extension Connection {
  /// Writes records of the current source under the numbers that its stores have here.
  func write<Record: Sourced>(
    _ records: some Sequence<Record>, to table: RecordTable<Record>,
    as numbering: SourceNumbers
  ) throws(SQLiteError) {
    let numbered = records.lazy.map { record in
      var record = record
      record.source = numbering[record.source]
      return record
    }
    try write(numbered, to: table)
  }

  /// Writes what is known about a store that was read, and its files.
  func write(_ store: EarlierSource) throws(SQLiteError) {
    try write([store], to: CanonicalSchema.sources)
    try write(store.source.files, ofSource: store.number)
  }

  /// Writes the files of a store that was read.
  func write(_ files: [SourceFile], ofSource number: Int64) throws(SQLiteError) {
    try write(
      files.lazy.map { StoredFile(source: number, file: $0) }, to: CanonicalSchema.files)
  }

  /// Writes the files of a store through which others came.
  func write(filesInBetween files: [SourceFile]) throws(SQLiteError) {
    // Several files of an export may have the same bytes.
    var statement = try prepare("INSERT OR IGNORE INTO rehome_meta VALUES (?, ?)")
    for file in files {
      try statement.bind("\(CanonicalSchema.readFrom)\(file.sha256) \(file.name)", at: 1)
      try statement.bind(file.name, at: 2)
      try statement.run()
    }
  }
}
