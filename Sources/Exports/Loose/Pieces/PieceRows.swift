import Bytes
import Formats
import Records

/// Reads the rows of a plain file on several threads, in the order of the file.
final class PieceRows: ExportRows {
  /// Rows of a piece.
  package struct Part: Sendable {
    package var batch: RecordBatch
    /// Where the last of them stands.
    package let position: String
  }

  private(set) var position = ""
  private let path: String
  /// Whether the rows have no keys of their own; then they are numbered from 1.
  private let isNumbering: Bool
  private var pieces: RecordPieces
  private var work: OrderedWork<RecordPiece, Result<Part, StoreError>>
  private var ready: [Part] = []
  private var rowCount: Int64 = 0
  private var isAtEnd = false

  /// Reads the rows of a table, which begin with `leading` of `_pk` and `_reject`.
  init(
    _ reader: PieceReader, table: Table, leading: Int, rules: [SpellingRule]
  ) throws(StoreError) {
    path = reader.path
    isNumbering = leading == 0
    pieces = try reader.openPieces()
    work = OrderedWork(threads: PieceReader.threads) {
      { piece, emit in
        do throws(StoreError) {
          try reader.readRows(of: piece, as: table, leading: leading, rules: rules) {
            emit(.success($0))
          }
        } catch {
          _ = emit(.failure(error))
        }
      }
    }
  }

  func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool {
    while ready.isEmpty, !isAtEnd { try readOn() }
    guard !ready.isEmpty else { return false }
    var part = ready.removeFirst()
    // The reader of a piece does not know how many rows come before it.
    if isNumbering { part.batch.numberKeys(from: rowCount + 1) }
    rowCount += Int64(part.batch.rowCount)
    position = part.position
    batch = part.batch
    return !(isAtEnd && ready.isEmpty)
  }

  private func readOn() throws(StoreError) {
    let piece: RecordPiece?
    do { piece = try pieces.next() } catch { throw StoreError(error, in: path) }
    if let piece {
      try work.put(piece) { (part) throws(StoreError) in ready.append(try part.get()) }
    } else {
      isAtEnd = true
      try work.finish { (part) throws(StoreError) in ready.append(try part.get()) }
    }
  }
}
