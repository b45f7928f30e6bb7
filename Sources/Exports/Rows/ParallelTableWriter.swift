import Bytes
package import Records
import Synchronization

/// Spells the rows of one table and hashes them on the way, on as many threads as they may have.
package struct ParallelTableWriter {
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
      try misfits.add(spelled.misfits, of: spelled.bytes, as: spelling)
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

  /// The values that the columns of a format cannot hold, until the rows are written.
  fileprivate struct MisfitSpool {
    private var bytes = ByteSpool()
    private var places: [ByteSpool.Place] = []
    private var columns: Set<Int> = []
    /// The letter case of most values of a column that does not keep it, and where others are.
    private var usual: [Int: LetterCases] = [:]
    private var variants: [(column: Int, place: ByteSpool.Place)] = []

    /// Takes what the columns cannot hold of some rows, which were spelled.
    mutating func add(
      _ misfits: Misfits, of rows: [UInt8], as spelling: any TableSpelling
    ) throws(StoreError) {
      if !misfits.columns.isEmpty {
        columns.formUnion(misfits.columns)
        places.append(try keep(misfits.bytes))
      }
      for (column, cases) in misfits.letterCases.sorted(by: { $0.key < $1.key }) {
        // Digits alone are in no case.
        guard !cases.isEmpty else { continue }
        let usual = self.usual[column] ?? (cases.contains(.lower) ? .lower : .upper)
        self.usual[column] = usual
        guard !cases.isSubset(of: usual) else { continue }
        var found: [UInt8] = []
        spelling.appendMisfits(ofColumn: column, besides: usual, in: rows, to: &found)
        variants.append((column, try keep(found)))
      }
    }

    private mutating func keep(_ more: [UInt8]) throws(StoreError) -> ByteSpool.Place {
      do throws(FileError) {
        return try bytes.append(more.span)
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
      // How a value was spelled counts where its column becomes one of texts.
      let more = variants.filter { columns.contains($0.column) }.map(\.place)
      for place in places + more {
        do throws(FileError) {
          frame = try bytes.read(place)
        } catch {
          throw StoreError(error)
        }
        try sink.write(frame)
      }
      frame = []
      spelling.appendMisfitsEnd(columns, usual: usual, to: &frame)
      try sink.write(frame)
    }
  }
}

extension TableRows.Form {
  fileprivate var parts: (any RowParts)? {
    if case .parts(let parts) = self { parts } else { nil }
  }
}

extension ParallelTableWriter.RowSpeller {
  /// Rows that a thread has read or was given.
  enum RowWork: Sendable {
    case part(Int)
    case batch(RecordBatch)
  }
}

/// A run of rows in their spelling.
struct SpelledRows: Sendable {
  var bytes: [UInt8] = []
  var tally = RowTally()
  var written = 0
  var hashes = RowHashes()
  var misfits = Misfits()
}

extension ParallelTableWriter {
  /// What every thread needs to spell rows of one table.
  final class RowSpeller: Sendable {
    private let spelling: any TableSpelling
    private let hash: TableHash?
    private let parts: (any RowParts)?
    /// Buffers that were written and can be filled again.
    let spare = Spares<[UInt8]>()
    /// Batches that were spelled and can be filled again.
    let spareBatches = Spares<RecordBatch>()

    /// How many bytes are handed on at a time.
    private static let size = 512 << 10

    init(_ spelling: any TableSpelling, hash: TableHash?, parts: (any RowParts)?) {
      self.spelling = spelling
      self.hash = hash
      self.parts = parts
    }

    func makeWorker() -> OrderedWork<RowWork, Result<SpelledRows, StoreError>>.Worker {
      let reader = parts?.makeReader()
      var hash = hash
      return { [self] work, emit in
        var output = makeOutput()
        switch work {
        case .batch(let batch):
          add(batch, to: &output, &hash)
          spareBatches.keep(batch)
        case .part(let part):
          guard let reader else { return }
          do throws(StoreError) {
            try reader.forEachBatch(ofPart: part) { (batch) throws(StoreError) in
              add(batch, to: &output, &hash)
              guard output.bytes.count >= Self.size else { return }
              let full = output
              output = makeOutput()
              if !emit(.success(full)) { throw StoreError(.interrupted, "nobody takes the rows") }
            }
          } catch {
            _ = emit(.failure(error))
            return
          }
        }
        _ = emit(.success(output))
      }
    }

    private func makeOutput() -> SpelledRows {
      var output = SpelledRows()
      if let bytes = spare.take() {
        output.bytes = bytes
        output.bytes.removeAll(keepingCapacity: true)
      } else {
        output.bytes.reserveCapacity(Self.size + Self.size / 2)
      }
      return output
    }

    private func add(
      _ batch: borrowing RecordBatch, to output: inout SpelledRows, _ hash: inout TableHash?
    ) {
      output.tally.count(batch)
      let lost = output.misfits.lost
      output.written += spelling.append(batch, to: &output.bytes, &output.misfits)
      if output.misfits.lost > lost {
        output.tally.rejectedCells[.valueOutOfRange, default: 0] += output.misfits.lost - lost
      }
      guard hash != nil else { return }
      hash?.update(batch)
      if let hashes = hash?.takeRows() { output.hashes.add(hashes) }
    }
  }
}

/// Values whose memory can be used again, by any thread.
final class Spares<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  private static var limit: Int { 16 }

  func take() -> Value? {
    values.withLock { $0.popLast() }
  }

  func keep(_ value: Value) {
    values.withLock { if $0.count < Self.limit { $0.append(value) } }
  }
}
