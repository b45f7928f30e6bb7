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
    sentRows = [:]
    var given = PlaceList()
    queue.operations.updateEach { place, new in
      let operation = new
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
      guard let own, operation.kind != .delete,
        operation.item == nil || rowSenders.contains(operation.source),
        // With the row in its place, a payload that nobody can read would be sent.
        !sdks.cannotRead(operation)
      else { return }
      if !known.contains(operation.sequence) {
        sentRows[own, default: []].append(SentRow(key: key, operation: place, of: operation))
      } else if operation.item == nil, keys.tables[own].losers.keys.contains(key) {
        given.append(place)
      }
    }
    queue.marks = newMarks
    queue.deliveries = queue.deliveries.renumbered(newSequence)
    // With the keys of the list itself, each part of it would be copied.
    for own in Array(sentRows.keys) { sentRows[own]?.sort { $0.key < $1.key } }
    try findLostCells()
    try keepItems(in: &queue, known: given)
    rename(&queue)
    return queue
  }

  /// Finds the values of the rows that would be sent which the source could not take over.
  private func findLostCells() throws(StoreError) {
    lostCells = [:]
    guard !sentRows.isEmpty else { return }
    try base.kept?.forEachStoredReject { (reject) throws(StoreError) in
      guard let own = keys.place(ofTable: reject.table), let rows = sentRows[own] else { return }
      let place = firstPlace(in: rows) { $0.key >= reject.row }
      guard place < rows.count, rows[place].key == reject.row,
        let column = mappings[own].table.columns.firstIndex(where: { $0.name == reject.column })
      else { return }
      lostCells[own, default: LostCells()].add(column, ofRow: reject.row, source: reject.source)
    }
  }

  /// The operations of which the source itself knows what their devices would send.
  ///
  /// What devices call their tables is kept by the way.
  private func knownItems() throws(StoreError) -> KeySet {
    ownTables = [:]
    var known: KeySet = []
    try base.kept?.forEachDeviceItem { item in
      if item.body != nil { known.insert(item.operation) }
      if let table = item.table { ownTables[item.operation] = table }
    }
    return known
  }

  /// Gives operations the items that they would have sent, where another row is kept; of `known`
  /// ones the source itself knows them.
  private func keepItems(in queue: inout Queue, known: PlaceList) throws(StoreError) {
    var items = ItemsByPlace(count: queue.operations.count)
    for (own, rows) in sentRows {
      let lost = KeyLookup(rows.lazy.map(\.key).filter(keys.tables[own].losers.keys.contains))
      try forEachSentRow(rows, with: lost, ofTable: own) { (sent, item) in
        if let body = item.body { items.keep(body, at: sent.operation) }
      }
    }
    if !known.isEmpty {
      try base.kept?.forEachDeviceItem { item in
        guard let body = item.body, let place = ownSequences.place(of: item.operation),
          known.contains(place)
        else { return }
        items.keep(body, at: place)
      }
    }
    guard !items.isEmpty else { return }
    queue.operations.updateEach { place, operation in
      // What a device has stored itself is what its store says, whatever it would send.
      guard operation.item == nil else { return }
      if let item = items[place] { operation.item = item }
    }
    try checkWhatWasSetAside()
  }

  /// Lends operations that would send the rows of a table with some keys, each with what its device
  /// would send.
  private func forEachSentRow(
    _ rows: [SentRow], with keys: KeyLookup, ofTable own: Int,
    _ body: (SentRow, DeviceItem) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard !keys.isEmpty else { return }
    let sent = SentRows(
      rows, with: keys, of: mappings[own].table, lacking: lostCells[own] ?? LostCells(),
      source.sdks)
    try base.forEachBatch(inTable: own, wanting: sent.wanted, seeing: sent.spell) {
      (spelled) throws(StoreError) in try spelled.forEachOperation(of: sent, body)
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
      guard item.body != nil, let place = ownSequences.place(of: item.operation) else { return }
      try take(item, at: place)
    }
    for (own, rows) in sentRows {
      let all = KeyLookup(rows.map(\.key))
      try forEachSentRow(rows, with: all, ofTable: own) { (sent, item) throws(StoreError) in
        try take(item, at: sent.operation)
      }
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

/// Items of operations by their places in a queue, of which many wait in a file.
private struct ItemsByPlace {
  private var items = ByteSpool(memoryLimit: 4 << 20)
  /// One more than where each is; 0 for none.
  private var starts: [Int] = []
  private let count: Int

  init(count: Int) { self.count = count }

  var isEmpty: Bool { starts.isEmpty }

  mutating func keep(_ item: [UInt8], at place: Int) {
    if starts.isEmpty { starts = [Int](repeating: 0, count: count) }
    starts[place] = items.append(counted: item.span) + 1
  }

  subscript(place: Int) -> [UInt8]? {
    starts[place] == 0 ? nil : items.counted(at: starts[place] - 1)
  }
}
