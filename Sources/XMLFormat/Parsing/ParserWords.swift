import CLibXML2

/// What a person is told of an error for which the library has words for its own developers only.
enum ParserWords {
  /// The words for an error of the library, which itself says `text`.
  static func reason(of number: xmlParserErrors, saying text: String) -> String {
    words(for: number) ?? firstLine(of: text) ?? "the document is not well formed"
  }

  private static func words(for number: xmlParserErrors) -> String? {
    switch number {
    case XML_ERR_INTERNAL_ERROR: "the document is not well formed"
    case XML_ERR_INVALID_CHARREF: "a reference names a character that XML has no place for"
    case XML_ERR_INVALID_HEX_CHARREF, XML_ERR_INVALID_DEC_CHARREF:
      "a reference to a character has no number"
    case XML_ERR_INVALID_CHAR: "there is a character that XML has no place for"
    case XML_ERR_MISPLACED_CDATA_END: "]]> stands outside of a CDATA section"
    case XML_ERR_HYPHEN_IN_COMMENT: "a comment has two hyphens inside"
    case XML_ERR_NAME_REQUIRED: "there is no name behind < or &, which texts spell &lt; and &amp;"
    case XML_ERR_ENTITYREF_SEMICOL_MISSING:
      "a reference has no semicolon, or texts spell & otherwise than &amp;"
    case XML_ERR_RESERVED_XML_NAME: "an XML declaration stands within the document"
    case XML_ERR_GT_REQUIRED: "a tag has no > at its end"
    case XML_ERR_LTSLASH_REQUIRED: "a tag is not ended"
    case XML_ERR_LT_IN_ATTRIBUTE: "an attribute's value has a <, which is spelled &lt;"
    case XML_ERR_ATTRIBUTE_NOT_STARTED: "an attribute's value has no quotes"
    case XML_ERR_ATTRIBUTE_WITHOUT_VALUE: "an attribute has no value"
    case XML_ERR_ATTRIBUTE_REDEFINED: "an element has an attribute twice"
    case XML_ERR_SPACE_REQUIRED: "a space is missing between attributes"
    case XML_NS_ERR_UNDEFINED_NAMESPACE: "a name has a prefix that nothing declares"
    case XML_NS_ERR_QNAME: "a name has a colon that separates no prefix from it"
    case XML_ERR_PI_NOT_FINISHED: "a processing instruction is not ended"
    case XML_NS_ERR_EMPTY, XML_NS_ERR_XML_NAMESPACE: "a prefix is declared for no namespace"
    default: nil
    }
  }

  /// The library's first line in the form of our own messages; nil where it says nothing.
  private static func firstLine(of text: String) -> String? {
    var line = text.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
    // Names of the library's own functions mean nothing to a person.
    if line.hasPrefix("xml"), let colon = line.firstIndex(of: ":") {
      line = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    while line.last == "." || line.last == " " { line.removeLast() }
    guard let first = line.first else { return nil }
    let isAbbreviation = line.dropFirst().first?.isUppercase ?? false
    return (isAbbreviation ? String(first) : first.lowercased()) + line.dropFirst().prefix(200)
  }
}
