import Bytes
import Canonical
import Formats
import Records
import Replay
import SyncSDKs

/// What a store of Parse sends: sets of changes as they were stored, without what only the device
/// needs.
final class ParseSets {
  private let changes: StoredChanges
  private let tables: [ExactText: Table]

  init(of store: any OpenStore, catalogue: Catalogue) throws(StoreError) {
    changes = try StoredChanges(of: store)
    tables = catalogue.tablesByName
  }

  /// What an insert or update sends; nil when the store does not have it.
  func item(for step: ReplayStep) throws(StoreError) -> ReplayItem? {
    guard let stored = try changes.change(of: step.effect.source),
      let set = JSONObject(changesOfParse: stored.raw, parameters: step.effect.item)
    else { return nil }
    var members = set.members.filter { !$0.key.hasPrefix("__") }
    var updatedAt: String?
    if let key = step.effect.rowKey,
      let state = try state(ofRow: key, in: step.effect.rowTable ?? step.table)
    {
      updatedAt = state.updatedAt
      // An id that the app has chosen is part of what it sends.
      if step.effect.kind == .insert, let id = state.id {
        members.insert(JSONObject.Member(key: "objectId", value: .string(id)), at: 0)
      }
    }
    if case .object(let date)? = set["__updatedAt"], case .string(let iso)? = date["iso"] {
      updatedAt = iso
    }
    var json: [UInt8] = []
    guard let sent = JSONObject(members) else { return nil }
    JSONValue.object(sent).append(to: &json)
    var item = ReplayItem(json: json, updatedAt: updatedAt)
    item.changeID = stored.originalID
    if case .string(let name)? = set["__uuid"] { item.changeID = name }
    return item
  }

  /// The fields that the sets of an effect change; nil where one of them is not known.
  ///
  /// The others may never have been fetched, or were changed elsewhere.
  func fields(setBy effect: Effect) throws(StoreError) -> Set<ExactText>? {
    var fields: Set<ExactText> = []
    for sequence in effect.sequences {
      guard let stored = try changes.change(of: sequence),
        let set = JSONObject(changesOfParse: stored.raw, parameters: nil)
      else { return nil }
      fields.formUnion(set.members.map { ExactText($0.key) })
    }
    return fields
  }

  private func state(
    ofRow key: Int64, in table: String
  ) throws(StoreError) -> (id: String?, updatedAt: String?)? {
    guard let table = tables[ExactText(table)] else { return nil }
    return try changes.state(ofRow: key, in: table)
  }
}

extension ParseSets {
  /// Tells the operations what the server knows of their objects: its id and the time of the last
  /// change that the device has seen.
  func addVersions(
    to operations: inout OperationList, _ pointers: LocalPointers
  ) throws(StoreError) {
    try operations.updateEach { (_, operation) throws(StoreError) in
      guard operation.state.isPending else { return }
      let known = operation.rowKey == nil ? operation.itemID : nil
      if let id = known.flatMap({ pointers.objects[ExactText($0)]?.objectID }) {
        // The server has told the device, which then changes what it would have made.
        if operation.kind == .insert { operation.kind = .update }
        operation.baseVersion = ParseVersion(objectID: id, updatedAt: nil).text
      } else if operation.kind != .insert {
        operation.baseVersion = try version(of: operation)?.text
      }
    }
  }

  private func version(of operation: PendingOperation) throws(StoreError) -> ParseVersion? {
    guard let id = operation.itemID else { return nil }
    guard let key = operation.rowKey, let table = operation.rowTable ?? operation.table,
      let state = try state(ofRow: key, in: table)
    else {
      // Without its row only the form of the id tells whether a device gave it.
      let isOfDevice = id.hasPrefix("local_") || isUUID(id.utf8Span.span)
      return isOfDevice ? nil : ParseVersion(objectID: id, updatedAt: nil)
    }
    return state.id.map { ParseVersion(objectID: $0, updatedAt: state.updatedAt) }
  }

  /// What the operations point to, and which of them cannot be sent.
  func pointers(
    of operations: OperationList, _ facts: [SourceDescription.Fact]
  ) throws(StoreError) -> LocalPointers {
    var pointers = LocalPointers()
    var names: Set<ExactText> = []
    for operation in operations where operation.state.isPending {
      let reason = try look(at: operation, &pointers)
      pointers.unsendable[operation.sequence] = reason
      names.formUnion((pointers.targets[operation.sequence] ?? []).map { ExactText($0) })
      if operation.kind == .insert, let name = operation.itemID, let table = operation.table {
        // Its id comes with the answer.
        pointers.objects[ExactText(name)] = LocalPointers.Object(
          className: tables[ExactText(table)]?.sourceName ?? table, objectID: nil)
      }
    }
    for fact in facts {
      guard let tie = fact.localObject else { continue }
      let className = pointers.objects[ExactText(tie.name)]?.className ?? tie.className
      pointers.objects[ExactText(tie.name)] = LocalPointers.Object(
        className: className, objectID: tie.objectID)
    }
    try addIDs(of: names, to: &pointers)
    return pointers
  }

  /// Adds the objects that the store knows by names of their device and by ids of the server's.
  private func addIDs(
    of names: Set<ExactText>, to pointers: inout LocalPointers
  ) throws(StoreError) {
    guard !names.isEmpty else { return }
    for table in tables.values {
      try changes.forEachName(in: table, column: "_uuid") { name, id in
        guard names.contains(ExactText(name)) else { return }
        pointers.objects[ExactText(name)] = LocalPointers.Object(
          className: table.sourceName, objectID: id)
      }
    }
  }

  /// The objects to which rows that operations send point by names of their device, where the server
  /// has given them ids; to the others a row can point by these names only.
  func pointers(
    inRowsOf operations: OperationList, _ sdks: DeviceSDKs, _ rows: StoredRows
  ) throws(StoreError) -> LocalPointers {
    var pointers = LocalPointers()
    var names: Set<ExactText> = []
    for operation in operations
    where operation.state.isPending && operation.kind != .delete
      && sdks[operation.source].sendsSets
    {
      guard let key = operation.rowKey, let table = operation.rowTable ?? operation.table,
        let values = try rows.values(ofRow: key, inTable: table)
      else { continue }
      for case .text(let text)? in values {
        // Most texts are none of the documents that pointers are.
        guard text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "["),
          let value = try? JSONValue(parsing: text.span)
        else { continue }
        names.formUnion(LocalPointers.names(in: value).map { ExactText($0) })
      }
    }
    try addIDs(of: names, to: &pointers)
    return pointers
  }

  /// Takes in what an operation points to; returns why it cannot be sent, where that is so.
  private func look(
    at operation: PendingOperation, _ pointers: inout LocalPointers
  ) throws(StoreError) -> PendingReason? {
    let set = try set(of: operation)
    let obstacle = obstacle(to: operation, set)
    let names = set.map { LocalPointers.names(in: .object($0)) } ?? []
    if !names.isEmpty, obstacle != .noChange { pointers.targets[operation.sequence] = names }
    return obstacle.map { PendingReason($0) }
  }

  private func set(of operation: PendingOperation) throws(StoreError) -> JSONObject? {
    guard operation.kind == .insert || operation.kind == .update,
      let change = try changes.change(of: operation.sequence)
    else { return nil }
    return JSONObject(changesOfParse: change.raw, parameters: operation.item)
  }

  private func obstacle(to operation: PendingOperation, _ set: JSONObject?) -> ParseObstacle? {
    let className = operation.table.map { tables[ExactText($0)]?.sourceName ?? $0 } ?? ""
    return ParseObstacle(operation, ofClass: className, set)
  }

  /// The operations of which the changes are gone, which a rehearsal does not send either.
  func operationsWithoutChanges(
    among operations: OperationList, _ sdks: DeviceSDKs
  ) throws(StoreError) -> [Int64: PendingReason] {
    var reasons: [Int64: PendingReason] = [:]
    for operation in operations
    where operation.state.isPending && sdks[operation.source].sendsSets {
      let obstacle = obstacle(to: operation, try set(of: operation))
      if obstacle == .withoutChanges { reasons[operation.sequence] = .withoutChanges }
    }
    return reasons
  }
}

extension PendingReason {
  fileprivate init(_ obstacle: ParseObstacle) {
    self =
      switch obstacle {
      case .noChange: .noChange
      case .withoutChanges: .withoutChanges
      case .withoutFile: .withoutFile
      }
  }
}

extension SourceDescription.Fact {
  /// What the map of local ids says of an object, as the fact of a source.
  fileprivate var localObject: (name: String, className: String, objectID: String)? {
    guard key.hasPrefix("local_") else { return nil }
    let parts = value.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    return (key, parts[0], parts[1])
  }
}
