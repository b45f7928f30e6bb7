import Bytes

/// The values that the columns of a table could not take, in any order.
///
/// Such a cell counts as NULL in the hash of its table, so two tables of one hash may differ in these.
package struct RejectedCells: Sendable, Equatable {
  /// How many there are.
  package private(set) var count = 0
  private var sum = DigestSum()

  /// None.
  package init() {}

  /// Adds a value that an earlier run set aside.
  package mutating func add(_ reject: RejectedValue) {
    add(row: reject.row, column: reject.column, reject.raw)
  }

  /// Adds those of a batch of a table.
  package mutating func add(_ batch: borrowing RecordBatch, of table: Table) {
    for reject in batch.rejects {
      add(
        row: batch.keys[reject.row], column: table.columns[reject.column].name, reject.raw)
    }
  }

  /// Whether two tables have the same, or one of them has none, and NULL in their places.
  package func agrees(with other: RejectedCells) -> Bool {
    count == 0 || other.count == 0 || self == other
  }

  private mutating func add(row: Int64, column: String, _ raw: RawValue?) {
    count += 1
    var bytes: [UInt8] = []
    bytes.appendBigEndian(UInt64(bitPattern: row))
    bytes.appendBigEndian(UInt64(column.utf8.count))
    bytes.append(contentsOf: column.utf8)
    if let raw { bytes.append(raw) }
    var hash = SHA256()
    hash.update(bytes.span)
    sum.add(hash.finish())
  }
}

extension [UInt8] {
  /// Appends a value with the class that it was stored as.
  fileprivate mutating func append(_ raw: RawValue) {
    switch raw {
    case .integer(let number):
      append(1)
      appendBigEndian(UInt64(bitPattern: number))
    case .real(let number):
      append(2)
      appendBigEndian(number.bitPattern)
    case .text(let text):
      append(3)
      append(contentsOf: text)
    case .binary(let binary):
      append(4)
      append(contentsOf: binary)
    }
  }
}
