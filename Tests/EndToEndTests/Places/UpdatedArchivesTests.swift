import Foundation
import TestSupport
import Testing

/// Archives that came to be in pieces: to which later copies were appended, or of which each holds a part.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct UpdatedArchivesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func find(_ name: String) async throws -> (stores: [String: String], told: String) {
    try await folder.foundStores(in: name)
  }

  /// A database with 5 rows in its log, and the same with 12 rows after the app has closed it.
  private let copies = """
    store = sqlite3.connect('a.db')
    store.execute('PRAGMA journal_mode = WAL')
    store.execute('PRAGMA wal_autocheckpoint = 0')
    store.execute('CREATE TABLE t (id TEXT)')
    def add(count):
        store.executemany('INSERT INTO t VALUES (?)', [(str(n),) for n in range(count)])
        store.commit()
    add(5)
    main, log = [open('a.db' + end, 'rb').read() for end in ['', '-wal']]
    add(7)
    store.close()
    later = open('a.db', 'rb').read()

    """

  @Test(arguments: ["w", "w:gz"])
  func logIsNotLaidOverALaterCopy(mode: String) async throws {
    try folder.makePlaces(
      copies + """
        tar('b.tar', [('a.db', main), ('a.db-wal', log), ('a.db', later)], '\(mode)')
        tar('first.tar', [('a.db-wal', log), ('a.db', main), ('a.db', later)], '\(mode)')
        tar('log.tar', [('a.db', main), ('a.db-wal', log[:32]), ('a.db-wal', log)], '\(mode)')
        """)
    for name in ["b.tar", "first.tar"] {
      let found = try await find(name)
      #expect(found.stores == ["!a.db": "12"], "\(name)")
      #expect(found.told.contains("not read, nor is what came beside it"), "\(found.told)")
    }
    #expect(try await find("log.tar").stores == ["!a.db": "5"])
  }

  @Test func logThatStandsInFrontOfItsOwnCopyIsRead() async throws {
    try folder.makePlaces(
      copies + """
        def archive(name, members):
            with tarfile.open(name, 'w', format=tarfile.PAX_FORMAT) as archive:
                for path, data, time in members:
                    info = tarfile.TarInfo(path)
                    info.size, info.mtime = len(data), time
                    archive.addfile(info, io.BytesIO(data))
        shutil.copy('a.db', 'b.db')
        store = sqlite3.connect('b.db')
        store.execute('PRAGMA journal_mode = WAL')
        store.execute("INSERT INTO t VALUES ('x')")
        store.commit()
        last, new = [open('b.db' + end, 'rb').read() for end in ['', '-wal']]
        store.close()
        tar('pairs.tar', [('a.db', main), ('a.db-wal', log), ('a.db-wal', new), ('a.db', last)])
        archive('newer.tar', [('a.db', main, 1), ('a.db-wal', log, 1.75), ('a.db', main, 1.5)])
        archive('older.tar', [('a.db', main, 1), ('a.db-wal', log, 1.25), ('a.db', later, 1.5)])
        """)
    #expect(try await find("pairs.tar").stores == ["!a.db": "13"])
    #expect(try await find("newer.tar").stores == ["!a.db": "5"])
    #expect(try await find("older.tar").stores == ["!a.db": "12"])
  }

  @Test func copyThatIsCutTakesNothingsPlace() async throws {
    try folder.makePlaces(
      copies + """
        tar('b.tar', [('a.db', main), ('a.db-wal', log), ('a.db', later)])
        os.truncate('b.tar', len(main) + len(log) + 4096)
        """)
    let found = try await find("b.tar")
    #expect(found.stores == ["!a.db": "5", "!a.db (2)": "truncated", "": "truncated"])
  }

  /// Marks without a value are what Android's recovery writes; damage costs the member that it is about.
  @Test func recordWithoutAValueIsPassedOver() async throws {
    try folder.makePlaces(
      """
      def header(name, size, kind):
          info = tarfile.TarInfo(name)
          info.size, info.type = size, kind
          return info.tobuf(tarfile.GNU_FORMAT)
      def block(data): return data + bytes(-len(data) % 512)
      def member(name, data, records):
          return (header(name, len(records), b'x') + block(records)
                  + header(name, len(data), b'0') + block(data))
      marks = b'28 ANDROID.user.inode_cache\\n33 ANDROID.user.inode_code_cache\\n'
      with open('a.tar', 'wb') as file:
          file.write(member('a.db', whole(1), marks + b'13 path=p.db\\n')
                     + member('b.db', whole(2), b'99 path=q.db\\n')
                     + member('c.db', whole(3), b'11 size=xy\\n') + member('d.db', whole(4), marks)
                     + bytes(1024))
      """)
    #expect(
      try await find("a.tar").stores
        == ["!p.db": "1", "!b.db": "damaged", "!c.db": "damaged", "!d.db": "4"])
  }

  @Test func logInAnotherPartOfABackupIsTold() async throws {
    try folder.makePlaces(
      """
      main, log = base(3)
      tar('data.ext4.win000', [('data/q.db', main)])
      tar('data.ext4.win001', [('data/q.db-wal', log), ('data/r.db', whole(1))])
      """)
    let found = try await find("data.ext4.win001")
    #expect(found.stores == ["!data/r.db": "1"])
    #expect(
      found.told.contains("data/q.db-wal is here without its database"), "\(found.told)")
    #expect(try await !find("data.ext4.win000").told.contains("without its database"))
  }

  @Test func zipBehindTheMarkOfItsPartsIsRead() async throws {
    try folder.makePlaces(
      """
      content = io.BytesIO()
      with zipfile.ZipFile(content, 'w') as archive: archive.writestr('q.db', whole(2))
      with open('a.zip', 'wb') as file: file.write(b'PK\\x07\\x08' + content.getvalue())
      small = io.BytesIO()
      with zipfile.ZipFile(small, 'w') as archive: archive.writestr('q.txt', b'text')
      with open('small.zip', 'wb') as file: file.write(b'PK\\x07\\x08' + small.getvalue())
      os.mkdir('parts')
      with open('parts/a.z01', 'wb') as file: file.write(b'PK\\x07\\x08' + content.getvalue()[:600])
      """)
    #expect(try await find("a.zip").stores == ["!q.db": "2"])
    #expect(try await find("small.zip").stores.isEmpty)
    #expect(try await find("parts").stores == ["/a.z01": "unsupported"])
  }
}
