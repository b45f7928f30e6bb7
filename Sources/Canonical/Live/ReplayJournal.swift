import Bytes
package import Records
import SQLite

/// The journal of the replay of one store to one target, kept in the store itself.
///
/// What was sent to one target says nothing about another, so each target has lines of its own.
package final class ReplayJournal {
  private let store: LiveStore
  private let target: String
  private var insertion: RecordInsertion<JournalLine>

  /// Opens the journal; a store that was made before the journal had all its columns gets them.
  package init(in store: LiveStore, target: String) throws(StoreError) {
    self.store = store
    self.target = target
    try store.begin()
    insertion = try storeErrors(path: store.path) { () throws(SQLiteError) in
      try store.connection.addLaterReplayColumns()
      return try store.connection.prepareInsertion(into: CanonicalSchema.journal)
    }
  }

  /// Writes lines; when this returns, they outlive the loss of power.
  ///
  /// - Throws: `StoreError` when the store cannot be written; then none of them is there.
  package func append(_ lines: some Sequence<JournalLine>) throws(StoreError) {
    var lines = lines.makeIterator()
    guard let first = lines.next() else { return }
    try store.transaction { () throws(StoreError) in
      try storeErrors(path: store.path) { () throws(SQLiteError) in
        try insert(first)
        while let line = lines.next() { try insert(line) }
      }
    }
  }

  private func insert(_ line: JournalLine) throws(SQLiteError) {
    var line = line
    line.target = target
    try insertion.insert(line)
  }
}

extension Connection {
  /// The columns of the journal that older stores may lack.
  fileprivate func addLaterReplayColumns() throws(SQLiteError) {
    let journal = CanonicalSchema.journal
    let lacking = journal.optionalColumns.subtracting(try columns(ofTable: journal.name))
    for field in journal.fields where lacking.contains(field.name) {
      try execute("ALTER TABLE \(journal.name) ADD COLUMN \(field.declaration())")
    }
  }
}
