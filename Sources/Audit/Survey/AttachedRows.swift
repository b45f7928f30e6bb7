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
  private var tables: [String: Places] = [:]

  /// How many bytes stay in memory altogether.
  private static let limit = 4 << 20
  /// How many bytes are written to the file at once.
  private static let pieceSize = 256 << 10

  /// Where the rows of one table are.
  private struct Places {
    /// The keys in their order.
    var keys: [Int64] = []
    /// Where each row begins and ends; that of the next table may begin later.
    var ranges: [Range<Int>] = []

    /// The place of a key in the lists, which is likely to be the one after the last.
    func place(of key: Int64, after last: Int) -> Int? {
      if last + 2 < keys.count, keys[last + 1] == key, keys[last + 2] != key { return last + 1 }
      // Should several rows have one key, the last of them counts.
      let place = firstPlace(in: keys) { $0 > key } - 1
      return place >= 0 && keys[place] == key ? place : nil
    }
  }

  /// No rows yet.
  package init() {}

  /// The table of the rows that only one device has; its keys are the operations that send them.
  ///
  /// No table of an app has this name.
  static let devices = "\0devices"

  /// Whether devices have rows of their own.
  var hasDevices: Bool { tables[Self.devices] != nil }

  /// The item of an operation: its payload, else the row that it sends; nil when there is neither.
  func item(of operation: PendingOperation) -> [UInt8]? {
    if let item = operation.item { return item }
    guard operation.kind == .insert || operation.kind == .update else { return nil }
    return row(of: operation)
  }

  /// The row of an operation: that of its device, else the current one; nil when it is gone.
  func row(of operation: PendingOperation) -> [UInt8]? {
    row(operation.sequence, ofTable: Self.devices)
      ?? row(operation.rowKey, ofTable: operation.rowTable ?? operation.table)
  }

  /// The row with a key; nil when it is gone.
  package func row(_ key: Int64?, ofTable table: String?) -> [UInt8]? {
    guard let key, let table else { return nil }
    var lookup = Lookup(self)
    var row: [UInt8] = []
    return lookup.with(key, ofTable: table.utf8Span.span) { row.append($0) } ? row : nil
  }

  /// Adds rows of a table, whose keys come after those that it has.
  mutating func add(_ rows: RowTexts, table: String) throws(FileError) {
    guard !rows.keys.isEmpty else { return }
    var start = base + bytes.count
    let ranges = rows.sizes.map { size in
      defer { start += size }
      return start..<start + size
    }
    tables[table, default: Places()].keys += rows.keys
    tables[table, default: Places()].ranges += ranges
    bytes.append(rows.bytes.span)
    if bytes.count > (spool == nil ? Self.limit : Self.pieceSize) { try spill() }
  }

  private mutating func spill() throws(FileError) {
    // Where no such file can be made, the rows stay in memory.
    guard let file = spool ?? (try? SpoolFile()) else { return }
    spool = file
    try file.append(bytes.span)
    base += bytes.count
    bytes.removeAll(keepingCapacity: bytes.capacity < Self.limit)
  }
}

extension AttachedRows {
  /// Looks up one row after the other, and reads ahead where they follow each other in the file.
  struct Lookup {
    private let rows: AttachedRows
    /// The table that was asked for last, its rows, and the last of them.
    private var table: [UInt8] = []
    private var places = Places()
    private var last = -1
    /// What was read last, and where it belongs in the file.
    private var window: [UInt8] = []
    private var windowRange = 0..<0

    private static let windowSize = 64 << 10
    /// How far behind the last row one begins that seems to follow it.
    private static let step = 4 << 10

    init(_ rows: AttachedRows) { self.rows = rows }

    /// Lends the row that the device of an operation has for itself; false when there is none.
    mutating func withDevice(of operation: Int64, _ body: (Span<UInt8>) -> Void) -> Bool {
      guard rows.hasDevices else { return false }
      let name = AttachedRows.devices
      return with(operation, ofTable: name.utf8Span.span, body)
    }

    /// Lends the row of an operation or effect; false when it is gone.
    mutating func with(
      _ key: Int64, ofTable name: Span<UInt8>, _ body: (Span<UInt8>) -> Void
    ) -> Bool {
      if !name.isEqual(to: table.span) { turn(to: name) }
      guard let place = places.place(of: key, after: last) else { return false }
      last = place
      let range = places.ranges[place]
      guard range.lowerBound < rows.base else {
        let start = range.lowerBound - rows.base
        body(rows.bytes.span.extracting(start..<start + range.count))
        return true
      }
      if !windowRange.contains(range) { read(range) }
      // What cannot be read back is shown as missing; the file is the tool's own and has no name.
      guard windowRange.contains(range) else { return false }
      let start = range.lowerBound - windowRange.lowerBound
      body(window.span.extracting(start..<start + range.count))
      return true
    }

    private mutating func turn(to name: Span<UInt8>) {
      table.removeAll()
      table.append(name)
      places = rows.tables[String(decoding: table, as: UTF8.self)] ?? Places()
      last = -1
    }

    private mutating func read(_ range: Range<Int>) {
      let distance = range.lowerBound - windowRange.upperBound
      let ahead = (0..<Self.step).contains(distance) ? Self.windowSize : 0
      let count = min(max(range.count, ahead), rows.base - range.lowerBound)
      window = (try? rows.spool?.read(at: range.lowerBound, count: count)) ?? []
      windowRange = range.lowerBound..<range.lowerBound + window.count
    }
  }
}
