import Bytes
import CLibXML2

extension MarkupScanner {
  /// Reads the tag at a place, and returns where it ends; nil where it does not, or is odd.
  mutating func scanTag(_ text: Span<UInt8>, at place: Int) -> Int? {
    guard place + 1 < text.count else { return nil }
    let byte = text[place + 1]
    if byte == UInt8(ascii: "/") { return scanEndTag(text, at: place) }
    guard startsName(byte), !builder.isComplete else { return stop() }
    return scanStartTag(text, at: place)
  }

  private mutating func scanEndTag(_ text: Span<UInt8>, at start: Int) -> Int? {
    guard let element = open.last else { return stop() }
    let place = start + 2
    let size = names.size(of: element.name)
    // The name and at least one byte behind it.
    guard place + size < text.count else { return nil }
    guard names.isName(element.name, text.extracting(place..<place + size)) else { return stop() }
    var end = place + size
    if text[end] != UInt8(ascii: ">") {
      guard let next = skipBlanks(text, from: end) else { return nil }
      guard next.place > end, text[next.place] == UInt8(ascii: ">") else { return stop() }
      end = next.place
      line &+= next.lines
    }
    builder.endElement(element.name, line: line)
    open.removeLast()
    return end + 1
  }

  private mutating func scanStartTag(_ text: Span<UInt8>, at start: Int) -> Int? {
    if let end = scanExpectedLeaf(text, at: start) { return end }
    // The tag may have been looked at before, when not all of it was there.
    if root == nil { names.removeNamespaces() }
    guard let nameEnd = endOfName(text, from: start + 1) else { return nil }
    guard let name = number(ofName: (start + 1)..<nameEnd, in: text) else { return stop() }
    if let end = scanLeaf(name, text, from: nameEnd) {
      if lastLeaf >= 0 { names.expect(name, after: lastLeaf) }
      lastLeaf = name
      takenNames = names.all.all.count
      return end
    }
    attributes.removeAll(keepingCapacity: true)
    var place = nameEnd
    var lines: Int32 = 0
    while text[place] != UInt8(ascii: ">"), text[place] != UInt8(ascii: "/") {
      guard let next = skipBlanks(text, from: place) else { return nil }
      lines &+= next.lines
      guard next.place > place else { return stop() }
      place = next.place
      guard startsName(text[place]) else { continue }
      guard let end = scanAttribute(text, at: place) else { return nil }
      place = end
    }
    let isEmpty = text[place] == UInt8(ascii: "/")
    if isEmpty {
      place += 1
      guard place < text.count else { return nil }
      guard text[place] == UInt8(ascii: ">") else { return stop() }
    }
    let startLine = line
    guard begin(name, text, line: line &+ lines) else { return stop() }
    line &+= lines
    if isEmpty {
      builder.endElement(name, line: line)
    } else {
      open.append(OpenElement(name: name, line: startLine))
    }
    return place + 1
  }

  /// Reads an element of one text whose name is the one that came last time in its place.
  private mutating func scanExpectedLeaf(_ text: Span<UInt8>, at start: Int) -> Int? {
    guard lastLeaf >= 0, let name = names.expected(after: lastLeaf) else { return nil }
    let end = start + 1 + names.size(of: name)
    guard end < text.count, text[end] == UInt8(ascii: ">"),
      names.isName(name, text.extracting((start + 1)..<end)),
      let leafEnd = scanLeaf(name, text, from: end)
    else { return nil }
    lastLeaf = name
    return leafEnd
  }

  /// Reads the rest of an element that holds one line of text and nothing else, as most do.
  ///
  /// - Returns: where it ends; nil where it may be something else, and nothing was taken.
  private mutating func scanLeaf(_ name: Int, _ text: Span<UInt8>, from start: Int) -> Int? {
    // A document is not over with its outermost element.
    guard text[start] == UInt8(ascii: ">"), !open.isEmpty else { return nil }
    let value = start + 1
    let tag = endOfPlainXML(in: text, from: value)
    let end = tag + 2 + names.size(of: name)
    guard end < text.count, text[tag] == UInt8(ascii: "<"), text[tag + 1] == UInt8(ascii: "/"),
      text[end] == UInt8(ascii: ">"), names.isName(name, text.extracting((tag + 2)..<end)),
      builder.addLeaf(name, value..<tag, line: line)
    else { return nil }
    return end + 1
  }

  /// Adds the start of an element with the attributes that were met; false where it passes a limit.
  private mutating func begin(_ name: Int, _ text: Span<UInt8>, line: Int32) -> Bool {
    let namespaces = root == nil ? names.namespaces.count : 0
    guard builder.depth < limits.depth, namespaces + attributes.count <= limits.attributes else {
      return false
    }
    if attributes.count > 1 {
      // More are for the library, which compares them in a better way.
      guard attributes.count <= 16 else { return false }
      for (place, attribute) in attributes.enumerated() {
        if attributes[..<place].contains(where: { $0.name == attribute.name }) { return false }
      }
    }
    guard attributes.reduce(0, { $0 + $1.value.count }) <= limits.attributeBytes,
      let start = builder.beginElement(namespaces: namespaces, line: line)
    else { return false }
    for attribute in attributes where !append(attribute, of: text, to: start) { return false }
    builder.endStartTag(name, line: line, of: start)
    root = root ?? name
    takenNames = names.all.all.count
    return true
  }

  /// Looks at the attribute at a place, and returns the place behind it, where something follows.
  private mutating func scanAttribute(_ text: Span<UInt8>, at start: Int) -> Int? {
    guard let nameEnd = endOfName(text, from: start) else { return nil }
    guard nameEnd + 1 < text.count else { return nil }
    let quote = text[nameEnd + 1]
    let range = start..<nameEnd
    guard text[nameEnd] == UInt8(ascii: "="),
      quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { return stop() }
    if root == nil, let prefix = declaredPrefix(range, in: text) {
      return scanNamespace(prefix, text, at: nameEnd + 2, quote: quote)
    }
    guard !text.extracting(range).isEqual(to: "xmlns"), let name = number(ofName: range, in: text)
    else { return stop() }
    var place = nameEnd + 2
    var hasReferences = false
    while place < text.count, text[place] != quote {
      switch text[place] {
      case UInt8(ascii: "<"), 0..<0x20: return stop()
      case UInt8(ascii: "&"):
        guard CharacterReference.find(in: text, at: place) != nil else {
          return text.count - place < CharacterReference.longest ? nil : stop()
        }
        hasReferences = true
      case 0xEF where isNoCharacter(text, at: place): return stop()
      default: break
      }
      place += 1
    }
    guard place + 1 < text.count else { return nil }
    attributes.append(
      Attribute(name: name, value: (nameEnd + 2)..<place, hasReferences: hasReferences))
    return place + 1
  }

  /// The prefix that an attribute with a name declares; nil where it declares none.
  private func declaredPrefix(_ name: Range<Int>, in text: Span<UInt8>) -> Range<Int>? {
    let mark: StaticString = "xmlns:"
    let start = name.lowerBound + mark.utf8CodeUnitCount
    guard start < name.upperBound, text.extracting(name.lowerBound..<start).isEqual(to: mark) else {
      return nil
    }
    return start..<name.upperBound
  }

  /// Takes what the prefix of a namespace stands for, and returns the place behind it.
  private mutating func scanNamespace(
    _ prefix: Range<Int>, _ text: Span<UInt8>, at start: Int, quote: UInt8
  ) -> Int? {
    var place = start
    while place < text.count, continuesAddress(text[place]) { place += 1 }
    guard place + 1 < text.count else { return nil }
    var namespace = MarkupNames.Namespace(prefix: [], address: [])
    namespace.prefix.append(text.extracting(prefix))
    namespace.address.append(text.extracting(start..<place))
    // Names that begin with `xml`, and addresses of the standard itself, have rules of their own.
    guard text[place] == quote, place > start, !namespace.isReserved, namespace.isAddressed,
      names.add(namespace)
    else { return stop() }
    return place + 1
  }

  /// The end of the name that starts at a place; nil where nothing follows yet.
  ///
  /// A prefix is a part of it.
  private func endOfName(_ text: Span<UInt8>, from start: Int) -> Int? {
    var place = start
    while place < text.count, continuesName(text[place]) { place += 1 }
    if place + 1 < text.count, text[place] == UInt8(ascii: ":"), startsName(text[place + 1]) {
      place += 2
      while place < text.count, continuesName(text[place]) { place += 1 }
    }
    return place < text.count ? place : nil
  }

  /// Passes over blanks inside of a tag; nil where nothing follows yet, or one of them is odd.
  private mutating func skipBlanks(
    _ text: Span<UInt8>, from start: Int
  ) -> (place: Int, lines: Int32)? {
    var place = start
    var lines: Int32 = 0
    while place < text.count, isBlank(text[place]) {
      if text[place] == 0x0D {
        isAtOddity = true
        return nil
      }
      if text[place] == 0x0A { lines &+= 1 }
      place += 1
    }
    return place < text.count ? (place, lines) : nil
  }
}

/// Whether a name may start with a byte; names with other characters are for the library.
@inline(__always)
private func startsName(_ byte: UInt8) -> Bool {
  (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_")
}

@inline(__always)
private func continuesName(_ byte: UInt8) -> Bool {
  startsName(byte) || byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
}

/// Whether a byte is one of those that addresses mostly have.
private func continuesAddress(_ byte: UInt8) -> Bool {
  continuesName(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/")
    || byte == UInt8(ascii: "#")
}

extension MarkupNames.Namespace {
  /// Whether the standard has a meaning for it.
  fileprivate var isReserved: Bool {
    String(decoding: prefix, as: UTF8.self).lowercased().hasPrefix("xml")
      || String(decoding: address, as: UTF8.self).hasPrefix("http://www.w3.org/XML/")
      || String(decoding: address, as: UTF8.self).hasPrefix("http://www.w3.org/2000/xmlns")
  }

  /// Whether the library takes its address for one, too.
  fileprivate var isAddressed: Bool {
    guard let address = unsafe xmlParseURI(String(decoding: address, as: UTF8.self)) else {
      return false
    }
    unsafe xmlFreeURI(address)
    return true
  }
}
