import Bytes
package import Records
import SQLite
import Tables

extension OpenStore {
  /// Lends all lines of the journal about one target in the order in which they were written, however
  /// they spell it.
  package func forEachJournalLine(
    target: String, _ body: (JournalLine) throws(StoreError) -> Void
  ) throws(StoreError) {
    let rows = try errors { (connection) throws(SQLiteError) -> RecordRows<JournalLine>? in
      let journal = CanonicalSchema.journal
      // A store that was never replayed since the journal knows of targets has no line to lend.
      guard try connection.columns(ofTable: journal.name).contains("target") else { return nil }
      let isServer = target.hasPrefix("http")
      var rows = try connection.records(
        of: journal, "WHERE target \(isServer ? "LIKE 'http%'" : "= ?") ORDER BY id")
      if !isServer { try rows?.statement.bind(target, at: 1) }
      return rows
    }
    guard var rows else { return }
    let plain = plainServerAddress(target)
    while var line = try rows.next(path: path) {
      guard let other = line.target,
        hasSameBytes(other, target) || hasSameBytes(plainServerAddress(other), plain)
      else { continue }
      line.target = nil
      try body(line)
    }
  }

  /// Whether several sources share the store, and each table has the columns of them all.
  package func isOfSeveral() throws(StoreError) -> Bool {
    try errors { (connection) throws(SQLiteError) in
      try connection.integer("SELECT count(*) > 1 FROM rehome_source") != 0
    }
  }

  /// The operations that tell their kind and have a payload that is no JSON object: without the
  /// version in it a delete would take away whatever the server has.
  ///
  /// Most SDKs take an `empty` payload for none.
  package func unreadableOperations() throws(StoreError) -> (damaged: KeySet, empty: KeySet) {
    try errors { (connection) throws(SQLiteError) in
      var (damaged, empty): (KeySet, KeySet) = ([], [])
      var statement = try connection.prepare(
        """
        SELECT sequence, raw FROM rehome_operation
        WHERE kind IS NOT NULL AND item IS NULL AND raw IS NOT NULL
          AND source NOT IN (SELECT id FROM rehome_source WHERE layout = 'azure-mobile-ios')
        """)
      while try statement.step() {
        switch statement.optionalRaw(at: 1)?.payloadForm {
        case .missing, .object, nil: break
        case .empty: empty.insert(statement.integer(at: 0))
        case .strange: damaged.insert(statement.integer(at: 0))
        }
      }
      return (damaged, empty)
    }
  }

  /// The deletes of one branch of a document of which another one stays, as far as the operations
  /// say so; those of stores that were converted earlier do not.
  package func deletesOfBranches() throws(StoreError) -> KeySet {
    try errors { (connection) throws(SQLiteError) in
      var sequences: KeySet = []
      var statement = try connection.prepare(
        """
        SELECT sequence, raw FROM rehome_operation WHERE kind = 'delete' AND typeof(raw) = 'text'
        """)
      while try statement.step() {
        if BookkeepingJSON.isTrue("deletesBranchOnly", in: statement.bytes(at: 1)) {
          sequences.insert(statement.integer(at: 0))
        }
      }
      return sequences
    }
  }

  /// What is known about the stores whose operations these are.
  package func queueFacts() throws(StoreError) -> [SourceDescription.Fact] {
    try errors { (connection) throws(SQLiteError) in
      var facts: [SourceDescription.Fact] = []
      var statement = try connection.prepare(
        """
        SELECT metadata FROM rehome_source
        WHERE id IN (SELECT source FROM rehome_operation) ORDER BY id
        """)
      while try statement.step() { facts += BookkeepingJSON.facts(statement.text(at: 0) ?? "") }
      return facts
    }
  }

  /// The SHA-256 of every file that was read to make the store, sorted: those of devices, or of the
  /// stores through which these came.
  package func sourceHashes() throws(StoreError) -> [String] {
    try errors { (connection) throws(SQLiteError) in
      var hashes: [String] = []
      var between = try connection.prepare(
        """
        SELECT substr(key, \(CanonicalSchema.readFrom.utf8.count + 1), 64) FROM rehome_meta
        WHERE key GLOB '\(CanonicalSchema.readFrom)*' ORDER BY key
        """)
      while try between.step() { hashes.append(between.text(at: 0) ?? "") }
      guard hashes.isEmpty else { return hashes }
      var statement = try connection.prepare(
        "SELECT sha256 FROM rehome_source_file ORDER BY sha256")
      while try statement.step() { hashes.append(statement.text(at: 0) ?? "") }
      return hashes
    }
  }

  /// A fact from the store's bookkeeping; nil when there is none of that name.
  package func fact(_ key: String) throws(StoreError) -> String? {
    try errors { (connection) throws(SQLiteError) in
      var statement = try connection.prepare("SELECT value FROM rehome_meta WHERE key = ?")
      try statement.bind(key, at: 1)
      return try statement.step() ? statement.text(at: 0) : nil
    }
  }

  func errors<Value: ~Copyable>(
    _ body: (borrowing Connection) throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value {
    try storeErrors(path: path) { () throws(SQLiteError) in try lend(body) }
  }
}
