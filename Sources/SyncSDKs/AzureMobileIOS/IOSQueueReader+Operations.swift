import Bytes
import Records
import SQLite
import Tables

extension IOSQueueReader {
  /// Reads the operations with the engine, which sorts them where that is needed; tells of names that
  /// are no text.
  func readOperations(
    _ connection: borrowing Connection, telling tell: (Finding) -> Void = { _ in }
  ) throws(SQLiteError) -> OperationList {
    guard
      var statement = try systemTables.select(
        ["Z_PK"] + IOSOperationDecoder.columns, from: IOSNames.operationsTable,
        order: ["ZID", "Z_PK"], connection)
    else { return [] }
    var decoder = IOSOperationDecoder(self)
    var operations = OperationList()
    var sequence: Int64 = 0
    while try statement.step() {
      decoder.add(statement)
      sequence += 1
      Finding.damagedNames(in: statement, at: IOSOperationDecoder.names, ofOperation: sequence)
        .forEach(tell)
      if decoder.isFull { operations.append(numbering: decoder.take()) }
    }
    operations.append(numbering: decoder.take())
    return operations
  }

  /// Reads the operations from their pages, on several threads; nil where only the engine can.
  ///
  /// The SDK counts its ids up, so the order of the rows is that of the ids; where it is not, the
  /// engine has to sort.
  func readOperations(
    ofPagesOf database: borrowing SourceDatabase
  ) throws(StoreError) -> OperationList? {
    guard
      let table = systemTables.planned(
        IOSOperationDecoder.columns, from: IOSNames.operationsTable),
      let parts = try database.parts(of: table)
    else { return nil }
    var operations = OperationList()
    operations.reserveCapacity(try database.countRows(of: table))
    var run = OperationRun()
    let take = { (part: Result<OperationRun, StoreError>) throws(StoreError) in
      let part = try part.get()
      run.append(part)
      if run.isPlain { operations.append(numbering: part.operations) }
    }
    var work = OrderedWork<Int, Result<OperationRun, StoreError>>(threads: threadCount()) {
      var row = parts.makeRow()
      var decoder = IOSOperationDecoder(self)
      return { part, emit in
        _ = emit(Self.operations(ofPart: part, of: parts, using: &row, &decoder))
      }
    }
    for part in 0..<parts.count where run.isPlain { try work.put(part, take) }
    try work.finish(take)
    return run.isPlain ? operations : nil
  }

  private static func operations(
    ofPart part: Int, of parts: PageParts, using row: inout PageRow,
    _ decoder: inout IOSOperationDecoder
  ) -> Result<OperationRun, StoreError> {
    var run = OperationRun()
    do throws(StoreError) {
      try parts.forEachStoredRow(ofPart: part, using: &row) { (row, _) in
        run.append(idOf: IOSOperationDecoder.plainID(of: row))
        if run.isPlain { decoder.add(row) }
        return run.isPlain
      }
    } catch {
      return .failure(error)
    }
    run.operations = decoder.take()
    return .success(run)
  }
}

/// Operations that follow each other in the order of their ids.
private struct OperationRun: Sendable {
  var operations: [PendingOperation] = []
  /// Whether no id breaks the order, and each row can be read without the engine.
  private(set) var isPlain = true
  private var first: Int64?
  private var last: Int64?

  /// Notes the id of the next operation; nil stands for one that only the engine can read.
  mutating func append(idOf id: Int64?) {
    guard let id, last.map({ $0 < id }) ?? true else {
      isPlain = false
      return
    }
    first = first ?? id
    last = id
  }

  mutating func append(_ next: OperationRun) {
    guard next.isPlain else {
      isPlain = false
      return
    }
    guard let first = next.first else { return }
    append(idOf: first)
    last = next.last
  }
}

extension OperationList {
  fileprivate mutating func append(numbering operations: [PendingOperation]) {
    for var operation in operations {
      operation.sequence = Int64(count) + 1
      append(operation)
    }
  }
}
