import Bytes
package import Records
import SQLite

/// Writes a person's decisions about operations into a canonical store; nothing is ever deleted.
package enum CanonicalMarks {
  /// Marks operations by their `sequence`, all or none.
  ///
  /// The caller has made sure that the file is a canonical store and has these operations.
  package static func add(
    _ mark: OperationMark, to sequences: some Sequence<Int64>, inStoreAt path: String
  ) throws(StoreError) {
    try storeErrors("the marks cannot be written", path: path) { () throws(StoreError) in
      let store = try LiveStore(at: path)
      try store.transaction { () throws(StoreError) in
        try storeErrors { () throws(SQLiteError) in
          try store.connection.execute(CanonicalSchema.marks.creation)
          try store.connection.write(
            sequences.lazy.map { NumberedMark(mark, about: $0) }, to: CanonicalSchema.marks)
        }
      }
      try store.close()
    }
  }
}
