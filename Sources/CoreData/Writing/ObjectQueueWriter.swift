import Bytes
import Records
import SQLite
import Tables

/// Writes operations, errors and tokens as the Azure SDK for iOS keeps them.
struct ObjectQueueWriter {
  private(set) var losses = Losses()
  let template: ObjectTemplate
  let tables: [String: ObjectTable]
  /// The app's names of these.
  private let filled: Set<String>
  /// The tables of the sources that are not loaded, those that the app does not know among them.
  private let leftOut: Set<ExactText>
  /// The names of the app's tables that lack rows of the sources.
  private let incomplete: Set<String>
  private var searches: [String: RowSearch] = [:]
  private let payload: SyncPayload
  /// The rows without a value that the SDK would send.
  private let gaps: RowsWithGaps
  /// What a person calls the devices; nil where there is only one.
  private let labels: DeviceLabels?
  /// How many operations send the row of another device.
  private var strangers = 0
  /// How many are on an item on which those of another device wait.
  private var sharers = 0
  private var items = ItemsOfDevices()
  private var numbers = OperationNumbers(of: PlaceList(), in: [])

  init(
    _ template: ObjectTemplate, _ tables: [ObjectTable], without leftOut: Set<ExactText>,
    lackingRows incomplete: Set<String>, gaps: RowsWithGaps, of source: SourceDescription?
  ) {
    self.template = template
    self.leftOut = leftOut
    self.incomplete = incomplete
    self.gaps = gaps
    labels = source.flatMap { $0.isOfSeveral ? DeviceLabels(of: $0) : nil }
    self.tables = Dictionary(keepingFirst: tables.map { ($0.source.name, $0) })
    filled = Set(tables.compactMap { template.entity(named: $0.source.name) })
    payload = SyncPayload(hasOldSpelling: template.storage.hasOldSpelling)
  }

  /// Writes the operations and errors for which the app's store has room.
  ///
  /// - Returns: how much was written.
  mutating func write(
    _ queue: Queue, _ connection: borrowing Connection
  ) throws(SQLiteError) -> QueueCounts {
    var written = QueueCounts()
    try writeOperations(queue.operations, connection, &written)
    written.errors = try writeErrors(queue.errors, connection)
    for entity in [SyncNames.operations, SyncNames.errors] {
      try raiseLargestKey(of: entity, connection)
    }
    return written
  }

  /// Remembers the largest key of a table of the SDK's as given out.
  func raiseLargestKey(
    of entity: String, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let table = template.storage.systemTables[entity],
      let number = template.storage.entities[entity]
    else { return }
    try connection.raiseLargestKey(ofEntity: number, to: table)
  }

  private mutating func writeOperations(
    _ operations: OperationList, _ connection: borrowing Connection,
    _ written: inout QueueCounts
  ) throws(SQLiteError) {
    guard !operations.isEmpty else { return }
    let columns = ["ZID", "ZTABLEKIND", "ZITEMID", "ZTABLE", "ZPROPERTIES"]
    guard
      var rows = try SystemRows(of: SyncNames.operations, columns, template, connection)
    else {
      losses.add(
        .error, "operations, for which the app has no queue", count: operations.count)
      return
    }
    var kept = PlaceList()
    for (place, operation) in operations.enumerated() where try check(operation, connection) {
      kept.append(place)
    }
    numbers = OperationNumbers(of: kept, in: operations)
    var count = 0
    for (place, operation) in operations.enumerated() where kept.contains(place) {
      let number = numbers.number(of: operation, behind: count)
      count += 1
      var values: [String: RawValue] = ["ZID": .integer(number), "ZTABLEKIND": .integer(0)]
      values["ZITEMID"] = operation.itemID.map(RawValue.text)
      values["ZTABLE"] = operation.table.map { .text(entity(named: $0)) }
      let bytes = bytes(of: operation)
      values["ZPROPERTIES"] = bytes.map(RawValue.binary)
      try rows.insert(values)
      written.addOperation(operation.kind)
      noteRespelling(of: operation.raw, as: bytes)
      noteRowOfAnotherDevice(operation)
      noteItemOfAnotherDevice(operation)
    }
  }

  /// The SDK knows no devices: what waits on one item it sends as if one had made it.
  private mutating func noteItemOfAnotherDevice(_ operation: PendingOperation) {
    guard labels != nil, items.take(operation) else { return }
    sharers += 1
    note(
      operation, numbered: sharers,
      "on an item on which those of another device wait, too, and which the SDK joins as if one device "
        + "had made them")
  }

  /// Tells of an operation by the name of its device, unless there have been many such.
  private mutating func note(
    _ operation: PendingOperation, numbered number: Int, _ words: String
  ) {
    let isNamed = number <= MergedRow.mostListed
    let device = isNamed ? labels?[operation.source].map { "of \($0) " } : nil
    losses.add(
      .warning, table: operation.table, itemID: isNamed ? operation.itemID : nil,
      "operations \(device ?? "")\(words)")
  }

  /// The SDK sends rows; an operation that has an item instead comes from a device whose row gave way to
  /// that of another one, unless its own SDK has kept the item as a text.
  private mutating func noteRowOfAnotherDevice(_ operation: PendingOperation) {
    guard labels != nil, operation.kind == .insert || operation.kind == .update,
      operation.item != nil, (operation.raw?.payload).map(SyncPayload.isOwn) ?? true,
      hasRow(operation)
    else { return }
    strangers += 1
    note(
      operation, numbered: strangers,
      "that send the row of another device, which was kept in place of theirs")
  }

  private func bytes(of operation: PendingOperation) -> [UInt8]? {
    payload.bytes(
      of: operation, hasRow: hasRow(operation), without: foreignNames(in: operation.table))
  }

  /// The names of properties of the source's app that would be taken for the SDK's own.
  private func foreignNames(in table: String?) -> Set<String> {
    table.flatMap { tables[$0]?.foreignNames } ?? []
  }

  private mutating func noteRespelling(of raw: RawValue?, as bytes: [UInt8]?) {
    guard let raw, SyncPayload.isOwn(raw), raw.payload?.bytes != bytes else { return }
    losses.add(.note, "payloads whose system properties are now spelled as the app's SDK does")
  }

  /// Whether a table is left out, or one of the app is left empty, so that nothing may be sent or
  /// remembered for it.
  func isLeftOut(_ table: String?) -> Bool {
    guard let table, tables[table] == nil else { return false }
    if leftOut.contains(ExactText(table)) { return true }
    return template.entity(named: table).map { !filled.contains($0) } ?? false
  }

  /// What the app calls a table of the source.
  ///
  /// The SDK tells names apart that differ in letter case, so one that is no table's stays as it is.
  func entity(named table: String) -> String {
    tables[table].flatMap { template.entity(named: $0.source.name) } ?? table
  }

  private func hasRow(_ operation: PendingOperation) -> Bool {
    operation.rowKey != nil
      && (operation.rowTable ?? operation.table).map { tables[$0] != nil } ?? false
  }

  /// Whether an operation sends a row that the source has and the new store has not, because it
  /// refused it or nothing of its table was loaded.
  private mutating func lacksRow(
    _ operation: PendingOperation, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard operation.kind == .insert || operation.kind == .update, let key = operation.rowKey,
      let name = operation.rowTable ?? operation.table
    else { return false }
    guard let table = tables[name] else { return true }
    guard incomplete.contains(table.name) else { return false }
    if searches[name] == nil { searches[name] = try RowSearch(in: table, connection) }
    return try searches[name]?.finds(key) == false
  }

  /// Whether the SDK can keep an operation; tells why not.
  private mutating func check(
    _ operation: PendingOperation, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard !isLeftOut(operation.table) else {
      losses.add(
        .error, table: operation.table,
        "operations of tables that were left out, so that they are not carried over")
      return false
    }
    switch operation.state {
    case .completed, .dropped:
      losses.add(.note, "operations that are done or dropped, which are not carried over")
      return false
    case .attempted, .failed:
      losses.add(.note, "operations that were tried before, which wait again")
    case .pending: break
    }
    guard operation.kind == nil || !gaps.isSent(by: operation) else {
      losses.add(
        .error, table: operation.table,
        "operations whose row lacks a value that could not be taken over, so that they are not "
          + "carried over")
      return false
    }
    if try lacksRow(operation, connection) {
      losses.add(
        .error, table: operation.table,
        "operations whose row is not in the store, so that they are not carried over")
      return false
    }
    guard bytes(of: operation) == nil else { return true }
    losses.add(
      .error, table: operation.table,
      operation.kind == nil
        ? "operations that cannot be decoded and are not carried over"
        : "operations whose item is not in the store, so that they are not carried over")
    return false
  }

  private mutating func writeErrors(
    _ errors: ErrorList, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    guard !errors.isEmpty else { return 0 }
    let columns = ["ZID", "ZOPERATIONID", "ZTABLEKIND", "ZPROPERTIES"]
    var rows = try SystemRows(of: SyncNames.errors, columns, template, connection)
    let namesOperations =
      template.storage.systemTables[SyncNames.errors].map {
        template.columns(ofTable: $0).contains("ZOPERATIONID")
      } ?? false
    var written = 0
    for (place, error) in errors.enumerated() {
      guard !error.isDeletedItem else {
        losses.addDeletedItems(1)
        continue
      }
      // The SDK removes an error with its operation.
      if let operation = error.operation, numbers.number(ofOperation: operation) == nil,
        !isLeftOut(error.table)
      {
        losses.add(
          .note, table: error.table,
          "errors of operations that are not carried over, which stay behind")
        continue
      }
      let entity = error.table.map { self.entity(named: $0) } ?? ""
      let foreign = foreignNames(in: error.table)
      guard !isLeftOut(error.table) else {
        losses.add(.warning, table: error.table, "errors of tables that were left out")
        continue
      }
      guard rows != nil,
        let bytes = payload.bytes(of: error, entity: entity, without: foreign)
      else {
        losses.add(.warning, "errors that the SDK has no place for")
        continue
      }
      var values: [String: RawValue] = ["ZTABLEKIND": .integer(0), "ZPROPERTIES": .binary(bytes)]
      if (error.raw?.payload).map(SyncPayload.isOwn) == true, numbers.areKept {
        values["ZID"] = error.originalID.map(RawValue.text)
        values["ZOPERATIONID"] = ownNumber(of: error, isKept: namesOperations)
      } else {
        values["ZID"] = .text(error.originalID ?? derivedGUID(["error", String(place)]))
        values["ZOPERATIONID"] = .integer(error.operation.flatMap(numbers.number) ?? 0)
      }
      try rows?.insert(values)
      if error.raw?.payload?.bytes != bytes, payload.respells(error, without: foreign) {
        noteRespelling(of: error.raw, as: bytes)
      }
      written += 1
    }
    return written
  }

  /// The number of the operation of an error that the SDK itself has kept.
  ///
  /// The SDK of 2014 knows the operation by the item; later ones remove its errors by this number.
  private mutating func ownNumber(of error: OperationError, isKept: Bool) -> RawValue? {
    if let text = error.originalOperationID {
      // The number may be that of an operation of another device only.
      if let number = Int64(text), labels != nil,
        let device = numbers.source(ofKept: number), device != error.source
      {
        return .integer(0)
      }
      return Int64(text).map(RawValue.integer) ?? .text(text)
    }
    guard isKept, let number = error.operation.flatMap(numbers.number) else { return nil }
    losses.add(.note, "errors that name their operation now")
    return .integer(number)
  }
}

/// Looks for rows of the source among those that a table of the new store has taken.
///
/// It owns a prepared statement, so it has identity.
private final class RowSearch {
  private let offset: Int64
  private var statement: Statement

  init(in table: ObjectTable, _ connection: borrowing Connection) throws(SQLiteError) {
    offset = table.keyOffset
    statement = try connection.prepare("SELECT 1 FROM \(quoted(table.name)) WHERE Z_PK = ?")
  }

  /// Whether the row with a key of the source is there.
  func finds(_ key: Int64) throws(SQLiteError) -> Bool {
    let (own, isTooLarge) = key.addingReportingOverflow(offset)
    guard !isTooLarge else { return false }
    try statement.bind(own, at: 1)
    defer { statement.reset() }
    return try statement.step()
  }
}
