import Bytes
import Records
import SQLite
import SQLiteFile
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
  /// A text that spells no number: the column would make one of it.
  case word
  /// A decimal of which the column makes a number.
  case number

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
    switch (ToolkitDeclaration(declared), form) {
    // A column without a value is of any type.
    case (.integer, .text) where column.isUndecided: self = .integer
    case (.real, .text) where column.isUndecided: self = .real
    case (.binary, .text) where column.isUndecided: self = .binary
    case (.text, .time) where column.namesItem: self = .text
    case (.binary, .text) where column.role == .version: self = .bytesOfBase64
    case (.real, .integer): self = .real
    case (.text, .integer), (.text, .real):
      self.init(column)
      if self != .text { return nil }
    case (.anything, _): self.init(column)
    case (.numeric, .text): self = .word
    case (.numeric, .decimal): self = .number
    case (.numeric, .binary): return nil
    case (.numeric, _): self = form
    case (ToolkitDeclaration(form.declaredType), _): self = form
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
    case .word, .number: "NUMERIC"
    }
  }

  /// Whether it is one of decimals.
  var isDecimal: Bool { self == .decimal || self == .number }

  /// How a column that is declared so holds its values.
  var storage: CellKind {
    switch self {
    case .integer: .integer
    case .real: .real
    case .text, .time, .decimal, .uuid, .word: .text
    case .number: .real
    case .binary, .bytesOfBase64: .binary
    }
  }
}

/// What a column of an app takes by what it was declared as: Entity Framework writes what the app's
/// type needs, and then the engine makes of it what the declaration says.
private enum ToolkitDeclaration: Equatable {
  case integer
  case real
  case text
  case binary
  /// Whatever it is, but texts that spell numbers become these.
  case numeric
  /// Whatever it is: nothing was declared.
  case anything

  init(_ declared: String) {
    switch Affinity(declaredType: declared) {
    case .integer: self = .integer
    case .real: self = .real
    case .text: self = .text
    case .blob: self = declared.isEmpty ? .anything : .binary
    // As the provider of Entity Framework has it: BINARY, VARBINARY.
    case .numeric: self = declared.uppercased().contains("BIN") ? .binary : .numeric
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
    case .word:
      if spellsNumber(text) { return .rejected }
      bytes.append(text)
    case .number: return ColumnValue(numberOf: text)
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

/// Whether the engine takes a whole text for a number, blanks around it aside.
private func spellsNumber(_ text: Span<UInt8>) -> Bool {
  var (place, end) = (0, text.count)
  let isBlank = { (byte: UInt8) in byte == 0x20 || byte &- 0x09 < 5 }
  let isSign = { (byte: UInt8) in byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }
  while place < end, isBlank(text[place]) { place += 1 }
  while place < end, isBlank(text[end - 1]) { end -= 1 }
  if place < end, isSign(text[place]) { place += 1 }
  var (digits, points) = (0, 0)
  while place < end {
    if text[place] &- 0x30 < 10 {
      digits += 1
    } else if text[place] == UInt8(ascii: "."), points == 0 {
      points = 1
    } else {
      break
    }
    place += 1
  }
  guard digits > 0 else { return false }
  if place < end, text[place] | 0x20 == UInt8(ascii: "e") {
    place += 1
    if place < end, isSign(text[place]) { place += 1 }
    guard place < end else { return false }
    while place < end, text[place] &- 0x30 < 10 { place += 1 }
  }
  return place == end
}
