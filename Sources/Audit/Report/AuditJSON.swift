import Bytes
package import Records

/// Writes audits as JSON, in pieces, so that a long queue is never held as text.
package struct AuditJSON: ~Copyable {
  private var text = JSONText()
  private let threads: Int
  private let write: ([UInt8]) throws(StoreError) -> Void

  /// A report whose pieces go to `write`; several threads may spell it.
  package init(
    threads: Int = 1, write: @escaping ([UInt8]) throws(StoreError) -> Void
  ) {
    self.threads = threads
    self.write = write
    text.open("{")
    text.open("[", "stores")
  }

  /// Writes the audit of one store.
  ///
  /// - Throws: whatever `write` throws.
  package mutating func add(_ audit: StoreAudit) throws(StoreError) {
    text.breakLine()
    text.open("{")
    text.add("name", audit.source.name)
    text.add("layout", audit.source.layout.rawValue)
    text.add("generation", audit.source.generation)
    let (queue, effects) = (audit.queue, audit.effects)
    try list("operations", queue.operations.count) {
      var rows = AttachedRows.Lookup(audit.rows)
      return { Self.add(queue.operations[$1], &rows, &$0) }
    }
    try list("effects", effects.count) {
      var rows = AttachedRows.Lookup(audit.rows)
      return { Self.add(effects, $1, of: queue.operations, &rows, &$0) }
    }
    try list("errors", queue.errors.count) {
      { Self.add(queue.errors[$1], audit.assessments[$1], &$0) }
    }
    try list("tokens", queue.tokens.count) { { Self.add(queue.tokens[$1], &$0) } }
    try list("findings", audit.findings.count) { { Self.add(audit.findings, $1, &$0) } }
    text.breakLineAtEnd()
    text.close("}")
  }

  /// Ends the report.
  ///
  /// - Throws: whatever `write` throws.
  package mutating func finish() throws(StoreError) {
    text.close("]")
    text.close("}")
    text.breakLineAtEnd()
    try write(text.bytes)
    text.bytes.removeAll()
  }

  /// Writes some operations of an audit alone, as an array.
  ///
  /// - Throws: whatever `write` throws.
  package static func write(
    _ operations: [PendingOperation], of audit: StoreAudit,
    to write: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var text = JSONText()
    var rows = AttachedRows.Lookup(audit.rows)
    text.open("[")
    for operation in operations {
      text.breakLine()
      text.open("{")
      add(operation, &rows, &text)
      text.add("originalCode", operation.originalCode)
      text.add("raw", operation.raw?.shown)
      add(audit.queue.marks[operation.sequence] ?? [], &text)
      text.close("}")
      guard text.bytes.count > 64 << 10 else { continue }
      try write(text.bytes)
      text.bytes.removeAll(keepingCapacity: true)
    }
    text.breakLineAtEnd()
    text.close("]")
    text.breakLineAtEnd()
    try write(text.bytes)
  }

  /// What people have decided about an operation, oldest first.
  private static func add(_ marks: [OperationMark], _ text: inout JSONText) {
    text.open("[", "marks")
    for mark in marks {
      text.open("{")
      text.add("mark", mark.kind.rawValue)
      text.add("at", mark.time.text)
      text.add("who", mark.who)
      text.add("why", mark.why)
      text.close("}")
    }
    text.close("]")
  }

  /// Writes a list, whose elements several threads spell, each with what `makeWriter` makes.
  private mutating func list(
    _ name: StaticString, _ count: Int,
    _ makeWriter: @escaping @Sendable () -> (_ text: inout JSONText, _ place: Int) -> Void
  ) throws(StoreError) {
    text.breakLine()
    text.open("[", name)
    try write(text.bytes)
    text.bytes.removeAll(keepingCapacity: true)
    let work = ListWork(count: count, threads: threads)
    try work.forEachPiece(
      by: {
        let add = makeWriter()
        return { place, bytes in
          var text = JSONText(continuing: &bytes, isFirst: place == 0)
          text.breakLine()
          text.open("{")
          add(&text, place)
          text.close("}")
          swap(&bytes, &text.bytes)
        }
      }, write)
    text.close("]")
  }

  private static func add(
    _ operation: PendingOperation, _ rows: inout AttachedRows.Lookup, _ text: inout JSONText
  ) {
    let texts = operation.texts
    text.add("sequence", operation.sequence)
    text.add("table", texts.table, of: operation)
    text.add("itemId", texts.itemID, of: operation)
    text.add("kind", operation.kind?.rawValue)
    text.add("state", operation.state.rawValue)
    if let item = texts.item {
      text.add("item", json: operation.packed.span.extracting(item))
    } else {
      addRow(operation.kind, operation.rowKey, texts, of: operation, &rows, &text)
    }
    text.add("baseVersion", texts.baseVersion, of: operation)
    text.add("originalId", texts.originalID, of: operation)
  }

  private static func add(
    _ effects: Fold.Effects, _ place: Int, of operations: [PendingOperation],
    _ rows: inout AttachedRows.Lookup, _ text: inout JSONText
  ) {
    let effect = effects.places(at: place)
    let names = operations[effect.first].texts
    let texts = { place in place == effect.first ? names : operations[place].texts }
    text.add("table", names.table, of: operations[effect.first])
    text.add("itemId", names.itemID, of: operations[effect.first])
    text.add("kind", effect.kind.rawValue)
    text.open("[", "sequences")
    effects.forEachSequence(effect) { text.add(nil, $0) }
    text.close("]")
    if let item = texts(effect.payload).item {
      text.add("item", json: operations[effect.payload].packed.span.extracting(item))
    } else {
      addRow(
        effect.kind, operations[effect.row].rowKey, texts(effect.rowTable),
        of: operations[effect.rowTable], &rows, &text)
    }
    if let version = effect.version {
      text.add("baseVersion", texts(version).baseVersion, of: operations[version])
    } else {
      text.addNull("baseVersion")
    }
    text.add("acceptsMissing", effect.acceptsMissing)
    text.add("followsOddly", effects.followsOddly(effect))
    text.open("[", "undecoded")
    for sequence in effects.undecoded(effect) { text.add(nil, sequence) }
    text.close("]")
  }

  /// Appends the current row, which an insert or update sends; null where there is none.
  private static func addRow(
    _ kind: OperationKind?, _ key: Int64?, _ texts: OperationTexts,
    of operation: PendingOperation, _ rows: inout AttachedRows.Lookup, _ text: inout JSONText
  ) {
    guard kind == .insert || kind == .update, let key, let table = texts.rowTable ?? texts.table,
      rows.with(
        key, ofTable: operation.packed.span.extracting(table), { text.add("item", trusted: $0) })
    else { return text.addNull("item") }
  }

  private static func add(
    _ error: OperationError, _ assessment: ErrorAssessment, _ text: inout JSONText
  ) {
    text.add("table", error.table)
    text.add("itemId", error.itemID)
    text.add("kind", error.kind?.rawValue)
    text.add("status", error.status)
    // Readers keep the code as JSON text, or as the plain word that it is.
    if let code = error.code {
      text.add("code", json: code.utf8Span.span)
    } else {
      text.add("code", nil as String?)
    }
    text.add("message", error.message)
    text.add("item", json: error.item)
    text.add("serverItem", json: error.serverItem)
    text.add("operation", error.operation)
    text.add("originalId", error.originalID)
    text.add("cause", assessment.cause.rawValue)
    text.open("[", "differences")
    for difference in assessment.differences ?? [] {
      text.open("{")
      text.add("field", difference.field)
      text.add("device", difference.device)
      text.add("server", difference.server)
      text.close("}")
    }
    text.close("]")
  }

  private static func add(_ token: DeltaToken, _ text: inout JSONText) {
    text.add("table", token.table)
    text.add("query", token.query)
    text.add("updatedAt", token.updatedAt)
    text.add("raw", token.raw)
  }

  private static func add(_ findings: FindingList, _ place: Int, _ text: inout JSONText) {
    text.add("code", findings.code(at: place))
    text.add("severity", findings.severity(at: place).rawValue)
    if let operation = findings.operation(at: place) {
      let texts = operation.texts
      text.add("table", texts.table, of: operation)
      text.add("itemId", texts.itemID, of: operation)
      text.add("operation", operation.sequence)
    } else {
      text.add("table", findings[place].table)
      text.add("itemId", findings[place].itemID)
      text.add("operation", findings[place].operation)
    }
    text.add("message", findings.message(at: place))
  }
}

extension RawValue {
  /// The value as text; bytes that are none as hexadecimal digits behind `hexadecimal `.
  package var shown: String {
    switch self {
    case .integer(let number): return String(number)
    case .real(let number): return String(number)
    case .text(let bytes), .binary(let bytes):
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      var digits: [UInt8] = []
      digits.appendHex(bytes.span)
      return "hexadecimal " + String(decoding: digits, as: UTF8.self)
    }
  }
}

extension JSONText {
  /// Ends the last line.
  mutating func breakLineAtEnd() { bytes.append(UInt8(ascii: "\n")) }
}
