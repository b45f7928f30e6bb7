package import Records

/// Lends the batches of one table to whoever takes them.
package typealias BatchProducer =
  ((inout RecordBatch) throws(StoreError) -> Void) throws(StoreError) -> Void

/// Spells the batches of one table, one buffer for each, and hashes them on the way.
package struct TableStream {
  private var spelling: any TableSpelling
  private var hash: TableHash?
  private var rows = 0

  /// Prepares to write a table; without `hash` the seal has none.
  package init(_ spelling: any TableSpelling, hash: TableHash?) {
    self.spelling = spelling
    self.hash = hash
  }

  /// Writes start, rows and end.
  ///
  /// - Returns: what is known of the table at its end.
  /// - Throws: `StoreError` of the producer or of the sink.
  package mutating func write(
    _ produce: BatchProducer, to sink: inout some ByteSink & ~Copyable
  ) throws(StoreError) -> TableSeal {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(512 << 10)
    spelling.appendStart(to: &buffer)
    try produce { (batch) throws(StoreError) in
      rows += spelling.append(batch, to: &buffer)
      hash?.update(batch)
      try sink.write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
    let seal = TableSeal(rows: rows, hash: hash?.digest)
    spelling.appendEnd(seal, to: &buffer)
    try sink.write(buffer)
    return seal
  }
}
