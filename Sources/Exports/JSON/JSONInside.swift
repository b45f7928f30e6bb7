import Bytes
import Formats

/// What an object or array beside the rows has inside, as far as that tells whether it is one of an
/// answer.
struct JSONInside {
  let isArray: Bool
  /// How many containers are open inside of it.
  private let level: Int
  /// The word of the last key in it, or in an element of it.
  private var key = ""
  /// Whether there is any text, number or truth in it; a link to nowhere has none.
  private(set) var saysSomething = false
  /// Whether it has a member that leads to a page.
  private(set) var leads = false
  /// Whether it has a member of an answer with what answers do not have there.
  private(set) var isOfRow = false
  /// Whether a link in it leads to a next page.
  private(set) var hasNextLink = false
  private var number: Int?
  private var hasMoreThanNumber = false
  private var link = Link()
  private var (links, elements) = (0, 0)

  /// An element of an array that may be a link.
  private struct Link {
    var (isNext, leadsOn) = (false, false)
    var (hasAddress, hasRelation) = (false, false)
  }

  /// The number in a count that is an object: Elasticsearch has it there as `value`, and besides only
  /// how exact it is; an amount of money has a currency.
  var count: Int? { hasMoreThanNumber ? nil : number }

  /// Whether all elements are links that say what they are to the answer.
  var areLinks: Bool { links == elements }

  /// Begins with the object or array that was just opened.
  init(from token: JSONReader.Token, _ reader: borrowing JSONReader) {
    isArray = token == .beginArray
    level = reader.depth
  }

  /// Reads the object or array that was just opened, to its end.
  init(reading token: JSONReader.Token, _ reader: inout JSONReader) throws(FormatError) {
    self.init(from: token, reader)
    while reader.depth >= level, let token = try reader.next() { take(token, reader) }
  }

  /// Takes the next token in it.
  mutating func take(_ token: JSONReader.Token, _ reader: borrowing JSONReader) {
    switch token {
    case .key where reader.depth == level + (isArray ? 1 : 0): begin(JSONWords.word(reader.text))
    case .key: break
    case .string, .number, .boolean: takeValue(token, reader)
    case .beginObject, .beginArray: beginContainer(token, reader)
    case .endObject where isArray && reader.depth == level: endElement()
    case .null where isArray && reader.depth == level: elements += 1
    default: break
    }
  }

  private mutating func begin(_ word: String) {
    key = word
    if word != "value", word != "relation" { hasMoreThanNumber = true }
    if !isArray, JSONWords.leads(word) { leads = true }
    if JSONWords.addresses.contains(word) { link.hasAddress = true }
    if JSONWords.relations.contains(word) { link.hasRelation = true }
  }

  private mutating func beginContainer(
    _ token: JSONReader.Token, _ reader: borrowing JSONReader
  ) {
    guard isArray, reader.depth == level + 1 else { return }
    elements += 1
    link = Link()
    key = ""
  }

  private mutating func endElement() {
    if link.hasAddress, link.hasRelation { links += 1 }
    if link.isNext, link.leadsOn { hasNextLink = true }
  }

  private mutating func takeValue(
    _ token: JSONReader.Token, _ reader: borrowing JSONReader
  ) {
    let text = token == .string || token == .number ? reader.text : []
    if token != .string || !text.isEmpty { saysSomething = true }
    if isArray, reader.depth == level { elements += 1 }
    guard reader.depth == level + (isArray ? 1 : 0) else { return }
    if isArray {
      guard token == .string else { return }
      if key == "rel" || key == "relation", JSONWords.word(text) == "next" { link.isNext = true }
      if JSONWords.addresses.contains(key), !text.isEmpty { link.leadsOn = true }
    } else {
      if token == .number, key == "value" { number = parseDecimal(text.span).map { Int($0) } }
      if JSONWords.isAbout(key), !JSONWords.mayTell(token, text, in: key) { isOfRow = true }
    }
  }
}
