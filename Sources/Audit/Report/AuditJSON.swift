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
  package mutating func add(_ audit: StoreAudit) throws(StoreError) {
    text.breakLine()
    text.open("{")
    text.add("name", audit.source.name)
    if let path = audit.source.givenPath { text.add("path", path) }
    if let device = audit.source.givenDevice { text.add("device", device) }
    if let twin = audit.twin { text.add("sameAs", twin) }
    text.add("layout", audit.source.layout.rawValue)
    text.add("generation", audit.source.generation)
    let (queue, effects, devices) = (audit.queue, audit.effects, audit.devices)
    let isOfSeveral = audit.source.isOfSeveral
    if isOfSeveral { Self.add(devices: audit.source.earlier, &text) }
    let details = OperationDetails(of: audit.source)
    Self.add(queue.deliveries, &text)
    try list("operations", queue.operations.count) {
      var rows = AttachedRows.Lookup(audit.rows)
      return { text, place in
        queue.operations.with(place) { operation in
          Self.add(operation, &rows, &text)
          details.add(operation, &text)
          Self.add(source: operation.source, of: devices, &text)
          Self.add(queue.deliveries, of: operation, &text)
        }
      }
    }
    try list("effects", effects.count) {
      var rows = AttachedRows.Lookup(audit.rows)
      var starts = PlaceList.Lookup(effects.starts)
      return { text, number in
        let start = starts.place(at: number)
        Self.add(effects, from: start, of: queue.operations, &rows, &text)
        guard isOfSeveral else { return }
        Self.add(source: queue.operations[start].source, of: devices, &text)
      }
    }
    try list("errors", queue.errors.count) {
      var errors = ErrorList.Lookup(queue.errors)
      return { text, place in
        let error = errors.record(at: place)
        Self.add(error, audit.assessments[place], audit.differences(of: error) ?? [], &text)
        Self.add(source: error.source, of: devices, &text)
      }
    }
    try list("tokens", queue.tokens.count) {
      var tokens = TokenList.Lookup(queue.tokens)
      return { text, place in
        let token = tokens.record(at: place)
        Self.add(token, &text)
        Self.add(source: token.source, of: devices, &text)
      }
    }
    try list("findings", audit.findings.count) {
      var findings = FindingList.KeptFindings(of: audit.findings)
      return { text, place in Self.add(&findings, place, &text) }
    }
    text.breakLineAtEnd()
    text.close("}")
  }

  /// Writes that a store cannot be read.
  package mutating func add(_ store: UnreadableStore) throws(StoreError) {
    text.breakLine()
    text.open("{")
    text.add("name", Paths.fileName(of: store.name))
    text.add("path", store.name)
    text.add("device", store.device)
    text.add("layout", nil as String?)
    text.add("generation", nil as String?)
    for list in ["operations", "effects", "errors", "tokens", "findings"] as [StaticString] {
      text.open("[", list)
      text.close("]")
    }
    text.open("{", "error")
    text.add("code", store.code)
    text.add("message", store.message)
    text.add("hint", store.hint)
    text.close("}")
    text.close("}")
    try write(text.bytes)
    text.bytes.removeAll(keepingCapacity: true)
  }

  /// Ends the report.
  package mutating func finish() throws(StoreError) {
    text.close("]")
    text.close("}")
    text.breakLineAtEnd()
    try write(text.bytes)
    text.bytes.removeAll()
  }

  /// Writes some operations of an audit alone, as an array.
  package static func write(
    _ operations: OperationList, of audit: StoreAudit,
    to write: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var text = JSONText()
    var rows = AttachedRows.Lookup(audit.rows)
    let details = OperationDetails(of: audit.source)
    text.open("[")
    for operation in operations {
      text.breakLine()
      text.open("{")
      add(operation, &rows, &text)
      details.add(operation, &text)
      add(source: operation.source, of: audit.devices, &text)
      text.add("originalCode", operation.originalCode)
      text.add("raw", operation.raw?.shown)
      add(audit.queue.marks[operation.sequence], &text)
      add(audit.queue.deliveries, of: operation, &text)
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
}

extension JSONText {
  /// Ends the last line.
  mutating func breakLineAtEnd() { bytes.append(UInt8(ascii: "\n")) }
}
