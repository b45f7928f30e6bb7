import Bytes
import CommandLineKit
import Records

/// The hashes and counts of everything that a store holds.
struct StoreContents {
  /// One table, or one part of the queue.
  struct Entry {
    var table: Table
    var rows: Int
    var digest: SHA256Digest
  }

  /// The app's tables in catalogue order.
  private(set) var tables: [Entry] = []
  /// Operations, errors and tokens.
  private(set) var parts: [Entry] = []
  /// The content hash of the store.
  let digest: SHA256Digest

  /// Reads and hashes everything.
  ///
  /// - Throws: `StoreError` when the store cannot be read or changes meanwhile.
  init(
    of reader: any StoreReader, asItems: Bool = false, _ settings: RunSettings
  ) throws(StoreError) {
    var content = ContentHash()
    var progress = settings.makeProgress()
    defer { progress.clear() }
    for (index, whole) in reader.catalogue.tables.enumerated() {
      let items = asItems ? ItemRows(of: whole) : nil
      let table = items?.table ?? whole
      let source = RowSource(reader, index, items)
      var hash = TableHash(of: table)
      var rows = 0
      let total = try reader.countRows(inTable: index)
      try source.forEachBatch { (batch) throws(StoreError) in
        try settings.checkInterruption()
        hash.update(batch)
        rows += batch.rowCount
        progress.update(done: rows, total: total, label: table.name)
      }
      tables.append(Entry(table: table, rows: rows, digest: hash.digest))
      content.add(hash.digest, ofTable: table.name)
    }
    let queue = try reader.readQueue()
    for part in ContentHash.parts {
      var hash = TableHash(of: part.table)
      try queue.forEachBatch(of: part) { (batch) throws(StoreError) in hash.update(batch) }
      let rows = queue.count(of: part)
      parts.append(Entry(table: part.table, rows: rows, digest: hash.digest))
      content.add(hash.digest, of: part)
    }
    try SourceProof.checkUnchanged(reader)
    digest = content.digest
  }
}
