import Bytes
import CommandLineKit
import Records
import Writers

/// Writes the rows of one table as NDJSON.
struct TableExport {
  let reader: any StoreReader
  let table: Int
  let settings: RunSettings

  /// Writes to standard output, a buffer at a time.
  ///
  /// - Throws: `StoreError` when the source cannot be read or nobody reads the output.
  func writeToStandardOutput() throws(StoreError) -> TableBalance {
    let balance = try spell { (bytes) throws(StoreError) in
      try settings.console.writeOutput(bytes)
    }
    try SourceProof.checkUnchanged(reader)
    return balance
  }

  /// Writes to a file that appears under its name when it is complete.
  ///
  /// - Throws: `StoreError` when the source cannot be read or the file cannot be written.
  func write(toFileAt path: String) throws(StoreError) -> TableBalance {
    var staged = try storeErrors { () throws(FileError) in
      try StagedOutput(for: path, replacing: settings.arguments.flag("force"))
    }
    let balance = try spell { (bytes) throws(StoreError) in
      try storeErrors { () throws(FileError) in try staged.write(bytes.span) }
    }
    try SourceProof.checkUnchanged(reader)
    do {
      try staged.publish()
    } catch {
      throw StoreError(error)
    }
    return balance
  }

  private func spell(
    _ write: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) -> TableBalance {
    let description = reader.catalogue.tables[table]
    let rows = NDJSONRows(of: description)
    var balance = TableBalance(name: description.name)
    var buffer: [UInt8] = []
    buffer.reserveCapacity(512 << 10)
    var progress = settings.makeProgress()
    defer { progress.clear() }
    let total = try reader.countRows(inTable: table)
    try reader.forEachBatch(inTable: table) { (batch) throws(StoreError) in
      try settings.checkInterruption()
      balance.read += batch.rowCount
      balance.rejectedCells += batch.rejects.count
      balance.written += rows.append(batch, to: &buffer)
      try write(buffer)
      buffer.removeAll(keepingCapacity: true)
      progress.update(done: balance.written, total: total, label: description.name)
    }
    guard balance.isBalanced, balance.read == total else {
      throw StoreError(balance, counted: total)
    }
    return balance
  }
}
