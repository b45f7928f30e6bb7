import Formats
import Records

/// What the objects of a JSON file show.
extension PlainSurvey {
  /// Looks at one row of JSON, whose object was just opened.
  mutating func addObject(_ reader: inout JSONReader) throws(FormatError) {
    beginRow()
    var hasKeyMember = false
    var following = 0
    while let place = try nextMember(&reader, following) {
      guard meet(place) else { throw reader.unexpected("a member comes twice") }
      following = place + 1
      if try addValue(&reader, at: place), place == 0 { hasKeyMember = true }
    }
    if !hasKeyMember { addNoKey() }
  }

  /// The place of the next member; nil behind the last.
  private mutating func nextMember(
    _ reader: inout JSONReader, _ following: Int
  ) throws(FormatError) -> Int? {
    if reader.takeKey(following, of: members.spelledKeys) { return following }
    guard try reader.next() == .key else { return nil }
    guard let place = place(of: reader.text, following) else {
      throw reader.unexpected("the rows have too many different members")
    }
    return place
  }

  /// Takes the value of a member; false where it can be no key.
  private mutating func addValue(
    _ reader: inout JSONReader, at place: Int
  ) throws(FormatError) -> Bool {
    guard let token = try reader.next() else { throw reader.unexpected("a value is missing") }
    switch token {
    case .null:
      addNull(at: place)
      return false
    case .boolean(let value):
      let text = Array((value ? "true" : "false").utf8)
      add(text.span, at: place, isText: false)
      return false
    case .string:
      reader.withText { add($0, at: place, isText: true) }
      return false
    case .number:
      reader.withText { text in
        if place == 0 { addKey(text) }
        add(text, at: place, isText: false)
      }
      return true
    default:
      var text: [UInt8] = []
      try reader.appendValue(from: token, to: &text)
      if rows == 1, members.names[place] == "rehome", ExportKind.isMark(text[...]) {
        throw reader.unexpected(
          "the member rehome is that of an export, in which it is the first of all")
      }
      add(text.span, at: place, isText: false, isContainer: true)
      return false
    }
  }
}
