import Bytes
import Formats
import Records

/// A place in a JSON file of several tables.
typealias JSONPlace = FilePlace<JSONTokens, JSONRowWalk>

/// Reads rows that are JSON objects, wherever in their documents they lie.
final class JSONRowReader: ExportRows {
  private let tokens: JSONTokens
  private var parser: JSONRowParser
  private var walk: JSONRowWalk
  /// Which rows of the walk are the table's.
  private var own: OwnRows<Int>
  private let place: JSONPlace?

  /// Reads the rows of a table, which begin with `leading` of `_pk` and `_reject`; without a key
  /// they are numbered from 1.
  ///
  /// Columns may be spelled by rules of their own; `survey` looks at the rows, too. Behind the last
  /// row the walk is left at `place`.
  init(
    _ tokens: JSONTokens, _ walk: JSONRowWalk, _ own: OwnRows<Int> = .all, table: Table,
    leading: Int, rule: SpellingRule, rules: [SpellingRule]? = nil, survey: PlainSurvey? = nil,
    place: JSONPlace? = nil
  ) {
    self.tokens = tokens
    self.walk = walk
    self.own = own
    self.place = place
    parser = JSONRowParser(
      table, leading: leading, rule: rule, rules: rules ?? table.columns.map { _ in rule },
      survey: survey)
  }

  var survey: PlainSurvey? { parser.survey }

  var position: String { tokens.position }

  /// Throws unless the document ends with the array of rows.
  func expectEnd() throws(StoreError) { try tokens.expectEnd() }

  func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool {
    let hasMore = try tokens.withReader { (reader) throws(FormatError) in
      try parser.fill(&batch, walk: &walk, &own, from: &reader)
    }
    if !hasMore { place?.leave(.init(tokens: tokens, walk: walk, rows: own.met)) }
    return hasMore
  }

  /// Turns the tokens of rows into rows.
  ///
  /// A value of its own, so that no token costs a check of who else may be using it.
  fileprivate struct JSONRowParser {
    private let rule: SpellingRule
    private let rules: [SpellingRule]
    private let types: [LogicalType]
    private var places: [[UInt8]: Int] = [:]
    private let leading: Int
    private var values: [JSONCell]
    private var bytes: [UInt8] = []
    private var row: Int64 = 0
    private(set) var survey: PlainSurvey?
    /// The members of a row in their order, for the survey.
    private var order: [Int] = []
    private let names: [[UInt8]]
    /// The names of all members in their order, `_pk` first, to find the next one quickly.
    private var spelledNames = SpelledKeys()

    init(
      _ table: Table, leading: Int, rule: SpellingRule, rules: [SpellingRule], survey: PlainSurvey?
    ) {
      self.rule = rule
      self.survey = survey
      self.rules = rules
      self.leading = leading
      types = [.integer, .text].prefix(leading) + table.columns.map(\.type)
      let names =
        ["_pk", RejectColumn.name].prefix(leading).map { Array($0.utf8) }
        + table.columns.map { Array((rule == .canonical ? $0.name : $0.sourceName).utf8) }
      self.names = names
      values = Array(repeating: .absent, count: names.count)
      for (place, name) in names.enumerated() {
        if places[name] == nil { places[name] = place }
        spelledNames.append(name)
      }
    }

    mutating func fill(
      _ batch: inout RecordBatch, walk: inout JSONRowWalk, _ own: inout OwnRows<Int>,
      from reader: inout JSONReader
    ) throws(FormatError) -> Bool {
      while !batch.isFull {
        guard own.rest > 0, let found = try walk.nextRow(&reader) else {
          survey?.blankLines = reader.blankLines
          return false
        }
        guard own.take(found) else {
          try reader.skipValue(from: .beginObject)
          continue
        }
        try readRow(&reader)
        guard survey?.addRow(values, named: names, order, bytes) != false else {
          throw reader.unexpected("the rows have too many different members")
        }
        try appendRow(to: &batch, reader)
      }
      return true
    }

    private mutating func readRow(_ reader: inout JSONReader) throws(FormatError) {
      bytes.removeAll(keepingCapacity: true)
      for place in values.indices { values[place] = .absent }
      order.removeAll(keepingCapacity: true)
      var following = 0
      while true {
        guard let place = try nextMember(&reader, following) else { return }
        guard values[place] == .absent else { throw reader.unexpected("a member comes twice") }
        following = place + 1
        values[place] = try readCell(&reader)
        if survey != nil { order.append(place) }
      }
    }

    /// The place of the next member, which most often is the one that follows; nil behind the last.
    private func nextMember(
      _ reader: inout JSONReader, _ following: Int
    ) throws(FormatError) -> Int? {
      if reader.takeKey(following, of: spelledNames) { return following }
      guard let token = try reader.next() else { throw reader.unexpected("a row has no end") }
      if token == .endObject { return nil }
      guard let place = places[reader.text] else {
        throw reader.unexpected("a row has a member that is no column of its table")
      }
      return place
    }

    private mutating func readCell(
      _ reader: inout JSONReader
    ) throws(FormatError) -> JSONCell {
      guard let token = try reader.next() else { throw reader.unexpected("a value is missing") }
      let start = bytes.count
      switch token {
      case .null: return .null
      case .boolean(let value):
        bytes.append(value ? "true" : "false")
        return .boolean(start..<bytes.count)
      case .string:
        reader.appendText(to: &bytes)
        return .string(start..<bytes.count)
      case .number:
        reader.appendText(to: &bytes)
        return .number(start..<bytes.count)
      default:
        guard rule == .common else { throw reader.unexpected("a value is neither text nor number") }
        try reader.appendValue(from: token, to: &bytes)
        return .container(start..<bytes.count)
      }
    }

    private mutating func appendRow(
      to batch: inout RecordBatch, _ reader: JSONReader
    ) throws(FormatError) {
      row += 1
      var key = row
      for (place, value) in values.enumerated() {
        if place < leading {
          if place == 0 { key = try readKey(value, reader) }
          continue
        }
        let column = place - leading
        guard let range = value.range else {
          guard value == .null || rule == .common else {
            throw reader.unexpected("a row lacks a member")
          }
          batch.append(Cell.null)
          continue
        }
        let text = bytes.span.extracting(range)
        if value.fits(types[place], rule: rule, text: text) {
          batch.append(spelled: text, column: column, type: types[place], rule: rules[column])
        } else {
          batch.reject(column: column, code: .valueOfWrongType, raw: .text([UInt8](copying: text)))
        }
      }
      batch.endRow(key: key)
    }

    private func readKey(
      _ value: JSONCell, _ reader: JSONReader
    ) throws(FormatError) -> Int64 {
      guard case .number(let range) = value,
        let key = parseDecimal(bytes.span.extracting(range))
      else { throw reader.unexpected("a row has no whole number as its _pk") }
      return key
    }
  }
}

/// A JSON file that is being read, shared by what reads its parts; errors name the file.
final class JSONTokens {
  let path: String
  let stream: ByteStream
  private var reader: JSONReader

  /// Reads a stream that begins at the byte `offset` of its file.
  init(
    path: String, stream: ByteStream, framing: JSONReader.Framing = .document, offset: Int = 0
  ) {
    self.path = path
    self.stream = stream
    reader = JSONReader(stream, framing: framing, offset: offset)
  }

  var position: String { "byte \(reader.tokenOffset)" }

  func withReader<Value>(
    _ body: (inout JSONReader) throws(FormatError) -> Value
  ) throws(StoreError) -> Value {
    do { return try body(&reader) } catch { throw located(error) }
  }

  /// The next token; nil at the end.
  func next() throws(StoreError) -> JSONReader.Token? {
    do { return try reader.next() } catch { throw located(error) }
  }

  /// The next token, which must be this one.
  func expect(_ token: JSONReader.Token, _ what: String) throws(StoreError) {
    guard try next() == token else { throw unexpected("\(what) is missing") }
  }

  /// The next key of an object, which must be this one.
  func expectKey(_ key: String) throws(StoreError) {
    guard try next() == .key, reader.text.elementsEqual(key.utf8) else {
      throw unexpected("the member \(key) is missing")
    }
  }

  /// The next value, for small ones.
  func readValue() throws(StoreError) -> JSONValue {
    guard let token = try next() else { throw unexpected("a value is missing") }
    return try readValue(from: token)
  }

  /// The value that begins with a token that was read, for small ones.
  func readValue(from token: JSONReader.Token) throws(StoreError) -> JSONValue {
    do { return try reader.readValue(from: token) } catch { throw located(error) }
  }

  var text: [UInt8] { reader.text }

  /// Throws unless the document is at its end.
  func expectEnd() throws(StoreError) {
    guard try next() == nil else { throw unexpected("something follows the document") }
  }

  func unexpected(_ message: String) -> StoreError { located(reader.unexpected(message)) }

  private func located(_ error: FormatError) -> StoreError {
    guard let place = error.offset.flatMap({ LinePlace(ofByte: $0, inFileAt: path) }) else {
      return StoreError(error, in: path)
    }
    return StoreError(
      error.kind, path: path, "line \(place.line), column \(place.column): \(error)",
      hint: error.hint)
  }
}

extension StoreError {
  init(_ error: FormatError, in path: String) {
    self.init(error.kind, path: path, "\(error)", hint: error.hint)
  }
}
