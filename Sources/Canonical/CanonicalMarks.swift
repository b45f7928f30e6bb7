import Bytes
package import Records
import SQLite

/// Writes a person's decisions about operations into a canonical store; nothing is ever deleted.
package enum CanonicalMarks {
  /// Marks operations by their `sequence`, all or none.
  ///
  /// The caller has made sure that the file is a canonical store and has these operations.
  package static func add(
    _ mark: OperationMark, to sequences: [Int64], inStoreAt path: String
  ) throws(StoreError) {
    try storeErrors("the marks cannot be written", path: path) { () throws(SQLiteError) in
      let connection = try Connection(opening: path, mode: .readWrite)
      // A store may have triggers of whoever made it; none of them shall run.
      try connection.harden()
      try connection.execute("BEGIN IMMEDIATE")
      try connection.execute(CanonicalSchema.marks.creation)
      try connection.write(
        sequences.map { NumberedMark(mark, about: $0) }, to: CanonicalSchema.marks)
      try connection.execute("COMMIT")
    }
  }
}
