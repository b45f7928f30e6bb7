import Foundation
import TestSupport
import Testing

/// Stores that no longer look like ones are told wherever they lie, and what is none is only counted.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct LostStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What lies in each place: stores that are damaged or encrypted, and files that are none.
  private static let files = """
    import random
    chance = random.Random(7)
    data = whole(3000)
    live = sqlite3.connect('live.tmp')
    live.execute('PRAGMA journal_mode = WAL')
    live.execute('CREATE TABLE t (id TEXT)')
    live.executemany('INSERT INTO t VALUES (?)', [('1',)] * 300)
    live.commit()
    with open('live.tmp-wal', 'rb') as file: log = file.read()
    bit = data[:3] + bytes([data[3] ^ 32]) + data[4:]
    mark = b'no such mark at' + b'\\0' + data[16:]
    stores = {'bit.sqlite': bit, 'bit': bit, 'mark.bin': mark, 'zeroed.db': bytes(100) + data[100:],
              'page.sqlite3': b'\\1\\2' * 2048 + data[4096:], 'room.storedata': bytes(8192),
              'secret.sqlite': chance.randbytes(40960), 'databases/secret': chance.randbytes(4096),
              'old/apps/com.a/d_db/secret': chance.randbytes(4096),
              'chat': chance.randbytes(4096), 'chat-journal': b'', 'logged.db': b'',
              'logged.db-wal': log, 'good': whole(1)}
    thumbs = bytes.fromhex('d0cf11e0a1b11ae1') + bytes(16) + b'\\xff' * 4072
    others = {'never.sqlite': b'', 'text.db': b'hello there\\n' * 400, 'jpeg.db': b'\\xff\\xd8\\xff' + data,
              'berkeley.db': bytes(12) + bytes.fromhex('62310500') + bytes(4080), 'thumbs.db': thumbs,
              'small.db': chance.randbytes(300), 'odd.db': chance.randbytes(40001),
              'paradox.db': bytes.fromhex('1b000008') + bytes(range(1, 200)) * 40,
              'image.db': bytes(32768) + b'content ' * 512,
              'packed.db': chance.randbytes(4096) + b'end' * 512,
              'no.db': b'\\3\\4' * 2048, 'no.db-journal': bytes.fromhex('d9d505f920a163d7') + bytes(504),
              'media.bin': chance.randbytes(40960), 'x.realm': bytes(16) + b'T-DB' + bytes(4076)}
    files = list((stores | others).items())

    """

  private static let expected = [
    "bit.sqlite": "damaged", "bit": "damaged", "mark.bin": "damaged", "zeroed.db": "damaged",
    "page.sqlite3": "damaged", "room.storedata": "notAStore", "secret.sqlite": "unsupported",
    "databases/secret": "unsupported", "chat": "unsupported",
    "old/apps/com.a/d_db/secret": "unsupported",
    "logged.db": "damaged", "good": "1",
  ]

  @Test(arguments: [
    (
      "tree", "/",
      """
      for path, bytes in files:
          os.makedirs(os.path.dirname('tree/' + path), exist_ok=True)
          with open('tree/' + path, 'wb') as file: file.write(bytes)
      """
    ),
    (
      "a.zip", "!",
      """
      with zipfile.ZipFile('a.zip', 'w', 8) as packed:
          for path, bytes in files: packed.writestr(path, bytes)
      """
    ),
    ("a.tar", "!", "tar('a.tar', files)"), ("a.tar.gz", "!", "tar('a.tar.gz', files, 'w:gz')"),
    ("phone", "!AppDomain-a/", "backup('phone', files)"),
    (
      "phone.tar", "!phone!AppDomain-a/",
      """
      backup('phone', files)
      with tarfile.open('phone.tar', 'w') as packed: packed.add('phone')
      """
    ),
  ])
  func storesThatDoNotLookLikeOnesAreTold(
    place: String, inside: String, make: String
  ) async throws {
    try folder.makePlaces(Self.files + make)
    let found = try await folder.foundStores(in: place)
    let expected = Dictionary(
      uniqueKeysWithValues: Self.expected.map { (inside + $0.key, $0.value) })
    let strange = Set(found.stores.keys).union(expected.keys)
      .filter { found.stores[$0] != expected[$0] }
    #expect(strange.isEmpty, "\(strange.sorted().map { ($0, found.stores[$0]) })")
    #expect(
      found.told.contains("not stores, though called as databases: 1 empty file, 1 image, "),
      "\(found.told)")
    #expect(found.told.contains("1 side file of a database"), "\(found.told)")
    for command in ["inspect", "audit", "hash"] {
      let outcome = await rehome(command, folder.path(place))
      #expect(outcome.code == 2, "\(command): \(outcome.error)")
      #expect(outcome.error.contains("secret.sqlite: not a database that can be read"))
      #expect(outcome.error.contains("though called as databases"), "\(command)")
    }
  }

  /// What macOS puts beside each file of an archive is called as the file.
  @Test func companionsOfFilesAreOnlyCounted() async throws {
    try folder.makePlaces(
      """
      with zipfile.ZipFile('mac.zip', 'w') as archive:
          archive.writestr('q.db', whole(1))
          archive.writestr('__MACOSX/._q.db', bytes([0, 5, 0x16, 7, 0, 2]) + bytes(80))
      """)
    let found = try await folder.foundStores(in: "mac.zip")
    #expect(found.stores == ["!q.db": "1"])
    #expect(found.told.contains("1 file of macOS"), "\(found.told)")
    #expect(!found.told.contains("though called"), "\(found.told)")
  }

  @Test func whatIsLeftOfThemIsSalvaged() async throws {
    try folder.makePlaces(
      Self.files
        + """
        with zipfile.ZipFile('a.zip', 'w', 8) as packed:
            for path in ['bit.sqlite', 'zeroed.db']: packed.writestr(path, stores[path])
            packed.writestr('good.sqlite', whole(1))
        """)
    let output = folder.path("all.rehome")
    let place = folder.path("a.zip")
    #expect(await rehome("convert", place, "-o", output).code == 65)
    #expect(await rehome("convert", "--salvage", place, "-o", output).code == 2)
    #expect(try Devices.query(output, "SELECT count(*) FROM t") == "6001\n")
  }

  /// Where somebody names the very folder that Android or its backups have databases in, or one around.
  @Test(arguments: [
    ("databases", "databases"), ("apps/com.a/db", "apps/com.a/db"),
    ("apps/com.a/d_db", "apps/com.a"), ("apps/com.a/db", "apps"),
  ])
  func folderTellsWhatLiesInIt(place: String, named: String) async throws {
    try folder.makePlaces(
      Self.files
        + """
        os.makedirs('\(place)')
        with open('\(place)/secret', 'wb') as file: file.write(stores['secret.sqlite'])
        """)
    let inside = String(place.dropFirst(named.count)) + "/secret"
    #expect(try await folder.foundStores(in: named).stores == [inside: "unsupported"])
  }

  @Test func oneThatIsCutInABackupIsTold() async throws {
    try folder.makePlaces(
      Self.files
        + """
        cut = {path: stores[path][:-1000] for path in ['secret.sqlite', 'page.sqlite3']}
        backup('phone', list(cut.items()),
               archives={path: sized(len(stores[path])) for path in cut})
        """)
    let expected = ["secret.sqlite", "page.sqlite3"].map { ("!AppDomain-a/" + $0, "truncated") }
    let found = try await folder.foundStores(in: "phone").stores
    #expect(found == Dictionary(uniqueKeysWithValues: expected))
  }

  /// Whatever bytes a text has, it is read packed as it is.
  @Test(arguments: [
    ("control.csv", "b'id,text\\r\\n' + b'1,a\\1b\\r\\n' * 200"),
    ("deleted.csv", "b'id,text\\r\\n' + b'1,a\\x7fb\\r\\n' * 200"),
    ("unit.csv", "b'id\\x1ftext\\n' + b'1\\x1fa\\n' * 200"),
    ("wide.csv", "('id,text\\r\\n' + '1,a\\r\\n' * 200).encode('utf-16')"),
    ("wide.xml", "('<rows>' + '<row><id>1</id></row>' * 200 + '</rows>').encode('utf-16')"),
  ])
  func packedExportIsReadAsItIs(name: String, data: String) async throws {
    try folder.makePlaces(
      """
      data = \(data)
      with open('\(name)', 'wb') as file: file.write(data)
      with gzip.open('\(name).gz', 'wb') as file: file.write(data)
      """)
    var hashes: [Substring] = []
    for ending in ["", ".gz"] {
      let path = folder.path(name + ending)
      let outcome = await rehome("hash", path)
      #expect(outcome.text.hasSuffix("  \(path)\n"), "\(outcome.text)\(outcome.error)")
      hashes.append(outcome.text.prefix(64))
    }
    #expect(hashes[0] == hashes[1])
  }

  @Test(arguments: ["secret.sqlite", "chat", "page.sqlite3"])
  func packedOneIsTold(name: String) async throws {
    let make = "with gzip.open('\(name).gz', 'wb') as packed: packed.write(stores['\(name)'])"
    try folder.makePlaces(Self.files + make)
    let outcome = await rehome("inspect", folder.path(name + ".gz"))
    #expect(outcome.code == 65 && !outcome.error.contains("--copy-to"), "\(outcome.error)")
    let words = name == "page.sqlite3" ? "the beginning of the store is lost" : "look encrypted"
    #expect(outcome.error.contains(words), "\(outcome.error)")
  }
}
