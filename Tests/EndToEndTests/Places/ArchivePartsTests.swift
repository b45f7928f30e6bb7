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
}
