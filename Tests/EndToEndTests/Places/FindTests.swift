import Foundation
import TestSupport
import Testing

/// Stores are found in folders, archives and backups that other programs have made.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct FindTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A place that Python has made, with what must be found in it.
  private struct Place {
    let name: String
    let stores: [String: String]
    let errors: [String: String?]
    let device: String?
  }

  private func makePlaces() throws -> [Place] {
    let outcome = try Program.python.run([
      "-B", Project.path("Tests/Oracles/make_places.py"), Project.path("samples"), folder.path,
    ])
    try #require(outcome.code == 0, "\(outcome.error)")
    let list = try #require(
      try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
    return try list.map { entry in
      Place(
        name: try #require(entry["place"] as? String),
        stores: try #require(entry["stores"] as? [String: String]),
        errors: (entry["errors"] as? [String: Any] ?? [:]).mapValues { $0 as? String },
        device: entry["device"] as? String)
    }
  }

  private func find(_ arguments: String...) async throws -> (Outcome, [[String: Any]]) {
    let outcome = await rehome(["find", "--json"] + arguments)
    return (outcome, try outcome.jsonLines())
  }

  @Test func everyStoreInEveryContainerIsFoundAsItIs() async throws {
    var samples: [String: [String: Any]] = [:]
    for place in try makePlaces() {
      let path = folder.path(place.name)
      let (outcome, lines) = try await find(path)
      var found = Dictionary(
        uniqueKeysWithValues: lines.map { line in
          ((line["store"] as? String ?? "").replacing(path, with: "", maxReplacements: 1), line)
        })
      for (name, sample) in place.stores {
        let line = found.removeValue(forKey: name) ?? [:]
        if samples[sample] == nil {
          samples[sample] = try await find(Project.path("samples/\(sample)")).1.first
        }
        let own = try #require(samples[sample])
        for field in ["layout", "generation", "rows", "queue", "error"] {
          #expect(
            (line[field] as? NSObject) == (own[field] as? NSObject), "\(place.name)\(name)")
        }
        if let device = place.device { #expect(line["device"] as? String == device) }
      }
      for (name, code) in place.errors {
        let error = found.removeValue(forKey: name)?["error"] as? [String: Any]
        #expect(error != nil, "\(place.name)\(name)")
        if let code { #expect(error?["code"] as? String == code, "\(place.name)\(name)") }
      }
      #expect(found.isEmpty, "\(place.name): \(found.keys)")
      let isBad = !place.errors.isEmpty
      #expect(outcome.code == (isBad ? place.stores.isEmpty ? 65 : 2 : 0), "\(place.name)")
    }
  }

  @Test func placesStayAsTheyAre() async throws {
    let places = try makePlaces()
    let before = try fileHashes()
    for place in places { _ = await rehome("find", "-q", folder.path(place.name)) }
    #expect(try fileHashes() == before)
  }

  /// The hash of each file, and the names of all that lies below the folder.
  private func fileHashes() throws -> String {
    try python(
      """
      import hashlib, os, stat, sys
      for root, folders, files in sorted(os.walk(sys.argv[1])):
          for name in sorted(files + folders):
              path = os.path.join(root, name)
              regular = stat.S_ISREG(os.lstat(path).st_mode)
              print(path, regular and hashlib.sha256(open(path, 'rb').read()).hexdigest())
      """, folder.path)
  }

  @Test func listOfPlacesNamesThemInTheirOrder() async throws {
    let stores = ["ios-2016/qstodoitem.sqlite", "dotnet-2019/localstore.db"]
      .map { Project.path("samples/\($0)") }
    let lines = try folder.write(Array((stores.joined(separator: "\r\n") + "\n\n").utf8), to: "l")
    let nuls = try folder.write(Array(stores.joined(separator: "\0").utf8), to: "z")
    let marked = try folder.write(
      Array(("\u{FEFF}" + stores.joined(separator: "\r\n")).utf8), to: "m")
    for arguments in [
      ["--files-from", lines], ["-0", "--files-from", nuls], ["--files-from", marked],
    ] {
      let outcome = await rehome(["find", "--json"] + arguments)
      let names = outcome.text.split(separator: "\n").map { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["store"]
          as? String
      }
      #expect(names == stores)
    }
    let wide = try folder.write([0xFF, 0xFE, 0x61, 0], to: "w")
    let refused = await rehome("find", "--files-from", wide)
    #expect(refused.code == 64 && refused.error.contains("UTF-16"), "\(refused.error)")
  }

  @Test func listOfPlacesComesThroughAPipe() async throws {
    let store = Project.path("samples/ios-2016/qstodoitem.sqlite")
    let piped = try Program.bash.run([
      "-c", #"printf '%s\0' "$1" | "$2" hash -0 --files-from -"#, "bash", store,
      Project.executable.path,
    ])
    #expect(piped.code == 0, "\(piped.error)")
    #expect(piped.text == (await rehome("hash", store)).text)
  }

  @Test func copiesOutOfContainersStayAndAreTheSameStores() async throws {
    for (number, place) in try makePlaces().enumerated() {
      let copies = folder.path("copies-\(number)")
      try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: true)
      let path = folder.path(place.name)
      let (plain, before) = try await find(path)
      let (outcome, lines) = try await find("--copy-to", copies, path)
      #expect(outcome.code == plain.code, "\(place.name)")
      #expect(lines.count == before.count)
      for (line, known) in zip(lines, before) where line["error"] is NSNull {
        let store = try #require(line["path"] as? String)
        #expect(known["path"] is NSNull)
        // What lies in a plain folder can be taken as it is.
        let isPlain = [nil, "folder"].contains(line["containerKind"] as? String)
        #expect(store.hasPrefix((isPlain ? path : copies + "/")), "\(place.name) \(store)")
        let alone = try #require(try await find(store).1.first)
        for field in ["layout", "generation", "rows", "queue"] {
          #expect(
            (alone[field] as? NSObject) == (known[field] as? NSObject), "\(place.name) \(store)")
        }
      }
    }
  }

  /// A folder with a store and what lies beside it, and archives of all that.
  private func pack(_ store: String, as path: String, beside other: String) throws -> [String] {
    let script = """
      import os, shutil, sqlite3, sys, tarfile, zipfile
      root, store, path, other = sys.argv[1:]
      for name in [path, other]:
          os.makedirs(os.path.dirname(os.path.join(root, 'loose', name)), exist_ok=True)
      for name in [path] if 'Command' in other else [path, other]:
          copy = os.path.join(root, 'loose', name)
          shutil.copy(store, copy)
          if os.path.exists(store + '-wal'): shutil.copy(store + '-wal', copy + '-wal')
          sqlite3.connect(copy).execute('PRAGMA journal_mode = DELETE').fetchall()
      if 'Command' in other:
          with open(os.path.join(root, 'loose', other), 'w') as file:
              file.write('{"httpPath":"classes/A"}')
      with zipfile.ZipFile(root + '/a.zip', 'w') as zip, tarfile.open(root + '/a.tar', 'w') as tar:
          for name in [path, other]:
              zip.write(os.path.join(root, 'loose', name), name)
              tar.add(os.path.join(root, 'loose', name), name)
      """
    _ = try python(script, folder.path, store, path, other)
    return ["loose", "a.zip", "a.tar"].map(folder.path)
  }

  /// What lies beside a store is told wherever the store is.
  @Test(arguments: [
    (
      "parse-android-2016/ParseOfflineStore", "app/ParseOfflineStore",
      "app/CommandCache/CachedCommand_0123456789abcdef_01234567_1", "command-cache-beside"
    ),
    (
      "couchbase-ios-2015/notes.cblite", "app/notes.cblite2/db.sqlite3", "app/notes.cblite",
      "leftover-upgrade"
    ),
    (
      "couchbase-ios-2015/notes.cblite", "notes.cblite2/db.sqlite3",
      "notes.tmp.cblite2/db.sqlite3", "leftover-upgrade"
    ),
  ])
  func whatLiesBesideAStoreIsToldInArchives(
    sample: String, path: String, other: String, code: String
  ) async throws {
    let places = try pack(Project.path("samples/" + sample), as: path, beside: other)
    for place in places {
      let lines = try await find(place).1.filter {
        ($0["store"] as? String)?.hasSuffix(path) == true
      }
      let findings = try #require(lines.first?["findings"] as? [String], "\(place)")
      #expect(lines.count == 1 && findings.contains(code), "\(place) \(findings)")
    }
  }

  /// A copy of which nobody is told would be found by nobody.
  @Test func copiesThatAreLeftOutGo() async throws {
    let store = Sample(name: "dotnet-2019").store()
    let archive = folder.path("a.zip")
    _ = try python(
      """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[2], 'w') as zip:
          for name in 'abc': zip.write(sys.argv[1], name + '.db')
      """, store, archive)
    let copies = try folder.makeFolder("copies")
    let (_, lines) = try await find("--once", "--copy-to", copies, archive)
    #expect(lines.count == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: copies)
    #expect(names.map { copies + "/" + $0 + "/a.db" } == lines.map { $0["path"] as? String })
  }

  @Test func folderForCopiesMustBeThere() async throws {
    let outcome = await rehome(
      "find", "--copy-to", folder.path("nowhere"), Project.path("samples"))
    #expect(outcome.code == 73)
    #expect(!FileManager.default.fileExists(atPath: folder.path("nowhere")))
  }

  @Test func nothingToFindIsToldWithWhatIsThere() async throws {
    let place = folder.path("empty")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    _ = try folder.write(Array("hello".utf8), to: "empty/note.txt")
    let outcome = await rehome("find", place)
    #expect(outcome.code == 0)
    #expect(outcome.error.contains("0 stores"))
    #expect(outcome.error.contains("1 other file"))
  }

  /// A failure that has a way out tells it, as in JSON.
  @Test func failuresTellWhatToTry() async throws {
    let head = "ANDROID BACKUP\n5\n1\nAES-256\n" + String(repeating: "0", count: 99)
    let locked = try folder.write(head, to: "locked.ab")
    let error = try #require(try await find(locked).1.first?["error"] as? [String: Any])
    let (message, hint) = (error["message"] as? String ?? "?", error["hint"] as? String ?? "?")
    let text = await rehome("find", locked).text
    #expect(text == "\(locked)\n  cannot be read: \(message)\n  try: \(hint)\n", "\(text)")
  }

  @Test func oneOfAKindIsToldAsOne() async throws {
    let place = try folder.makeFolder("kinds")
    _ = try python(
      """
      import os, struct, sys
      place = sys.argv[1]
      for name, start in [
          ('empty', b''), ('picture', b'GIF89a'), ('list', b'bplist00'), ('.DS_Store', b'\\0\\5\\x16\\7'),
          ('q.db-wal', b'\\x37\\x7f\\6\\x82'), ('realm', b'\\0' * 16 + b'T-DB'), ('note', b'hello'),
          ('answer', b'\\xef\\xbb\\xbf\\n{ "a": 1}'), ('list.txt', b'[1]'),
          ('page', b'<?xml version="1.0"?><a/>'),
          ('rows.CSV', b'a,b'), ('bytes.json', b'\\1{"a":1}'), ('web.xml', b'<html/>')]:
          with open(place + '/' + name, 'wb') as file: file.write(start)
      os.symlink('note', place + '/link')
      os.mkfifo(place + '/pipe')
      os.mkdir(place + '/level')
      for name in ['CURRENT', 'MANIFEST-000001']:
          with open(place + '/level/' + name, 'wb') as file: pass
      """, place)
    let told = await rehome("find", place).error
    #expect(
      told.contains(
        """
        not stores: 1 database of LevelDB or RocksDB, 1 database of Realm, 3 empty files, \
        1 file of CSV, 1 file of XML, 1 file of macOS, 2 files of JSON, 1 image, 1 link, \
        3 other files, 1 property list, 1 side file of a database, 1 special file

        """), "\(told)")
  }

  /// What is packed is counted as what lies in a folder is.
  @Test func looseTextsAreCountedInArchives() async throws {
    let (zip, tar) = (folder.path("t.zip"), folder.path("t.tar"))
    _ = try python(
      """
      import io, sys, tarfile, zipfile
      files = {'a.csv': b'a,b', 'b.TSV': b'a', 'c': b'{"a":1}', 'd': b'<?xml version="1.0"?><a/>', 'e': b'x'}
      with zipfile.ZipFile(sys.argv[1], 'w') as packed:
          for name, text in files.items(): packed.writestr(name, text)
      with tarfile.open(sys.argv[2], 'w') as packed:
          for name, text in files.items():
              member = tarfile.TarInfo(name)
              member.size = len(text)
              packed.addfile(member, io.BytesIO(text))
      """, zip, tar)
    for place in [zip, tar] {
      let told = await rehome("find", place).error
      #expect(
        told.contains("1 file of JSON, 1 file of XML, 2 files of CSV, 1 other file"), "\(told)")
    }
  }

  /// Text at its beginning is no reason to leave a database to itself that has lost its first page.
  @Test(arguments: ["{\"a\":1}", "<?xml version=\"1.0\"?>", "hello"])
  func databaseThatBeginsAsTextIsSeenByItsLog(_ text: String) async throws {
    let place = try folder.makeFolder("lost")
    _ = try python(
      """
      import os, sqlite3, sys
      path = sys.argv[1] + '/q.db'
      base = sqlite3.connect(path)
      base.executescript("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      base.execute('PRAGMA wal_checkpoint')
      base.execute('INSERT INTO t VALUES (2)')
      base.commit()
      log = open(path + '-wal', 'rb').read()
      base.close()
      open(path + '-wal', 'wb').write(log)
      with open(path, 'r+b') as file: file.write(sys.argv[2].encode().ljust(512))
      """, place, text)
    let outcome = await rehome("find", place)
    #expect(outcome.text.contains("q.db") && !outcome.error.contains("file of"), "\(outcome.error)")
  }
}
