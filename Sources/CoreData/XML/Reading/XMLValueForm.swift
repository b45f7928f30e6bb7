import Bytes
import Records
import Tables

/// How the text of a value becomes a cell.
struct XMLValueForm: Equatable {
  let type: LogicalType
  /// The kinds of values that the column takes; all where the model says nothing definite.
  let accepted: Set<CoreDataXMLType>?

  /// The form of values of one kind; text for several kinds or one that is not known.
  init(_ type: CoreDataXMLType?) {
    self.type = type?.logicalType ?? .text
    accepted = nil
  }

  /// The form that a model gives to an attribute; nil where it has none in a store.
  init?(_ attribute: ModelAttribute) {
    guard let form = attribute.storedForm else { return nil }
    type = form.type
    switch type {
    case .uuid, .uri, .binary, .json, .reference: accepted = nil
    case .text, .integer, .real, .boolean, .timestamp, .decimal:
      let wanted = type
      let fitting = CoreDataXMLType.allCases.filter { $0.logicalType == wanted }
      accepted = Set(fitting + [.unknown] + (type == .real ? [.int16, .int32, .int64] : []))
    }
  }

  /// Appends the cell of a value.
  ///
  /// - Returns: why the value does not fit; then nothing was appended.
  func append(
    _ text: Span<UInt8>, of kind: CoreDataXMLType, to batch: inout RecordBatch
  ) -> RejectCode? {
    if let accepted, !accepted.contains(kind) { return .valueOfWrongType }
    switch type {
    case .text, .uri, .json: batch.appendText(text)
    case .integer, .reference: return append(parseDecimal(text).map(Cell.integer), to: &batch)
    case .real: return append(Self.real(text).map(Cell.real), to: &batch)
    case .boolean:
      let value = parseDecimal(text)
      return append(value == 0 || value == 1 ? value.map(Cell.integer) : nil, to: &batch)
    case .timestamp: return appendTimestamp(text, to: &batch)
    case .decimal:
      guard isPlainDecimal(text) else { return .valueOfWrongType }
      batch.appendText(text)
    case .uuid: return appendUUID(text, to: &batch)
    case .binary:
      var bytes: [UInt8] = []
      guard decodeBase64(ignoringWhitespace: text, into: &bytes) else { return .valueOfWrongType }
      batch.appendBinary(bytes.span)
    }
    return nil
  }

  private func append(_ cell: Cell?, to batch: inout RecordBatch) -> RejectCode? {
    guard let cell else { return .valueOfWrongType }
    batch.append(cell)
    return nil
  }

  private func appendTimestamp(
    _ text: Span<UInt8>, to batch: inout RecordBatch
  ) -> RejectCode? {
    let timestamp: Timestamp?
    if let whole = parseDecimal(text) {
      timestamp = Timestamp(wholeSecondsSince2001: whole)
    } else if let seconds = Self.real(text) {
      timestamp = Timestamp(secondsSince2001: seconds)
    } else {
      return .valueOfWrongType
    }
    guard let timestamp else { return .valueOutOfRange }
    batch.appendText { arena in arena.appendTimestamp(timestamp) }
    return nil
  }

  /// Either the usual text, or base64 of the sixteen bytes.
  private func appendUUID(_ text: Span<UInt8>, to batch: inout RecordBatch) -> RejectCode? {
    var bytes: [UInt8] = []
    if text.count == 36 {
      guard isUUID(text) else { return .valueOfWrongType }
      batch.appendText { arena in
        for place in text.indices {
          let byte = text[place]
          arena.append(byte &- UInt8(ascii: "a") < 6 ? byte - 32 : byte)
        }
      }
      return nil
    }
    guard decodeBase64(ignoringWhitespace: text, into: &bytes), bytes.count == 16 else {
      return .valueOfWrongType
    }
    batch.appendText { arena in arena.appendUUID(bytes.span) }
    return nil
  }

  /// A number as JSON spells it, or infinity as C does.
  private static func real(_ text: Span<UInt8>) -> Double? {
    if let value = parseReal(text) { return value }
    guard text.count == 3 || text.count == 4 else { return nil }
    switch text.withUTF8Text({ $0 }) {
    case "inf", "+inf": return .infinity
    case "-inf": return -.infinity
    default: return nil
    }
  }
}

extension CoreDataXMLType {
  /// What values of this kind mean.
  var logicalType: LogicalType {
    switch self {
    case .string, .unknown: .text
    case .int16, .int32, .int64: .integer
    case .float, .double: .real
    case .decimal: .decimal
    case .bool: .boolean
    case .date: .timestamp
    case .binary: .binary
    }
  }
}
