import Bytes

/// Puts operations one behind the other, their texts and payloads in blocks that neighbours share.
///
/// The fields of each come in this order: table, item's id, original id, base version, original
/// code, table of the row, payload, item.
package struct OperationPacking {
  private var finished: [PendingOperation] = []
  /// The block at hand and the first operation in it.
  private var block: [UInt8] = []
  private var first = 0
  /// Where the operation at hand begins in the block, and where its payload is.
  private var start = 0
  private var payload = 0..<0

  /// How many bytes operations share; the last one of a block may go beyond.
  private static let blockSize = 32 << 10

  /// A packing that has seen nothing.
  package init() {}

  /// Adds the next text, with invalid bytes repaired.
  package mutating func add(_ text: Span<UInt8>) {
    guard isValidUTF8(text) else {
      let repaired = repairedUTF8(text)
      return append(repaired.span)
    }
    append(text)
  }

  /// Adds a number as the next text.
  package mutating func add(_ number: Int64) {
    // So few digits have a length of one byte.
    let place = block.count
    block.append(0)
    block.appendDecimal(number)
    block[place] = UInt8(truncatingIfNeeded: block.count &- place)
  }

  /// Leaves the next field without a value.
  package mutating func addNone() { block.append(length: 0) }

  /// Adds the payload, a text or a blob.
  package mutating func addPayload(_ bytes: Span<UInt8>, isText: Bool) {
    addPayload(isText ? OperationFields.Mark.text : OperationFields.Mark.binary, bytes)
  }

  /// Adds the payload, if there is one.
  package mutating func addPayload(_ raw: RawValue?) {
    guard let raw else { return addNone() }
    let packed = OperationFields.packed(raw)
    append(packed.span)
    payload = block.count &- packed.count..<block.count
  }

  /// Adds the item; where it is a part of the payload, only its place takes memory.
  package mutating func addItem(_ item: Span<UInt8>) {
    let offset = OperationFields.offset(of: item, in: block.span.extracting(payload))
    guard let offset else {
      return append(OperationFields.Mark.own, item)
    }
    // Of something so short the length takes one byte.
    let start = block.count
    block.append(0)
    OperationFields.append(placeAt: offset, count: item.count, to: &block)
    block[start] = UInt8(truncatingIfNeeded: block.count &- start)
  }

  /// Ends an operation, of which the fields are what was added since the last one.
  package mutating func finish(
    sequence: Int64 = 0, _ kind: OperationKind?, _ state: OperationState = .pending,
    isMarkedDropped: Bool = false, rowKey: Int64? = nil, source: Int32 = 0
  ) {
    // One that has fields already would share them with all threads that make such.
    var operation = PendingOperation(fieldsFrom: start)
    operation.sequence = sequence
    operation.rowKey = rowKey
    operation.kind = kind
    operation.state = state
    operation.isMarkedDropped = isMarkedDropped
    operation.source = source
    finished.append(operation)
    start = block.count
    payload = 0..<0
    if start >= Self.blockSize { close() }
  }

  /// Ends an operation with what another one has besides its fields.
  private mutating func finish(as other: borrowing PendingOperation, rowKey: Int64?) {
    finish(
      sequence: other.sequence, other.kind, other.ownState, isMarkedDropped: other.isMarkedDropped,
      rowKey: rowKey, source: other.source)
  }

  /// Adds an operation that was packed before, just as it is.
  package mutating func add(_ operation: borrowing PendingOperation) {
    operation.fields.append(to: &block)
    finish(as: operation, rowKey: operation.rowKey)
  }

  /// Adds an operation that was packed before, with the row that it is tied to.
  mutating func add(
    _ operation: borrowing PendingOperation, tiedTo row: RowMatches.Row, of rows: RowMatches
  ) {
    let (packed, edges) = (operation.fields.bytes.span, operation.fields.edges)
    block.append(packed.extracting(edges.range(upTo: .baseVersion)))
    if let version = row.version {
      append(version.span)
    } else {
      block.append(packed.extracting(edges.range(from: .baseVersion, upTo: .originalCode)))
    }
    block.append(packed.extracting(edges.range(from: .originalCode, upTo: .rowTable)))
    rows.with(tableOf: row) { table in
      if row.key == nil || operation.isForTable(table) { addNone() } else { append(table) }
    }
    block.append(packed.extracting(edges.range(from: .raw)))
    finish(as: operation, rowKey: row.key)
  }

  /// Whether the operations should be taken before the next one, so that they take little memory.
  package var isFull: Bool { first > 0 && first == finished.count }

  /// Hands out all operations, and is ready for others.
  package mutating func take() -> [PendingOperation] {
    if first < finished.count { close() }
    first = 0
    var taken: [PendingOperation] = []
    swap(&taken, &finished)
    // The next part will be about as long.
    finished.reserveCapacity(taken.count)
    return taken
  }

  private mutating func close() {
    // The block that is kept has no room to spare.
    var shared: [UInt8] = []
    shared.reserveCapacity(block.count)
    shared.append(block.span)
    for place in first..<finished.count { finished[place].fields.settle(in: shared) }
    first = finished.count
    start = 0
    block.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ field: Span<UInt8>) {
    block.append(roomFor: OperationFields.longestLength &+ field.count) { room in
      OperationFields.append(length: field.count &+ 1, to: &room)
      room.append(field, field.indices)
    }
  }

  /// Appends a field behind what stands for its type.
  private mutating func append(_ mark: UInt8, _ field: Span<UInt8>) {
    block.append(roomFor: OperationFields.longestLength &+ 1 &+ field.count) { room in
      OperationFields.append(length: field.count &+ 2, to: &room)
      room.append(mark)
      room.append(field, field.indices)
    }
  }

  private mutating func addPayload(_ mark: UInt8, _ bytes: Span<UInt8>) {
    append(mark, bytes)
    payload = block.count &- 1 &- bytes.count..<block.count
  }
}
