import Bytes
package import Records
import SQLiteFile
import Synchronization

/// What all who load one store share: why it ended, if it did, and memory that was used before.
package final class LoadSite: Sendable {
  private let state = Mutex(State())
  /// Batches whose rows are written, to be filled again.
  private let spares = Mutex<[RecordBatch]>([])
  /// Cells that are written, to be made again.
  private let cells = Mutex<[RowCells]>([])

  private struct State: Sendable {
    var isStopped = false
    var failure: StoreError?
    /// Where steps wait for the builder.
    var channels: [Channel<LoadStep>] = []
  }

  /// Ends the loading: whoever waits for the builder to take a step hears the reason.
  package func stop(_ error: StoreError) {
    let channels = state.withLock { state in
      state.isStopped = true
      state.failure = state.failure ?? error
      return state.channels
    }
    for channel in channels { channel.close() }
  }

  func add(_ channel: Channel<LoadStep>) {
    let isStopped = state.withLock { state in
      state.channels.append(channel)
      return state.isStopped
    }
    if isStopped { channel.close() }
  }

  func remove(_ channel: Channel<LoadStep>) {
    state.withLock { state in state.channels.removeAll { $0 === channel } }
  }

  /// Why no more steps are taken.
  var reason: StoreError {
    state.withLock(\.failure)
      ?? StoreError(.internalError, "the store is no longer being built")
  }

  /// Keeps what was written, to be filled again.
  func keep(_ batch: RecordBatch, _ written: RowCells?) {
    spares.withLock { $0.append(batch) }
    if let written { cells.withLock { $0.append(written) } }
  }

  /// A batch without rows.
  func spare(columnCount: Int) -> RecordBatch {
    var spare = spares.withLock { $0.popLast() }
    guard spare?.columnCount == columnCount else { return RecordBatch(columnCount: columnCount) }
    spare?.removeAll()
    return spare ?? RecordBatch(columnCount: columnCount)
  }

  /// Cells to be made again, if there are any.
  func spareCells() -> RowCells? { cells.withLock { $0.popLast() } }
}
