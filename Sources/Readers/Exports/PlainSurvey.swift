import Bytes
import Formats
import Records

/// What one pass over a plain file has shown: its columns, their types and its rows.
struct PlainSurvey {
  private(set) var names: [String] = []
  private var places: [[UInt8]: Int] = [:]
  private var evidence: [TypeEvidence] = []
  private(set) var rows = 0
  private var lastKey: Int64?
  private var areKeysOrdered = true

  /// SQLite takes two thousand columns, and one is the key.
  private static let maxColumns = 1998

  /// Whether the file has keys of its own: a column `_pk` whose numbers grow from row to row.
  var hasKey: Bool { names.first == "_pk" && areKeysOrdered && (rows == 0 || lastKey != nil) }

  /// The columns without the key.
  var columns: [Column] {
    var claimed = CatalogueNames()
    return names.indices.dropFirst(hasKey ? 1 : 0).map { place in
      var column = Column(
        name: claimed.claimColumn(names[place]), sourceName: names[place],
        type: evidence[place].type)
      if names.contains("id") { column.role = Self.role(of: column) }
      return column
    }
  }

  private static func role(of column: Column) -> ColumnRole {
    switch (column.name, column.type) {
    case ("id", _): .id
    case ("version", .text): .version
    case ("createdAt", .timestamp): .createdAt
    case ("updatedAt", .timestamp): .updatedAt
    case ("deleted", .boolean): .deleted
    default: .value
    }
  }

  /// Looks at all records of a CSV file.
  init(csv path: String, _ stream: ByteStream) throws(StoreError) {
    do {
      try read(CSVReader(stream))
    } catch {
      throw StoreError(error, in: path)
    }
  }

  private mutating func read(_ csv: consuming CSVReader) throws(FormatError) {
    var reader = csv
    guard try reader.next() else { throw FormatError(.truncated, at: 0, "there is no header") }
    for field in reader.fields {
      guard add(name: Array(reader.bytes[field.range])) else {
        throw reader.recordError("a column comes twice, or there are too many")
      }
    }
    while try reader.next() { add(reader) }
  }

  private mutating func add(_ reader: CSVReader) {
    rows += 1
    let bytes = reader.bytes
    for (place, field) in reader.fields.enumerated() {
      guard !field.range.isEmpty || field.isQuoted else {
        if place == 0 { areKeysOrdered = false }
        continue
      }
      if place == 0 { addKey(bytes.span.extracting(field.range)) }
      evidence[place].add(bytes.span.extracting(field.range), isText: false)
    }
  }

  private mutating func addKey(_ text: Span<UInt8>) {
    guard areKeysOrdered else { return }
    guard isJSONInteger(text), let key = parseDecimal(text), lastKey.map({ $0 < key }) ?? true
    else {
      areKeysOrdered = false
      return
    }
    lastKey = key
  }

  /// Looks at all objects of a JSON array or of NDJSON.
  init(_ tokens: JSONTokens, isArray: Bool) throws(StoreError) {
    if isArray { try tokens.expect(.beginArray, "the array of the rows") }
    while let token = try tokens.next(), token != .endArray {
      guard token == .beginObject else { throw tokens.unexpected("a row must be an object") }
      try addObject(tokens)
    }
    if isArray { try tokens.expectEnd() }
  }

  private mutating func addObject(_ tokens: JSONTokens) throws(StoreError) {
    rows += 1
    var hasKeyMember = false
    var seen = Set<Int>()
    while try tokens.next() == .key {
      let name = tokens.text
      if places[name] == nil, !add(name: name) {
        throw tokens.unexpected("the rows have too many different members")
      }
      guard let place = places[name], seen.insert(place).inserted else {
        throw tokens.unexpected("a member comes twice")
      }
      if try addValue(tokens, at: place), place == 0 { hasKeyMember = true }
    }
    if !hasKeyMember { areKeysOrdered = false }
  }

  /// Takes the value of a member; false where it can be no key.
  private mutating func addValue(
    _ tokens: JSONTokens, at place: Int
  ) throws(StoreError) -> Bool {
    guard let token = try tokens.next() else { throw tokens.unexpected("a value is missing") }
    switch token {
    case .null: return false
    case .boolean(let value):
      let text = Array((value ? "true" : "false").utf8)
      evidence[place].add(text.span, isText: false)
      return false
    case .string:
      let text = tokens.text
      evidence[place].add(text.span, isText: true)
      return false
    case .number:
      let text = tokens.text
      if place == 0 { addKey(text.span) }
      evidence[place].add(text.span, isText: false)
      return true
    default:
      var text: [UInt8] = []
      try tokens.appendValue(from: token, to: &text)
      evidence[place].add(text.span, isText: false, isContainer: true)
      return false
    }
  }

  /// Adds a column; false where it is there already, or there is no room.
  private mutating func add(name: [UInt8]) -> Bool {
    guard places[name] == nil, names.count <= Self.maxColumns else { return false }
    places[name] = names.count
    names.append(String(decoding: name, as: UTF8.self))
    evidence.append(TypeEvidence())
    return true
  }
}
