import Bytes
import Records
import SQLite
import Tables

/// Puts the rows of `rehome_operation` together as operations.
struct CanonicalOperationDecoder: Sendable {
  /// The columns that are read, from 1 on.
  static let columns = [
    "kind", "state", "rowKey", "item", "raw", "table", "itemId", "originalId", "baseVersion",
    "originalCode", "rowTable", "source",
  ]
  /// Those of them that are whole numbers, and the one that may be anything.
  private static let numbers = [3, 12]
  private static let anything = 5
  private static let rowTable = 11
  private static let baseVersion = 9
  /// The texts that are taken as they are, with words for them.
  static let names = [
    (6, "table"), (7, "item's id"), (8, "SDK's own id"), (baseVersion, "version"),
    (10, "code of the kind"), (rowTable, "table of the row"),
  ]

  /// What people have decided about operations.
  private let marks: OperationMarks
  /// Whether everything is taken as if it were kept.
  private let keepsAll: Bool
  private let withRaw: Bool
  private let ofSeveral: Bool
  private var packing = OperationPacking()

  /// Reads operations as they are wanted, those of several sources with theirs.
  init(marks: OperationMarks, _ reading: QueueReading, ofSeveral: Bool) {
    self.marks = marks
    keepsAll = reading.contains(.keepingDropped)
    withRaw = !reading.contains(.withoutRaw)
    self.ofSeveral = ofSeveral
  }

  /// Whether the values of a row are of the classes that the store gives them, and names are text, so
  /// that the engine has nothing to convert, and nobody must hear of anything.
  static func isPlain(_ row: borrowing some StoredRow & ~Copyable) -> Bool {
    for column in 1...columns.count where column != anything {
      switch row.storageClass(at: column) {
      case .null: continue
      case .integer: guard numbers.contains(column) else { return false }
      case .text: guard !numbers.contains(column) else { return false }
      case .real, .blob: return false
      }
    }
    return names.allSatisfy { row.damagedText(at: $0.0) == nil }
  }

  mutating func add(_ row: borrowing some StoredRow & ~Copyable, sequence: Int64) {
    for (column, _) in Self.names {
      // A version that no server knows is safer than none, under which anything is overwritten.
      if column == Self.baseVersion {
        packing.add(row, at: column)
      } else {
        packing.addName(row, at: column)
      }
    }
    if withRaw { packing.addPayload(row, at: 5) } else { packing.addNone() }
    packing.addItem(row, at: 4)
    // The last mark decides.
    let mark = keepsAll ? .keep : marks.lastKind(of: sequence)
    let state = Self.word(row, at: 2) ?? OperationState.pending
    let hasRow = row.storageClass(at: 3) != .null && row.damagedText(at: Self.rowTable) == nil
    packing.finish(
      sequence: sequence, Self.word(row, at: 1), mark == .keep ? state.ifKept : state,
      isMarkedDropped: mark == .drop, rowKey: hasRow ? row.integer(at: 3) : nil,
      source: ofSeveral ? Int32(clamping: row.integer(at: 12)) : 0)
  }

  private static func word<Word: CaseIterable & RawRepresentable<String>>(
    _ row: borrowing some StoredRow & ~Copyable, at column: Int
  ) -> Word? {
    let word = { (bytes: Span<UInt8>) in
      Word.allCases.first { $0.rawValue.utf8Span.span.isEqual(to: bytes) }
    }
    switch row.storageClass(at: column) {
    case .text: return row.withText(at: column, word)
    case .blob: return row.withBlob(at: column, word)
    // No number is a word.
    case .null, .integer, .real: return nil
    }
  }

  /// Whether the operations should be taken before the next one.
  var isFull: Bool { packing.isFull }

  mutating func take() -> [PendingOperation] { packing.take() }
}

extension SourceDatabase {
  /// Reads the operations of a canonical store from their pages, on several threads; nil where only
  /// the engine can.
  borrowing func readCanonicalOperations(
    onPages decoder: CanonicalOperationDecoder
  ) throws(StoreError) -> OperationList? {
    let tables = try storeErrors { () throws(SQLiteError) in try connection.tables() }
    guard
      let table = SystemTables(tables).planned(
        CanonicalOperationDecoder.columns, from: "rehome_operation"),
      let parts = try parts(of: table)
    else { return nil }
    var operations: OperationList? = OperationList()
    operations?.reserveCapacity(try countRows(of: table))
    let take = { (part: Result<[PendingOperation]?, StoreError>) throws(StoreError) -> Void in
      if let part = try part.get() {
        operations?.append(contentsOf: part)
      } else {
        operations = nil
      }
    }
    var work = OrderedWork<Int, Result<[PendingOperation]?, StoreError>>(threads: threadCount()) {
      var row = parts.makeRow()
      var decoder = decoder
      return { part, emit in
        var isPlain = true
        do throws(StoreError) {
          try parts.forEachStoredRow(ofPart: part, using: &row) { (row, sequence) in
            isPlain = CanonicalOperationDecoder.isPlain(row)
            if isPlain { decoder.add(row, sequence: sequence) }
            return isPlain
          }
          let taken = decoder.take()
          _ = emit(.success(isPlain ? taken : nil))
        } catch {
          _ = emit(.failure(error))
        }
      }
    }
    for part in 0..<parts.count where operations != nil { try work.put(part, take) }
    try work.finish(take)
    return operations
  }
}
