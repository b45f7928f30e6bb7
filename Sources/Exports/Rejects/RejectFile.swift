import Bytes
package import Records

/// A file of rows in which a value was rejected, to be corrected by a person and read again.
///
/// It owns an open file, so it has identity.
package final class RejectFile {
  /// Where it will stand.
  package let path: String
  /// How many rows it has.
  package private(set) var rows = 0
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

  /// Adds those rows of a batch that have rejects, each value under its source's name; `rowName` is
  /// what the rows are called there.
  package func add(
    _ batch: borrowing RecordBatch, of table: Table, called rowName: String
  ) throws(StoreError) {
    let rejected = RejectedRows(table, called: rowName, batch)
    guard rejected.batch.rowCount > 0 else { return }
    let spelling: any TableSpelling =
      format == .xml
      ? PlainXMLRows(of: rejected.table)
      : format.spelling(of: rejected.table)
    var bytes: [UInt8] = []
    var text: [UInt8] = []
    if begin(rowName, &bytes) { spelling.appendStart(to: &bytes) }
    rows += spelling.append(rejected.batch, to: &text)
    bytes += bytes.isEmpty ? text[...] : text.dropFirst(spelling.separatorSize)
    end.removeAll()
    spelling.appendEnd(TableSeal(rows: rows), to: &end)
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

  /// The rows of a batch that have rejects, with a first column that says why.
  fileprivate struct RejectedRows {
    let table: Table
    private(set) var batch: RecordBatch

    init(_ table: Table, called name: String, _ source: borrowing RecordBatch) {
      let columns = table.columns.map { column in
        var column = column
        column.name = column.sourceName
        return column
      }
      self.table = Table(
        name: name, columns: [Column(name: RejectColumn.name, type: .text)] + columns)
      batch = RecordBatch(columnCount: columns.count + 1)
      var cursor = RejectCursor(source)
      var last = -1
      for reject in source.rejects where reject.row != last {
        last = reject.row
        append(row: last, of: source, cursor.rejects(ofRow: last))
      }
    }

    private mutating func append(
      row: Int, of source: borrowing RecordBatch, _ rejects: ArraySlice<CellReject>
    ) {
      let reasons = rejects.map { "\(table.columns[$0.column + 1].name): \($0.code.rawValue)" }
      let reason = Array(reasons.joined(separator: "; ").utf8)
      batch.appendText(reason.span)
      var rest = rejects
      for (column, cell) in source.cells(ofRow: row).enumerated() {
        if let next = rest.first, next.column == column {
          batch.append(rejected: next.raw)
          rest.removeFirst()
        } else {
          batch.append(cell, of: source)
        }
      }
      batch.endRow(key: source.keys[row])
    }
  }
}

extension RecordBatch {
  fileprivate mutating func append(rejected raw: RawValue) {
    switch raw {
    case .integer(let number): append(Cell.integer(number))
    case .real(let number): append(Cell.real(number))
    case .text(let bytes): appendText(bytes.span)
    case .binary(let bytes): appendBinary(bytes.span)
    }
  }
}
