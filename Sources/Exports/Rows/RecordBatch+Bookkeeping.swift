import Bytes
import Records

extension RecordBatch {
  /// Lends the record that a blank one becomes with each row of a bookkeeping table.
  func forEachRecord<Record, Failure: Error>(
    _ fields: [RecordField<Record>], _ blank: Record,
    _ body: (Record) throws(Failure) -> Void
  ) throws(Failure) {
    for row in 0..<rowCount { try body(RowFields(row: row, of: self).record(blank, fields)) }
  }

  /// The same of records that tell their sources where there are several.
  func forEachSourcedRecord<Record: Sourced, Failure: Error>(
    _ part: BookkeepingTable, _ fields: [RecordField<Record>], _ blank: Record,
    _ body: (Record) throws(Failure) -> Void
  ) throws(Failure) {
    let isOfSeveral = columnCount > part.table.columns.count
    try forEachRecord(fields.ofSeveral(isOfSeveral), blank, body)
  }

  /// Lends the rejected values that the rows tell of.
  func forEachRejectedValue<Failure: Error>(
    _ body: (RejectedValue) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachSourcedRecord(.rejects, RejectedValue.fields, .blank, body)
  }

  /// Lends what devices would send, as the rows tell it.
  func forEachDeviceItem<Failure: Error>(
    _ body: (DeviceItem) throws(Failure) -> Void
  ) throws(Failure) {
    for row in 0..<rowCount {
      let blank = DeviceItem(operation: keys[row])
      try body(RowFields(row: row, of: self).record(blank, DeviceItem.exportedFields))
    }
  }

  /// Lends the lines of a journal.
  func forEachJournalLine<Failure: Error>(
    _ body: (JournalLine) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachRecord(JournalLine.fields, .blank, body)
  }
}

/// The cells of one row, by place.
struct RowFields {
  private let cells: [Cell]
  private let arena: [UInt8]

  init(row: Int, of batch: borrowing RecordBatch) {
    cells = Array(batch.cells(ofRow: row))
    arena = batch.arena
  }

  /// The record that a blank one becomes with the cells of its fields.
  func record<Record>(_ blank: Record, _ fields: [RecordField<Record>]) -> Record {
    var record = blank
    var place = 0
    for field in fields {
      field.take(value(place, of: field.type), &record)
      // A value of any class takes two cells.
      place += field.type == nil ? 2 : 1
    }
    return record
  }

  private func value(_ place: Int, of type: LogicalType?) -> FieldValue {
    switch type {
    case nil: raw(place).map(FieldValue.raw) ?? .null
    case .integer: integer(place).map(FieldValue.integer) ?? .null
    default: bytes(place).map(FieldValue.utf8) ?? .null
    }
  }

  func bytes(_ place: Int) -> [UInt8]? {
    cells[place].kind == .null ? nil : Array(arena[cells[place].range])
  }

  func text(_ place: Int) -> String? {
    bytes(place).map { String(decoding: $0, as: UTF8.self) }
  }

  func integer(_ place: Int) -> Int64? {
    cells[place].kind == .integer ? cells[place].integer : nil
  }

  /// The value whose storage class is at `place`, and whose bytes come next.
  func raw(_ place: Int) -> RawValue? {
    guard let storage = text(place), let bytes = bytes(place + 1) else { return nil }
    switch storage {
    case "integer": return .integer(Int64(bitPattern: word(bytes)))
    case "real": return .real(Double(bitPattern: word(bytes)))
    case "text": return .text(bytes)
    default: return .binary(bytes)
    }
  }

  private func word(_ bytes: [UInt8]) -> UInt64 {
    bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
