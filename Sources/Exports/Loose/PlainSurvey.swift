import Formats
import Records
import XMLFormat

/// What one pass over a plain file has shown: its columns, their types and its rows.
package struct PlainSurvey {
  private var members = PlainColumnNames()
  private var presence: [ColumnPresence] = []
  private var evidence: [TypeEvidence] = []
  private let inference: InferenceRule
  /// The places of columns that the header gives no name.
  private var unnamed: Set<Int> = []
  package private(set) var rows = 0
  /// How many rows of other tables of the file stand before its first one, or any where it has none.
  var rowsBefore = Int.max
  /// How many lines of CSV or NDJSON said nothing.
  var blankLines = 0
  /// How many fields of CSV were formulas of a text.
  private(set) var formulas = 0
  /// Whether a field without quotes is `\N`, which text of `COPY` has for no value.
  private(set) var hasEscapedNull = false
  private var rowKeys = RisingKeys()

  /// The columns, in the order in which they were met, but for those at the end that have neither a
  /// name nor a value.
  var names: [String] {
    var count = members.names.count
    while count > 1, isNothing(count - 1) { count -= 1 }
    return Array(members.names.prefix(count))
  }

  /// The columns to which the header gives no name, and that have values.
  var unnamedColumns: [String] {
    unnamed.sorted().filter { !isNothing($0) }.map { members.names[$0] }
  }

  private func isNothing(_ place: Int) -> Bool {
    unnamed.contains(place) && !evidence[place].hasValue
  }

  /// Whether the file has keys of its own: a column `_pk` whose numbers grow from row to row.
  var hasKey: Bool {
    members.names.first == "_pk" && rowKeys.areRising && (rows == 0 || !rowKeys.isEmpty)
  }

  /// How many columns stand before those of the table: the key, and why a row was rejected.
  var leading: Int {
    guard hasKey else { return 0 }
    let names = members.names
    return names.count > 1 && names[1] == RejectColumn.name ? 2 : 1
  }

  /// The names of the columns without the key, as bytes.
  var keys: ArraySlice<[UInt8]> { members.keys.prefix(names.count).dropFirst(leading) }

  /// The columns without the key.
  var columns: [Column] {
    var claimed = CatalogueNames()
    let names = names
    return names.indices.dropFirst(leading).map { place in
      Column(
        name: claimed.claimColumn(names[place]), sourceName: names[place],
        type: evidence[place].type)
    }
  }

  /// The type of a column, counted without the key.
  func type(ofColumn column: Int) -> LogicalType { evidence[column + leading].type }

  /// Why a column, counted without the key, has its type.
  func reason(ofColumn column: Int) -> String { evidence[column + leading].reason }

  /// How many rows have NULL in a column, counted without the key, and how many do not have it.
  func absence(ofColumn column: Int) -> (nulls: Int, missing: Int) {
    let found = presence[column + leading]
    return (found.nulls, rows - found.rows)
  }

  /// What the values of a column are that its type spells otherwise; nil where it does not.
  func respelling(ofColumn column: Int) -> String? { evidence[column + leading].respelling }

  /// Lets no type change the spelling of the values of a column, counted without the key.
  mutating func keepSpelling(ofColumn column: Int) { evidence[column + leading].keepSpelling() }

  /// Whether all that decides how rows are read and told is as it was expected.
  func bearsOut(_ expected: PlainSurvey) -> Bool {
    keys == expected.keys && leading == expected.leading && blankLines == expected.blankLines
      && hasEscapedNull == expected.hasEscapedNull && types == expected.types
  }

  private var types: [LogicalType] { evidence.prefix(names.count).map(\.type) }

  /// Has seen nothing yet.
  init(_ inference: InferenceRule) {
    self.inference = inference
  }

  /// Looks at all records of a CSV file.
  init(csv reader: consuming CSVReader, _ inference: InferenceRule) throws(FormatError) {
    var reader = reader
    try self.init(columnsOf: &reader, inference)
    if !reader.hasHeader { add(reader) }
    try addRecords(of: &reader)
  }

  /// Takes the columns of a CSV file from its first record, which is its header or else a row.
  init(columnsOf reader: inout CSVReader, _ inference: InferenceRule) throws(FormatError) {
    self.inference = inference
    guard try reader.next() else {
      throw FormatError(
        .truncated, at: 0, "there is no header, and no line of text to take for one")
    }
    let given = reader.fields.map { field in
      reader.hasHeader ? Array(reader.bytes[field.range]) : []
    }
    let taken = Set(given)
    for (place, name) in given.enumerated() {
      var name = name
      if name.isEmpty {
        name = Array("column\(place + 1)".utf8)
        while taken.contains(name) { name.append(UInt8(ascii: "_")) }
        if reader.hasHeader { unnamed.insert(place) }
      }
      guard add(name: name) else {
        guard given[..<place].contains(name) else {
          throw reader.recordError(
            "there are more than \(PlainColumnNames.limit) columns",
            advice: "a store has no room for more; leave columns out of the file")
        }
        throw reader.recordError(
          "the column \(String(decoding: name, as: UTF8.self)) comes twice",
          advice: "give each column a name of its own, or say --no-header")
      }
    }
  }

  /// Looks at the records that follow.
  mutating func addRecords(of reader: inout CSVReader) throws(FormatError) {
    while try reader.next() { add(reader) }
    addCounts(of: reader)
  }

  /// Takes what was counted in a file or piece that was read to its end.
  mutating func addCounts(of reader: CSVReader) {
    blankLines += reader.blankLines
    formulas += reader.formulas
  }

  /// Looks at the record that was read last.
  mutating func add(_ reader: CSVReader) {
    rows += 1
    let bytes = reader.bytes
    for (place, field) in reader.fields.enumerated() {
      guard !field.isNull else {
        if place == 0 { rowKeys.addNone() }
        continue
      }
      if place == 0 { rowKeys.add(bytes.span.extracting(field.range)) }
      evidence[place].add(bytes.span.extracting(field.range), row: rows, isText: false)
      guard field.range.count == 2, bytes[field.range.lowerBound] == UInt8(ascii: "\\"),
        bytes[field.range.lowerBound + 1] == UInt8(ascii: "N"), !field.isQuoted
      else { continue }
      hasEscapedNull = true
    }
  }

  /// Takes what was seen of the rows that follow; false where that does not tell all about them.
  package mutating func add(_ later: PlainSurvey) -> Bool {
    // Keys are only looked at in the first column.
    let key = members.names.first == "_pk"
    guard !key || later.members.names.first == "_pk" else { return false }
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
    let count = names.count
    if count < members.names.count {
      // Columns that are nothing at the end of one page do not stand before those of the next.
      var own = PlainSurvey(inference)
      guard own.unite(self, columns: count) else { return false }
      self = own
    }
    return unite(later, columns: later.names.count)
  }

  private mutating func unite(_ later: PlainSurvey, columns: Int) -> Bool {
    for (column, name) in later.members.keys.prefix(columns).enumerated() {
      let known = members.names.count
      guard let place = place(of: name, column) else { return false }
      if !later.unnamed.contains(column) {
        unnamed.remove(place)
      } else if place == known {
        unnamed.insert(place)
      }
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
    blankLines += later.blankLines
    formulas += later.formulas
    hasEscapedNull = hasEscapedNull || later.hasEscapedNull
    if later.rows > 0 { rowKeys.add(later.rowKeys) }
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
    if !hasKeyMember { rowKeys.addNone() }
  }

  /// Looks at a row of JSON that was read: `order` tells which cells follow each other.
  ///
  /// - Returns: false where there is no room for its columns.
  mutating func addRow(
    _ cells: [JSONCell], named names: [[UInt8]], _ order: [Int], _ text: [UInt8]
  ) -> Bool {
    rows += 1
    var hasKeyMember = false
    var following = 0
    for number in order {
      guard let place = place(of: names[number], following) else { return false }
      following = place + 1
      _ = presence[place].add(row: rows)
      let cell = cells[number]
      guard let range = cell.range else {
        presence[place].nulls += 1
        continue
      }
      let value = text.span.extracting(range)
      if place == 0, cell.isNumber {
        hasKeyMember = true
        rowKeys.add(value)
      }
      evidence[place].add(value, row: rows, isText: cell.isString, isContainer: cell.isContainer)
    }
    if !hasKeyMember { rowKeys.addNone() }
    return true
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
    return add(name: name) ? members.names.count - 1 : nil
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
        if place == 0 { rowKeys.add(text) }
        evidence[place].add(text, row: rows, isText: false)
      }
      return true
    default:
      var text: [UInt8] = []
      try reader.appendValue(from: token, to: &text)
      if rows == 1, members.names[place] == "rehome", ExportKind.isMark(text[...]) {
        throw reader.unexpected(
          "the member rehome is that of an export, in which it is the first of all")
      }
      evidence[place].add(text.span, row: rows, isText: false, isContainer: true)
      return false
    }
  }

  /// Adds a column; false where it is there already, or there is no room.
  private mutating func add(name: [UInt8]) -> Bool {
    guard members.add(name) else { return false }
    presence.append(ColumnPresence())
    evidence.append(TypeEvidence(inference))
    return true
  }

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
        rowKeys.add(cell.text.span)
        hasKeyCell = true
      }
      evidence[place].add(cell.text.span, row: rows, isText: false)
    }
    if !hasKeyCell { rowKeys.addNone() }
  }
}

/// In how many rows a column was met.
private struct ColumnPresence {
  private var lastRow = 0
  private(set) var rows = 0
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
