extension RecordBatch {
  /// Lends the rows to `body` and takes them out, if they fill the batch; says whether they did.
  @discardableResult
  package mutating func lendIfFull(
    to body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    guard isFull else { return false }
    try lendRest(to: body)
    return true
  }

  /// Lends what rows there are to `body`, and takes them out.
  package mutating func lendRest(
    to body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard rowCount > 0 else { return }
    try body(&self)
    removeAll()
  }

  /// Appends one cell of another batch.
  package mutating func append(_ cell: Cell, of other: borrowing RecordBatch) {
    switch cell.kind {
    case .null, .integer, .real: append(cell)
    case .text:
      let bytes = other.arena
      appendText(bytes.span.extracting(cell.range))
    case .binary:
      let bytes = other.arena
      appendBinary(bytes.span.extracting(cell.range))
    }
  }

  /// Appends one cell of another batch, whose bytes were appended from some place on.
  package mutating func append(_ cell: Cell, bytesFrom start: Int) {
    switch cell.kind {
    case .null, .integer, .real: append(cell)
    case .text: appendText(inArenaFrom: start, cell.range)
    case .binary: appendBinary(inArenaFrom: start, cell.range)
    }
  }

  /// Appends one row of another batch with the rejects that it has.
  package mutating func append(
    row: Int, of other: borrowing RecordBatch, rejects: ArraySlice<CellReject>
  ) {
    var rest = rejects
    for (column, cell) in other.cells(ofRow: row).enumerated() {
      if let next = rest.first, next.column == column {
        reject(column: column, code: next.code, raw: next.raw)
        rest.removeFirst()
      } else {
        append(cell, of: other)
      }
    }
    endRow(key: other.keys[row])
  }
}

/// Walks through the rejects of a batch, which stand in the order of its rows.
package struct RejectCursor {
  private var rest: ArraySlice<CellReject>

  /// Starts before the first row.
  package init(_ batch: borrowing RecordBatch) {
    rest = batch.rejects[...]
  }

  /// The rejects of a row, which must not come before one that was asked for.
  package mutating func rejects(ofRow row: Int) -> ArraySlice<CellReject> {
    rest = rest.drop { $0.row < row }
    let own = rest.prefix { $0.row == row }
    rest = rest.dropFirst(own.count)
    return own
  }
}

/// Walks through the rows of a batch and tells which of them operations name.
package struct NamedRowCursor {
  private var rest: ArraySlice<Int>
  private var row = 0

  /// Starts before the first row.
  package init(_ batch: borrowing RecordBatch) { rest = batch.namedRows[...] }

  /// Whether operations name the next row.
  package mutating func next() -> Bool {
    defer { row &+= 1 }
    guard rest.first == row else { return false }
    rest.removeFirst()
    return true
  }
}
