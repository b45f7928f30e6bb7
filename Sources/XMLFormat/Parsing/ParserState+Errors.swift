import CLibXML2

extension ParserState {
  /// Keeps an error that the parser reports; what it only warns of is let pass.
  mutating func note(_ error: UnsafePointer<xmlError>?) {
    // The parser lends the error for the length of this call.
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
        column: place == nil ? nil : column, Self.reason(text)))
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

  /// The parser's first line in the form of our own messages.
  private static func reason(_ text: String) -> String {
    var line = text.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
    // Names of the parser's own functions mean nothing to a person.
    if line.hasPrefix("xml"), let colon = line.firstIndex(of: ":") {
      line = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    while line.last == "." || line.last == " " { line.removeLast() }
    guard !line.isEmpty else { return "the document is not well formed" }
    return line.prefix(1).lowercased() + line.dropFirst().prefix(200)
  }
}
