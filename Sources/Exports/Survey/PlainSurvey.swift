import Records

/// What one pass over a plain file has shown: its columns, their types and its rows.
package struct PlainSurvey {
  private(set) var members = PlainColumnNames()
  private var presence: [ColumnPresence] = []
  private var evidence: [TypeEvidence] = []
  private let inference: InferenceRule
  /// The places of columns that the header gives no name.
  var unnamed: Set<Int> = []
  package private(set) var rows = 0
  /// How many rows of other tables of the file stand before its first one, or any where it has none.
  var rowsBefore = Int.max
  /// How many lines of CSV or NDJSON said nothing.
  var blankLines = 0
  /// How many fields of CSV were formulas of a text.
  var formulas = 0
  /// What backslashes mean, where the beginning of the file did not settle it.
  var backslashes = BackslashLook()
  private var rowKeys = RisingKeys()
  /// Whether it is of several pages, which bring no column that is to be left out.
  private let isUnited: Bool

  /// The columns, in the order in which they were met, but for those at the end of a file that have
  /// neither a name nor a value.
  var names: [String] {
    var count = members.names.count
    while !isUnited, count > 1, isNothing(count - 1) { count -= 1 }
    return Array(members.names.prefix(count))
  }

  /// The columns to which the header gives no name.
  var unnamedColumns: [String] {
    let names = names
    return unnamed.sorted().filter { $0 < names.count }.map { names[$0] }
  }

  private func isNothing(_ place: Int) -> Bool {
    unnamed.contains(place) && !evidence[place].hasValue
  }

  /// The columns, counted without the key, that have neither a name nor a value, wherever they stand.
  var emptyPlaces: [Int] { keys.indices.filter(isNothing).map { $0 - leading } }

  /// Whether the file has keys of its own: a column `_pk` whose numbers grow from row to row.
  var hasKey: Bool {
    members.names.first == "_pk" && rowKeys.areRising && (rows == 0 || !rowKeys.isEmpty)
  }

  /// Whether the file has neither rows nor columns.
  var isEmpty: Bool { rows == 0 && members.names.isEmpty }

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
    let names = names
    let claimed = CatalogueNames.columns(Array(names.dropFirst(leading)))
    return names.indices.dropFirst(leading).map { place in
      var column = Column(
        name: claimed[place - leading], sourceName: names[place], type: evidence[place].type)
      column.isUndecided = !evidence[place].hasValue
      return column
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

  /// What the values of a column are that a type spells otherwise; nil where it does not.
  func respelling(ofColumn column: Int, as type: LogicalType) -> String? {
    evidence[column + leading].respelling(as: type)
  }

  /// What the values of a column, counted without the key, are that can only be texts and are none in
  /// the file; nil where none is.
  func textsMade(ofColumn column: Int) -> String? { evidence[column + leading].becomeTexts }

  /// What form all texts of a column, counted without the key, have that a person can have read as
  /// numbers or times; nil where they have none.
  func offer(ofColumn column: Int, called name: String, besidePoints: Bool) -> String? {
    evidence[column + leading].offer(for: name, besidePoints: besidePoints)
  }

  /// Whether a column has numbers with points before their fractions.
  var hasPoints: Bool { evidence.dropFirst(leading).contains(where: \.hasPoints) }

  /// Lets no type change the spelling of the values of a column, counted without the key.
  mutating func keepSpelling(ofColumn column: Int) { evidence[column + leading].keepSpelling() }

  /// Whether all that decides how rows are read and told is as it was expected.
  func bearsOut(_ expected: PlainSurvey) -> Bool {
    keys == expected.keys && leading == expected.leading && blankLines == expected.blankLines
      && backslashes.isDoubtful == expected.backslashes.isDoubtful && types == expected.types
  }

  private var types: [LogicalType] { evidence.prefix(names.count).map(\.type) }

  /// Has seen nothing yet.
  init(_ inference: InferenceRule) {
    self.inference = inference
    isUnited = false
  }

  /// Has seen nothing yet, and unites pages, of which it takes types as the first one does.
  init(unitingLike first: PlainSurvey) {
    inference = first.inference
    isUnited = true
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

  /// Takes what was seen of the next page, which may have columns that those before had not; `keys` is
  /// what tells its columns without the key from others here, and nil for those that are left out.
  ///
  /// - Returns: false where there is no room for them.
  mutating func unite(_ later: PlainSurvey, as keys: [[UInt8]?]) -> Bool {
    let leading = later.members.keys.prefix(later.leading)
    for case (let column, let name?) in (leading.map(Optional.some) + keys).enumerated() {
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
    backslashes.add(later.backslashes)
    if later.rows > 0 { rowKeys.add(later.rowKeys) }
  }

  /// Begins the next row.
  mutating func beginRow() { rows += 1 }

  /// Takes what the first column has in this row.
  mutating func addKey(_ value: Span<UInt8>) { rowKeys.add(value) }

  /// Takes that the first column has nothing in this row that could be a key.
  mutating func addNoKey() { rowKeys.addNone() }

  /// Takes that the row has a column; false where it had it before.
  @inline(__always)
  mutating func meet(_ place: Int) -> Bool { presence[place].add(row: rows) }

  /// Takes NULL as the value of a column.
  mutating func addNull(at place: Int) { presence[place].nulls += 1 }

  /// Takes the value of a column; `isText` says that the format itself calls it a text.
  @inline(__always)
  mutating func add(
    _ value: Span<UInt8>, at place: Int, isText: Bool, isContainer: Bool = false
  ) {
    evidence[place].add(value, row: rows, isText: isText, isContainer: isContainer)
  }

  /// The place of a column, which most often is the one that follows; nil when there is no room.
  mutating func place(of name: [UInt8], _ following: Int) -> Int? {
    if let place = members.place(of: name, following) { return place }
    return add(name: name) ? members.names.count - 1 : nil
  }

  /// Adds a column; false where it is there already, or there is no room.
  mutating func add(name: [UInt8]) -> Bool {
    guard members.add(name) else { return false }
    presence.append(ColumnPresence())
    evidence.append(TypeEvidence(inference))
    return true
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
