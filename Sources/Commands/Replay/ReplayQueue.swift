import Bytes
import Canonical
import CommandLineKit
import Formats
import Records
import Replay
import SyncSDKs

/// The operations of a store as they are to be sent, and the tables that their rows are in.
struct ReplayQueue {
  let catalogue: Catalogue
  /// What is true of the SDKs of the devices whose operations these are.
  let sdks: DeviceSDKs
  private(set) var operations: OperationList
  /// The tables that options may name: those of the store, and those that operations are on.
  private var namedTables: Set<ExactText> = []
  /// What devices call tables of the store that are spelled otherwise there.
  private var deviceTables: [ExactText: Set<ExactText>] = [:]
  /// What tells that changes may be missing, and where they are from.
  let losses: [Finding]
  let source: SourceDescription
  /// The operations in a state of which nobody knows what it means.
  private let inUnknownState: Set<Int64>
  /// What can be said where the queue holds nothing at all; nil where it does.
  let wordsIfEmpty: String?
  /// What SDKs do otherwise than most.
  private(set) var habits: FoldHabits
  /// The rows that would send null for a value that nobody could read.
  private(set) var gaps: RowsWithGaps
  /// What devices call the tables and items of operations, which is what they send.
  private(set) var names = SentNames()
  /// What devices whose stores spell no names send that no column of the store is called.
  private var ownGuesses: [String] = []
  /// The objects of Parse that have names of their device's own.
  private(set) var pointers = LocalPointers()

  /// Reads a canonical store and closes it again.
  init(of path: String, _ session: Session) throws(StoreError) {
    let reader = try session.openCanonicalStore(path)
    // What the SDK stored has been decoded; there may be as much of it as of all else together.
    try self.init(
      try reader.readQueue(.withoutRaw).operations, of: reader, session.arguments)
  }

  init(
    _ operations: consuming OperationList, of reader: any StoreReader,
    _ arguments: ParsedArguments
  ) throws(StoreError) {
    catalogue = reader.catalogue
    habits = reader.source.foldHabits
    let sdks = reader.source.sdks
    self.sdks = sdks
    gaps = try RowsWithGaps(of: reader)
    losses = reader.findings.filter(\.tellsOfMissingChanges)
    source = reader.source
    wordsIfEmpty =
      operations.isEmpty ? reader.source.nothingWaits(losses.lazy.map(\.code)) : nil
    self.operations = operations
    inUnknownState = Set(
      reader.findings.lazy.filter { $0.code == "unknown-operation-state" }.compactMap(\.operation))
    holdStrangers(reader.findings)
    let selection = TableSelection(arguments)
    guard !selection.isOpen || ["map", "rules"].contains(where: arguments.flag) else { return }
    namedTables = Set(catalogue.tables.map { ExactText($0.name) })
      .union(self.operations.tableNames)
    guard
      let chosen = try selection.operationTables(among: catalogue.tables, and: namedTables)
    else { return }
    self.operations = self.operations.keeping { chosen.contain($0.table) }
  }

  /// Lets nobody know what operations of an older SDK do, as their codes mean other things by now:
  /// stores that were converted earlier have what the newer SDK would take them for.
  private mutating func holdStrangers(_ findings: Findings) {
    let strangers = Set(
      findings.lazy.filter { $0.code == "operation-of-older-sdk" }.compactMap(\.operation))
    guard !strangers.isEmpty else { return }
    operations.updateEach { _, operation in
      if strangers.contains(operation.sequence) { operation.kind = nil }
    }
  }

  /// How many operations wait in a state that their SDK does not have, by the names of their tables.
  var unknownStates: [(table: String, count: Int)] {
    guard !inUnknownState.isEmpty else { return [] }
    var counts: [ExactText: Int] = [:]
    for operation in operations
    where operation.state.isPending && inUnknownState.contains(operation.sequence) {
      counts[ExactText(operation.table ?? ""), default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key.wrappedValue, $0.value) }
  }

  /// What made the stores whose operations are to be sent, or else were; each layout and generation
  /// once.
  var origins: [(layout: String, generation: String?)] {
    var (all, pending): (Set<Int32>, Set<Int32>) = ([], [])
    operations.lendEach { _, operation in
      all.insert(operation.source)
      if operation.state.isPending { pending.insert(operation.source) }
    }
    return sdks.origins(of: pending.isEmpty ? all : pending)
  }

  private var shownTables: [String] { namedTables.sorted().map(\.wrappedValue) }

  /// The columns of which values are sent by a name that is a guess: the store spells none, and no
  /// person has told one.
  var guessedColumns: [String] {
    guard catalogue.nameOrigin == .fallback else { return [] }
    let names = tablesOfGuesses
    let ofStore = catalogue.tables.filter { names.contains(ExactText($0.name)) }.flatMap { table in
      table.columns
        .filter { column in
          column.role == .value && column.hasNameOfColumn
            && sdks.traits.contains { $0.style.sends(column) }
        }
        .map { "\(table.name).\($0.name)" }
    }
    return ownGuesses + ofStore
  }

  /// What the apps call the times at which an item was made and last changed, where these are their
  /// own.
  ///
  /// In a store of several devices those of other SDKs are the server's.
  var ownTimes: [ExactText: ColumnRole] {
    guard sdks.traits.contains(where: \.style.ownsTimes) else { return [:] }
    let names = operations.keeping { sdks[$0.source].style.ownsTimes }.tableNames
    let columns = catalogue.tables.filter { names.contains(ExactText($0.name)) }.flatMap(\.columns)
      .filter { $0.role == .createdAt || $0.role == .updatedAt }
    return Dictionary(keepingFirst: columns.map { (ExactText($0.sourceName), $0.role) })
  }

  /// What operations of the Toolkit call items of which the store has no table: their types.
  var typesWithoutTables: [String] {
    guard sdks.traits.contains(where: { $0.dialect == .toolkit }) else { return [] }
    let names = operations.keeping { sdks[$0.source].dialect == .toolkit }.tableNames
    return names.map(\.wrappedValue).filter { catalogue.index(ofTable: $0) == nil }
  }

  /// The tables on which there are operations of devices whose stores do not spell the names.
  private var tablesOfGuesses: Set<ExactText> {
    let devices = source.earlier.filter { $0.nameOrigin == .fallback }
    guard source.isOfSeveral, devices.count < source.earlier.count else {
      return operations.tableNames
    }
    let numbers = Set(devices.map { Int32(clamping: $0.number) })
    return operations.keeping { numbers.contains($0.source) }.tableNames
  }

  /// What `--map` says, which counts for a table whatever a device calls it.
  ///
  /// - Throws: `StoreError` where it is about a table that nobody knows, neither here nor on a
  ///   device.
  func completed(_ map: TableMap) throws(StoreError) -> TableMap {
    let mapped = map.mappedTables
    guard !mapped.isEmpty else { return map }
    if let stranger = strangers(among: mapped).first {
      throw TableSelection.error(noTableMatching: stranger, shownTables)
    }
    var map = map
    for table in mapped {
      guard let name = map[table] else { continue }
      for own in deviceTables[ExactText(table), default: []] where !namedTables.contains(own) {
        // A name that is given for the device's own is surer.
        if map[own.wrappedValue] == nil { _ = map.map(own.wrappedValue, to: name) }
      }
    }
    return map
  }

  /// The tables that options name and that are known neither here nor on a device.
  func strangers(among tables: [String]) -> [String] {
    let known = deviceTables.values.reduce(namedTables) { $0.union($1) }
    return tables.filter { !known.contains(ExactText($0)) }
  }

  /// Finds how each row or stored payload spells the item's id, and how its device calls the table,
  /// which is what the SDK sends; sets operations aside whose payload nobody can read.
  mutating func findNames(
    from store: any OpenStore, for dialect: Dialect
  ) throws(StoreError) {
    if dialect.sendsSets { return try takeSets(from: store) }
    let rows = StoredRows(of: store, catalogue: catalogue)
    let sdks = sdks
    let unreadable = try store.unreadableOperations()
    let items = try DeviceItems(of: store)
    let devices = try items.overview()
    ownGuesses = try guesses(in: items, devices.rows)
    var names = SentNames(tables: devices.tables)
    let knownBranches = habits.branchSources.isEmpty ? [] : try store.deletesOfBranches()
    var unsendable: [Int64: PendingReason] = [:]
    var payloads = SentPayloads(catalogue)
    try operations.updateEach { (_, operation) throws(StoreError) in
      let sdk = sdks[operation.source]
      let isUnreadable =
        unreadable.damaged.contains(operation.sequence)
        || sdk.keepsAllItems && unreadable.empty.contains(operation.sequence)
      if isUnreadable && sdk.needsPayload(of: operation.kind) || sdk.keepsOtherItem(operation) {
        operation.kind = nil
      }
      let id = operation.state.isPending ? try Self.ownID(of: operation, in: rows) : nil
      if id == nil, !devices.rows.contains(operation.sequence) {
        try Self.loseRow(of: &operation, rows)
      }
      if sdk.style.sendsRows || sdk.sendsBranches {
        if sdk.sendsBranches, devices.payloads.contains(operation.sequence),
          let sent = try items.sent(for: operation.sequence)
        {
          operation.item = sent.body
        } else if let fields = payloads.fields(of: operation, sdk.style) {
          operation.item = fields.item
          if fields.needsRow, sdk.style.sendsRows, operation.rowKey == nil,
            !devices.rows.contains(operation.sequence)
          {
            unsendable[operation.sequence] = .withoutRow
          }
        }
      }
      if sdk.sendsBranches, try Self.deletesBranchOnly(operation, knownBranches, rows) {
        unsendable[operation.sequence] = .otherBranchStays
      }
      guard let id, !hasSameBytes(id, operation.itemID),
        ExactText(folding: id) == operation.itemID.map({ ExactText(folding: $0) })
      else { return }
      names.add(itemID: id, of: operation.sequence)
    }
    self.names = names
    takeDevices(devices)
    if !sdks.setSenders.isEmpty {
      let sets = try ParseSets(of: store, catalogue: catalogue)
      pointers = try sets.pointers(inRowsOf: operations, sdks, rows)
      pointers.unsendable = try sets.operationsWithoutChanges(among: operations, sdks)
    }
    pointers.unsendable.merge(unsendable) { $1 }
  }

  /// Whether an operation deletes a branch of a document that is there all the same.
  ///
  /// The branch that stays need not wait itself: it may have come from the server, or was sent before.
  /// Where the operation does not say so, the rows of a single device do.
  private static func deletesBranchOnly(
    _ operation: borrowing PendingOperation, _ known: KeySet, _ rows: StoredRows
  ) throws(StoreError) -> Bool {
    guard operation.kind == .delete, operation.state.isPending else { return false }
    if known.contains(operation.sequence) { return true }
    return try operation.itemID.map { (id) throws(StoreError) in try rows.hasItem(id) } ?? false
  }

  /// Lets an operation have no row where somebody has taken it away.
  private static func loseRow(
    of operation: inout PendingOperation, _ rows: StoredRows
  ) throws(StoreError) {
    guard operation.state.isPending, let key = operation.rowKey,
      let table = operation.rowTable ?? operation.table,
      try rows.hasRow(key, inTable: table) == false
    else { return }
    operation.rowKey = nil
  }

  /// Lets each operation send the set of changes that it stands for, and nothing else.
  private mutating func takeSets(from store: any OpenStore) throws(StoreError) {
    let sets = try ParseSets(of: store, catalogue: catalogue)
    let devices = try DeviceItems(of: store).overview()
    takeDevices(devices)
    // Pointers between objects name the classes as the device does.
    operations.updateEach { _, operation in
      guard let table = devices.tables[operation.sequence] else { return }
      operation.rowTable = operation.rowTable ?? operation.table
      operation.table = table
    }
    habits.keepsApart = true
    gaps = RowsWithGaps()
    pointers = try sets.pointers(of: operations, try store.queueFacts())
    try sets.addVersions(to: &operations, pointers)
  }

  /// Lets each device send its own row, and finds what it calls the tables.
  private mutating func takeDevices(_ devices: DeviceItems.Overview) {
    let (rows, tables) = (devices.rows, devices.tables)
    guard !rows.isEmpty || !tables.isEmpty else { return }
    var names: [ExactText: Set<ExactText>] = [:]
    operations.updateEach { _, operation in
      // What the operation has instead of the row says the same, unless it is a payload of the SDK's.
      if rows.contains(operation.sequence), operation.item != nil,
        !sdks[operation.source].style.sendsRows
      {
        operation.item = nil
      }
      guard let table = tables[operation.sequence], !hasSameBytes(table, operation.table) else {
        return
      }
      operation.table.map { _ = names[ExactText($0), default: []].insert(ExactText(table)) }
    }
    deviceTables = names
  }

  /// What devices whose stores spell no names call columns in rows of their own, where others of the
  /// store have spelled them otherwise; one row shows the names of all of its table.
  private func guesses(
    in items: DeviceItems, _ rows: KeySet
  ) throws(StoreError) -> [String] {
    let devices = Set(
      source.earlier.filter { $0.nameOrigin == .fallback }.map { Int32(clamping: $0.number) })
    guard source.isOfSeveral, !devices.isEmpty, !rows.isEmpty else { return [] }
    var seen: Set<ExactText> = []
    var guesses: Set<ExactText> = []
    for operation in operations
    where operation.state.isPending && devices.contains(operation.source)
      && rows.contains(operation.sequence)
    {
      guard let name = operation.table,
        seen.insert(ExactText("\(operation.source) \(name)")).inserted,
        let row = try items.sent(for: operation.sequence)?.body,
        let object = JSONObject(parsing: row.span)
      else { continue }
      let columns = catalogue.index(ofTable: name).map { catalogue.tables[$0].columns } ?? []
      let known = Set(columns.map { ExactText($0.sourceName) })
      guesses.formUnion(
        object.members.filter { !known.contains(ExactText($0.key)) }
          .map { ExactText("\(name).\($0.key)") })
    }
    return guesses.sorted().map(\.wrappedValue)
  }

  /// The id as the row has it; of a delete, as the stored payload does.
  private static func ownID(
    of operation: PendingOperation, in rows: StoredRows
  ) throws(StoreError) -> String? {
    if operation.kind != .delete {
      guard let key = operation.rowKey, let table = operation.rowTable ?? operation.table else {
        return nil
      }
      return try rows.id(ofRow: key, inTable: table)
    }
    // A payload that is no JSON has no id; the operation's own is sent.
    guard let item = operation.item, let object = JSONObject(parsing: item.span),
      case .string(let id)? = object["id"]
    else { return nil }
    return id
  }
}
