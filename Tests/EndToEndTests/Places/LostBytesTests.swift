import Foundation
import TestSupport
import Testing

/// Backups and archives of which bytes are missing or wrong, so that stores in them are not what they
/// were.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct LostBytesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let packing = """

    with zipfile.ZipFile('phone.zip', 'w') as archive:
        for at, _, names in sorted(os.walk('phone')):
            for name in sorted(names): archive.write(os.path.join(at, name))
    with tarfile.open('phone.tgz', 'w:gz') as archive: archive.add('phone')

    """

  /// The list's newest rows are in its log, as in a copy that was made while the backup ran.
  @Test(arguments: ["phone", "phone.zip", "phone.tgz"], [0, 40, 100, 4000])
  func damagedLogOfAListIsTold(place: String, flipped: Int) async throws {
    try folder.makePlaces(
      """
      backup('phone', [('old.db', whole(1)), ('new.db', whole(2))])
      list = sqlite3.connect('phone/Manifest.db', isolation_level=None)
      rows = list.execute("SELECT * FROM Files WHERE relativePath = 'new.db'").fetchall()
      list.execute("DELETE FROM Files WHERE relativePath = 'new.db'")
      list.execute('PRAGMA journal_mode = WAL')
      list.execute('INSERT INTO Files VALUES (?, ?, ?, ?, ?)', rows[0])
      files = {end: open('phone/Manifest.db' + end, 'rb').read() for end in ['', '-wal']}
      list.close()
      log = bytearray(files['-wal'])
      log[\(flipped)] ^= 1
      for end, data in [('', files['']), ('-wal', log)]:
          with open('phone/Manifest.db' + end, 'wb') as file: file.write(data)
      if os.path.exists('phone/Manifest.db-shm'): os.remove('phone/Manifest.db-shm')
      """ + Self.packing)
    let outcome = await rehome("find", folder.path(place))
    #expect(outcome.code == 2, "\(outcome.text)\(outcome.error)")
    #expect(outcome.text.contains("Manifest.db-wal, which belongs to"), "\(outcome.text)")
    let found = try await folder.foundStores(in: place)
    #expect(found.stores.values.sorted() == ["1", "damaged"], "\(found.stores)")
    let converted = await rehome("convert", folder.path(place), "-o", folder.path("o"))
    #expect(converted.code == 65, "\(converted.error)")
  }

  @Test func wholeLogOfAListIsRead() async throws {
    try folder.makePlaces(
      """
      backup('phone', [('old.db', whole(1)), ('new.db', whole(2))])
      list = sqlite3.connect('phone/Manifest.db', isolation_level=None)
      list.execute('PRAGMA journal_mode = WAL')
      list.execute("UPDATE Files SET flags = 1")
      files = {end: open('phone/Manifest.db' + end, 'rb').read() for end in ['', '-wal']}
      list.close()
      for end, data in files.items():
          with open('phone/Manifest.db' + end, 'wb') as file: file.write(data)
      """)
    let found = try await folder.foundStores(in: "phone")
    #expect(found.stores.values.sorted() == ["1", "2"], "\(found)")
  }

  /// What is left of it does not tell that it is a store; the list and its name do.
  @Test(arguments: ["phone", "phone.zip", "phone.tgz"], [0, 1, 15, 16, 600])
  func storeThatIsCutIsTold(place: String, size: Int) async throws {
    try folder.makePlaces(
      """
      data = whole(1)
      backup('phone', [('q.db', data[:\(size)]), ('r.db', data), ('text', b''), ('empty.db', b'')],
             archives={'q.db': sized(len(data)), 'empty.db': sized(0), 'text': sized(5)})
      """ + Self.packing)
    let outcome = await rehome("find", folder.path(place))
    #expect(outcome.code == 2, "\(outcome.text)\(outcome.error)")
    #expect(outcome.text.contains("the backup has \(size) of "), "\(outcome.text)")
    let found = try await folder.foundStores(in: place)
    #expect(found.stores.values.sorted() == ["1", "truncated"], "\(found.stores)")
  }

  /// A log tells what its file is, whatever that is called.
  @Test func missingStoreIsKnownByItsLog() async throws {
    try folder.makePlaces(
      """
      backup('phone', [('Library/Store', None), ('Library/Store-wal', base(2)[1]),
                       ('Library/Other', None)])
      """)
    let found = try await folder.foundStores(in: "phone")
    #expect(found.stores.count == 1, "\(found)")
    #expect(found.stores.first?.value == "file-missing", "\(found)")
    #expect(found.stores.first?.key.hasSuffix("Library/Store") == true, "\(found)")
  }

  /// Nobody can tell which bytes are wrong; a server would take those of a store for true.
  @Test(arguments: ["a.ab", "a.tgz", "length.tgz"])
  func storeOfAnArchiveWithAWrongChecksumIsNotSent(name: String) async throws {
    let store = Sample(name: "ios-2016").store()
    try folder.makePlaces(
      """
      tar('a.tar', [('apps/p/db/q.sqlite', open('\(store)', 'rb').read())])
      with open('a.tar', 'rb') as file: data = file.read()
      wrong_sums(data)
      """)
    let place = folder.path(name)
    let lines = try await rehome("find", "--json", place).jsonLines()
    let found = lines.first { $0["error"] is NSNull }
    #expect((found?["findings"] as? [String])?.contains("store-damaged") == true, "\(lines)")
    let journal = folder.path("j.rehome")
    let target = folder.path("target.rehome")
    #expect(await rehome("convert", "-q", store, "-o", target).code == 0)
    let arguments = ["replay", place, "--to", target, "--journal", journal]
    let sent = await rehome(arguments)
    #expect(sent.code == 65, "\(sent.error)")
    #expect(sent.error.contains("--salvage"), "\(sent.error)")
    #expect(!folder.names.contains("j.rehome"))
    #expect(await rehome(arguments + ["--dry-run"]).code == 2)
    let salvaged = await rehome(arguments + ["--salvage"])
    #expect(salvaged.code != 65 && folder.names.contains("j.rehome"), "\(salvaged.error)")
  }

  /// What a person has salvaged on purpose is sent.
  @Test func salvagedStoreIsSent() async throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Sample(name: "ios-2014").store()))
    let cut = try folder.write(Array(bytes.dropLast(4096)), to: "cut.sqlite")
    let (store, target) = (folder.path("cut.rehome"), folder.path("target.rehome"))
    #expect(await rehome("convert", "-q", "--salvage", cut, "-o", store).code == 2)
    #expect(await rehome("convert", "-q", Sample(name: "ios-2014").store(), "-o", target).code == 0)
    let sent = await rehome("replay", store, "--to", target)
    #expect(sent.code != 65, "\(sent.error)")
  }

  /// As in unpacking, the last of those that are called alike counts.
  @Test(arguments: ["phone.zip", "phone.tgz"])
  func lastBodyOfANumberIsRead(place: String) async throws {
    try folder.makePlaces(
      """
      for rows in [1, 2]:
          shutil.rmtree('phone', ignore_errors=True)
          backup('phone', [('q.db', whole(rows))])
          with zipfile.ZipFile('phone.zip', 'a') as archive:
              for at, _, names in sorted(os.walk('phone')):
                  for name in sorted(names): archive.write(os.path.join(at, name))
          with tarfile.open('phone.tar', 'a') as archive: archive.add('phone')
      with open('phone.tar', 'rb') as file: data = file.read()
      with gzip.open('phone.tgz', 'wb') as file: file.write(data)
      """)
    let found = try await folder.foundStores(in: place)
    #expect(Array(found.stores.values) == ["2"], "\(found)")
  }

  /// Programs that know nothing of ZIP64 write the count in sixteen bits.
  @Test func countOfAZIPThatWentRoundIsRead() async throws {
    try folder.makePlaces(
      """
      with zipfile.ZipFile('long.zip', 'w') as archive:
          for n in range(65540): archive.writestr(f'f{n}.png', b'')
          archive.writestr('q.db', whole(3))
      data = open('long.zip', 'rb').read()
      place = data.rfind(b'PK\\6\\6')
      count, _, size, start = struct.unpack('<QQQQ', data[place + 24:place + 56])
      def end(count): return b'PK\\5\\6' + struct.pack('<HHHHIIH', 0, 0, count, count, size, start, 0)
      open('round.zip', 'wb').write(data[:place] + end(count % 65536))
      open('wrong.zip', 'wb').write(data[:place] + end(count % 65536 + 1))
      """)
    #expect(try await folder.foundStores(in: "round.zip").stores == ["!q.db": "3"])
    let wrong = await rehome("find", folder.path("wrong.zip"))
    #expect(wrong.code == 65 && wrong.text.contains("more entries than it says"), "\(wrong.text)")
  }

  /// A store that is not there stays so until somebody copies it.
  @Test func missingStoreStandsInAReportOnce() async throws {
    try folder.makePlaces("backup('phone', [('q.db', None), ('r.db', whole(1))])")
    let report = folder.path("report.ndjson")
    for _ in 0..<3 {
      let outcome = await rehome("find", "--report", report, "--resume", folder.path("phone"))
      #expect(outcome.code == 2, "\(outcome.error)")
    }
    let lines = try #require(folder.text("report.ndjson")).split(separator: "\n")
    #expect(lines.count == 2, "\(lines)")
  }
}
