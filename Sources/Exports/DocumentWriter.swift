import Bytes
package import Records

/// Writes a store as one document, to a file or a stream.
package struct DocumentWriter: ~Copyable, ExportDestination {
  private var output: ExportOutput
  private var spelling: any DocumentSpelling

  /// Begins a document; JSON and XML have one.
  ///
  /// - Throws: `StoreError` when the format has no documents, or the output takes nothing.
  package init(
    to output: consuming ExportOutput, head: ExportHead, format: ExportFormat,
    schema: String = "rehome"
  ) throws(StoreError) {
    guard var spelling = format.document(schema: schema) else {
      throw StoreError(.usage, "\(format.title) has no single document")
    }
    var bytes: [UInt8] = []
    spelling.appendStart(head, to: &bytes)
    try output.write(bytes)
    self.output = output
    self.spelling = spelling
  }

  package mutating func add(
    _ table: Table, as part: BookkeepingTable?, from rows: TableRows,
    noting note: (RowTally) throws(StoreError) -> Void
  ) throws(StoreError) -> TableSeal {
    var bytes: [UInt8] = []
    let tableSpelling = spelling.appendSeparator(before: table, as: part, to: &bytes)
    try output.write(bytes)
    var stream = ParallelTableWriter(tableSpelling, hash: TableHash(of: table))
    return try stream.write(rows, to: &output, noting: note)
  }

  package consuming func finish(_ tail: ExportTail) throws(StoreError) {
    try spelling.spellEnd(tail) { (part) throws(StoreError) in try output.write(part) }
    try output.finish()
  }
}
