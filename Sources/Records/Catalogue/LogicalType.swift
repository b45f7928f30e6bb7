/// What a value means, whatever the source stored it as; design section 3 lists the spellings.
package enum LogicalType: String, CaseIterable, Sendable {
  case text
  /// A whole number of up to 64 bits.
  case integer
  /// A binary floating point number.
  case real
  /// True or false, as 1 or 0.
  case boolean
  /// A point in time in UTC, as ISO-8601 text.
  case timestamp
  /// A decimal number, as its digits.
  case decimal
  /// A universally unique identifier, as text.
  case uuid
  /// An address, as text.
  case uri
  /// Bytes of any kind.
  case binary
  /// A JSON document, as the text that was stored.
  case json
  /// The `_pk` of a row in another table.
  case reference

  /// The kind of cell that carries a value of this type.
  package var cellKind: CellKind {
    switch self {
    case .integer, .boolean, .reference: .integer
    case .real: .real
    case .text, .timestamp, .decimal, .uuid, .uri, .json: .text
    case .binary: .binary
    }
  }

  /// The declared type of a column of this type in the canonical store.
  package var storageName: String {
    switch cellKind {
    case .null, .text: "TEXT"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .binary: "BLOB"
    }
  }
}
