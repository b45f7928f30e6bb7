import Bytes
package import Records
import SQLite
package import Tables

extension ColumnStorage.Form {
  /// Whether values of a type can be stored like this, one or the other perhaps not.
  func accepts(_ type: LogicalType) -> Bool {
    switch self {
    case .integer, .boolean, .position: type == .integer || type == .boolean
    case .real, .float: type == .real || type == .integer
    case .decimal: type == .decimal || type == .integer || type == .real
    case .text: type == .text || type == .uri || type == .json || type == .uuid
    case .uuid: type == .uuid || type == .text
    case .date: type == .timestamp
    case .binary: type == .binary
    case .reference: type == .reference || type == .integer
    case .referenceEntity: type == .text
    case .nothing: false
    }
  }

  /// The value of a cell as the column stores it; its bytes are added to `bytes`.
  package func value(_ cell: Cell, arena: Span<UInt8>, into bytes: inout [UInt8]) -> ColumnValue {
    switch cell.kind {
    case .null: return .taken(.null)
    case .integer: return value(cell.integer)
    case .real: return value(cell.real)
    case .text: return value(arena.extracting(cell.range), into: &bytes)
    case .binary:
      guard case .binary(let isTagged) = self else { return .rejected }
      let start = bytes.count
      if isTagged { bytes.append(Self.inlineTag) }
      bytes.append(arena.extracting(cell.range))
      return .taken(.blob(start..<bytes.count))
    }
  }

  private func value(_ number: Int64) -> ColumnValue {
    switch self {
    case .integer(let bits):
      let rest = number >> Int64(bits - 1)
      return rest == 0 || rest == -1 ? .taken(.integer(number)) : .changed(.integer(number))
    case .boolean: return number == 0 || number == 1 ? .taken(.integer(number)) : .rejected
    case .decimal, .reference, .position: return .taken(.integer(number))
    case .real, .float: return Double(exactly: number).map(value) ?? .rejected
    case .text, .date, .uuid, .binary, .referenceEntity, .nothing: return .rejected
    }
  }

  private func value(_ number: Double) -> ColumnValue {
    switch self {
    case .real: return .taken(.real(number))
    case .float:
      let nearest = Double(Float(number))
      guard nearest.isFinite || !number.isFinite else { return .rejected }
      return nearest == number || number.isNaN ? .taken(.real(number)) : .changed(.real(nearest))
    case .decimal: return number.isFinite ? .taken(.real(number)) : .rejected
    default: return .rejected
    }
  }

  private func value(_ text: Span<UInt8>, into bytes: inout [UInt8]) -> ColumnValue {
    let start = bytes.count
    switch self {
    case .text:
      bytes.append(text)
      return .taken(.text(start..<bytes.count))
    case .date(let isFrom1970):
      guard let time = Timestamp(parsing: text) else { return .rejected }
      let seconds = time.secondsSince2001(isFrom1970: isFrom1970)
      // The last nanoseconds of all are nearest to a number for the year 10000.
      guard let stored = Timestamp(secondsSince2001: seconds) else { return .rejected }
      return stored == time ? .taken(.real(seconds)) : .changed(.real(seconds))
    case .decimal: return ColumnValue(numberOf: text)
    case .uuid:
      guard bytes.append(uuid: text) else { return .rejected }
      return .taken(.blob(start..<bytes.count))
    default: return .rejected
    }
  }

  /// What stands before bytes that are in the table itself and not in a file beside the store.
  private static let inlineTag: UInt8 = 1
}

extension Timestamp {
  /// The moment as Core Data keeps it; the first moment of all is what Foundation calls the distant
  /// past.
  fileprivate func secondsSince2001(isFrom1970: Bool) -> Double {
    if secondsSince1970 == Self.firstSecond, nanoseconds == 0 { return Self.distantPast }
    let whole = secondsSince1970 - Self.secondsTo2001
    guard nanoseconds % 1_000_000 == 0 else {
      return Double(whole) + Double(nanoseconds) / 1_000_000_000
    }
    let origin = isFrom1970 ? Self.secondsTo2001 : 0
    let milliseconds = (whole + origin) * 1000 + Int64(nanoseconds) / 1_000_000
    return Double(milliseconds) / 1000 - Double(origin)
  }

  private static let secondsTo2001: Int64 = 978_307_200
  private static let firstSecond: Int64 = -62_135_596_800
  private static let distantPast = -63_114_076_800.0
}

extension [UInt8] {
  /// Appends the 16 bytes of a UUID that a text spells in any form; false when it spells none.
  fileprivate mutating func append(uuid text: Span<UInt8>) -> Bool {
    guard isUUIDInAnyForm(text) else { return false }
    var high: UInt8?
    for place in text.indices {
      let byte = text[place]
      let letter = (byte | 0x20) &- 0x61
      let digit = byte &- 0x30 < 10 ? byte &- 0x30 : letter < 6 ? letter &+ 10 : 16
      // Hyphens and brackets are no digits.
      guard digit < 16 else { continue }
      if let first = high {
        append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return true
  }
}
