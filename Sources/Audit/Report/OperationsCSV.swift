import Bytes
package import Records

/// Writes the operations of audits as CSV for a spreadsheet: a header, then one a record.
package struct OperationsCSV {
  private static let columns = [
    "store", "sequence", "table", "itemId", "kind", "state", "baseVersion", "originalId",
    "errors", "findings", "item", "device", "replay", "message",
  ]
  private var bytes: [UInt8]
  /// Appends a field as the program wants it that the list is for; nil for no certain one.
  private let spelling: ((Span<UInt8>, inout [UInt8]) -> Void)?

  /// Only the header, behind what a file for a certain program begins with.
  package init(
    start: [UInt8] = [], spelling: ((Span<UInt8>, inout [UInt8]) -> Void)? = nil
  ) {
    bytes = start
    self.spelling = spelling
    add(Self.columns)
  }

  /// Takes what was written since the last call.
  package mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Adds the operations of one store under the name that tells it from others; `write` gets the
  /// text in pieces.
  package mutating func add(
    _ audit: StoreAudit, name: String? = nil, write: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var findings = FindingList.Codes(of: audit.findings)
    let errors = ErrorPlaces(in: audit.queue.errors)
    for operation in audit.queue.operations {
      let codes = findings.next(of: operation.sequence)
      let places = errors[operation.sequence]
      let messages = places.compactMap { audit.queue.errors[$0].message }.filter { !$0.isEmpty }
      let failures = places.map { place in
        let cause = audit.assessments[place].cause.rawValue
        return audit.queue.errors[place].status.map { "\($0) \(cause)" } ?? cause
      }
      add([
        name ?? audit.source.name, String(operation.sequence), operation.table, operation.itemID,
        operation.kind?.rawValue, operation.state.rawValue, operation.baseVersion,
        operation.originalID, failures.isEmpty ? nil : failures.joined(separator: "; "),
        codes.isEmpty ? nil : codes.joined(separator: " "),
        audit.item(of: operation).map { String(decoding: $0, as: UTF8.self) },
        audit.devices[operation.source] ?? audit.source.givenDevice,
        Self.outcomes(audit.queue.deliveries[operation.sequence]),
        messages.isEmpty ? nil : messages.joined(separator: "; "),
      ])
      if bytes.count > 64 << 10 { try write(take()) }
    }
    try write(take())
  }

  /// Adds that a store cannot be read, in place of its operations.
  package mutating func add(
    _ store: UnreadableStore, write: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var fields = [String?](repeating: nil, count: Self.columns.count)
    fields[0] = store.name
    for (place, column) in Self.columns.enumerated() {
      if column == "errors" { fields[place] = "cannot be read: \(store.message)" }
      if column == "device" { fields[place] = store.device }
    }
    add(fields)
    try write(take())
  }

  /// What became of an operation at each target; nil where it was never replayed.
  private static func outcomes(_ deliveries: [Delivery]) -> String? {
    deliveries.isEmpty
      ? nil : deliveries.map { "\($0.outcome.rawValue) at \($0.target)" }.joined(separator: "; ")
  }

  private mutating func add(_ fields: [String?]) {
    for (place, field) in fields.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      guard let field else { continue }
      append(field)
    }
    bytes.append("\r\n")
  }

  private mutating func append(_ field: String) {
    if let spelling { return spelling(field.utf8Span.span, &bytes) }
    let isPlain = field.utf8.allSatisfy { byte in
      byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte >= 0x20
    }
    guard !isPlain || field.isEmpty || Self.isFormula(field) else {
      return bytes.append(contentsOf: field.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
    // A spreadsheet takes text after an apostrophe for text, whatever it looks like.
    if Self.isFormula(field) { bytes.append(UInt8(ascii: "'")) }
    for byte in field.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isFormula(_ field: String) -> Bool {
    guard let first = field.utf8.first, Int64(field) == nil else { return false }
    return "=+-@\t\r".utf8.contains(first)
  }
}
