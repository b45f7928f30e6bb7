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

  /// Reads the rows of a table; `leading` as with JSON.
  ///
  /// Behind the last row the walk is left at `place`.
  init(
    _ tokens: XMLTokens, _ walk: PlainXMLWalk, _ own: OwnRows<[UInt8]>, table: Table, leading: Int,
    rules: [SpellingRule], place: PlainXMLPlace?
  ) {
    self.tokens = tokens
    self.place = place
    parser = PlainXMLRowParser(table, walk, own, leading: leading, rules: rules)
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

  /// Turns the cells of rows into rows.
  fileprivate struct PlainXMLRowParser {
    /// Which rows of the walk are the table's.
    private(set) var own: OwnRows<[UInt8]>
    private let leading: Int
    private let types: [LogicalType]
    private let rules: [SpellingRule]
    private let names: [[UInt8]]
    private var places: [[UInt8]: Int] = [:]
    private(set) var walk: PlainXMLWalk
    /// Where the text of each column lies; nil where the row has none.
    private var ranges: [Range<Int>?]
    private var bytes: [UInt8] = []
    private var row: Int64 = 0

    init(
      _ table: Table, _ walk: PlainXMLWalk, _ own: OwnRows<[UInt8]>, leading: Int,
      rules: [SpellingRule]
    ) {
      self.walk = walk
      self.own = own
      self.leading = leading
      self.rules = rules
      types = table.columns.map(\.type)
      names =
        ["_pk", RejectColumn.name].prefix(leading).map { Array($0.utf8) }
        + table.columns.map { Array($0.sourceName.utf8) }
      ranges = Array(repeating: nil, count: names.count)
      for (place, name) in names.enumerated() { places[name] = place }
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
        try appendRow(to: &batch, reader)
      }
      return true
    }

    private mutating func readRow(_ reader: inout XMLReader) throws(XMLError) {
      bytes.removeAll(keepingCapacity: true)
      for place in ranges.indices { ranges[place] = nil }
      var following = 0
      try walk.readCells(&reader) { (cell) throws(XMLError) in
        let isNext = following < names.count && names[following] == cell.name
        guard let place = isNext ? following : places[cell.name] else {
          throw cell.error("a row has a column that its table does not have")
        }
        guard ranges[place] == nil else { throw cell.error("a column comes twice in a row") }
        following = place + 1
        guard !cell.isNull else { return }
        let start = bytes.count
        bytes += cell.text
        ranges[place] = start..<bytes.count
      }
    }

    private mutating func appendRow(
      to batch: inout RecordBatch, _ reader: borrowing XMLReader
    ) throws(XMLError) {
      row += 1
      var key = row
      if leading > 0 {
        guard let range = ranges[0], let number = parseDecimal(bytes.span.extracting(range)) else {
          throw reader.unexpected("a row has no whole number as its _pk")
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
    }
  }
}

/// What one pass over plain XML has shown: a table for each name of a row, in their order.
struct PlainXMLSurvey {
  private(set) var tables: [(element: [UInt8], survey: PlainSurvey)] = []
  /// What the root says beside the rows.
  private(set) var answer = JSONAnswer()
  private var places: [[UInt8]: Int] = [:]

  /// Names of rows that say nothing; the file's name says more.
  private static let generic = ["row", "record"].map { Array($0.utf8) }

  private let inference: InferenceRule

  /// Looks at all rows of a document.
  init(_ tokens: XMLTokens, _ inference: InferenceRule) throws(StoreError) {
    self.inference = inference
    try tokens.withReader { (reader) throws(XMLError) in try read(&reader) }
  }

  private mutating func read(_ reader: inout XMLReader) throws(XMLError) {
    var walk = PlainXMLWalk()
    var rows = 0
    answer.beginPage()
    while let element = try walk.nextRow(&reader) {
      let place = places[element] ?? tables.count
      if place == tables.count {
        places[element] = place
        tables.append((element, PlainSurvey(inference)))
        tables[place].survey.rowsBefore = rows
      }
      try tables[place].survey.addRow(&walk, &reader)
      answer.addRow(ofTable: place)
      rows += 1
    }
    for (name, text) in walk.rootAttributes { answer.add(attribute: name, text) }
  }

  static func tableName(of element: [UInt8], inFile name: String) -> String {
    let isGeneric = generic.contains { $0.elementsEqual(element.map(lowered)) }
    return isGeneric ? name : String(decoding: element, as: UTF8.self)
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}
