import Bytes
import Formats
import SQLite
import Tables

/// The attachments of revisions, which some versions of the SDK keep as rows of their own.
struct CouchbaseAttachments: ~Copyable {
  /// Finds the rows of a revision; nil where attachments are members of the bodies.
  private var statement: Statement?
  /// Whether a name of those that were read last is no text.
  private(set) var hasStrangeName = false

  init(_ connection: borrowing Connection, _ schema: CouchbaseSchema) throws(SQLiteError) {
    guard schema.hasAttachments else {
      statement = nil
      return
    }
    statement = try connection.prepare(
      "SELECT \(schema.attachmentColumns) FROM \(CouchbaseLite.attachments) WHERE sequence = ?")
  }

  /// The attachments of a revision as JSON: as its body has them, or as later versions of the SDK
  /// would have written them there; nil where it has none.
  mutating func json(of leaf: CouchbaseRevision) throws(SQLiteError) -> [UInt8]? {
    if let rows = try rows(of: leaf.sequence), !rows.members.isEmpty {
      return rows.json
    }
    guard let value = leaf.body[CouchbaseLite.attachmentsKey], value != .null else { return nil }
    return leaf.storedValues[Array(CouchbaseLite.attachmentsKey.utf8)].map { Array($0) }
  }

  mutating func digests(
    of leaf: CouchbaseRevision
  ) throws(SQLiteError) -> [(name: String, digest: [UInt8])] {
    var all = try rows(of: leaf.sequence)?.members ?? []
    if all.isEmpty, case .object(let object)? = leaf.body[CouchbaseLite.attachmentsKey] {
      all = object.members
    }
    return all.compactMap { member in
      guard case .object(let facts) = member.value, case .string(let text)? = facts["digest"],
        text.hasPrefix(Self.mark)
      else { return nil }
      var digest: [UInt8] = []
      let isDecoded = decodeBase64(
        Array(text.utf8.dropFirst(Self.mark.utf8.count)).span, into: &digest)
      return isDecoded && digest.count == 20 ? (member.key, digest) : nil
    }
  }

  private static let mark = "sha1-"

  private mutating func rows(of sequence: Int64) throws(SQLiteError) -> JSONObject? {
    hasStrangeName = false
    guard statement != nil else { return nil }
    try statement?.bind(sequence, at: 1)
    defer { statement?.reset() }
    var members: [JSONObject.Member] = []
    while try statement?.step() == true {
      if statement?.strictText(at: 0) == nil { hasStrangeName = true }
      members.append(Self.member(statement))
    }
    members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    // Of two of one name the first counts, as nothing forbids them.
    var object = JSONObject()
    for member in members where object[member.key] == nil { object[member.key] = member.value }
    return object
  }

  /// An attachment as a member of a body; keys stand in the order of their bytes.
  private static func member(_ row: borrowing Statement?) -> JSONObject.Member {
    var facts = JSONObject()
    if let type = row?.strictText(at: 2) { facts["content_type"] = .string(type) }
    var digest = mark
    digest += base64Text(row?.bytes(at: 1) ?? [])
    facts["digest"] = .string(digest)
    if row?.integer(at: 5) == 1 {
      facts["encoded_length"] = .number(JSONNumber(row?.integer(at: 6) ?? 0))
      facts["encoding"] = .string("gzip")
    }
    facts["length"] = .number(JSONNumber(row?.integer(at: 3) ?? 0))
    facts["revpos"] = .number(JSONNumber(row?.integer(at: 4) ?? 0))
    facts["stub"] = .boolean(true)
    return JSONObject.Member(key: row?.text(at: 0) ?? "", value: .object(facts))
  }
}

/// The files beside a store in which the contents of attachments are kept.
struct CouchbaseBlobs {
  /// The files by their names, in lower case.
  private var files: [String: String] = [:]
  /// What a name has behind the digest.
  private static let ending = ".blob"

  /// Lists the folders that a version of the SDK makes beside the store at `path`.
  init(besideStoreAt path: String) {
    let folder = Paths.folder(of: path)
    let name = Paths.fileName(of: path)
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    for attachments in ["\(stem) attachments", "\(stem)/attachments", "attachments"]
    where Paths.isPlainFolder(attachments, below: folder) {
      let place = Paths.join(folder, attachments)
      // A folder that cannot be listed holds nothing for us, and its files are told as missing.
      for file in (try? fileNames(inFolder: place, limit: 10_000_000)) ?? []
      where file.lowercased().hasSuffix(Self.ending) {
        files[file.lowercased()] = Paths.join(place, file)
      }
    }
  }

  /// What the file of a digest is called, in lower case.
  static func name(of digest: [UInt8]) -> String {
    var name: [UInt8] = []
    name.appendHex(digest.span)
    return String(decoding: name, as: UTF8.self).lowercased() + ending
  }

  func has(_ digest: [UInt8]) -> Bool {
    files[Self.name(of: digest)].map(Paths.isPlainFile) ?? false
  }

  /// The names of files whose content is not what they are called.
  func changed() throws(FileError) -> [String] {
    var changed: [String] = []
    for (name, path) in files.sorted(by: { $0.key < $1.key })
    where name.utf8.count == 40 + Self.ending.utf8.count && Paths.isPlainFile(path) {
      if Self.name(of: try SHA1.hash(ofFileAt: path)) != name { changed.append(name) }
    }
    return changed
  }
}
