import Bytes

extension Queue {
  /// Lends the rows of one part of the queue, a batch at a time, as `BookkeepingTable` lays them
  /// out; rejects are no part of it.
  package func forEachBatch(
    of part: BookkeepingTable, as form: RecordForm = .exported,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var batch = RecordBatch(columnCount: part.table.columns.count)
    try forEachBatch(of: part, as: form, in: 0..<count(of: part), using: &batch, body)
  }

  /// As `forEachBatch`, for some rows of the part, in a batch without rows.
  ///
  /// The rows of operations may be known beside the queue.
  func forEachBatch(
    of part: BookkeepingTable, as form: RecordForm, in places: Range<Int>,
    ofSeveral: Bool = false, rows: borrowing RowMatches = RowMatches(),
    using batch: inout RecordBatch,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var cells = OperationCells(form: form)
    var errors = ErrorList.Lookup(errors)
    var tokens = TokenList.Lookup(tokens)
    let errorFields = OperationError.fields.ofSeveral(ofSeveral)
    let tokenFields = DeltaToken.fields.ofSeveral(ofSeveral)
    for place in places {
      switch part {
      case .operations:
        cells.append(place, of: operations, tiedTo: rows, to: &batch)
      case .errors:
        batch.append(errors.record(at: place), errorFields, key: Int64(place) + 1)
      case .tokens:
        batch.append(tokens.record(at: place), tokenFields, key: Int64(place) + 1)
      case .rejects, .deviceItems, .journal, .marks: break
      }
      if try batch.lendIfFull(to: body) { cells.forgetCopy() }
    }
    try batch.lendRest(to: body)
  }

  /// How many rows a part of the queue has.
  package func count(of part: BookkeepingTable) -> Int {
    switch part {
    case .operations: operations.count
    case .errors: errors.count
    case .tokens: tokens.count
    case .rejects, .deviceItems, .journal, .marks: 0
    }
  }
}

extension RecordBatch {
  /// Appends a record as a row of its fields.
  package mutating func append<Record>(
    _ record: Record, _ fields: [RecordField<Record>], as form: RecordForm = .exported, key: Int64
  ) {
    for field in fields {
      let value = field.value(record)
      if field.type == nil, form == .exported { append(exported: value) } else { append(value) }
    }
    endRow(key: key)
  }

  private mutating func append(_ value: FieldValue) {
    switch value {
    case .null: append(Cell.null)
    case .integer(let number), .raw(.integer(let number)): append(Cell.integer(number))
    case .text(let text): append(text: text)
    case .utf8(let bytes): appendText(bytes.span)
    case .raw(.real(let number)): append(Cell.real(number))
    // A store's text must be UTF-8.
    case .raw(.text(let bytes)) where isValidUTF8(bytes.span): appendText(bytes.span)
    case .raw(.text(let bytes)), .raw(.binary(let bytes)): appendBinary(bytes.span)
    }
  }

  /// Appends a value of any class as two cells: the storage class and the bytes.
  private mutating func append(exported value: FieldValue) {
    guard case .raw(let raw) = value else {
      append(Cell.null)
      return append(Cell.null)
    }
    append(text: raw.storage)
    appendBinary(raw.bytes.span)
  }
}
