import Bytes

/// Puts together operations whose texts are all known, each with a single block of memory.
///
/// The texts come in this order: table, item's id, original id, base version, original code,
/// table of the row. One packing serves many operations, one after another.
package struct OperationPacking {
  private var bytes: [UInt8] = []

  /// A packing that has seen nothing.
  package init() {}

  /// Adds the next text, with invalid bytes repaired.
  package mutating func add(_ text: Span<UInt8>) {
    guard isValidUTF8(text) else {
      var copy: [UInt8] = []
      copy.append(text)
      let repaired = Array(String(decoding: copy, as: UTF8.self).utf8)
      return append(repaired.span)
    }
    append(text)
  }

  /// Leaves the next text without a value.
  package mutating func addNone() { OperationFields.append(length: 0, to: &bytes) }

  /// Ends an operation with its payloads, and is ready for the next one.
  package mutating func finish(raw: RawValue?, item: [UInt8]?) -> PendingOperation {
    if let raw {
      let packed = OperationFields.packed(raw)
      append(packed.span)
    } else {
      addNone()
    }
    addNone()
    // The block that is kept has no room to spare.
    var block: [UInt8] = []
    block.reserveCapacity(bytes.count)
    block.append(bytes.span)
    var operation = PendingOperation(packed: block)
    if let item { operation.item = item }
    bytes.removeAll(keepingCapacity: true)
    return operation
  }

  private mutating func append(_ field: Span<UInt8>) {
    OperationFields.append(length: field.count &+ 1, to: &bytes)
    bytes.append(field)
  }
}
