import Bytes
import Formats
import Records
import SQLite
import Tables

/// Reads the changes that wait in a Local Datastore: those of its queue, and those of no queue.
struct ParseQueue {
  private let catalogue: Catalogue
  private let tables: [ParseTable]
  private let isAndroid: Bool
  private let names: TableNames
  private var queue = Queue()
  private var secrets = 0
  /// The objects that operations are about, by their rows.
  private var known: Set<Int64> = []
  private var recent = RecentObjects()

  init(_ catalogue: Catalogue, _ tables: [ParseTable], isAndroid: Bool) {
    self.catalogue = catalogue
    self.tables = tables
    self.isAndroid = isAndroid
    names = TableNames(catalogue)
  }

  /// Reads everything in push order; `secrets` are those that the objects hold.
  mutating func read(
    _ connection: borrowing Connection, secrets: Int
  ) throws(SQLiteError) -> Queue {
    self.secrets = secrets
    let named = try readPins(connection)
    try readSets(connection, isFlagged: true, named: named)
    try readSets(connection, isFlagged: false, named: named)
    if self.secrets > 0 { queue.tell(.secretsOfParse(self.secrets)) }
    return queue
  }

  // MARK: - The queue

  /// Reads the queued commands, those that the queue's pin keeps first; returns the sets that they
  /// name.
  private mutating func readPins(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<ExactText> {
    let kept = try keptObjects(connection)
    var named: Set<ExactText> = []
    var commands: [QueuedCommand] = []
    var statement = try connection.objects(ofClass: ParseLocalDatastore.eventuallyPin)
    while try statement.step() {
      let object = ParseObject(statement)
      if let set = object.text("operationSetUUID") { named.insert(ExactText(set)) }
      commands.append(
        QueuedCommand(
          key: object.key, time: object.queuedAt,
          isKept: object.uuid.map { kept.contains(ExactText($0)) } ?? false))
    }
    commands.sort { left, right in
      if left.isKept != right.isKept { return left.isKept }
      switch (left.time, right.time) {
      case (let first?, let second?) where first != second: return first < second
      case (_?, nil): return true
      case (nil, _?): return false
      default: return left.key < right.key
      }
    }
    var again = try connection.objectByKey()
    for command in commands {
      try again.bind(command.key, at: 1)
      defer { again.reset() }
      guard try again.step() else { continue }
      try add(ParseObject(again), connection)
      guard !command.isKept else { continue }
      tell("operation-never-pushed", .warning, "no pin of the queue keeps the command")
    }
    return named
  }

  /// A command and where it stands in the queue; there may be many, so each is read again.
  private struct QueuedCommand {
    let key: Int64
    let time: Timestamp?
    /// Whether one of the queue's pins keeps it.
    let isKept: Bool
  }

  private func queuePins(_ connection: borrowing Connection) throws(SQLiteError) -> [String] {
    var pins: [String] = []
    var statement = try connection.objects(ofClass: ParseLocalDatastore.pin)
    while try statement.step() {
      let object = ParseObject(statement)
      guard object.text("_name") == ParseLocalDatastore.eventuallyName, let uuid = object.uuid
      else { continue }
      pins.append(uuid)
    }
    return pins
  }

  /// The ids of all objects that the queue's pins keep, found in one pass.
  private func keptObjects(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<ExactText> {
    let pins = Set(try queuePins(connection).map { ExactText($0) })
    var kept: Set<ExactText> = []
    guard !pins.isEmpty else { return kept }
    var links = try connection.prepare(
      "SELECT \"key\", uuid FROM \(ParseLocalDatastore.dependencies)")
    while try links.step() {
      guard let pin = links.strictText(at: 0), pins.contains(ExactText(pin)),
        let uuid = links.strictText(at: 1)
      else { continue }
      kept.insert(ExactText(uuid))
    }
    return kept
  }

  private mutating func add(
    _ command: ParseObject, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    if command.fields["sessionToken"] != nil { secrets += 1 }
    var code: Int64?
    if case .number(let number)? = command.fields["type"] { code = number.integer }
    var operation = PendingOperation()
    operation.originalID = command.text("uuid")
    operation.originalCode = code == 1 ? nil : code.map { String($0) }
    guard code != 3 else { return add(command, operation) }
    let pointer = command.object("object")
    let target = try self.target(of: pointer, connection)
    let object = target?.object
    operation.table = object.map { names.canonical(exactly: $0.className) } ?? pointer?.className
    operation.itemID = object.map(\.itemID) ?? pointer?.itemID
    switch code {
    case 1: addSave(of: target, command, operation)
    case 2:
      operation.kind = .delete
      operation.raw = pointer.map { .text($0.json) }
      if let object { operation.item = shown(object) }
      add(operation, about: object)
    default: add(operation, about: nil)
    }
  }

  /// Adds a command that is no change of an object.
  private mutating func add(_ command: ParseObject, _ operation: PendingOperation) {
    var operation = operation
    let whole = ParseCommandReader.ParseCommand(command.object("command"))
    secrets += whole.secretCount
    let given = whole.open ?? JSONObject()
    operation.raw = .text(given.json)
    if case .object(let parameters)? = given["parameters"] {
      operation.item = parameters.json
    }
    add(operation, about: nil)
    var path = ""
    if case .string(let text)? = given["httpPath"] { path = text }
    tell(
      "command-operation", path.hasPrefix("events/") ? .note : .warning,
      "the command is no change of an object")
  }

  private mutating func addSave(
    of target: ChangedObject?, _ command: ParseObject, _ operation: PendingOperation
  ) {
    var operation = operation
    guard let target else {
      operation.kind = .update
      return add(operation, about: nil)
    }
    let object = target.object
    guard let place = target.place(ofSet: command.text("operationSetUUID")),
      case .object(let changes) = object.sets[place]
    else {
      operation.kind = kind(ofSaving: object)
      add(operation, about: object)
      return tell(
        "operation-set-missing", .error, "the object lacks the changes that this was to send")
    }
    operation.kind = changes.isDecodableSet ? kind(ofSaving: object) : nil
    operation.raw = raw(ofSet: place, of: target)
    add(operation, about: object)
  }

  // MARK: - Changes of no queue

  private mutating func readSets(
    _ connection: borrowing Connection, isFlagged: Bool, named: Set<ExactText>
  ) throws(SQLiteError) {
    var statement = try connection.objects()
    while try statement.step() {
      let object = ParseObject(statement)
      guard object.isOfTheApp else { continue }
      if object.hasStrangeSets, !isFlagged { addStrangeSets(of: object) }
      lazy var changed = ChangedObject(object)
      for place in object.sets.indices {
        guard case .object(let changes) = object.sets[place] else {
          if !isFlagged { add(place, of: changed) }
          continue
        }
        guard (changes["__isSaveEventually"] == .boolean(true)) == isFlagged else { continue }
        if isFlagged {
          if case .string(let uuid)? = changes["__uuid"], named.contains(ExactText(uuid)) {
            continue
          }
          add(place, of: changed)
        } else {
          let isLast = place == object.sets.count - 1
          let isNew = isLast && object.objectID == nil && !known.contains(object.key)
          if changes.hasChanges || isNew { add(place, of: changed) }
        }
      }
    }
  }

  /// Adds a set that no command names.
  private mutating func add(_ place: Int, of changed: ChangedObject) {
    let object = changed.object
    var operation = PendingOperation()
    operation.table = names.canonical(exactly: object.className)
    operation.itemID = object.itemID
    operation.raw = raw(ofSet: place, of: changed)
    var isFlagged = false
    if case .object(let changes) = object.sets[place] {
      if case .string(let uuid)? = changes["__uuid"] { operation.originalID = uuid }
      if changes.isDecodableSet { operation.kind = kind(ofSaving: object) }
      isFlagged = changes["__isSaveEventually"] == .boolean(true)
    }
    if !isFlagged, place < object.sets.count - 1 { operation.state = .attempted }
    add(operation, about: object)
    if isFlagged {
      tell("operation-never-pushed", .warning, "no command of the queue names these changes")
    } else {
      tell(
        "unsaved-changes", .warning, "the changes are on the device only, and no queue sends them")
    }
  }

  /// Adds changes that nobody can tell, as something else than sets stands in their place.
  private mutating func addStrangeSets(of object: ParseObject) {
    var operation = PendingOperation()
    operation.table = names.canonical(exactly: object.className)
    operation.itemID = object.itemID
    // Where a class has secrets, nobody can tell whether there are any in it.
    if ParseLocalDatastore.secrets(of: object.className).isEmpty {
      operation.raw = object.textOfSets.map { .text($0) }
    }
    add(operation, about: object)
    tell(
      "unsaved-changes", .warning, "the changes are on the device only, and no queue sends them")
  }

  // MARK: - Objects

  /// What saving an object does: the first save of one that the server does not know creates it.
  private func kind(ofSaving object: ParseObject) -> OperationKind {
    // Apps may choose ids themselves; only that the server never confirmed the object tells.
    let isUnconfirmed =
      isAndroid && !object.has("createdAt") && object.body?["__complete"] == .boolean(true)
    let isNew = object.objectID == nil || isUnconfirmed
    return isNew && !known.contains(object.key) ? .insert : .update
  }

  /// The object to which a pointer leads, which is read once for all commands that come together.
  private mutating func target(
    of pointer: JSONObject?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> ChangedObject? {
    guard let pointer, let id = pointer.itemID else { return nil }
    let isLocal = pointer["__type"] == .string("OfflineObject")
    // Sorted with its key, an object would be copied for each command that is about it.
    var keys = try connection.prepare(
      "SELECT rowid FROM \(ParseLocalDatastore.objects) WHERE "
        + (isLocal ? "uuid = ?1" : "objectId = ?1 AND className = ?2") + " ORDER BY rowid LIMIT 1")
    try keys.bind(id, at: 1)
    if !isLocal {
      guard let className = pointer.className else { return nil }
      try keys.bind(className, at: 2)
    }
    guard try keys.step() else { return nil }
    if let target = recent[keys.integer(at: 0)] { return target }
    let columns = ParseObject.columns.map(quoted).joined(separator: ", ")
    var row = try connection.prepare(
      "SELECT rowid, \(columns) FROM \(ParseLocalDatastore.objects) WHERE rowid = ?1")
    try row.bind(keys.integer(at: 0), at: 1)
    guard try row.step() else { return nil }
    let object = ParseObject(row)
    guard object.isOfTheApp else { return nil }
    let target = ChangedObject(object)
    recent.keep(target)
    return target
  }

  private mutating func add(_ operation: PendingOperation, about object: ParseObject?) {
    var operation = operation
    operation.sequence = Int64(queue.operations.count + 1)
    if let object {
      known.insert(object.key)
      operation.rowKey = object.key
    }
    queue.operations.append(operation)
  }

  /// Tells something of the operation that came last.
  private mutating func tell(_ code: String, _ severity: Severity, _ message: String) {
    guard let operation = queue.operations.last else { return }
    queue.tell(Finding(code, severity, operation, message))
  }

  /// A set as stored; without its secrets where it has some.
  private func raw(ofSet place: Int, of changed: ChangedObject) -> RawValue? {
    let object = changed.object
    let secrets = ParseLocalDatastore.secrets(of: object.className)
    guard case .object(let changes) = object.sets[place] else {
      return changed.text(ofSet: place).map { .text($0) }
    }
    let open = changes.members.filter { !secrets.contains($0.key) }
    if open.count == changes.members.count, let text = changed.text(ofSet: place) {
      return .text(text)
    }
    return .text((JSONObject(open) ?? JSONObject()).json)
  }

  private func shown(_ object: ParseObject) -> [UInt8]? {
    guard let place = tables.firstIndex(where: { hasSameBytes($0.className, object.className) })
    else {
      return nil
    }
    let table = catalogue.tables[place]
    var batch = RecordBatch(columnCount: table.columns.count)
    tables[place].append(object, to: &batch)
    var json: [UInt8] = []
    RowJSON(of: table).append(row: 0, of: batch, to: &json)
    return json
  }
}

extension ParseObject {
  fileprivate func text(_ name: String) -> String? {
    if case .string(let text)? = fields[name] { text } else { nil }
  }

  fileprivate func object(_ name: String) -> JSONObject? {
    if case .object(let object)? = fields[name] { object } else { nil }
  }

  fileprivate var queuedAt: Timestamp? {
    guard case .string(let iso)? = object("time")?["iso"] else { return nil }
    return Timestamp(parsing: iso.utf8Span.span)
  }
}

extension JSONObject {
  /// The class to which a pointer leads; that of an object of the device is not in it.
  fileprivate var className: String? {
    guard self["__type"] != .string("OfflineObject"), case .string(let name)? = self["className"]
    else { return nil }
    return name
  }

  /// The id to which a pointer leads.
  fileprivate var itemID: String? {
    let key = self["__type"] == .string("OfflineObject") ? "uuid" : "objectId"
    if case .string(let id)? = self[key] { return id }
    return nil
  }
}
