import Bytes
import Exports
import Formats
import Records

/// As what the values of two columns are compared: the wider of their types.
enum ComparedForm {
  /// Numbers by their value, whichever of the types holds them.
  case number
  /// Texts; UUIDs whatever their case, and times however they are spelled.
  case text
  /// Numbers against texts, of which each that is one in JSON's grammar means its exact value.
  case numberOrText
  /// The same, where one side holds doubles, as the nearest of which fractions are then compared.
  case realOrText
  /// Truth and bytes as the text that spells them, against texts.
  case spelled
  /// Truth against texts, of which each word for it in plain files means what it means there.
  case truth
  /// Times, also of a day without an hour.
  case time
  /// Whether an item is deleted, which nothing denies.
  case deleted
  /// Documents without regard to blanks and the order of members.
  case json
  /// Documents against values of other types: one that is a string or a number is its text.
  case jsonOrText
  case bytes

  private static let numbers: Set<LogicalType> = [.boolean, .integer, .real, .decimal]
  private static let spelledAsNumbers: Set<LogicalType> = [.integer, .real, .decimal, .reference]

  init(_ left: LogicalType, _ right: LogicalType) {
    let types: Set<LogicalType> = [left, right]
    self =
      if types.isSubset(of: Self.numbers) {
        .number
      } else if types.contains(.json) {
        types.count == 1 ? .json : .jsonOrText
      } else if types == [.binary] {
        .bytes
      } else if types.allSatisfy({ $0.cellKind == .text && $0 != .decimal }) {
        types.contains(.timestamp) ? .time : .text
      } else if types == [.boolean, .text] {
        .truth
      } else {
        // Bytes may be spelled as what looks like a number.
        types.isDisjoint(with: Self.spelledAsNumbers) || types.contains(.binary)
          ? .spelled : types.contains(.real) ? .realOrText : .numberOrText
      }
  }
}

extension RecordBatch {
  /// Appends a cell so that cells that mean the same are the same; `type` is its column's, and its
  /// bytes lie in `arena`.
  mutating func append(
    _ cell: Cell, comparedAs form: ComparedForm, _ type: LogicalType, arena: Span<UInt8>
  ) {
    let bytes = arena.extracting(cell.range)
    switch (form, cell.kind) {
    case (.deleted, _): append(.integer(cell.isTrue(bytes) ? 1 : 0))
    case (_, .null): append(cell)
    case (.number, .real): append(number: cell.real)
    case (.number, .text): append(numberIn: bytes)
    case (.number, .integer): append(cell)
    case (.time, .text): append(timeIn: bytes)
    case (.text, .text): append(textIn: bytes)
    case (.json, _): append(documentIn: bytes)
    case (.jsonOrText, .text): append(documentOrTextIn: bytes, type)
    case (.bytes, .binary): appendBinary(bytes)
    case (.truth, .text): append(truthIn: bytes)
    case (.numberOrText, .text): append(numberOrTextIn: bytes)
    case (.realOrText, .text): append(realOrTextIn: bytes)
    case (.spelled, .text): append(textIn: bytes)
    default:
      var text: [UInt8] = []
      text.appendPlain(cell, type: type, arena: arena)
      if cell.kind == .real { append(numberOrTextIn: text.span) } else { appendText(text.span) }
    }
  }

  /// Appends a number as an integer wherever it is one.
  private mutating func append(number: Double) {
    if number.isNaN { return append(Cell.null) }
    append(Int64(exactly: number).map(Cell.integer) ?? .real(number))
  }

  /// Appends the number that digits spell; what spells none stays what it is.
  private mutating func append(numberIn digits: Span<UInt8>) {
    guard let exact = ExactDecimal(digits) else { return appendText(digits) }
    if let integer = exact.integer { return append(.integer(integer)) }
    var shortest: [UInt8] = []
    if let real = parseReal(digits) { shortest.appendReal(real) }
    guard let real = parseReal(digits), ExactDecimal(shortest.span) == exact else {
      return appendText(exact.text.span)
    }
    append(number: real)
  }

  private mutating func append(timeIn bytes: Span<UInt8>) {
    guard bytes.count == 10 else { return append(textIn: bytes) }
    var text: [UInt8] = []
    text.append(bytes)
    text.append("T00:00:00Z")
    guard let time = Timestamp(parsing: text.span) else { return append(textIn: bytes) }
    appendText { $0.appendTimestamp(time) }
  }

  private mutating func append(textIn bytes: Span<UInt8>) {
    if let time = bytes.time { return appendText { $0.appendTimestamp(time) } }
    guard isUUID(bytes) else { return appendText(bytes) }
    appendText { arena in
      for place in bytes.indices {
        let byte = bytes[place]
        arena.append(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte)
      }
    }
  }

  private mutating func append(truthIn bytes: Span<UInt8>) {
    guard let word = TruthWord(bytes) else { return append(textIn: bytes) }
    append(text: word.isTrue ? "true" : "false")
  }

  /// Appends a text that may spell a number; `5.0` and `50e-1` are then the number that `5` is.
  private mutating func append(numberOrTextIn bytes: Span<UInt8>) {
    guard parseReal(bytes) != nil, let exact = ExactDecimal(bytes) else {
      return append(textIn: bytes)
    }
    guard let integer = exact.integer else { return appendText(exact.text.span) }
    appendText { $0.appendDecimal(integer) }
  }

  /// The same where the other side holds doubles: servers spell these with seventeen digits, too.
  private mutating func append(realOrTextIn bytes: Span<UInt8>) {
    guard let real = parseReal(bytes), real.isFinite, real != real.rounded(),
      let exact = ExactDecimal(bytes), exact.digitCount <= 17
    else {
      return append(numberOrTextIn: bytes)
    }
    var shortest: [UInt8] = []
    shortest.appendReal(real)
    append(numberOrTextIn: shortest.span)
  }

  private mutating func append(documentIn bytes: Span<UInt8>) {
    // Text that is no JSON is compared as the text that it is, which no document begins as.
    guard let value = try? JSONValue(parsing: bytes) else {
      var copy: [UInt8] = []
      copy.append(bytes)
      let text = JSONValue.string(String(decoding: copy, as: UTF8.self))
      return appendText { arena in
        arena.append(utf8: "raw ")
        text.append(to: &arena)
      }
    }
    append(document: value)
  }

  private mutating func append(document value: JSONValue) {
    let ordered = value.inOrder()
    appendText { ordered.append(to: &$0) }
  }

  /// Appends a document, or the text that is all of one; text may hold a document itself.
  private mutating func append(documentOrTextIn bytes: Span<UInt8>, _ type: LogicalType) {
    guard let value = try? JSONValue(parsing: bytes) else { return append(numberOrTextIn: bytes) }
    switch value {
    case .array, .object: append(document: value)
    case .string(let text) where type == .json:
      append(documentOrTextIn: text.utf8Span.span, .text)
    case .number(let number) where type == .json && number.integer == nil:
      var digits: [UInt8] = []
      if let real = number.real { digits.appendReal(real) } else { digits.append(bytes) }
      append(numberOrTextIn: digits.span)
    default: append(numberOrTextIn: bytes)
    }
  }
}

extension Span<UInt8> {
  /// The moment that a text spells; most texts are seen at a glance to spell none.
  fileprivate var time: Timestamp? {
    guard (16...40).contains(count), self[4] == UInt8(ascii: "-"), self[7] == UInt8(ascii: "-")
    else { return nil }
    return Timestamp(parsingLeniently: self)
  }
}

extension Cell {
  func isTrue(_ bytes: Span<UInt8>) -> Bool {
    switch kind {
    case .integer: integer != 0
    case .real: real != 0
    case .text: bytes.isEqual(to: "true") || bytes.isEqual(to: "1")
    case .null, .binary: false
    }
  }
}

extension JSONValue {
  /// Down to this level documents are put in order; what lies below is compared as it is spelled.
  private static let deepest = 64

  /// The value with members in the order of their names and numbers in one spelling.
  fileprivate func inOrder(depth: Int = 0) -> JSONValue {
    guard depth < Self.deepest else { return self }
    switch self {
    case .number(let number):
      let digits = Array(number.text.utf8)
      guard let exact = ExactDecimal(digits.span) else { return self }
      return .string("number " + String(decoding: exact.text, as: UTF8.self))
    case .string(let text): return .string("text " + text)
    case .array(let elements): return .array(elements.map { $0.inOrder(depth: depth + 1) })
    case .object(let object):
      let members = object.members
        .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { JSONObject.Member(key: $0.key, value: $0.value.inOrder(depth: depth + 1)) }
      return JSONObject(members).map { .object($0) } ?? self
    case .null, .boolean: return self
    }
  }
}
