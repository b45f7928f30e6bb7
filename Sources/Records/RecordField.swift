package import Bytes

/// A value of a record's field, on its way to or from a column.
package enum FieldValue: Sendable {
  case null
  case integer(Int64)
  case text(String)
  /// The bytes of a text.
  case utf8([UInt8])
  /// A value of whatever class its store gave it.
  case raw(RawValue)

  /// A text, or null where there is none.
  package init(_ text: String?) { self = text.map(Self.text) ?? .null }

  /// The text; nil where it is none.
  package var text: String? {
    switch self {
    case .text(let text): text
    case .utf8(let bytes): String(decoding: bytes, as: UTF8.self)
    case .null, .integer, .raw: nil
    }
  }

  /// The number; nil where it is none.
  package var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  fileprivate var utf8: [UInt8]? {
    switch self {
    case .text(let text): Array(text.utf8)
    case .utf8(let bytes): bytes
    case .null, .integer, .raw: nil
    }
  }

  fileprivate var raw: RawValue? {
    if case .raw(let value) = self { value } else { nil }
  }
}

/// A field of a record, which is a column where records are rows.
///
/// Exports and the canonical store are written and read by the same fields, so that none is
/// forgotten on either side.
package struct RecordField<Record>: Sendable {
  /// The name of the column.
  package let name: String
  /// What its values mean; nil where a value may be of any class.
  package let type: LogicalType?
  /// Whether every record has a value.
  package private(set) var isRequired: Bool
  /// Gives the value of a record.
  package let value: @Sendable (Record) -> FieldValue
  /// Takes a value that was read into a record, which keeps its own where this one says nothing.
  package let take: @Sendable (FieldValue, inout Record) -> Void

  /// A field; columns that are required are never null.
  package init(
    _ name: String, _ type: LogicalType? = .text, isRequired: Bool = false,
    value: @escaping @Sendable (Record) -> FieldValue,
    take: @escaping @Sendable (FieldValue, inout Record) -> Void
  ) {
    self.name = name
    self.type = type
    self.isRequired = isRequired
    self.value = value
    self.take = take
  }

  /// The field, of which every record that is written has a value.
  package var required: Self {
    var field = self
    field.isRequired = true
    return field
  }

  /// The field as one of a record that has this one inside.
  package func within<Outer>(
    _ path: any WritableKeyPath<Outer, Record> & Sendable
  ) -> RecordField<Outer> {
    RecordField<Outer>(
      name, type, isRequired: isRequired, value: { value($0[keyPath: path]) },
      take: { take($0, &$1[keyPath: path]) })
  }
}

extension RecordField {
  /// A text.
  package static func text(
    _ name: String, _ path: any WritableKeyPath<Record, String?> & Sendable,
    _ type: LogicalType = .text
  ) -> Self {
    Self(
      name, type, value: { FieldValue($0[keyPath: path]) }, take: { $1[keyPath: path] = $0.text })
  }

  /// A text that is always there.
  package static func text(
    _ name: String, _ path: any WritableKeyPath<Record, String> & Sendable
  ) -> Self {
    Self(
      name, isRequired: true, value: { .text($0[keyPath: path]) },
      take: { value, record in
        if let text = value.text { record[keyPath: path] = text }
      })
  }

  /// A whole number.
  package static func integer(
    _ name: String, _ path: any WritableKeyPath<Record, Int64?> & Sendable
  ) -> Self {
    Self(
      name, .integer, value: { $0[keyPath: path].map(FieldValue.integer) ?? .null },
      take: { $1[keyPath: path] = $0.integer })
  }

  /// A whole number that is always there.
  package static func integer<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Record, Number> & Sendable
  ) -> Self {
    Self(
      name, .integer, isRequired: true, value: { .integer(Int64(clamping: $0[keyPath: path])) },
      take: { value, record in
        if let number = value.integer { record[keyPath: path] = Number(clamping: number) }
      })
  }

  /// A time, which counts as the beginning where it cannot be read.
  package static func time(
    _ name: String, _ path: any WritableKeyPath<Record, Timestamp> & Sendable
  ) -> Self {
    Self(
      name, .timestamp, isRequired: true, value: { .text($0[keyPath: path].text) },
      take: { value, record in
        let time = value.text.flatMap { Timestamp(parsing: $0.utf8Span.span) }
        record[keyPath: path] = time ?? .epoch
      })
  }

  /// The bytes of a JSON text.
  package static func json(
    _ name: String, _ path: any WritableKeyPath<Record, [UInt8]?> & Sendable
  ) -> Self {
    Self(
      name, .json, value: { $0[keyPath: path].map(FieldValue.utf8) ?? .null },
      take: { $1[keyPath: path] = $0.utf8 })
  }

  /// A value of any class; text that is not UTF-8 counts as a blob.
  package static func raw(
    _ name: String, _ path: any WritableKeyPath<Record, RawValue?> & Sendable
  ) -> Self {
    Self(
      name, nil, value: { $0[keyPath: path].map { .raw($0.asStored) } ?? .null },
      take: { $1[keyPath: path] = $0.raw })
  }

  /// One of several words; another one is not known.
  package static func word<Word: RawRepresentable<String> & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Record, Word?> & Sendable
  ) -> Self {
    Self(
      name, value: { FieldValue($0[keyPath: path]?.rawValue) },
      take: { $1[keyPath: path] = $0.text.flatMap(Word.init(rawValue:)) })
  }

  /// One of several words, which is always there.
  package static func word<Word: RawRepresentable<String> & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Record, Word> & Sendable
  ) -> Self {
    Self(
      name, isRequired: true, value: { .text($0[keyPath: path].rawValue) },
      take: { value, record in
        if let word = value.text.flatMap(Word.init(rawValue:)) { record[keyPath: path] = word }
      })
  }
}
