import Bytes
import Formats

/// What answers have in members that rows of an app may have as well: nobody's first name is a link,
/// and no amount of money is a count.
extension JSONWords {
  /// Members of answers that are numbers, or times.
  private static let figures: Set<String> = sizes.union(placesOfPage).union(pageCounts).union([
    "from", "itemsperpage", "limit", "numberofelements", "offset", "pagesize", "perpage",
    "scannedcount", "skip", "start", "startindex", "take", "to", "took", "top",
  ]).subtracting(links)

  /// Members of answers that are links, or numbers of pages.
  private static let links: Set<String> = ["first", "last", "lastpage", "self"]

  /// Members of answers that are links, or marks by which a service goes on.
  private static let marks: Set<String> = [
    "cursor", "next", "nextpage", "prev", "previous", "previouspage",
  ]

  /// Members of answers that are neither objects nor arrays.
  private static let singles: Set<String> = figures.union(common).union([
    "apiversion", "context", "success",
  ]).subtracting(["messages", "sort", "status", "warnings"])

  /// Members by which an object leads to a page, besides those that tell of pages.
  private static let ways: Set<String> = addresses.union([
    "cursor", "limit", "offset", "pagesize", "perpage", "skip", "take",
  ])

  /// Whether what a member says with a word or number is what answers have in it.
  static func mayTell(_ token: JSONReader.Token, _ text: [UInt8], in word: String) -> Bool {
    switch token {
    case .string: text.isEmpty || mayTell(text, in: word)
    case .number: word != "context" && (!counts.contains(word) || isCount(text))
    case .boolean(true): !figures.contains(word) && word != "context"
    default: true
    }
  }

  private static func mayTell(_ text: [UInt8], in word: String) -> Bool {
    let isFigure = text.first.map { $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") } ?? true
    if counts.contains(word) { return isCount(text) }
    if figures.contains(word) { return isFigure || word == "offset" && isAirtableMark(text) }
    if links.contains(word) { return isFigure || isLink(text) }
    if marks.contains(word) { return !isOfWords(text) || isTruth(text) }
    if word == "success" { return tellsOfSuccess(text) || deniesSuccess(text) || isTruth(text) }
    return word != "context" || isLink(text)
  }

  /// Whether what an object or array has inside is what answers have in a member.
  static func mayTell(_ inside: JSONInside, in word: String) -> Bool {
    if !inside.saysSomething { return true }
    if counts.contains(word) { return inside.count != nil }
    if linkLists.contains(word), inside.isArray { return inside.areLinks }
    if about.contains(word) { return !inside.isArray && !inside.isOfRow }
    if marks.contains(word) || links.contains(word) { return inside.leads }
    return !singles.contains(word)
  }

  /// Whether an object in which a member is called so leads to a page.
  static func leads(_ word: String) -> Bool { ways.contains(word) || tellsOfPages(word) }

  /// Whether a text has the signs of an address.
  static func isLink(_ text: [UInt8]) -> Bool { text.contains { "/?=#".utf8.contains($0) } }

  private static func isCount(_ text: [UInt8]) -> Bool { parseDecimal(text.span) != nil }

  private static func isTruth(_ text: [UInt8]) -> Bool {
    ["true", "false", "yes", "no"].contains(word(text))
  }

  /// Whether a text is one that people write.
  ///
  /// The marks of services have digits or signs, or capitals behind small letters.
  private static func isOfWords(_ text: [UInt8]) -> Bool {
    var wasSmall = false
    for byte in text {
      let isCapital = byte &- 0x41 < 26
      let isSmall = byte &- 0x61 < 26 || byte >= 0x80
      guard isCapital ? !wasSmall : isSmall || " ',.!-".utf8.contains(byte) else { return false }
      wasSmall = isSmall
    }
    return text.count > 1
  }
}
