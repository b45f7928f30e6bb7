import Bytes
import Canonical
import Formats
import Records
import Replay
import SyncSDKs
import Tables

/// What the steps of a replay send: rows as they are now, the snapshot that the SDK kept, or the row
/// of the device, where the store is one of several.
final class ReplayItems {
  private let rows: StoredRows
  private let devices: DeviceItems
  private let tables: [ExactText: Table]
  private let sdks: DeviceSDKs
  /// Whether the tables have columns that a device may not have.
  private let isOfSeveral: Bool
  /// The rows that would send null for a value that nobody could read.
  private let gaps: RowsWithGaps
  /// What payloads show as truth values, lists and objects.
  private let shown: PayloadMembers
  /// Whether what is sent are rows as the device has them, and no service takes them.
  private let isRehearsed: Bool
  private let sets: ParseSets?
  /// The same in a rehearsal, which sends rows.
  private let rehearsedSets: ParseSets?
  /// How the devices spell the rows of tables, by their numbers.
  private var bodies: [Int32: [ExactText: ItemBody]] = [:]
  /// What snapshots of tables leave out, by the numbers of devices.
  private var defaults: [Int32: [ExactText: LeftOutMembers]] = [:]
  /// The columns of tables that hold more than SQLite shows.
  private var toldColumns: [ExactText: [Column]] = [:]

  /// Prepares to spell the rows of a store with a queue as the SDKs that made it would.
  init(
    of store: any OpenStore, _ queue: ReplayQueue, for dialect: Dialect
  ) throws(StoreError) {
    let catalogue = queue.catalogue
    sdks = queue.sdks
    gaps = queue.gaps
    let sets = sdks.setSenders.isEmpty ? nil : try ParseSets(of: store, catalogue: catalogue)
    self.sets = dialect.sendsSets ? sets : nil
    // What replaces whole items needs all of their fields.
    rehearsedSets = [.parse, .v3, .toolkit].contains(dialect) ? nil : sets
    rows = StoredRows(of: store, catalogue: catalogue)
    devices = try DeviceItems(of: store)
    tables = catalogue.tablesByName
    isOfSeveral = try store.isOfSeveral()
    let isRehearsed = dialect == .rows
    self.isRehearsed = isRehearsed
    // Entity Framework and Amplify keep truth values as whole numbers, and Amplify lists as texts; what
    // payloads hold tells them apart.
    shown = sdks.payloadMembers(in: queue.operations) {
      $0.leavesOutDefaults || $0.style.sendsRows && !isRehearsed
    }
  }

  /// What an insert or update sends; nil when its row is gone.
  func item(for step: ReplayStep) throws(StoreError) -> ReplayItem? {
    let sdk = sdks[step.effect.device]
    var item = try item(for: step, of: sdk)
    let table = tables[ExactText(step.effect.rowTable ?? step.knownTable)]
    item?.sdkMembers = Self.sdkMembers(of: sdk, in: table)
    item?.sdkDialect = sdk.dialect
    let id = table?.index(of: .id).flatMap { table?.columns[$0].sourceName.lowercased() }
    item?.idMember = id
    // A name that the SDK gives to the id, and not the app, is none of the item's fields.
    if sdk.sendsBranches || sdk.sendsSets, let id, id != "id" { item?.sdkMembers.insert(id) }
    return item
  }

  /// The members, in lower case, that an SDK adds to what the app has in an item.
  private static func sdkMembers(of sdk: SDKTraits, in table: Table?) -> Set<String> {
    // The snapshots of the Toolkit are whole items, as its service takes them.
    guard sdk.dialect != .toolkit else {
      let mark = table?.index(of: .deleted) == nil ? [] : ["deleted"]
      return Set(["version", "updatedat"] + mark)
    }
    return sdk.style.sendsVersions && table?.index(of: .version) != nil ? ["version"] : []
  }

  private func item(
    for step: ReplayStep, of sdk: SDKTraits
  ) throws(StoreError) -> ReplayItem? {
    if sdk.style.sendsRows, let row = try row(for: step, sdk.style) {
      let item = updated(row, for: step)
      return isRehearsed ? item : told(item, for: step)
    }
    if let snapshot = step.effect.item {
      // What holds only changes has no id.
      var item = ReplayItem(
        json: sdk.sendsChanges ? try completed(snapshot, for: step, sdk.style) : snapshot)
      if sdk.sendsChanges, !isRehearsed { item = told(item, for: step) }
      if sdk.leavesOutDefaults { item.leftOut = try leftOut(of: snapshot, for: step, sdk.style) }
      return item
    }
    if let sets { return try sets.item(for: step) }
    var item = try row(for: step, sdk.style)
    if step.effect.kind == .update, sdk.sendsSets,
      let fields = try rehearsedSets?.fields(setBy: step.effect)
    {
      item?.keep(fields)
    }
    return item
  }

  /// The row of the device that a step sends.
  private func row(
    for step: ReplayStep, _ style: SDKStyle
  ) throws(StoreError) -> ReplayItem? {
    guard let sent = try devices.sent(for: step.effect.sent) else {
      return try storedRow(for: step, style)
    }
    var item = ReplayItem(json: sent.body, updatedAt: sent.updatedAt)
    // As long as the store tells of a value that could not be taken over, nobody has seen to it.
    guard let lost = sent.row.map(LostMembers.names), !lost.isEmpty, !gaps.isSent(by: step.effect)
    else { return item }
    guard let row = try storedRow(for: step, style, only: lost),
      let stored = JSONObject(parsing: row.json.span),
      let body = LostMembers.body(sent.body, with: lost, from: stored)
    else { return nil }
    item.json = body
    return item
  }

  /// The row that a step sends, as it is now, or only some members of it.
  ///
  /// Columns of several devices may be called alike, so that all of them make no object.
  private func storedRow(
    for step: ReplayStep, _ style: SDKStyle, only members: [String]? = nil
  ) throws(StoreError) -> ReplayItem? {
    let name = step.effect.rowTable ?? step.table
    guard let key = step.effect.rowKey, let table = tables[ExactText(name)],
      let values = try rows.values(ofRow: key, inTable: name)
    else { return nil }
    let body = body(ofTable: name, table, device: step.effect.device, style, only: members)
    guard let json = body.json(values) else { return nil }
    var updatedAt: String?
    if let place = table.index(of: .updatedAt), case .text(let time) = values[place] {
      updatedAt = String(decoding: time, as: UTF8.self)
    }
    return ReplayItem(json: json, updatedAt: updatedAt)
  }

  private func body(
    ofTable name: String, _ table: Table, device: Int32, _ style: SDKStyle, only members: [String]?
  ) -> ItemBody {
    if let members {
      let names = Set(members.map { ExactText(sqlName: $0) })
      return ItemBody(of: table, style: style) { names.contains(ExactText(sqlName: $0.sourceName)) }
    }
    if let body = bodies[device]?[ExactText(name)] { return body }
    let body = ItemBody(of: table, style: style)
    bodies[device, default: [:]][ExactText(name)] = body
    return body
  }

  /// A row with what the payload of a change says otherwise.
  private func updated(_ row: ReplayItem, for step: ReplayStep) -> ReplayItem {
    // What is no object is refused when it is to be sent.
    guard let payload = step.effect.item.flatMap({ JSONObject(parsing: $0.span) }),
      var object = JSONObject(parsing: row.json.span)
    else { return row }
    if gaps.isSent(by: step.effect) {
      // Null may stand for a value that was lost; the payload says what is to become null.
      object = JSONObject(object.members.filter { $0.value != .null }) ?? object
      for member in payload.members where object[member.key] == nil {
        object[member.key] = .null
      }
    }
    var item = row
    item.json = object.updated(by: payload).json
    return item
  }

  /// An item with truth values, lists and objects where it has the numbers and texts that stand for
  /// them, which a service would refuse or take as they are; payloads or a person have told where.
  private func told(_ item: ReplayItem, for step: ReplayStep) -> ReplayItem {
    let name = ExactText(step.effect.rowTable ?? step.knownTable)
    let columns = toldColumns[name] ?? toldColumns(ofTable: name)
    toldColumns[name] = columns
    guard !columns.isEmpty, var object = JSONObject(parsing: item.json.span) else { return item }
    for column in columns {
      guard let value = object[column.sourceName] else { continue }
      object[column.sourceName] = value.told(as: column.type)
    }
    var item = item
    item.json = object.json
    return item
  }

  /// The columns of which payloads or a person have told that they hold more than SQLite shows.
  private func toldColumns(ofTable name: ExactText) -> [Column] {
    (tables[name]?.columns ?? []).filter { column in
      let own = ExactText(folding: column.sourceName)
      return [.boolean, .json].contains(column.type)
        || column.type == .integer && shown.truths[name]?.contains(own) ?? false
        || column.type == .text && shown.nested[name]?.contains(own) ?? false
    }
  }

  /// What a snapshot of an item lacks since it has default values.
  private func leftOut(
    of snapshot: [UInt8], for step: ReplayStep, _ style: SDKStyle
  ) throws(StoreError) -> [JSONObject.Member] {
    let name = step.effect.rowTable ?? step.knownTable
    // What is no object is refused when it is to be sent.
    guard let object = JSONObject(parsing: snapshot.span), let table = tables[ExactText(name)]
    else { return [] }
    let device = step.effect.device
    let members =
      defaults[device]?[ExactText(name)]
      ?? LeftOutMembers(of: table, style: style, truths: shown.truths[ExactText(name)] ?? [])
    defaults[device, default: [:]][ExactText(name)] = members
    let row = try step.effect.rowKey.flatMap { (key) throws(StoreError) in
      try rows.values(ofRow: key, inTable: name)
    }
    return members.members(missingIn: object, row: row)
  }

  /// A payload with the id of its item, unless it has one, and that of an insert with the columns
  /// that it leaves out as they are NULL, where they are known to be the device's.
  private func completed(
    _ payload: [UInt8], for step: ReplayStep, _ style: SDKStyle
  ) throws(StoreError) -> [UInt8] {
    // A payload that is no JSON is reported by the machine.
    guard var object = JSONObject(parsing: payload.span) else { return payload }
    if object["id"] == nil {
      let id = JSONObject.Member(key: "id", value: .string(step.itemID))
      object = JSONObject([id] + object.members) ?? object
    }
    guard step.effect.kind == .insert else { return object.json }
    if isOfSeveral {
      // Only what is kept of the device tells which columns are its own.
      for sequence in step.effect.sequences {
        guard let own = try devices.sent(for: sequence) else { continue }
        let lacking = (JSONObject(parsing: own.body.span)?.members ?? []).filter {
          object[$0.key] == nil
        }
        object =
          JSONObject(object.members + lacking.map { .init(key: $0.key, value: .null) }) ?? object
        break
      }
    } else if let table = tables[ExactText(step.effect.rowTable ?? step.table)] {
      object = object.withNulls(for: table, style)
    }
    return object.json
  }
}

extension JSONValue {
  /// The truth value that a number stands for, or the list or object that a text is, in a column that
  /// holds such.
  fileprivate func told(as type: LogicalType) -> JSONValue {
    if type == .integer || type == .boolean {
      guard case .number(let number) = self, [0, 1].contains(number.real) else { return self }
      return .boolean(number.real == 1)
    }
    guard case .string(let text) = self,
      let value = try? JSONValue(parsing: text.utf8Span.span), value.isNested
    else { return self }
    return value
  }
}

extension ReplayItem {
  /// Leaves out all but some members.
  fileprivate mutating func keep(_ fields: Set<ExactText>) {
    // What is no object is refused when it is to be sent.
    guard let object = JSONObject(parsing: json.span) else { return }
    let members = object.members.filter { fields.contains(ExactText($0.key)) }
    if let kept = JSONObject(members) { json = kept.json }
  }
}
