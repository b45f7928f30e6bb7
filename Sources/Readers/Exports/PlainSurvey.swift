import Bytes
import Formats
import Records
import XMLFormat

/// What one pass over a plain file has shown: its columns, their types and its rows.
struct PlainSurvey {
  private(set) var names: [String] = []
  private var places: [[UInt8]: Int] = [:]
  /// The names once more, as bytes, and the last row that has each.
  private var keys: [[UInt8]] = []
  private var spelledKeys = SpelledKeys()
  private var lastRows: [Int] = []
  private var evidence: [TypeEvidence] = []
  private(set) var rows = 0
  private var firstKey: Int64?
  private var lastKey: Int64?
  private var areKeysOrdered = true

  /// SQLite takes two thousand columns, and one is the key.
  private static let maxColumns = 1998

  /// Whether the file has keys of its own: a column `_pk` whose numbers grow from row to row.
  var hasKey: Bool { names.first == "_pk" && areKeysOrdered && (rows == 0 || lastKey != nil) }

  /// How many columns stand before those of the table: the key, and why a row was rejected.
  var leading: Int {
    guard hasKey else { return 0 }
    return names.count > 1 && names[1] == RejectColumn.name ? 2 : 1
  }

  /// The columns without the key.
  var columns: [Column] {
    var claimed = CatalogueNames()
    return names.indices.dropFirst(leading).map { place in
      var column = Column(
        name: claimed.claimColumn(names[place]), sourceName: names[place],
        type: evidence[place].type)
      if names.contains("id") { column.role = Self.role(of: column) }
      return column
    }
  }

  /// Why a column, counted without the key, has its type.
  func reason(ofColumn column: Int) -> String { evidence[column + leading].reason }

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

  /// Has seen nothing yet.
  init() {}

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
    self = try PlainSurvey(headerOf: &reader)
    try addRecords(of: &reader)
  }

  /// Takes the columns of a CSV file from its header.
  init(headerOf reader: inout CSVReader) throws(FormatError) {
    guard try reader.next() else { throw FormatError(.truncated, at: 0, "there is no header") }
    for field in reader.fields {
      guard add(name: Array(reader.bytes[field.range])) else {
        throw reader.recordError("a column comes twice, or there are too many")
      }
    }
  }

  /// Looks at the records that follow.
  mutating func addRecords(of reader: inout CSVReader) throws(FormatError) {
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
      evidence[place].add(bytes.span.extracting(field.range), row: rows, isText: false)
    }
  }

  private mutating func addKey(_ text: Span<UInt8>) {
    guard areKeysOrdered else { return }
    guard isJSONInteger(text), let key = parseDecimal(text), lastKey.map({ $0 < key }) ?? true
    else {
      areKeysOrdered = false
      return
    }
    firstKey = firstKey ?? key
    lastKey = key
  }

  /// Takes what was seen of the rows that follow; false where that does not tell all about them.
  mutating func add(_ later: PlainSurvey) -> Bool {
    // Keys are only looked at in the first column.
    guard names.first != "_pk" || later.names.first == "_pk" else { return false }
    var following = 0
    for (column, name) in later.keys.enumerated() {
      guard let place = place(of: name, following) else { return false }
      evidence[place].add(later.evidence[column], after: rows)
      following = place + 1
    }
    rows += later.rows
    guard areKeysOrdered, later.rows > 0 else { return true }
    let isOrdered = later.firstKey.map { key in lastKey.map { $0 < key } ?? true } ?? false
    areKeysOrdered = later.areKeysOrdered && isOrdered
    lastKey = later.lastKey
    return true
  }

  /// Looks at all objects of a JSON array or of NDJSON.
  init(_ tokens: JSONTokens, isArray: Bool) throws(StoreError) {
    if isArray { try tokens.expect(.beginArray, "the array of the rows") }
    try tokens.withReader { (reader) throws(FormatError) in try read(&reader) }
    if isArray { try tokens.expectEnd() }
  }

  private mutating func read(_ reader: inout JSONReader) throws(FormatError) {
    while let token = try reader.next(), token != .endArray {
      guard token == .beginObject else { throw reader.unexpected("a row must be an object") }
      try addObject(&reader)
    }
  }

  private mutating func addObject(_ reader: inout JSONReader) throws(FormatError) {
    rows += 1
    var hasKeyMember = false
    var following = 0
    while let place = try nextMember(&reader, following) {
      guard lastRows[place] != rows else { throw reader.unexpected("a member comes twice") }
      lastRows[place] = rows
      following = place + 1
      if try addValue(&reader, at: place), place == 0 { hasKeyMember = true }
    }
    if !hasKeyMember { areKeysOrdered = false }
  }

  /// The place of the next member; nil behind the last.
  private mutating func nextMember(
    _ reader: inout JSONReader, _ following: Int
  ) throws(FormatError) -> Int? {
    if reader.takeKey(following, of: spelledKeys) { return following }
    guard try reader.next() == .key else { return nil }
    guard let place = place(of: reader.text, following) else {
      throw reader.unexpected("the rows have too many different members")
    }
    return place
  }

  /// The place of a member, which most often is the one that follows; nil when there is no room.
  private mutating func place(of name: [UInt8], _ following: Int) -> Int? {
    if following < keys.count, keys[following] == name { return following }
    if let place = places[name] { return place }
    return add(name: name) ? names.count - 1 : nil
  }

  /// Takes the value of a member; false where it can be no key.
  private mutating func addValue(
    _ reader: inout JSONReader, at place: Int
  ) throws(FormatError) -> Bool {
    guard let token = try reader.next() else { throw reader.unexpected("a value is missing") }
    switch token {
    case .null: return false
    case .boolean(let value):
      let text = Array((value ? "true" : "false").utf8)
      evidence[place].add(text.span, row: rows, isText: false)
      return false
    case .string:
      reader.withText { evidence[place].add($0, row: rows, isText: true) }
      return false
    case .number:
      reader.withText { text in
        if place == 0 { addKey(text) }
        evidence[place].add(text, row: rows, isText: false)
      }
      return true
    case .beginObject where rows == 1 && names[place] == "rehome":
      throw reader.unexpected(
        "the member rehome is that of an export, in which it is the first of all")
    default:
      var text: [UInt8] = []
      try reader.appendValue(from: token, to: &text)
      evidence[place].add(text.span, row: rows, isText: false, isContainer: true)
      return false
    }
  }

  /// Adds a column; false where it is there already, or there is no room.
  private mutating func add(name: [UInt8]) -> Bool {
    guard places[name] == nil, names.count <= Self.maxColumns else { return false }
    places[name] = names.count
    keys.append(name)
    spelledKeys.append(name)
    lastRows.append(0)
    names.append(String(decoding: name, as: UTF8.self))
    evidence.append(TypeEvidence())
    return true
  }

  /// Looks at one row of plain XML.
  mutating func addRow(
    _ walk: inout PlainXMLWalk, _ reader: inout XMLReader
  ) throws(XMLError) {
    rows += 1
    var hasKeyCell = false
    var following = 0
    try walk.readCells(&reader) { (cell) throws(XMLError) in
      guard let place = place(of: cell.name, following) else {
        throw cell.error("the rows have too many different columns")
      }
      guard lastRows[place] != rows else { throw cell.error("a column comes twice in a row") }
      lastRows[place] = rows
      following = place + 1
      guard !cell.isNull else { return }
      if place == 0 {
        addKey(cell.text.span)
        hasKeyCell = true
      }
      evidence[place].add(cell.text.span, row: rows, isText: false)
    }
    if !hasKeyCell { areKeysOrdered = false }
  }
}
