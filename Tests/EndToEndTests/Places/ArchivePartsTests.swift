import Foundation
import TestSupport
import Testing

/// Members of archives that are no stores, and archives that are not whole, are taken as what they
/// are.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct ArchivePartsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func error(of place: String) async throws -> [String: String] {
    let lines = try await rehome("find", "--json", folder.path(place)).jsonLines()
    let error = try #require(lines.last?["error"] as? [String: Any], "\(lines)")
    return error.compactMapValues { $0 as? String }
  }

  // MARK: Side files

  /// While a change of several databases is not finished, a file lies beside one of them.
  @Test(arguments: [false, true]) func endOfAChangeIsToldByWhatLiesBeside(isUnfinished: Bool)
    async throws
  {
    try folder.makePlaces(
      """
      os.mkdir('places'), os.mkdir('places/folder')
      store = sqlite3.connect('made', isolation_level=None)
      store.execute('CREATE TABLE t (id TEXT)')
      store.executemany('INSERT INTO t VALUES (?)', [('old' * 200,) for n in range(100)])
      store.execute('PRAGMA cache_size = 3'), store.execute('BEGIN')
      store.execute("UPDATE t SET id = 'new'")
      files = {end: open('made' + end, 'rb').read() for end in ['', '-journal']}
      store.execute('ROLLBACK')
      name = b'/data/first.db-mj0123AB9CD'
      files['-journal'] += struct.pack('>I', 2**30 // 4096 + 1) + name + struct.pack(
          '>II', len(name), sum(name)) + bytes.fromhex('d9d505f920a163d7')
      members = [('d/q.db' + end, data) for end, data in files.items()]
      if \(isUnfinished ? 1 : 0): members.append(('d/first.db-mj0123AB9CD', b'/data/q.db-journal'))
      tar('places/a.tar', members)
      tar('places/a.tgz', members, 'w:gz')
      with zipfile.ZipFile('places/a.zip', 'w') as archive:
          for path, data in members: archive.writestr(path, data)
      backup('places/backup', members)
      with tarfile.open('places/a.tar') as archive: archive.extractall('places/folder')
      """)
    let lines = try await rehome("find", "--json", folder.path("places")).jsonLines()
    let findings = lines.map { $0["findings"] as? [String] }
    let expected = isUnfinished ? [] : ["journal-damaged"]
    #expect(findings == Array(repeating: expected, count: 5), "\(lines)")
  }

  // MARK: tar

  @Test(arguments: ["'1'", "'2'", "'3'", "'4'", "'5'", "'6'"])
  func memberWithoutDataSwallowsNoOther(_ type: String) async throws {
    try folder.makePlaces(
      """
      with tarfile.open('a.tar', 'w', format=tarfile.USTAR_FORMAT) as archive:
          for name, size in [('a.db', None), ('odd', 4096), ('z.db', None)]:
              data = whole(1)
              info = tarfile.TarInfo(name)
              info.size = size or len(data)
              if size: info.type, info.linkname, data = \(type).encode(), 'a.db', b''
              archive.fileobj.write(info.tobuf(tarfile.USTAR_FORMAT))
              archive.fileobj.write(data)
      """)
    let found = try await folder.foundStores(in: "a.tar")
    #expect(found.stores == ["!a.db": "1", "!z.db": "1"])
  }

  @Test func wrongHeaderIsToldAsWhatItIs() async throws {
    try folder.makePlaces(
      """
      tar('sum.tar', [('a.db', whole(1)), ('z.db', whole(1))])
      shutil.copy('sum.tar', 'size.tar')
      with tarfile.open('sum.tar') as archive: place = archive.getmembers()[1].offset
      with open('sum.tar', 'r+b') as file: file.seek(place); file.write(b'y')
      with open('size.tar', 'r+b') as file:
          file.seek(place)
          header = bytearray(file.read(512))
          header[124:136] = b'\\xff' * 12
          header[148:156] = b'%06o\\0 ' % (sum(header[:148]) + 8 * 32 + sum(header[156:]))
          file.seek(place)
          file.write(header)
      """)
    let sum = try await error(of: "sum.tar")
    #expect(sum["code"] == "checksum" && sum["message"]?.contains(" in place of ") == true)
    #expect(try await error(of: "size.tar")["code"] == "damaged")
  }

  @Test func archiveThatCameThroughATerminalIsPulledAgain() async throws {
    try folder.makePlaces(
      """
      tar('a.tar', [(f'{n}.db', whole(1) + b'\\n\\n') for n in range(3)])
      with open('a.tar', 'rb') as file: data = file.read()
      with open('crlf.tar', 'wb') as file: file.write(data.replace(b'\\n', b'\\r\\n'))
      with open('cut.tar', 'wb') as file: file.write(data[:12000])
      for form, rest in [('0', data), ('1', zlib.compress(data))]:
          android = f'ANDROID BACKUP\\n5\\n{form}\\nnone\\n'.encode() + rest
          with open(f'crlf{form}.ab', 'wb') as file: file.write(android.replace(b'\\n', b'\\r\\n'))
      """)
    for name in ["crlf.tar", "crlf0.ab", "crlf1.ab"] {
      let error = try await error(of: name)
      #expect(error["hint"]?.contains("adb exec-out") == true, "\(error)")
    }
    #expect(try await error(of: "cut.tar")["hint"]?.contains("adb") == false)
  }

  /// Nothing but the padding of the last member may be missing, and then all of it.
  @Test func archiveThatIsCutAnywhereIsNotWhole() async throws {
    try folder.makePlaces(
      """
      tar('whole.tar', [('a.db', whole(1)), ('b.txt', b'x' * 700), ('z.db', whole(2))])
      with tarfile.open('whole.tar') as archive: end = archive.getmembers()[1].offset_data + 700
      with open('whole.tar', 'rb') as file: data = file.read()
      with tarfile.open('pax.tar', 'w', format=tarfile.PAX_FORMAT) as archive:
          for name, content in [('a.db', whole(1)), ('d' * 120 + '/z.db', whole(2))]:
              info = tarfile.TarInfo(name)
              info.size = len(content)
              archive.addfile(info, io.BytesIO(content))
      with tarfile.open('pax.tar') as archive: pax = archive.getmembers()[1].offset
      with open('pax.tar', 'rb') as file: described = file.read()
      size = int(described[pax + 124:pax + 135], 8)
      cuts = [data[:end + more] for more in [-512, -500, -1, 1, 200, 323]]
      cuts += [described[:pax + 512 + more] for more in [0, 1, size - 1, size, size + 1, 512]]
      for number, cut in enumerate(cuts):
          with open(f'{number}.tar', 'wb') as file: file.write(cut)
          with open(f'{number}.tgz', 'wb') as file: file.write(gzip.compress(cut))
          with open(f'{number}.ab', 'wb') as file:
              file.write(b'ANDROID BACKUP\\n5\\n0\\nnone\\n' + cut)
      with open('bare.tar', 'wb') as file: file.write(data[:end])
      with open('last.tar', 'wb') as file: file.write(data[:end + 324])
      """)
    for number in 0..<12 {
      for form in ["tar", "tgz", "ab"] {
        let found = try await folder.foundStores(in: "\(number).\(form)")
        #expect(found.stores == ["!a.db": "1", "": "truncated"], "\(number).\(form)")
      }
    }
    #expect(await rehome("find", folder.path("2.tar")).code == 2)
    for name in ["bare.tar", "last.tar"] {
      #expect(try await folder.foundStores(in: name).stores == ["!a.db": "1"])
      #expect(await rehome("find", folder.path(name)).code == 0)
    }
  }

  @Test func archiveWithMoreFilesThanAllowedIsReadUpToThere() async throws {
    try folder.makePlaces("tar('a.tar', [(f'{name}.db', whole(1)) for name in 'abc'])")
    let place = folder.path("a.tar")
    let outcome = await rehome("find", "--max-members", "2", place)
    #expect(outcome.code == 2 && outcome.text.contains("with --max-members"), "\(outcome.text)")
    #expect(outcome.text.contains("b.db") && !outcome.text.contains("c.db"))
    #expect(await rehome("find", "--max-members", "3", place).code == 0)
  }

  @Test func emptyPathOfADescriptionLeavesTheNameOfTheHeader() async throws {
    try folder.makePlaces(
      """
      with tarfile.open('a.tar', 'w', format=tarfile.PAX_FORMAT) as archive:
          info, data = tarfile.TarInfo('q.db'), whole(1)
          info.size, info.pax_headers = len(data), {'path': ''}
          archive.addfile(info, io.BytesIO(data))
      """)
    #expect(try await folder.foundStores(in: "a.tar").stores == ["!q.db": "1"])
  }

  @Test func filesThatAreNoStoresMayUnpackToVeryMuch() async throws {
    try folder.makePlaces(
      """
      members = [('a.db', whole(1)), ('junk', bytes(90 << 20)), ('z.db', whole(2))]
      tar('a.tgz', members, 'w:gz')
      with tarfile.open('pax.tgz', 'w:gz', format=tarfile.PAX_FORMAT) as archive:
          for name, data in members:
              info = tarfile.TarInfo(name)
              info.size, info.pax_headers = len(data), {'comment': 'of a phone'}
              archive.addfile(info, io.BytesIO(data))
      bomb = b'SQLite format 3\\0' + bytes(90 << 20)
      tar('bomb.tgz', [('a.db', whole(1)), ('b.db', bomb), ('z.db', whole(2))], 'w:gz')
      """)
    for place in ["a.tgz", "pax.tgz"] {
      let found = try await folder.foundStores(in: place)
      #expect(found.stores == ["!a.db": "1", "!z.db": "2"], "\(found.told)")
    }
    let bomb = try await folder.foundStores(in: "bomb.tgz")
    #expect(bomb.stores == ["!a.db": "1", "!b.db": "limit", "!z.db": "2"], "\(bomb.told)")
  }

  // MARK: Damage

  /// Archives of a sample whose log is not whole, and a folder with as much of it.
  private func makeDamagedLogs() throws {
    try folder.makePlaces(
      """
      def sample(end):
          with open('\(Project.path("samples/ios-2015/qstodoitem.sqlite"))' + end, 'rb') as file:
              return file.read()
      main, log = sample(''), sample('-wal')
      os.makedirs('cut')
      wrong = log[:40000] + b'wrong' + log[40005:]
      for name, data in [('cut/q.db', main), ('cut/q.db-wal', wrong)]:
          with open(name, 'wb') as file: file.write(data)
      with zipfile.ZipFile('sum.zip', 'w') as archive:
          archive.writestr('q.db', main)
          archive.writestr('q.db-wal', log)
      with open('sum.zip', 'rb') as file: data = file.read()
      with open('sum.zip', 'wb') as file: file.write(data.replace(log, wrong))
      with zipfile.ZipFile('start.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
          archive.writestr('q.db', main)
          archive.writestr('q.db-wal', log)
          place = archive.getinfo('q.db-wal').header_offset + 30 + len('q.db-wal')
      with open('start.zip', 'r+b') as file: file.seek(place); file.write(b'\\xff' * 40)
      tar('cut.tar', [('q.db', main), ('q.db-wal', log)])
      os.truncate('cut.tar', 512 + len(main) + 512 + 40000)
      """)
  }

  @Test func logThatIsNotWholeKeepsNobodyFromItsStore() async throws {
    try makeDamagedLogs()
    let tree = try await rehome("find", "--json", folder.path("cut")).jsonLines()
    for place in ["sum.zip", "cut.tar", "start.zip"] {
      let lines = try await rehome("find", "--json", folder.path(place)).jsonLines()
      let isLost = place == "start.zip"
      #expect(lines[0]["store"] as? String == folder.path(place) + "!q.db")
      #expect(lines[0]["rows"] as? Int == (isLost ? 4 : tree[0]["rows"] as? Int), "\(place)")
      #expect(
        lines[0]["findings"] as? [String] == [isLost ? "wal-missing" : "wal-damaged"], "\(place)")
      // What is wrong with the archive as a whole is told beside the store.
      #expect(lines.count == (place == "cut.tar" ? 2 : 1), "\(place)")
      let inspected = await rehome("inspect", folder.path(place))
      #expect(inspected.code == 2 && inspected.text.contains("lists q.db-wal"), "\(inspected.text)")
      // What the container tells of the log is not told once more.
      let tellings = inspected.text.split(separator: "\n").filter { $0.contains("[wal-") }
      #expect(tellings.count == 1, "\(inspected.text)")
    }
  }

  /// Who tells no findings would take the operations of before the log for those that wait.
  @Test(arguments: [["ops", "list"], ["hash"], ["replay", "--dry-run"]])
  func commandsThatTellNoFindingsRefuseAStoreWithoutItsWholeLog(_ words: [String]) async throws {
    try makeDamagedLogs()
    for place in ["sum.zip", "start.zip"] {
      let refused = await rehome(words + [folder.path(place)])
      #expect(refused.code == 65 && refused.error.contains("q.db-wal"), "\(refused.error)")
      // What is left has a hash, which is not that of the store.
      let code: Int32 = words == ["hash"] ? 2 : 0
      #expect(await rehome(words + ["--salvage", folder.path(place)]).code == code, "\(place)")
    }
  }

  @Test func storeThatIsNotWholeIsSalvagedInItsArchive() async throws {
    try folder.makePlaces(
      """
      data = whole(2000)
      with zipfile.ZipFile('a.zip', 'w') as archive: archive.writestr('q.db', data)
      with open('a.zip', 'rb') as file: packed = file.read()
      with open('a.zip', 'wb') as file: file.write(packed[:9000] + b'!' + packed[9001:])
      tar('a.tar', [('q.db', data)])
      os.truncate('a.tar', 512 + len(data) - 5000)
      """)
    for place in ["a.zip", "a.tar"] {
      let store = folder.path(place + "!q.db")
      let outcome = await rehome("inspect", store)
      #expect(outcome.error.contains("or read what is left with --salvage"), "\(outcome.error)")
      let lines = try await rehome("find", "--json", "--salvage", folder.path(place)).jsonLines()
      let rows = lines[0]["rows"] as? Int ?? 0
      #expect(rows > 1000 && rows <= 2000, "\(place): \(lines)")
      let findings = lines[0]["findings"] as? [String] ?? []
      #expect(findings.contains("store-damaged"), "\(place): \(findings)")
    }
  }

  @Test(arguments: ["list", "list.zip"])
  func archiveThatIsNotOpenedIsToldBesideTheOnlyStore(place: String) async throws {
    try folder.makePlaces(
      """
      os.makedirs('list')
      archive = b'7z\\xbc\\xaf\\x27\\x1c' + bytes(600)
      for name, data in [('q.db', whole(1)), ('x.7z', archive)]:
          with open('list/' + name, 'wb') as file: file.write(data)
      shutil.make_archive('list', 'zip', 'list')
      """)
    let outcome = await rehome("export", folder.path(place), "--to", "ndjson", "--table", "t")
    #expect(outcome.text.contains("\"0\""), "\(outcome.error)")
    #expect(outcome.code == 2 && outcome.error.contains("a 7z archive"), "\(outcome.error)")
  }

  // MARK: gzip

  @Test func logThatIsPackedBesideItsStoreIsRead() async throws {
    try folder.makePlaces(
      """
      main, log = base(3)
      members = [('q.db.gz', gzip.compress(main)), ('q.db-wal.gz', gzip.compress(log)),
                 ('r.db.gz', gzip.compress(whole(1))), ('r.db-wal.gz', gzip.compress(whole(2)))]
      os.makedirs('tree')
      for name, data in members:
          with open('tree/' + name, 'wb') as file: file.write(data)
      with zipfile.ZipFile('a.zip', 'w') as archive:
          for member in members: archive.writestr(*member)
      backup('phone', members)
      shutil.copytree('tree', 'cut')
      os.truncate('cut/q.db-wal.gz', 5)
      """)
    for (place, inner) in [("tree", "/"), ("a.zip", "!"), ("phone", "!AppDomain-a/")] {
      #expect(
        try await folder.foundStores(in: place).stores == [
          "\(inner)q.db.gz!q.db": "3", "\(inner)r.db.gz!r.db": "1",
          "\(inner)r.db-wal.gz!r.db-wal": "2",
        ], "\(place)")
    }
    #expect(try await folder.foundStores(in: "tree/q.db.gz").stores == ["!q.db": "3"])
    let cut = await rehome("find", folder.path("cut/q.db.gz"))
    #expect(cut.code == 2 && cut.text.contains("wal-missing"), "\(cut.text)")
  }

  /// The data is whole, and its checksum right.
  @Test func bytesBehindPackedDataAreANote() async throws {
    try folder.makePlaces(
      """
      data = whole(1)
      for name, rest in [('q.gz', b'junk'), ('zeros.gz', bytes(99)), ('next.gz', gzip.compress(b''))]:
          with open(name, 'wb') as file: file.write(gzip.compress(data) + rest)
      packer = zlib.compressobj(9, zlib.DEFLATED, -15)
      packed = packer.compress(data) + packer.flush() + b'junk'
      with zipfile.ZipFile('a.zip', 'w') as archive: archive.writestr('q.db', packed)
      with open('a.zip', 'rb') as file: content = bytearray(file.read())
      # What is stored is told to be packed data of the file.
      for mark, place in [(b'PK\\3\\4', 8), (b'PK\\1\\2', 10)]:
          start = content.find(mark) + place
          content[start:start + 2] = b'\\x08\\0'
          content[start + 6:start + 10] = struct.pack('<I', zlib.crc32(data))
          content[start + 14:start + 18] = struct.pack('<I', len(data))
      with open('a.zip', 'wb') as file: file.write(content)
      """)
    for (place, findings) in [
      "q.gz": ["bytes-left-over"], "a.zip": ["bytes-left-over"], "zeros.gz": [], "next.gz": [],
    ] {
      let outcome = await rehome("find", "--json", folder.path(place))
      let lines = try outcome.jsonLines()
      #expect(lines.map { $0["rows"] as? Int } == [1], "\(place): \(lines)")
      #expect(lines.map { $0["findings"] as? [String] } == [findings], "\(place)")
      #expect(outcome.code == 0)
    }
  }

  // MARK: Android

  @Test func packedLogIsMissedWhereTheStoreKeepsOne() async throws {
    try folder.makePlaces(
      """
      for name, mode in [('logged', 2), ('plain', 1)]:
          data = bytearray(whole(1))
          data[18:20] = bytes([mode, mode])
          os.makedirs(name)
          with open(name + '/q.db', 'wb') as file: file.write(data)
          with gzip.open(name + '/q.db-wal.gz', 'wb') as file: file.write(b'log')
      """)
    let logged = await rehome("inspect", folder.path("logged/q.db"))
    #expect(logged.code == 2 && logged.text.contains("q.db-wal.gz: it is packed by itself"))
    #expect(!logged.text.contains("container"), "\(logged.text)")
    let plain = await rehome("inspect", folder.path("plain/q.db"))
    #expect(plain.code == 0 && !plain.text.contains("wal"), "\(plain.text)")
  }

  @Test func onlyAnEmptyBackupIsToldAsEmpty() async throws {
    try folder.makePlaces(
      """
      head, packed = b'ANDROID BACKUP\\n5\\n1\\nnone\\n', zlib.compress(bytes(1024))
      tar('a.tar', [('apps/p/db/q.db', whole(1))])
      with open('a.tar', 'rb') as file: full = zlib.compress(file.read())
      for name, rest in [('none', b''), ('zeros', packed), ('cut', full[:12]), ('other', full[:17])]:
          with open(name + '.ab', 'wb') as file: file.write(head + rest)
      """)
    for name in ["none.ab", "zeros.ab"] {
      #expect(await rehome("find", folder.path(name)).error.contains("backup is empty"), "\(name)")
    }
    for name in ["cut.ab", "other.ab"] {
      #expect(try await error(of: name)["code"] == "truncated", "\(name)")
    }
  }

  @Test func whatAnAppCameWithIsCounted() async throws {
    try folder.makePlaces(
      """
      with zipfile.ZipFile('base.apk', 'w') as archive:
          archive.writestr('AndroidManifest.xml', b'x')
          archive.writestr('assets/seed.db', whole(1))
      with open('base.apk', 'rb') as file:
          tar('a.tar', [('apps/p/a/base.apk', file.read()), ('apps/p/db/q.db', whole(1))])
      """)
    let found = try await folder.foundStores(in: "a.tar")
    #expect(found.stores == ["!apps/p/db/q.db": "1"])
    #expect(found.told.contains("not stores: 1 Android app\n"), "\(found.told)")
    #expect(try await folder.foundStores(in: "base.apk").stores == ["!assets/seed.db": "1"])
  }

  // MARK: ZIP

  @Test func whatFollowsAnArchiveIsNoPartOfIt() async throws {
    try folder.makePlaces(
      """
      with zipfile.ZipFile('a.zip', 'w') as archive:
          archive.writestr('q.db', whole(1))
          archive.comment = b'PK\\5\\6' + bytes(18) + b'comment'
      with open('a.zip', 'rb') as file: data = file.read()
      for name, rest in [('line', b'\\r\\n'), ('block', bytes(512)), ('nothing', b'')]:
          with open(name + '.zip', 'wb') as file: file.write(data + rest)
      with open('cut.zip', 'wb') as file: file.write(data[:-60])
      with zipfile.ZipFile('outer.zip', 'w') as archive:
          for name, inside in [('a.db', whole(1)), ('in.zip', data), ('c.db', whole(2))]:
              archive.writestr(name, inside)
      os.truncate('outer.zip', 2 * len(data))
      """)
    for name in ["line", "block", "nothing"] {
      let found = try await folder.foundStores(in: name + ".zip")
      #expect(found.stores == ["!q.db": "1"], "\(name)")
      #expect(
        found.told.contains("something else follows the archive") == (name != "nothing"), "\(name)")
    }
    for cut in ["cut.zip", "outer.zip"] {
      #expect(try await error(of: cut)["code"] == "truncated", "\(cut)")
    }
  }

  /// A comment may end as an archive without entries does.
  @Test func endOfAnEmptyArchiveHidesNoEntries() async throws {
    try folder.makePlaces(
      """
      with zipfile.ZipFile('a.zip', 'w') as archive:
          archive.writestr('q.db', whole(1))
          archive.comment = b'xxx' + b'PK\\5\\6' + bytes(18)
      with zipfile.ZipFile('empty.zip', 'w') as archive: archive.comment = b'nothing'
      """)
    #expect(try await folder.foundStores(in: "a.zip").stores == ["!q.db": "1"])
    #expect(try await folder.foundStores(in: "empty.zip").stores.isEmpty)
  }

  @Test func seedNamesTheArchiveThatItDoesNotOpen() async throws {
    try folder.makePlaces(
      """
      tar('a.tar', [('q.db', whole(1))])
      with open('a.ab', 'wb') as file: file.write(b'ANDROID BACKUP\\n5\\n1\\nnone\\n')
      """)
    for (name, what) in ["a.tar": "this is a tar archive", "a.ab": "this is an Android backup"] {
      let outcome = await rehome("seed", folder.path(name), "-o", folder.path("x.rehome"))
      #expect(outcome.error.contains(what), "\(outcome.error)")
      #expect(outcome.error.contains("--copy-to"), "\(outcome.error)")
    }
  }

  @Test func fileThatUnpacksToMoreThanToldIsNotCut() async throws {
    try folder.makePlaces(
      """
      data = whole(1)
      with zipfile.ZipFile('a.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
          archive.writestr('q.db', data)
      with open('a.zip', 'rb') as file: content = file.read()
      for name, size in [('more', len(data) - 9), ('less', len(data) + 9)]:
          told = content.replace(struct.pack('<I', len(data)), struct.pack('<I', size))
          with open(name + '.zip', 'wb') as file: file.write(told)
      """)
    #expect(try await error(of: "more.zip")["code"] == "checksum")
    #expect(try await error(of: "less.zip")["code"] == "truncated")
  }

  @Test func storeInAnArchiveIsCalledAsInAFolder() async throws {
    try folder.makePlaces(
      """
      main, log = base(3)
      tar('hidden.tar', [('d/.hidden.db', main), ('d/.hidden.db-wal', log)])
      tar('odd.tar', [('back\\\\slash.db', whole(1))])
      """)
    for (place, names) in [
      "hidden.tar": [".hidden.db", ".hidden.db-wal"], "odd.tar": ["back\\slash.db"],
    ] {
      let outcome = await rehome("inspect", "--json", folder.path(place))
      let stores = try outcome.json()["stores"] as? [[String: Any]]
      let files = stores?.first?["files"] as? [[String: Any]]
      #expect(files?.map { $0["name"] as? String } == names, "\(outcome.text)")
    }
  }

  @Test func archiveWithAPasswordIsOneLine() async throws {
    try folder.makePlaces(
      """
      with zipfile.ZipFile('a.zip', 'w') as archive:
          for name in ['a.db', 'b.jpg']: archive.writestr(name, b'x' * 100)
      with open('a.zip', 'rb') as file: data = bytearray(file.read())
      # All headers of the files say that they are encrypted.
      for mark, flags in [(b'PK\\3\\4', 6), (b'PK\\1\\2', 8)]:
          place = -1
          while (place := data.find(mark, place + 1)) >= 0: data[place + flags] |= 1
      with open('a.zip', 'wb') as file: file.write(data)
      """)
    #expect(try await folder.foundStores(in: "a.zip").stores == ["": "encrypted"])
  }
}
