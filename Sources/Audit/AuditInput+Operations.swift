import Bytes
import Formats
import Records
import SyncSDKs

extension AuditInput {
  /// What became of an operation at the latest server.
  func delivery(of index: Int) -> Delivery? {
    queue.deliveries.isEmpty ? nil : queue.deliveries.latest(of: operations.sequence(at: index))
  }

  func kindName(_ index: Int) -> String {
    kind(ofOperation: index)?.rawValue ?? "operation"
  }

  /// The pending operations on the item of this one, from it on.
  func chain(from index: Int) -> some Sequence<Int> { sequence(first: index, next: next) }

  /// Whether an insert or update of a known table has no row, although no delete took it away.
  func lacksRow(_ index: Int) -> Bool {
    let traits = traits(index)
    guard !traits.contains(.hasRow), traits.contains(.inserts) || traits.contains(.updates),
      traits.contains(.namesItem), namesKnownTable(index)
    else { return false }
    let sdk = sdk(index)
    // A revision is its own content, and no row.
    guard !sdk.hasQueueOnly, !sdk.sendsBranches,
      !traits.contains(.hasItem) || sdk.hasPayloadsBesideRows
    else { return false }
    return !endsInDelete(index)
  }

  /// Whether an insert or update would send a row in which a value is missing.
  func lacksValue(_ index: Int) -> Bool {
    guard !gaps.isEmpty, !endsInDelete(index) else { return false }
    return gaps.isSent(by: operations[index], as: followsInsert(index) ? .insert : nil)
  }

  /// The operations that wait and that no replay sends for what they hold themselves, and why.
  func findUnsent() -> [Int64: UnsentReason] {
    unsentByParse.merging(unsentByAmplify) { $1 }
  }

  /// The operations on items whose row is gone, where a payload refers to items whose keys went with it.
  private var unsentByAmplify: [Int64: UnsentReason] {
    var unsent: [Int64: UnsentReason] = [:]
    guard operationSDKs.all.contains(where: \.style.sendsRows) else { return unsent }
    var payloads = SentPayloads(catalogue)
    for index in pending where isSo(.hasItem, index) && lacksRow(index) {
      let style = sdk(index).style
      guard style.sendsRows, payloads.needsRow(operations[index], style) else { continue }
      // All that is sent as one is held back.
      for place in effect(around: index) {
        unsent[operations.sequence(at: place)] = .send(.withoutRow)
      }
    }
    return unsent
  }

  /// The pending operations that are sent as one with this one, where that ends in no delete.
  private func effect(around index: Int) -> [Int] {
    var first = index
    while !beginsEffect(first), let before = previous(first) { first = before }
    return chain(from: first).prefix { !isSo(.deletes, $0) }
  }

  private var unsentByParse: [Int64: UnsentReason] {
    guard !sdks.setSenders.isEmpty else { return [:] }
    let names = Dictionary(
      keepingFirst: catalogue.tables.map { (ExactText($0.name), $0.sourceName) })
    var unsent: [Int64: UnsentReason] = [:]
    for index in pending where sdk(index).sendsSets {
      let operation = operations[index]
      let table = operation.table ?? ""
      unsent[operation.sequence] = ParseObstacle(
        operation, ofClass: names[ExactText(table)] ?? table, operation.changesOfParse
      ).map { .parse($0) }
    }
    return unsent
  }

  /// Whether an insert or update becomes a delete with what follows it on its item.
  func endsInDelete(_ index: Int) -> Bool {
    // Of what no SDK queues behind an operation nothing is folded into it.
    next(index).map { traits($0).isFoldedIntoDelete } ?? false
  }

  func followsInsert(_ index: Int) -> Bool { isSo(.isOfInsert, index) && previous(index) != nil }

  /// Whether the operation folds into none before it.
  func beginsEffect(_ index: Int) -> Bool { previous(index).map { isSo(.deletes, $0) } ?? true }

  /// Whether an undecodable operation does give a code, only none that is known.
  func hasUnknownCode(_ index: Int) -> Bool {
    guard let code = operations[index].originalCode else { return false }
    let sdk = sdk(index)
    // Of an entry that cannot be read only the transaction is known.
    if case .entry? = sdk.details { return !code.hasPrefix(" ") }
    guard sdk.hasKindsInPayloads else { return true }
    let digits =
      code.utf8.count > 2 && code.hasPrefix("\"") ? code.dropFirst().dropLast() : code[...]
    return Int64(digits) != nil
  }

  /// Whether an operation needs a payload and has one that is no JSON object.
  func hasStrangePayload(_ index: Int) -> Bool {
    let (sdk, kind) = (sdk(index), kind(ofOperation: index))
    guard !isSo(.hasItem, index), sdk.needsPayload(of: kind) else { return false }
    return sdk.isStrangePayload(operations[index].raw, of: kind)
  }

  /// Whether an operation of an SDK that sends its payload keeps that of another item.
  func keepsOtherItem(_ index: Int) -> Bool {
    guard isSo(.hasItem, index) else { return false }
    let sdk = sdk(index)
    return sdk.sendsPayload(of: kind(ofOperation: index)) && sdk.keepsOtherItem(operations[index])
  }

  /// Whether an operation holds an item that has any member.
  func holdsItem(_ index: Int) -> Bool {
    isSo(.hasItem, index)
      && operations.with(index) { operation in
        operation.withTexts { texts, packed in
          // Each member has a name in quotes.
          texts.item?.contains { packed[$0] == UInt8(ascii: "\"") } ?? false
        }
      }
  }

  /// Whether an error of the same operation holds a copy of the item.
  func hasErrorCopy(_ index: Int) -> Bool {
    !sequencesWithCopy.isEmpty && sequencesWithCopy.contains(operations.sequence(at: index))
  }

  /// Tells of the cells that were left empty for one reason, column by column.
  func raiseRejects(_ code: RejectCode, _ sink: inout FindingSink) {
    for facts in tables {
      let places = facts.rejects.filter { $0.key.code == code }
      for (place, count) in places.sorted(by: {
        ExactText($0.key.column) < ExactText($1.key.column)
      }) {
        sink.raise(table: facts.name, code.words(count, inColumn: place.column))
      }
    }
  }
}

extension AuditInput {
  /// The errors about pending operations as they stand, with one cause.
  func currentErrors(_ cause: FailureCause) -> some Sequence<(Int, OperationError)> {
    errors { $0.bond == .current && $0.cause == cause }
      .lazy.filter { !($1.operation.map(settled.contains) ?? false) }
  }

  /// The errors with some assessments, and their places.
  func errors(
    where isMeant: @escaping (ErrorAssessment) -> Bool
  ) -> some Sequence<(Int, OperationError)> {
    var errors = ErrorList.Lookup(queue.errors)
    var places = assessments.indices.makeIterator()
    return AnyIterator { [assessments] in
      while let place = places.next() {
        if isMeant(assessments[place]) { return (place, errors.record(at: place)) }
      }
      return nil
    }
  }

  /// What went wrong, in a few words: status, code, cause.
  func failureText(_ index: Int, _ error: OperationError) -> String {
    let kind = error.kind.map { "the \($0.rawValue)" } ?? "the operation"
    let isUnsent = error.status == nil && assessments[index].cause == .rejected
    let isShown = error.serverItem != nil
    let status =
      error.status.map { "the answer was \($0)" }
      ?? (isUnsent
        ? "no request could be made"
        : isShown
          ? "the answer showed the server's copy"
          : error.code == nil && error.message != nil
            ? "no status was noted" : "no answer came")
    let code = error.code.flatMap { Int64($0) }.map { ", code \($0)" } ?? ""
    return "\(kind) was \(assessments[index].cause.verb): \(status)\(code)"
  }
}

extension FailureCause {
  fileprivate var verb: String {
    switch self {
    case .conflict: "in conflict with the server's copy"
    case .rejected: "refused"
    case .transient: "not carried out"
    case .answered: "most likely carried out"
    case .unknown: "not carried out for an unknown reason"
    }
  }
}

extension DeltaToken {
  var time: Timestamp? {
    updatedAt.flatMap { Timestamp(parsing: $0.utf8Span.span) }
  }
}

extension TableFacts {
  /// The newest `updatedAt` as a value.
  var newestTime: Timestamp? {
    newestUpdate.flatMap { Timestamp(parsing: $0.utf8Span.span) }
  }
}

extension [String] {
  /// The first few, and how many more there are.
  var shortList: String {
    prefix(8).joined(separator: ", ") + (count > 8 ? " and \(count - 8) more" : "")
  }
}
