import Foundation
import TestSupport
import Testing

/// Archives in forms that other programs write, and Python's own modules rarely.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct RareArchiveTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The first four pieces stand in the header, and 21 more in each block behind it; each table has
  /// a page of its own, which is nothing but zeros in its midst.
  @Test(arguments: [1, 3, 4, 24, 25, 60])
  func filesWithHolesInTheFirstFormAreWhole(_ tables: Int) async throws {
    try folder.makePlaces(
      """
      store = sqlite3.connect('work.tmp')
      for number in range(\(tables)):
          store.execute(f'CREATE TABLE t{number} (id TEXT)')
          store.execute(f"INSERT INTO t{number} VALUES ('x')")
      store.commit()
      store.close()
      data = open('work.tmp', 'rb').read()
      os.remove('work.tmp')
      pairs = []
      for place in range(0, len(data), 512):
          if data[place:place + 512].strip(b'\\0'):
              if pairs and sum(pairs[-1]) == place: pairs[-1][1] += 512
              else: pairs.append([place, 512])
      octal = lambda number: b'%011o\\0' % number
      packed = lambda all: b''.join(octal(a) + octal(b) for a, b in all)
      header = bytearray(tarfile.TarInfo('a.db').tobuf(tarfile.GNU_FORMAT))
      kept = b''.join(data[a:a + size] for a, size in pairs)
      header[124:136], header[156:157] = octal(len(kept)), b'S'
      header[386:482] = packed(pairs[:4]).ljust(96, b'\\0')
      header[482:483] = b'\\1' if pairs[4:] else b'\\0'
      header[483:495] = octal(len(data))
      header[148:156] = b' ' * 8
      header[148:156] = b'%06o\\0 ' % sum(header)
      rest, blocks = pairs[4:], b''
      while rest:
          blocks += packed(rest[:21]).ljust(504, b'\\0') + (b'\\1' if rest[21:] else b'\\0') + b'\\0' * 7
          rest = rest[21:]
      with open('a.tar', 'wb') as file:
          file.write(header + blocks + kept + b'\\0' * 1024)
      """)
    #expect(try await folder.foundStores(in: "a.tar").stores == ["!a.db": "\(tables)"])
  }

  /// Names are in the letters of DOS, or beside them in Unicode as long as that is of the same name.
  @Test func namesInZIPFilesAreReadAsTheyWereMeant() async throws {
    try folder.makePlaces(
      """
      def named(entry, name, extra=b'', system=3, mode=0):
          info = zipfile.ZipInfo(entry)
          info.extra, info.create_system, info.external_attr = extra, system, mode << 16
          with zipfile.ZipFile('part.tmp', 'w') as archive: archive.writestr(info, whole(1))
          data = open('part.tmp', 'rb').read()
          os.remove('part.tmp')
          return data.replace(entry.encode(), name)

      def unicode(name, checked):
          body = struct.pack('<BI', 1, zlib.crc32(checked)) + name.encode()
          return struct.pack('<HH', 0x7075, len(body)) + body

      for name, data in [
          ('dos.zip', named('cafX.db', b'caf\\x82.db')),
          ('unicode.zip', named('cafX.db', b'cafX.db', unicode('caf\\u20ac.db', b'cafX.db'))),
          ('other.zip', named('cafX.db', b'cafX.db', unicode('caf\\u20ac.db', b'cafY.db'))),
          ('slash.zip', named('dirXa.db', b'dir\\\\a.db', system=0)),
          ('link.zip', named('a.db', b'a.db', mode=0o120777))]:
          with open(name, 'wb') as file: file.write(data)
      """)
    let names = [
      "dos.zip": ["!café.db": "1"], "unicode.zip": ["!caf€.db": "1"],
      "other.zip": ["!cafX.db": "1"],
      "slash.zip": ["!dir/a.db": "1"], "link.zip": [:],
    ]
    for (archive, stores) in names {
      #expect(try await folder.foundStores(in: archive).stores == stores, "\(archive)")
    }
  }

  @Test func longRecordsAndLongPathsAreRead() async throws {
    try folder.makePlaces(
      """
      zipfile.ZIP64_LIMIT = -1
      with zipfile.ZipFile('long.zip', 'w') as archive: archive.writestr('a.db', whole(1))
      if b'PK\\6\\6' not in open('long.zip', 'rb').read(): sys.exit('no record of 64 bits')
      with tarfile.open('path.tar', 'w', format=tarfile.USTAR_FORMAT) as archive:
          info = tarfile.TarInfo('p' * 90 + '/' + 'q' * 90 + '.db')
          info.size = len(whole(2))
          archive.addfile(info, io.BytesIO(whole(2)))
      """)
    #expect(try await folder.foundStores(in: "long.zip").stores == ["!a.db": "1"])
    let path = String(repeating: "p", count: 90) + "/" + String(repeating: "q", count: 90)
    #expect(try await folder.foundStores(in: "path.tar").stores == ["!\(path).db": "2"])
  }
}
