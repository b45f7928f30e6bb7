/// Some rows of a table in key order: one byte arena and one array of values.
///
/// The arena holds the pages themselves, as they were read; nothing of a row is copied unless it
/// is on overflow pages. A batch can be filled again and again without new memory.
package struct StoredBatch: Sendable {
  /// The values of all rows, `columnCount` for each.
  package internal(set) var values: [StoredValue] = []
  /// The row id of each row.
  package internal(set) var keys: [Int64] = []
  /// The bytes that texts and blobs are ranges of; texts are in the file's encoding, unchecked.
  package internal(set) var arena: [UInt8] = []
  /// How many values make a row.
  package internal(set) var columnCount = 0

  /// A batch without rows.
  package init() {}

  /// How many rows there are.
  package var rowCount: Int { keys.count }

  /// Forgets all rows and keeps the memory.
  mutating func removeAll() {
    values.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    arena.removeAll(keepingCapacity: true)
  }
}
