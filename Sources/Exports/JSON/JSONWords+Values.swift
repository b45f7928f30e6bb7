import Bytes
import Formats

/// What answers have in members that rows of an app may have as well: nobody's first name is a link,
/// and no amount of money is a limit.
///
/// What has another form is told of, and decides nothing.
extension JSONWords {
  /// Members of answers that are numbers.
  private static let amounts: Set<String> = placesOfPage.union(pageCounts).union([
    "itemsperpage", "limit", "numberofelements", "offset", "pagesize", "perpage", "scannedcount",
    "skip", "startindex", "take", "top",
  ]).subtracting(["lastpage", "number"])

  /// Members of answers that are links to pages, or their numbers.
  private static let places: Set<String> = [
    "first", "firstpageurl", "last", "lastpage", "lastpageurl", "prev", "previous", "previouslink",
    "previouspage", "previouspageurl", "self",
  ]

  /// Members in which a service may have a mark that only itself can read.
  private static let marks: Set<String> = about.union([
    "context", "currentpage", "offset", "prev", "previous", "previouspage",
  ])

  /// Members of answers that are neither objects nor arrays, unless these have counts or links inside.
  private static let singles: Set<String> = counts.union(amounts).union(places).union([
    "context", "from", "number", "size", "start", "to",
  ])

  /// What JSON-LD, OData and what is made of XML call by names that begin with @.
  private static let annotations: Set<String> = [
    "associationlink", "base", "container", "direction", "editlink", "encoding", "graph", "id",
    "import", "included", "index", "json", "language", "list", "mediacontenttype",
    "mediaeditlink", "mediaetag", "mediareadlink", "metadataetag", "navigationlink", "nest",
    "none", "prefix", "propagate", "protected", "readlink", "removed", "reverse", "set",
    "standalone", "value", "vocab", "xmlns",
  ]

  /// Whether a name begins as annotations do, and is none that is known; a vocabulary has a point or
  /// colon in its names.
  private static func isForeign(_ name: [UInt8], _ word: String) -> Bool {
    isAnnotation(name) && !isODataAnnotation(name) && !isAbout(word)
      && !annotations.contains(word) && !name.contains { ".:".utf8.contains($0) }
  }

  /// Whether a value that is neither object nor array is what answers have in a member.
  static func suits(
    _ token: JSONReader.Token, _ text: [UInt8], _ name: [UInt8], _ word: String
  ) -> Bool {
    if isAnnotation(name) {
      return !isForeign(name, word)
        || token != .number && token != .boolean(true) && (token != .string || text.isEmpty)
    }
    switch token {
    case .string:
      if marks.contains(word) { return !isOfWords(text) || tellsOfSuccess(text) }
      return text.isEmpty || !amounts.contains(word) && !places.contains(word) || isPlace(text)
    case .number: return word != "context"
    case .boolean(true): return !amounts.contains(word) && word != "context"
    default: return true
    }
  }

  /// Whether objects and arrays in a member are to be looked into for what answers have there.
  static func isSingle(_ token: JSONReader.Token, _ name: [UInt8], _ word: String) -> Bool {
    guard token == .beginObject || token == .beginArray else { return false }
    if isAnnotation(name) { return isForeign(name, word) }
    return singles.contains(word) || token == .beginArray && isListOfAnswer(word)
  }

  /// Whether a text may be the number or address of a page.
  private static func isPlace(_ text: [UInt8]) -> Bool {
    text.contains { $0 &- 0x30 < 10 || "/:?=#".utf8.contains($0) }
  }

  /// Whether a text is one that people write.
  ///
  /// The marks of services have digits or signs, or capitals in the middle of words.
  private static func isOfWords(_ text: [UInt8]) -> Bool {
    var (smalls, capitals) = (0, 0)
    for byte in text {
      if byte &- 0x41 < 26 {
        guard smalls == 0 else { return false }
        capitals += 1
      } else if byte &- 0x61 < 26 || byte >= 0x80 {
        guard capitals < 2 else { return false }
        smalls += 1
      } else {
        guard " ',.!()-".utf8.contains(byte) else { return false }
        (smalls, capitals) = (0, 0)
      }
    }
    return text.count > 1
  }

  /// Whether a member is one that an answer has in what it says of pages.
  static func tellsOfAnswer(_ word: String) -> Bool { isOfAnswer(word) || addresses.contains(word) }
}
