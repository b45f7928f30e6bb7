/// What a reader meets next; names are numbers, see `XMLNames`.
package enum XMLEvent: Sendable, Equatable {
  /// The start of an element, whose attributes the reader now has.
  case startElement(Int)
  /// The end of an element.
  case endElement(Int)
  /// A run of text, which the reader now has.
  case text
}
