import Foundation
import TestSupport
import Testing

/// A tree that is packed is what it is unpacked, in whatever order its files were packed, and is read as
/// often whatever is in it.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct PackedTreesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes `tree`, and archives of it with their members in an order of chance.
  private func pack(_ members: String, seed: Int) throws {
    try folder.makePlaces(
      """
      import random
      def sample(name): return open('\(Project.path("samples"))/' + name, 'rb').read()
      def packed(name, data):
          content = io.BytesIO()
          with zipfile.ZipFile(content, 'w') as archive: archive.writestr(name, data)
          return content.getvalue()
      members = \(members)
      for name, data in members.items():
          os.makedirs('tree/' + os.path.dirname(name), exist_ok=True)
          with open('tree/' + name, 'wb') as file: file.write(data)
      members = list(members.items())
      random.Random(\(seed)).shuffle(members)
      tar('tree.tar', members)
      tar('tree.tgz', members, 'w:gz')
      with zipfile.ZipFile('tree.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
          for member in members: archive.writestr(*member)
      """)
  }

  /// What is told of each store in a place, in its order, by the path inside.
  private func stores(in place: String) async throws -> [String] {
    let place = folder.path(place)
    return try await rehome("find", "--json", place).jsonLines().map { line in
      let name = try #require(line["store"] as? String).dropFirst(place.count + 1)
      let facts = ["rows", "waiting", "findings", "sha256"].map { line[$0] ?? "" }
      let error = line["error"] as? [String: any Sendable] ?? [:]
      return "\(name): \(facts) \(error.map { "\($0): \($1)" }.sorted())"
    }
  }

  private func mergedHash(of place: String) async -> String {
    let merged = folder.path("merged.rehome")
    _ = await rehome("convert", "-q", "-f", folder.path(place), "-o", merged)
    return String(await rehome("hash", merged).text.prefix { $0 != " " })
  }

  @Test(arguments: 1...4) func packedTreeIsTheTree(seed: Int) async throws {
    try pack(
      """
      {'b/q.sqlite': sample('ios-2014/qstodoitem.sqlite'),
       'a/q.sqlite': sample('ios-2016/qstodoitem.sqlite'),
       'd/q.sqlite': sample('ios-2015/qstodoitem.sqlite'),
       'd/q.sqlite-wal': sample('ios-2015/qstodoitem.sqlite-wal'),
       'c.zip': packed('in.sqlite', sample('ios-2015/qstodoitem.sqlite')),
       'c/q.sqlite.gz': gzip.compress(sample('ios-2015/qstodoitem.sqlite')),
       'c/q.sqlite-wal': sample('ios-2015/qstodoitem.sqlite-wal'),
       'e/Q.sqlite.GZ': gzip.compress(sample('ios-2015/qstodoitem.sqlite')),
       'e/Q.sqlite-wal.GZ': gzip.compress(sample('ios-2015/qstodoitem.sqlite-wal')),
       'f/q.sqlite': sample('ios-2015/qstodoitem.sqlite'),
       'f/q.sqlite-wal.gz': gzip.compress(sample('ios-2015/qstodoitem.sqlite-wal')),
       'g/note.txt': b'x'}
      """, seed: seed)
    let tree = try await stores(in: "tree")
    #expect(tree.count == 7)
    let hash = await mergedHash(of: "tree")
    #expect(hash.count == 64)
    for place in ["tree.tar", "tree.tgz", "tree.zip"] {
      #expect(try await stores(in: place) == tree, "\(place)")
      #expect(await mergedHash(of: place) == hash, "\(place)")
    }
  }

  /// Names that are not UTF-8, as older systems have made them, are nothing to a file system.
  @Test func namesOfOtherEncodingsAreReadAsInAnArchive() async throws {
    try folder.makePlaces(
      #"""
      import random
      def sample(name): return open('\#(Project.path("samples"))/' + name, 'rb').read()
      content = io.BytesIO()
      with zipfile.ZipFile(content, 'w') as archive:
          archive.writestr('in.sqlite', sample('ios-2016/qstodoitem.sqlite'))
      store, log = [sample('ios-2015/qstodoitem.sqlite' + end) for end in ['', '-wal']]
      members = {'a/q.sqlite': store, 'a/q.sqlite-wal': log, 'z.sqlite': store, 'z.sqlite-wal': log,
                 'M\udcfcller/q.sqlite': sample('ios-2014/qstodoitem.sqlite'),
                 'M\udcfcller/b/\udcff.sqlite': store, 'M\udcfcller/b/\udcff.sqlite-wal': log,
                 'M\udcfcller/c.zip': content.getvalue(), 'M\udcfcller/note.txt': b'x',
                 'sub/K\udcf6ln.sqlite': store, 'sub/K\udcf6ln.sqlite-wal': log,
                 'sub/K\udcf6ln.txt': b'x', 'cut/\udcfc.sqlite': store[:5000],
                 'ext/M\udcfc.sqlite': store, 'ext/M\udcfc.sqlite-wal': log,
                 'ext/.M\udcfc_SUPPORT/_EXTERNAL_DATA/11111111-2222-3333-4444-555555555555': store,
                 'app/databases/K\udcfc': random.Random(1).randbytes(8192), 'note.txt': b'x'}
      for name, data in members.items():
          os.makedirs('tree/' + os.path.dirname(name), exist_ok=True)
          with open('tree/' + name, 'wb') as file: file.write(data)
      members = list(members.items())
      random.Random(1).shuffle(members)
      tar('tree.tar', members)
      """#)
    let tree = try await stores(in: "tree").map { $0.replacing("!", with: "/") }
    #expect(tree.count == 9)
    #expect(tree[0].hasPrefix("M\\xFCller/b/\\xFF.sqlite: "), "\(tree)")
    #expect(
      try await stores(in: "tree.tar").map { $0.replacing("!", with: "/") } == tree)
    for place in ["tree", "tree.tar"] {
      let refused = await rehome("convert", folder.path(place), "-o", folder.path("no.rehome"))
      #expect(refused.code == 65, "\(refused.error)")
    }
    let part = await rehome("hash", folder.path("tree!M\\xFCller/c.zip"))
    #expect(part.code == 0 && part.text.count > 64, "\(part.error)")
    // What is no store is counted as it is elsewhere.
    let named = await rehome("find", folder.path("tree"), "--json")
    #expect(named.error.contains("not stores: 3 other files"), "\(named.error)")
  }

  // MARK: How much is read

  /// How many bytes a run of `find` reads, files that it has made among them.
  private func bytesRead(_ arguments: [String]) throws -> Int {
    let read = try python(
      """
      import os, subprocess, sys
      run = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
      os.waitid(os.P_PID, run.pid, os.WEXITED | os.WNOWAIT)
      print(open(f'/proc/{run.pid}/io').read().split()[1], end='')
      """, [Project.executable.path, "find"] + arguments)
    return try #require(Int(read))
  }

  /// Stores of which half are packed by themselves, each with 32 KiB that no packing makes less.
  private func makeStores(_ count: Int) throws {
    try folder.makePlaces(
      """
      import random
      random.seed(1)
      def large(number):
          with sqlite3.connect('large.tmp') as store:
              store.execute('CREATE TABLE t (id INTEGER PRIMARY KEY, v BLOB)')
              store.execute('INSERT INTO t VALUES (?, ?)', (number, random.randbytes(1 << 15)))
          store.close()
          with open('large.tmp', 'rb') as file: data = file.read()
          os.remove('large.tmp')
          return data
      members = []
      for number in range(\(count)):
          members.append((f'{number:03}/a.db', large(number)))
          members.append((f'{number:03}/b.db.gz', gzip.compress(large(-number))))
      tar('\(count).tgz', members, 'w:gz')
      """)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/io")))
  func archiveIsReadAsOftenForManyStoresAsForFew() throws {
    let reads = try [6, 24].map { count in
      try makeStores(count)
      return try bytesRead([folder.path("\(count).tgz")])
    }
    #expect(reads[1] < reads[0] * 6, "\(reads)")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/io")))
  func storesThatAreNamedCostNoMoreThanTheirArchive() async throws {
    try makeStores(12)
    let archive = folder.path("12.tgz")
    let lines = try await rehome("find", "--json", archive).jsonLines()
    let names = lines.compactMap { $0["store"] as? String }
    #expect(names.count == 24)
    let (whole, named) = try (bytesRead([archive]), bytesRead(names))
    #expect(named < whole * 5 / 4, "\(named) bytes in place of \(whole)")
    let again = try await rehome(["find", "--json"] + names).jsonLines()
    #expect(again.map { $0["sha256"] as? String } == lines.map { $0["sha256"] as? String })
  }
}
