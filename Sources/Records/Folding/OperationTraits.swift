/// What is asked of each operation of a long queue again and again, in two bytes.
package struct OperationTraits: OptionSet, Sendable {
  package let rawValue: UInt16

  /// It names a table, if only by an empty name.
  package static let namesTable = OperationTraits(rawValue: 1)
  /// The name of its table is empty.
  package static let hasEmptyTable = OperationTraits(rawValue: 1 << 1)
  /// It names an item, by more than an empty id.
  package static let namesItem = OperationTraits(rawValue: 1 << 2)
  /// It has a payload.
  package static let hasItem = OperationTraits(rawValue: 1 << 3)
  /// A condition would carry a version.
  package static let hasBaseVersion = OperationTraits(rawValue: 1 << 4)
  /// It is tied to a row.
  package static let hasRow = OperationTraits(rawValue: 1 << 5)
  /// Its row is in another table than the one that it names.
  package static let hasRowTable = OperationTraits(rawValue: 1 << 6)
  /// The SDK's own code is a JSON string.
  package static let hasQuotedCode = OperationTraits(rawValue: 1 << 7)
  /// The SDK's own id is a number, but not a positive one.
  package static let hasOddID = OperationTraits(rawValue: 1 << 8)
  /// It may still be sent.
  package static let isPending = OperationTraits(rawValue: 1 << 9)
  /// A request was started, and nobody knows what became of it.
  package static let isAttempted = OperationTraits(rawValue: 1 << 10)

  /// It inserts its item.
  package static let inserts = OperationTraits(rawValue: 1 << 11)
  /// It changes its item.
  package static let updates = OperationTraits(rawValue: 1 << 12)
  /// It deletes its item.
  package static let deletes = OperationTraits(rawValue: 1 << 13)

  /// The effect that it folds into begins with an insert.
  package static let isOfInsert = OperationTraits(rawValue: 1 << 14)
  /// It is a delete, or folds with what follows it into one.
  package static let endsInDelete = OperationTraits(rawValue: 1 << 15)

  /// Whether a delete becomes of it and of an insert or update before it on its item.
  package var isFoldedIntoDelete: Bool { contains(.endsInDelete) && !contains(.inserts) }

  /// Traits by their bits.
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Whether it has all of some traits; asked of each operation by each rule, so it must not be the
  /// one for any set of options.
  package func contains(_ traits: OperationTraits) -> Bool {
    rawValue & traits.rawValue == traits.rawValue
  }

  /// What it does to its item; nil where that cannot be decoded.
  package var kind: OperationKind? {
    if contains(.inserts) { return .insert }
    if contains(.updates) { return .update }
    return contains(.deletes) ? .delete : nil
  }
}

extension OperationTraits {
  /// What an operation tells by itself.
  init(_ texts: OperationTexts, of operation: borrowing PendingOperation, id: Int64?) {
    self = []
    if let table = texts.table {
      insert(.namesTable)
      if table.isEmpty { insert(.hasEmptyTable) }
    }
    if texts.itemID?.isEmpty == false { insert(.namesItem) }
    if texts.item != nil { insert(.hasItem) }
    if texts.baseVersion != nil { insert(.hasBaseVersion) }
    if operation.rowKey != nil { insert(.hasRow) }
    if texts.rowTable != nil { insert(.hasRowTable) }
    if let code = texts.originalCode, !code.isEmpty,
      operation.packed[code.lowerBound] == UInt8(ascii: "\"")
    {
      insert(.hasQuotedCode)
    }
    if let id, id <= 0 { insert(.hasOddID) }
    if operation.state.isPending { insert(.isPending) }
    if operation.state == .attempted { insert(.isAttempted) }
    switch operation.kind {
    case .insert?: insert(.inserts)
    case .update?: insert(.updates)
    case .delete?: insert(.deletes)
    case nil: break
    }
  }
}
