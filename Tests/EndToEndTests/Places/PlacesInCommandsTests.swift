import Foundation
import TestSupport
import Testing

/// Every command that takes stores takes the places that hold them.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct PlacesInCommandsTests {
  private let folder: TemporaryFolder
  private let ios = Project.path("samples/ios-2016/qstodoitem.sqlite")
  private let android = Project.path("samples/android-2016/OfflineStore")

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A shelf of two devices, one of them twice, in an archive, with a damaged store among them.
  private func makeShelf() throws -> String {
    let shelf = folder.path("shelf")
    for name in ["anna", "bert"] {
      try FileManager.default.createDirectory(
        atPath: shelf + "/" + name, withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(atPath: ios, toPath: shelf + "/anna/q.sqlite")
    try FileManager.default.copyItem(atPath: android, toPath: shelf + "/bert/q.sqlite")
    _ = try python(
      """
      import shutil, sys, zipfile
      shelf, ios = sys.argv[1:]
      with zipfile.ZipFile(shelf + '/carl.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
          archive.write(ios, 'data/q.sqlite')
      open(shelf + '/cut.sqlite', 'wb').write(open(ios, 'rb').read()[:9000])
      """, shelf, ios)
    return shelf
  }

  private func contentHash(_ arguments: String...) async -> String {
    await rehome(["hash"] + arguments).text.split(separator: " ").first.map(String.init) ?? "none"
  }

  /// What somebody has named is not passed over in silence, though it keeps nobody from the others.
  @Test(arguments: ["inspect", "audit", "hash", "find", "convert"])
  func placeWithoutAStoreIsTold(_ command: String) async throws {
    let (bare, empty) = (folder.path("bare"), folder.path("empty"))
    try folder.makePlaces(
      """
      import os
      os.makedirs('bare'); os.makedirs('empty')
      open('bare/default.realm', 'wb').write(bytes(16) + b'T-DB' + bytes(40))
      """)
    let output = command == "convert" ? ["-o", folder.path("out.rehome")] : []
    let outcome = await rehome([command, ios, bare] + output)
    #expect(outcome.code == (command == "audit" ? 2 : 0), "\(outcome.error)")
    #expect(outcome.error.contains("no store is in \(bare); what is there: 1 database of Realm"))
    let force = command == "convert" ? ["-f"] : []
    let several = await rehome([command, empty, ios, bare] + output + force)
    #expect(several.error.contains("no store is in 2 of the places, the first of them \(empty)"))
  }

  @Test(arguments: ["", "\n\r\n"]) func listThatNamesNothingIsTold(_ text: String) async throws {
    let list = folder.path("list")
    try text.write(toFile: list, atomically: false, encoding: .utf8)
    for command in ["find", "audit", "hash"] {
      let outcome = await rehome(command, "--files-from", list)
      #expect(outcome.code == 66 && outcome.error.contains("the list names no places"))
      #expect(outcome.error.contains(list), "\(outcome.error)")
    }
    let bare = await rehome("audit")
    #expect(bare.code == 64 && bare.error.contains("STORE is missing"), "\(bare.error)")
  }

  /// Where a file is wanted, a folder is a mistake in the command and none in the disk.
  @Test func folderInPlaceOfAFileIsTold() async throws {
    let place = folder.path("place")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    for command in ["find", "audit", "hash"] {
      let outcome = await rehome(command, "--files-from", place)
      #expect(outcome.code == 64 && outcome.error.contains(place), "\(outcome.error)")
      #expect(outcome.error.contains("without --files-from"), "\(outcome.error)")
    }
    let store = folder.path("folders.rehome")
    #expect(await rehome("convert", "-q", ios, "-o", store).code == 0)
    for option in ["--rules", "--header-file", "--from-plan", "--ca-file"] {
      let outcome = await rehome(
        "replay", store, "--to", "http://127.0.0.1:1", "--allow-http", option, place)
      #expect(
        outcome.code == 64 && outcome.error.contains("\(option) takes a file"),
        "\(option): \(outcome.error)")
    }
  }

  @Test func stepsIntoContainersByTheNamesThatReportsShow() async throws {
    let shelf = try makeShelf()
    let own = await contentHash(ios)
    for place in ["\(shelf)/carl.zip", "\(shelf)/carl.zip!data/q.sqlite", "\(shelf)/carl.zip!data"]
    {
      #expect(await contentHash(place) == own)
      let copy = folder.path("copy.rehome")
      #expect(await rehome("convert", "-q", "-f", place, "-o", copy).code == 0)
      #expect(await contentHash(copy) == own)
      #expect(await rehome("verify", "-q", place, ios).code == 0)
      let listed = await rehome("ops", "list", place)
      #expect(listed.text == (await rehome("ops", "list", ios)).text)
      let rows = await rehome("export", place, "--to", "ndjson", "--table", "TodoItem")
      #expect(
        rows.output == (await rehome("export", ios, "--to", "ndjson", "--table", "TodoItem")).output
      )
      let plan = await rehome("replay", "--dry-run", place, "--to", "https://example.org")
      #expect(plan.code == 0, "\(plan.error)")
    }
    let missing = await rehome("audit", "\(shelf)/carl.zip!other.sqlite")
    #expect(missing.code == 66)
    #expect(missing.error.contains("no such store"))
    let several = await rehome("export", shelf, "--to", "ndjson", "--table", "TodoItem")
    #expect(several.code == 64)
    #expect(several.error.contains("4 stores are in it"))
  }

  @Test func oneBadStoreStopsNothing() async throws {
    let shelf = try makeShelf()
    let bad = shelf + "/cut.sqlite"
    for command in ["find", "inspect", "audit", "hash"] {
      let outcome = await rehome([command, shelf])
      #expect(outcome.code == 2, "\(command)")
      // Hashes are for programs, which take each line for one.
      #expect((command == "hash" ? outcome.error : outcome.text).contains(bad), "\(command)")
      #expect(await rehome([command, "-q", bad]).code == 65, "\(command)")
      #expect(await rehome([command, "--fail-fast", bad, shelf]).code == 65, "\(command)")
    }
    for command in ["inspect", "audit", "hash"] {
      let report = try await rehome([command, "--json", shelf]).json()
      let stores = try #require(report["stores"] as? [[String: Any]])
      #expect(stores.count == 4)
      let failed = stores.filter { $0["error"] is [String: Any] }
      #expect(failed.map { ($0["path"] ?? $0["name"]) as? String } == [bad])
      #expect((failed[0]["error"] as? [String: Any])?["code"] as? String == "damaged")
    }
    let list = folder.path("operations.csv")
    #expect(await rehome("audit", "-q", "--csv", list, shelf).code == 2)
    let names = try python(
      """
      import csv, sys
      rows = list(csv.DictReader(open(sys.argv[1], newline='')))
      print(sorted({(r['store'], r['device']) for r in rows}))
      print([r['errors'] for r in rows if r['store'].endswith('cut.sqlite')])
      """, list)
    #expect(names.contains("('\(shelf)/anna/q.sqlite', 'anna')"))
    #expect(names.contains("('\(shelf)/carl.zip!data/q.sqlite', 'carl.zip')"))
    #expect(names.contains("cannot be read: the file is cut off"))
  }

  @Test func conversionsTellOfAllBadStoresOrLeaveThemOut() async throws {
    let shelf = try makeShelf()
    let output = folder.path("all.rehome")
    _ = try folder.write(Array("SQLite format 3\0 and no more".utf8), to: "shelf/bad.db")
    let refused = await rehome("convert", shelf, "-o", output)
    #expect(refused.code == 65)
    for (name, reason) in [("cut.sqlite", "the file is cut off"), ("bad.db", "cut off inside")] {
      let line = refused.error.split(separator: "\n").first { $0.contains(name) } ?? ""
      #expect(line.contains(reason), "\(refused.error)")
    }
    #expect(refused.error.contains("--skip-unreadable"))
    #expect(!folder.names.contains("all.rehome"))
    let merged = await rehome("convert", "--json", "--skip-unreadable", shelf, "-o", output)
    #expect(merged.code == 2)
    let findings = try #require(try merged.json()["findings"] as? [[String: Any]])
    #expect(findings.count { $0["code"] as? String == "store-left-out" } == 2)
    // None of the devices whose rows are here had them.
    for command in ["inspect", "audit", "hash"] {
      let told = await rehome(command, output)
      let lines = (told.text + told.error).split(separator: "\n")
        .filter { $0.contains("was left out") }
      #expect(!lines.isEmpty && !lines.contains { $0.contains("carl") }, "\(command) \(lines)")
    }
    let export = await rehome("export", output, "--to", "json")
    #expect(export.text.contains("store-left-out"))
    let again = folder.path("again.rehome")
    #expect(await rehome("convert", "-q", output, "\(shelf)/bert", "-o", again).code == 2)
    let audit = await rehome("audit", again).text.split(separator: "\n")
    #expect(!audit.contains { $0.contains("was left out") && $0.contains("bert") })
    // The same rows as from the files themselves.
    let plain = folder.path("plain.rehome")
    let files = ["\(shelf)/anna/q.sqlite", "\(shelf)/bert/q.sqlite", ios]
    #expect(await rehome(["convert", "-q", "-o", plain] + files).code == 0)
    // Of what was left out nobody knows what it had.
    let verdict = await rehome("verify", "--json", output, plain)
    #expect(try verdict.json()["equal"] as? Bool == true && verdict.code == 2)
    let stored = try python(
      """
      import json, sqlite3, sys
      base = sqlite3.connect(sys.argv[1])
      for name, facts in base.execute('SELECT name, metadata FROM rehome_source ORDER BY id'):
          facts = json.loads(facts)
          print(name, facts.get('path'), facts.get('device'))
      print(base.execute("SELECT count(*) FROM rehome_finding WHERE code='store-left-out'").fetchone())
      """, output)
    #expect(
      stored == """
        q.sqlite \(shelf)/anna/q.sqlite anna
        q.sqlite \(shelf)/bert/q.sqlite bert
        q.sqlite \(shelf)/carl.zip!data/q.sqlite carl.zip
        (2,)

        """)
    let once = await rehome(
      "convert", "-f", "--skip-unreadable", "--once", shelf, "-o", output)
    #expect(once.code == 2)
    #expect(once.error.contains("1 store has the bytes of another one and was left out"))
    #expect(await rehome("convert", "-qf", "-o", plain, files[0], files[1]).code == 0)
    #expect(await rehome("verify", "-q", output, plain).code == 2)
  }

  /// A mark in a name stands for no container where it is behind none.
  @Test func marksInNamesArePartsOfThem() async throws {
    let sub = folder.path("sub")
    let folders = [sub + "/X!Y", sub + "/X!Z"]
    for (path, store) in zip(folders, [ios, android]) {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: store, toPath: path + "/q.db")
    }
    let archive = sub + "/!z.zip"
    _ = try python(
      """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as archive:
          archive.write(sys.argv[2], 'x!y/q.db')
          archive.write(sys.argv[3], 'x!z/q.db')
      """, archive, ios, android)
    let output = sub + "/out.csv"
    for _ in 1...2 {
      let outcome = await rehome(
        "export", "-qf", archive + "!x!y/q.db", "--to", "csv", "--table", "TodoItem", "-o", output)
      #expect(outcome.code == 0, "\(outcome.error)")
    }
    // The archive itself stays.
    #expect(
      await rehome(
        "export", "-qf", archive + "!x!y/q.db", "--to", "csv", "--table", "TodoItem", "-o", archive
      ).code == 73)
    for (places, names) in [([archive], ["x!y", "x!z"]), (folders, ["X!Y", "X!Z"])] {
      let list = folder.path("list.csv")
      _ = await rehome(["audit", "-q", "--fail-on", "never", "-f", "--csv", list] + places)
      let devices = try python(
        """
        import csv, sys
        print(*sorted({r['device'] for r in csv.DictReader(open(sys.argv[1], newline=''))}))
        """, list)
      #expect(names.allSatisfy(devices.contains), "\(devices)")
    }
  }

  /// A file beside a folder is not what lies in the folder, whatever both are called.
  @Test func fileCalledAsTheBeginningOfAFolderChangesNoDevice() async throws {
    try folder.makePlaces(
      """
      os.makedirs('x!y')
      for number in [1, 2]:
          packed = io.BytesIO()
          with zipfile.ZipFile(packed, 'w') as inner: inner.writestr('dd!/s.db', whole(number))
          tar(f'x!y/n{number}.tar', [('in!ner.zip', packed.getvalue())])
      """)
    let places = ["n1.tar", "n2.tar"].map { folder.path("x!y/" + $0) }
    func devices() async throws -> [String?] {
      try await rehome(["find", "--json"] + places).jsonLines().map { $0["device"] as? String }
    }
    let alone = try await devices()
    #expect(alone.count == 2 && Set(alone).count == 2)
    try folder.write("hello", to: "x")
    #expect(try await devices() == alone)
  }

  /// Devices are told apart by the paths of stores, among which nothing else counts.
  @Test func whatIsNoStoreChangesNoDevice() async throws {
    try folder.makePlaces(
      """
      for device in ['anna', 'bert']:
          os.makedirs(f'all/{device}/app')
          with open(f'all/{device}/app/q.db', 'wb') as file: file.write(whole(1))
      with open('picture.png', 'wb') as file: file.write(b'\\x89PNG')
      with open('dead.db', 'wb') as file: pass
      os.symlink('nowhere', 'link.db')
      """)
    let devices = ["anna", "bert"].map { folder.path("all/" + $0) }
    for other in ["nope", "picture.png", "link.db", "all/nope"] {
      let lines = try await rehome(["find", "--json"] + devices + [folder.path(other)]).jsonLines()
      #expect(lines.map { $0["device"] as? String } == ["anna", "bert", nil], "\(other)")
    }
    // A file that is empty may be all that is left of a store.
    let dead = try await rehome(["find", "--json"] + devices + [folder.path("dead.db")]).jsonLines()
    #expect(dead.last?["device"] is String)
    let output = folder.path("all.rehome")
    let outcome = await rehome(
      ["convert", "--skip-unreadable", "-qo", output] + devices + [folder.path("nope")])
    #expect(outcome.code == 2, "\(outcome.error)")
    let names = try python(
      """
      import json, sqlite3, sys
      rows = sqlite3.connect(sys.argv[1]).execute('SELECT metadata FROM rehome_source ORDER BY id')
      print(*[json.loads(row[0])['device'] for row in rows])
      """, output)
    #expect(names == "anna bert\n", "\(names)")
  }

  @Test func identicalStoresAreToldAndCountedOnce() async throws {
    let shelf = try makeShelf()
    let all = await rehome("find", "--json", shelf)
    #expect(all.text.split(separator: "\n").count == 4)
    #expect(all.text.contains("\"sameAs\":\"\(shelf)/anna/q.sqlite\""))
    let once = await rehome("find", "--once", shelf)
    // A store that was left out is not counted among those that were read.
    #expect(once.error.contains("2 stores, "), "\(once.error)")
    #expect(!once.text.contains("carl.zip"))
    #expect(once.error.contains("1 store has the bytes of another one"))
  }

  @Test func emptySideFileMakesNoOtherStore() async throws {
    let shelf = try makeShelf()
    try Data().write(to: URL(filePath: shelf + "/anna/q.sqlite-journal"))
    try Data().write(to: URL(filePath: shelf + "/anna/q.sqlite-wal"))
    let once = await rehome("find", "--once", shelf)
    #expect(once.error.contains("1 store has the bytes of another one"), "\(once.error)")
  }

  @Test func aRunThatWasStoppedGoesOn() async throws {
    let shelf = try makeShelf()
    let report = folder.path("report.ndjson")
    for command in ["find", "inspect", "audit"] {
      try? FileManager.default.removeItem(atPath: report)
      #expect(await rehome(command, "-q", "--report", report, shelf).code == 2)
      let whole = try String(contentsOfFile: report, encoding: .utf8)
      #expect(whole.split(separator: "\n").count == 4)
      #expect(await rehome(command, "-q", "--report", report, shelf).code == 73)
      // Stopped while the third line was written.
      let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
      let cut = lines[0..<2].joined(separator: "\n") + "\n" + lines[2].prefix(30)
      try Data(cut.utf8).write(to: URL(filePath: report))
      let resumed = await rehome(command, "--json", "--report", report, "--resume", shelf)
      #expect(resumed.code == 2)
      // The second copy of the first store has its bytes, which stand in the report.
      #expect(!resumed.text.contains("anna/q.sqlite\"") && !resumed.text.contains("carl.zip!"))
      let rest = try String(contentsOfFile: report, encoding: .utf8)
      // It has a line of its own all the same, as in a report of one run.
      #expect(rest == whole)
      #expect(await rehome(command, "-q", "--report", report, "--resume", shelf).code == 2)
      #expect(try String(contentsOfFile: report, encoding: .utf8) == rest)
      // Another device with the same bytes has a line of its own, wherever it comes.
      let other = shelf + "/aaron.sqlite"
      try FileManager.default.copyItem(atPath: ios, toPath: other)
      #expect(await rehome(command, "-q", "--report", report, "--resume", shelf).code == 2)
      try FileManager.default.removeItem(atPath: other)
      let more = try String(contentsOfFile: report, encoding: .utf8)
      #expect(more.hasPrefix(rest) && more.split(separator: "\n").count == lines.count)
      #expect(more.contains(other))
    }
    let foreign = try folder.write(Array("{\"a\":1}\n".utf8), to: "foreign.ndjson")
    #expect(await rehome("find", "--report", foreign, "--resume", shelf).code == 65)
    #expect(await rehome("find", "--resume", shelf).code == 64)
    let unlisted = await rehome("find", "-0", shelf)
    #expect(unlisted.code == 64 && unlisted.error.contains("--files-from"), "\(unlisted.error)")
  }

  @Test func whatHasNoHashHasOneLineHoweverOftenARunGoesOn() async throws {
    let report = folder.path("report.ndjson")
    let locked = folder.path("locked.zip")
    _ = try python(
      """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1], 'w') as archive: archive.writestr('q.sqlite', b'x' * 100)
      bytes = bytearray(open(sys.argv[1], 'rb').read())
      # Both headers of the file say that it is encrypted.
      bytes[6] |= 1
      bytes[bytes.index(b'PK\\1\\2') + 8] |= 1
      open(sys.argv[1], 'wb').write(bytes)
      """, locked)
    for _ in 0..<3 {
      #expect(await rehome("find", "-q", "--report", report, "--resume", locked, ios).code == 2)
      let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 2, "\(lines)")
    }
  }

  @Test func reportsNameOneStoreByItsPathToo() async throws {
    let store = try makeShelf() + "/anna/q.sqlite"
    let device = ["--device", folder.path("shelf/{device}/*")]
    for command in ["inspect", "audit"] {
      let text = await rehome([command, store] + device).text
      #expect(text.hasPrefix("\(store) [anna]: "), "\(command)")
    }
    let list = await rehome(["audit", "-q", "--csv", "-", store] + device).text
    let records = list.split(whereSeparator: \.isNewline).dropFirst()
    #expect(!records.isEmpty && records.allSatisfy { $0.hasPrefix(store + ",") })
    let page = await rehome("audit", "-q", "--html", "-", store).text
    #expect(page.contains(store))
  }

  /// What is made of one store says whose it is, however the store was named.
  @Test func outputsKeepTheDeviceOfOneStore() async throws {
    let shelf = try makeShelf()
    let device = ["--device", folder.path("shelf/{device}/*")]
    var steps: [String] = []
    for name in ["anna", "bert"] {
      let store = "\(shelf)/\(name)/q.sqlite"
      let output = folder.path(name + ".rehome")
      #expect(await rehome(["convert", "-q", store, "-o", output] + device).code == 0)
      steps.append(output)
      for of in [["inspect", "--json", output], ["export", "--to", "json", store] + device] {
        let text = await rehome(of).text
        #expect(text.contains(#""device""#) && text.contains(name), "\(of) \(text.prefix(800))")
        #expect(text.contains(store.replacing("/", with: #"\/"#)) || text.contains(store))
      }
      #expect(await contentHash(output) == contentHash(store))
    }
    let (all, once) = (folder.path("all.rehome"), folder.path("once.rehome"))
    #expect(await rehome(["convert", "-q"] + steps + ["-o", all]).code == 0)
    let places = [shelf + "/anna", shelf + "/bert"]
    #expect(await rehome(["convert", "-q"] + places + ["-o", once] + device).code == 0)
    let listed = await rehome("ops", "list", all).text
    #expect(listed.contains("anna") && !listed.contains("anna.rehome"))
    #expect(await rehome("ops", "list", once).text == listed)
  }

  @Test func nothingIsWrittenIntoAContainer() async throws {
    let own = folder.path("own.rehome")
    #expect(await rehome("convert", "-q", ios, "-o", own).code == 0)
    let packed = folder.path("own.zip")
    _ = try python(
      """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[2], 'w') as archive: archive.write(sys.argv[1], 'own.rehome')
      """, own, packed)
    for arguments in [
      ["ops", "drop", packed, "1"], ["replay", packed, "--to", "https://example.org"],
    ] {
      let outcome = await rehome(arguments)
      #expect(outcome.code == 64, "\(outcome.error)")
      #expect(outcome.error.contains("what it lies in"))
    }
    let archive = try makeShelf() + "/carl.zip"
    let before = try Data(contentsOf: URL(filePath: archive))
    for arguments in [
      ["convert", "-f", archive, "-o", archive],
      ["export", "-f", archive, "--to", "json", "-o", archive],
    ] {
      #expect(await rehome(arguments).code != 0)
      #expect(try Data(contentsOf: URL(filePath: archive)) == before)
    }
  }

  @Test func devicesAreNamedByAPattern() async throws {
    let shelf = try makeShelf()
    let output = folder.path("all.rehome")
    _ = await rehome(
      "convert", "-q", "--skip-unreadable", "--device", "{device}/q.sqlite", shelf, "-o", output)
    let listed = try #require(
      try JSONSerialization.jsonObject(with: await rehome("ops", "list", "--json", output).output)
        as? [[String: Any]])
    #expect(Set(listed.compactMap { $0["device"] as? String }).isSuperset(of: ["anna", "bert"]))
    #expect(await rehome("find", "--device", "{device", shelf).code == 64)
  }

  /// A pattern that tells nothing, or not everything, looks as if it had worked.
  @Test(arguments: [
    ("{device}/q.sqlite", nil), ("nosuch/{device}/**", "fits 0 of 4 stores; devices are"),
    ("{device}-*/q.sqlite", "fits 3 of 4 stores; the devices of the others are"),
  ])
  func patternThatDoesNotFitAllStoresIsTold(pattern: String, words: String?) async throws {
    let store = Sample(name: "dotnet-2019").store()
    for device in ["anna-1", "bert-2", "carl-3", "dora"] {
      _ = try folder.makeFolder("p/\(device)")
      try FileManager.default.copyItem(
        atPath: store, toPath: folder.path("p/\(device)/q.sqlite"))
    }
    let given = ["--device", pattern, folder.path("p")]
    let output = folder.path("all.rehome")
    for command in [["find"], ["audit"], ["convert", "-o", output]] {
      let told = await rehome(command + given).error
      if let words {
        #expect(
          told.contains(
            "note: --device \(words) called by what their paths differ in, where they do\n"))
      } else {
        #expect(!told.contains("--device"), "\(told)")
      }
    }
    #expect(await rehome(["find", "-q"] + given).error.isEmpty)
  }

  @Test func thousandsOfArchivesNeedFewOpenFiles() throws {
    let shelf = try makeShelf()
    _ = try python(
      """
      import gzip, shutil, sys, tarfile
      shelf, store = sys.argv[1:]
      for number in range(40):
          shutil.copy(shelf + '/carl.zip', f'{shelf}/{number}.zip')
          with tarfile.open(f'{shelf}/{number}.tar.gz', 'w:gz') as archive:
              archive.add(store, 'q.sqlite')
          with gzip.open(f'{shelf}/{number}.sqlite.gz', 'wb') as packed:
              packed.write(open(store, 'rb').read())
      """, shelf, ios)
    let output = folder.path("many.rehome")
    for command in [
      ["find", "-q"], ["audit", "-q"], ["convert", "-q", "--skip-unreadable", "-o", output],
    ] {
      let outcome = try Program.bash.run(
        ["-c", "ulimit -n 64; exec \"$@\"", "bash", Project.executable.path] + command + [shelf])
      #expect(outcome.code == 2, "\(command): \(outcome.error)")
    }
    let count = try python(
      """
      import sqlite3, sys
      print(*sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM rehome_source').fetchone())
      """, output)
    #expect(count == "123\n")
  }

  @Test func aMarkInTheNameOfAFileIsPartOfIt() async throws {
    let path = folder.path("a!b.sqlite")
    try FileManager.default.copyItem(atPath: ios, toPath: path)
    let shelf = try makeShelf()
    let names = try await rehome("inspect", "--json", path, shelf + "/carl.zip").json()["stores"]
    #expect(
      (names as? [[String: Any]])?.map { $0["name"] as? String } == ["a!b.sqlite", "q.sqlite"])
  }

  @Test func aResumedRunEndsAsTheWholeOne() async throws {
    let report = folder.path("report.ndjson")
    // One of its findings is an error.
    for arguments in [[], ["--resume"]] {
      #expect(await rehome(["audit", "-q", "--report", report] + arguments + [ios]).code == 2)
    }
    #expect(
      await rehome("audit", "-q", "--report", report, "--resume", "--fail-on", "never", ios).code
        == 0)
  }

  /// What is broken is told, and keeps nobody from a store in it that is whole.
  @Test func storeOfABrokenArchiveIsTakenByItsName() async throws {
    try folder.makePlaces(
      """
      tar('a.tar', [('a.db', whole(3)), ('b.db', whole(1))])
      with open('a.tar', 'rb') as file: data = file.read()
      with open('cut.tar', 'wb') as file: file.write(data[:12000])
      tar('one.tar', [('a.db', whole(3))])
      with open('one.tar', 'rb') as file: packed = gzip.compress(file.read())
      with open('one.tgz', 'wb') as file: file.write(packed[:-8] + b'abcd' + packed[-4:])
      with zipfile.ZipFile('in.zip', 'w') as archive: archive.write('one.tgz')
      with open('none.tgz', 'wb') as file: file.write(gzip.compress(data)[:40])
      with open('a.db', 'wb') as file: file.write(whole(3))
      """)
    let places = ["cut.tar!a.db", "one.tgz", "one.tgz!a.db", "in.zip", "in.zip!one.tgz!a.db"]
    for place in places.map(folder.path) {
      let rows = await rehome("export", place, "--to", "ndjson", "--table", "t")
      #expect(rows.code == 2, "\(place): \(rows.error)")
      #expect(rows.text.split(separator: "\n").count == 3)
      #expect(
        ["ends early", "the checksum of"].contains(where: rows.error.contains), "\(rows.error)")
      for arguments in [
        ["verify", place, folder.path("a.db")], ["ops", "list", place],
        ["replay", place, "--dry-run", "--dialect", "v3"],
      ] {
        let outcome = await rehome(arguments)
        #expect(outcome.code == 2, "\(arguments): \(outcome.error)")
      }
    }
    let several = await rehome("export", folder.path("cut.tar"), "--to", "json")
    #expect(several.code == 64)
    let names = ["a.db", "b.db"].map { folder.path("cut.tar!" + $0) }.joined(separator: ", ")
    #expect(several.error.contains("name one of them: \(names);"), "\(several.error)")
    #expect(await rehome("export", folder.path("none.tgz"), "--to", "json").code == 65)
  }

  @Test func bundleWhoseDescriptionIsCutToNothingIsDamaged() async throws {
    let folders = ["csv", "xml"].map { folder.path($0) }
    for (format, bundle) in zip(["csv", "xml"], folders) {
      #expect(await rehome("export", "-q", ios, "--to", format, "-o", bundle).code == 0)
      try folder.write("", to: format + "/manifest.json")
    }
    try folder.makePlaces(
      """
      os.makedirs('tree/other')
      shutil.copytree('csv', 'tree/csv')
      open('tree/other/manifest.json', 'w').close()
      shutil.make_archive('tree', 'zip', 'tree')
      shutil.make_archive('tree', 'tar', 'tree')
      backup('phone', [('x/' + name, open('csv/' + name, 'rb').read())
                       for name in sorted(os.listdir('csv'))])
      """)
    for bundle in folders {
      for command in ["find", "inspect", "hash"] {
        #expect(await rehome(command, bundle).code == 65, "\(command) \(bundle)")
      }
    }
    for (place, name) in [
      ("tree", "/csv"), ("tree.zip", "!csv"), ("tree.tar", "!csv"), ("phone", "!AppDomain-a/x"),
    ] {
      #expect(try await folder.foundStores(in: place).stores == [name: "damaged"], "\(place)")
    }
  }
}
