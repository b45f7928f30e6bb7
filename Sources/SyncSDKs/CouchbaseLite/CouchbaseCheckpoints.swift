import Records
import SQLite
import Tables

/// How far replications had come, and what that says about what was pushed.
struct CouchbaseCheckpoints {
  private(set) var tokens = TokenList()
  /// The sequence up to which everything counts as pushed.
  private(set) var floor: Int64 = 0
  /// The sequence that was given last.
  private(set) var last: Int64 = 0
  /// What a person should know about them.
  private(set) var findings: [Finding] = []
  private(set) var cookies = 0
  /// The numbers of checkpoints that belong to pushes, and of those that tell no direction.
  private var pushes: [Int64] = []
  private var unknown: [Int64] = []

  init(_ connection: borrowing Connection, _ schema: CouchbaseSchema) throws(SQLiteError) {
    last = try Self.last(connection)
    if schema.hasInfo { try readInfo(connection) }
    if schema.hasReplicators { try readReplicators(connection, schema) }
    decide()
  }

  private static func last(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    if try connection.table(named: "sqlite_sequence") != nil {
      var statement = try connection.prepare(
        "SELECT seq FROM sqlite_sequence WHERE name = '\(CouchbaseLite.revisions)'")
      if try statement.step(), statement.storageClass(at: 0) == .integer {
        return statement.integer(at: 0)
      }
    }
    return try connection.integer(
      "SELECT coalesce(max(rowid), 0) FROM \(CouchbaseLite.revisions) NOT INDEXED")
  }

  private mutating func readInfo(_ connection: borrowing Connection) throws(SQLiteError) {
    let mark = "checkpoint/"
    var statement = try connection.prepare(
      "SELECT key, value FROM \(CouchbaseLite.info) NOT INDEXED")
    while try statement.step() {
      guard let key = statement.strictText(at: 0) else { continue }
      if key == "cookies" { cookies += 1 }
      guard key.hasPrefix(mark) else { continue }
      add(String(key.dropFirst(mark.count)), statement.text(at: 1), isPush: nil)
    }
  }

  private mutating func readReplicators(
    _ connection: borrowing Connection, _ schema: CouchbaseSchema
  ) throws(SQLiteError) {
    var statement = try connection.prepare(
      "SELECT remote, last_sequence, \(schema.hasPush ? "push" : "-1") FROM "
        + "\(CouchbaseLite.replicators) NOT INDEXED")
    while try statement.step() {
      let push = statement.wholeNumber(at: 2)
      let isPush: Bool? = push == 1 ? true : push == 0 ? false : nil
      add(statement.text(at: 0), statement.text(at: 1), isPush: isPush)
    }
  }

  private mutating func add(_ id: String?, _ value: String?, isPush: Bool?) {
    var token = DeltaToken(table: nil, query: id)
    token.raw = value
    tokens.append(token)
    guard let value, !value.isEmpty, value.utf8.allSatisfy({ $0 &- 48 < 10 }) else { return }
    // A number with more digits than any sequence has lies behind all of them.
    let number = Int64(value) ?? .max
    switch isPush {
    case true?: pushes.append(number)
    case nil: unknown.append(number)
    case false?: break
    }
  }

  /// Decides up to where everything was pushed, so that nothing unsent is hidden.
  private mutating func decide() {
    if let greatest = pushes.max() {
      floor = greatest
      if pushes.contains(where: { $0 < greatest }) {
        tell("pushed-to-some-remotes", .note, "the pushes have come to different sequences")
      }
      if floor > last {
        tell(
          "checkpoint-beyond-store", .error,
          "a push had come to sequence \(floor), and the last one here is \(last)")
      }
      return
    }
    let possible = unknown.filter { $0 <= last }
    guard let least = possible.min() else {
      return tell(
        "no-push-checkpoint", .warning,
        "no checkpoint of a push is here, so every change counts as unsent")
    }
    floor = least
    if possible.contains(where: { $0 > least }) {
      tell(
        "push-checkpoint-ambiguous", .warning,
        "\(possible.count) checkpoints may be those of pushes; the least, \(least), is taken")
    }
  }

  private mutating func tell(_ code: String, _ severity: Severity, _ message: String) {
    findings.append(Finding(code, severity, message: message))
  }
}
