package import Records

/// Reads an export that carries the parts of the bookkeeping as tables.
package protocol ExportReader: BatchReader, KeptRecords {
  /// Lends the rows of a part, some at a time.
  func forEachBatch(
    of part: BookkeepingTable, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError)
}

extension ExportReader {
  package var kept: (any KeptRecords)? { self }

  package func forEachDeviceItem(
    _ body: (DeviceItem) throws(StoreError) -> Void
  ) throws(StoreError) {
    try forEachBatch(of: .deviceItems) { (batch) throws(StoreError) in
      try batch.forEachDeviceItem(body)
    }
  }

  package func forEachJournalLine(
    _ body: (JournalLine) throws(StoreError) -> Void
  ) throws(StoreError) {
    try forEachBatch(of: .journal) { (batch) throws(StoreError) in
      try batch.forEachJournalLine(body)
    }
  }

  package func forEachStoredReject(
    _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError) {
    try forEachBatch(of: .rejects) { (batch) throws(StoreError) in
      try batch.forEachRejectedValue(body)
    }
  }

  /// The queue of the export at a path, of which `content` has all but what the journal tells.
  func queue(_ content: ExportQueue, of path: String) throws(StoreError) -> Queue {
    var queue = try content.wholeQueue(of: path)
    queue.deliveries = try readDeliveries(
      of: queue.operations, ofSeveral: source.isOfSeveral)
    return queue
  }
}
