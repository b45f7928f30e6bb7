import Bytes
import Records

/// Finds the items on which operations of several devices wait, while the operations come device by device.
struct ItemsOfDevices {
  /// The items of the devices before, and those of this one, each by its hash: that two have the same one
  /// is as good as impossible, and there may be millions.
  private var earlier: KeySet = []
  private var own: KeySet = []
  private var device: Int32?

  /// Takes an operation; true where one of another device on its item came before.
  mutating func take(_ operation: PendingOperation) -> Bool {
    guard let table = operation.table, let id = operation.itemID else { return false }
    if operation.source != device {
      earlier.formUnion(own)
      own = []
      device = operation.source
    }
    var hasher = Hasher()
    hasher.combine(ExactText(table))
    hasher.combine(ExactText(id))
    let item = Int64(hasher.finalize())
    own.insert(item)
    return earlier.contains(item)
  }
}
