import Foundation
import TestSupport
import Testing

/// Containers with links, holes, damage and odd names, none of which may hide a store.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct OddContainersTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func make(_ script: String) throws { try folder.makePlaces(script) }

  private func find(_ name: String) async throws -> (stores: [String: String], told: String) {
    try await folder.foundStores(in: name)
  }

  private func json(_ arguments: String...) async throws -> [[String: Any]] {
    try await rehome(["find", "--json"] + arguments).jsonLines()
  }

  @Test func emptyFileThatIsPackedIsTold() async throws {
    try make("import gzip; open('empty.gz', 'wb').write(gzip.compress(b''))")
    let outcome = await rehome("hash", folder.path("empty.gz"))
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("what is packed in it is empty"), "\(outcome.error)")
  }

  /// What unpacks to nothing that anybody can use is told as what it is.
  @Test(arguments: ["xlsx", "ods"])
  func documentsOfOfficeProgramsAreTold(_ kind: String) async throws {
    try make(
      """
      import zipfile
      os.mkdir('all')
      def book(path):
          with zipfile.ZipFile(path, 'w') as archive:
              if path.endswith('xlsx'):
                  archive.writestr('docProps/app.xml', '<Properties/>')
                  archive.writestr('xl/workbook.xml', '<workbook/>')
                  archive.writestr('[Content_Types].xml', '<Types/>')
              else:
                  archive.writestr('META-INF/manifest.xml', '<manifest/>', zipfile.ZIP_DEFLATED)
                  archive.writestr('content.xml', '<document/>', zipfile.ZIP_DEFLATED)
                  archive.writestr(
                      'mimetype', 'application/vnd.oasis.opendocument.text', zipfile.ZIP_DEFLATED)
      book('book.\(kind)')
      book('all/book.\(kind)')
      with open('all/q.db', 'wb') as file: file.write(whole(1))
      """)
    let book = folder.path("book.\(kind)")
    let made = folder.path("made.rehome")
    for arguments in [
      ["seed", book, "-o", made], ["inspect", book], ["convert", book, "-o", made],
    ] {
      let outcome = await rehome(arguments)
      #expect(outcome.code == 65)
      #expect(outcome.error.contains("save each of its tables as CSV"), "\(outcome.error)")
    }
    let (stores, told) = try await find("all")
    #expect(stores.count == 1)
    #expect(told.contains("not stores: 1 document of an office program\n"), "\(told)")
    // It is in nobody's way.
    let store = folder.path("all/q.db")
    #expect(await rehome("convert", store, book, "-o", made).code == 0)
  }

  /// An archive is that of its stores, whatever else is in it.
  @Test(arguments: [
    "content.xml mimetype META-INF/manifest.xml", "[Content_Types].xml", "xl/workbook.xml",
  ])
  func storeBesidePartsOfOfficeDocumentsIsFound(_ parts: String) async throws {
    try make(
      """
      import zipfile
      os.mkdir('all')
      for path in ['a.zip', 'all/b.zip']:
          with zipfile.ZipFile(path, 'w') as archive:
              for part in '\(parts)'.split(): archive.writestr(part, '<part/>')
              archive.writestr('data/a.db', whole(2))
      """)
    for place in ["a.zip", "all"] {
      #expect(try await find(place).stores.count == 1)
    }
  }

  // MARK: Links

  @Test func logBesideTheTargetOfALinkCounts() async throws {
    try make(
      """
      main, log = base(3)
      for place in '12':
          os.makedirs(place)
          with open(place + '/q.db', 'wb') as file: file.write(main)
          os.symlink(place + '/q.db', f'link{place}.db')
      with open('2/q.db-wal', 'wb') as file: file.write(log)
      """)
    let lines = try await json("--once", folder.path("link1.db"), folder.path("link2.db"))
    #expect(lines.map { $0["rows"] as? Int } == [0, 3])
    let hashes = try await json(folder.path("link2.db"), folder.path("2/q.db"))
    #expect(hashes[0]["sha256"] as? String == hashes[1]["sha256"] as? String)
    #expect(hashes[0]["sha256"] is String)
  }

  /// What a tree has is the same in a folder and packed, and nothing outside of it is read.
  @Test(.mustEnd, arguments: ["-wal", "-journal", "-shm"])
  func linkBesideAStoreIsNotFollowed(_ ending: String) async throws {
    try make(
      """
      main, log = base(3)
      os.mkdir('tree'), os.mkdir('bare'), os.mkdir('out')
      with open('out/log', 'wb') as file: file.write(log)
      with open('out/short', 'wb') as file: file.write(b'x')
      targets = ['../../out/log', '../../out/short', 'q.db\(ending)', 'nowhere', '/dev/null', '.']
      for number, target in enumerate(targets):
          for tree in ['tree', 'bare']:
              os.mkdir(f'{tree}/{number}')
              with open(f'{tree}/{number}/q.db', 'wb') as file: file.write(main)
          os.symlink(target, f'tree/{number}/q.db\(ending)')
      with tarfile.open('tree.tar', 'w') as archive: archive.add('tree')
      """)
    let lines = try await json(folder.path("tree"))
    #expect(lines.count == 6 && lines.allSatisfy { $0["rows"] as? Int == 0 })
    // The log of the stores is not here, and that is told.
    #expect(lines.allSatisfy { ($0["findings"] as? [String])?.contains("wal-missing") == true })
    let hashes = try await json(folder.path("bare")).map { $0["sha256"] as? String }
    #expect(hashes.allSatisfy { $0 != nil })
    #expect(lines.map { $0["sha256"] as? String } == hashes)
    #expect(try await find("tree").told.contains("not stores: 6 links\n"))
    let packed = try await json(folder.path("tree.tar"))
    #expect(packed.map { $0["rows"] as? Int } == lines.map { $0["rows"] as? Int })
    // One that is named is read as one that is found.
    let named = try await json(folder.path("tree/0/q.db"))
    #expect(named.map { $0["rows"] as? Int } == [0])
    #expect(named.map { $0["sha256"] as? String } == [hashes[0]])
    let inspected = await rehome("inspect", "--json", folder.path("tree/0/q.db"))
    #expect(inspected.text.contains("a link may lead anywhere") == (ending != "-shm"))
  }

  @Test func linkedFolderOfAStoreDoesNotCountAmongItsBytes() async throws {
    try make(
      """
      outside = {'_EXTERNAL_DATA': 'x', 'attachments': '0a' * 20 + '.blob', 'LocalId': 'local_1'}
      for name, file in outside.items():
          os.makedirs('out/' + name)
          with open(f'out/{name}/{file}', 'wb') as file: file.write(b'a')
      links = {'external': '.q_SUPPORT/_EXTERNAL_DATA', 'around': '.q_SUPPORT',
               'same': 'attachments', 'own': 'q attachments', 'in': 'q', 'bare': None}
      for place, link in links.items():
          os.makedirs('tree/' + place)
          with open(f'tree/{place}/q.db', 'wb') as file: file.write(whole(1))
          if link is None: continue
          path = f'tree/{place}/{link}'
          os.makedirs(os.path.dirname(path), exist_ok=True)
          end = link.split('/')[-1].split(' ')[-1]
          os.symlink(os.path.abspath('out/' + (end if end in outside else '')), path)
      """)
    let hashes = try await json(folder.path("tree")).map { $0["sha256"] as? String }
    #expect(hashes.count == 6 && Set(hashes).count == 1 && hashes[0] != nil, "\(hashes)")
  }

  /// Of a queue in files the folder beside it, which tells what the server has called objects.
  @Test func linkedFolderOfIDsIsNotEntered() async throws {
    try make(
      """
      os.makedirs('out')
      with open('out/local_1', 'w') as file: file.write('{"objectId":"outside"}')
      for place in ['linked', 'bare']:
          os.makedirs(place + '/queue')
          with open(place + '/queue/CachedCommand_0000000000000001_00000000_1', 'w') as file:
              file.write('{"httpPath":"classes/Task","httpMethod":"POST","localId":"local_1"}')
      os.symlink('../out', 'linked/LocalId')
      """)
    let lines = try await json(folder.path("linked"), folder.path("bare"))
    #expect(lines.count == 2 && Set(lines.map { $0["sha256"] as? String }).count == 1)
    #expect(!(await rehome("inspect", "--json", folder.path("linked"))).text.contains("outside"))
  }

  @Test func attachmentsCountAmongTheBytesOfAStore() async throws {
    try make(
      """
      for place in '12':
          os.makedirs(place + '/q attachments')
          with open(place + '/q.db', 'wb') as file: file.write(whole(1))
      with open('2/q attachments/' + '0a' * 20 + '.blob', 'wb') as file: file.write(b'a')
      """)
    let lines = try await json(folder.path("1/q.db"), folder.path("2/q.db"))
    #expect(lines[0]["sha256"] as? String != lines[1]["sha256"] as? String)
  }

  @Test func hardLinkWithALogOfItsOwnIsAnotherStore() async throws {
    try make(
      """
      main, log = base(3)
      tar('snap.tar', [
          ('0/q.db', main), ('1/q.db', '0/q.db'), ('1/q.db-wal', log), ('2/q.db', '0/q.db')])
      tar('same.tar', [
          ('0/q.db', main), ('0/q.db-wal', log), ('1/q.db', '0/q.db'), ('1/q.db-wal', '0/q.db-wal')])
      tar('logs.tar', [
          ('q.db', main), ('w', log), ('q.db-wal', 'w'), ('b/q.db', main), ('b/q.db-wal', 'w')])
      tar('late.tar', [('q.db', whole(1)), ('h.db', 'q.db'), ('i.db', 'q.db'), ('q.db', whole(2))])
      tar('long.tar', [
          ('d' * 120 + '/q.db', main), ('q.db', 'd' * 120 + '/q.db'), ('q.db-wal', log)], 'w:gz')
      tar('bare.tar', [('q.db', main), ('q.db-wal', log), ('copy.db', 'q.db'), ('b/q.db', 'q.db')])
      """)
    #expect(try await find("bare.tar").stores == ["!q.db": "3"])
    let snap = try await find("snap.tar")
    #expect(snap.stores == ["!0/q.db": "0", "!1/q.db": "3"])
    #expect(await rehome("find", folder.path("snap.tar")).error.contains("not stores: 1 link\n"))
    #expect(try await find("same.tar").stores == ["!0/q.db": "3"])
    #expect(try await find("logs.tar").stores == ["!q.db": "3", "!b/q.db": "3"])
    #expect(try await find("late.tar").stores == ["!q.db": "2", "!h.db": "1"])
    let long = "!" + String(repeating: "d", count: 120) + "/q.db"
    #expect(try await find("long.tar").stores == [long: "0", "!q.db": "3"])
  }

  @Test func fileThatAnArchiveWasGivenTwiceIsNotReplaced() async throws {
    try make("tar('a.tar', [('q.db', whole(1)), ('q.db', 'q.db')])")
    let found = try await find("a.tar")
    #expect(found.stores == ["!q.db": "1"])
    #expect(!found.told.contains("replace"), "\(found.told)")
  }

  @Test func backupWhoseBodiesAreLinksIsReadWhole() async throws {
    try make(
      """
      backup('old', [('q.db', whole(1))])
      backup('new', [('q.db', whole(1)), ('r.db', whole(2))])
      members, seen = [], {}
      for root in ['old', 'new']:
          for at, _, names in sorted(os.walk(root)):
              for name in sorted(names):
                  path = os.path.join(at, name)
                  with open(path, 'rb') as file: data = file.read()
                  members.append((path, seen.setdefault(data, path) if data in seen else data))
                  seen.setdefault(data, path)
      tar('backups.tar', members)
      """)
    #expect(
      try await find("backups.tar").stores == [
        "!old!AppDomain-a/q.db": "1", "!new!AppDomain-a/q.db": "1", "!new!AppDomain-a/r.db": "2",
      ])
  }

  // MARK: Damage

  @Test func fileThatCannotBeHadKeepsNobodyFromTheOthers() async throws {
    try make(
      """
      def sparse(name, data, keys):
          info = tarfile.TarInfo(name)
          info.size, info.pax_headers = len(data), keys
          return info, io.BytesIO(data)

      with tarfile.open('holes.tar', 'w', format=tarfile.PAX_FORMAT) as archive:
          table = b'1\\n0\\n512\\n'.ljust(512, b'\\0')
          form = {'GNU.sparse.major': '1', 'GNU.sparse.minor': '0',
                  'GNU.sparse.realsize': str(2**40)}
          for name, data, keys in [
              ('a.db', whole(1), {}),
              ('large.db', table + whole(1)[:512], form),
              ('large.mdb', table + b'x' * 512, form),
              ('old.db', whole(1)[:512], {'GNU.sparse.map': '0,512', 'GNU.sparse.size': '8192'}),
              ('odd.db', b'x' * 512, form),
              ('z.db', whole(2), {})]:
              archive.addfile(*sparse(name, data, keys))
      """)
    #expect(
      try await find("holes.tar").stores == [
        "!a.db": "1", "!large.db": "limit", "!old.db": "unsupported", "!odd.db": "damaged",
        "!z.db": "2",
      ])
    let told = await rehome("find", folder.path("holes.tar")).error
    #expect(told.contains("not stores: 1 other file\n"), "\(told)")
  }

  @Test func wrongChecksumIsToldBehindTheStoresBeforeIt() async throws {
    try make(
      """
      tar('a.tar', [('a.db', whole(1)), ('z.db', whole(2))])
      with open('a.tar', 'rb') as file: data = file.read()
      wrong_sums(data)
      packed = gzip.compress(whole(1))
      with open('q.gz', 'wb') as file: file.write(packed[:-8] + b'abcd' + packed[-4:])
      """)
    for name in ["a.ab", "a.tgz", "length.tgz"] {
      #expect(
        try await find(name).stores == ["!a.db": "1", "!z.db": "2", "": "checksum"], "\(name)")
    }
    #expect(try await find("q.gz").stores == ["!q": "checksum"])
    // Whoever names one of the stores must hear of it, too.
    for name in ["a.ab!z.db", "a.tgz!a.db", "length.tgz!a.db"] {
      let outcome = await rehome("find", folder.path(name))
      #expect(outcome.code == 2 && outcome.text.contains("in place of"), "\(outcome.text)")
    }
    let told = try await json(folder.path("a.ab")).last?["error"] as? [String: Any]
    #expect((told?["message"] as? String)?.contains("in place of 61626364") == true)
  }

  /// Empty blocks end an archive only where nothing of it follows.
  @Test func headerThatIsLostEndsNoArchive() async throws {
    try make(
      """
      tar('a.tar', [('a.db', whole(1)), ('b.db', whole(2)), ('c.db', whole(3))])
      with open('a.tar', 'rb') as file: data = file.read()
      with tarfile.open('a.tar') as archive: places = [m.offset for m in archive.getmembers()]
      for name, place in [('middle', places[1]), ('last', places[2])]:
          lost = data[:place] + bytes(1024) + data[place + 1024:]
          with open(name + '.tar', 'wb') as file: file.write(lost)
          packed = gzip.compress(lost)
          with open(name + '.tgz', 'wb') as file:
              file.write(packed[:-8] + struct.pack('<I', zlib.crc32(data)) + packed[-4:])
          with open(name + '.ab', 'wb') as file:
              file.write(b'ANDROID BACKUP\\n5\\n1\\nnone\\n' + zlib.compress(lost)[:-4]
                         + struct.pack('>I', zlib.adler32(data)))
      """)
    for ending in ["tar", "tgz", "ab"] {
      let middle = try await find("middle." + ending)
      #expect(middle.stores == ["!a.db": "1", "": "checksum"], "\(ending)")
      let last = try await find("last." + ending)
      #expect(last.stores == ["!a.db": "1", "!b.db": "2", "": "checksum"], "\(ending)")
    }
  }

  /// A member that is shorter than it was to be takes what follows, whose zeros are no end.
  @Test(arguments: [1000, 1536, 3000, 7000, 9000, 12_000])
  func shortMemberOfADeviceIsTold(_ size: Int) async throws {
    try make(
      """
      def member(name, data, size=None):
          info = tarfile.TarInfo(name)
          info.size = size or len(data)
          return info.tobuf(tarfile.USTAR_FORMAT) + data + (bytes(-len(data) % 512) if not size else b'')
      parts = [member('apps/p/db/a.db', whole(1)), member('apps/p/f/log.txt', b'x' * \(size), 20000),
               *(member(f'apps/p/db/{n}.db', whole(2)) for n in 'bcd'), bytes(1024)]
      with open('a.ab', 'wb') as file:
          file.write(b'ANDROID BACKUP\\n5\\n1\\nnone\\n' + zlib.compress(b''.join(parts)))
      """)
    let found = try await find("a.ab")
    #expect(found.stores["!apps/p/db/a.db"] == "1" && found.stores[""] == "checksum", "\(found)")
  }

  @Test func endsOfArchivesThatAreOddAreTold() async throws {
    try make(
      """
      tar('a.tar', [('a.db', whole(1))])
      with open('a.tar', 'rb') as file: data = file.read()
      with open('open.tar', 'wb') as file: file.write(data.rstrip(b'\\0').ljust(9216, b'\\0'))
      with open('noise.tar', 'wb') as file: file.write(data + b'x' * 600)
      with open('noise.tgz', 'wb') as file: file.write(gzip.compress(data) + b'noise')
      with open('noise.ab', 'wb') as file:
          file.write(b'ANDROID BACKUP\\n5\\n1\\nnone\\n' + zlib.compress(data) + b'noise')
      """)
    #expect(try await !find("a.tar").told.contains("PLACE"))
    #expect(try await find("open.tar").told.contains("PLACE: the archive does not say where"))
    for name in ["noise.tar", "noise.tgz", "noise.ab"] {
      let found = try await find(name)
      #expect(found.stores == ["!a.db": "1"])
      #expect(found.told.contains("PLACE: something else follows the archive"), "\(name)")
    }
  }

  // MARK: Names

  @Test func fileThatIsOnlyCalledAsTheListOfABackupHidesNothing() async throws {
    try make(
      """
      with zipfile.ZipFile('a.zip', 'w') as archive:
          archive.writestr('x/Manifest.mbdb', b'hello')
          archive.writestr('x/q.db', whole(1))
          archive.writestr('x/y/q.db', whole(2))
      """)
    let found = try await find("a.zip")
    #expect(found.stores == ["!x/q.db": "1", "!x/y/q.db": "2"])
    #expect(found.told.contains("1 other file"))
  }

  @Test func namesThatDifferInTheirBytesAreTwo() async throws {
    try make(
      """
      main, log = base(3)
      forms = [unicodedata.normalize(form, 'é.db') for form in ['NFC', 'NFD']]
      members = [(forms[0], main), (forms[0] + '-wal', log), (forms[1], whole(1))]
      tar('a.tar', members)
      with zipfile.ZipFile('a.zip', 'w') as archive:
          for member in members: archive.writestr(*member)
      os.makedirs('a')
      for name, data in members:
          with open('a/' + name, 'wb') as file: file.write(data)
      """)
    for place in ["a.tar", "a.zip", "a"] {
      let rows = try await json(folder.path(place)).map { $0["rows"] as? Int }
      #expect(rows.compactMap(\.self).sorted() == [1, 3], "\(place)")
    }
  }

  @Test func secondFileOfANameTakesNoNameThatIsTaken() async throws {
    try make(
      """
      with zipfile.ZipFile('a.zip', 'w') as archive:
          for name, rows in [('q.db', 1), ('q.db', 2), ('q.db (2)', 3)]:
              archive.writestr(name, whole(rows))
      """)
    #expect(
      try await find("a.zip").stores == ["!q.db": "1", "!q.db (2)": "3", "!q.db (2) (2)": "2"])
  }

  @Test func logGoesWithTheFileThatItCameWith() async throws {
    try make(
      """
      main, log = base(3)
      other, newer = base(2)
      for name, members in {
          'behind': [('q.db', whole(1)), ('q.db', main), ('q.db-wal', log)],
          'before': [('q.db', main), ('q.db-wal', log), ('q.db', whole(1))],
          'first': [('q.db-wal', log), ('q.db', main), ('q.db-wal', newer), ('q.db', other),
                    ('q.db', whole(1))],
          'sorted': [('q.db', main), ('q.db', other), ('q.db-wal', log), ('q.db-wal', newer)],
          'logs': [('q.db', main), ('q.db-wal', b''), ('q.db-wal', log)]}.items():
          with zipfile.ZipFile(name + '.zip', 'w') as archive:
              for member in members: archive.writestr(*member)
      """)
    for (name, stores) in [
      "behind": ["!q.db": "1", "!q.db (2)": "3"], "before": ["!q.db": "3", "!q.db (2)": "1"],
      "first": ["!q.db": "3", "!q.db (2)": "2", "!q.db (3)": "1"],
      "sorted": ["!q.db": "3", "!q.db (2)": "2"], "logs": ["!q.db": "3"],
    ] {
      let found = try await find(name + ".zip")
      #expect(found.stores == stores, "\(name)")
      #expect(found.told.contains("PLACE: q.db is there ") == (name != "logs"), "\(found.told)")
      let words = "PLACE: q.db-wal is there 2 times, and 1 of them is not read"
      #expect(found.told.contains(words) == (name == "logs"), "\(found.told)")
    }
  }

  /// What no store reads is only counted, however often it is there.
  @Test(
    arguments: [
      ("['q.db', 'x.db-wal', 'x.db-wal']", nil),
      ("['q.db', 'a_SUPPORT/_EXTERNAL_DATA/n', 'a_SUPPORT/_EXTERNAL_DATA/n']", nil),
      (
        "['q.db', '.q_SUPPORT/_EXTERNAL_DATA/n', '.q_SUPPORT/_EXTERNAL_DATA/n']",
        ".q_SUPPORT/_EXTERNAL_DATA/n is there 2 times, and 1 of them is not read"
      ),
      (
        "['q.db', 'q.db-wal', 'q.db-wal', 'q.db-wal', 'q.db', 'x.db-wal', 'x.db-wal']",
        "q.db-wal is there 3 times, and 2 of them are not read"
      ),
      (
        "['q.db', *['q.db-wal', 'q.db-shm'] * 3]",
        "q.db-shm is there 3 times, and 2 of them are not read; so it is with 1 other"
      ),
    ] as [(String, String?)])
  func sideFilesThatComeAgainAreToldWhereAStoreReadsSome(
    _ names: String, _ words: String?
  ) async throws {
    try make(
      """
      with zipfile.ZipFile('a.zip', 'w') as archive:
          for name in \(names): archive.writestr(name, whole(1) if name == 'q.db' else b'')
      """)
    let told = try await find("a.zip").told
    #expect(told.contains("not read") == (words != nil), "\(told)")
    if let words { #expect(told.contains("PLACE: \(words)\n") || told.hasSuffix(words), "\(told)") }
  }

  /// A value that Core Data keeps in a file of its own may be an archive or a database itself.
  @Test func valueOutsideOfItsStoreIsNoPlaceOfItsOwn() async throws {
    try make(
      """
      inner = io.BytesIO()
      with zipfile.ZipFile(inner, 'w') as archive: archive.writestr('in.db', whole(1))
      values = [whole(2), inner.getvalue(), gzip.compress(b'text'), b'text']
      names = [f'0F2E3B4C-1111-2222-3333-44445555666{n}' for n in range(len(values))]
      store = sqlite3.connect('made.db')
      store.executescript('''
          CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
          INSERT INTO Z_METADATA VALUES (1, 'A', NULL);
          CREATE TABLE Z_PRIMARYKEY
            (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
          INSERT INTO Z_PRIMARYKEY VALUES (1, 'A', 0, 9);
          CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZB BLOB);
          ''')
      for name in names:
          tagged = bytes([2]) + name.encode() + bytes(1)
          store.execute('INSERT INTO ZA (Z_ENT, ZB) VALUES (1, ?)', (tagged,))
      store.commit(), store.close()
      members = [('d/q.db', open('made.db', 'rb').read())]
      members += [('d/.q_SUPPORT/_EXTERNAL_DATA/' + pair[0], pair[1]) for pair in zip(names, values)]
      tar('a.tar', members)
      backup('backup', members)
      with zipfile.ZipFile('a.zip', 'w') as archive:
          for member in members: archive.writestr(*member)
      os.mkdir('folder')
      with tarfile.open('a.tar') as archive: archive.extractall('folder')
      tar('alone.tar', members[1:])
      backup('aloneBackup', members[1:])
      with zipfile.ZipFile('alone.zip', 'w') as archive:
          for member in members[1:]: archive.writestr(*member)
      os.mkdir('alone')
      with tarfile.open('alone.tar') as archive: archive.extractall('alone')
      """)
    // Without a store that claims them they are all that there is.
    for place in ["alone.tar", "alone.zip", "aloneBackup", "alone"] {
      let lines = try await json(folder.path(place))
      #expect(lines.map { $0["rows"] as? Int } == [2, 1], "\(place)")
    }
    for place in ["a.tar", "a.zip", "backup", "folder"] {
      let lines = try await json(folder.path(place))
      #expect(lines.map { $0["rows"] as? Int } == [4], "\(place)")
      #expect(
        lines.map { $0["findings"] as? [String] } == [["names-from-fallback"]], "\(place)")
    }
  }

  @Test func nameWithAMarkBeforeItsContainerIsFound() async throws {
    try make(
      """
      os.makedirs('a')
      with open('a/k.db', 'wb') as file: file.write(whole(1))
      with zipfile.ZipFile('a!b.zip', 'w') as archive: archive.writestr('q.db', whole(2))
      """)
    let name = folder.path("a!b.zip!q.db")
    let outcome = await rehome("hash", name)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(await rehome("hash", folder.path("a!b.zip!none.db")).code == 66)
  }

  // MARK: What is told

  @Test(.enabled(if: Stranger.canRunTheTool, "needs another user who may run the tool"))
  func everyFolderThatCannotBeEnteredIsTold() throws {
    try make(
      """
      for name in 'abc':
          os.makedirs('tree/' + name)
          with open(f'tree/{name}/q.db', 'wb') as file: file.write(whole(1))
      for name in 'ab': os.chmod('tree/' + name, 0)
      """)
    let tree = folder.path("tree")
    defer { for name in ["a", "b"] { setMode(0o700, of: "tree/" + name) } }
    let outcome = try Stranger.run(["find", tree])
    #expect(outcome.code == 2)
    for name in ["a", "b"] {
      #expect(
        outcome.text.contains(
          "\(tree)/\(name)\n  cannot be read: cannot read it: permission denied\n"))
    }
    #expect(try Stranger.run(["find", tree + "/a"]).code == 77)
  }

  /// A side file belongs to its store, which alone tells whether it needs it, and then names it.
  @Test(.enabled(if: Stranger.canRunTheTool, "needs another user who may run the tool"))
  func sideFileThatCannotBeReadIsNoStore() async throws {
    try make(
      """
      os.makedirs('tree')
      for name in 'abcd':
          with open(f'tree/{name}.db', 'wb') as file: file.write(whole(1))
      for name in 'a.db-wal', 'b.db-journal', 'c.db-shm', 'alone-wal':
          with open('tree/' + name, 'wb') as file: file.write(bytes(4096))
          os.chmod('tree/' + name, 0)
      os.chmod('tree/d.db', 0)
      """)
    let tree = folder.path("tree")
    let found = try Stranger.run(["find", "--json", tree])
    let lines = try found.jsonLines()
    #expect(
      lines.compactMap { $0["store"] as? String }
        == ["a.db", "alone-wal", "b.db", "c.db", "d.db"].map { "\(tree)/\($0)" })
    let errors = lines.map { $0["error"] as? [String: any Sendable] }
    #expect(errors[3] == nil)
    // Each file has the word that it has where it is named.
    for error in errors.compactMap(\.self) { #expect(error["code"] as? String == "notPermitted") }
    #expect(
      errors.map { $0?["message"] as? String } == [
        "\(tree)/a.db-wal: cannot open it: permission denied", "cannot open it: permission denied",
        "\(tree)/b.db-journal: cannot open it: permission denied", nil,
        "cannot open it: permission denied",
      ])
    for name in ["alone-wal", "d.db"] {
      let named = try #require(
        try Stranger.run(["find", "--json", "\(tree)/\(name)"]).jsonLines().first)
      let error = named["error"] as? [String: any Sendable]
      #expect(error?["code"] as? String == "notPermitted")
    }
    let text = try Stranger.run(["find", tree]).text
    #expect(text.contains("cannot be read: \(tree)/a.db-wal: cannot open it"), "\(text)")
    #expect(try Stranger.run(["hash", "\(tree)/c.db"]).code == 0)
    try make(
      """
      for name in os.listdir('tree'):
          if name[0] != 'c': os.remove('tree/' + name)
      """)
    let hashed = try Stranger.run(["hash", tree])
    // Whoever left a shared memory may have left a log, too; that it cannot be read is no trouble.
    #expect(hashed.code == 0 && hashed.error.hasSuffix("[wal-missing]\n"), "\(hashed.error)")
  }

  /// A name has 255 bytes at most, and more when those that are not UTF-8 are escaped.
  @Test func archivesOfLongNamesAreOpened() async throws {
    try make(
      #"""
      packed = io.BytesIO()
      with zipfile.ZipFile(packed, 'w') as archive: archive.writestr('q.db', whole(1))
      os.makedirs('tree')
      for name in '\udcfc' * 70, '\udcfc' * 251:
          with open('tree/' + name + '.zip', 'wb') as file: file.write(packed.getvalue())
      tar('tree/a.tar', [('ä' * 125 + '.zip', packed.getvalue()),
                         ('€' * 84 + '.gz', gzip.compress(whole(1)))])
      """#)
    let found = await rehome("find", "--json", folder.path("tree"))
    #expect(try found.code == 0 && found.jsonLines().count == 4, "\(found.text)\(found.error)")
  }

  /// The same at paths that are not UTF-8, as they are told at all others.
  @Test(.enabled(if: Stranger.canRunTheTool, "needs another user who may run the tool"))
  func unspelledPathsThatCannotBeReadAreTold() throws {
    try make(
      #"""
      for start in 'plain/o', 'odd/\udcfc':
          for name in '/a.db', '/c.db', '/d.db', '/e-wal/q.db', '/f.db':
              os.makedirs(os.path.dirname(start + name), exist_ok=True)
              with open(start + name, 'wb') as file: file.write(whole(1))
          for name in '/a.db-wal', '/c.db-shm', '/alone-wal':
              with open(start + name, 'wb') as file: file.write(bytes(4096))
          for name in '/a.db-wal', '/c.db-shm', '/alone-wal', '/d.db', '/e-wal':
              os.chmod(start + name, 0)
      os.makedirs('odd/list')
      with open('odd/list/\udcfc.db', 'wb') as file: file.write(whole(1))
      with open('odd/list/q.db', 'wb') as file: file.write(whole(1))
      os.chmod('odd/list', 0o444)
      """#)
    func lines(_ name: String) throws -> [String] {
      let found = try Stranger.run(["find", "--json", folder.path(name)])
      return try found.jsonLines().map { line in
        let store = try #require(line["store"] as? String).dropFirst(folder.path(name).count + 1)
        let error = line["error"] as? [String: any Sendable]
        let message = (error?["message"] as? String)?.split(separator: "/").last ?? "read"
        return "\(store): \(message)"
      }
    }
    let plain = try lines("plain")
    #expect(plain.count == 6 && plain.count { $0.hasSuffix(": read") } == 2, "\(plain)")
    var odd = try lines("odd")
    // Of a folder in which nobody may look at anything, that is told of what has a name and of the rest.
    let untold = odd.filter { $0.hasPrefix("list") }
    #expect(untold.count == 2 && untold.allSatisfy { $0.hasSuffix("permission denied") }, "\(odd)")
    odd.removeAll { $0.hasPrefix("list") }
    #expect(odd.map { $0.replacing("\\xFC", with: "o") } == plain)
    for name in ["plain/o/e-wal", "odd/list"] { setMode(0o700, of: name) }
    _ = try python(
      "import os, sys; os.chmod(os.fsencode(sys.argv[1]) + bytes([0xFC]) + b'/e-wal', 0o700)",
      folder.path("odd/"))
  }

  private func setMode(_ mode: Int, of name: String) {
    // The folder is removed with all that is in it, as far as that can be.
    try? FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.path(name))
  }

  @Test func sideFilesAreCountedWhereTheirStoreIsMissing() async throws {
    try make(
      """
      main, log = base(3)
      members = [('a/q.db-wal', log), ('b/q.db', main), ('b/q.db-wal', log), ('c.db', whole(1))]
      with zipfile.ZipFile('a.zip', 'w') as archive:
          for member in members: archive.writestr(*member)
      tar('a.tar', members)
      for name, data in members:
          os.makedirs(os.path.dirname('tree/' + name), exist_ok=True)
          with open('tree/' + name, 'wb') as file: file.write(data)
      backup('backup', members)
      """)
    for place in ["a.zip", "a.tar", "tree", "backup"] {
      let told = await rehome("find", folder.path(place)).error
      #expect(told.contains("not stores: 1 side file of a database\n"), "\(place): \(told)")
    }
  }

  @Test func storeThatIsMissingNamesItsContainerAndDevice() async throws {
    try make("backup('phone', [('q.db', whole(1)), ('lost.db', None)], device='Anna')")
    let place = folder.path("phone")
    for line in try await json(place) {
      #expect(line["device"] as? String == "Anna")
      #expect(line["container"] as? String == place)
    }
    #expect(try await find("phone").stores["!AppDomain-a/lost.db"] == "file-missing")
  }

  @Test func noteAboutABackupNamesIt() async throws {
    try make(
      """
      backup('both/A', [('q.db', whole(1))])
      backup('both/B', [('q.db', whole(1))], state='uploading')
      backup('both/C', [('q.db', whole(1))])
      os.makedirs('both/C/Snapshot')
      """)
    let told = try await find("both").told
    #expect(told.contains("PLACE/B: the backup is incomplete (uploading)"))
    #expect(told.contains("PLACE/C: the backup is incomplete (a transfer broke off)"))
    #expect(!told.contains("PLACE: ") && !told.contains("PLACE/A: "))
  }

  @Test func devicesOfOneNameAreToldApartByTheirIdentifiers() async throws {
    try make(
      """
      for name, udid in [('A', 'a' * 40), ('B', 'b' * 40)]:
          backup('both/' + name, [('q.db', whole(1))], udid=udid)
      backup('both/C', [('q.db', whole(1))], device='Anna', udid='c' * 40)
      """)
    let devices = try await json(folder.path("both")).map { $0["device"] as? String }
    let (a, b) = (String(repeating: "a", count: 40), String(repeating: "b", count: 40))
    #expect(devices == ["iPhone (\(a))", "iPhone (\(b))", "Anna"])
    let alone = try await json(folder.path("both/A"), folder.path("both/C"))
    #expect(alone.map { $0["device"] as? String } == ["iPhone", "Anna"])
  }

  @Test func kindsThatTheEndOfAFileTellsAreKnown() async throws {
    try make(
      """
      os.makedirs('tree')
      with open('tree/image', 'wb') as file: file.write(b'x' * 2000 + b'koly' + bytes(508))
      with zipfile.ZipFile(packed := io.BytesIO(), 'w') as archive:
          archive.writestr('q.db', whole(1))
      with open('tree/setup', 'wb') as file: file.write(b'#!/bin/sh\\n' + packed.getvalue())
      """)
    #expect(try await find("tree").stores == ["/image": "unsupported", "/setup!q.db": "1"])
    #expect(await rehome("inspect", folder.path("tree/image")).error.contains("a disk image"))
  }

  @Test func backupOfIOS3IsCalledAsItsFolder() async throws {
    try make(
      """
      os.makedirs('old')
      for name in ['Info.plist', 'a.mddata', 'a.mdinfo']: open('old/' + name, 'w').close()
      with zipfile.ZipFile('a.zip', 'w') as archive:
          for name in os.listdir('old'): archive.write('old/' + name)
          archive.writestr('old/b.mddata', whole(1))
      """)
    #expect(try await find("old").stores == ["": "unsupported"])
    #expect(try await find("a.zip").stores == ["!old": "unsupported"])
  }

  @Test func keyValueRecordsOfAndroidAreNoStores() async throws {
    try make(
      """
      tar('a.tar', [('apps/p/k/q.data', whole(2)), ('apps/p/db/q.db', whole(1)),
                    ('apps/p/f/k/r.db', whole(3))])
      with open('a.tar', 'rb') as file: data = file.read()
      for name, packing, rest in [('packed', b'1', zlib.compress(data)), ('plain', b'0', data)]:
          with open(name + '.ab', 'wb') as file:
              file.write(b'ANDROID BACKUP\\n5\\n' + packing + b'\\nnone\\n' + rest)
      """)
    for name in ["packed.ab", "plain.ab"] {
      let found = try await find(name)
      #expect(found.stores == ["!apps/p/db/q.db": "1", "!apps/p/f/k/r.db": "3"])
      #expect(found.told.contains("not stores: 1 file of key-value records\n"), "\(found.told)")
    }
  }

  @Test func androidBackupsAreToldAsTheyAre() async throws {
    try make(
      """
      tar('a.tar', [('apps/p/_manifest', b'1\\n'), ('apps/p/db/q.db', whole(1))])
      with open('a.tar', 'rb') as file: data = file.read()
      for name, head, rest in [
          ('plain.ab', b'5\\n0\\nnone\\n', data),
          ('locked.ab', b'5\\n1\\nAES-512\\n', b'0' * 99),
          ('pieces.ab', b'5\\n1\\nnone\\n', b'\\0\\0\\2\\0' + data)]:
          with open(name, 'wb') as file: file.write(b'ANDROID BACKUP\\n' + head + rest)
      """)
    let plain = await rehome("find", folder.path("plain.ab"))
    #expect(plain.error == "1 store without a queue of changes\n")
    #expect(await rehome("find", folder.path("locked.ab")).text.contains("with AES-512"))
    #expect(try await find("pieces.ab").stores == ["": "damaged"])
  }

  @Test func containersComeThroughPipes() async throws {
    try make(
      """
      with zipfile.ZipFile('a.zip', 'w') as archive: archive.writestr('q.db', whole(1))
      tar('a.tgz', [('q.db', whole(1))], 'w:gz')
      """)
    for name in ["a.zip", "a.tgz"] {
      for command in ["find", "hash", "inspect"] {
        let outcome = try Program.bash.run([
          "-c", "cat \"$2\" | \"$0\" \"$1\" -", Project.executable.path, command,
          folder.path(name),
        ])
        #expect(outcome.code == 0, "\(name) \(command): \(outcome.error)")
        let shown = command == "inspect" ? "q.db: sqlite" : "-!q.db"
        #expect(outcome.text.contains(shown), "\(name) \(command): \(outcome.text)")
      }
    }
  }
}
