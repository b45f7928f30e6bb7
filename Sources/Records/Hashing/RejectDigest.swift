import Bytes

/// Stands for the values that the columns of a table could not take, in whatever order they come.
///
/// Such a cell counts as NULL in the hash of its table, so two tables of one hash may differ in these.
package struct RejectDigest: Sendable, Equatable {
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
      add(row: batch.keys[reject.row], column: table.columns[reject.column].name, reject.raw)
    }
  }

  private mutating func add(row: Int64, column: String, _ raw: RawValue?) {
    count += 1
    var place: [UInt8] = []
    place.appendBigEndian(UInt64(bitPattern: row))
    place.appendBigEndian(UInt64(column.utf8.count))
    place.append(contentsOf: column.utf8)
    var hash = SHA256()
    hash.update(place.span)
    if let raw { raw.update(&hash) }
    sum.add(hash.finish())
  }
}

extension RawValue {
  /// A number that stands for the value: the beginning of a hash.
  package var fingerprint: Int64 {
    var hash = SHA256()
    update(&hash)
    return Int64(bitPattern: hash.finish().words.first)
  }

  /// Hashes the value with the class that it was stored as, without a copy, since it may be long.
  fileprivate func update(_ hash: inout SHA256) {
    let (storage, bytes) = (Array("\(storage) ".utf8), bytes)
    hash.update(storage.span)
    hash.update(bytes.span)
  }
}
