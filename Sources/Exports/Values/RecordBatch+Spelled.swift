import Bytes
import Formats
package import Records

extension RecordBatch {
  /// Appends the cell that `text` spells in a column of type `type`, or a reject.
  package mutating func append(
    spelled text: Span<UInt8>, column: Int, type: LogicalType, rule: SpellingRule
  ) {
    if append(ifSpelled: text, type, rule) { return }
    reject(column: column, code: .valueOfWrongType, raw: .text([UInt8](copying: text)))
  }

  /// Appends the cell that `text` spells; false where it is none of the type.
  private mutating func append(
    ifSpelled text: Span<UInt8>, _ type: LogicalType, _ rule: SpellingRule
  ) -> Bool {
    switch type {
    case .integer, .reference:
      if isJSONInteger(text), let number = parseDecimal(text) {
        append(.integer(number))
        return true
      }
      return append(ifGrouped: text, type, rule)
    case .real:
      if rule.takesPointOfFraction, let number = parseReal(text),
        rule.isCanonical ? isShortestReal(text, number) : !isTooSmall(text, number)
      {
        append(.real(number == 0 ? 0 : number))
        return true
      }
      return append(ifGrouped: text, type, rule)
    case .decimal:
      // It may have more digits than any double.
      if rule.isCanonical || rule.takesPointOfFraction && isJSONNumber(text) {
        guard !rule.isCanonical, hasExponent(text) else {
          appendText(text)
          return true
        }
        guard let digits = writtenOutDecimal(text) else { return false }
        appendText(digits.span)
        return true
      }
      return append(ifGrouped: text, type, rule)
    case .boolean:
      guard let isTrue = parseBoolean(text, rule: rule) else { return false }
      append(.integer(isTrue ? 1 : 0))
    case .timestamp: return append(ifTimestamp: text, rule)
    case .binary:
      var bytes: [UInt8] = []
      guard decodeBase64(text, into: &bytes) else { return false }
      appendBinary(bytes.span)
    case .uuid:
      // What a store has under that type is carried over as it is.
      guard rule.isCanonical || isUUIDInAnyForm(text) else { return false }
      appendText(text)
    case .json:
      guard rule.isCanonical || isJSON(text) else { return false }
      appendText(text)
    case .text, .uri:
      appendText(text)
    }
    return true
  }

  /// Appends a number that has a decimal comma, or something between its thousands.
  private mutating func append(
    ifGrouped text: Span<UInt8>, _ type: LogicalType, _ rule: SpellingRule
  ) -> Bool {
    guard rule.decimal != UInt8(ascii: ".") || rule.thousands != nil,
      let digits = spelledPlainly(text, rule)
    else { return false }
    return append(ifSpelled: digits.span, type, .common)
  }

  private mutating func append(ifTimestamp text: Span<UInt8>, _ rule: SpellingRule) -> Bool {
    if rule.dates?.isNumber != true, isTimestampOfMilliseconds(text) {
      appendText(text)
      return true
    }
    if rule.isCanonical {
      guard Timestamp(parsing: text) != nil else { return false }
      appendText(text)
      return true
    }
    guard let time = time(text, rule) else { return false }
    appendText { $0.appendTimestamp(time) }
    return true
  }

  private func time(_ text: Span<UInt8>, _ rule: SpellingRule) -> Timestamp? {
    switch rule.dates {
    case .serial:
      number(text, rule).flatMap { digits in
        parseReal(digits.span).flatMap { Timestamp(spreadsheetDays: $0) }
      }
    case .unixSeconds: number(text, rule).flatMap { Timestamp(secondsSince1970: $0.span) }
    case .unixMilliseconds:
      number(text, rule).flatMap { Timestamp(millisecondsSince1970: $0.span) }
    case .dayFirst: Timestamp(parsingFreely: text, isMonthFirst: false)
    case .monthFirst: Timestamp(parsingFreely: text, isMonthFirst: true)
    case nil: Timestamp(parsingFreely: text)
    }
  }

  /// A number as JSON spells it.
  private func number(_ text: Span<UInt8>, _ rule: SpellingRule) -> [UInt8]? {
    rule.takesPointOfFraction && parseReal(text) != nil
      ? [UInt8](copying: text) : spelledPlainly(text, rule)
  }
}

/// Whether what is a number has an exponent.
private func hasExponent(_ text: Span<UInt8>) -> Bool {
  text.indices.contains { text[$0] | 0x20 == UInt8(ascii: "e") }
}
