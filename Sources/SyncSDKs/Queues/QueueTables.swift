import Records
import Tables

/// How an SDK keeps its queue in tables of its own: what they are called, and what is in them.
///
/// A column that is nil, or that a store lacks, reads as NULL.
struct QueueTables: Sendable {
  var operations: Operations
  /// That of the errors; nil where failed operations are all that tells of them.
  var errors: Errors?
  var tokens: Tokens
  /// How item ids of operations are compared with those of rows.
  var itemIDs = ItemIDComparison.exact
  /// Whether an update goes out under the version of its row, and not under one of its own.
  var takesVersionsFromRows = true

  /// What stands in the column of kinds.
  enum Kinds {
    /// Numbers.
    case numbers([Int64: OperationKind])
    /// The words that our own reports use.
    case words
  }

  enum Payload {
    case itemOfDeletes
    /// Of deletes too no more than the version of the item.
    case versionOfDeletes
    case item
  }

  struct Operations: Sendable {
    let table: String
    let id: String
    let kind: String
    var state: String?
    /// The column that names the table of the item, and whether it does so by the type of items.
    let tableName: String
    var namesTypes = false
    let itemID: String
    let payload: String
    /// The version that the item had, where a column has it.
    var version: String?
    /// The status of the answer, where errors have no table.
    var status: String?
    /// A column in which 0 stands for what a push asks for.
    var tableKind: String?
    /// What a push sorts by; nothing where it takes rows as they come.
    var order: [String] = []
    let kinds: Kinds
    var states: [Int64: OperationState] = [:]
    let payloads: Payload
    /// The keys under which a payload may hold the version of a deleted item, the first that counts.
    var versionKeys = VersionKeys.new
    /// Where deleted items are kept apart.
    var backups: Backups?
    /// Why an operation with this id is not one of this SDK's own; nil where it may be.
    var stranger: @Sendable (_ id: String) -> String? = { _ in nil }
    /// What the states of such an operation mean.
    var strangerStates: [Int64: OperationState] = [:]
  }

  struct Backups: Sendable {
    let table: String
    /// The name of the table, a slash and the item's id.
    let id: String
    let tableName: String
    let itemID: String
    let item: String
  }

  struct Errors: Sendable {
    let table: String
    let id: String
    /// The id of the operation; nil where an error has that of its operation.
    var operationID: String?
    let tableName: String
    var itemID: String?
    let kind: String
    let status: String
    let item: String
    var message: String?
    let answer: String
    var serverItem: String?
    /// How often the operation had been changed, which it counts itself under the other name.
    var changes: (ofError: String, ofOperation: String)?
  }

  struct Tokens: Sendable {
    let table: String
    let key: String
    /// The column that names the table, where the key does not.
    var tableName: String?
    let value: String
    /// What a number counts, or how a text spells the time.
    let time: Time
    /// What a key and the table beside it stand for; nil for a row that is no token.
    let target: @Sendable (_ key: String?, _ table: String?, TableNames) -> Target?
    /// The type of items that a key names, where keys do so instead of naming a table.
    var type: @Sendable (_ key: String) -> String? = { _ in nil }
  }

  /// How a token spells its time.
  enum Time {
    case iso
    case milliseconds
  }

  /// What a token is for.
  struct Target {
    var table: String?
    var query: String?
  }
}
