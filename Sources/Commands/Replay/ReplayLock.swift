import Bytes
import Records

/// Keeps two replays from working with one store, for as long as the value lives.
final class ReplayLock {
  private let lock: FileLock

  /// Takes the lock on a store.
  ///
  /// - Throws: `StoreError` of kind `temporary` when another replay has it.
  init(on path: String) throws(StoreError) {
    let lock = try storeErrors { () throws(FileError) in try FileLock.take(on: path) }
    guard let lock else {
      throw StoreError(
        .temporary, path: path, "another replay is working with the store",
        hint: "wait until it is done, and run again")
    }
    self.lock = lock
  }
}
