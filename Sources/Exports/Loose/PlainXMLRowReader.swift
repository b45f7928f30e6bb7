import Bytes
import Records
import XMLFormat

/// A place in a plain XML file of several tables.
typealias PlainXMLPlace = FilePlace<XMLTokens, PlainXMLWalk>

/// Reads those rows of plain XML that have one name, and passes over all others.
final class PlainXMLRowReader: ExportRows {
  private let tokens: XMLTokens
  private var parser: PlainXMLRowParser
  private let place: PlainXMLPlace?

  /// Reads the rows of a table, behind the last of which the walk is left at `place`.
  init(
    _ tokens: XMLTokens, _ walk: PlainXMLWalk, _ own: OwnRows<[UInt8]>, _ cells: PlainXMLCells,
    place: PlainXMLPlace?
  ) {
    self.tokens = tokens
    self.place = place
    parser = PlainXMLRowParser(walk, own, cells)
  }

  var position: String { tokens.position }

  func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool {
    let hasMore = try tokens.withReader { (reader) throws(XMLError) in
      try parser.fill(&batch, from: &reader)
    }
    if !hasMore {
      place?.leave(.init(tokens: tokens, walk: parser.walk, rows: parser.own.met))
    }
    return hasMore
  }

  /// Turns the elements of rows into rows.
  fileprivate struct PlainXMLRowParser {
    /// Which rows of the walk are the table's.
    private(set) var own: OwnRows<[UInt8]>
    private(set) var walk: PlainXMLWalk
    private var cells: PlainXMLCells

    init(_ walk: PlainXMLWalk, _ own: OwnRows<[UInt8]>, _ cells: PlainXMLCells) {
      self.walk = walk
      self.own = own
      self.cells = cells
    }

    mutating func fill(
      _ batch: inout RecordBatch, from reader: inout XMLReader
    ) throws(XMLError) -> Bool {
      while !batch.isFull {
        guard own.rest > 0, let found = try walk.nextRow(&reader) else { return false }
        guard own.take(found) else {
          try reader.skipElement()
          continue
        }
        try readRow(&reader)
        guard cells.appendRow(to: &batch) else { throw reader.unexpected(PlainXMLCells.keyless) }
      }
      return true
    }

    private mutating func readRow(_ reader: inout XMLReader) throws(XMLError) {
      cells.begin()
      var following = 0
      try walk.readCells(&reader) { (cell) throws(XMLError) in
        guard let place = cells.place(of: cell.name, following) else { throw cell.isStrange }
        following = place + 1
        guard !cells.has(place) else { throw cell.error("a column comes twice in a row") }
        if !cell.isNull { cells.add(cell.text.span, at: place) }
      }
    }
  }
}

/// Turns the values of rows of plain XML into rows of a table.
struct PlainXMLCells {
  private let leading: Int
  private let types: [LogicalType]
  private let rules: [SpellingRule]
  private let names: [[UInt8]]
  private var places: [[UInt8]: Int] = [:]
  /// Where the text of each column lies; nil where the row has none.
  private var ranges: [Range<Int>?]
  private var bytes: [UInt8] = []
  private var row: Int64 = 0

  static let keyless = "a row has no whole number as its _pk"

  /// The rows of a table; `leading` as with JSON.
  init(of table: Table, leading: Int, rules: [SpellingRule]) {
    self.leading = leading
    self.rules = rules
    types = table.columns.map(\.type)
    names =
      ["_pk", RejectColumn.name].prefix(leading).map { Array($0.utf8) }
      + table.columns.map { Array($0.sourceName.utf8) }
    ranges = Array(repeating: nil, count: names.count)
    for (place, name) in names.enumerated() { places[name] = place }
  }

  /// The place of a column, which most often is the one that follows; nil where the table has none.
  func place(of name: [UInt8], _ following: Int) -> Int? {
    following < names.count && names[following] == name ? following : places[name]
  }

  /// Begins a row, in which nothing has a value yet.
  mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    for place in ranges.indices { ranges[place] = nil }
  }

  /// Whether the row has a value of a column.
  func has(_ place: Int) -> Bool { ranges[place] != nil }

  mutating func add(_ text: Span<UInt8>, at place: Int) {
    let start = bytes.count
    bytes.append(text)
    ranges[place] = start..<bytes.count
  }

  /// Appends the row; false where it lacks its key.
  mutating func appendRow(to batch: inout RecordBatch) -> Bool {
    row += 1
    var key = row
    if leading > 0 {
      guard let range = ranges[0], let number = parseDecimal(bytes.span.extracting(range)) else {
        return false
      }
      key = number
    }
    for (column, type) in types.enumerated() {
      if let range = ranges[column + leading] {
        batch.append(
          spelled: bytes.span.extracting(range), column: column, type: type,
          rule: rules[column])
      } else {
        batch.append(Records.Cell.null)
      }
    }
    batch.endRow(key: key)
    return true
  }
}
