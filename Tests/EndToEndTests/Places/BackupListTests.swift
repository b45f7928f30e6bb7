import Foundation
import TestSupport
import Testing

/// Backups whose list of files is missing or does not name all of them, and several backups of a device.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct BackupListTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func find(_ name: String) async throws -> (stores: [String: String], told: String) {
    try await folder.foundStores(in: name)
  }

  /// Packs a folder as a ZIP and as a tar that is packed.
  private let packing = """

    def pack(root):
        with tarfile.open(root + '.tgz', 'w:gz') as archive: archive.add(root)
        with zipfile.ZipFile(root + '.zip', 'w') as archive:
            for at, _, names in sorted(os.walk(root)):
                for name in sorted(names): archive.write(os.path.join(at, name))

    """

  @Test(arguments: ["os.symlink('../list', LIST)", "os.symlink('none', LIST)", "os.mkdir(LIST)"])
  func listThatIsNoFileIsTold(change: String) async throws {
    for name in ["db", "mbdb"] {
      try folder.makePlaces(
        """
        shutil.rmtree('shelf', ignore_errors=True)
        backup('shelf/phone', [('q.db', whole(1))])
        os.rename('shelf/phone/Manifest.db', 'shelf/list')
        if '\(name)' == 'mbdb': open('shelf/phone/Manifest.mbdb', 'wb').write(b'mbdb\\5\\0')
        LIST = 'shelf/phone/Manifest.db'
        \(change)
        os.remove('shelf/list')
        """)
      let found = try await find("shelf")
      #expect(found.stores == ["/phone": "damaged"], "\(name)")
      let told = await rehome("find", folder.path("shelf"))
      #expect(told.code == 65, "\(told.text)")
      #expect(told.text.contains("Manifest.db, is no plain file"), "\(told.text)")
      #expect(told.text.contains("1 file is there, under a hashed name"), "\(told.text)")
    }
  }

  @Test func logOrDescriptionThatIsALinkIsTold() async throws {
    try folder.makePlaces(
      """
      backup('phone', [('q.db', whole(1))])
      os.rename('phone/Info.plist', 'info')
      os.symlink('../info', 'phone/Info.plist')
      os.symlink('../info', 'phone/Manifest.db-wal')
      """)
    let told = try await find("phone").told
    #expect(told.contains("Manifest.db-wal is no plain file and not read"), "\(told)")
    #expect(told.contains("Info.plist says of the backup is not known"), "\(told)")
  }

  @Test(arguments: ["Info", "Manifest", "Status"], ["", "bplist00", "<plist><dict>", "\\0 noise"])
  func descriptionThatCannotBeReadIsTold(name: String, content: String) async throws {
    try folder.makePlaces(
      """
      backup('phone', [('q.db', whole(1))])
      open('phone/\(name).plist', 'wb').write(b'\(content)')
      """)
    let found = try await find("phone")
    #expect(found.told.contains("what \(name).plist says of the backup is not known: it is "))
    #expect(found.stores.count == 1)
  }

  @Test(arguments: ["shelf", "shelf.zip", "shelf.tgz"])
  func missingListIsTold(place: String) async throws {
    try folder.makePlaces(
      """
      main, log = base(3)
      for name in ['deep', 'flat']:
          backup('shelf/' + name, [('q.db', whole(1)), ('q.db-wal', log)])
          os.remove(f'shelf/{name}/Manifest.db')
      for at in os.listdir('shelf/flat'):
          if len(at) > 2: continue
          for name in os.listdir('shelf/flat/' + at):
              os.rename(f'shelf/flat/{at}/{name}', 'shelf/flat/' + name)
          os.rmdir('shelf/flat/' + at)
      os.makedirs('shelf/app/00')
      shutil.copy('shelf/flat/Info.plist', 'shelf/app/Info.plist')
      open('shelf/app/' + 'a' * 40, 'wb').write(whole(2))
      for name in ['cache', 'list']:
          os.makedirs(f'shelf/{name}/cd')
          open(f'shelf/{name}/cd/' + 'ab' * 19 + 'cd', 'wb').write(b'image')
      shutil.copy('shelf/flat/Info.plist', 'shelf/cache/Info.plist')
      open('shelf/list/Manifest.db', 'wb').write(whole(4))
      """ + packing + "pack('shelf')")
    let found = try await find(place).stores
    let broken = found.filter { $0.value == "damaged" }.keys.sorted()
    let name = place == "shelf" ? "/" : "!shelf/"
    #expect(broken == ["\(name)deep", "\(name)flat"], "\(found)")
    #expect(found.values.sorted() == ["1", "1", "2", "4", "damaged", "damaged"])
    let told = await rehome("find", folder.path(place))
    #expect(told.code == 2)
    #expect(told.text.contains("2 files are there, under hashed names"), "\(told.text)")
  }

  @Test(arguments: ["phone", "phone.zip", "phone.tgz"], ["lower", "upper"])
  func filesThatAreNotListedAreTold(place: String, digits: String) async throws {
    try folder.makePlaces(
      """
      backup('phone', [('q.db', whole(1)), ('r.db', whole(2)), ('s.db', whole(3)), ('t.db', None),
                       ('u.txt', b'text'), ('v.db', whole(4))])
      with sqlite3.connect('phone/Manifest.db') as list:
          list.execute("DELETE FROM Files WHERE relativePath IN ('r.db', 'u.txt')")
          list.execute("UPDATE Files SET flags = NULL WHERE relativePath = 's.db'")
          list.execute("UPDATE Files SET flags = 0 WHERE relativePath IN ('t.db', 'v.db')")
      list.close()
      for at in [at for at in os.listdir('phone') if len(at) == 2]:
          for name in os.listdir('phone/' + at):
              os.renames(f'phone/{at}/{name}', f'phone/{at.\(digits)()}/{name.\(digits)()}')
      """ + packing + "pack('phone')")
    let found = try await find(place)
    #expect(found.stores.values.sorted() == ["1", "3", "4"], "\(found.stores)")
    #expect(
      found.told.contains("1 file that the backup's list does not name begins as"), "\(found)")
    let told = await rehome("find", folder.path(place))
    #expect(
      (told.text + told.error).contains("2 files that their backups' lists do not name"),
      "\(told.error)")
  }

  @Test func everyFileOfAWholeBackupIsListed() async throws {
    try folder.makePlaces(
      "backup('phone', [('q.db', whole(1)), ('u.txt', b'text')])" + packing
        + "pack('phone')")
    for place in ["phone", "phone.zip", "phone.tgz"] {
      #expect(try await !find(place).told.contains("not name"), "\(place)")
    }
  }

  /// Of a backup's files most are media; what a store keeps outside of itself may look like them.
  @Test func packedBackupIsCopiedAsFarAsItMatters() async throws {
    try folder.makePlaces(
      """
      import random
      media = bytes([0xFF, 0xD8, 0xFF, 0xE0]) + random.Random(1).randbytes(1 << 22)
      main, log = base(3)
      outside = '.q_SUPPORT/_EXTERNAL_DATA/11111111-2222-3333-4444-555555555555'
      backup('phone', [('q.sqlite', main), ('q.sqlite-wal', log), (outside, media[:5000])]
             + [(f'{number}.jpg', media) for number in range(4)])
      """ + packing + "pack('phone')")
    let place = folder.path("phone.tgz")
    let lines = try await rehome("find", "--json", folder.path("phone"), place).jsonLines()
    #expect(lines.map { $0["rows"] as? Int } == [3, 3])
    #expect(lines[0]["sha256"] as? String == lines[1]["sha256"] as? String)
    #expect(try bytes("wchar", findingIn: place) < 1 << 20)
  }

  /// However many backups are in it, and whatever each has besides stores that look like such.
  @Test func packedArchiveOfBackupsIsGoneThroughAFewTimes() async throws {
    try folder.makePlaces(
      """
      import random
      noise = random.Random(1).randbytes
      for number in range(12):
          backup(f'shelf/{number}', [('a.sqlite', whole(1)), ('b.db', noise(1 << 15)),
                                     ('c.db', noise(40_001)), ('d.db', b'0' * 100)], udid=f'{number:040x}')
      """ + packing + "pack('shelf')")
    let place = folder.path("shelf.tgz")
    let rows = try await rehome("find", "--json", place).jsonLines().map { $0["rows"] as? Int }
    #expect(rows.count == 24 && rows.count { $0 == 1 } == 12, "\(rows)")
    let size = try Data(contentsOf: URL(filePath: place)).count
    // What is in it is copied and looked at, too; once more for each backup would be 24 times.
    #expect(try bytes("rchar", findingIn: place) < 18 * size)
  }

  /// How many bytes the tool reads or writes while it looks at a place.
  private func bytes(_ direction: String, findingIn place: String) throws -> Int {
    let count = try python(
      """
      import os, subprocess, sys
      run = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
      os.waitid(os.P_PID, run.pid, os.WEXITED | os.WNOWAIT)
      text = open(f'/proc/{run.pid}/io').read().split()
      print(text[text.index(sys.argv[1] + ':') + 1], end='')
      """, [direction, Project.executable.path, "find", place])
    return try #require(Int(count))
  }

  // MARK: Several backups of one device

  /// Makes backups of one device, each with its own rows, under their names and dates.
  private func makeBackups(_ backups: [(name: String, date: String)]) throws {
    let lines = backups.enumerated().map { rows, backup in
      """
      backup('shelf/\(backup.name)', [('q.db', whole(\(rows + 1))), ('same.db', whole(0)),
                                      ('only\(rows).db', whole(9))])
      about = {'Device Name': 'iPhone', 'Target Identifier': 'A' * 40\(backup.date)}
      with open('shelf/\(backup.name)/Info.plist', 'wb') as file: plistlib.dump(about, file)
      """
    }
    try folder.makePlaces(
      "import datetime\n" + lines.joined(separator: "\n") + packing + "pack('shelf')")
  }

  private static func year(_ year: Int) -> String {
    ", 'Last Backup Date': datetime.datetime(\(year), 1, 1)"
  }

  /// How many rows the stores have of which a later backup has another state, in the order of all.
  private func rowsOfEarlierCopies(in places: String...) async throws -> [Int?] {
    let lines = try await rehome(["find", "--json"] + places.map(folder.path)).jsonLines()
    return lines.filter {
      ($0["findings"] as? [String])?.contains("earlier-copy-of-store") ?? false
    }.map { $0["rows"] as? Int }
  }

  /// The names of backups and their dates, and how many rows the earlier copies have.
  @Test(arguments: [
    ([("x", year(2024)), ("x-20200101-120000", year(2020))], [2]),
    ([("x", ""), ("x-20200101-120000", year(2020)), ("x-20210101-120000", "")], [2, 3]),
    ([("new", year(2019)), ("old", year(2018))], [2]),
    ([("a", year(2018)), ("b", year(2019)), ("c", year(2017))], [1, 3]),
    ([("a", year(2018)), ("b", "")], []),
  ]) func earlierCopyIsToldWhereItStands(backups: [(String, String)], rows: [Int]) async throws {
    try makeBackups(backups.map { (name: $0.0, date: $0.1) })
    for place in ["shelf", "shelf.tgz", "shelf.zip"] {
      #expect(try await rowsOfEarlierCopies(in: place) == rows, "\(place)")
      let lines = try await rehome("find", "--json", folder.path(place)).jsonLines()
      let names = lines.compactMap { $0["store"] as? String }
      #expect(names.count == 3 * backups.count && names == names.sorted(), "\(place)")
    }
  }

  /// The rows that are kept and the changes that are sent go by the order that a person gives.
  @Test func orderOfTheArgumentsStays() async throws {
    try makeBackups([("new", Self.year(2024)), ("old", Self.year(2020))])
    for order in [["shelf/new", "shelf/old"], ["shelf/old", "shelf/new"]] {
      let places = order.map(folder.path)
      let names = try await rehome(["find", "--json"] + places).jsonLines().map {
        try #require($0["store"] as? String)
      }
      #expect(names.prefix(3).allSatisfy { $0.hasPrefix(places[0]) }, "\(names)")
      #expect(try await rowsOfEarlierCopies(in: order[0], order[1]) == [2])
    }
    let out = folder.path("out.rehome")
    let outcome = await rehome("convert", "--json", folder.path("shelf"), "-o", out)
    #expect(outcome.code == 0 && outcome.text.contains("earlier-copy-of-store"), "\(outcome.text)")
  }

  /// What nobody could take in place of the earlier one is no later copy.
  @Test(arguments: [
    "os.remove(glob.glob('shelf/x/??/' + Q)[0])", "os.mkdir('shelf/x/Snapshot')",
    "open(glob.glob('shelf/x/??/' + Q)[0], 'wb').write(whole(2))",
  ]) func laterCopyMustBeThereAndAnother(change: String) async throws {
    try makeBackups([("x", Self.year(2024)), ("x-20200101-120000", Self.year(2020))])
    #expect(try await rowsOfEarlierCopies(in: "shelf") == [2])
    try folder.makePlaces(
      """
      import glob
      Q = hashlib.sha1(b'AppDomain-a-q.db').hexdigest()
      \(change)
      """)
    #expect(try await rowsOfEarlierCopies(in: "shelf").isEmpty)
  }

  @Test func backupsOfOtherDevicesStayInTheirOrder() async throws {
    try folder.makePlaces(
      """
      for rows, name in enumerate('ba'): backup('shelf/' + name, [('q.db', whole(rows))], udid=name * 40)
      backup('shelf/c', [('q.db', whole(2))], udid='b' * 40)
      """)
    let lines = try await rehome("find", "--json", folder.path("shelf")).jsonLines()
    #expect(lines.map { $0["rows"] as? Int } == [1, 0, 2])
    // Which is the older one nothing tells.
    #expect(lines.allSatisfy { ($0["findings"] as? [String])?.isEmpty == true })
  }
}
