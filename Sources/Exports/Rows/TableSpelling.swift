package import Bytes
package import Records

/// Spells one table in one format: a start, the rows batch by batch, and an end.
package protocol TableSpelling: Sendable {
  /// How many bytes at the beginning of each row stand between it and the row before.
  ///
  /// The first row of a table goes without them.
  var separatorSize: Int { get }

  /// Appends what stands before the first row.
  func appendStart(to output: inout [UInt8])

  /// Appends the rows of a batch.
  ///
  /// - Returns: how many rows were spelled.
  func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int

  /// Appends the rows of a batch, and apart from them the values that their columns cannot hold.
  ///
  /// - Returns: how many rows were spelled.
  func append(
    _ batch: borrowing RecordBatch, to output: inout [UInt8], _ misfits: inout Misfits
  ) -> Int

  /// Appends what stands behind the last row.
  func appendEnd(_ seal: TableSeal, to output: inout [UInt8])

  /// Appends what stands before the values that their columns cannot hold.
  func appendMisfitsStart(to output: inout [UInt8])

  /// Appends, as values that a column cannot hold, those whose letters are not all in the `usual` case,
  /// from rows that were spelled.
  func appendMisfits(
    ofColumn column: Int, besides usual: LetterCases, in rows: [UInt8], to output: inout [UInt8])

  /// Appends what stands behind them; other values of the columns are in their `usual` letter cases.
  func appendMisfitsEnd(
    _ columns: Set<Int>, usual: [Int: LetterCases], to output: inout [UInt8])
}

/// In which cases the letters of texts are.
package struct LetterCases: OptionSet, Sendable {
  package let rawValue: UInt8

  package static let lower = LetterCases(rawValue: 1)
  package static let upper = LetterCases(rawValue: 2)

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Those of the letters of ASCII in a text.
  init(of text: Span<UInt8>) {
    var cases: LetterCases = []
    for place in text.indices {
      let byte = text[place]
      if byte &- UInt8(ascii: "a") < 26 { cases.insert(.lower) }
      if byte &- UInt8(ascii: "A") < 26 { cases.insert(.upper) }
    }
    self = cases
  }
}

/// Values that the columns of a format cannot hold, in its own spelling.
package struct Misfits: Sendable {
  /// What is written of them behind the rows.
  package var bytes: [UInt8] = []
  var columns: Set<Int> = []
  /// The letter cases of the values of columns that hold them in a case of their own.
  var letterCases: [Int: LetterCases] = [:]
  /// How many have no place in their table at all, and are told as rejects.
  var lost = 0

  init() {}
}

extension TableSpelling {
  /// Most formats hold every value.
  package func append(
    _ batch: borrowing RecordBatch, to output: inout [UInt8], _ misfits: inout Misfits
  ) -> Int { append(batch, to: &output) }

  package func appendMisfitsStart(to output: inout [UInt8]) {}

  package func appendMisfits(
    ofColumn column: Int, besides usual: LetterCases, in rows: [UInt8], to output: inout [UInt8]
  ) {}

  package func appendMisfitsEnd(
    _ columns: Set<Int>, usual: [Int: LetterCases], to output: inout [UInt8]
  ) {}

  /// Most formats end rows instead of separating them.
  package var separatorSize: Int { 0 }
}

/// What is known of a table once all its rows have passed.
package struct TableSeal: Sendable, Equatable {
  /// How many rows there are.
  package var rows: Int
  /// The content hash; nil where it was not asked for.
  package var hash: SHA256Digest?

  init(rows: Int, hash: SHA256Digest? = nil) {
    self.rows = rows
    self.hash = hash
  }
}

/// Takes the bytes of an export, a buffer at a time.
package protocol ByteSink: ~Copyable {
  /// Adds bytes.
  mutating func write(_ bytes: [UInt8]) throws(StoreError)
}
