package import Records
package import SQLite
import SQLiteFile

/// A row of a batch that was read from pages, seen as a row of the statement that it stands for.
package struct PageRow: StoredRow {
  var batch = StoredBatch()
  /// Where its values begin.
  package var start = 0
  /// Where the bytes of the rows begin in the batch that takes them.
  var arenaStart = 0
  /// The columns but the key, which is column 0.
  let columns: [PageColumn]

  @inline(__always)
  private func value(_ column: Int) -> StoredValue {
    batch.values[start &+ columns[column &- 1].place]
  }

  @inline(__always)
  package func storageClass(at column: Int) -> StorageClass {
    switch value(column).kind {
    // A column that has a default is nowhere missing.
    case .null, .missing: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  @inline(__always)
  package func integer(at column: Int) -> Int64 { value(column).integer }

  @inline(__always)
  package func real(at column: Int) -> Double { value(column).real }

  @inline(__always)
  package func withText<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    body(batch.arena.span.extracting(value(column).range))
  }

  @inline(__always)
  package func withBlob<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    body(batch.arena.span.extracting(value(column).range))
  }

  package func bytes(at column: Int) -> [UInt8] {
    Array(batch.arena[value(column).range])
  }

  // The bytes went to the batch as a whole, so a cell of it only has to say where they are.
  @inline(__always)
  package func appendText(at column: Int, to batch: inout RecordBatch) {
    batch.appendText(inArenaFrom: arenaStart, value(column).range)
  }

  @inline(__always)
  package func appendBlob(at column: Int, to batch: inout RecordBatch) {
    batch.appendBinary(inArenaFrom: arenaStart, value(column).range)
  }
}
