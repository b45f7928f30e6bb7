import Bytes
import Formats
import Records
import Tables

/// The table of one class: its columns by what is in the documents, and how rows become cells.
struct ParseTable {
  let className: String
  private(set) var rowCount = 0
  /// The keys of the objects in their order; nil where they are many.
  private(set) var keys: [Int64]? = []
  /// The fields in the order of their names' bytes, with what their values are.
  private(set) var fields: [Field] = []
  private var places: [[UInt8]: ValueKinds] = [:]
  private let secrets: Set<String>

  struct Field {
    let name: String
    let type: LogicalType
    /// Whether it has no value but null.
    let isUndecided: Bool
  }

  /// How many keys of a class are kept, so that those of very many classes are read one by one.
  private static let mostKeys = 4096
  /// The columns that every class has.
  private static let ownCount = 5

  init(_ className: String) {
    self.className = className
    secrets = ParseLocalDatastore.secrets(of: className)
  }

  /// Takes in an object; secrets make no columns.
  mutating func look(at object: ParseObject) {
    rowCount += 1
    if rowCount <= Self.mostKeys { keys?.append(object.key) } else { keys = nil }
    for member in object.fields.members where !secrets.contains(member.key) {
      places[Array(member.key.utf8), default: []].formUnion(ValueKinds(of: member.value))
    }
  }

  /// Decides about the columns when all objects were looked at.
  mutating func finish() {
    fields = places.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { name, kinds in
      Field(
        name: String(decoding: name, as: UTF8.self), type: kinds.type, isUndecided: kinds.isEmpty)
    }
    places = [:]
  }

  func table(named name: String) -> Table {
    let hasDeleted = fields.contains { $0.name == "deleted" }
    let deleted = hasDeleted ? "isDeletingEventually" : "deleted"
    var columns = [
      Column(name: "objectId", type: .text, role: .id), Column(name: "_uuid", type: .text),
      Column(name: "createdAt", type: .timestamp, role: .createdAt),
      Column(name: "updatedAt", type: .timestamp, role: .updatedAt),
      Column(name: deleted, type: .boolean, role: .deleted),
    ]
    columns += fields.map { field in
      var column = Column(name: field.name, type: field.type)
      column.isUndecided = field.isUndecided
      return column
    }
    columns.claimNames()
    return Table(name: name, sourceName: className, sourceTable: className, columns: columns)
  }

  func append(_ object: ParseObject, to batch: inout RecordBatch) {
    Self.append(object.objectID, or: object.strangeID, column: 0, to: &batch)
    Self.append(object.uuid, or: object.strangeUUID, column: 1, to: &batch)
    if object.body == nil, let text = object.text {
      // A document that is none has no place of its own, and is told here.
      let raw = secrets.isEmpty ? text : .text([])
      let isText = text.isText && !(text.bytes.isEmpty || isValidUTF8(text.bytes.span))
      batch.reject(column: 2, code: isText ? .invalidText : .valueOfWrongType, raw: raw)
    } else {
      appendTime(object.body?["createdAt"], column: 2, to: &batch)
    }
    appendTime(object.body?["updatedAt"], column: 3, to: &batch)
    if let mark = object.strangeMark, !object.isDeleting {
      batch.reject(column: 4, code: .valueOfWrongType, raw: mark)
    } else {
      batch.append(.integer(object.isDeleting ? 1 : 0))
    }
    let stored = StoredTexts(object)
    for (place, field) in fields.enumerated() {
      append(object, field, column: Self.ownCount + place, stored, to: &batch)
    }
    batch.endRow(key: object.key)
  }

  /// Appends a name, or what stands in its place.
  private static func append(
    _ name: String?, or strange: RawValue?, column: Int, to batch: inout RecordBatch
  ) {
    guard let strange else { return batch.append(text: name) }
    batch.reject(
      column: column, code: strange.isText ? .invalidText : .valueOfWrongType, raw: strange)
  }

  private func append(
    _ object: ParseObject, _ field: Field, column: Int, _ stored: StoredTexts,
    to batch: inout RecordBatch
  ) {
    let value = object.fields[field.name]
    switch (field.type, value) {
    case (_, nil), (_, .null?): batch.append(.null)
    case (.text, .string(let text)?): batch.append(text: text)
    case (.boolean, .boolean(let truth)?): batch.append(.integer(truth ? 1 : 0))
    case (.integer, .number(let number)?): batch.append(number.integer.map(Cell.integer) ?? .null)
    case (.real, .number(let number)?):
      guard let real = number.real, number.integer.map({ Int64(exactly: real) == $0 }) ?? true
      else { return reject(value, column, to: &batch) }
      batch.append(.real(real))
    case (.timestamp, .object(let date)?):
      guard case .string(let iso)? = date["iso"] else { return reject(value, column, to: &batch) }
      appendTime(.string(iso), column: column, to: &batch)
    case (.binary, .object(let bytes)?):
      var decoded: [UInt8] = []
      guard case .string(let text)? = bytes["base64"],
        decodeBase64(text.utf8Span.span, into: &decoded)
      else { return reject(value, column, to: &batch) }
      batch.appendBinary(decoded.span)
    default:
      guard let json = stored.json(of: field.name, value) else { return batch.append(.null) }
      batch.appendText(json.span)
    }
  }

  private func appendTime(_ value: JSONValue?, column: Int, to batch: inout RecordBatch) {
    switch value {
    case nil, .null?: batch.append(.null)
    case .string(let text)?:
      guard let time = Timestamp(parsing: text.utf8Span.span) else {
        return reject(value, column, to: &batch)
      }
      batch.appendText { arena in arena.appendTimestamp(time) }
    default: reject(value, column, to: &batch)
    }
  }

  private func reject(_ value: JSONValue?, _ column: Int, to batch: inout RecordBatch) {
    batch.reject(column: column, code: .valueOfWrongType, raw: .text(value?.json ?? []))
  }

  /// The texts of an object's values: as stored where no set has changed them, else compact.
  fileprivate struct StoredTexts {
    private let object: ParseObject

    init(_ object: ParseObject) { self.object = object }

    func json(of name: String, _ value: JSONValue?) -> [UInt8]? {
      if !object.isChanged(name),
        let place = object.body?.members.firstIndex(where: {
          $0.key.utf8.elementsEqual(name.utf8)
        })
      {
        let ranges = object.valueRanges
        if place < ranges.count { return Array(object.bytes[ranges[place]]) }
      }
      return value?.json ?? []
    }
  }
}

extension RawValue {
  /// Whether it is stored as text.
  fileprivate var isText: Bool { if case .text = self { true } else { false } }
}

extension ValueKinds {
  /// The kind of a value; none for null.
  fileprivate init(of value: JSONValue) {
    switch value {
    case .null: self = []
    case .boolean: self = .boolean
    case .number(let number):
      // A number of no type keeps its digits as JSON.
      let isWhole = isWholeNumber(number.text.utf8Span.span)
      self = number.integer != nil ? .integer : isWhole ? .json : .real
    case .string: self = .text
    case .array: self = .json
    case .object(let object):
      switch object["__type"] {
      case .string("Date"): self = .timestamp
      case .string("Bytes"): self = .binary
      default: self = .json
      }
    }
  }
}
