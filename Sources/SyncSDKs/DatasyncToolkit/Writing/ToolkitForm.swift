import Bytes
import Records
import SQLite
import Tables

/// How Entity Framework stores a type in SQLite.
enum ToolkitForm: Sendable, Equatable {
  case integer
  case real
  case text
  /// The date, a blank, the time to 100 nanoseconds without closing zeros, and the offset.
  case time
  /// Digits with at least one behind the point.
  case decimal
  /// Upper-case digits with hyphens.
  case uuid
  case binary
  /// The bytes that a text spells in base64.
  case bytesOfBase64

  /// The form of a column that Entity Framework makes for a type.
  init(_ type: LogicalType) {
    switch type {
    case .integer, .boolean, .reference: self = .integer
    case .real: self = .real
    case .text, .uri, .json: self = .text
    case .timestamp: self = .time
    case .decimal: self = .decimal
    case .uuid: self = .uuid
    case .binary: self = .binary
    }
  }

  /// The form of a column that Entity Framework makes for one of the data: the id of an item is a
  /// text to the toolkit, whatever the data have, and so is what names it.
  init(_ column: Column) {
    let form = ToolkitForm(column.type)
    self = column.namesItem && [.integer, .real, .time].contains(form) ? .text : form
  }

  /// The form for a column of an app; nil where what it was declared as takes no such values.
  init?(_ column: Column, declared: String) {
    let form = ToolkitForm(column.type)
    switch (declared.uppercased(), form) {
    // A column without a value is of any type.
    case ("INTEGER", .text) where column.isUndecided: self = .integer
    case ("REAL", .text) where column.isUndecided: self = .real
    case ("BLOB", .text) where column.isUndecided: self = .binary
    case ("TEXT", .time) where column.namesItem: self = .text
    case ("BLOB", .text) where column.role == .version: self = .bytesOfBase64
    case ("REAL", .integer): self = .real
    case ("TEXT", .integer), ("TEXT", .real):
      self.init(column)
      if self != .text { return nil }
    case (form.declaredType, _): self = form
    default: return nil
    }
  }

  /// What Entity Framework declares a column as.
  var declaredType: String {
    switch self {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text, .time, .decimal, .uuid: "TEXT"
    case .binary, .bytesOfBase64: "BLOB"
    }
  }

  /// How a column that is declared so holds its values.
  var storage: CellKind {
    switch self {
    case .integer: .integer
    case .real: .real
    case .text, .time, .decimal, .uuid: .text
    case .binary, .bytesOfBase64: .binary
    }
  }
}

extension Column {
  /// Whether its values are ids of items: its own, or those of others.
  fileprivate var namesItem: Bool { role == .id || role == .reference && type != .reference }
}

extension ToolkitForm {
  /// The value of a cell as the column stores it; its bytes are added to `bytes`.
  func value(_ cell: Cell, arena: Span<UInt8>, into bytes: inout [UInt8]) -> ColumnValue {
    let start = bytes.count
    switch cell.kind {
    case .null: return .taken(.null)
    case .integer where self == .text:
      bytes.appendDecimal(cell.integer)
      return .taken(.text(start..<bytes.count))
    case .real where self == .text:
      // Whole numbers among reals are as the service and references name them.
      if let whole = Int64(exactly: cell.real) {
        bytes.appendDecimal(whole)
      } else {
        bytes.appendReal(cell.real)
      }
      return .taken(.text(start..<bytes.count))
    case .real: return .taken(.real(cell.real))
    case .integer where self == .real:
      guard let whole = Double(exactly: cell.integer) else { return .rejected }
      return .taken(.real(whole))
    case .integer: return .taken(.integer(cell.integer))
    case .binary:
      bytes.append(arena.extracting(cell.range))
      return .taken(.blob(start..<bytes.count))
    case .text:
      return textValue(arena.extracting(cell.range), into: &bytes)
    }
  }

  private func textValue(_ text: Span<UInt8>, into bytes: inout [UInt8]) -> ColumnValue {
    let start = bytes.count
    var isChanged = false
    switch self {
    case .time:
      guard let time = Timestamp(parsing: text) else { return .rejected }
      isChanged = bytes.appendOffsetTime(time)
    case .decimal:
      bytes.append(text)
      isChanged = !isDecimalOfNet(text)
      if bytes[start...].allSatisfy({ $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") }) {
        bytes.append(contentsOf: ".0".utf8)
      }
    case .uuid:
      guard isUUIDInAnyForm(text) else { return .rejected }
      bytes.appendUUID(spelledAs: text)
    case .bytesOfBase64:
      guard decodeBase64(text, into: &bytes) else { return .rejected }
      return .taken(.blob(start..<bytes.count))
    case .text: bytes.append(text)
    // A column that had no value when the store was made has got one since.
    case .integer, .real, .binary: return .rejected
    }
    let value = BoundValue.text(start..<bytes.count)
    return isChanged ? .changed(value) : .taken(value)
  }
}

extension [UInt8] {
  /// Appends `2024-05-01 10:20:30.123+00:00`.
  ///
  /// - Returns: whether the time is not told to its last digit.
  fileprivate mutating func appendOffsetTime(_ time: Timestamp) -> Bool {
    var spelled: [UInt8] = []
    spelled.appendTimestamp(time)
    append(contentsOf: spelled[..<10])
    append(UInt8(ascii: " "))
    append(contentsOf: spelled[11..<19])
    var fraction = Array(spelled[20..<(spelled.count - 1)])
    let isShortened = fraction.dropFirst(7).contains { $0 != UInt8(ascii: "0") }
    fraction = Array(fraction.prefix(7))
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    if !fraction.isEmpty { append(contentsOf: [UInt8(ascii: ".")] + fraction) }
    append(contentsOf: "+00:00".utf8)
    return isShortened
  }
}

/// Whether the decimal of .NET holds a number to its last digit: 96 bits, of which a power of ten up
/// to the 28th is the divisor.
private func isDecimalOfNet(_ text: Span<UInt8>) -> Bool {
  var digits: [UInt8] = []
  var point: Int?
  for place in text.indices {
    let byte = text[place]
    if byte &- 0x30 < 10 {
      if !digits.isEmpty || byte != 0x30 || point != nil { digits.append(byte) }
    } else if byte == UInt8(ascii: "."), point == nil {
      point = digits.count
    } else if place > 0 || byte != UInt8(ascii: "-") {
      // An exponent may stand for many digits.
      return false
    }
  }
  let whole = point ?? digits.count
  while digits.count > whole, digits.last == 0x30 { digits.removeLast() }
  guard digits.count - whole <= 28 else { return false }
  let significant = digits.drop { $0 == 0x30 }
  let largest = "79228162514264337593543950335".utf8
  return significant.count < largest.count
    || significant.count == largest.count && !largest.lexicographicallyPrecedes(significant)
}
