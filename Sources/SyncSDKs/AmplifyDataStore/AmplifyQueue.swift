import Formats
import Records
import SQLite
import Tables

/// Reads the queue of Amplify DataStore, which keeps no errors: what fails for good is removed.
struct AmplifyQueue: QueueLayout {
  let variant: AmplifyDataStore.Variant
  let metadata: AmplifyMetadata

  /// A queue sends the version that the metadata has, which is in the operations already.
  var takesVersionsFromRows: Bool { false }

  func read(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Queue {
    var queue = Queue()
    switch variant {
    case .ios: try readEvents(tables, names, connection, into: &queue)
    case .android: try readRecords(tables, names, connection, into: &queue)
    case .js: try readMutations(tables, names, connection, into: &queue)
    }
    queue.tokens = try tokens(tables, names, connection, &queue)
    try metadata.complete(&queue, names: names, connection)
    try metadata.examineRows(&queue, tables, names: names, connection)
    return queue
  }

  private func readEvents(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection,
    into queue: inout Queue
  ) throws(SQLiteError) {
    let columns = [
      "id", "mutationType", "modelName", "modelId", "json", "graphQLFilterJSON", "inProcess",
      "version", "createdAt",
    ]
    guard
      var statement = try tables.select(
        columns, from: AmplifyNames.events, order: ["createdAt"], connection)
    else { return }
    var unread = UnreadColumns(of: columns)
    while try statement.step() {
      var operation = PendingOperation(number: queue.operations.count + 1, statement)
      unread.begin(operation, statement)
      operation.take(code: unread.code(statement, at: 1), of: Self.iosKinds)
      operation.table = names.canonical(exactly: unread.name(statement, at: 2, "model"))
      operation.itemID = unread.name(statement, at: 3, "item's id")
      let payload = statement.optionalRaw(at: 4)
      operation.takeItem(Self.model(in: payload))
      if statement.strictText(at: 8) == nil {
        unread.keep(statement, at: 8, "time in push order", "is no text")
      }
      operation.state = Self.state(statement, at: 6, &unread)
      let version = Self.version(statement, at: 7, &unread)
      if operation.takesVersion { operation.baseVersion = version }
      let condition = Self.condition(statement, at: 5, &unread)
      queue.add(&operation, payload, condition, unread)
    }
  }

  /// Whether an operation is being sent; what is neither yes nor no is kept.
  private static func state(
    _ statement: borrowing Statement, at column: Int, _ unread: inout UnreadColumns
  ) -> OperationState {
    switch (statement.storageClass(at: column), statement.integer(at: column)) {
    case (.integer, 0): return .pending
    case (.integer, 1): return .attempted
    default:
      unread.keep(
        statement, at: column, "mark of what is being sent",
        "is neither 0 nor 1, and counts as waiting")
      return .pending
    }
  }

  private static func version(
    _ statement: borrowing Statement, at column: Int, _ unread: inout UnreadColumns
  ) -> String? {
    if statement.storageClass(at: column) == .integer {
      return String(statement.integer(at: column))
    }
    unread.keep(statement, at: column, "version", "is no whole number")
    return nil
  }

  private func readMutations(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection,
    into queue: inout Queue
  ) throws(SQLiteError) {
    let columns = ["id", "operation", "model", "modelId", "data", "condition"]
    guard var statement = try tables.select(columns, from: AmplifyNames.events, connection)
    else { return }
    var unread = UnreadColumns(of: columns)
    while try statement.step() {
      var operation = PendingOperation(number: queue.operations.count + 1, statement)
      unread.begin(operation, statement)
      operation.take(code: unread.code(statement, at: 1), of: Self.jsKinds)
      operation.table = names.canonical(exactly: unread.name(statement, at: 2, "model"))
      operation.itemID = unread.name(statement, at: 3, "item's id")
      let payload = statement.optionalRaw(at: 4)
      operation.takeItem(JSONPayload.objectBytes(of: payload))
      if operation.takesVersion {
        let version = JSONPayload(payload).number("_version").flatMap { Int64($0) }
        operation.baseVersion = version.map { String($0) }
      }
      let condition = Self.condition(statement, at: 5, &unread)
      queue.add(&operation, payload, condition, unread)
      if operation.kind == .update {
        queue.tell(.partialPayload(operation))
      }
    }
  }

  private func readRecords(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection,
    into queue: inout Queue
  ) throws(SQLiteError) {
    let columns = ["id", "containedModelId", "containedModelClassName", "serializedMutationData"]
    guard var statement = try tables.select(columns, from: AmplifyNames.records, connection)
    else { return }
    var unread = UnreadColumns(of: columns)
    while try statement.step() {
      var operation = PendingOperation(number: queue.operations.count + 1, statement)
      unread.begin(operation, statement)
      let payload = statement.optionalRaw(at: 3)
      let record = AmplifyRecord(payload)
      let owner = unread.name(statement, at: 2, "model").map(AmplifyRecord.lastPart)
      let hasModelClass = owner != AmplifyNames.serializedModel
      operation.take(code: record?.code, of: Self.androidKinds)
      operation.table = names.canonical(
        exactly: record?.model ?? (hasModelClass && owner?.isEmpty == false ? owner : nil))
      operation.itemID = unread.name(statement, at: 1, "item's id")
      operation.takeItem(record?.item)
      queue.add(&operation, payload, record?.isConditional == true ? .elsewhere : nil, unread)
      queue.tell(Self.findings(about: record, operation, hasModelClass: hasModelClass))
    }
  }

  private static func findings(
    about record: AmplifyRecord?, _ operation: PendingOperation, hasModelClass: Bool
  ) -> [Finding] {
    var findings: [Finding] = []
    if operation.sequence == 1, record?.stopsTheSDK ?? true {
      findings.append(
        Finding(
          "queue-blocked", .error, operation,
          "the SDK cannot read its first record, so nothing behind it was ever sent"))
    }
    if hasModelClass, record?.isSerialized == true {
      findings.append(
        Finding(
          "payload-class-mismatch", .warning, operation,
          "the payload is not of the class that the record names; the SDK would send nulls"))
    }
    if operation.kind == .update, record?.isPartial == true {
      findings.append(.partialPayload(operation))
    }
    return findings
  }

  private func tokens(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection,
    _ queue: inout Queue
  ) throws(SQLiteError) -> TokenList {
    let (table, columns) =
      switch variant {
      case .ios: (AmplifyNames.iosTokens, ["id", "syncPredicate", "lastSync"])
      case .android:
        (AmplifyNames.androidTokens, ["modelClassName", "syncExpression", "lastSyncTime"])
      case .js: (AmplifyNames.metadata, ["model", "lastSyncPredicate", "lastSync"])
      }
    guard var statement = try tables.select(columns, from: table, connection) else { return [] }
    var tokens = TokenList()
    while try statement.step() {
      queue.tell(
        Finding.damagedNames(
          in: statement, at: [(0, "table"), (1, "query")], of: ("token", tokens.count + 1)))
      var token = DeltaToken(
        table: names.canonical(exactly: statement.spelledName(at: 0)),
        query: statement.spelledName(at: 1))
      token.readMilliseconds(statement, at: 2)
      if statement.storageClass(at: 2) != .integer { token.updatedAt = nil }
      tokens.append(token)
    }
    return tokens
  }
}

extension AmplifyQueue {
  private static let iosKinds: [String: OperationKind] = [
    "create": .insert, "update": .update, "delete": .delete,
  ]
  private static let androidKinds: [String: OperationKind] = [
    "CREATE": .insert, "UPDATE": .update, "DELETE": .delete,
  ]
  private static let jsKinds: [String: OperationKind] = [
    "Create": .insert, "Update": .update, "Delete": .delete,
  ]

  /// The model in a payload; Flutter puts it into an array.
  private static func model(in payload: RawValue?) -> [UInt8]? {
    if let bytes = JSONPayload.objectBytes(of: payload) { return bytes }
    guard case .text(let bytes)? = payload,
      // What is no JSON is told, and kept raw.
      case .array(let elements)? = try? JSONValue(parsing: bytes.span), elements.count == 1,
      case .object(let object)? = elements.first
    else { return nil }
    return object.json
  }

  /// The condition under which an operation is to be carried out; `{}` stands for none, and what is no
  /// text is kept, for it may have been one.
  private static func condition(
    _ statement: borrowing Statement, at column: Int, _ unread: inout UnreadColumns
  ) -> Condition? {
    guard statement.storageClass(at: column) != .null else { return nil }
    guard statement.strictText(at: column) != nil else {
      unread.keep(statement, at: column, "condition", "is no text")
      return .elsewhere
    }
    let condition = statement.bytes(at: column)
    let isNone = JSONObject(parsing: condition.span)?.members.isEmpty == true
    return isNone ? nil : .text(condition)
  }
}

/// A condition of an operation.
private enum Condition {
  /// It follows the payload in a line of its own.
  case text([UInt8])
  /// It is in the payload itself, or among what could not be read.
  case elsewhere
}

extension PendingOperation {
  /// Whether it is sent under a version.
  fileprivate var takesVersion: Bool { kind == .update || kind == .delete }

  /// Takes the SDK's word for the kind.
  fileprivate mutating func take(code: String?, of kinds: [String: OperationKind]) {
    originalCode = code
    kind = code.flatMap { kinds[$0] }
  }

  /// Takes the stored item, which is what the SDK sends, where the kind is known.
  fileprivate mutating func takeItem(_ bytes: [UInt8]?) {
    if kind != nil { item = bytes }
  }
}

extension Queue {
  /// Adds an operation with its payload as stored, and what else its row holds behind that.
  fileprivate mutating func add(
    _ operation: inout PendingOperation, _ payload: RawValue?, _ condition: Condition?,
    _ unread: UnreadColumns
  ) {
    var raw = payload
    if case .text(let line)? = condition { raw = RawValue(payload, followedBy: line) }
    operation.raw = raw
    operation.keep(unread, behind: raw)
    operations.append(operation)
    tell(unread.findings)
    guard condition != nil else { return }
    tell(
      Finding(
        "conditional-operation", .note, operation,
        "the operation was to be carried out only under a condition"))
  }
}

extension Finding {
  fileprivate static func partialPayload(_ operation: PendingOperation) -> Finding {
    Finding(
      "partial-payload", .note, operation, "the payload holds only a part of the item's fields")
  }
}
