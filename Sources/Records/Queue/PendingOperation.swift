import Bytes

/// What an operation does to its item.
package enum OperationKind: String, Sendable, CaseIterable {
  case insert
  case update
  case delete
}

/// How far an operation has come.
package enum OperationState: String, Sendable, CaseIterable {
  /// Not tried, or the SDK keeps no state.
  case pending
  /// A request was started; its outcome is unknown.
  case attempted
  /// The server refused it, or the request failed.
  case failed
  /// The server has taken it.
  case completed
  /// A person has decided that it must not be sent.
  case dropped

  /// The state of an operation that a person has kept; what came dropped from elsewhere has no other
  /// one to go back to.
  package var ifKept: OperationState { self == .dropped ? .pending : self }
}

/// A change that the device had made and the server had not confirmed.
///
/// Queues are long, so texts and payloads are packed; each look at one makes a copy. All of it takes
/// four words: so much a function gets in registers, and what is larger is copied with every loan.
package struct PendingOperation: Sendable, Equatable {
  /// The place in push order, from 1.
  package var sequence: Int64 = 0
  /// The key of its row, 0 where it has none.
  private var key: Int64 = 0
  /// The texts and payloads.
  var fields: OperationFields
  /// What it does, and how far it has come.
  private(set) var flags = OperationFlags()
  /// The number of its source in a store of several sources; 0 in others.
  package var source: Int32 = 0

  /// An operation about which nothing is known yet.
  package init() { fields = OperationFields() }

  /// An operation whose fields are where a block has them from some place on.
  init(fieldsFrom start: Int, _ flags: OperationFlags = OperationFlags(), key: Int64 = 0) {
    fields = OperationFields(startingAt: start)
    self.flags = flags
    self.key = key
  }

  /// The `_pk` of the row that an insert or update would send.
  package var rowKey: Int64? {
    get { flags.hasRow ? key : nil }
    set {
      flags.hasRow = newValue != nil
      key = newValue ?? 0
    }
  }

  /// What it does; nil when that cannot be decoded.
  package var kind: OperationKind? {
    get { flags.kind }
    set { flags.kind = newValue }
  }

  /// How far it has come; what is new takes the place of a mark, too.
  package var state: OperationState {
    get { flags.isMarkedDropped ? .dropped : flags.ownState }
    set {
      flags.ownState = newValue
      flags.isMarkedDropped = false
    }
  }

  /// The state beneath a person's mark, which leaves the operation itself as it is.
  package var ownState: OperationState { flags.ownState }

  /// Whether it is dropped by a person's mark.
  package var isMarkedDropped: Bool {
    get { flags.isMarkedDropped }
    set { flags.isMarkedDropped = newValue }
  }

  /// The canonical name of the table, or the source's name where no such table exists.
  package var table: String? {
    get { fields[.table] }
    set { fields[.table] = newValue }
  }

  /// The item's id as the operation spells it.
  package var itemID: String? {
    get { fields[.itemID] }
    set { fields[.itemID] = newValue }
  }

  /// The stored payload as JSON text: of a delete, or a snapshot that the SDK keeps.
  package var item: [UInt8]? {
    get { fields.item }
    set { fields.item = newValue }
  }

  /// The version that a condition would carry.
  package var baseVersion: String? {
    get { fields[.baseVersion] }
    set { fields[.baseVersion] = newValue }
  }

  /// The table of that row, where it is not `table`: a row of a subentity.
  package var rowTable: String? {
    get { fields[.rowTable] }
    set { fields[.rowTable] = newValue }
  }

  /// The SDK's own id, as text.
  package var originalID: String? {
    get { fields[.originalID] }
    set { fields[.originalID] = newValue }
  }

  /// The SDK's own code for the kind, as text.
  package var originalCode: String? {
    get { fields[.originalCode] }
    set { fields[.originalCode] = newValue }
  }

  /// The payload as stored.
  package var raw: RawValue? {
    get { fields.raw }
    set { fields.raw = newValue }
  }
}

extension PendingOperation {
  /// What is kept of an operation, in the order of its columns; the sequence is the key.
  ///
  /// Queues are long, so `OperationCells` writes them in another way, and must keep to it.
  package static let columns: [RecordField<Self>] = [
    .text("table", \.table), .text("itemId", \.itemID), .word("kind", \.kind),
    .word("state", \.state), .json("item", \.item), .text("baseVersion", \.baseVersion),
    .integer("rowKey", \.rowKey), .text("rowTable", \.rowTable),
    .text("originalId", \.originalID), .text("originalCode", \.originalCode), .raw("raw", \.raw),
  ]
}

extension PendingOperation {
  /// Whether the operation names a table in these bytes.
  func isForTable(_ name: Span<UInt8>) -> Bool {
    fields.with(.table) { $0.isEqual(to: name) } ?? false
  }

  /// Whether two operations name the same table, or none.
  package func isForSameTable(as other: borrowing PendingOperation) -> Bool {
    fields.isSame(.table, as: other.fields)
  }

  /// Whether the rows of two operations, if they have any, are in the same table.
  package func isForSameRows(as other: borrowing PendingOperation) -> Bool {
    isForSameTable(as: other) && fields.isSame(.rowTable, as: other.fields)
  }

  /// Whether the item's id is spelled with these bytes.
  package func isItemID(_ id: Span<UInt8>) -> Bool { withItemID { $0.isEqual(to: id) } ?? false }

  /// Lends the item's id, without a copy of it; nil where there is none.
  package func withItemID<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
    fields.with(.itemID, body)
  }

  /// The hash of the item's id, without a copy of it; nil where there is none.
  package func itemHash(
    seed: UInt64 = foldingSeed,
    by hash: (_ id: Span<UInt8>, _ seed: UInt64) -> UInt64 = foldedHash
  ) -> UInt64? {
    withItemID { hash($0, seed) }
  }

  /// The hash of table and item, the same for all spellings that name the item; nil where the
  /// operation names no table or no item.
  func itemHash(inTableSeededBy seed: UInt64, exactly: Bool) -> UInt64? {
    guard let table = fields.with(.table, { spelledHash($0, seed: seed) }),
      fields.with(.itemID, { !$0.isEmpty }) == true
    else { return nil }
    return exactly ? itemHash(seed: table, by: spelledHash) : itemHash(seed: table)
  }

  /// Whether two operations name the same item, as their SDK tells items apart: by the very
  /// spelling of their ids, or without regard to letter case.
  func isAboutSameItem(as other: borrowing PendingOperation, exactly: Bool) -> Bool {
    guard isForSameTable(as: other) else { return false }
    if fields.isSame(.itemID, as: other.fields) { return true }
    guard !exactly, let own = itemID, let others = other.itemID else { return false }
    // Letters with marks may be spelled in two ways, which no SDK and no hash takes for one.
    return ExactText(folding: own) == ExactText(folding: others)
  }
}
