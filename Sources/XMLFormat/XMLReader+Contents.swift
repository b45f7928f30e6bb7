import Bytes

extension XMLReader {
  /// The line that the parser had reached at the current event, from 1.
  package var line: Int { Int(current?.line ?? 0) }

  /// The name of the element that starts or ends with the current event.
  package var name: String {
    switch event {
    case .startElement(let number), .endElement(let number): names[number]
    case .text, nil: ""
    }
  }

  /// Hands out the text of the current event, or of the element that was taken whole; empty when
  /// there is none.
  package func withText<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(
      leaf == .none
        ? piece.queue.bytes.span.extracting(textRange)
        : piece.queue.text.span.extracting(textRange))
  }

  /// Whether the text is nothing but white space, as it may stand between tags.
  package var hasBlankText: Bool { withText { isBlank($0) } }

  /// Appends the text of the current event.
  package func appendText(to output: inout [UInt8]) {
    withText { output.append($0) }
  }

  /// How many attributes the element has that starts with the current event.
  package var attributeCount: Int { attributeRange.count }

  /// The number of an attribute's name.
  package func attributeName(at index: Int) -> Int {
    precondition(index >= 0 && index < attributeCount, "there is no such attribute")
    return piece.queue.attributes[attributeRange.lowerBound + index].name
  }

  /// Hands out the value of the attribute whose name has a number; nil when there is none.
  package func withAttribute<Result, Failure: Error>(
    _ name: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    for attribute in piece.queue.attributes[attributeRange] where attribute.name == name {
      return try body(piece.queue.bytes.span.extracting(attribute.start..<attribute.end))
    }
    return nil
  }

  /// The value of the attribute with a name; nil when there is none.
  package func attribute(_ name: String) -> String? {
    guard let number = names.number(of: name) else { return nil }
    return withAttribute(number) { String(decoding: [UInt8](copying: $0), as: UTF8.self) }
  }

  /// An error at the place of the current event.
  package func error(_ code: XMLError.Code, _ reason: String) -> XMLError {
    var error = XMLError(code, line: line, reason)
    error.path = path
    return error
  }

  /// An error at the place of the current event, for documents that are not what they ought to be.
  package func unexpected(_ reason: String) -> XMLError { error(.unexpected, reason) }

  private var textRange: Range<Int> {
    guard let current, event == .text || leaf == .taken else { return 0..<0 }
    return current.start..<current.end
  }

  private var attributeRange: Range<Int> {
    guard let current, case .startElement = event, !current.isLeaf else { return 0..<0 }
    return current.start..<current.end
  }
}

extension XMLReader {
  /// Goes on to the end of the element that starts with the current event.
  package mutating func skipElement() throws(XMLError) {
    let level = depth
    while let event = try next() {
      if case .endElement = event, depth == level { return }
    }
  }

  /// Appends the text of the element that starts with the current event and goes on to its end.
  ///
  /// - Throws: `.unexpected` when it contains elements.
  package mutating func readText(into output: inout [UInt8]) throws(XMLError) {
    while let event = try next() {
      switch event {
      case .text: appendText(to: &output)
      case .endElement: return
      case .startElement: throw unexpected("an element stands where only text may be")
      }
    }
  }

  /// The text of the element that starts with the current event, whose end is then reached.
  ///
  /// - Throws: `.unexpected` when it contains elements.
  package mutating func readText() throws(XMLError) -> String {
    var bytes: [UInt8] = []
    try readText(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
