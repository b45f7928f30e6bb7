import Bytes
import Records

/// The rows of a part of a table that have an id, as entries of a ledger.
struct MergeEntries: Sendable {
  /// The columns of a table by which its items are told apart and compared.
  struct Columns: Sendable {
    let id: Int
    let updatedAt: Int?
    let version: Int?

    /// The columns of a table; nil where its rows have no id.
    init?(of table: Table) {
      guard let id = table.index(of: .id) else { return nil }
      self.id = id
      updatedAt = table.index(of: .updatedAt)
      version = table.index(of: .version)
    }
  }

  private var bytes: [UInt8] = []
  private var entries: [(hash: UInt64, end: Int)] = []

  /// How many bytes they take.
  var size: Int { bytes.count + entries.count * 16 }

  /// Lends all entries, each with the hash of its id.
  func forEachEntry<Failure: Error>(
    _ body: (Span<UInt8>, UInt64) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    for (hash, end) in entries {
      try body(bytes.span.extracting(start..<end), hash)
      start = end
    }
  }

  /// Lets all entries be of a table by its place among those of all sources.
  mutating func setTable(_ place: Int) {
    var start = 0
    for (_, end) in entries {
      MergeCandidate.setTable(Int32(clamping: place), ofEntryAt: start, in: &bytes)
      start = end
    }
  }

  /// Adds the rows of a batch of a table, which shares a number with all of which it may be a part
  /// in the end.
  mutating func add(
    _ batch: borrowing RecordBatch, _ columns: Columns, of table: Table, numbered tableNumber: Int,
    source: Int
  ) {
    let all = batch.arena
    // What is compared of the row at hand.
    var arena: [UInt8] = []
    for row in 0..<batch.rowCount {
      let cells = batch.cells(ofRow: row)
      let id = cells[cells.startIndex + columns.id]
      arena.removeAll(keepingCapacity: true)
      arena.appendPlain(id, type: table.columns[columns.id].type, arena: all.span)
      guard !arena.isEmpty else { continue }
      // Bytes are not the text in which an export spells them; no text ends like this.
      if id.kind == .binary { arena.append(0xFF) }
      let idEnd = arena.count
      let seed = foldingSeed ^ UInt64(tableNumber)
      let hash = spelledHash(arena.span, seed: seed)
      if let place = columns.updatedAt {
        arena.append(
          comparable: cells[cells.startIndex + place], type: table.columns[place].type, all.span)
      }
      let timeEnd = arena.count
      let version = columns.version.map { cells[cells.startIndex + $0] } ?? .null
      let candidate = MergeCandidate(
        table: 0, source: Int32(clamping: source), key: batch.keys[row],
        id: 0..<idEnd, time: timeEnd > idEnd ? idEnd..<timeEnd : nil,
        version: arena.append(version: version, all.span))
      candidate.append(to: &bytes, hash: hash, arena: arena.span)
      entries.append((hash, bytes.count))
    }
  }
}
