import Bytes
package import Records
import SQLite

/// Turns stored rows into rows of a batch: column 0 is the key, the others follow the plan.
///
/// A value that does not fit its column leaves the cell empty and is kept as a reject.
struct RowDecoder: Sendable {
  /// How each column of the table is decoded, in the order of the statement's columns from 1.
  let plan: [CellDecoding]
  /// Whether the rows have no key of their own and are numbered from 1 instead.
  let numbersRows: Bool
  /// Where values live that are files of their own.
  let externalData: ExternalDataFolder?
  /// What to try first for each column.
  let shortcuts: [Shortcut]
  /// Whether nobody wants to see the values of a column, which are only checked.
  let isOnlyChecked: [Bool]

  /// The decodings that most cells of most stores need, without what the others carry along.
  enum Shortcut: UInt8 {
    case text
    case integer
    case real
    case boolean
    case secondsSince2001
    case decimal
    case uuidBytes
    case binary
    case taggedBinary
    case timestampText
    case none

    init(_ decoding: CellDecoding) {
      switch decoding {
      case .text: self = .text
      case .integer, .reference(otherSide: [:]): self = .integer
      case .real: self = .real
      case .boolean: self = .boolean
      case .secondsSince2001: self = .secondsSince2001
      case .decimal: self = .decimal
      case .uuidBytes: self = .uuidBytes
      case .binary: self = .binary
      case .taggedBinary, .perhapsTagged: self = .taggedBinary
      case .timestampText: self = .timestampText
      default: self = .none
      }
    }
  }
  /// The rows in which no value is only checked.
  private let wholeRows: KeyLookup
  /// Whether those that operations name are such.
  private let takesNamedRowsWhole: Bool

  /// A decoder; all cells are wanted unless some are named.
  init(
    plan: [CellDecoding], numbersRows: Bool = false, externalData: ExternalDataFolder? = nil,
    wanting cells: WantedCells? = nil
  ) {
    self.plan = plan
    shortcuts = plan.map(Shortcut.init)
    isOnlyChecked = plan.indices.map { cells?.columns.contains($0) == false }
    wholeRows = cells?.wholeRows ?? KeyLookup()
    takesNamedRowsWhole = cells?.wantsNamedRows ?? false
    self.numbersRows = numbersRows
    self.externalData = externalData
  }

  func step(_ statement: inout Statement) throws(StoreError) -> Bool {
    do {
      return try statement.step()
    } catch {
      throw StoreError(error)
    }
  }

  func decodeRow(
    _ row: borrowing some StoredRow & ~Copyable, key: Int64, isNamed: Bool = false,
    into batch: inout RecordBatch
  ) {
    let hides = hidesCells(ofRow: key, isNamed: isNamed)
    for index in plan.indices {
      let column = index &+ 1
      let storage = row.storageClass(at: column)
      if hides, isOnlyChecked[index], fits(row, column, storage) {
        batch.append(.null)
      } else {
        decode(row, column, storage, key: key, into: &batch)
      }
    }
    batch.endRow(key: key)
  }

  /// Whether the cells of a row may be left empty where their values are only checked.
  @inline(__always)
  func hidesCells(ofRow key: Int64, isNamed: Bool) -> Bool {
    !(isNamed && takesNamedRowsWhole) && !wholeRows.contains(key)
  }

  func decode(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    key: Int64, into batch: inout RecordBatch
  ) {
    switch (plan[column - 1], storage) {
    case (.reference(let otherSide), .null):
      batch.append(otherSide[key].map(Cell.integer) ?? .null)
    case (.entityName(let names, let otherSide), .null):
      batch.append(text: otherSide[key].flatMap { names[$0] })
    case (_, .null):
      batch.append(.null)
    case (.text, .text):
      appendText(row, column, into: &batch)
    case (.integer, .integer), (.reference, .integer):
      batch.append(.integer(row.integer(at: column)))
    case (.real, .real):
      batch.append(.real(row.real(at: column)))
    case (.binary, .blob):
      row.appendBlob(at: column, to: &batch)
    case (.boxEdge(let edge, let count, let isWhole), .blob):
      let number = row.withBlob(at: column) { boxEdge(edge, of: count, inNode: $0, key: key) }
      append(boxEdge: number, isWhole: isWhole, row, column, into: &batch)
    case (.secondsSince2001, .real):
      if let failure = appendTimestamp(row, column, storage, into: &batch) {
        reject(failure, row, column, into: &batch)
      }
    default:
      decodeRarely(row, column, storage, into: &batch)
    }
  }

  /// Whether a value that nobody wants to see is one of those that are quickly found to be right.
  private func fits(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass
  ) -> Bool {
    switch (plan[column &- 1], storage) {
    case (_, .null), (.integer, .integer), (.real, .real), (.binary, .blob): true
    case (.text, .text): row.withText(at: column) { isValidUTF8($0) }
    case (.timestampText, .text): row.withText(at: column) { isTimestampOfMilliseconds($0) }
    case (.secondsSince2001, .integer):
      Timestamp(wholeSecondsSince2001: row.integer(at: column)) != nil
    case (.secondsSince2001, .real):
      Timestamp(secondsSince2001: row.real(at: column)) != nil
    default: false
    }
  }

  /// The decodings that compute something, and those that fail.
  private func decodeRarely(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, _ storage: StorageClass,
    into batch: inout RecordBatch
  ) {
    let failure: RejectCode?
    switch plan[column - 1] {
    case .textOrNumber: failure = appendTextOrNumber(row, column, storage, into: &batch)
    case .boolean: failure = appendBoolean(row, column, storage, into: &batch)
    case .secondsSince2001: failure = appendTimestamp(row, column, storage, into: &batch)
    case .timestampText: failure = appendTimestampText(row, column, storage, into: &batch)
    case .time(let form): failure = appendTime(row, column, storage, form, into: &batch)
    case .decimal: failure = appendDecimal(row, column, storage, into: &batch)
    case .uuidBytes: failure = appendUUID(row, column, storage, into: &batch)
    case .uuid: failure = appendUUIDOrText(row, column, storage, into: &batch)
    case .base64: failure = appendBase64(row, column, storage, into: &batch)
    case .versionText: failure = appendVersion(row, column, storage, into: &batch)
    case .versionNumber: failure = appendVersionNumber(row, column, storage, into: &batch)
    case .real: failure = appendWholeReal(row, column, storage, into: &batch)
    case .wholeNumber: failure = appendWholeNumber(row, column, storage, within: nil, into: &batch)
    case .booleanNumber:
      failure = appendWholeNumber(row, column, storage, within: 0...1, into: &batch)
    case .entityName(let names, _):
      failure = appendName(row, column, storage, names, into: &batch)
    case .taggedBinary:
      failure = appendTagged(row, column, storage, isCertain: true, into: &batch)
    case .perhapsTagged:
      failure = appendTagged(row, column, storage, isCertain: false, into: &batch)
    case .archivedJSON(let isTagged):
      appendArchivedJSON(row, column, storage, isTagged: isTagged, into: &batch)
      failure = nil
    case .text, .integer, .binary, .reference, .boxEdge: failure = .valueOfWrongType
    }
    if let failure { reject(failure, row, column, into: &batch) }
  }

  private func reject(
    _ failure: RejectCode, _ row: borrowing some StoredRow & ~Copyable, _ column: Int,
    into batch: inout RecordBatch
  ) {
    batch.reject(column: column - 1, code: failure, raw: RawValue(row, at: column))
  }

  /// Appends an edge of a box; one that the node does not have, or that is no number, is rejected.
  private func append(
    boxEdge bits: UInt32?, isWhole: Bool, _ row: borrowing some StoredRow & ~Copyable,
    _ column: Int, into batch: inout RecordBatch
  ) {
    guard let bits else { return reject(.valueOfWrongType, row, column, into: &batch) }
    if isWhole { return batch.append(.integer(Int64(Int32(bitPattern: bits)))) }
    let value = Float(bitPattern: bits)
    guard !value.isNaN else { return reject(.valueOutOfRange, row, column, into: &batch) }
    batch.append(.real(Double(value)))
  }

  private func appendText(
    _ row: borrowing some StoredRow & ~Copyable, _ column: Int, into batch: inout RecordBatch
  ) {
    if let failure = appendValidText(row, column, into: &batch) {
      reject(failure, row, column, into: &batch)
    }
  }
}

extension RawValue {
  /// A column of the current row as stored; NULL, which is never rejected, counts as no bytes.
  package init(_ row: borrowing some StoredRow & ~Copyable, at column: Int) {
    switch row.storageClass(at: column) {
    case .integer: self = .integer(row.integer(at: column))
    case .real: self = .real(row.real(at: column))
    case .text: self = .text(row.storedBytes(at: column))
    case .blob, .null: self = .binary(row.bytes(at: column))
    }
  }
}
