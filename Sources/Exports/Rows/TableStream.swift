import Bytes
package import Records

/// Spells the rows of one table and hashes them on the way, on as many threads as they may have.
package struct TableStream {
  private let spelling: any TableSpelling
  private var hash: TableHash?

  /// Prepares to write a table; without `hash` the seal has none.
  package init(_ spelling: any TableSpelling, hash: TableHash?) {
    self.spelling = spelling
    self.hash = hash
  }

  /// Writes start, rows and end; the bytes are the same for any number of threads.
  ///
  /// `note` gets the rows in their order, as they are written.
  ///
  /// - Returns: what is known of the table at its end.
  /// - Throws: `StoreError` of the rows, of the sink or of `note`.
  package mutating func write(
    _ rows: TableRows, to sink: inout some ByteSink & ~Copyable,
    noting note: (RowTally) throws(StoreError) -> Void
  ) throws(StoreError) -> TableSeal {
    let worker = RowSpeller(spelling, hash: hash, parts: rows.form.parts)
    var work = OrderedWork(threads: rows.threads, makeWorker: worker.makeWorker)
    var written = 0
    var misfits = MisfitSpool()
    var start: [UInt8] = []
    spelling.appendStart(to: &start)
    try sink.write(start)
    func take(_ result: Result<SpelledRows, StoreError>) throws(StoreError) {
      var spelled = try result.get()
      if written == 0, spelled.written > 0 { spelled.bytes.removeFirst(spelling.separatorSize) }
      try sink.write(spelled.bytes)
      try note(spelled.tally)
      written += spelled.written
      hash?.add(spelled.hashes)
      try misfits.add(spelled.misfits)
      worker.spare.keep(spelled.bytes)
    }
    switch rows.form {
    case .parts(let parts):
      for part in 0..<parts.count { try work.put(.part(part), take) }
    case .batches(let produce):
      try produce { (batch) throws(StoreError) in
        // The batch goes on to another thread; an emptied one takes its place.
        var taken = worker.spareBatches.take() ?? RecordBatch(columnCount: batch.columnCount)
        taken.removeAll()
        swap(&taken, &batch)
        try work.put(.batch(taken), take)
      }
    }
    try work.finish(take)
    let seal = TableSeal(rows: written, hash: hash?.digest)
    var end: [UInt8] = []
    spelling.appendEnd(seal, to: &end)
    try sink.write(end)
    try misfits.write(as: spelling, to: &sink)
    return seal
  }
}

/// The values that the columns of a format cannot hold, until the rows are written.
private struct MisfitSpool {
  private var bytes = ByteSpool()
  private var places: [ByteSpool.Place] = []
  private var columns: Set<Int> = []

  mutating func add(_ misfits: Misfits) throws(StoreError) {
    guard !misfits.columns.isEmpty else { return }
    columns.formUnion(misfits.columns)
    do throws(FileError) {
      places.append(try bytes.append(misfits.bytes.span))
    } catch {
      throw StoreError(error)
    }
  }

  func write(
    as spelling: any TableSpelling, to sink: inout some ByteSink & ~Copyable
  ) throws(StoreError) {
    guard !columns.isEmpty else { return }
    var frame: [UInt8] = []
    spelling.appendMisfitsStart(to: &frame)
    try sink.write(frame)
    for place in places {
      do throws(FileError) {
        frame = try bytes.read(place)
      } catch {
        throw StoreError(error)
      }
      try sink.write(frame)
    }
    frame = []
    spelling.appendMisfitsEnd(columns, to: &frame)
    try sink.write(frame)
  }
}

extension TableRows.Form {
  fileprivate var parts: (any RowParts)? {
    if case .parts(let parts) = self { parts } else { nil }
  }
}
