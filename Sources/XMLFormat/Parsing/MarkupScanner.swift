import Bytes

/// Reads plain markup: elements, their attributes, and text with references to characters.
///
/// It makes the same events as the library in less time, and takes nothing that it is not sure of.
/// Whatever else stands in a document, and all that is wrong with one, is for the library, which
/// goes on where the scanner stopped: at the start of a tag or a reference, or within a text.
struct MarkupScanner {
  /// What the events are made with.
  var builder: EventBuilder
  var names: MarkupNames
  let limits: XMLLimits
  /// The elements that have started and not ended.
  var open: [OpenElement] = []
  /// The name of the outermost element; nil before it.
  var root: Int?
  /// How many names there are in tags that were taken, and from the start.
  var takenNames: Int
  /// The name of the last element that held nothing but one text; -1 before the first.
  var lastLeaf = -1
  /// The line that was reached, from 1.
  var line: Int32 = 1
  /// How many characters of that line come before, and one.
  private(set) var column = 1
  /// Whether something was met that is for the library.
  var isAtOddity = false
  /// How many bytes it takes to go on.
  private var leastCount = 0
  /// The attributes of a tag, as far as it was looked at.
  var attributes: [Attribute] = []

  struct OpenElement {
    /// The number of its name.
    var name: Int
    /// The line at which its tag starts.
    var line: Int32
  }

  /// An attribute: the number of its name, where its value stands, and whether that has references.
  struct Attribute {
    var name: Int
    var value: Range<Int>
    var hasReferences: Bool
  }

  /// A tag or a reference that does not end within so many bytes is for the library.
  static let longestToken = 1 << 16

  private static let shortText = 300

  /// Starts before the first byte of a document.
  init(_ options: XMLOptions, names: XMLNames) {
    builder = EventBuilder(options)
    limits = options.limits
    self.names = MarkupNames(names, options.limits)
    takenNames = names.all.count
  }

  /// Whether anything of the document was read.
  var hasBegun: Bool { root != nil }

  /// Whether the document may end here.
  var isComplete: Bool { builder.isComplete }

  /// Reads what it can of a text, and returns how many bytes that was.
  ///
  /// The rest comes again with what follows it, unless it begins with something odd.
  mutating func scan(_ text: Span<UInt8>, isLast: Bool) -> Int {
    // What comes in small pieces is not looked at with each of them.
    guard isLast || text.count >= leastCount else { return 0 }
    if !hasBegun { line = 1 }
    let lineBefore = line
    var place = hasBegun ? 0 : endOfDeclaration(in: text)
    while place < text.count, !isAtOddity {
      let next =
        if text[place] == UInt8(ascii: "<") {
          scanTag(text, at: place)
        } else if open.isEmpty {
          scanBlanks(text, from: place)
        } else {
          scanText(text, from: place)
        }
      guard let next, next > place else { break }
      place = next
    }
    // What comes before the outermost element is the library's, if that is.
    if !hasBegun { place = 0 }
    leastCount = (text.count - place) * 2
    if text.count - place > Self.longestToken { isAtOddity = true }
    moveColumn(over: text.extracting(..<place), isOneLine: line == lineBefore)
    return place
  }

  /// Marks what comes next as something for the library.
  mutating func stop() -> Int? {
    isAtOddity = true
    return nil
  }

  /// The number of the name that stands in a range; nil where that is for the library.
  mutating func number(ofName range: Range<Int>, in text: Span<UInt8>) -> Int? {
    guard range.count <= MarkupNames.longest else { return nil }
    return names.number(of: text.extracting(range))
  }

  /// Adds an attribute to the tag whose start was told; false where there is no room for it.
  mutating func append(
    _ attribute: Attribute, of text: Span<UInt8>, to start: EventBuilder.ElementStart
  ) -> Bool {
    guard attribute.hasReferences else {
      return builder.appendAttribute(
        attribute.name, text.extracting(attribute.value), of: start)
    }
    var value: [UInt8] = []
    var place = attribute.value.lowerBound
    while place < attribute.value.upperBound {
      if text[place] == UInt8(ascii: "&") {
        guard let (character, end) = CharacterReference.find(in: text, at: place) else {
          return false
        }
        value.append(contentsOf: character)
        place = end
      } else {
        value.append(text[place])
        place += 1
      }
    }
    return builder.appendAttribute(attribute.name, value.span, of: start)
  }

  /// The end of the declaration that a document starts with, if it is one of the usual ones.
  private func endOfDeclaration(in text: Span<UInt8>) -> Int {
    for declaration in Self.declarations {
      let size = declaration.utf8CodeUnitCount
      if text.count >= size, text.extracting(..<size).isEqual(to: declaration) { return size }
    }
    return 0
  }

  private static let declarations: [StaticString] = [
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<?xml version=\"1.0\" encoding=\"utf-8\"?>",
    "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='UTF-8'?>",
    "<?xml version='1.0' encoding='utf-8'?>", "<?xml version='1.0'?>",
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>",
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>",
  ]

  private mutating func moveColumn(over text: Span<UInt8>, isOneLine: Bool) {
    var lineStart = isOneLine ? 0 : text.count
    while lineStart > 0, text[lineStart - 1] != 0x0A { lineStart -= 1 }
    var characters = 0
    for place in lineStart..<text.count { characters &+= text[place] & 0xC0 != 0x80 ? 1 : 0 }
    column = characters + (isOneLine ? column : 1)
  }
}

extension MarkupScanner {
  /// Passes over what may stand outside of all elements besides tags.
  private mutating func scanBlanks(_ text: Span<UInt8>, from start: Int) -> Int {
    var place = start
    while place < text.count, text[place] != UInt8(ascii: "<"), !isAtOddity {
      switch text[place] {
      case 0x0A: line &+= 1
      case 0x20, 0x09: break
      default:
        isAtOddity = true
        return place
      }
      place += 1
    }
    return place
  }

  /// Takes text up to the next tag, or to the end of what there is.
  ///
  /// - Returns: the place where it stopped; the text before that was taken.
  private mutating func scanText(_ text: Span<UInt8>, from start: Int) -> Int {
    var taken = start
    var place = start
    while true {
      place = endOfPlainXML(in: text, from: place)
      guard place < text.count else { return takeRest(of: text, from: taken) }
      switch text[place] {
      case UInt8(ascii: "<"): return take(text, taken..<place)
      case 0x09: place += 1
      case 0x0A:
        line &+= 1
        place += 1
      case UInt8(ascii: "&"), 0x0D:
        let end = take(text, taken..<place)
        guard end == place, let next = replace(text, at: place) else { return end }
        place = next
        taken = next
      case UInt8(ascii: ">") where !endsSection(text, at: place): place += 1
      case 0xEF where !isNoCharacter(text, at: place): place += 3
      default:
        isAtOddity = true
        let isSection = text[place] == UInt8(ascii: ">")
        return take(text, taken..<(isSection ? max(taken, place - 2) : place))
      }
    }
  }

  /// Takes what stands for something else, and returns where the text goes on: a reference stands for
  /// a character, and the first byte of two that end a line for nothing.
  private mutating func replace(_ text: Span<UInt8>, at place: Int) -> Int? {
    if text[place] == 0x0D {
      guard place + 1 < text.count else { return nil }
      return text[place + 1] == 0x0A ? place + 1 : stop()
    }
    guard let (character, end) = CharacterReference.find(in: text, at: place) else {
      return text.count - place < CharacterReference.longest ? nil : stop()
    }
    return builder.appendText(character.span) ? end : stop()
  }

  /// Takes text that nothing follows yet, but for what may begin `]]>`.
  ///
  /// As the library does, it waits where the text is short; where the document ends there, both tell
  /// the same place.
  private mutating func takeRest(of text: Span<UInt8>, from start: Int) -> Int {
    guard text.count - start >= Self.shortText else { return leave(text, start..<text.count) }
    var end = text.count
    while end > start, text.count - end < 2, text[end - 1] == UInt8(ascii: "]") { end -= 1 }
    return take(text, start..<end)
  }

  /// Takes a range of text, and returns its end, or its start where that is too long.
  private mutating func take(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
    if range.isEmpty || builder.appendText(text.extracting(range)) { return range.upperBound }
    isAtOddity = true
    return leave(text, range)
  }

  /// Goes back to the start of a range of text that was looked at and not taken.
  private mutating func leave(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
    for place in range where text[place] == 0x0A { line &-= 1 }
    return range.lowerBound
  }

  /// Whether the `>` at a place ends `]]>`, which no text may have.
  private func endsSection(_ text: Span<UInt8>, at place: Int) -> Bool {
    place >= 2 && text[place - 1] == UInt8(ascii: "]") && text[place - 2] == UInt8(ascii: "]")
  }
}

/// Whether U+FFFE or U+FFFF stands at a place with the first byte of such a character.
func isNoCharacter(_ text: Span<UInt8>, at place: Int) -> Bool {
  guard place + 2 < text.count else { return true }
  return text[place + 1] == 0xBF && text[place + 2] >= 0xBE
}
