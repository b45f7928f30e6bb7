import Bytes
import Formats
import Records
import SQLite
import Tables

/// What one pass over all documents shows: tables, winners, and what a person should know.
struct CouchbaseSurvey {
  /// What the tables and columns are.
  let schema: CouchbaseSchema
  /// How far replications had come.
  let checkpoints: CouchbaseCheckpoints
  /// The key of the bodies that names the type of a document.
  private(set) var typeKey = "type"
  /// The local documents of the app, by their rows.
  private(set) var localCount = 0
  /// The tables, in the catalogue's order first, then those without rows.
  private(set) var tables: [CouchbaseTable] = []
  /// How many of the tables have rows.
  private(set) var shownCount = 0
  private var places: [[UInt8]?: Int] = [:]
  private var secrets = 0
  private let blobs: CouchbaseBlobs
  private let now: Timestamp
  /// The documents with several live branches that operations are about; what is told of the first
  /// of them.
  private var disputed = KeyLookup()
  private var disputes: [Int64: String] = [:]
  /// The documents with a live branch, of which another one was deleted here.
  private(set) var outliving = KeySet()
  /// What was seen of documents, by the code of the finding.
  private var seen: [String: Seen] = [:]

  /// Some places of one kind, of which only the first are listed.
  private struct Seen {
    var list: [(table: Int?, itemID: String?, message: String)] = []
    var count = 0
  }

  /// One end of a branch, while the branches of its document are compared.
  private struct Leaf {
    let sequence: Int64
    let name: CouchbaseRevisionName
    let shownName: String
    let isDeleted: Bool
    let isRemoved: Bool
    let table: Int?
  }

  /// Looks at every document of a store.
  init(
    _ connection: borrowing Connection, path: String, now: Timestamp
  ) throws(SQLiteError) {
    schema = CouchbaseSchema(SystemTables(try connection.tables()))
    checkpoints = try CouchbaseCheckpoints(connection, schema)
    blobs = CouchbaseBlobs(besideStoreAt: path)
    self.now = now
    secrets = checkpoints.cookies
    try readLocals(connection)
    try readDocuments(connection)
    finish()
  }

  // MARK: Local documents

  private mutating func readLocals(_ connection: borrowing Connection) throws(SQLiteError) {
    var statement = try connection.couchbaseLocals()
    while try statement.step() {
      let id = statement.localName
      if CouchbaseLite.isSecret(id) { secrets += 1 }
      if !CouchbaseLite.isOwn(id) { localCount += 1 }
      guard id == CouchbaseLite.bridge else { continue }
      let facts = JSONObject(payload: statement.optionalRaw(at: 3))
      if case .string("CBLIS_type")? = facts?["type_key"] { typeKey = "CBLIS_type" }
    }
  }

  // MARK: Documents

  /// Goes through documents and ends of branches side by side, in the order of their numbers.
  private mutating func readDocuments(_ connection: borrowing Connection) throws(SQLiteError) {
    var disputed: [Int64] = []
    var tree = try CouchbaseTree(connection, typeKey: typeKey)
    var attachments = try CouchbaseAttachments(connection, schema)
    var documents = try connection.prepare(
      "SELECT rowid, docid, \(schema.hasExpiry ? CouchbaseLite.expiry : "NULL") FROM "
        + "\(CouchbaseLite.documents) NOT INDEXED ORDER BY rowid")
    // Bodies would make the engine sort all that the file holds.
    var ends = try connection.prepare(
      "SELECT coalesce(CAST(doc_id AS INTEGER), 0), rowid FROM \(CouchbaseLite.revisions) NOT INDEXED "
        + "WHERE current ORDER BY 1, 2")
    var hasDocument = try documents.step()
    var hasEnd = try ends.step()
    while hasDocument || hasEnd {
      let listed = hasDocument ? documents.integer(at: 0) : Int64.max
      let number = hasEnd ? min(listed, ends.integer(at: 0)) : listed
      var id: String?
      let isListed = hasDocument && listed == number
      if isListed {
        id = documents.strictText(at: 1)
        look(atExpiry: documents.optionalInteger(at: 2), of: id)
        hasDocument = try documents.step()
      }
      var leaves: [Leaf] = []
      while hasEnd, ends.integer(at: 0) == number {
        if let leaf = try tree.revision(ends.integer(at: 1)) {
          leaves.append(try look(at: leaf, id, &tree))
        }
        hasEnd = try ends.step()
      }
      if leaves.isEmpty, isListed {
        see("document-without-leaf", nil, id, "no revision of the document is current")
      }
      let shown = decide(leaves, number, id, &disputed)
      for leaf in leaves where leaf.sequence == shown || isPending(leaf) {
        guard let revision = try tree.revision(leaf.sequence) else { continue }
        for (name, digest) in try attachments.digests(of: revision) where !blobs.has(digest) {
          see(
            "external-data-missing", leaf.table, id,
            "the attachment \(name) is not beside the store: \(CouchbaseBlobs.name(of: digest))")
        }
        if attachments.hasStrangeName {
          see(
            "value-of-wrong-type", leaf.table, id,
            "the name of an attachment is no text, and is spelled as if it were one")
        }
      }
    }
    self.disputed = KeyLookup(disputed)
  }

  private func isPending(_ leaf: Leaf) -> Bool {
    leaf.sequence > checkpoints.floor && !leaf.isRemoved
  }

  private mutating func look(
    at leaf: CouchbaseRevision, _ id: String?, _ tree: inout CouchbaseTree
  ) throws(SQLiteError) -> Leaf {
    var table: Int?
    if leaf.isLive {
      table = place(of: try tree.type(of: leaf))
      if !leaf.isRemoved, let table { tables[table].look(at: leaf) }
      if leaf.json == nil {
        see("missing-revision-body", table, id, "the body of \(leaf.name ?? "it") is not here")
      }
    }
    return Leaf(
      sequence: leaf.sequence, name: CouchbaseRevisionName(leaf.name),
      shownName: leaf.name ?? "?", isDeleted: leaf.isDeleted, isRemoved: leaf.isRemoved,
      table: table)
  }

  /// Finds what the app sees of a document; returns its sequence.
  private mutating func decide(
    _ leaves: [Leaf], _ document: Int64, _ id: String?, _ disputed: inout [Int64]
  ) -> Int64? {
    let live = leaves.filter { !$0.isDeleted }
    guard var winner = live.first else { return nil }
    for leaf in live.dropFirst() where leaf.name.isGreater(than: winner.name) { winner = leaf }
    if leaves.contains(where: { $0.isDeleted && isPending($0) }) { outliving.insert(document) }
    if live.count > 1 {
      let names = live.prefix(20).map(\.shownName).joined(separator: ", ")
      let rest = live.count > 20 ? " and \(live.count - 20) more" : ""
      let words =
        "\(live.count) branches are live: \(names)\(rest); the app sees \(winner.shownName)"
      if leaves.contains(where: isPending) {
        disputed.append(document)
        if disputed.count <= ListedFindings.limit { disputes[document] = words }
      } else {
        see("document-conflict", winner.table, id, words)
      }
    }
    guard !winner.isRemoved, let table = winner.table else { return nil }
    tables[table].add(.init(document: document, sequence: winner.sequence))
    return winner.sequence
  }

  private mutating func look(atExpiry time: Int64?, of id: String?) {
    guard let time, time <= now.secondsSince1970 else { return }
    see("expired-document", nil, id, "the app would purge the document at its next start")
  }

  private mutating func place(of type: String?) -> Int {
    let key = type.map { Array($0.utf8) }
    if let place = places[key] { return place }
    tables.append(CouchbaseTable(type))
    places[key] = tables.count - 1
    return tables.count - 1
  }

  // MARK: What comes of it

  /// The place of the table of a type; nil where no live branch has it.
  func table(ofType type: String?) -> Int? { places[type.map { Array($0.utf8) }] }

  /// What is told of an operation on a document with several live branches; nil for others.
  func dispute(over document: Int64) -> String? {
    disputed.contains(document)
      ? disputes[document] ?? "several branches of the document are live" : nil
  }

  /// Puts the tables with rows first: by the bytes of their types, then that without a type.
  private mutating func finish() {
    for place in tables.indices { tables[place].finish() }
    let order = tables.indices.sorted { left, right in
      let (left, right) = (tables[left], tables[right])
      if left.rows.isEmpty != right.rows.isEmpty { return right.rows.isEmpty }
      guard let first = left.type, let second = right.type else { return left.type != nil }
      return first.utf8.lexicographicallyPrecedes(second.utf8)
    }
    var new = [Int](repeating: 0, count: order.count)
    for (place, old) in order.enumerated() { new[old] = place }
    tables = order.map { tables[$0] }
    places = places.mapValues { new[$0] }
    shownCount = tables.count { !$0.rows.isEmpty }
    seen = seen.mapValues { places in
      var places = places
      places.list = places.list.map { ($0.table.map { new[$0] }, $0.itemID, $0.message) }
      return places
    }
  }

  private mutating func see(_ code: String, _ table: Int?, _ itemID: String?, _ message: String) {
    seen[code, default: Seen()].count += 1
    guard seen[code]?.count ?? 0 <= ListedFindings.limit else { return }
    seen[code]?.list.append((table, itemID, message))
  }

  private static let severities: [(code: String, severity: Severity)] = [
    ("document-conflict", .warning), ("missing-revision-body", .warning),
    ("document-without-leaf", .warning), ("external-data-missing", .error),
    ("expired-document", .note), ("value-of-wrong-type", .warning),
  ]

  /// What a person should know, with the tables by their names.
  func findings(in catalogue: Catalogue, beside path: String) -> [Finding] {
    var findings = checkpoints.findings
    for (code, severity) in Self.severities {
      guard let seen = seen[code] else { continue }
      findings += seen.list.map { place in
        let table = place.table.map {
          $0 < shownCount ? catalogue.tables[$0].name : tables[$0].wantedName
        }
        return Finding(
          code, severity, table: table, itemID: place.itemID, message: place.message)
      }
      let rest = seen.count - seen.list.count
      if rest > 0 {
        findings.append(
          Finding(code, severity, message: "the same in \(rest) more places", count: rest))
      }
    }
    if let finding = CouchbaseLite.finding(on: Surroundings(ofFileAt: path)) {
      findings.append(finding)
    }
    if secrets > 0 {
      findings.append(
        Finding(
          "secret-withheld", .note,
          message: secrets == 1
            ? "a value with cookies is in no output"
            : "\(secrets) values with cookies are in no output"))
    }
    return findings
  }

  /// The files whose content is not what their name says.
  func changedBlobs() throws(FileError) -> [Finding] {
    try blobs.changed().map {
      Finding(
        "attachment-digest-mismatch", .error,
        message: "the bytes of \($0) are not those that its name tells")
    }
  }
}

extension Connection {
  /// The local documents: the row, the id with its mark, the revision, the body.
  func couchbaseLocals() throws(SQLiteError) -> Statement {
    try prepare(
      "SELECT rowid, docid, revid, json FROM \(CouchbaseLite.locals) NOT INDEXED ORDER BY rowid")
  }
}

extension Statement {
  /// The id of a local document without its mark, by which the SDK's own are known.
  var localName: String {
    let id = text(at: 1) ?? ""
    return id.removing(prefix: CouchbaseLite.localMark) ?? id
  }
}
