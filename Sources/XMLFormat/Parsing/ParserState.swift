import Bytes
import CLibXML2

/// What the parser's calls work on.
@safe
struct ParserState {
  var builder: EventBuilder
  private(set) var names: XMLNames
  /// Whether no tag ended behind the place where the parser met its first error.
  var failedInLastTag = false
  /// The parser that makes the calls; it outlives every call.
  var context: xmlParserCtxtPtr?
  private let limits: XMLLimits
  private let allowsDoctype: Bool
  private var cache = NameCache()

  /// Starts before the first byte of a document.
  init(_ options: XMLOptions, names: XMLNames) {
    builder = EventBuilder(options)
    limits = options.limits
    allowsDoctype = options.allowsDoctype
    self.names = names
    unsafe context = nil
  }

  /// Goes on with the events of a scanner, whose open elements the parser has met, too.
  mutating func take(_ scanner: borrowing MarkupScanner) {
    builder = scanner.builder
    // The context and its current input are valid for as long as the parser makes calls.
    unsafe context?.pointee.input?.pointee.line = scanner.line
    unsafe context?.pointee.input?.pointee.col = Int32(truncatingIfNeeded: scanner.column)
  }

  /// Ends the parse with an error at the place that the parser has reached.
  mutating func refuse(
    _ code: XMLError.Code, _ reason: String, passing limit: InputLimit? = nil
  ) {
    var error = XMLError(code, line: Int(line), column: column, reason)
    error.limit = limit
    builder.refuse(error)
    // The parser makes no further calls after this one; it stays valid until it is freed.
    if let context = unsafe context { unsafe xmlStopParser(context) }
  }

  var line: Int32 {
    // The context and its current input are valid for as long as the parser makes calls.
    unsafe context?.pointee.input?.pointee.line ?? 0
  }

  var column: Int {
    // As for `line`.
    Int(unsafe context?.pointee.input?.pointee.col ?? 0)
  }

  /// The bytes that were given to the parser and that it has not dealt with.
  func withPending<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
    // Between two calls of the parser `cur` and `end` bound the rest of its one buffer, in UTF-8
    // because nothing else is ever given to it.
    guard let input = unsafe context?.pointee.input, let start = unsafe input.pointee.cur,
      let end = unsafe input.pointee.end
    else { return nil }
    return body(unsafe Span(_unsafeStart: start, count: max(0, end - start)))
  }
}

extension ParserState {
  /// A start tag: its name, and five pointers for each attribute.
  @unsafe
  struct StartTag {
    var name: NamePointers
    var namespaceCount: Int
    var attributeCount: Int
    var attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  }

  /// The parser's own copies of a name and of its namespace.
  @unsafe
  struct NamePointers {
    var local: UnsafePointer<xmlChar>?
    var namespace: UnsafePointer<xmlChar>?
  }

  mutating func startElement(_ tag: StartTag) {
    guard !builder.hasFailed else { return }
    let line = line
    guard let name = unsafe number(of: tag.name) else { return }
    guard unsafe tag.namespaceCount + tag.attributeCount <= limits.attributes else {
      return refuse(.limit, "an element has too many attributes")
    }
    guard let start = builder.beginElement(namespaces: unsafe tag.namespaceCount, line: line)
    else { return refuse(.limit, "elements are nested too deeply", passing: .depth) }
    for index in 0..<(unsafe tag.attributeCount) {
      guard unsafe addAttribute(index, of: tag, start) else { return }
    }
    builder.endStartTag(name, line: line, of: start)
  }

  mutating func endElement(_ name: NamePointers) {
    guard !builder.hasFailed, let number = unsafe number(of: name) else { return }
    builder.endElement(number, line: line)
  }

  mutating func addText(_ start: UnsafePointer<xmlChar>?, count: Int32) {
    guard !builder.hasFailed, let start = unsafe start, count > 0 else { return }
    // The parser gives `count` bytes for the length of this call.
    let text = unsafe Span(_unsafeStart: start, count: Int(count))
    if !builder.appendText(text) { refuse(.limit, "a text is too long", passing: .valueBytes) }
  }

  /// Notes a document type declaration, of which the parser has read all but the inner part.
  mutating func startDoctype() {
    let next = withPending { $0.count > 0 ? $0[0] : 0 }
    if !allowsDoctype {
      refuse(.doctype, "the document has a document type declaration")
    } else if next == UInt8(ascii: "[") {
      refuse(.doctype, "the document type declaration contains declarations")
    }
  }

  private mutating func addAttribute(
    _ index: Int, of tag: StartTag, _ start: EventBuilder.ElementStart
  ) -> Bool {
    // The parser gives five pointers for each attribute: local name, prefix, namespace, and the
    // bounds of the value.
    guard let fields = unsafe tag.attributes?.advanced(by: index * 5),
      let number = unsafe number(of: NamePointers(local: fields[0], namespace: fields[2])),
      let from = unsafe fields[3], let to = unsafe fields[4]
    else { return false }
    let value = unsafe Span(_unsafeStart: from, count: max(0, to - from))
    guard append(number, value, of: start) else {
      refuse(.limit, "the attributes of an element are too long")
      return false
    }
    return true
  }

  /// Adds an attribute with its value; false when there are too many or too large ones.
  private mutating func append(
    _ name: Int, _ value: Span<UInt8>, of start: EventBuilder.ElementStart
  ) -> Bool {
    // As it comes, it must not be too large either.
    guard value.count <= limits.attributeBytes else { return false }
    guard value.indices.contains(where: { value[$0] == UInt8(ascii: "&") }) else {
      return builder.appendAttribute(name, value, of: start)
    }
    var decoded: [UInt8] = []
    decoded.append(decodingAmpersands: value)
    return builder.appendAttribute(name, decoded.span, of: start)
  }

  private mutating func number(of name: NamePointers) -> Int? {
    let local = UInt(bitPattern: unsafe name.local)
    let namespace = UInt(bitPattern: unsafe name.namespace)
    if let known = cache.number(local: local, namespace: namespace) { return known }
    guard let number = unsafe internedNumber(of: name) else { return nil }
    cache.store(number, local: local, namespace: namespace)
    return number
  }

  private mutating func internedNumber(of name: NamePointers) -> Int? {
    // Both are C strings that the parser keeps.
    guard let local = unsafe name.local else { return nil }
    var text = unsafe String(cString: local)
    if let namespace = unsafe name.namespace {
      text = unsafe "{\(String(cString: namespace))}\(text)"
    }
    guard text.utf8.count <= limits.nameBytes else {
      refuse(.limit, "a name is too long")
      return nil
    }
    guard let number = names.intern(text, limit: limits.names) else {
      refuse(.limit, "the document has too many different names")
      return nil
    }
    return number
  }
}

extension ParserState {
  /// Keeps an error that the parser reports; what it only warns of is let pass.
  mutating func note(_ error: UnsafePointer<xmlError>?) {
    // The parser gives the error for the length of this call.
    guard let error = unsafe error, unsafe error.pointee.level.rawValue > XML_ERR_WARNING.rawValue
    else { return }
    let number = xmlParserErrors(UInt32(bitPattern: unsafe error.pointee.code))
    let place = unsafe error.pointee.line > 0 ? Int(error.pointee.line) : nil
    let column = unsafe error.pointee.int2 > 0 ? Int(error.pointee.int2) : nil
    let text = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? ""
    if !builder.hasFailed {
      failedInLastTag = Self.unfinished.contains(number) || !hasPendingTagEnd
    }
    builder.refuse(
      XMLError(
        text.contains("Huge input lookup") ? .limit : Self.code(of: number), line: place,
        column: place == nil ? nil : column, ParserWords.reason(of: number, saying: text)))
  }

  /// Errors that mean the end of the document even where the parser goes back to report them.
  private static let unfinished = [
    XML_ERR_DOCUMENT_EMPTY, XML_ERR_DOCUMENT_END, XML_ERR_CDATA_NOT_FINISHED,
    XML_ERR_COMMENT_NOT_FINISHED, XML_ERR_PI_NOT_FINISHED, XML_ERR_ATTRIBUTE_NOT_FINISHED,
  ]

  private var hasPendingTagEnd: Bool {
    withPending { rest in rest.indices.contains { rest[$0] == UInt8(ascii: ">") } } ?? false
  }

  private static func code(of number: xmlParserErrors) -> XMLError.Code {
    switch number {
    case XML_ERR_INVALID_ENCODING, XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING,
      XML_I18N_CONV_FAILED, XML_I18N_NO_HANDLER, XML_IO_ENCODER:
      .encoding
    case XML_ERR_NO_MEMORY, XML_ERR_NAME_TOO_LONG: .limit
    case XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY, XML_ERR_ENTITY_LOOP,
      XML_ERR_UNPARSED_ENTITY, XML_ERR_ENTITY_IS_EXTERNAL, XML_ERR_ENTITY_IS_PARAMETER:
      .entity
    default: .notWellFormed
    }
  }

  /// Whether text is left behind a complete document.
  var hasTextAfterDocument: Bool {
    builder.isComplete && withPending { $0.count > 0 && $0[0] != UInt8(ascii: "<") } == true
  }
}

extension [UInt8] {
  /// Appends an attribute's value, in which the parser leaves `&` as `&#38;`.
  ///
  /// It writes no other reference, because it knows no entities besides those of XML itself.
  fileprivate mutating func append(decodingAmpersands value: Span<UInt8>) {
    var start = 0
    for place in value.indices where value[place] == UInt8(ascii: "&") {
      guard place >= start else { continue }
      append(value.extracting(start...place))
      start = Swift.min(place + 5, value.count)
    }
    append(value.extracting(start...))
  }
}
