import Bytes
import Records

/// What several rules ask of each operation of a queue, found out in one pass.
struct QueueTraits: Sendable {
  /// What is known of each operation.
  private(set) var traits: [OperationTraits] = []
  /// For each operation the place of the table that it names in the catalogue, or -1.
  private(set) var tables: [Int32] = []
  /// Whether the SDK's own ids are numbers, each larger than the one before from the same device.
  private(set) var originalIDsGrow = true
  /// The place of each table in the catalogue by its name.
  let tablePlaces: [String: Int]

  /// Looks at the operations of a queue, whose tables are in a catalogue.
  init(_ operations: OperationList, in catalogue: Catalogue) {
    tablePlaces = Dictionary(
      catalogue.tables.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    traits.reserveCapacity(operations.count)
    tables.reserveCapacity(operations.count)
    var lastID = Int64.min
    var lastSource: Int32 = 0
    var lastTable: (operation: PendingOperation, place: Int32)?
    for operation in operations {
      let texts = operation.texts
      let id = operation.number(at: texts.originalID)
      traits.append(OperationTraits(texts, of: operation, id: id))
      // The operations of one device stand together, and each device counts for itself.
      let isNewSource = operation.source > lastSource
      if isNewSource { lastSource = operation.source }
      originalIDsGrow =
        originalIDsGrow && id.map { isNewSource || $0 > lastID } == true
        && operation.source == lastSource
      lastID = id ?? lastID
      // Neighbours mostly name the same table.
      if lastTable.map({ operation.isForSameTable(as: $0.operation) }) != true {
        let place = operation.table.flatMap { tablePlaces[$0] } ?? -1
        lastTable = (operation, Int32(truncatingIfNeeded: place))
      }
      tables.append(lastTable?.place ?? -1)
    }
  }

  /// The operations of which something is so, as places in the queue.
  func places(of trait: OperationTraits) -> some BidirectionalCollection<Int> {
    traits.indices.lazy.filter { traits[$0].contains(trait) }
  }
}

/// What is known of one operation.
struct OperationTraits: OptionSet, Sendable {
  let rawValue: UInt16

  /// It names a table.
  static let namesTable = OperationTraits(rawValue: 1)
  /// It names an item, by more than an empty id.
  static let namesItem = OperationTraits(rawValue: 2)
  /// It has a payload.
  static let hasItem = OperationTraits(rawValue: 4)
  /// A condition would carry a version.
  static let hasBaseVersion = OperationTraits(rawValue: 8)
  /// Its row is in another table than the one that it names.
  static let hasRowTable = OperationTraits(rawValue: 16)
  /// The SDK's own code is a JSON string.
  static let hasQuotedCode = OperationTraits(rawValue: 32)
  /// The SDK's own id is a number, but not a positive one.
  static let hasOddID = OperationTraits(rawValue: 64)
  /// It may still be sent.
  static let isPending = OperationTraits(rawValue: 128)

  /// It inserts its item.
  static let inserts = OperationTraits(rawValue: 256)
  /// It changes its item.
  static let updates = OperationTraits(rawValue: 512)
  /// It deletes its item.
  static let deletes = OperationTraits(rawValue: 1024)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// What it does to its item; nil where that cannot be decoded.
  var kind: OperationKind? {
    if contains(.inserts) { return .insert }
    if contains(.updates) { return .update }
    return contains(.deletes) ? .delete : nil
  }

  fileprivate init(_ texts: OperationTexts, of operation: PendingOperation, id: Int64?) {
    self = []
    if texts.table != nil { insert(.namesTable) }
    if texts.itemID?.isEmpty == false { insert(.namesItem) }
    if texts.item != nil { insert(.hasItem) }
    if texts.baseVersion != nil { insert(.hasBaseVersion) }
    if texts.rowTable != nil { insert(.hasRowTable) }
    if let code = texts.originalCode, !code.isEmpty,
      operation.packed[code.lowerBound] == UInt8(ascii: "\"")
    {
      insert(.hasQuotedCode)
    }
    if let id, id <= 0 { insert(.hasOddID) }
    if operation.state.isPending { insert(.isPending) }
    switch operation.kind {
    case .insert?: insert(.inserts)
    case .update?: insert(.updates)
    case .delete?: insert(.deletes)
    case nil: break
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
