import Foundation
import TestSupport
import Testing

/// Folders that are stores as a whole: exports, and queues of files.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct StoresInFoldersTests {
  private let folder: TemporaryFolder
  private let ios = Project.path("samples/ios-2016/qstodoitem.sqlite")
  private let formats = ["csv", "json", "ndjson", "xml"]

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Exports, each with other stores beside and below its files, a queue of files with the same, and
  /// an export whose manifest is damaged.
  private func makeTree() async throws -> String {
    let tree = try folder.makeFolder("tree")
    try folder.makeFolder("tree/sub")
    for format in formats {
      let outcome = await rehome(
        "export", "-q", ios, "--to", format, "-o", "\(tree)/sub/\(format)")
      try #require(outcome.code == 0, "\(outcome.error)")
    }
    for (format, name) in [("json", "json"), ("xml", "xml"), ("json", "json.gz")] {
      let outcome = await rehome(
        "export", "-q", ios, "--to", format, "-o", folder.path("loose.\(name)"))
      try #require(outcome.code == 0, "\(outcome.error)")
    }
    _ = try python(
      """
      import glob, os, shutil, sys, zipfile
      out, ios = sys.argv[1:]
      sub = out + '/tree/sub'
      shutil.copytree(sub + '/xml', sub + '/damaged')
      with open(sub + '/damaged/manifest.json', 'r+') as file: file.truncate(2000)
      os.makedirs(sub + '/queue')
      with open(sub + '/queue/CachedCommand_0000000000000001_00000000_1', 'w') as file:
          file.write('{"httpPath":"classes/Task/a","httpMethod":"DELETE"}')
      for name in ['csv', 'json', 'ndjson', 'xml', 'queue']:
          place = sub + '/' + name
          os.makedirs(place + '/below/more')
          shutil.copy(ios, place + '/beside.sqlite')
          shutil.copy(ios, place + '/below/more/q.sqlite')
          for loose in glob.glob(out + '/loose.*'): shutil.copy(loose, place)
          with zipfile.ZipFile(place + '/packed.zip', 'w') as packed: packed.write(ios, 'q.sqlite')
          with open(place + '/note.txt', 'w') as file: file.write('hello')
      """, folder.path, ios)
    return tree
  }

  /// Packs the tree in each of the ways in which devices and people do.
  private func pack(_ tree: String) throws {
    _ = try python(
      """
      import hashlib, os, plistlib, sqlite3, struct, sys, tarfile, zipfile
      tree, out = sys.argv[1:]
      files = sorted(os.path.join(at, name) for at, _, names in os.walk(tree) for name in names)
      inside = {path: os.path.relpath(path, tree) for path in files}
      with zipfile.ZipFile(out + '/a.zip', 'w', 8) as packed:
          for path in files: packed.write(path, inside[path])
      for name, mode in [('a.tar', 'w'), ('a.tar.gz', 'w:gz')]:
          with tarfile.open(out + '/' + name, mode) as packed:
              for path in files: packed.add(path, inside[path])

      def body(backup, path):
          number = hashlib.sha1(('AppDomain-a-' + inside[path]).encode()).hexdigest()
          os.makedirs(f'{backup}/{number[:2]}', exist_ok=True)
          with open(path, 'rb') as file, open(f'{backup}/{number[:2]}/{number}', 'wb') as copy:
              copy.write(file.read())
          return number

      for backup in [out + '/new', out + '/old']:
          os.makedirs(backup)
          with open(backup + '/Info.plist', 'wb') as file: plistlib.dump({'Device Name': 'A'}, file)
      database = sqlite3.connect(out + '/new/Manifest.db')
      database.execute('CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT,'
                       ' flags INTEGER, file BLOB)')
      records = b'mbdb\\5\\0'
      text = lambda value: struct.pack('>H', len(value)) + value
      for path in files:
          number = body(out + '/new', path)
          database.execute("INSERT INTO Files VALUES (?, 'AppDomain-a', ?, 1, NULL)",
                           (number, inside[path]))
          body(out + '/old', path)
          records += text(b'AppDomain-a') + text(inside[path].encode()) + b'\\xff\\xff' * 3
          records += struct.pack(
              '>HQIIIIIQB', 0o100644, 1, 1, 1, 1, 1, 1, os.path.getsize(path), 4) + b'\\0'
      database.commit()
      with open(out + '/old/Manifest.mbdb', 'wb') as file: file.write(records)
      """, tree, folder.path)
  }

  /// What is found in a place: of each store its layout, rows and operations, or its error.
  private func find(_ place: String, _ inside: String) async throws -> [String: String] {
    let outcome = await rehome("find", "--json", place)
    var found: [String: String] = [:]
    for store in try outcome.jsonLines() {
      let name = try #require(store["store"] as? String)
      #expect(name.hasPrefix(place + inside), "\(name)")
      let queue = store["queue"] as? [String: Any]
      let facts = [store["layout"], store["rows"], queue?["operations"]].compactMap { $0 }
      let error = (store["error"] as? [String: Any])?["code"]
      found[String(name.dropFirst((place + inside).count))] =
        error.map { "\($0)" } ?? facts.map { "\($0)" }.joined(separator: " ")
    }
    return found
  }

  @Test func foldersArchivesAndBackupsHaveTheSameStores() async throws {
    let tree = try await makeTree()
    try pack(tree)
    var expected = ["sub/damaged": "damaged"]
    for name in formats + ["queue"] {
      let place = "sub/" + name
      expected[place] = name == "queue" ? "parse-command-cache 0 1" : "bundle 9 8"
      for store in ["beside.sqlite", "below/more/q.sqlite", "packed.zip!q.sqlite"] {
        expected["\(place)/\(store)"] = "azure-mobile-ios 9 8"
      }
      for loose in ["json", "xml", "json.gz"] {
        expected["\(place)/loose.\(loose)"] = "document 9 8"
      }
    }
    for (place, inside) in [
      (tree, "/"), ("a.zip", "!"), ("a.tar", "!"), ("a.tar.gz", "!"), ("new", "!AppDomain-a/"),
      ("old", "!AppDomain-a/"),
    ] {
      let path = place == tree ? tree : folder.path(place)
      let found = try await find(path, inside)
      let strange = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }
      #expect(strange.isEmpty, "\(place): \(strange.sorted().map { ($0, found[$0]) })")
      let told = await rehome("find", path).error
      #expect(told.contains("not stores: 5 other files\n"), "\(place): \(told)")
    }
  }

  @Test func exportInAnArchiveHasTheContentOfItsStore() async throws {
    let own = await rehome("hash", ios).text.prefix(64)
    let tree = try folder.makeFolder("tree")
    for format in formats {
      _ = await rehome("export", "-q", ios, "--to", format, "-o", "\(tree)/\(format)")
    }
    try pack(tree)
    for (place, inside) in [("a.zip", "!"), ("a.tar.gz", "!"), ("new", "!AppDomain-a/")] {
      for format in formats {
        let hash = await rehome("hash", folder.path(place) + inside + format)
        #expect(hash.text.prefix(64) == own, "\(place) \(format): \(hash.error)")
        #expect(hash.text.split(separator: "\n").count == 1)
      }
    }
  }

  @Test func folderThatIsNamedIsOneStore() async throws {
    let bundle = folder.path("bundle")
    _ = await rehome("export", "-q", ios, "--to", "xml", "-o", bundle)
    let own = await rehome("hash", bundle)
    #expect(own.error.isEmpty)
    try FileManager.default.copyItem(atPath: ios, toPath: bundle + "/more.sqlite")
    let hash = await rehome("hash", bundle)
    #expect(hash.text == own.text)
    #expect(hash.error.contains("taken as one store"), "\(hash.error)")
    #expect(await rehome("verify", "-q", bundle, ios).code == 0)
    #expect(await rehome("seed", "-q", bundle, "-o", folder.path("seeded")).code == 0)
    #expect(await rehome("verify", "-q", folder.path("seeded"), ios).code == 0)
  }

  /// Two versions of a database with a log, and of an export, one behind the other.
  private func makeVersions() async throws {
    _ = try python(
      """
      import os, shutil, sqlite3, sys
      out = sys.argv[1]
      for version in [1, 2]:
          place = f'{out}/{version}'
          os.makedirs(place)
          base = sqlite3.connect(out + '/work.db')
          base.execute('PRAGMA journal_mode = WAL')
          base.execute('PRAGMA wal_autocheckpoint = 0')
          base.execute('CREATE TABLE IF NOT EXISTS t (id TEXT)')
          base.commit()
          base.execute('PRAGMA wal_checkpoint(TRUNCATE)')
          base.executemany('INSERT INTO t VALUES (?)', [(str(n),) for n in range(100 * version)])
          base.commit()
          for end in ['', '-wal']: shutil.copy(out + '/work.db' + end, f'{place}/q.db{end}')
          base.close()
      """, folder.path)
    for version in [1, 2] {
      let bundle = folder.path("\(version)/bundle")
      let outcome = await rehome(
        "export", "-q", folder.path("\(version)/q.db"), "--to", "csv", "-o", bundle)
      try #require(outcome.code == 0, "\(outcome.error)")
    }
    _ = try python(
      """
      import os, sys, tarfile, warnings, zipfile
      out = sys.argv[1]
      warnings.simplefilter('ignore')
      for version in [1, 2]:
          place = f'{out}/{version}'
          with tarfile.open(out + '/a.tar', 'a') as packed:
              for name in sorted(os.listdir(place)): packed.add(place + '/' + name, name)
          with zipfile.ZipFile(out + '/a.zip', 'a') as packed:
              for at, _, names in sorted(os.walk(place)):
                  for name in sorted(names):
                      path = os.path.join(at, name)
                      packed.write(path, os.path.relpath(path, place))
      """, folder.path)
  }

  @Test func whatIsAppendedToATarTakesThePlaceOfWhatHasItsName() async throws {
    try await makeVersions()
    let place = folder.path("a.tar")
    #expect(try await find(place, "!") == ["q.db": "sqlite 300 0", "bundle": "bundle 300 0"])
    // The database and its log, and the files of the export.
    let told = await rehome("find", place).error
    #expect(told.contains("files that later ones replace"))
    #expect(told.contains("an earlier bundle/manifest.json is replaced by a later one"))
  }

  @Test func versionsInAZipHaveEachItsOwnFiles() async throws {
    try await makeVersions()
    #expect(
      try await find(folder.path("a.zip"), "!") == [
        "q.db": "sqlite 100 0", "q.db (2)": "sqlite 300 0",
        "bundle": "bundle 100 0", "bundle (2)": "bundle 300 0",
      ])
  }
}
