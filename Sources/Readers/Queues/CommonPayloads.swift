import Bytes
import Records
import SQLite

/// The payloads that came most lately and are short: the SDK for iOS writes the same ones over and
/// over, so that they are decoded and kept once.
struct CommonPayloads {
  private var known: [(bytes: [UInt8], isText: Bool, operation: PendingOperation)] = []
  private var oldest = 0

  private static let limit = 8
  private static let longest = 64

  /// What `decode` makes of the payload in a column, perhaps from a time before; it is told whether
  /// the outcome will be kept.
  mutating func operation(
    _ statement: borrowing Statement, at column: Int,
    decode: (_ payload: RawValue?, _ isKept: Bool) -> PendingOperation
  ) -> PendingOperation {
    let storage = statement.storageClass(at: column)
    guard storage == .text || storage == .blob else {
      return decode(statement.optionalRaw(at: column), false)
    }
    let isText = storage == .text
    let find = { [known] (bytes: Span<UInt8>) in
      known.first { $0.isText == isText && Self.isSame($0.bytes, bytes) }?.operation
    }
    let found =
      isText ? statement.withText(at: column, find) : statement.withBlob(at: column, find)
    if let found { return found }
    let bytes = statement.bytes(at: column)
    let isShort = bytes.count <= Self.longest
    let operation = decode(isText ? .text(bytes) : .binary(bytes), isShort)
    if isShort { keep((bytes, isText, operation)) }
    return operation
  }

  private mutating func keep(
    _ entry: (bytes: [UInt8], isText: Bool, operation: PendingOperation)
  ) {
    guard known.count == Self.limit else { return known.append(entry) }
    known[oldest] = entry
    oldest = (oldest + 1) % Self.limit
  }

  private static func isSame(_ known: [UInt8], _ bytes: Span<UInt8>) -> Bool {
    guard known.count == bytes.count else { return false }
    for index in bytes.indices where known[index] != bytes[index] { return false }
    return true
  }
}
