import Foundation
import TestSupport
import Testing

/// What SDKs keep without SQLite is called by its name, and refused with what would help.
struct ForeignEngineTests {
  @Test(arguments: [
    (
      #"{"@AmplifyDatastore::user::Data::Post":"[]","@AmplifyDatastore::Version":null}"#,
      "manifest.json", "AsyncStorage"
    ),
    (#"{"Parse_LDS_Game_abc":"[]"}"#, "manifest.json", "AsyncStorage"),
    ("MANIFEST-000004\n", "CURRENT", "LevelDB"),
  ])
  func engineIsNamed(content: String, name: String, word: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(content.utf8), to: name)
    let outcome = await rehome("inspect", path)
    #expect(outcome.code == 65)
    #expect(outcome.error.contains(word))
    #expect(outcome.error.contains("try: "))
  }

  private static func random(_ count: Int) -> [UInt8] {
    var seed: UInt64 = 7
    return (0..<count).map { _ in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: seed >> 33)
    }
  }

  /// Files as engines write them, by their places.
  private static let engines: [(name: String, content: [UInt8], word: String)] = [
    ("a.realm", [UInt8](repeating: 0, count: 16) + Array("T-DB".utf8) + random(2000), "Realm"),
    (
      "data.mdb", [UInt8](repeating: 0, count: 16) + [0xDE, 0xC0, 0xEF, 0xBE] + random(2000), "LMDB"
    ),
    ("x/000005.ldb", random(900) + [0x57, 0xFB, 0x80, 0x8B, 0x24, 0x75, 0x47, 0xDB], "LevelDB"),
    ("x.cblite2/db.forest.0", random(4096), "ForestDB"),
    ("x.cblite2/db.sqlite3", random(4096), "Couchbase Lite is encrypted"),
    ("x.cblite2/db.sqlite3", Array("short".utf8), "Couchbase Lite is encrypted"),
    ("plain.db", random(8192), "look encrypted"),
  ]

  @Test(arguments: engines.indices)
  func fileOfAnEngineIsRefusedByItsName(_ number: Int) async throws {
    let (name, content, word) = Self.engines[number]
    let folder = try TemporaryFolder()
    let outcome = await rehome("inspect", try write(content, to: name, in: folder))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains(word))
    #expect(outcome.error.contains("try: "))
  }

  /// Folders as engines leave them, which are named as a whole.
  @Test(arguments: [
    (["CURRENT", "MANIFEST-000004", "000005.ldb"], "LevelDB"), (["db.forest.0"], "ForestDB"),
    (["db.forest.meta", "db.forest.0"], "ForestDB"), (["db.sqlite3"], "encrypted"),
  ])
  func folderOfAnEngineIsRefusedByItsName(names: [String], word: String) async throws {
    let folder = try TemporaryFolder()
    for name in names {
      let isMeta = name == "db.forest.meta"
      let content = isMeta ? [0, 0, 0, 1] + Array("db.forest.0".utf8) : Self.random(4096)
      _ = try write(content, to: "notes.cblite2/" + name, in: folder)
    }
    let outcome = await rehome("inspect", folder.path("notes.cblite2"))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains(word))
    let found = await rehome("find", folder.path("."))
    #expect(found.code == (word == "LevelDB" ? 0 : 65))
    #expect((found.text + found.error).contains(word))
  }

  /// A database that looks like none is told by what its attachments have beside them, wherever it is.
  @Test(arguments: [
    ("db.sqlite3", "attachments"), ("notes.cblite", "notes attachments"),
    ("notes.cblite", "notes/attachments"), ("notes.cblite2/db.sqlite3", "none"),
  ])
  func encryptedDatabaseIsFoundByItsAttachments(name: String, attachments: String) async throws {
    let folder = try TemporaryFolder()
    let mark = "app/\(attachments)/_encryption"
    _ = try write(Self.random(4096), to: "app/" + name, in: folder)
    _ = try write(Array("AES".utf8), to: mark, in: folder)
    _ = try write(Self.random(4096), to: "app/other.bin", in: folder)
    try folder.makePlaces(
      """
      paths = ['\(mark)', 'app/\(name)', 'app/other.bin']
      members = [(path, open(path, 'rb').read()) for path in paths]
      with zipfile.ZipFile('app.zip', 'w') as archive:
          for path, data in members: archive.writestr(path, data)
      tar('app.tar', members)
      backup('phone', members)
      """)
    for place in ["app", "app.zip", "app.tar", "phone"] {
      let (stores, told) = try await folder.foundStores(in: place)
      #expect(Array(stores.values) == ["unsupported"], "\(place) \(stores)")
      #expect(stores.keys.first?.hasSuffix(name) == true, "\(place) \(stores)")
      #expect(told.contains("2 other files"), "\(place) \(told)")
      let refused = await rehome("inspect", folder.path(place))
      #expect(refused.code == 65)
      #expect(
        refused.error.contains("the database of Couchbase Lite is encrypted"),
        "\(place): \(refused.error)")
    }
    try FileManager.default.removeItem(atPath: folder.path(mark))
    if attachments != "none" {
      // What tells whose database it is is gone, and its bytes look encrypted all the same.
      #expect(Array(try await folder.foundStores(in: "app").stores.values) == ["unsupported"])
      let refused = await rehome("inspect", folder.path("app"))
      #expect(refused.error.contains("its bytes look encrypted"), "\(refused.error)")
    }
  }

  /// Attachments come along out of archives, whatever they are, and are no stores themselves.
  @Test(arguments: [true, false])
  func attachmentsBelongToTheirDatabase(isThere: Bool) async throws {
    let folder = try TemporaryFolder()
    _ = try python(
      """
      import base64, hashlib, sqlite3, sys, zipfile
      database = sqlite3.connect(sys.argv[1] + "/db")
      content = b"Rar!\\x1a\\x07 and more"
      digest = hashlib.sha1(content)
      body = '{"_attachments":{"a":{"digest":"sha1-%s"}}}' % base64.b64encode(digest.digest()).decode()
      for sql in ("CREATE TABLE docs (doc_id INTEGER PRIMARY KEY, docid TEXT)",
                  "CREATE TABLE revs (sequence INTEGER PRIMARY KEY, doc_id INTEGER, revid TEXT, "
                  "parent INTEGER, current BOOLEAN, deleted BOOLEAN, json BLOB)",
                  "CREATE TABLE localdocs (docid TEXT, revid TEXT, json BLOB)",
                  "CREATE TABLE views (name TEXT)", "INSERT INTO docs VALUES (1, 'd')",
                  f"INSERT INTO revs VALUES (1, 1, '1-a', NULL, 1, 0, '{body}')"):
          database.execute(sql)
      database.commit()
      with zipfile.ZipFile(sys.argv[1] + "/backup.zip", "w") as archive:
          archive.write(sys.argv[1] + "/db", "app/notes.cblite2/db.sqlite3")
          if sys.argv[2] == "true":
              archive.writestr(f"app/notes.cblite2/attachments/{digest.hexdigest().upper()}.blob", content)
      """, folder.path("."), "\(isThere)")
    let outcome = await rehome("audit", "--fail-on", "never", folder.path("backup.zip"))
    #expect(outcome.code == 0)
    #expect(outcome.text.contains("external-data-missing") == !isThere)
    #expect(outcome.text.contains("Note: revisions of Couchbase Lite above"))
    let found = await rehome("find", folder.path("backup.zip"))
    #expect(found.text.contains("couchbase-lite-1"))
    #expect(!found.text.contains("RAR"))
  }

  private func write(_ content: [UInt8], to name: String, in folder: TemporaryFolder) throws
    -> String
  {
    if let slash = name.lastIndex(of: "/") {
      try FileManager.default.createDirectory(
        atPath: folder.path(String(name[..<slash])), withIntermediateDirectories: true)
    }
    return try folder.write(content, to: name)
  }
}
