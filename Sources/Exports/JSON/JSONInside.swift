import Bytes
import Formats

/// What an object or array beside rows has inside.
struct JSONInside {
  /// False where there is nothing, as in a link to nowhere.
  private(set) var saysSomething = false
  /// The number of a count that is an object.
  ///
  /// Elasticsearch has it as `value`, and besides only how exact it is; an amount of money has a
  /// currency.
  private(set) var count: Int?
  /// Whether something in it counts rows, or leads to them.
  private var isOfAnswer = false

  /// Whether it may be about anything else than the answer.
  var isOther: Bool { saysSomething && !isOfAnswer && count == nil }

  /// Passes over an object or array that was just opened.
  init(_ reader: inout JSONReader) throws(FormatError) {
    let level = reader.depth
    var (isValue, hasOthers, isNumberOfRows) = (false, false, false)
    while reader.depth >= level, let token = try reader.next() {
      switch token {
      case .key:
        let word = JSONWords.word(reader.text)
        isOfAnswer = isOfAnswer || JSONWords.tellsOfAnswer(word)
        isNumberOfRows = JSONWords.rows.contains(word) && word != "value"
        isValue = reader.depth == level && reader.text.elementsEqual("value".utf8)
        let isKnown = isValue || reader.text.elementsEqual("relation".utf8)
        hasOthers = hasOthers || reader.depth == level && !isKnown
        continue
      case .string:
        saysSomething = saysSomething || !reader.text.isEmpty
        isOfAnswer = isOfAnswer || Self.isAddress(reader.text)
      case .number:
        saysSomething = true
        isOfAnswer = isOfAnswer || isNumberOfRows
        if isValue { count = parseDecimal(reader.text.span).map { Int($0) } }
      case .boolean: saysSomething = true
      default: break
      }
      (isValue, isNumberOfRows) = (false, false)
    }
    if hasOthers { count = nil }
  }

  private static func isAddress(_ text: [UInt8]) -> Bool {
    text.starts(with: "/".utf8) || text.starts(with: "?".utf8) || text.contains("://".utf8)
  }
}
