import Bytes

/// What is asked of each operation of a queue, found out in one pass.
package struct QueueTraits: Sendable {
  /// What is known of each operation.
  package private(set) var traits: [OperationTraits] = []
  /// The operations that may still be sent, as places in the queue.
  package private(set) var pending = PlaceList()
  /// For each operation the place of the table that it names in the catalogue, or what stands for
  /// none; where catalogues are very long, for one further behind.
  private var tables: [UInt16] = []
  /// Whether the SDK's own ids are numbers, each larger than the one before from the same device.
  package private(set) var originalIDsGrow = true
  /// The place of each table in the catalogue by its name.
  private let tablePlaces: [ExactText: Int]
  private var operations: OperationList

  private static let noTable = UInt16.max
  private static let laterTable = UInt16.max - 1

  init(_ operations: OperationList, in catalogue: Catalogue?) {
    self.operations = operations
    tablePlaces = catalogue?.places ?? [:]
    traits.reserveCapacity(operations.count)
    if catalogue != nil { tables.reserveCapacity(operations.count) }
    var lastID = Int64.min
    var lastSource: Int32 = 0
    var last = PendingOperation()
    var lastTable = Self.noTable
    operations.lendEach { place, operation in
      let texts = operation.texts
      let id = operation.number(at: texts.originalID)
      traits.append(OperationTraits(texts, of: operation, id: id))
      if operation.state.isPending { pending.append(place) }
      // The operations of one device stand together, and each device counts for itself.
      let isNewSource = operation.source > lastSource
      if isNewSource { lastSource = operation.source }
      originalIDsGrow =
        originalIDsGrow && id.map { isNewSource || $0 > lastID } == true
        && operation.source == lastSource
      lastID = id ?? lastID
      guard catalogue != nil else { return }
      // Neighbours mostly name the same table.
      if !last.isForSameTable(as: operation) {
        last = copy operation
        lastTable = mark(ofTable: operation.table)
      }
      tables.append(lastTable)
    }
  }

  mutating func forgetOperations() { operations = OperationList() }

  /// Notes what operations say of rows that they did not know when they were looked at.
  mutating func takeTied(_ operations: OperationList) {
    self.operations = operations
    operations.lendEach { place, operation in
      guard operation.rowKey != nil else { return }
      traits[place].insert(.hasRow)
      let fields = operation.fields
      if fields.range(of: .baseVersion) != nil { traits[place].insert(.hasBaseVersion) }
      if fields.range(of: .rowTable) != nil { traits[place].insert(.hasRowTable) }
    }
  }

  private func mark(ofTable name: String?) -> UInt16 {
    guard let place = place(ofTable: name) else { return Self.noTable }
    return UInt16(clamping: Swift.min(place, Int(Self.laterTable)))
  }

  /// The place of a table in the catalogue.
  package func place(ofTable name: String?) -> Int? { name.flatMap { tablePlaces[ExactText($0)] } }

  /// The place in the catalogue of the table that an operation names; nil where it has none.
  package func table(ofOperation place: Int) -> Int? {
    guard !tables.isEmpty else { return nil }
    return switch tables[place] {
    case Self.noTable: nil
    case Self.laterTable: self.place(ofTable: operations[place].table)
    case let table: Int(table)
    }
  }

  /// Notes what the pending operations on the item of each one tell about it.
  mutating func note(_ chains: ItemChains) {
    for place in traits.indices where traits[place].contains(.isPending) {
      traits[place].subtract([.isOfInsert, .endsInDelete])
      let before = chains.previous[place].map { traits[$0] }
      let isFolded = before.map { !traits[place].contains(.inserts) && !$0.contains(.deletes) }
      if isFolded == true ? before?.contains(.isOfInsert) == true : traits[place].contains(.inserts)
      {
        traits[place].insert(.isOfInsert)
      }
    }
    for place in traits.indices.reversed() where traits[place].contains(.isPending) {
      let after = chains.next[place].map { traits[$0] }
      if traits[place].contains(.deletes) || after?.isFoldedIntoDelete == true {
        traits[place].insert(.endsInDelete)
      }
    }
  }
}

extension PendingOperation {
  /// The whole number that a text is, as `Int64` reads it; nil where it is none.
  fileprivate func number(at text: Range<Int>?) -> Int64? {
    guard let text, !text.isEmpty else { return nil }
    guard packed[text.lowerBound] == UInt8(ascii: "+") else {
      return parseDecimal(packed.span.extracting(text))
    }
    return Int64(String(decoding: packed[text], as: UTF8.self))
  }
}
