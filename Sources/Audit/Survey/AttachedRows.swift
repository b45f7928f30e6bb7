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
    var lookup = Lookup(self)
    return lookup.row(key, ofTable: table)
  }

  /// Adds rows of a table, which come after those that it has.
  mutating func add(_ rows: RowTexts, table: String) throws(FileError) {
    var start = 0
    for (key, end) in zip(rows.keys, rows.ends) {
      places[table, default: [:]][key] = Place(
        start: base + bytes.count + start, count: Int32(clamping: end - start))
      start = end
    }
    bytes.append(rows.bytes.span)
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

extension AttachedRows {
  /// Looks up one row after the other, and reads ahead where they follow each other in the file.
  struct Lookup {
    private let rows: AttachedRows
    /// The table that was asked for last, and its rows.
    private var table = ""
    private var places: [Int64: Place] = [:]
    /// What was read last, and where it begins in the file.
    private var window: [UInt8] = []
    private var windowStart = 0

    private static let windowSize = 64 << 10
    /// How far behind the last row one begins that seems to follow it.
    private static let step = 4 << 10

    init(_ rows: AttachedRows) { self.rows = rows }

    /// The row of an operation or effect; nil when it is gone.
    mutating func row(_ key: Int64?, ofTable name: String?) -> [UInt8]? {
      guard let key, let name else { return nil }
      if name != table {
        table = name
        places = rows.places[name] ?? [:]
      }
      guard let place = places[key] else { return nil }
      let count = Int(place.count)
      guard place.start < rows.base else {
        let start = place.start - rows.base
        return Array(rows.bytes[start..<start + count])
      }
      if !holds(place) { read(place) }
      // What cannot be read back is shown as missing; the file is the tool's own and has no name.
      guard holds(place) else { return nil }
      let start = place.start - windowStart
      return Array(window[start..<start + count])
    }

    private func holds(_ place: Place) -> Bool {
      place.start >= windowStart && place.start + Int(place.count) <= windowStart + window.count
    }

    private mutating func read(_ place: Place) {
      let distance = place.start - (windowStart + window.count)
      let ahead = (0..<Self.step).contains(distance) ? Self.windowSize : 0
      let count = min(max(Int(place.count), ahead), rows.base - place.start)
      window = (try? rows.spool?.read(at: place.start, count: count)) ?? []
      windowStart = place.start
    }
  }
}
