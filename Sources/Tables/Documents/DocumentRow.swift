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
    /// Whether they are those of the document.
    var isOfDocument = false
  }

  /// A column whose values are members of the document.
  private struct MemberColumn {
    let place: Int
    let form: DocumentForm
  }

  /// The places of the columns that are stored, in the order in which they are read.
  private let stored: [Int]
  private var keys = MemberKeys()
  /// The columns of each key, by its number.
  private var columnsOfKey: [[MemberColumn]] = []
  /// The first column that is a member.
  private let firstMember: Int?
  private var values: [Value]
  private var bytes: [UInt8] = []
  private var members = DocumentMembers()

  /// A row of some columns, before the first; those that are no members are stored in their order,
  /// and the document behind them.
  init(_ columns: [PlannedColumn]) {
    stored = columns.indices.filter { columns[$0].member == nil }
    firstMember = columns.firstIndex { $0.member != nil }
    values = columns.map { _ in Value() }
    for (place, column) in columns.enumerated() {
      guard let member = column.member else { continue }
      let number = keys.number(of: Array(member.key.utf8))
      if number == columnsOfKey.count { columnsOfKey.append([]) }
      columnsOfKey[number].append(MemberColumn(place: place, form: member.form))
    }
  }

  /// Takes the values of a stored row.
  ///
  /// - Returns: what the row's document is instead of an object, for the first column that would be
  ///   a member of it.
  mutating func read(
    _ row: borrowing some StoredRow & ~Copyable
  ) -> (column: Int, document: RawValue)? {
    bytes.removeAll(keepingCapacity: true)
    for place in values.indices { values[place] = Value() }
    for (column, place) in stored.enumerated() { take(row, column + 1, at: place) }
    let document = StoredDocument(row, at: stored.count + 1, &members)
    for (place, member) in members.list.enumerated() {
      let number = keys.number(of: member, at: place, in: members)
      guard number < columnsOfKey.count else { continue }
      for column in columnsOfKey[number] { take(member, column.form, at: column.place) }
    }
    guard case .unreadable(let raw) = document, let firstMember else { return nil }
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
    case .text: values[place].range = row.withText(at: column) { bytes.add($0) }
    case .blob: values[place].range = row.withBlob(at: column) { bytes.add($0) }
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
      values[place].range = member.text
      values[place].isOfDocument = true
    case .text(let text):
      values[place].storage = .text
      values[place].range = bytes.add(text.span)
    }
  }

  func storageClass(at column: Int) -> StorageClass { values[column - 1].storage }

  func integer(at column: Int) -> Int64 { values[column - 1].number }

  func real(at column: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: values[column - 1].number))
  }

  func bytes(at column: Int) -> [UInt8] {
    var copy: [UInt8] = []
    withText(at: column) { copy.append($0) }
    return copy
  }

  func withText<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let value = values[column - 1]
    return value.isOfDocument
      ? members.withBytes(value.range, body) : body(bytes.span.extracting(value.range))
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
  fileprivate mutating func add(_ more: Span<UInt8>) -> Range<Int> {
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
