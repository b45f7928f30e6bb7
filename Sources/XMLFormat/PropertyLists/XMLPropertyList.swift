/// A value of a property list in XML, with everything it contains.
package enum XMLPropertyList: Sendable, Equatable {
  case boolean(Bool)
  case integer(Int64)
  /// A whole number above `Int64.max`.
  case unsigned(UInt64)
  /// A floating-point number.
  case real(Double)
  /// A moment in seconds since the start of 2001, UTC.
  case date(Double)
  case data([UInt8])
  case string(String)
  /// Values in order.
  case array([XMLPropertyList])
  /// Keys and values in the order of the document, no key twice.
  case dictionary([Entry])

  /// A key and its value.
  package struct Entry: Sendable, Equatable {
    /// The key.
    package let key: String
    /// The value.
    package let value: XMLPropertyList

    /// Pairs a key with a value.
    package init(key: String, value: XMLPropertyList) {
      self.key = key
      self.value = value
    }
  }

  /// Reads a document that is a property list; a document type declaration may stand in front.
  ///
  /// - Throws: what is wrong with the document, `.unexpected` where it is no property list.
  package init(parsing bytes: [UInt8], limits: XMLLimits = .standard) throws(XMLError) {
    var reader = try XMLReader(
      bytes: bytes, options: XMLOptions(allowingDoctype: true, limits: limits))
    guard case .startElement = try reader.next(), reader.name == "plist" else {
      throw reader.unexpected("the document is not a property list")
    }
    try self.init(reading: &reader)
    // Only the end of the document can follow; asking for it checks that it is whole.
    _ = try reader.next()
  }

  /// Reads the value in a `plist` element that starts with the reader's current event, to its end.
  package init(reading reader: inout XMLReader) throws(XMLError) {
    var parser = XMLPropertyListParser()
    self = try parser.parseList(&reader)
  }
}

extension XMLPropertyList {
  /// The value that a dictionary has for a key.
  package subscript(key: String) -> XMLPropertyList? {
    entries?.first { $0.key == key }?.value
  }

  /// The entries of a dictionary; nil for anything else.
  package var entries: [Entry]? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries
  }

  /// The text of a string; nil for anything else.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The number of an integer; nil for anything else.
  package var integer: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// The bytes of data; nil for anything else.
  package var data: [UInt8]? {
    guard case .data(let bytes) = self else { return nil }
    return bytes
  }
}
