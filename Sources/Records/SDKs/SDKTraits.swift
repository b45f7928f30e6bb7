/// What is true of one generation of an SDK; where nothing is said, what is true of most stores.
package struct SDKTraits: Sendable {
  // What a replay must know.

  /// What its server speaks, or what a rehearsal of it takes; nil where that is not known.
  package var dialect: Dialect?
  /// The protocol of the service behind the store, where nothing of it is spoken here.
  package var service: String?
  /// What its requests look like.
  package var style = SDKStyle()

  /// Whether tables, and columns, whose names differ only in letter case are two.
  package var tellsNameTwinsApart = false

  /// Whether the items of its operations lack what has the default value of its type.
  package var leavesOutDefaults = false

  /// What numbers may stand for that it declares as nothing else, as it does objects as texts; nil where
  /// a store tells all apart.
  package var numbers: NumberMeaning?
  /// Whether a store may have a model beside it, or in it, which tells them apart.
  package var hasModels = false

  // How its operations fold.

  /// Whether ids that differ only in letter case are two items.
  package var tellsCaseTwinsApart = false
  /// Whether a delete is sent by the id and version of its operation, whatever was kept with it.
  package var deletesByOperation = false
  /// Whether a delete may name an item that the server never had, as the SDK cannot tell.
  package var deletesAcceptMissing = false
  /// Whether an update holds only what changed, and an insert takes the place of what is there.
  package var sendsChanges = false
  /// Whether an update may hold only a part of the item, and adds to the operations before it.
  package var sendsParts = false
  /// Whether every update holds but what it changed, under the names of the columns.
  package var hasUpdatesOfChanges = false
  /// Whether versions are numbers, of which the greatest is the latest whatever its operation.
  package var hasNumbersAsVersions = false
  /// Whether operations on one item are branches beside each other, which no order binds, and which
  /// name revisions and not rows.
  package var sendsBranches = false

  // What the audit must know.

  /// Whether the SDK keeps the deleted item with the operation, and sends its id and version.
  package var keepsDeletedItems = true
  /// Whether the SDK keeps an item with every operation, so that an empty one is damaged.
  package var keepsAllItems = false
  /// Whether it may keep several operations for one item.
  package var keepsSeveralOperations = false
  /// Whether the kind of an operation is a number in its payload, and its id one that grows.
  package var hasKindsInPayloads = false
  /// Whether payloads stand beside the rows, which have to be there all the same.
  package var hasPayloadsBesideRows = false
  /// Whether tokens are times of pulls, and not of rows.
  package var hasTokensOfPulls = false
  /// Whether the times of rows are rounded to milliseconds, while tokens are as the server wrote them.
  package var hasTokensFinerThanRows = false
  /// Whether a token tells of the store as a whole and not of a table.
  package var hasTokensOfStore = false
  /// Whether the queue stands for itself, in a store that has no tables.
  package var hasQueueOnly = false
  /// Whether a table, by its name in the store, is one of which the SDK never sends anything.
  package var staysOnDevice: @Sendable (_ sourceTable: String) -> Bool = { _ in false }
  /// Whether rows have versions by which a change may be made to depend on what the server has.
  package var hasVersions = true
  /// What may stand before the names of its system columns, its own first; with the others another
  /// generation wrote the same file.
  package var systemPrefixes = [""]
  /// Whether rows always have ids; else those that no server has seen have none yet.
  package var hasIDsFromTheStart = true
  /// Whether rows carry the server's mark of deletion.
  package var hasDeletionMarks = true
  /// What it means that ids differ only in letter case: nil where that is nothing.
  package var caseTwins: Severity? = .warning
  /// The code of operations that are commands to the server and change no item.
  package var commandCode: String?
  /// What the stored payload of an operation tells besides what all operations have.
  package var details: OperationDetail?

  /// Nothing in particular.
  package init() {}

  /// Whether its operations send sets of changes and no rows.
  package var sendsSets: Bool { dialect?.sendsSets == true }
}

/// What numbers stand for where an SDK declares truth values, and perhaps times, as nothing else.
package enum NumberMeaning: Sendable, CaseIterable {
  /// Truth values; times are no numbers.
  case truthValues
  /// Those, or the seconds since 1970.
  case seconds
  /// Those, or the milliseconds since 1970.
  case milliseconds
}

/// What the stored payload of an operation tells besides what all operations have.
package enum OperationDetail: Sendable {
  /// The names of the changed columns under a key of the row, with commas between them.
  case columns(key: String)
  /// The transaction, the changed members under one key, and other keys as they are.
  case entry(changes: String, kept: [StaticString])
}

/// What a service speaks.
package enum Dialect: String, Sendable, CaseIterable {
  /// Azure Mobile Services.
  case v1
  /// Azure Mobile Apps.
  case v2
  /// Microsoft Datasync.
  case v3
  /// Datasync of the Community Toolkit.
  case toolkit
  /// The REST interface of Parse.
  case parse
  /// None of them: rows under their own names, for the rehearsal of what other services took.
  case rows

  /// Whether what is sent are sets of changes as they were stored, which name no item, and no rows.
  package var sendsSets: Bool { self == .parse }

  /// What the server's own members begin with.
  package var systemPrefix: String { self == .v1 || self == .rows ? "__" : "" }
}
