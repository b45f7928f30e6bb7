import Bytes
import Records

/// The spelling of a value whose bytes have the engine's order: its kind, then the value.
///
/// Text and bytes stay as they are, which is the order that the engine calls binary.
enum IndexKey {
  static let null: UInt8 = 0
  static let integer: UInt8 = 1
  static let real: UInt8 = 2
  static let text: UInt8 = 3
  static let binary: UInt8 = 4

  /// The first eight bytes as a number, which settles most comparisons.
  @inline(__always)
  static func prefix(of key: Span<UInt8>) -> UInt64 {
    if key.count >= 8 { return UInt64(bigEndian: loadWord(from: key, at: 0)) }
    var prefix: UInt64 = 0
    for place in key.indices { prefix |= UInt64(key[place]) << UInt64(56 &- place &* 8) }
    return prefix
  }
}

extension [UInt8] {
  /// Appends a value in the spelling of `IndexKey`.
  mutating func appendIndexKey(_ cell: Cell, arena: Span<UInt8>) {
    switch cell.kind {
    case .null: append(IndexKey.null)
    case .integer:
      append(IndexKey.integer)
      appendBigEndian(UInt64(bitPattern: cell.integer) ^ Self.signBit)
    // The engine keeps NULL for what is not a number, and no negative zero.
    case .real where cell.real.isNaN: append(IndexKey.null)
    case .real:
      let bits = (cell.real == 0 ? 0 : cell.real).bitPattern
      append(IndexKey.real)
      appendBigEndian(bits < Self.signBit ? bits | Self.signBit : ~bits)
    case .text:
      append(IndexKey.text)
      append(arena.extracting(cell.range))
    case .binary:
      append(IndexKey.binary)
      append(arena.extracting(cell.range))
    }
  }

  /// Appends the entry of an index: the size of its record, then the record of value and row.
  mutating func appendIndexEntry(_ key: Span<UInt8>, row: Int64) {
    let value = key.extracting(1...)
    let row = RecordInteger(row)
    switch key[0] {
    case IndexKey.integer:
      let bits = UInt64(bigEndian: loadWord(from: value, at: 0)) ^ Self.signBit
      let number = RecordInteger(Int64(bitPattern: bits))
      appendHead(type: number.type, size: number.size, row)
      append(number)
    case IndexKey.real:
      let bits = UInt64(bigEndian: loadWord(from: value, at: 0))
      appendHead(type: 7, size: 8, row)
      appendBigEndian(bits < Self.signBit ? ~bits : bits ^ Self.signBit)
    case IndexKey.text, IndexKey.binary:
      let kind: UInt64 = key[0] == IndexKey.text ? 13 : 12
      appendHead(type: UInt64(value.count) &* 2 &+ kind, size: value.count, row)
      append(value)
    default: appendHead(type: 0, size: 0, row)
    }
    append(row)
  }

  private static var signBit: UInt64 { 1 << 63 }

  /// Appends what stands before the values; a record of two has a head below 127 bytes.
  private mutating func appendHead(type: UInt64, size: Int, _ row: RecordInteger) {
    let head = 2 &+ varintSize(type)
    appendVarint(UInt64(head &+ size &+ row.size))
    append(UInt8(head))
    appendVarint(type)
    appendVarint(row.type)
  }
}
