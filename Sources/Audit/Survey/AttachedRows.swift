import Bytes
import Records

/// The rows that operations would send, as JSON objects.
///
/// Few rows are kept in memory; many go to a file without a name, so that memory stays flat.
package struct AttachedRows: Sendable {
  private var bytes: [UInt8] = []
  private var spool: SpoolFile?
  /// Where the bytes in memory belong in the file.
  private var base = 0
  private var places: [String: [Int64: Place]] = [:]

  private static let limit = 4 << 20

  private struct Place {
    let start: Int
    let count: Int32
  }

  /// No rows yet.
  package init() {}

  /// The row of an operation or effect; nil when it is gone.
  package func row(_ key: Int64?, ofTable table: String?) -> [UInt8]? {
    guard let key, let table, let place = places[table]?[key] else { return nil }
    let count = Int(place.count)
    if place.start >= base {
      let start = place.start - base
      return Array(bytes[start..<start + count])
    }
    // What cannot be read back is shown as missing; the file is the tool's own and has no name.
    return try? spool?.read(at: place.start, count: count)
  }

  /// Keeps those rows of a batch that operations are tied to.
  mutating func add(
    _ batch: borrowing RecordBatch, table: String, spelling: RowJSON, wanted: TableOperations
  ) throws(FileError) {
    for row in 0..<batch.rowCount where wanted.isWanted(batch.keys[row]) {
      let start = bytes.count
      spelling.append(row: row, of: batch, to: &bytes)
      places[table, default: [:]][batch.keys[row]] = Place(
        start: base + start, count: Int32(clamping: bytes.count - start))
    }
    if bytes.count > Self.limit { try spill() }
  }

  private mutating func spill() throws(FileError) {
    // Where no such file can be made, the rows stay in memory.
    guard let file = spool ?? (try? SpoolFile()) else { return }
    spool = file
    try file.append(bytes.span)
    base += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }
}
