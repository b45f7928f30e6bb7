import Bytes

extension OperationFields {
  /// Appends a field of text as a cell.
  func append(_ field: Field, _ places: borrowing Places, to batch: inout RecordBatch) {
    guard let range = places[field.rawValue] else { return batch.append(.null) }
    batch.appendText(bytes.span.extracting(range))
  }

  /// Appends the item as a cell.
  func appendItem(_ places: borrowing Places, to batch: inout RecordBatch) {
    guard let range = itemRange(places) else { return batch.append(.null) }
    batch.appendText(bytes.span.extracting(range))
  }

  /// Appends the payload as stored as two cells: the storage class and the bytes.
  func appendRaw(_ places: borrowing Places, to batch: inout RecordBatch) {
    guard let range = places[Field.raw.rawValue], let mark = bytes[range].first else {
      batch.append(.null)
      return batch.append(.null)
    }
    let value = bytes.span.extracting(range.dropFirst())
    switch mark {
    // Text that is not UTF-8 counts as a blob, as in `RawValue.storage`.
    case Mark.text: batch.append(text: isValidUTF8(value) ? "text" : "blob")
    case Mark.binary: batch.append(text: "blob")
    default: batch.append(text: raw?.storage)
    }
    if mark == Mark.text || mark == Mark.binary { return batch.appendBinary(value) }
    let number = raw?.bytes ?? []
    batch.appendBinary(number.span)
  }
}
