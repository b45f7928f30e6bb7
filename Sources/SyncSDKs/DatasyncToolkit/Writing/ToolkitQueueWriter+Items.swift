import Bytes
import Formats
import Records
import SQLite
import Tables

extension ToolkitQueueWriter {
  /// Whether what an operation sends comes from a row.
  ///
  /// The toolkit replaces items, so what it sends must be whole (`azure-mobile-other-sdks.md`, section
  /// 8.5). Of payloads, only its own are that, and those of branches that are no rows.
  func sendsRow(_ operation: PendingOperation, _ kind: OperationKind) -> Bool {
    guard kind != .delete else { return false }
    guard operation.item != nil, let sdk = sdks?[operation.source] else { return true }
    return !sdk.sendsPayload(of: kind) && !sdk.sendsBranches
  }

  /// The item's id and what the toolkit keeps of the item, of which payloads tell what the row may have
  /// lost; nil where nothing tells all of it.
  mutating func item(
    of operation: PendingOperation, _ kind: OperationKind, _ itemID: String,
    _ payloads: [JSONObject],
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> (id: String, json: [UInt8])? {
    if !sendsRow(operation, kind) {
      if let kept = Self.keptItem(of: operation, itemID) { return kept }
      if kind == .delete {
        var named = JSONObject()
        named["id"] = .string(itemID)
        return (itemID, named.json)
      }
    }
    guard let table = operation.rowTable ?? operation.table, let key = operation.rowKey,
      let plan = tables.plan(ofTable: table)
    else { return nil }
    if items[ExactText(table)] == nil {
      items[ExactText(table)] = try ToolkitItem(
        of: plan, truths: truths[ExactText(table)] ?? [], connection)
    }
    guard let item = items[ExactText(table)],
      let found = try item.find(row: key, itemID: itemID, payloads)
    else { return nil }
    if let name = item.hidden {
      losses.add(
        .warning, table: table,
        "operations of \(table) that go without \(table).\(name), as the toolkit calls the item's own "
          + "id so")
    }
    return found
  }

  /// What the operations of a step say of the item beside its row, in push order.
  ///
  /// A server's answer, or the row of another device, may have taken the place of that row since. Sets of
  /// changes are no values.
  func payloads(
    of step: ToolkitQueuePlan.Step, _ operation: PendingOperation, _ plan: ToolkitQueuePlan,
    _ operations: OperationList
  ) -> [JSONObject] {
    guard step.state != .completed, sendsRow(operation, step.kind),
      let sdk = sdks?[operation.source], !sdk.sendsSets
    else { return [] }
    var payloads: [JSONObject] = []
    plan.forEachPlace(of: step) { place in
      let own = place == step.source ? operation : operations[place]
      if own.kind == .delete {
        payloads = []
      } else if let payload = own.item.flatMap({ JSONObject(parsing: $0.span) }) {
        // In one that is whole, what is absent is empty, whatever the payloads before say.
        if !sdk.sendsParts { payloads = [] }
        payloads.append(payload)
      }
    }
    return payloads
  }

  /// The item of an operation with the version that its device had seen, and without the time of a
  /// later change, where the row is that of another device.
  func asSeen(
    _ item: [UInt8], by operation: PendingOperation, _ kind: OperationKind, _ version: String?
  ) -> [UInt8] {
    guard labels != nil, operation.item != nil, sendsRow(operation, kind),
      // Else the item is what the device's own SDK has kept.
      operation.raw == nil || sdks?[operation.source].hasKindsInPayloads == true,
      // It is one of ours.
      let object = JSONObject(parsing: item.span)
    else { return item }
    var seen = object
    seen["version"] = version.map(JSONValue.string)
    if !Self.takesVersion(of: seen) { seen["version"] = nil }
    let own = object["version"]
    guard seen["version"] != (own == .null ? nil : own) else { return item }
    seen["updatedAt"] = nil
    return seen.json
  }

  /// The payload of an operation; nil where it is no JSON object.
  private static func keptItem(
    of operation: PendingOperation, _ itemID: String
  ) -> (id: String, json: [UInt8])? {
    guard let item = operation.item, let object = JSONObject(parsing: item.span) else { return nil }
    let id = ownID(of: object, itemID)
    let isNamed = object["id"] == .string(id)
    if isNamed, takesVersion(of: object), !object.isRow { return (id, item) }
    var members = object.members.dropFirst(object.isRow ? 1 : 0).filter { member in
      member.key == "id" ? isNamed : member.key != "version" || takesVersion(of: object)
    }
    if !isNamed { members.insert(JSONObject.Member(key: "id", value: .string(id)), at: 0) }
    return JSONObject(members).map { (id, $0.json) }
  }

  /// The id as the item spells it, which is what SDKs send.
  private static func ownID(of item: JSONObject, _ itemID: String) -> String {
    guard case .string(let id)? = item["id"], ExactText(folding: id) == ExactText(folding: itemID)
    else { return itemID }
    return id
  }

  /// Whether a service of the toolkit takes the version in an item, which are bytes there.
  private static func takesVersion(of item: JSONObject) -> Bool {
    switch item["version"] {
    case nil, .null: return true
    case .string(let version):
      var bytes: [UInt8] = []
      return decodeBase64(version.utf8Span.span, into: &bytes)
    default: return false
    }
  }
}
