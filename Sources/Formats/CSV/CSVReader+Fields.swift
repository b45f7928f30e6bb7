import Bytes

/// The texts of fields that are not taken with their whole record.
extension CSVReader {
  mutating func readText() throws(FormatError) {
    let start = bytes.count
    if dialect.isEscaped {
      let isNull = try readEscaped()
      fields.append(Field(range: start..<bytes.count, isQuoted: !isNull, isNull: isNull))
      return
    }
    if try peek() == UInt8(ascii: "\"") {
      try readQuoted()
      addQuoted(from: start)
    } else if try readPlain() {
      let isKept = dialect.formulas == .kept
      if !isKept { formulas += 1 }
      fields.append(
        Field(range: start + (isKept ? 0 : 1)..<bytes.count, isQuoted: true, isNull: false))
    } else {
      fields.append(
        Field(range: start..<bytes.count, isQuoted: false, isNull: isNull(bytes[start...])))
    }
  }

  /// Adds the field whose text lies in `bytes` from a place on.
  mutating func addQuoted(from start: Int) {
    var range = start..<bytes.count
    if dialect.formulas == .all, isFormula(bytes[range]) {
      range = start + 2..<bytes.count - 1
      formulas += 1
    }
    fields.append(Field(range: range, isQuoted: true, isNull: false))
  }

  /// Whether a field is a formula of nothing but a text, whose quotes are doubled.
  private func isFormula(_ field: ArraySlice<UInt8>) -> Bool {
    let quote = UInt8(ascii: "\"")
    return field.count >= 3 && field.starts(with: [UInt8(ascii: "="), quote]) && field.last == quote
      && !field.dropFirst(2).dropLast().contains(quote)
  }

  /// Takes bytes up to a separator, a line end or the end.
  ///
  /// - Returns: whether they are a formula of a text, of which `=` and that text were taken, with its
  ///   quotes where formulas are kept.
  private mutating func readPlain() throws(FormatError) -> Bool {
    let first = bytes.count
    while try peek() != nil {
      let start = place
      while true {
        place = endOfPlain(in: buffer.span, from: place)
        guard place < buffer.count else { break }
        let byte = buffer[place]
        if byte == UInt8(ascii: "\"") {
          bytes += buffer[start..<place]
          guard dialect.formulas != .none, bytes[first...].elementsEqual("=".utf8) else {
            throw strayQuote(at: spot)
          }
          try readFormula()
          return true
        }
        guard byte == 0 else { break }
        try expectNUL()
        place += 1
      }
      bytes += buffer[start..<place]
      if place < buffer.count { break }
      try checkLength()
    }
    return false
  }

  /// Takes the text of a formula in a field without quotes, and moves past its closing quote.
  private mutating func readFormula() throws(FormatError) {
    let opening = spot
    let isKept = dialect.formulas == .kept
    if isKept { bytes.append(UInt8(ascii: "\"")) }
    place += 1
    while try peek() != nil {
      let start = place
      place = endOfPlain(in: buffer.span, from: place)
      bytes += buffer[start..<place]
      try checkLength()
      guard place < buffer.count else { continue }
      // A spreadsheet does not see that quotes stand around a separator or a line end.
      guard buffer[place] == UInt8(ascii: "\"") else { break }
      place += 1
      if isKept { bytes.append(UInt8(ascii: "\"")) }
      if try isAtFieldEnd() { return }
      guard try peek() == UInt8(ascii: "\"") else { break }
      bytes.append(UInt8(ascii: "\""))
      place += 1
    }
    throw strayQuote(at: opening)
  }

  private func strayQuote(at spot: Spot) -> FormatError {
    // Text of COPY has tabs between fields, unless a person says otherwise.
    let isTab = dialect.separator == UInt8(ascii: "\t")
    let separator =
      isTab ? "" : " with --separator '\(Character(Unicode.Scalar(dialect.separator)))'"
    return error(
      .invalid, "a quote stands inside a plain field", at: spot,
      advice: "put the field in quotes and double the quote, or say --from copy\(separator) where "
        + "quotes mean nothing and backslashes escape")
  }

  private func expectNUL() throws(FormatError) {
    guard dialect.allowsNUL else { throw error(.invalid, "a NUL stands in the text") }
  }

  private func checkLength() throws(FormatError) {
    guard bytes.count <= maxBytes else {
      throw error(.limit, "a field is too long", passing: .valueBytes)
    }
  }

  /// Takes bytes up to the closing quote, and moves past it.
  private mutating func readQuoted() throws(FormatError) {
    let opening = spot
    let lineEnd: UInt8 = shape.lineEnd == .carriageReturn ? 0x0D : 0x0A
    place += 1
    while try peek() != nil {
      let start = place
      while true {
        place = endOfQuotedCSV(in: buffer.span, from: place, lineEnd: lineEnd)
        guard place < buffer.count else { break }
        let byte = buffer[place]
        if byte == UInt8(ascii: "\"") { break }
        if byte == 0 { try expectNUL() }
        place += 1
        if byte != 0 { countLine() }
      }
      bytes += buffer[start..<place]
      try checkLength()
      guard place < buffer.count else { continue }
      place += 1
      guard try peek() == UInt8(ascii: "\"") else { return }
      bytes.append(UInt8(ascii: "\""))
      place += 1
    }
    throw error(.truncated, "a quoted field has no end", at: opening)
  }

  /// Takes bytes up to a separator, a line end or the end, and resolves what is escaped.
  ///
  /// - Returns: whether the field has no value.
  private mutating func readEscaped() throws(FormatError) -> Bool {
    let start = bytes.count
    var hasEscape = false
    while try peek() != nil {
      let from = place
      place = endOfEscapedField(in: buffer.span, from: place, separator: dialect.separator)
      bytes += buffer[from..<place]
      try checkLength()
      guard place < buffer.count else { continue }
      let byte = buffer[place]
      guard byte == 0 || byte == UInt8(ascii: "\\") else { break }
      place += 1
      if byte == 0 {
        try expectNUL()
        bytes.append(0)
      } else if try readEscape(isFirst: bytes.count == start && !hasEscape) {
        return true
      } else {
        hasEscape = true
      }
    }
    return !hasEscape && !dialect.nulls.isEmpty && isNull(bytes[start...])
  }

  /// Takes what follows a backslash.
  ///
  /// - Returns: whether it says that the field has no value.
  private mutating func readEscape(isFirst: Bool) throws(FormatError) -> Bool {
    guard let byte = try peek() else {
      throw error(.truncated, "the text ends behind a backslash")
    }
    place += 1
    switch byte {
    case UInt8(ascii: "N") where isFirst:
      if try isAtFieldEnd() { return true }
      bytes.append(byte)
    case UInt8(ascii: ".") where isFirst && fields.isEmpty:
      let next = try peek()
      hasEndMark = next == nil || next == 0x0A || next == 0x0D
      if !hasEndMark { bytes.append(byte) }
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      try appendCode(from: byte &- 48, base: 8, digits: 2)
    case UInt8(ascii: "x"):
      guard let digit = try nextDigit(base: 16) else {
        bytes.append(byte)
        break
      }
      try appendCode(from: digit, base: 16, digits: 1)
    case 0x0A:
      bytes.append(byte)
      countLine()
    default: bytes.append(Self.escapes[byte] ?? byte)
    }
    return false
  }

  private mutating func isAtFieldEnd() throws(FormatError) -> Bool {
    let next = try peek()
    return next == nil || next == dialect.separator || next == 0x0A || next == 0x0D
  }

  /// Appends the byte that digits spell, of which the first is known.
  private mutating func appendCode(
    from first: UInt8, base: UInt8, digits: Int
  ) throws(FormatError) {
    var code = first
    for _ in 0..<digits {
      guard let digit = try nextDigit(base: base) else { break }
      // As in PostgreSQL, of three octal digits the upper bit is lost.
      code = code &* base &+ digit
    }
    if code == 0 { try expectNUL() }
    bytes.append(code)
  }

  /// Takes a digit, where one follows.
  private mutating func nextDigit(base: UInt8) throws(FormatError) -> UInt8? {
    guard let byte = try peek() else { return nil }
    let lower = byte | 0x20
    let digit = byte &- 48 < 10 ? byte &- 48 : lower &- 97 < 6 ? lower &- 87 : .max
    guard digit < base else { return nil }
    place += 1
    return digit
  }

  /// What the letters behind a backslash stand for.
  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13,
    UInt8(ascii: "t"): 9, UInt8(ascii: "v"): 11,
  ]
}
