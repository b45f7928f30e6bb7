package import Formats
package import Records
package import SQLite

/// What a table keeps as the rest of a row.
package enum StoredDocument {
  case none
  /// An object of JSON.
  case object(JSONObject)
  case unreadable(RawValue)

  /// The document in a column of the current row.
  package init(_ statement: borrowing Statement, at column: Int) {
    guard let raw = statement.optionalRaw(at: column) else {
      self = .none
      return
    }
    self = JSONPayload(raw).object.map { .object($0) } ?? .unreadable(raw)
  }
}

/// A row of which some values are members of a document, each as a value of the engine would be.
struct DocumentRow: StoredRow {
  /// The values of the columns; column 0 is the key, which nobody asks for.
  private let values: [RawValue?]

  /// The values of a statement's row, and those of a document where columns are its members.
  init(
    _ statement: borrowing Statement, _ columns: [PlannedColumn], _ document: StoredDocument
  ) {
    var values: [RawValue?] = [nil]
    values.reserveCapacity(columns.count + 1)
    for (place, column) in columns.enumerated() {
      guard let member = column.member else {
        values.append(statement.optionalRaw(at: place + 1))
        continue
      }
      guard case .object(let object) = document else {
        values.append(nil)
        continue
      }
      values.append(object[member.key].flatMap { member.form.value($0) })
    }
    self.values = values
  }

  func storageClass(at column: Int) -> StorageClass {
    switch values[column] {
    case nil: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .binary: .blob
    }
  }

  func integer(at column: Int) -> Int64 {
    if case .integer(let number) = values[column] { number } else { 0 }
  }

  func real(at column: Int) -> Double {
    if case .real(let number) = values[column] { number } else { 0 }
  }

  func bytes(at column: Int) -> [UInt8] {
    switch values[column] {
    case .text(let bytes), .binary(let bytes): bytes
    case .integer, .real, nil: []
    }
  }

  func withText<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let bytes = bytes(at: column)
    return body(bytes.span)
  }

  func withBlob<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let bytes = bytes(at: column)
    return body(bytes.span)
  }

  func appendText(at column: Int, to batch: inout RecordBatch) {
    withText(at: column) { batch.appendText($0) }
  }

  func appendBlob(at column: Int, to batch: inout RecordBatch) {
    withBlob(at: column) { batch.appendBinary($0) }
  }
}

extension RowDecoder {
  /// Reads rows with documents into batches and lends each to `body`.
  ///
  /// A document that is no object leaves its cells empty; the first of them has it as a reject.
  func forEachBatch(
    of statement: inout Statement, documentsFor columns: [PlannedColumn],
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    let first = columns.firstIndex { $0.member != nil }
    var batch = RecordBatch(columnCount: plan.count)
    var number: Int64 = 0
    while try step(&statement) {
      number &+= 1
      let key = numbersRows ? number : statement.integer(at: 0)
      let document = StoredDocument(statement, at: columns.count + 1)
      let row = DocumentRow(statement, columns, document)
      for place in columns.indices {
        if case .unreadable(let raw) = document, place == first {
          batch.reject(column: place, code: .rowJSONUnreadable, raw: raw)
        } else {
          decode(row, place + 1, row.storageClass(at: place + 1), key: key, into: &batch)
        }
      }
      batch.endRow(key: key)
      try batch.lendIfFull(to: body)
    }
    try batch.lendRest(to: body)
  }
}
