import Records

/// What becomes of the rows that the operations of a source would send, by what is known of them.
struct RowUses {
  /// The operations of which the source itself knows the rows of their devices.
  struct Known {
    var all: KeySet = []
    /// Those that would send a row in which a value was lost.
    var lacking: KeySet = []
  }

  /// The rows of operations of which the source does not know them, by table.
  private(set) var sent: [Int: [SentRow]] = [:]
  /// Those that give way although values that their devices had lost may be in them by now.
  private(set) var lacking: [Int: [SentRow]] = [:]
  /// The operations that keep what is known of them as an item, since their row gives way.
  private(set) var given = PlaceList()
  /// Those that nobody can read, whose rows are shown and never sent.
  private(set) var unreadable = PlaceList()

  /// Notes the row of an operation that is no delete.
  mutating func note(
    _ operation: PendingOperation, at place: Int, key: Int64, ofTable own: Int, _ known: Known,
    sendsRows: Bool, givesWay: @autoclosure () -> Bool, isReadable: @autoclosure () -> Bool
  ) {
    let hasNone = operation.item == nil
    let row = SentRow(key: key, operation: place, of: operation)
    if known.all.contains(operation.sequence) {
      let isLacking = known.lacking.contains(operation.sequence)
      guard hasNone || isLacking, givesWay(), isReadable() else { return }
      if isLacking { lacking[own, default: []].append(row) }
      // Where a device sends its row in any case, an item beside it is a payload of the SDK's.
      if hasNone || !sendsRows { given.append(place) }
    } else if hasNone || sendsRows {
      if !isReadable() {
        // With the row in its place, a payload that nobody can read would be sent.
        guard hasNone, givesWay() else { return }
        unreadable.append(place)
      }
      sent[own, default: []].append(row)
    }
  }

  /// Brings the rows of each table into the order of their keys.
  mutating func sort() {
    // With the keys of the list itself, each part of it would be copied.
    for own in Array(sent.keys) { sent[own]?.sort { $0.key < $1.key } }
    for own in Array(lacking.keys) { lacking[own]?.sort { $0.key < $1.key } }
  }
}
