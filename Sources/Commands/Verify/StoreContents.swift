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
    /// How many values cannot be read as their columns' type, and count as NULL.
    var rejected = 0
  }

  /// The app's tables in catalogue order.
  private(set) var tables: [Entry] = []
  /// Operations, errors and tokens.
  private(set) var parts: [Entry] = []
  /// What was found that may matter where all of it was read; looking at the rows for more would cost
  /// another pass.
  let findings: Findings
  let digest: SHA256Digest

  /// Reads and hashes everything, and proves that the store stayed as it was.
  init(of reader: any StoreReader, _ session: Session) throws(StoreError) {
    var progress = try session.makeProgress(inRowsOf: reader)
    defer { progress.clear() }
    self = try reader.unchanged { () throws(StoreError) in
      let contents = try Self(of: reader, session, &progress)
      // What is kept besides has no part in the hash, but a damaged store proves nothing.
      try reader.kept?.forEachStoredReject { _ in }
      return contents
    }
  }

  /// Reads and hashes everything, as a part of a longer run, which proves that the store stayed as it
  /// was, and reads what is kept besides.
  init(
    of reader: any StoreReader, _ session: Session, _ progress: inout ProgressLine
  ) throws(StoreError) {
    var content = ContentHash()
    // Operations are matched with their rows while these are read.
    try reader.prepareQueue()
    for (index, table) in reader.catalogue.tables.enumerated() {
      let entry = try Entry(
        of: .table(reader, index), as: table, session, &progress)
      tables.append(entry)
      content.add(entry.digest, ofTable: table.name)
    }
    let queue = try reader.readMatchedQueue()
    for part in ContentHash.parts {
      let entry = try Entry(
        of: QueueParts(queue, part), as: part.table, session, &progress)
      parts.append(entry)
      content.add(entry.digest, of: part)
    }
    try checkWhatWasSetAside()
    findings = (reader.findings + queue.queue.findings).ofContents
    digest = content.digest
  }
}

extension StoreContents.Entry {
  init(
    of source: RowSource, as table: Table, _ session: Session,
    _ progress: inout ProgressLine
  ) throws(StoreError) {
    if let parts = try source.parts() {
      self = try Self(of: parts, as: table, session, &progress)
    } else {
      self = try Self(batchesOf: source, as: table, session, &progress)
    }
  }

  /// The same, a batch after the other, each of which is lent.
  init(
    batchesOf source: RowSource, as table: Table, _ session: Session,
    _ progress: inout ProgressLine, _ look: (borrowing RecordBatch) -> Void = { _ in }
  ) throws(StoreError) {
    var hash = TableHash(of: table)
    var (rows, rejected) = (0, 0)
    try source.forEachBatch(session) { (batch) throws(StoreError) in
      hash.update(batch)
      look(batch)
      rows += batch.rowCount
      rejected += batch.rejects.count
      progress.add(batch.rowCount, label: table.name)
    }
    self.init(table: table, rows: rows, digest: hash.digest, rejected: rejected)
  }

  /// The same, of rows that several threads can read.
  init(
    of parts: any RowParts, as table: Table, _ session: Session,
    _ progress: inout ProgressLine
  ) throws(StoreError) {
    var hash = TableHash(of: table)
    var (rows, rejected) = (0, 0)
    try hash.update(parts, threads: threadCount()) { (tally) throws(StoreError) in
      try session.checkInterruption()
      rows += tally.read
      rejected += tally.rejectedCells.values.reduce(0, +)
      progress.add(tally.read, label: table.name)
    }
    self.init(table: table, rows: rows, digest: hash.digest, rejected: rejected)
  }
}

extension Finding {
  /// Whether it is more than a note, or tells that changes may be missing.
  var mayMatter: Bool { severity >= .warning || tellsOfMissingChanges }
}

extension Findings {
  /// Those that say that contents may not be all that they should be: no other notes, and nothing of
  /// single operations, which are a part of the contents.
  var ofContents: Findings {
    Findings(lazy.filter { $0.mayMatter && $0.operation == nil })
  }
}

extension Session {
  /// The findings that decide how a comparison of contents ends: changes or rows that are missing, or
  /// all where a person has said how severe they may be.
  func decisive(_ findings: Findings) -> Findings {
    guard arguments.value("fail-on") == nil else { return findings }
    return Findings(findings.lazy.filter { $0.tellsOfMissingChanges || $0.tellsOfMissingRows })
  }
}
