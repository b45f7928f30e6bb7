import Bytes

/// A record of which many may wait in a file: its fields one behind the other, each a length, one more
/// than its bytes so that 0 means none, and then the bytes.
package protocol PackedRecord: Sendable, Equatable {
  /// How many fields it has.
  static var packedFields: Int { get }

  /// The record at a place in a block, behind which that moves; a field that a block does not hold,
  /// because it could not be read, has no value.
  init(packedIn block: Span<UInt8>, at place: inout Int)

  /// Appends the record to a block.
  func pack(into block: inout [UInt8])
}

extension OperationError: PackedRecord {
  package static var packedFields: Int { 13 }

  package init(packedIn block: Span<UInt8>, at place: inout Int) {
    table = PackedFields.text(of: block, at: &place)
    itemID = PackedFields.text(of: block, at: &place)
    kind = PackedFields.text(of: block, at: &place).flatMap(OperationKind.init(rawValue:))
    code = PackedFields.text(of: block, at: &place)
    message = PackedFields.text(of: block, at: &place)
    originalID = PackedFields.text(of: block, at: &place)
    originalOperationID = PackedFields.text(of: block, at: &place)
    item = PackedFields.bytes(of: block, at: &place)
    serverItem = PackedFields.bytes(of: block, at: &place)
    raw = PackedFields.bytes(of: block, at: &place).flatMap { OperationFields.raw($0[...]) }
    status = PackedFields.number(of: block, at: &place)
    operation = PackedFields.number(of: block, at: &place)
    source = PackedFields.number(of: block, at: &place).map { Int32(clamping: $0) } ?? 0
  }

  package func pack(into block: inout [UInt8]) {
    block.append(field: table)
    block.append(field: itemID)
    block.append(field: kind?.rawValue)
    block.append(field: code)
    block.append(field: message)
    block.append(field: originalID)
    block.append(field: originalOperationID)
    block.append(field: item)
    block.append(field: serverItem)
    block.append(field: raw.map(OperationFields.packed))
    block.append(field: status)
    block.append(field: operation)
    block.append(field: Int64(source))
  }
}

extension DeltaToken: PackedRecord {
  package static var packedFields: Int { 5 }

  package init(packedIn block: Span<UInt8>, at place: inout Int) {
    table = PackedFields.text(of: block, at: &place)
    query = PackedFields.text(of: block, at: &place)
    updatedAt = PackedFields.text(of: block, at: &place)
    raw = PackedFields.text(of: block, at: &place)
    source = PackedFields.number(of: block, at: &place).map { Int32(clamping: $0) } ?? 0
  }

  package func pack(into block: inout [UInt8]) {
    block.append(field: table)
    block.append(field: query)
    block.append(field: updatedAt)
    block.append(field: raw)
    block.append(field: Int64(source))
  }
}

/// Reads the fields of packed records.
enum PackedFields {
  /// Where the field at a place is, behind which that moves.
  static func field(of block: Span<UInt8>, at place: inout Int) -> Range<Int>? {
    let length = OperationFields.readLength(block, at: &place)
    guard length > 0, length &- 1 <= block.count &- place else { return nil }
    let start = place
    place = start &+ length &- 1
    return start..<place
  }

  static func text(of block: Span<UInt8>, at place: inout Int) -> String? {
    guard let range = field(of: block, at: &place) else { return nil }
    do {
      return String(copying: try UTF8Span(validating: block.extracting(range)))
    } catch {
      // What was packed was a text, so the block could not be read.
      return nil
    }
  }

  static func bytes(of block: Span<UInt8>, at place: inout Int) -> [UInt8]? {
    field(of: block, at: &place).map { [UInt8](copying: block.extracting($0)) }
  }

  static func number(of block: Span<UInt8>, at place: inout Int) -> Int64? {
    bytes(of: block, at: &place).map { Int64(bitPattern: OperationFields.number($0[...])) }
  }
}

extension [UInt8] {
  fileprivate mutating func append(field text: String?) {
    guard let text else { return append(0) }
    append(field: text.utf8Span.span)
  }

  fileprivate mutating func append(field bytes: [UInt8]?) {
    guard let bytes else { return append(0) }
    append(field: bytes.span)
  }

  fileprivate mutating func append(field number: Int64?) {
    guard let number else { return append(0) }
    append(8 + 1)
    appendBigEndian(UInt64(bitPattern: number))
  }

  fileprivate mutating func append(field bytes: Span<UInt8>) {
    append(length: bytes.count &+ 1)
    append(bytes)
  }
}
