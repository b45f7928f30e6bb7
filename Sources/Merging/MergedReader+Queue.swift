import Bytes
package import Records
import SyncSDKs

extension MergedReader {
  package func readQueue() throws(StoreError) -> Queue {
    var queue = try base.readQueue()
    ownSequences = OwnSequences(of: queue.operations)
    firstSequence = try turn.end(numbering: ownSequences.count) + 1
    let marks = queue.marks
    var newMarks = OperationMarks()
    let known = try knownItems()
    // They send their rows, whatever payloads they have kept.
    let sdks = source.sdks
    let rowSenders = sdks.numbers(where: \.style.sendsRows)
    var payloads = OwnPayloads(of: source, base.catalogue)
    uses = RowUses()
    sentPayloads = ItemsByPlace(count: queue.operations.count)
    queue.operations.updateEach { place, new in
      let operation = new
      if let item = payloads.item(of: operation) { sentPayloads.keep(item, at: place) }
      new.sequence = firstSequence + Int64(place)
      for mark in marks[operation.sequence] {
        newMarks.append(NumberedMark(mark, about: new.sequence))
      }
      if let appName = operation.table.flatMap({ appNames[ExactText($0)] }),
        ownTables[operation.sequence] == nil
      {
        ownTables[operation.sequence] = appName
      }
      guard let key = operation.rowKey else { return }
      let own = keys.place(ofTable: operation.rowTable ?? operation.table)
      new.rowKey = own.map { keys.tables[$0].new(key) }
      guard let own, operation.kind != .delete else { return }
      uses.note(
        operation, at: place, key: key, ofTable: own, known,
        sendsRows: rowSenders.contains(operation.source),
        givesWay: keys.tables[own].losers.keys.contains(key),
        isReadable: !sdks.cannotRead(operation))
    }
    uses.sort()
    queue.marks = newMarks
    queue.deliveries = queue.deliveries.renumbered(newSequence)
    mended = try mendedItems(count: queue.operations.count)
    lostCells = try findLostCells(of: uses.sent)
    try keepItems(in: &queue)
    rename(&queue)
    return queue
  }

  /// Finds the values of rows that would be sent which the source could not take over.
  private func findLostCells(of sent: [Int: [SentRow]]) throws(StoreError) -> [Int: LostCells] {
    var lost: [Int: LostCells] = [:]
    guard !sent.isEmpty else { return lost }
    try base.kept?.forEachStoredReject { (reject) throws(StoreError) in
      guard let own = keys.place(ofTable: reject.table), let rows = sent[own] else { return }
      let place = firstPlace(in: rows) { $0.key >= reject.row }
      guard place < rows.count, rows[place].key == reject.row,
        let column = mappings[own].table.columns.firstIndex(where: { $0.name == reject.column })
      else { return }
      lost[own, default: LostCells()].add(column, ofRow: reject.row, source: reject.source)
    }
    return lost
  }

  /// Reads the rows that give way of operations whose devices lost values of them: what was put there
  /// since goes with the operation, as no row of another device has it.
  private func mendedItems(count: Int) throws(StoreError) -> MendedItems {
    var items = MendedItems(count: count)
    let lost = try findLostCells(of: uses.lacking)
    for (own, rows) in uses.lacking {
      let all = KeyLookup(rows.map(\.key))
      try forEachSentRow(rows, with: all, ofTable: own, lacking: lost[own], isPart: true) {
        (sent, item) in items.keep(item, at: sent.operation)
      }
    }
    return items
  }

  /// The operations of which the source itself knows what their devices would send, and those of them
  /// that lack values.
  ///
  /// What devices call their tables is kept by the way.
  private func knownItems() throws(StoreError) -> RowUses.Known {
    ownTables = [:]
    var known = RowUses.Known()
    try base.kept?.forEachDeviceItem { item in
      if item.hasRow { known.all.insert(item.operation) }
      if let row = item.item, !LostMembers.names(in: row).isEmpty {
        known.lacking.insert(item.operation)
      }
      if let table = item.table { ownTables[item.operation] = table }
    }
    return known
  }

  /// Gives operations the items that they would have sent, where another row is kept.
  private func keepItems(in queue: inout Queue) throws(StoreError) {
    var items = ItemsByPlace(count: queue.operations.count)
    for (own, rows) in uses.sent {
      let given = KeyLookup(rows.lazy.map(\.key).filter(keys.tables[own].losers.keys.contains))
      try forEachSentRow(rows, with: given, ofTable: own, lacking: lostCells[own]) { (sent, item) in
        if let body = item.body { items.keep(body, at: sent.operation) }
      }
    }
    let given = uses.given
    if given.count > 0 {
      try base.kept?.forEachDeviceItem { item in
        guard let place = ownSequences.place(of: item.operation), given.contains(place),
          let body = mended.mended(item, at: place).body
        else { return }
        items.keep(body, at: place)
      }
    }
    guard !items.isEmpty else { return }
    queue.operations.updateEach { place, operation in
      // What a device has stored itself is what its store says, whatever it would send.
      guard operation.item == nil || given.contains(place) else { return }
      if let item = items[place] { operation.item = item }
    }
    try checkWhatWasSetAside()
  }

  /// Lends operations that would send the rows of a table with some keys, each with what its device
  /// would send, or with that of it which has a name of its own.
  private func forEachSentRow(
    _ rows: [SentRow], with keys: KeyLookup, ofTable own: Int, lacking lost: LostCells?,
    isPart: Bool = false, _ body: (SentRow, DeviceItem) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard !keys.isEmpty else { return }
    let sent = SentRows(
      rows, with: keys, of: mappings[own].table, lacking: lost ?? LostCells(), source.sdks,
      isPart: isPart)
    let unreadable = uses.unreadable
    try base.forEachBatch(inTable: own, wanting: sent.wanted, seeing: sent.spell) {
      (spelled) throws(StoreError) in
      try spelled.forEachOperation(of: sent) { (row, item) throws(StoreError) in
        var item = item
        if unreadable.contains(row.operation) { item.body = nil }
        try body(row, item)
      }
    }
  }

  /// Gives tables and operations the names and numbers that they have in the united store.
  private func rename(_ queue: inout Queue) {
    queue.errors.updateEach { error in
      error.table = error.table.map(united)
      error.operation = error.operation.flatMap(newSequence)
    }
    queue.tokens.updateEach { $0.table = $0.table.map(united) }
    queue.findings = queue.findings.changed { $0 = renumbered($0) }
    guard !renamed.isEmpty else { return }
    queue.operations.updateEach { _, operation in
      if let table = operation.table, let new = renamed[ExactText(table)] { operation.table = new }
      if let table = operation.rowTable, let new = renamed[ExactText(table)] {
        operation.rowTable = new
      }
    }
  }

  /// The number of an operation among those of all sources; nil where there is no such operation.
  private func newSequence(_ sequence: Int64) -> Int64? {
    ownSequences.place(of: sequence).map { firstSequence + Int64($0) }
  }

  private func united(_ table: String) -> String { renamed[ExactText(table)] ?? table }

  /// A finding of the source, with the names and numbers that the united store has.
  func renumbered(_ finding: Finding) -> Finding {
    var new = finding.inMerge
    new.table = finding.table.map(united)
    new.operation = finding.operation.flatMap(newSequence)
    return new
  }

  /// A reject of the source, with the names and numbers that the united store has.
  func renumbered(_ reject: RejectedValue) -> RejectedValue {
    var new = reject
    new.table = united(reject.table)
    new.row = keys.new(reject.row, inTable: reject.table)
    if let own = keys.place(ofTable: reject.table) {
      new.column = mappings[own].name(ofColumn: reject.column)
    }
    return new
  }

  /// What a person should know about a row that gives way to one of another source.
  func finding(
    _ row: Int, of batch: borrowing RecordBatch, _ own: Int, keptFrom source: Int?
  ) -> Finding {
    let table = mappings[own].table
    var itemID: String?
    if let id = table.index(of: .id) {
      let bytes = batch.arena
      var spelled: [UInt8] = []
      spelled.appendPlain(
        batch.cells[row * batch.columnCount + id], type: table.columns[id].type, arena: bytes.span)
      itemID = String(decoding: spelled, as: UTF8.self)
    }
    let what = itemID == nil ? "the same pair" : "the same item"
    let other = source.flatMap { labels[$0] } ?? "another source"
    // A store of several sources has given the rows keys that theirs do not have.
    let own = self.source.isOfSeveral ? label : "its source"
    return Finding(
      MergedRow.code, .note, table: united(table.name), itemID: itemID,
      message: "\(what) came with \(other), whose row is kept; this one, with _pk "
        + "\(batch.keys[row]) in \(own), is told here")
  }
}

// MARK: - What devices send, and what was sent

extension MergedReader {
  /// Lends what the devices of the source would send, once its queue was read.
  package func forEachDeviceItem(
    _ body: (DeviceItem) throws(StoreError) -> Void
  ) throws(StoreError) {
    var tables = ownTables
    var sort = DeviceItemSort(count: ownSequences.count)
    func take(_ item: DeviceItem, at place: Int) throws(StoreError) {
      var new = item
      new.table = tables.removeValue(forKey: ownSequences[place])
      try storeErrors(DeviceItemSort.context) { () throws(FileError) in
        try sort.add(new, at: place)
      }
    }
    try base.kept?.forEachDeviceItem { (item) throws(StoreError) in
      guard item.hasRow, let place = ownSequences.place(of: item.operation) else { return }
      try take(mended.mended(item, at: place), at: place)
    }
    for (own, rows) in uses.sent {
      let all = KeyLookup(rows.map(\.key))
      try forEachSentRow(rows, with: all, ofTable: own, lacking: lostCells[own]) {
        (sent, item) throws(StoreError) in try take(item, at: sent.operation)
      }
    }
    for place in sentPayloads.places {
      var item = DeviceItem(operation: ownSequences[place])
      item.body = sentPayloads[place]
      try take(item, at: place)
    }
    // What is left is told of nothing but the table.
    for sequence in Array(tables.keys) {
      guard let place = ownSequences.place(of: sequence) else { continue }
      try take(DeviceItem(operation: sequence), at: place)
    }
    try sort.forEachItem { (place, item) throws(StoreError) in
      var numbered = item
      numbered.operation = firstSequence + Int64(place)
      try body(numbered)
    }
  }

  package func forEachJournalLine(
    _ body: (JournalLine) throws(StoreError) -> Void
  ) throws(StoreError) {
    try base.kept?.forEachJournalLine { (line) throws(StoreError) in
      guard let number = newSequence(line.sequence) else { return }
      var new = line
      new.sequence = number
      try body(new)
    }
  }
}

/// The sequences of operations in their source, by their places in its queue.
struct OwnSequences {
  private(set) var count = 0
  /// They stand here only where they are not one more than the places.
  private var list: [Int64] = []

  init() {}

  init(of operations: OperationList) {
    count = operations.count
    if !operations.isNumbered { list = operations.map(\.sequence) }
  }

  subscript(place: Int) -> Int64 { list.isEmpty ? Int64(place) + 1 : list[place] }

  /// The place of an operation; nil where there is no such operation.
  func place(of sequence: Int64) -> Int? {
    // A store may name any number; below the lowest one this becomes the highest, which has no place.
    let place = list.isEmpty ? Int(sequence) &- 1 : firstPlace(in: list) { $0 >= sequence }
    return (0..<count).contains(place) && self[place] == sequence ? place : nil
  }
}
