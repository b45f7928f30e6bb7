import Bytes
import Formats
import Records
import SQLite
import Tables

/// What one pass over all objects shows: classes, signs of the SDK, and what a person should know.
struct ParseSurvey {
  private(set) var generation = ParseGeneration()
  /// How many secrets the app's objects hold.
  private(set) var secrets = 0
  private var tables: [[UInt8]: ParseTable] = [:]
  /// What is told of objects of which not all fields are known, of those to which something merely
  /// points, of those that no pin keeps, and of those with odd classes; tables are called by these.
  private var incomplete = ListedFindings()
  private var placeholders = ListedFindings()
  private var unpinned = ListedFindings()
  private var strange = ListedFindings()
  /// How many objects of each class have a document that cannot be read.
  private var unread: [ExactText: Int] = [:]
  /// How many references of each class lead to no object, and one of them.
  private var dangling: [ExactText: (count: Int, example: String)] = [:]

  mutating func look(at connection: borrowing Connection) throws(SQLiteError) {
    var targets = try connection.prepare(
      "SELECT 1 FROM \(ParseLocalDatastore.objects) WHERE uuid = ?")
    var statement = try connection.objects()
    while try statement.step() {
      let object = ParseObject(statement)
      generation.look(at: object)
      guard object.isOfTheApp else { continue }
      tables[Array(object.className.utf8), default: ParseTable(object.className)].look(at: object)
      secrets += object.secretCount
      if object.text == nil {
        placeholders.append(
          object.note(
            "placeholder-object", "something points to the object, which itself was never stored"))
      }
      if object.isUnreadable {
        unread[ExactText(object.className), default: 0] += 1
      }
      if object.body?["__complete"] == .boolean(false) {
        incomplete.append(
          object.note("incomplete-object", "not all fields of the object are known here"))
      }
      if object.hasStrangeClass {
        var finding = object.note(
          "value-of-wrong-type", "the class of the object is no text, so its table has no name")
        finding.severity = .warning
        strange.append(finding)
      }
      for uuid in object.localTargets {
        try targets.bind(uuid, at: 1)
        let isThere = try targets.step()
        targets.reset()
        guard !isThere else { continue }
        dangling[ExactText(object.className), default: (0, uuid)].count += 1
      }
    }
    try findUnpinned(connection)
  }

  private mutating func findUnpinned(_ connection: borrowing Connection) throws(SQLiteError) {
    let columns = ParseObject.columns.map(quoted).joined(separator: ", ")
    var statement = try connection.prepare(
      "SELECT rowid, \(columns) FROM \(ParseLocalDatastore.objects) WHERE uuid IS NULL OR uuid NOT "
        + "IN (SELECT uuid FROM \(ParseLocalDatastore.dependencies) WHERE uuid IS NOT NULL) "
        + "ORDER BY rowid")
    while try statement.step() {
      let object = ParseObject(statement)
      guard object.isOfTheApp else { continue }
      unpinned.append(object.note("unpinned-object", "no pin keeps the object"))
    }
  }

  /// The tables, in the order of their classes' bytes.
  func finishedTables() -> [ParseTable] {
    tables.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { _, table in
      var table = table
      table.finish()
      return table
    }
  }

  /// What the objects show, and what stands beside the file.
  func findings(in catalogue: Catalogue, beside path: String) -> [Finding] {
    let names = TableNames(catalogue)
    var findings = [incomplete, placeholders, unpinned, strange].flatMap(\.all)
    for place in findings.indices {
      findings[place].table = names.canonical(exactly: findings[place].table)
    }
    findings += unread.sorted { $0.key < $1.key }.map { className, count in
      Finding(
        "queue-not-read", .error, table: names.canonical(exactly: className.wrappedValue),
        message: count.counting("object has a document", "objects have documents")
          + " that cannot be read, so nobody knows which changes wait in "
          + (count == 1 ? "it" : "them"))
    }
    findings += dangling.sorted { $0.key < $1.key }.map { className, link in
      Finding(
        "dangling-reference", .warning, table: names.canonical(exactly: className.wrappedValue),
        message: link.count.counting("reference leads", "references lead")
          + " to no object of this store, the first is "
          + link.example)
    }
    if let finding = ParseLocalDatastore.finding(on: Surroundings(ofFileAt: path)) {
      findings.append(finding)
    }
    return findings
  }
}

extension ParseObject {
  /// Whether it is an object of the app, and not a pin.
  var isOfTheApp: Bool {
    className != ParseLocalDatastore.pin && className != ParseLocalDatastore.eventuallyPin
  }

  /// A note about it, with its class for the table.
  fileprivate func note(_ code: String, _ message: String) -> Finding {
    Finding(code, .note, table: className, itemID: itemID, message: message)
  }

  /// How many values of it are left out as secrets.
  fileprivate var secretCount: Int {
    let secrets = ParseLocalDatastore.secrets(of: className)
    guard !secrets.isEmpty, let body else { return 0 }
    let own = body.members.count { secrets.contains($0.key) }
    return sets.reduce(own) { count, set in
      guard case .object(let changes) = set else { return count }
      return count + changes.members.count { secrets.contains($0.key) }
    }
  }

  /// The objects of this device to which fields point.
  fileprivate var localTargets: [String] {
    var targets: [String] = []
    JSONValue.forEachObject(in: fields.members.map(\.value)) { object in
      guard object["__type"] == .string("OfflineObject"),
        case .string(let uuid)? = object["uuid"]
      else { return true }
      targets.append(uuid)
      return false
    }
    return targets
  }
}
