import Bytes
import Records
import Synchronization

/// A store that another thread opens, with its queue, before its turn has come.
final class StoreOpenedAhead: Sendable {
  let turn: StoreInTurn
  /// Its number among the sources.
  let number: Int
  private let opening: Background<Result<Reader, StoreError>>

  /// Takes a reader from the thread that opened the store to the one that reads it.
  private final class Reader: Sendable {
    private let reader: Mutex<(any StoreReader)?>

    init(_ reader: sending any StoreReader) { self.reader = Mutex(reader) }

    func take() -> sending (any StoreReader)? {
      reader.withLock { reader in
        let taken = reader
        reader = nil
        return taken
      }
    }
  }

  /// Begins to open it.
  init(_ turn: StoreInTurn, number: Int, _ session: Session) {
    self.turn = turn
    self.number = number
    opening = Background(threads: threadCount()) {
      do throws(StoreError) {
        let reader = try turn.open(session)
        try reader.prepareQueue()
        return .success(Reader(reader))
      } catch {
        return .failure(error)
      }
    }
  }

  /// The reader, which is there once.
  func take() throws(StoreError) -> (any StoreReader)? { try opening.value.get().take() }
}
