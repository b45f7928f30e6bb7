package import Records

/// What the values of a column mean and how they are stored.
package struct ColumnForm: Sendable, Equatable {
  package let type: LogicalType
  package let decoding: CellDecoding

  /// A form of a type; text and bytes are stored as they are.
  package init(_ type: LogicalType, _ decoding: CellDecoding) {
    self.type = type
    self.decoding = decoding
  }

  package static let text = ColumnForm(.text, .text)
  package static let integer = ColumnForm(.integer, .integer)
  package static let real = ColumnForm(.real, .real)
  package static let boolean = ColumnForm(.boolean, .boolean)
  package static let binary = ColumnForm(.binary, .binary)
  package static let json = ColumnForm(.json, .text)

  /// A time as the layout stores it.
  package static func time(_ form: StoredTime) -> ColumnForm { ColumnForm(.timestamp, .time(form)) }
}
