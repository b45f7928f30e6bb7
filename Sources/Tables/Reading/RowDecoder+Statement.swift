import Records
import SQLite

extension RowDecoder {
  /// Reads the rest of `statement` into batches and lends each to `body`; rows that operations name
  /// are noted by the way.
  func forEachBatch(
    of statement: inout Statement, naming: RowMatching? = nil,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var notes = naming?.makeNotes()
    var batch = RecordBatch(columnCount: plan.count)
    var number: Int64 = 0
    while try step(&statement) {
      number &+= 1
      let key = numbersRows ? number : statement.integer(at: 0)
      let isNamed = notes?.add(statement, key: key) ?? false
      if isNamed { batch.noteNamedRow(batch.rowCount) }
      decodeRow(statement, key: key, isNamed: isNamed, into: &batch)
      try batch.lendIfFull(to: body)
    }
    try batch.lendRest(to: body)
    notes?.finish(part: 0, of: 1)
  }

  /// Reads rows with documents into batches and lends each to `body`.
  func forEachBatch(
    of statement: inout Statement, documentsFor columns: [PlannedColumn],
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var row = DocumentRow(columns)
    var batch = RecordBatch(columnCount: plan.count)
    var number: Int64 = 0
    while try step(&statement) {
      number &+= 1
      let key = numbersRows ? number : statement.integer(at: 0)
      decodeRow(statement, key: key, through: &row, into: &batch)
      try batch.lendIfFull(to: body)
    }
    try batch.lendRest(to: body)
  }
}
