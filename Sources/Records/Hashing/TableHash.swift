package import Bytes

/// The content hash of one table, computed from its rows in any order.
///
/// Section CONTENT HASH of `rehome-export(5)` is the definition.
package struct TableHash: Sendable {
  private let head: [UInt8]
  /// How many cells at the end of a row are no content: where it came from.
  private let hidden: Int
  private var sum = DigestSum()
  private var rows: UInt64 = 0
  private var messages = SHA256Messages()

  /// Begins the hash of a table without rows.
  package init(of table: Table) {
    var head: [UInt8] = []
    head.appendCounted("rehome table 1")
    head.appendCounted(table.name)
    let content = table.withoutSource
    hidden = table.columns.count - content.columns.count
    head.appendBigEndian(UInt32(content.columns.count))
    for column in content.columns {
      head.appendCounted(column.name)
      head.appendCounted(column.type.rawValue)
    }
    self.head = head
  }

  /// Adds the rows of a batch.
  package mutating func update(_ batch: borrowing RecordBatch) {
    forEachDigest(of: batch) { _, digest, sum in sum.add(digest) }
    rows &+= UInt64(batch.rowCount)
  }

  /// Adds the rows of a batch, and tells the key and the hash of each.
  package mutating func update(
    _ batch: borrowing RecordBatch, _ body: (_ key: Int64, _ digest: SHA256Digest) -> Void
  ) {
    forEachDigest(of: batch) { key, digest, sum in
      sum.add(digest)
      body(key, digest)
    }
    rows &+= UInt64(batch.rowCount)
  }

  /// Takes the rows so far out, so that the hash of another thread can have them.
  package mutating func takeRows() -> RowHashes {
    defer {
      sum = DigestSum()
      rows = 0
    }
    return RowHashes(sum: sum, rows: rows)
  }

  /// Adds rows that were taken out of a hash of the same table.
  package mutating func add(_ hashes: RowHashes) {
    sum.add(hashes.sum)
    rows &+= hashes.rows
  }

  /// The hash of the rows so far.
  package var digest: SHA256Digest {
    var bytes = head
    bytes.appendBigEndian(rows)
    bytes.append(contentsOf: sum.bytes)
    var hash = SHA256()
    hash.update(bytes.span)
    return hash.finish()
  }

  @inline(__always)
  private mutating func forEachDigest(
    of batch: borrowing RecordBatch, _ body: (Int64, SHA256Digest, inout DigestSum) -> Void
  ) {
    let (cells, keys, arena) = (batch.cells, batch.keys, batch.arena)
    var first = 0
    for row in 0..<batch.rowCount {
      let cells = cells.span.extracting(row &* batch.columnCount..<(row &+ 1) &* batch.columnCount)
      let isFull = messages.add {
        $0.append(row: cells.extracting(droppingLast: hidden), key: keys[row], arena: arena.span)
      }
      guard isFull || row &+ 1 == batch.rowCount else { continue }
      messages.hashAll { number, digest in body(keys[first &+ number], digest, &sum) }
      first = row &+ 1
    }
  }
}

/// The hashes of some rows of a table.
package struct RowHashes: Sendable {
  fileprivate var sum = DigestSum()
  fileprivate var rows: UInt64 = 0

  /// No rows.
  package init() {}

  fileprivate init(sum: DigestSum, rows: UInt64) {
    self.sum = sum
    self.rows = rows
  }

  /// Adds the hashes of other rows.
  package mutating func add(_ other: RowHashes) {
    sum.add(other.sum)
    rows &+= other.rows
  }
}

extension TableHash {
  /// Adds all rows of a table, of which several threads hash a part each; `tally` hears of the rows
  /// of each part and may stop the run.
  package mutating func update(
    _ parts: any RowParts, threads: Int, _ tally: (RowTally) throws(StoreError) -> Void
  ) throws(StoreError) {
    let blank = self.emptied
    var work = OrderedWork<Int, Result<HashedPart, StoreError>>(threads: threads) {
      let reader = parts.makeReader()
      var hash = blank
      return { part, emit in _ = emit(hash.hashing(part, of: reader)) }
    }
    for part in 0..<parts.count {
      try work.put(part) { (result) throws(StoreError) in try add(result, tally) }
    }
    try work.finish { (result) throws(StoreError) in try add(result, tally) }
  }

  private mutating func add(
    _ result: Result<HashedPart, StoreError>, _ tally: (RowTally) throws(StoreError) -> Void
  ) throws(StoreError) {
    let part = try result.get()
    add(part.hashes)
    try tally(part.tally)
  }

  private mutating func hashing(
    _ part: Int, of reader: any PartReader
  ) -> Result<HashedPart, StoreError> {
    var tally = RowTally()
    do throws(StoreError) {
      try reader.forEachBatch(ofPart: part) { (batch) throws(StoreError) in
        update(batch)
        tally.count(batch)
      }
      return .success(HashedPart(hashes: takeRows(), tally: tally))
    } catch {
      return .failure(error)
    }
  }

  /// The same hash of no rows.
  private var emptied: TableHash {
    var hash = self
    _ = hash.takeRows()
    return hash
  }
}

/// The rows of a part of a table, hashed and counted.
private struct HashedPart: Sendable {
  let hashes: RowHashes
  let tally: RowTally
}

extension [UInt8] {
  /// Appends the size of a text in four bytes, and its UTF-8 bytes.
  fileprivate mutating func appendCounted(_ text: String) {
    let bytes = text.utf8
    appendBigEndian(UInt32(truncatingIfNeeded: bytes.count))
    append(contentsOf: bytes)
  }
}
