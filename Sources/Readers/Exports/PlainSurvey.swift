import Bytes
import Formats
import Records
import XMLFormat

/// What one pass over a plain file has shown: its columns, their types and its rows.
struct PlainSurvey {
  private var members = PlainColumnNames()
  /// Of each column, the rows that have it, and what its values show.
  private var presence: [ColumnPresence] = []
  private var evidence: [TypeEvidence] = []
  private(set) var rows = 0
  private var keys = RisingKeys()

  /// The columns, in the order in which they were met.
  var names: [String] { members.names }

  /// Whether the file has keys of its own: a column `_pk` whose numbers grow from row to row.
  var hasKey: Bool { names.first == "_pk" && keys.areRising && (rows == 0 || !keys.isEmpty) }

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

  /// How many rows have NULL in a column, counted without the key, and how many do not have it.
  func absence(ofColumn column: Int) -> (nulls: Int, missing: Int) {
    let found = presence[column + leading]
    return (found.nulls, rows - found.rows)
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
        if place == 0 { keys.addNone() }
        continue
      }
      if place == 0 { keys.add(bytes.span.extracting(field.range)) }
      evidence[place].add(bytes.span.extracting(field.range), row: rows, isText: false)
    }
  }

  /// Takes what was seen of the rows that follow; false where that does not tell all about them.
  mutating func add(_ later: PlainSurvey) -> Bool {
    // Keys are only looked at in the first column.
    guard names.first != "_pk" || later.names.first == "_pk" else { return false }
    var following = 0
    for (column, name) in later.members.keys.enumerated() {
      guard let place = place(of: name, following) else { return false }
      add(later, column: column, to: place)
      following = place + 1
    }
    addRows(of: later)
    return true
  }

  /// Takes what was seen of the next page, which may have columns that those before had not; false
  /// where there is no room for them.
  mutating func unite(_ later: PlainSurvey) -> Bool {
    for (column, name) in later.members.keys.enumerated() {
      guard let place = place(of: name, column) else { return false }
      add(later, column: column, to: place)
    }
    addRows(of: later)
    return true
  }

  private mutating func add(_ later: PlainSurvey, column: Int, to place: Int) {
    evidence[place].add(later.evidence[column], after: rows)
    presence[place].add(later.presence[column], after: rows)
  }

  private mutating func addRows(of later: PlainSurvey) {
    rows += later.rows
    if later.rows > 0 { keys.add(later.keys) }
  }

  /// Looks at one row of JSON, whose object was just opened.
  mutating func addObject(_ reader: inout JSONReader) throws(FormatError) {
    rows += 1
    var hasKeyMember = false
    var following = 0
    while let place = try nextMember(&reader, following) {
      guard presence[place].add(row: rows) else { throw reader.unexpected("a member comes twice") }
      following = place + 1
      if try addValue(&reader, at: place), place == 0 { hasKeyMember = true }
    }
    if !hasKeyMember { keys.addNone() }
  }

  /// The place of the next member; nil behind the last.
  private mutating func nextMember(
    _ reader: inout JSONReader, _ following: Int
  ) throws(FormatError) -> Int? {
    if reader.takeKey(following, of: members.spelledKeys) { return following }
    guard try reader.next() == .key else { return nil }
    guard let place = place(of: reader.text, following) else {
      throw reader.unexpected("the rows have too many different members")
    }
    return place
  }

  /// The place of a column, which most often is the one that follows; nil when there is no room.
  private mutating func place(of name: [UInt8], _ following: Int) -> Int? {
    if let place = members.place(of: name, following) { return place }
    return add(name: name) ? names.count - 1 : nil
  }

  /// Takes the value of a member; false where it can be no key.
  private mutating func addValue(
    _ reader: inout JSONReader, at place: Int
  ) throws(FormatError) -> Bool {
    guard let token = try reader.next() else { throw reader.unexpected("a value is missing") }
    switch token {
    case .null:
      presence[place].nulls += 1
      return false
    case .boolean(let value):
      let text = Array((value ? "true" : "false").utf8)
      evidence[place].add(text.span, row: rows, isText: false)
      return false
    case .string:
      reader.withText { evidence[place].add($0, row: rows, isText: true) }
      return false
    case .number:
      reader.withText { text in
        if place == 0 { keys.add(text) }
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
    guard members.add(name) else { return false }
    presence.append(ColumnPresence())
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
      guard presence[place].add(row: rows) else {
        throw cell.error("a column comes twice in a row")
      }
      following = place + 1
      guard !cell.isNull else {
        presence[place].nulls += 1
        return
      }
      if place == 0 {
        keys.add(cell.text.span)
        hasKeyCell = true
      }
      evidence[place].add(cell.text.span, row: rows, isText: false)
    }
    if !hasKeyCell { keys.addNone() }
  }
}

/// In how many rows a column was met.
private struct ColumnPresence {
  private var lastRow = 0
  private(set) var rows = 0
  /// In how many of them it is NULL.
  var nulls = 0

  /// Takes a row; false where it had the column before.
  @inline(__always)
  mutating func add(row: Int) -> Bool {
    guard lastRow != row else { return false }
    lastRow = row
    rows &+= 1
    return true
  }

  /// Takes the rows that follow `count` others.
  mutating func add(_ later: ColumnPresence, after count: Int) {
    rows += later.rows
    nulls += later.nulls
    if later.lastRow > 0 { lastRow = later.lastRow + count }
  }
}
