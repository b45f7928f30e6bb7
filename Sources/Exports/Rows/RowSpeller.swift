import Bytes
import Records
import Synchronization

/// Rows that a thread has read or was given.
enum RowWork: Sendable {
  case part(Int)
  case batch(RecordBatch)
}

/// A run of rows in their spelling.
struct SpelledRows: Sendable {
  var bytes: [UInt8] = []
  var tally = RowTally()
  /// How many rows were spelled.
  var written = 0
  var hashes = RowHashes()
  var misfits = Misfits()
}

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

  /// Makes the worker of one thread.
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

/// Values whose memory can be used again, by any thread.
final class Spares<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  /// More than this many are let go.
  private static var limit: Int { 16 }

  func take() -> Value? {
    values.withLock { $0.popLast() }
  }

  func keep(_ value: Value) {
    values.withLock { if $0.count < Self.limit { $0.append(value) } }
  }
}
