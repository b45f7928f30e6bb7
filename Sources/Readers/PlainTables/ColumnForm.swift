import Records

/// What the values of a column mean and how they are stored.
struct ColumnForm: Sendable, Equatable {
  let type: LogicalType
  let decoding: CellDecoding

  /// A form of a type; text and bytes are stored as they are.
  init(_ type: LogicalType, _ decoding: CellDecoding) {
    self.type = type
    self.decoding = decoding
  }

  static let text = ColumnForm(.text, .text)
  static let integer = ColumnForm(.integer, .integer)
  static let real = ColumnForm(.real, .real)
  static let boolean = ColumnForm(.boolean, .boolean)
  static let binary = ColumnForm(.binary, .binary)
  static let json = ColumnForm(.json, .text)

  /// A time as the layout stores it.
  static func time(_ form: StoredTime) -> ColumnForm { ColumnForm(.timestamp, .time(form)) }
}
