import Bytes
package import Records

/// Reads the rows of one table of an export, a batch at a time.
///
/// A reader of rows owns an open file, so it has identity.
protocol ExportRows: AnyObject {
  /// Where the reader is, for errors: a line or a byte.
  var position: String { get }

  /// What was seen of the rows of a plain file, where they are looked at while they are read.
  var survey: PlainSurvey? { get }

  /// Appends rows until the batch is full; false when there are no more.
  ///
  /// - Throws: `StoreError` with the place where the export is not what it must be.
  func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool
}

extension ExportRows {
  var survey: PlainSurvey? { nil }
}

/// What an export says about a table's rows.
struct ExportSeal: Sendable, Equatable {
  var rows: Int
  /// The content hash in hexadecimal digits.
  var hash: String?
}

/// The rows of a table as they were read: how many, and their content hash.
package struct ReadTally {
  package private(set) var rows = 0
  private var hash: TableHash?
  /// The content hash, where others have computed it.
  private var known: SHA256Digest?
  private var lastKey: Int64?

  /// Begins with no rows; without `isHashing` they are only counted.
  init(of table: Table, isHashing: Bool = true) {
    hash = isHashing ? TableHash(of: table) : nil
  }

  /// Takes a batch; keys must grow.
  package mutating func add(
    _ batch: borrowing RecordBatch, path: String
  ) throws(StoreError) {
    for (place, key) in batch.keys.enumerated() {
      if let lastKey, key <= lastKey {
        // The reader stands behind the whole batch.
        throw StoreError(
          .damaged, path: path,
          "the row \(key) comes after row \(lastKey), as row \(rows + place + 1) of its table")
      }
      lastKey = key
    }
    rows += batch.rowCount
    hash?.update(batch)
  }

  /// The content hash of the rows so far, where it is computed.
  var digest: SHA256Digest? { known ?? hash?.digest }

  /// Takes the content hash that others have computed of the same rows.
  mutating func take(_ digest: SHA256Digest?) { known = digest }

  /// What to do with a document of which a person has changed the rows.
  static let hintOfDocuments =
    "a document with changed rows is not read; to change rows, export to a folder of csv or ndjson, "
    + "change the file of the table there, and name that file alone: its rows are read then, "
    + "without the other tables and the queue"

  /// Throws when the rows are not those that the export promises.
  func check(
    _ seal: ExportSeal, of table: Table, at position: String, path: String, hint: String? = nil
  ) throws(StoreError) {
    guard rows == seal.rows else {
      throw StoreError(
        .damaged, path: path,
        "the table \(table.name) has \(rows.counting("row", "rows")), and the export says \(seal.rows) "
          + "(at \(position))", hint: hint)
    }
    guard let expected = seal.hash, let digest else { return }
    guard digest.hexadecimal == expected else {
      throw StoreError(
        .damaged, path: path,
        "the rows of the table \(table.name) do not have the hash that the export says "
          + "(at \(position))", hint: hint)
    }
  }
}

extension ExportRows {
  /// Lends all rows to `body`, and tallies them before.
  func forEachBatch(
    columns: Int, _ tally: inout ReadTally, path: String,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var batch = RecordBatch(columnCount: columns)
    var hasMore = true
    while hasMore {
      hasMore = try fill(&batch)
      guard batch.rowCount > 0 else { continue }
      try tally.add(batch, path: path)
      try body(&batch)
      batch.removeAll()
    }
  }
}
