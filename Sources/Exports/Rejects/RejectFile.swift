import Bytes
package import Records

/// A file of rows in which a value was rejected, to be corrected by a person and read again.
///
/// It owns an open file, so it has identity.
package final class RejectFile {
  /// Where it will stand.
  package let path: String
  /// How many rows with rejects it has, how many of them were only not let in, and how many rows that
  /// were corrected before.
  package private(set) var rows = 0
  package private(set) var refusedRows = 0
  package private(set) var correctedRows = 0
  private let format: ExportFormat
  /// Whether a file of JSON says which table its rows are of.
  private let namesTables: Bool
  private var tables: [String] = []
  private var output: ExportOutput?
  private var end: [UInt8] = []

  /// Begins a file in the format of the input; `namesTables` says that one of JSON has several
  /// tables.
  ///
  /// - Throws: `StoreError` when the file exists and may not be replaced, or cannot be made.
  package init(
    path: String, format: ExportFormat, namesTables: Bool, replacing: Bool
  ) throws(StoreError) {
    self.path = path
    self.format = format
    self.namesTables = namesTables && format == .json
    output = try ExportOutput(toFileAt: path, replacing: replacing)
  }

  /// Adds those rows of a batch that have rejects or were not let in, each value under its source's name
  /// and as `rules` say that it is spelled there; `rowName` is what the rows are called there.
  ///
  /// Rows with the keys `corrected` come from an earlier such file, which nobody reads after this one.
  package func add(
    _ batch: borrowing RecordBatch, corrected: Set<Int64>, of table: Table,
    spelled rules: [SpellingRule], called rowName: String
  ) throws(StoreError) {
    let rejected = RejectedRows(table, called: rowName, batch, corrected, rules)
    guard rejected.batch.rowCount > 0 else { return }
    let spelling: any TableSpelling =
      format == .xml
      ? PlainXMLRows(of: rejected.table)
      : format.spelling(of: rejected.table)
    var bytes: [UInt8] = []
    var text: [UInt8] = []
    if begin(rowName, &bytes) { spelling.appendStart(to: &bytes) }
    rows += spelling.append(rejected.batch, to: &text) - rejected.correctedRows
    refusedRows += rejected.refusedRows
    correctedRows += rejected.correctedRows
    bytes += bytes.isEmpty ? text[...] : text.dropFirst(spelling.separatorSize)
    end.removeAll()
    spelling.appendEnd(TableSeal(rows: rows + correctedRows), to: &end)
    try output?.write(bytes)
  }

  /// Begins a table where it is the first, or where the file tells its tables apart.
  ///
  /// - Returns: whether it has begun one.
  private func begin(_ table: String, _ bytes: inout [UInt8]) -> Bool {
    guard tables.isEmpty || namesTables && !hasSameBytes(tables.last, table) else { return false }
    if namesTables {
      bytes += end
      bytes.append(tables.isEmpty ? "{" : ",")
      bytes.appendJSONString(table.utf8Span.span)
      bytes.append(":")
    }
    tables.append(table)
    return true
  }

  /// Writes what is left and gives the file its name.
  package func finish() throws(StoreError) {
    guard var output = output.take() else { return }
    if namesTables, !tables.isEmpty { end.append("}") }
    try output.write(end)
    try output.finish()
  }

  /// The rows of a batch that have rejects, were not let in or were corrected before, with a first
  /// column that says why they are there.
  fileprivate struct RejectedRows {
    let table: Table
    private(set) var batch: RecordBatch
    private(set) var refusedRows = 0
    private(set) var correctedRows = 0
    private let rules: [SpellingRule]

    init(
      _ table: Table, called name: String, _ source: borrowing RecordBatch,
      _ corrected: Set<Int64>, _ rules: [SpellingRule]
    ) {
      self.rules = rules
      let columns = table.columns.map { column in
        var column = column
        column.name = column.sourceName
        return column
      }
      self.table = Table(
        name: name, columns: [Column(name: RejectColumn.name, type: .text)] + columns)
      batch = RecordBatch(columnCount: columns.count + 1)
      var cursor = RejectCursor(source)
      var refusals = source.refusals[...]
      for (row, key) in source.keys.enumerated() {
        let rejects = cursor.rejects(ofRow: row)
        let refusal = refusals.first?.row == row ? refusals.removeFirst() : nil
        guard !rejects.isEmpty || refusal != nil || corrected.contains(key) else { continue }
        if rejects.isEmpty {
          if refusal == nil { correctedRows += 1 } else { refusedRows += 1 }
        }
        append(row: row, of: source, rejects, refusal)
      }
    }

    private mutating func append(
      row: Int, of source: borrowing RecordBatch, _ rejects: ArraySlice<CellReject>,
      _ refusal: RowRefusal?
    ) {
      let reasons =
        rejects.map { "\(table.columns[$0.column + 1].name): \($0.code.rawValue)" }
        + (refusal.map { ["row-refused: \($0.reason)"] } ?? [])
      batch.append(text: reasons.isEmpty ? nil : reasons.joined(separator: "; "))
      var rest = rejects
      for (column, cell) in source.cells(ofRow: row).enumerated() {
        let reject = rest.first?.column == column ? rest.removeFirst() : nil
        // A value that only the new store could not take is spelled as others of its column.
        if let reject, cell.kind == .null {
          batch.append(rejected: reject.raw)
        } else {
          batch.append(cell, table.columns[column + 1].type, rules[column], of: source)
        }
      }
      batch.endRow(key: source.keys[row])
    }
  }
}

extension RecordBatch {
  /// Appends a cell of another batch so that a rule reads it as what it is.
  fileprivate mutating func append(
    _ cell: Cell, _ type: LogicalType, _ rule: SpellingRule, of source: borrowing RecordBatch
  ) {
    var text: [UInt8] = []
    if let digits = rule.dates?.digits(of: cell, arena: source.arena.span) {
      text = digits
    } else if !rule.takesPointOfFraction, type == .real || type == .decimal, cell.kind != .null {
      text.appendPlain(cell, type: type, arena: source.arena.span)
    } else {
      return append(cell, of: source)
    }
    for place in text.indices where text[place] == UInt8(ascii: ".") { text[place] = rule.decimal }
    appendText(text.span)
  }

  fileprivate mutating func append(rejected raw: RawValue) {
    switch raw {
    case .integer(let number): append(Cell.integer(number))
    case .real(let number): append(Cell.real(number))
    case .text(let bytes): appendText(bytes.span)
    case .binary(let bytes): appendBinary(bytes.span)
    }
  }
}

extension Corrections.DateForm {
  /// A time as the number that is spelled so; nil for forms that are no numbers, and other cells.
  fileprivate func digits(of cell: Cell, arena: Span<UInt8>) -> [UInt8]? {
    guard cell.kind == .text else { return nil }
    let spelled = arena.extracting(cell.range)
    guard var time = Timestamp(parsing: spelled) else { return nil }
    // What is spelled otherwise than in milliseconds was rounded where it seems to be whole ones.
    if !isTimestampOfMilliseconds(spelled) { time = time.rounded() }
    switch self {
    case .serial:
      var text: [UInt8] = []
      text.appendReal(time.spreadsheetDays)
      if text.suffix(2).elementsEqual(".0".utf8) { text.removeLast(2) }
      return text
    case .unixSeconds: return time.digitsOfSeconds
    case .unixMilliseconds: return time.digitsOfMilliseconds
    case .dayFirst, .monthFirst: return nil
    }
  }
}
