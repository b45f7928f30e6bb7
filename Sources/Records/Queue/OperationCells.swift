import Bytes

/// How operations are laid out as rows.
package enum RecordForm: Sendable {
  /// As `BookkeepingTable.operations` says.
  case exported
  /// As a canonical store keeps them: their source goes before, a value is one cell, and the state is
  /// that beneath a person's mark, which has a table of its own.
  case stored
}

/// Appends operations as rows.
///
/// Neighbours share the memory of their texts, of which a batch then has one copy.
struct OperationCells {
  private let form: RecordForm
  /// The memory that was copied last, and what leads from a place in it to that of the copy.
  private var shared: [UInt8] = []
  private var offset = 0

  init(form: RecordForm) { self.form = form }

  /// Appends the operation at a place, with the row that it is tied to where that is known beside
  /// it.
  mutating func append(
    _ place: Int, of operations: OperationList, tiedTo rows: borrowing RowMatches,
    to batch: inout RecordBatch
  ) {
    operations.with(place) { operation in
      if !operation.fields.isPacked(in: shared) {
        let fields = operation.fields
        let next = place + 1
        let isShared =
          next < operations.count && operations[next].fields.isPacked(in: fields.bytes)
        copy(fields, withNeighbours: isShared, to: &batch)
      }
      batch.append(operation, at: place, form, fieldsAt: offset, tiedTo: rows)
    }
  }

  mutating func forgetCopy() { shared = [] }

  /// Copies the fields and those of operations to come; longer ones, of which a batch holds few,
  /// are copied one by one.
  private mutating func copy(
    _ fields: OperationFields, withNeighbours isShared: Bool, to batch: inout RecordBatch
  ) {
    let own = fields.block
    let rest = own.lowerBound..<fields.bytes.count
    let all = isShared && rest.count <= Self.sharedLimit
    let range = all ? rest : own
    offset = batch.append(bytes: fields.bytes.span.extracting(range)) &- range.lowerBound
    shared = all ? fields.bytes : []
  }

  /// How much is copied together.
  private static let sharedLimit = 64 << 10
}

extension RecordBatch {
  fileprivate mutating func append(
    _ operation: borrowing PendingOperation, at place: Int, _ form: RecordForm,
    fieldsAt offset: Int, tiedTo rows: borrowing RowMatches
  ) {
    let fields = operation.fields
    let row = rows.row(of: operation, at: place)
    let places = fields.places
    if form == .stored { append(.integer(operation.source.asNumber)) }
    append(textAt: places[.table], offset)
    append(textAt: places[.itemID], offset)
    append(text: operation.kind?.rawValue)
    append(text: (form == .stored ? operation.ownState : operation.state).rawValue)
    append(textAt: fields.itemRange(places), offset)
    if let version = row?.version {
      appendText(version.span)
    } else {
      append(textAt: places[.baseVersion], offset)
    }
    append((row.map(\.key) ?? operation.rowKey).map(Cell.integer) ?? .null)
    if let row {
      rows.with(tableOf: row) { table in
        let isNamed = row.key != nil && !operation.isForTable(table)
        if isNamed { appendText(table) } else { append(.null) }
      }
    } else {
      append(textAt: places[.rowTable], offset)
    }
    append(textAt: places[.originalID], offset)
    append(textAt: places[.originalCode], offset)
    switch form {
    case .exported: append(rawAt: places[.raw], of: fields, offset)
    case .stored: append(storedAt: places[.raw], of: fields, offset)
    }
    endRow(key: operation.sequence)
  }

  @inline(__always)
  private mutating func append(textAt place: Range<Int>?, _ offset: Int) {
    guard let place else { return append(.null) }
    appendText(inArenaFrom: offset, place)
  }

  /// Appends the payload as a store keeps it: text that is not UTF-8 as bytes.
  private mutating func append(
    storedAt place: Range<Int>?, of fields: OperationFields, _ offset: Int
  ) {
    guard let place, let mark = fields.bytes[place].first else { return append(.null) }
    let value = place.dropFirst()
    switch mark {
    case OperationFields.Mark.text where isValidUTF8(fields.bytes.span.extracting(value)):
      appendText(inArenaFrom: offset, value)
    case OperationFields.Mark.text, OperationFields.Mark.binary:
      appendBinary(inArenaFrom: offset, value)
    default: append(fields.raw?.number ?? .null)
    }
  }

  /// Appends the payload as stored as two cells: the storage class and the bytes.
  private mutating func append(
    rawAt place: Range<Int>?, of fields: OperationFields, _ offset: Int
  ) {
    guard let place, let mark = fields.bytes[place].first else {
      append(.null)
      return append(.null)
    }
    let value = place.dropFirst()
    switch mark {
    case OperationFields.Mark.text:
      // Text that is not UTF-8 counts as a blob, as in `RawValue.asStored`.
      append(text: isValidUTF8(fields.bytes.span.extracting(value)) ? "text" : "blob")
      appendBinary(inArenaFrom: offset, value)
    case OperationFields.Mark.binary:
      append(text: "blob")
      appendBinary(inArenaFrom: offset, value)
    default:
      append(text: fields.raw?.storage)
      let number = fields.raw?.bytes ?? []
      appendBinary(number.span)
    }
  }
}

extension OperationFields {
  /// Whether the fields are in this memory, not in a copy of it.
  fileprivate func isPacked(in memory: [UInt8]) -> Bool {
    bytes.span.isIdentical(to: memory.span)
  }
}

extension RawValue {
  /// A number as a cell; nil for text and bytes.
  fileprivate var number: Cell? {
    switch self {
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text, .binary: nil
    }
  }
}

extension Int32 {
  /// The number of a source; where there is only one, nothing names it.
  package var asNumber: Int64 { Int64(Swift.max(1, self)) }
}
