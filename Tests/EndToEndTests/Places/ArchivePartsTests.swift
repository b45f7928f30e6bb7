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
      """)
    #expect(try await error(of: "crlf.tar")["hint"]?.contains("adb exec-out") == true)
    #expect(try await error(of: "cut.tar")["hint"]?.contains("adb") == false)
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

  // MARK: Android

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
