import Bytes
package import Records
import SQLite

/// The journal of the replay of one store to one target, kept in the store itself.
///
/// What was sent to one target says nothing about another, so each target has lines of its own.
package final class ReplayJournal {
  private let store: LiveStore
  private let target: String
  private let insertion: KeptStatement

  /// Opens the journal; a store that was made before the journal had all its columns gets them.
  package init(in store: LiveStore, target: String) throws(StoreError) {
    self.store = store
    self.target = target
    insertion = try storeErrors(path: store.path) { () throws(SQLiteError) in
      try store.connection.addLaterReplayColumns()
      return KeptStatement(
        try store.connection.prepare(
          """
          INSERT INTO rehome_replay (sequence, at, event, detail, target, attempt, status, version)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """))
    }
  }

  /// Writes lines; when this returns, they outlive the loss of power.
  ///
  /// - Throws: `StoreError` when the store cannot be written; then none of them is there.
  package func append(_ lines: [JournalLine]) throws(StoreError) {
    guard !lines.isEmpty else { return }
    try store.transaction { () throws(StoreError) in
      try storeErrors(path: store.path) { () throws(SQLiteError) in
        for line in lines { try insert(line) }
      }
    }
  }

  private func insert(_ line: JournalLine) throws(SQLiteError) {
    try insertion.statement.bind(line.sequence, at: 1)
    try insertion.statement.bind(line.time.text, at: 2)
    try insertion.statement.bind(line.event, at: 3)
    try insertion.statement.bind(line.detail, at: 4)
    try insertion.statement.bind(target, at: 5)
    try insertion.statement.bind(line.attempt, at: 6)
    try insertion.statement.bind(line.status, at: 7)
    try insertion.statement.bind(line.version, at: 8)
    try insertion.statement.run()
  }
}

extension Connection {
  /// The columns of the journal that older stores may lack.
  fileprivate func addLaterReplayColumns() throws(SQLiteError) {
    let known = try replayColumns()
    for (name, type) in CanonicalSchema.laterReplayColumns where !known.contains(name) {
      try execute("ALTER TABLE rehome_replay ADD COLUMN \(name) \(type)")
    }
  }

  /// The names of the journal's columns.
  func replayColumns() throws(SQLiteError) -> Set<String> {
    let table = try tables().first { $0.name == "rehome_replay" }
    return Set(table?.columns.map(\.name) ?? [])
  }
}
