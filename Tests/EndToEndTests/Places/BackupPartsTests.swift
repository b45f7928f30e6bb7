import Foundation
import TestSupport
import Testing

/// What is missing of a backup or odd in it is told, whatever command reads it.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct BackupPartsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs every command that reads a store on a place.
  private func readByAll(_ place: String) async -> [(command: String, outcome: Outcome)] {
    var outcomes: [(String, Outcome)] = []
    for command in [
      ["find"], ["inspect"], ["audit"], ["ops", "list"], ["verify", folder.path(place)],
      ["convert", "-f", "-o", folder.path("out.rehome")],
      ["export", "-f", "--to", "json", "-o", folder.path("out.json")],
    ] {
      outcomes.append((command[0], await rehome(command + [folder.path(place)])))
    }
    return outcomes
  }

  @Test(arguments: ["None", "log[:-9]"])
  func logThatIsLostIsAnErrorInEveryCommand(_ rest: String) async throws {
    try folder.makePlaces(
      """
      main, log = base(3)
      backup('phone', [('q.db', main), ('q.db-wal', \(rest))],
             archives={'q.db-wal': sized(len(log))})
      """)
    for (command, outcome) in await readByAll("phone")
    where ["find", "inspect", "audit", "convert", "export"].contains(command) {
      #expect(outcome.code == 2, "\(command): \(outcome.error)")
    }
    let kept = try Devices.query(
      folder.path("out.rehome"),
      "SELECT message FROM rehome_finding WHERE code LIKE 'wal-%' AND severity = 'error'")
    #expect(kept.contains(rest == "None" ? "does not have it" : "cannot be had whole"))
    let merged = folder.path("both.rehome")
    let place = folder.path("phone")
    let outcome = await rehome("convert", "--json", place, place + "/../phone", "-o", merged)
    #expect(outcome.code == 2)
    let findings = try outcome.json()["findings"] as? [[String: Any]]
    #expect(findings?.count { $0["severity"] as? String == "error" } == 2)
  }

  @Test func logThatIsCutIsReadAsInAFolder() async throws {
    try folder.makePlaces(
      """
      def sample(end):
          with open('\(Project.path("samples/ios-2015/qstodoitem.sqlite"))' + end, 'rb') as file:
              return file.read()
      members = [('q.db', sample('')), ('q.db-wal', sample('-wal')[:40000])]
      backup('phone', members, archives={'q.db-wal': sized(45352)})
      os.makedirs('tree')
      for name, data in members:
          with open('tree/' + name, 'wb') as file: file.write(data)
      """)
    let tree = try await rehome("find", "--json", folder.path("tree")).jsonLines()
    let phone = try await rehome("find", "--json", folder.path("phone")).jsonLines()
    for key in ["rows", "waiting"] {
      #expect(phone.map { $0[key] as? Int } == tree.map { $0[key] as? Int })
    }
    #expect(phone.map { $0["findings"] as? [String] } == [["wal-damaged"]])
    #expect(tree[0]["rows"] as? Int == 6)
  }

  @Test func storeThatIsCutIsSalvaged() async throws {
    try folder.makePlaces(
      """
      data = whole(2000)
      backup('phone', [('q.db', data[:-4096])], archives={'q.db': sized(len(data))})
      """)
    let place = folder.path("phone")
    let cut = await rehome("inspect", place)
    #expect(cut.code == 65 && cut.error.contains("--salvage"), "\(cut.error)")
    let salvaged = await rehome("inspect", "--salvage", place)
    #expect(salvaged.code == 2, "\(salvaged.error)")
    #expect(salvaged.text.contains("store-damaged"), "\(salvaged.text)")
    let lines = try await rehome("find", "--json", "--salvage", place).jsonLines()
    let rows = try #require(lines.first?["rows"] as? Int, "\(lines)")
    #expect(rows > 1000 && rows < 2000)
  }

  @Test func bodyIsCalledAsOnTheDevice() async throws {
    try folder.makePlaces("backup('phone', [('Documents/q.db', whole(1))])")
    let outcome = await rehome("inspect", "--json", folder.path("phone"))
    let stores = try outcome.json()["stores"] as? [[String: Any]]
    let files = stores?.first?["files"] as? [[String: Any]]
    #expect(files?.map { $0["name"] as? String } == ["q.db"], "\(outcome.text)")
    #expect(outcome.text.firstMatch(of: /"[0-9a-f]{40}"/) == nil, "\(outcome.text)")
  }

  @Test func folderOfABackupMayHaveASlashAtItsEnd() async throws {
    try folder.makePlaces("backup('phone', [('Documents/q.db', whole(1))])")
    let name = "!AppDomain-a/Documents"
    for end in ["", "/"] {
      let found = try await rehome("find", "--json", folder.path("phone" + name + end)).jsonLines()
      #expect(found.map { $0["store"] as? String } == [folder.path("phone" + name + "/q.db")])
    }
  }

  @Test func deviceWithoutAnIdentifierIsNotTheOneWithIt() async throws {
    try folder.makePlaces(
      """
      for name in 'ab': backup(name, [('q.db', whole(1))])
      with open('a/Info.plist', 'wb') as file: plistlib.dump({'Device Name': 'iPhone'}, file)
      """)
    let lines = try await rehome("find", "--json", folder.path("a"), folder.path("b")).jsonLines()
    #expect(Set(lines.compactMap { $0["device"] as? String }).count == 2, "\(lines)")
  }

  @Test(arguments: ["None", "b'x' * 99"])
  func journalThatIsLostIsAnError(_ rest: String) async throws {
    try folder.makePlaces(
      """
      backup('phone', [('q.db', whole(1)), ('q.db-journal', \(rest))],
             archives={'q.db-journal': sized(4096)})
      """)
    let lines = try await rehome("find", "--json", folder.path("phone")).jsonLines()
    #expect(lines.map { $0["findings"] as? [String] } == [["journal-damaged"]])
    let inspected = await rehome("inspect", folder.path("phone"))
    #expect(inspected.code == 2)
    #expect(inspected.text.contains("may be read as a fact"), "\(inspected.text)")
  }

  @Test func whatIsToldOfAPlaceIsToldByEveryCommand() async throws {
    try folder.makePlaces("backup('phone', [('q.db', whole(1))], state='uploading')")
    for (command, outcome) in await readByAll("phone") {
      let told = outcome.error.components(separatedBy: "incomplete (uploading)").count - 1
      #expect(told == (command == "verify" ? 2 : 1), "\(command): \(outcome.error)")
    }
  }

  @Test func archiveInABackupIsOfItsDevice() async throws {
    try folder.makePlaces(
      """
      packed = io.BytesIO()
      with zipfile.ZipFile(packed, 'w') as archive: archive.writestr('in.db', whole(1))
      backup('phone', [('up.zip', packed.getvalue())], device='Anna')
      """)
    let line = try await rehome("find", "--json", folder.path("phone")).jsonLines()
    #expect(line.map { $0["device"] as? String } == ["Anna"])
  }

  @Test func folderThatIsOnlyCalledAsOneForBodiesMakesNoBackup() async throws {
    try folder.makePlaces(
      """
      os.makedirs('x/de')
      for name in ['Manifest.db', 'q.db', 'de/r.db']:
          with open('x/' + name, 'wb') as file: file.write(whole(1))
      """)
    #expect(
      try await folder.foundStores(in: "x").stores
        == ["/Manifest.db": "1", "/q.db": "1", "/de/r.db": "1"])
  }

  @Test func sizeStandsInTheObjectAtTheTop() async throws {
    try folder.makePlaces(
      """
      for root in [1, 7]:
          backup(f'phone{root}', [('q.db', whole(1))], archives={'q.db': sized(1 << 20, root)})
      backup('odd', [('q.db', whole(1)), ('r.db', whole(1))],
             archives=dict.fromkeys(['q.db', 'r.db'], b'garbage'))
      """)
    for name in ["phone1", "phone7"] {
      #expect(try await folder.foundStores(in: name).stores == ["!AppDomain-a/q.db": "truncated"])
    }
    let odd = try await folder.foundStores(in: "odd")
    #expect(odd.stores.values.sorted() == ["1", "1"])
    #expect(odd.told.contains("does not tell the size of 2 files"), "\(odd.told)")
  }

  @Test func listThatIsOfNoUseIsToldWithWhatIsThere() async throws {
    try folder.makePlaces(
      """
      for name in ['none', 'cut', 'other']:
          backup(name, [('q.db', whole(1)), ('r.db', whole(2))])
      with open('none/Manifest.db', 'wb') as file: file.write(b'x' * 999)
      os.truncate('cut/Manifest.db', 5000)
      store = sqlite3.connect('other/Manifest.db')
      store.execute('ALTER TABLE Files RENAME TO Items')
      store.commit()
      """)
    for (name, code) in [("none", "damaged"), ("cut", "damaged"), ("other", "unsupported")] {
      let outcome = await rehome("find", "--json", folder.path(name))
      let error = try outcome.jsonLines().first?["error"] as? [String: Any]
      #expect(error?["code"] as? String == code)
      let message = error?["message"] as? String ?? ""
      #expect(message.contains("2 files are there, under hashed names"), "\(message)")
    }
  }

  @Test func deviceOfTheSimulatorIsNamed() async throws {
    try folder.makePlaces(
      """
      for number, name in [('1', 'iPhone 15'), ('2', 'iPad')]:
          os.makedirs(f'Devices/{number}/data/Containers/Data')
          with open(f'Devices/{number}/device.plist', 'wb') as file:
              plistlib.dump({'name': name, 'UDID': number}, file)
          with open(f'Devices/{number}/data/Containers/Data/q.db', 'wb') as file:
              file.write(whole(1))
      """)
    for (place, names) in [("Devices", ["iPhone 15", "iPad"]), ("Devices/1", ["iPhone 15"])] {
      let lines = try await rehome("find", "--json", folder.path(place)).jsonLines()
      #expect(lines.map { $0["device"] as? String } == names)
    }
  }

  @Test func linksAreCounted() async throws {
    try folder.makePlaces(
      """
      backup('new', [('q.db', whole(1))])
      store = sqlite3.connect('new/Manifest.db')
      for number, flags in enumerate([2, 4, 4]):
          store.execute("INSERT INTO Files VALUES (?, 'AppDomain-a', ?, ?, NULL)",
                        (f'{number:040x}', f'link{number}', flags))
      store.commit()
      backup('old', [('q.db', whole(1))])
      os.remove('old/Manifest.db')
      text = lambda value: struct.pack('>H', len(value)) + value
      records = b'mbdb\\5\\0'
      for name, mode in [('q.db', 0o100644), ('a', 0o120755), ('b', 0o120755), ('c', 0o40755)]:
          records += text(b'AppDomain-a') + text(name.encode()) + b'\\xff\\xff' * 3
          records += struct.pack('>HQIIIIIQB', mode, 1, 1, 1, 1, 1, 1, 0, 4) + b'\\0'
      with open('old/Manifest.mbdb', 'wb') as file: file.write(records)
      """)
    for name in ["new", "old"] {
      let found = try await folder.foundStores(in: name)
      #expect(found.stores == ["!AppDomain-a/q.db": "1"])
      #expect(found.told.contains("2 links"), "\(name): \(found.told)")
    }
  }

  @Test func missingStoreIsToldByItsName() async throws {
    try folder.makePlaces(
      """
      backup('phone', [(path, None) for path in [
          'a.cblite', 'b.SQLITE', 'Library/Private Documents/Parse/ParseOfflineStore', 'c.txt']])
      """)
    let found = try await folder.foundStores(in: "phone")
    #expect(Array(found.stores.values) == Array(repeating: "file-missing", count: 3))
    #expect(found.told.contains("1 file that is listed but missing"), "\(found.told)")
  }

  @Test func backupThatLacksItsOnlyStoreIsDamaged() async throws {
    try folder.makePlaces("backup('phone', [('q.db', None)])")
    for command in ["find", "inspect", "hash"] {
      #expect(await rehome(command, folder.path("phone")).code == 65, "\(command)")
    }
    #expect(await rehome("hash", folder.path("phone!AppDomain-a/q.db")).code == 65)
    #expect(await rehome("hash", folder.path("phone!AppDomain-a/none.db")).code == 66)
  }

  @Test func numbersInCapitalsNameTheSameBodies() async throws {
    try folder.makePlaces(
      """
      main, log = base(3)
      for name in ['listed', 'both']:
          backup(name, [('q.db', main), ('q.db-wal', log)])
          store = sqlite3.connect(name + '/Manifest.db')
          store.execute('UPDATE Files SET fileID = upper(fileID)')
          store.commit()
          store.close()
      for at, _, names in list(os.walk('both')):
          for name in names:
              if len(name) == 40:
                  os.makedirs('both/' + name[:2].upper(), exist_ok=True)
                  os.rename(f'{at}/{name}', f'both/{name[:2]}/{name}'.upper().replace('BOTH', 'both'))
      for name in ['listed', 'both']: shutil.make_archive(name, 'zip', name)
      """)
    for place in ["listed", "both", "listed.zip", "both.zip"] {
      let found = try await folder.foundStores(in: place)
      #expect(Array(found.stores.values) == ["3"], "\(place): \(found)")
    }
  }

  @Test func storeWithoutAProperNumberIsToldByItsName() async throws {
    try folder.makePlaces(
      """
      backup('phone', [('q.db', whole(1)), ('r.db', whole(1)), ('r.db-wal', b'log'),
                       ('s.db', whole(2)), ('t.txt', b'text')])
      store = sqlite3.connect('phone/Manifest.db')
      for path, number in [('q.db', '../q'), ('r.db-wal', ''), ('t.txt', None)]:
          store.execute('UPDATE Files SET fileID = ? WHERE relativePath = ?', (number, path))
      store.commit()
      """)
    let found = try await folder.foundStores(in: "phone")
    #expect(
      found.stores == [
        "!AppDomain-a/q.db": "file-missing", "!AppDomain-a/r.db": "1", "!AppDomain-a/s.db": "2",
      ])
    #expect(found.told.contains("1 file without a proper number"), "\(found.told)")
    let outcome = await rehome("inspect", folder.path("phone"))
    #expect(outcome.code == 2 && outcome.text.contains("wal-missing"), "\(outcome.text)")
    #expect((outcome.text + outcome.error).contains("q.db without a proper number"))
    #expect(await rehome("inspect", "--salvage", folder.path("phone!AppDomain-a/q.db")).code == 65)
  }

  /// What is in `Snapshot` has not come to its place.
  @Test func transferThatBrokeOffEarlyIsIncomplete() async throws {
    try folder.makePlaces(
      """
      os.makedirs('first')
      backup('first/Snapshot', [('q.db', whole(1))], state='uploading')
      shutil.copy('first/Snapshot/Info.plist', 'first/Info.plist')
      backup('moving', [('q.db', whole(2))], state='moving')
      os.makedirs('moving/Snapshot')
      os.rename('moving/Manifest.db', 'moving/Snapshot/Manifest.db')
      backup('second', [('q.db', whole(3))])
      shutil.copytree('first/Snapshot', 'second/Snapshot')
      for name in ['first', 'moving', 'second']: shutil.make_archive(name, 'zip', name)
      os.makedirs('all')
      for name in ['first', 'moving', 'second']: shutil.copytree(name, 'all/' + name)
      shutil.make_archive('all', 'zip', 'all')
      """)
    for (name, rows) in [("first", []), ("moving", ["2"]), ("second", ["3"])] {
      for place in [name, name + ".zip"] {
        let found = try await folder.foundStores(in: place)
        #expect(Array(found.stores.values) == rows, "\(place): \(found)")
        let told = found.told.components(separatedBy: "PLACE: the backup is incomplete").count - 1
        #expect(told == 1, "\(place): \(found.told)")
      }
    }
    for (place, mark) in [("all", "/"), ("all.zip", "!")] {
      let found = try await folder.foundStores(in: place)
      #expect(found.stores.values.sorted() == ["2", "3"], "\(place): \(found)")
      for name in ["first", "moving", "second"] {
        #expect(found.told.contains("PLACE\(mark)\(name): the backup is incomplete"))
      }
    }
  }

  /// A backup below another one in an archive is one of its own, and any app may have a `Snapshot`.
  @Test func whatStandsBelowABackupOrInAnAppIsRead() async throws {
    try folder.makePlaces(
      """
      backup('outer', [('q.db', whole(1))])
      backup('outer/sub/inner', [('q.db', whole(2))])
      shutil.make_archive('outer', 'zip', 'outer')
      os.makedirs('app/Snapshot')
      shutil.copy('outer/Info.plist', 'app/Info.plist')
      shutil.copy('outer/Status.plist', 'app/Snapshot/Status.plist')
      with open('app/Snapshot/q.db', 'wb') as file: file.write(whole(3))
      shutil.make_archive('app', 'zip', 'app')
      """)
    #expect(try await folder.foundStores(in: "outer.zip").stores.values.sorted() == ["1", "2"])
    for place in ["app", "app.zip"] {
      let found = try await folder.foundStores(in: place)
      #expect(Array(found.stores.values) == ["3"], "\(place): \(found)")
      #expect(!found.told.contains("incomplete"), "\(place): \(found)")
    }
  }

  // MARK: What may not be read

  private func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.path(name))
  }

  /// The path of a body in its backup.
  private func body(_ name: String) throws -> String {
    let script =
      "import hashlib, sys; print(hashlib.sha1(sys.argv[1].encode()).hexdigest(), end='')"
    let number = try python(script, "AppDomain-a-" + name)
    return "\(number.prefix(2))/\(number)"
  }

  @Test(.enabled(if: Stranger.canRunTheTool, "needs another user who may run the tool"))
  func bodyThatMayNotBeReadIsNotMissing() throws {
    try folder.makePlaces(
      "backup('phone', [('q.db', whole(1)), ('r', whole(1)), ('s.db', whole(1))])")
    try setMode(0, of: "phone/" + body("r"))
    let closed = try "phone/" + body("s.db").prefix(2)
    try setMode(0, of: closed)
    let found = try Stranger.run(["find", folder.path("phone")])
    let inspected = try Stranger.run(["inspect", folder.path("phone!AppDomain-a/r")])
    try setMode(0o755, of: closed)
    #expect(found.code == 2)
    for name in ["r", "s.db"] {
      #expect(
        found.text.contains("a/\(name)  [iPhone]\n  cannot be read: cannot open it: permission"),
        "\(found.text)")
    }
    #expect(!found.error.contains("missing"), "\(found.error)")
    #expect(inspected.code == 77)
  }

  @Test(.enabled(if: Stranger.canRunTheTool, "needs another user who may run the tool"))
  func listThatMayNotBeReadIsTold() throws {
    try folder.makePlaces(
      """
      for name in ['phone', 'other']: backup(name, [('q.db', whole(1))])
      """)
    try setMode(0, of: "phone/Manifest.db")
    let listless = try Stranger.run(["inspect", folder.path("phone")])
    #expect(listless.code == 77)
    #expect(
      listless.error.contains("Manifest.db: cannot open it: permission denied"), "\(listless.error)"
    )
    try setMode(0, of: "other/Info.plist")
    let nameless = try Stranger.run(["find", folder.path("other")])
    #expect(nameless.code == 0)
    #expect(nameless.error.contains("what Info.plist says of the backup is not known"))
  }

  /// A note about the place is read by nobody who has the report alone.
  @Test func backupThatIsIncompleteIsToldOfEachStore() async throws {
    try folder.makePlaces(
      "backup('phone', [('q.db', whole(3)), ('r.db', whole(4))], state='uploading')")
    let code = "backup-incomplete"
    let output = folder.path("out.rehome")
    for (command, times) in [
      (["find", "--json"], 2), (["inspect", "--json"], 2), (["audit", "--json"], 2),
      (["convert", "--json", "-o", output], 2), (["audit", "--html", "-"], 2),
    ] {
      let outcome = await rehome(command + [folder.path("phone")])
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(outcome.text.components(separatedBy: code).count > times, "\(command)")
    }
    #expect(try Devices.query(output, "SELECT code FROM rehome_finding") == "\(code)\n\(code)\n")
    // What proves contents tells it, too, also of what was made of them; it is a note all the same.
    for command in [
      ["hash", folder.path("phone")], ["hash", output], ["verify", output, output],
    ] {
      let (shown, listed) = (await rehome(command), await rehome(command + ["--json"]))
      #expect(shown.code == 0 && shown.error.contains("[\(code)]"), "\(command): \(shown.error)")
      #expect(listed.code == 0 && listed.text.contains(code), "\(command)")
    }
  }

  @Test func storesOfABackupAreCalledByTheirNames() async throws {
    try folder.makePlaces("backup('phone', [('q.db', base(3)[0]), ('q.db-wal', base(3)[1])])")
    let place = folder.path("phone")
    let told = await rehome("inspect", "-v", "--device", "nosuch/{device}/**", place).error
    #expect(told.contains("reading \(place)!AppDomain-a/q.db: sqlite"), "\(told)")
    #expect(told.contains("with q.db-wal, on a private copy"), "\(told)")
    #expect(
      told.contains("fits 0 of 1 store; devices are called as what they lie in names them\n"),
      "\(told)")
  }
}
