import Bytes
package import Records

/// Finds the operations that errors are about; knows no others, so that few errors cost little.
///
/// Of the ids of operations only hashes are kept, which make candidates.
package struct OperationIndex {
  private let operations: OperationList
  private let seed = UInt64.random(in: .min ... .max)
  /// The first operation with each number, as its place in push order.
  private var byNumber: [UInt64: Int] = [:]
  /// For numbers that several operations share: the first that fits, whatever an error leaves out.
  private var twins: [TwinKey: Int] = [:]
  /// The first operation on each item, as its id is spelled there and in any spelling.
  private var bySpelling: [ItemKey: Int] = [:]
  private var byItem: [ItemKey: Int] = [:]

  private struct ItemKey: Hashable {
    let table: ExactText?
    let itemID: ExactText?
    let kind: OperationKind?
  }

  /// What an error may say of its operation; nil stands for anything.
  private struct TwinKey: Hashable {
    let number: ExactText
    let table: ExactText?
    let itemID: ExactText?
    let kind: OperationKind??
  }

  package init(_ operations: OperationList, for errors: ErrorList) {
    self.operations = operations
    guard !errors.isEmpty else { return }
    var numbers: Set<UInt64> = []
    var items: Set<ExactText> = []
    for error in errors {
      if let number = error.originalOperationID { numbers.insert(hash(number)) }
      if Self.number(of: error) == nil, let itemID = Self.folded(error.itemID) {
        items.insert(itemID)
      }
    }
    for (index, operation) in operations.enumerated() {
      if !items.isEmpty, let itemID = Self.folded(operation.itemID), items.contains(itemID) {
        let table = Self.exact(operation.table)
        let key = ItemKey(table: table, itemID: itemID, kind: operation.kind)
        if byItem[key] == nil { byItem[key] = index }
        let spelled = ItemKey(
          table: table, itemID: Self.exact(operation.itemID), kind: operation.kind)
        if bySpelling[spelled] == nil { bySpelling[spelled] = index }
      }
      guard !numbers.isEmpty, let number = operation.originalID.map(hash),
        numbers.contains(number)
      else { continue }
      guard let first = byNumber[number] else {
        byNumber[number] = index
        continue
      }
      addTwin(first)
      addTwin(index)
    }
  }

  /// Sets the error's operation, and takes from it what the error's payload does not say.
  ///
  /// An operation id is trusted only when the payload does not name another item, because ids are
  /// used again after the queue has run empty; an update may have become a delete meanwhile. Id 0
  /// and no id mean that the SDK did not write one; then the payload decides, and of several
  /// operations that fit, the first in push order that spells the id as the error does, else the
  /// first.
  package func connect(_ error: inout OperationError) {
    guard let match = match(error) else { return }
    error.operation = match.sequence
    error.table = error.table ?? match.table
    error.itemID = error.itemID ?? match.itemID
    error.kind = error.kind ?? match.kind
  }

  private func match(_ error: OperationError) -> PendingOperation? {
    let itemID = Self.folded(error.itemID)
    let table = Self.exact(error.table)
    guard let number = Self.number(of: error) else {
      guard error.table != nil, itemID != nil, error.kind != nil else { return nil }
      let spelled = ItemKey(table: table, itemID: Self.exact(error.itemID), kind: error.kind)
      let key = ItemKey(table: table, itemID: itemID, kind: error.kind)
      return (bySpelling[spelled] ?? byItem[key]).map { operations[$0] }
    }
    for kind in [.some(error.kind), nil] as [OperationKind??] {
      let key = TwinKey(
        number: ExactText(number), table: table, itemID: itemID, kind: kind)
      if let twin = twins[key] { return operations[twin] }
    }
    return operation(number).flatMap { Self.agrees(error, $0) ? $0 : nil }
  }

  /// The id of the operation that an error is about; 0 means that the SDK did not write one.
  private static func number(of error: OperationError) -> String? {
    error.originalOperationID.flatMap { $0 == "0" ? nil : $0 }
  }

  /// The first operation with an id that an error has.
  private func operation(_ number: String) -> PendingOperation? {
    byNumber[hash(number)].map { operations[$0] }.flatMap {
      hasSameBytes($0.originalID, number) ? $0 : nil
    }
  }

  /// A hash that no store can have been made for.
  private func hash(_ number: String) -> UInt64 { spelledHash(number.utf8Span.span, seed: seed) }

  /// Files an operation under everything that an error might say about it.
  private mutating func addTwin(_ index: Int) {
    let operation = operations[index]
    guard let number = operation.originalID else { return }
    for table in [Self.exact(operation.table), nil] {
      for itemID in [Self.folded(operation.itemID), nil] {
        for kind in [.some(operation.kind), nil] as [OperationKind??] {
          let key = TwinKey(
            number: ExactText(number), table: table, itemID: itemID, kind: kind)
          if twins[key] == nil { twins[key] = index }
        }
      }
    }
  }

  /// Sets the operation of an error whose operation id is never used again.
  ///
  /// What the error does not say about its table and item is taken from the operation.
  package func connectByID(_ error: inout OperationError) {
    guard let match = error.originalOperationID.flatMap(operation) else { return }
    error.operation = match.sequence
    error.table = error.table ?? match.table
    error.itemID = error.itemID ?? match.itemID
  }

  private static func agrees(_ error: OperationError, _ operation: PendingOperation) -> Bool {
    (error.table == nil || hasSameBytes(error.table, operation.table))
      && (error.itemID == nil || folded(error.itemID) == folded(operation.itemID))
  }

  private static func exact(_ name: String?) -> ExactText? { name.map { ExactText($0) } }

  /// The id without regard to letter case; letters with marks may be spelled in two ways, which no
  /// SDK takes for one.
  private static func folded(_ id: String?) -> ExactText? { id.map { ExactText(folding: $0) } }
}
