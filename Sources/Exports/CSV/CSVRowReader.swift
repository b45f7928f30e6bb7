import Bytes
import Formats
import Records

/// Reads rows from CSV, whose header says which column is which.
final class CSVRowReader: ExportRows {
  let path: String
  private var reader: CSVReader
  private let columns: [Column]
  /// How many of `_pk` and `_reject` stand before the columns.
  private let leading: Int
  private let style: CSVStyle
  private let rules: [SpellingRule]
  private var row: Int64 = 0
  private(set) var survey: PlainSurvey?

  /// Reads an export, whose header must name exactly the columns of the table.
  init(
    path: String, reader: CSVReader, table: Table, style: CSVStyle
  ) throws(StoreError) {
    self.path = path
    self.reader = reader
    columns = table.columns
    leading = 1
    self.style = style
    rules = table.columns.map { _ in .canonical }
    let names = try readHeader()
    let expected = ["_pk"] + table.columns.map(\.name)
    guard names.count == expected.count,
      zip(names, expected).allSatisfy({ $0.utf8.elementsEqual($1.utf8) })
    else {
      throw StoreError(.damaged, path: path, "line 1: the header does not name the columns")
    }
  }

  /// Reads a plain file, or what of it follows the header; `survey` looks at its rows, too.
  init(
    path: String, reader: CSVReader, hasHeader: Bool, table: Table, leading: Int,
    rules: [SpellingRule], survey: PlainSurvey? = nil
  ) throws(StoreError) {
    self.path = path
    self.reader = reader
    columns = table.columns
    self.leading = leading
    style = .plain
    self.rules = rules
    self.survey = survey
    if hasHeader { _ = try readHeader() }
  }

  var position: String { "line \(reader.recordLine)" }

  private var fieldTexts: [String] {
    reader.fields.map { field in
      let start = field.range.lowerBound + (style.isSafe && isMarked(field) ? 1 : 0)
      return String(decoding: reader.bytes[start..<field.range.upperBound], as: UTF8.self)
    }
  }

  private func readHeader() throws(StoreError) -> [String] {
    guard try next() else { throw StoreError(.damaged, path: path, "line 1: there is no header") }
    return fieldTexts
  }

  private func next() throws(StoreError) -> Bool {
    do { return try reader.next() } catch { throw StoreError(error, in: path) }
  }

  private func isMarked(_ field: CSVReader.Field) -> Bool {
    !field.range.isEmpty && reader.bytes[field.range.lowerBound] == UInt8(ascii: "'")
  }

  func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool {
    while !batch.isFull {
      guard try next() else {
        survey?.addCounts(of: reader)
        return false
      }
      survey?.add(reader)
      try appendRow(to: &batch)
    }
    return true
  }

  private func appendRow(to batch: inout RecordBatch) throws(StoreError) {
    row += 1
    var key = row
    let bytes = reader.bytes
    for (place, field) in reader.fields.enumerated() {
      if place < leading {
        guard place == 0 else { continue }
        guard let number = parseDecimal(bytes.span.extracting(field.range)) else {
          throw StoreError(reader.recordError("_pk is no whole number"), in: path)
        }
        key = number
        continue
      }
      // Behind the columns of a plain file may stand fields that are always empty.
      guard place - leading < columns.count else { break }
      append(field, of: bytes, column: place - leading, to: &batch)
    }
    batch.endRow(key: key)
  }

  private func append(
    _ field: CSVReader.Field, of bytes: [UInt8], column: Int, to batch: inout RecordBatch
  ) {
    guard !field.isNull else { return batch.append(Cell.null) }
    let type = columns[column].type
    if style == .spreadsheet, type == .timestamp,
      let text = spreadsheetTime(bytes.span.extracting(field.range))
    {
      return batch.append(spelled: text.span, column: column, type: type, rule: rules[column])
    }
    let isMarkable = style.isSafe && ![.integer, .reference, .real, .boolean].contains(type)
    let start = field.range.lowerBound + (isMarkable && isMarked(field) ? 1 : 0)
    batch.append(
      spelled: bytes.span.extracting(start..<field.range.upperBound), column: column,
      type: type, rule: rules[column])
  }
}
