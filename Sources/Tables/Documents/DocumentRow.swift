import Bytes
import Formats
import Records
import SQLite

/// A row of which some values are members of a document, each as a value of the engine would be.
///
/// It keeps its memory from row to row.
struct DocumentRow: StoredRow {
  private struct Value {
    var storage = StorageClass.null
    /// A whole number, or the bits of another one.
    var number: Int64 = 0
    /// Where the bytes of a text or blob are.
    var range = 0..<0
  }

  /// The place of a stored column among those that are read, or what a member becomes.
  private enum Source {
    case stored(Int)
    case member(key: [UInt8], DocumentForm)
  }

  private let sources: [Source]
  /// The column of the document in the rows that are read.
  private let document: Int
  /// The first column that is a member.
  private let firstMember: Int?
  private var values: [Value]
  private var bytes: [UInt8] = []
  private var members = DocumentMembers()
  /// Where the member of each column was in the last document.
  private var hints: [Int]

  /// A row of some columns, before the first; those that are no members are stored in their order,
  /// and the document behind them.
  init(_ columns: [PlannedColumn]) {
    var stored = 0
    sources = columns.map { column in
      if let member = column.member {
        return .member(key: Array(member.key.utf8), member.form)
      }
      stored += 1
      return .stored(stored)
    }
    document = stored + 1
    firstMember = columns.firstIndex { $0.member != nil }
    values = columns.map { _ in Value() }
    hints = Array(columns.indices)
  }

  /// Takes the values of a stored row.
  ///
  /// - Returns: what the row's document is instead of an object, for the first column that would be
  ///   a member of it.
  mutating func read(
    _ row: borrowing some StoredRow & ~Copyable
  ) -> (column: Int, document: RawValue)? {
    bytes.removeAll(keepingCapacity: true)
    let stored = StoredDocument(row, at: document, &members)
    for place in sources.indices {
      values[place] = Value()
      switch sources[place] {
      case .stored(let column): take(row, column, at: place)
      case .member(let key, let form):
        if let member = members.member(of: key, &hints[place]) { take(member, form, at: place) }
      }
    }
    guard case .unreadable(let raw) = stored, let firstMember else { return nil }
    return (firstMember, raw)
  }

  private mutating func take(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, at place: Int
  ) {
    let storage = row.storageClass(at: column)
    switch storage {
    case .null: break
    case .integer: values[place].number = row.integer(at: column)
    case .real: values[place].number = Int64(bitPattern: row.real(at: column).bitPattern)
    case .text: values[place].range = row.withText(at: column) { bytes.appended($0) }
    case .blob: values[place].range = row.withBlob(at: column) { bytes.appended($0) }
    }
    values[place].storage = storage
  }

  private mutating func take(
    _ member: DocumentMembers.Member, _ form: DocumentForm, at place: Int
  ) {
    switch members.withText(member, { form.value(member.kind, $0) }) {
    case .null: break
    case .integer(let number):
      values[place].storage = .integer
      values[place].number = number
    case .real(let number):
      values[place].storage = .real
      values[place].number = Int64(bitPattern: number.bitPattern)
    case .asIs:
      values[place].storage = .text
      values[place].range = members.withText(member) { bytes.appended($0) }
    case .text(let text):
      values[place].storage = .text
      values[place].range = bytes.appended(text.span)
    }
  }

  func storageClass(at column: Int) -> StorageClass { values[column - 1].storage }

  func integer(at column: Int) -> Int64 { values[column - 1].number }

  func real(at column: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: values[column - 1].number))
  }

  func bytes(at column: Int) -> [UInt8] { Array(bytes[values[column - 1].range]) }

  func withText<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    body(bytes.span.extracting(values[column - 1].range))
  }

  func withBlob<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    withText(at: column, body)
  }

  func appendText(at column: Int, to batch: inout RecordBatch) {
    withText(at: column) { batch.appendText($0) }
  }

  func appendBlob(at column: Int, to batch: inout RecordBatch) {
    withBlob(at: column) { batch.appendBinary($0) }
  }
}

extension [UInt8] {
  /// Appends bytes and tells where they are.
  fileprivate mutating func appended(_ more: Span<UInt8>) -> Range<Int> {
    let start = count
    append(more)
    return start..<count
  }
}

extension RowDecoder {
  /// Adds a row with a document to a batch; `row` keeps its memory.
  ///
  /// A document that is no object leaves its cells empty; the first of them has it as a reject.
  func decodeRow(
    _ stored: borrowing some StoredRow & ~Copyable, key: Int64, through row: inout DocumentRow,
    into batch: inout RecordBatch
  ) {
    let unreadable = row.read(stored)
    for place in plan.indices {
      if let unreadable, place == unreadable.column {
        batch.reject(column: place, code: .rowJSONUnreadable, raw: unreadable.document)
      } else {
        decode(row, place + 1, row.storageClass(at: place + 1), key: key, into: &batch)
      }
    }
    batch.endRow(key: key)
  }
}
