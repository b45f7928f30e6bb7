import Bytes
import Formats
import Records
import SQLite
import Tables

/// One revision of a document.
struct CouchbaseRevision {
  /// The number of the change on this device.
  let sequence: Int64
  /// The number of the document on this device.
  let document: Int64
  /// What the revision is called; nil where that is no text.
  let name: String?
  /// What stands there instead.
  let strangeName: RawValue?
  /// The revision that this one was made from, where it is known.
  let parent: Int64?
  /// Whether it is the end of a branch.
  let isLeaf: Bool
  let isDeleted: Bool
  /// The body as stored; nil where it is not here.
  let json: RawValue?
  /// The members of the body; none where it is no object.
  let body: JSONObject
  /// Whether there is a body that is no object.
  let isBroken: Bool

  /// The columns from which `init` reads.
  ///
  /// The row id is the sequence, and whole numbers are what the SDK keeps as others.
  static let columns =
    "rowid, coalesce(CAST(doc_id AS INTEGER), 0), revid, parent, current, deleted, json"

  init(_ row: borrowing Statement) {
    sequence = row.integer(at: 0)
    document = row.integer(at: 1)
    name = row.strictText(at: 2)
    strangeName = name == nil ? row.optionalRaw(at: 2) : nil
    parent = row.optionalInteger(at: 3)
    isLeaf = row.integer(at: 4) != 0
    isDeleted = row.integer(at: 5) != 0
    json = row.optionalRaw(at: 6)
    let object = JSONObject(payload: json)
    body = object ?? JSONObject()
    let isEmpty = json.map { $0.bytes.isEmpty && $0.isTextOrBinary } ?? true
    isBroken = !isEmpty && object == nil
  }

  /// Whether it is the end of a branch, and there is something.
  var isLive: Bool { isLeaf && !isDeleted }

  /// Whether it only says that the user may no longer see the document, which is never pushed.
  var isRemoved: Bool { body[CouchbaseLite.removedKey] == .boolean(true) }

  var hasProperties: Bool { !body.members.isEmpty }

  /// The texts of the values of all members as they are stored, by their keys.
  var storedValues: [[UInt8]: ArraySlice<UInt8>] {
    let bytes = hasProperties ? json?.bytes ?? [] : []
    let texts = JSONRanges.values(in: bytes, from: 0).map { bytes[$0] }
    return Dictionary(keepingFirst: zip(body.members.map { Array($0.key.utf8) }, texts))
  }
}

/// The name of a revision, in the order in which the SDK decides between branches.
struct CouchbaseRevisionName {
  private let bytes: [UInt8]
  /// How many changes led to it, and where the rest of the name begins; nil for an odd name.
  let generation: (number: Int64, end: Int)?

  /// Takes a name apart: at most eight digits, a hyphen, and something.
  init(_ name: String?) {
    let bytes = Array((name ?? "").utf8)
    self.bytes = bytes
    let digits = bytes.prefix { $0 &- 48 < 10 }.count
    guard 1...8 ~= digits, digits + 1 < bytes.count, bytes[digits] == UInt8(ascii: "-"),
      let number = parseDecimal(bytes.span.extracting(0..<digits))
    else {
      generation = nil
      return
    }
    generation = (number, digits + 1)
  }

  /// Whether it goes before another one.
  func isGreater(than other: CouchbaseRevisionName) -> Bool {
    guard let left = generation, let right = other.generation else {
      return other.bytes.lexicographicallyPrecedes(bytes)
    }
    if left.number != right.number { return left.number > right.number }
    return other.bytes[right.end...].lexicographicallyPrecedes(bytes[left.end...])
  }
}

/// Finds revisions by their numbers, and what they were made from.
struct CouchbaseTree: ~Copyable {
  private var statement: Statement
  /// The key of the bodies that names the type of a document.
  private let typeKey: String

  init(_ connection: borrowing Connection, typeKey: String) throws(SQLiteError) {
    statement = try connection.prepare(
      "SELECT \(CouchbaseRevision.columns) FROM \(CouchbaseLite.revisions) NOT INDEXED "
        + "WHERE rowid = ?")
    self.typeKey = typeKey
  }

  /// One revision; nil where there is none of the number.
  mutating func revision(_ sequence: Int64) throws(SQLiteError) -> CouchbaseRevision? {
    try statement.bind(sequence, at: 1)
    defer { statement.reset() }
    return try statement.step() ? CouchbaseRevision(statement) : nil
  }

  /// A revision and what it was made from, as far as that is here, the newest first.
  mutating func line(of leaf: CouchbaseRevision) throws(SQLiteError) -> [CouchbaseRevision] {
    var line = [leaf]
    var seen: Set<Int64> = [leaf.sequence]
    while let parent = line[line.count - 1].parent, seen.insert(parent).inserted,
      let revision = try revision(parent), revision.document == leaf.document
    { line.append(revision) }
    return line
  }

  /// What the app calls a document at a leaf: as the newest body says that says anything.
  mutating func type(of leaf: CouchbaseRevision) throws(SQLiteError) -> String? {
    var newest = leaf
    var seen: Set<Int64> = [leaf.sequence]
    while !newest.hasProperties {
      guard let parent = newest.parent, seen.insert(parent).inserted,
        let revision = try revision(parent), revision.document == leaf.document
      else { return nil }
      newest = revision
    }
    guard case .string(let type)? = newest.body[typeKey], !type.isEmpty else { return nil }
    return type
  }
}

extension RawValue {
  /// Whether it is stored as text or bytes.
  fileprivate var isTextOrBinary: Bool {
    switch self {
    case .text, .binary: true
    case .integer, .real: false
    }
  }
}
