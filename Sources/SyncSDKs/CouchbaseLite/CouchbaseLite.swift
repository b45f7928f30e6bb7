import Bytes
import Records
import SQLite
import Tables

extension Layout {
  static let couchbaseLite = Layout(named: "couchbase-lite-1")
}

extension SDK {
  /// Couchbase Lite 1.x, whose queue is made of revisions.
  static let couchbaseLite = SDK(layout: .couchbaseLite) { _ in
    var traits = SDKTraits()
    traits.dialect = .rows
    traits.service = "the REST interface of CouchDB and Sync Gateway, for Couchbase Lite 1"
    traits.tellsCaseTwinsApart = true
    traits.tellsNameTwinsApart = true
    traits.sendsBranches = true
    traits.systemPrefixes = []
    traits.keepsDeletedItems = false
    traits.keepsSeveralOperations = true
    traits.hasTokensOfStore = true
    traits.staysOnDevice = { $0 == CouchbaseLite.locals }
    traits.caseTwins = nil
    return traits
  } recognise: { tables, _ in
    guard CouchbaseLite.isStore(tables) else { return nil }
    return .own("a store of Couchbase Lite") { database throws(StoreError) in
      try CouchbaseReader(database)
    }
  }
}

/// The layout of Couchbase Lite 1.x: documents as trees of revisions, each with a body of JSON.
package enum CouchbaseLite {
  static let documents = "docs"
  static let revisions = "revs"
  static let locals = "localdocs"
  static let views = "views"
  static let info = "info"
  static let attachments = "attachments"
  static let replicators = "replicators"
  static let expiry = "expiry_timestamp"
  /// The column of ids, which the app sees as `_id`.
  static let idColumn = "docid"
  static let localMark = "_local/"
  static let bridge = "CBLIS_metadata"
  static let attachmentsKey = "_attachments"
  static let removedKey = "_removed"

  /// Whether a store has all tables with their columns, spelled as the SDK does, and none of
  /// version 2.
  static func isStore(_ tables: SystemTables) -> Bool {
    tables.hasExactly(documents, ["doc_id", "docid"])
      && tables.hasExactly(
        revisions, ["sequence", "doc_id", "revid", "parent", "current", "deleted", "json"])
      && tables.hasExactly(locals, ["docid", "revid", "json"])
      && tables.hasExactly(views, []) && !tables.has("kv_default") && !tables.has("kvmeta")
      && [documents, revisions, locals].allSatisfy { tables.exactly($0)?.isWithoutRowID == false }
  }

  /// The database in a folder in which the SDK keeps one; any other path is itself.
  package static func database(at path: String) -> String {
    let inner = Paths.join(path, "db.sqlite3")
    return Paths.isDirectory(path) && Paths.exists(inner) ? inner : path
  }

  /// What to tell of what an upgrade left beside a folder with a database; nil where there is none.
  static func finding(on surroundings: Surroundings) -> Finding? {
    let path = surroundings.path
    let folder = Paths.folder(of: path)
    let ending = ".cblite2"
    let name = Paths.fileName(of: folder)
    guard Paths.fileName(of: path) == "db.sqlite3", name.hasSuffix(ending) else { return nil }
    let stem = String(name.dropLast(ending.count))
    let other = [stem + ".cblite", stem + ".tmp" + ending].first {
      surroundings.isThere(Paths.join(Paths.folder(of: folder), $0))
    }
    return other.map {
      Finding(
        "leftover-upgrade", .warning,
        message:
          "\($0) lies beside the database: an upgrade left it, and it may hold what is missing "
          + "here")
    }
  }

  /// Whether a table is the SDK's, of whatever version: the maps of views have tables of their own, and
  /// so have the modules that search texts and places.
  static func isOwnTable(_ name: String) -> Bool {
    let name = asciiLowercased(name)
    return [documents, revisions, locals, views, info, attachments, replicators].contains(name)
      || ["maps", "fulltext", "bboxes"].contains { name == $0 || name.hasPrefix($0 + "_") }
  }

  /// Whether a local document is bookkeeping of the SDK, by its id without the mark.
  static func isOwn(_ id: String) -> Bool {
    let names = ["CBL_LocalCheckpoint", "_blobstore", bridge]
    let isCheckpoint =
      id.utf8.count == 40
      && id.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 &- UInt8(ascii: "a") < 6 }
    return names.contains(id) || id.hasPrefix("remotecheckpoint/") || isCheckpoint || isSecret(id)
  }

  /// Whether a local document holds cookies, which let others in.
  static func isSecret(_ id: String) -> Bool {
    id == "PersistentCookieStore" || id.hasPrefix("cbl_cookie_storage")
  }
}

/// What tables and columns a store has, which versions of the SDK made differently.
struct CouchbaseSchema: Sendable {
  /// Whether attachments are rows of their own, and not members of the bodies.
  let hasAttachments: Bool
  /// Whether documents may expire.
  let hasExpiry: Bool
  /// Where checkpoints are kept.
  let hasInfo: Bool
  let hasReplicators: Bool
  /// Whether checkpoints there may tell their direction.
  let hasPush: Bool
  let attachmentColumns: String

  /// Looks at the tables of a store of the layout.
  init(_ tables: SystemTables) {
    func has(_ table: String, _ column: String) -> Bool { tables.hasExactly(table, [column]) }
    hasAttachments = tables.hasExactly(
      CouchbaseLite.attachments, ["sequence", "filename", "key", "length"])
    hasExpiry = has(CouchbaseLite.documents, CouchbaseLite.expiry)
    hasInfo = tables.hasExactly(CouchbaseLite.info, ["key", "value"])
    hasReplicators = tables.hasExactly(CouchbaseLite.replicators, ["remote", "last_sequence"])
    hasPush = has(CouchbaseLite.replicators, "push")
    attachmentColumns = [
      "filename", "key", "type", "length", "revpos", "encoding", "encoded_length",
    ]
    .map { has(CouchbaseLite.attachments, $0) ? $0 : "0" }.joined(separator: ", ")
  }

  /// Which versions of the SDK make such tables.
  var generation: String { hasAttachments ? "1.0" : hasExpiry ? "1.3" : "1.1" }

  var evidence: [String] {
    let all = [CouchbaseLite.documents, CouchbaseLite.revisions, CouchbaseLite.locals]
    let tables = "tables \(all.joined(separator: ", ")) and \(CouchbaseLite.views)"
    let expiry = "docs has \(hasExpiry ? "a" : "no") column \(CouchbaseLite.expiry)"
    return hasAttachments
      ? [tables, "a table attachments"] : [tables, "no table attachments", expiry]
  }
}
