import Bytes
import Formats

/// What text shows of what backslashes mean in it, and text with tabs of quotes, too.
struct BackslashLook {
  /// Whether a field stands in quotes.
  private(set) var hasQuotes = false
  /// Whether a field without quotes has a backslash.
  private(set) var hasBackslash = false
  /// Whether each backslash stands before what text of `COPY` has behind one.
  private(set) var hasOnlyEscapes = true
  /// Whether a field is `\N`, which text of `COPY` has for no value.
  private(set) var hasEscapedNull = false
  /// Whether it was read as text of `COPY`.
  private(set) var isEscaped = false

  /// Whether the other way to read it is as good.
  var isDoubtful: Bool {
    isEscaped ? hasQuotes : hasEscapedNull || hasBackslash && hasOnlyEscapes && !hasQuotes
  }

  /// Takes what was seen of the records that follow.
  mutating func add(_ later: BackslashLook) {
    hasQuotes = hasQuotes || later.hasQuotes
    hasBackslash = hasBackslash || later.hasBackslash
    hasOnlyEscapes = hasOnlyEscapes && later.hasOnlyEscapes
    hasEscapedNull = hasEscapedNull || later.hasEscapedNull
    isEscaped = isEscaped || later.isEscaped
  }

  /// Takes a field `\N` of other text than that with tabs, which says nothing else of backslashes.
  mutating func takeEscapedNull() { hasEscapedNull = true }

  /// Looks at the record that was read last.
  mutating func take(_ reader: CSVReader) {
    let bytes = reader.bytes
    if reader.isEscaped { return takeEscaped(reader.fields, bytes.span) }
    hasQuotes = hasQuotes || reader.fields.contains(where: \.isQuoted)
    guard placeOfBackslash(in: bytes.span, from: 0) < bytes.count else { return }
    for field in reader.fields where !field.isQuoted { take(bytes.span.extracting(field.range)) }
  }

  /// Looks at fields of text of `COPY`, in which quotes mean nothing.
  private mutating func takeEscaped(_ fields: [CSVReader.Field], _ bytes: Span<UInt8>) {
    isEscaped = true
    for field in fields {
      hasEscapedNull = hasEscapedNull || field.isNull
      let (first, last) = (field.range.lowerBound, field.range.upperBound - 1)
      guard first < last, bytes[first] == UInt8(ascii: "\"") else { continue }
      hasQuotes = hasQuotes || bytes[last] == UInt8(ascii: "\"")
    }
  }

  private mutating func take(_ text: Span<UInt8>) {
    let isNull = text.isEqual(to: #"\N"#)
    hasEscapedNull = hasEscapedNull || isNull
    var place = placeOfBackslash(in: text, from: 0)
    while place < text.count {
      hasBackslash = true
      let isEscape = place + 1 < text.count && Self.escaped.contains(text[place + 1])
      hasOnlyEscapes = hasOnlyEscapes && (isNull || isEscape)
      place = placeOfBackslash(in: text, from: place + 2)
    }
  }

  private static let escaped = Array(#"bfnrtv\"#.utf8)
}
