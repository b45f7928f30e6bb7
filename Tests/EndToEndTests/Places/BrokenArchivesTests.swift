import Foundation
import TestSupport
import Testing

/// Archives that were joined, split or cut: what is not read of them is told.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct BrokenArchivesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The directory at the end of two archives in one file is that of the second.
  @Test func archiveBeforeAnArchiveIsTold() async throws {
    try folder.makePlaces(
      """
      def packed(name):
          with zipfile.ZipFile(data := io.BytesIO(), 'w') as archive:
              archive.writestr(name, whole(1))
          return data.getvalue()
      for name, before in [
          ('joined.zip', packed('a.db')), ('setup', b'#!/bin/sh' + bytes(99)), ('plain.zip', b'')]:
          with open(name, 'wb') as file: file.write(before + packed('b.db'))
      os.mkdir('apps')
      with open('apps/a.apk', 'wb') as file:
          file.write(packed('a.db') + packed('AndroidManifest.xml'))
      # An entry that is not listed alone, as of programs that pack apps.
      with zipfile.ZipFile('adjusted.zip', 'w') as archive:
          archive.writestr('a.db', whole(1))
          archive.writestr('b.db', whole(1))
          del archive.filelist[0]
      """)
    for name in ["joined.zip"] {
      let outcome = await rehome("find", "--json", "--fail-on", "warning", folder.path(name))
      let lines = try outcome.jsonLines()
      #expect(lines.count == 1 && outcome.code == 2, "\(outcome.error)")
      #expect(lines[0]["findings"] as? [String] == ["bytes-left-over"])
      #expect(outcome.error.contains("are another one, whose files"), "\(outcome.error)")
    }
    #expect(await !rehome("find", folder.path("apps")).error.contains("another one"))
    for name in ["setup", "plain.zip", "adjusted.zip"] {
      let lines = try await rehome("find", "--json", folder.path(name)).jsonLines()
      #expect(lines.count == 1 && lines[0]["findings"] as? [String] == [], "\(name)")
    }
    // Whoever follows the advice has the rest.
    let told = await rehome("find", folder.path("joined.zip")).error
    let match = try #require(told.firstMatch(of: /the first (\d+) bytes/), "\(told)")
    let size = try #require(Int(match.1))
    let bytes = try #require(FileManager.default.contents(atPath: folder.path("joined.zip")))
    let first = try folder.write(Array(bytes.prefix(size)), to: "first.zip")
    #expect(await rehome("inspect", first).text.contains("a.db"))
  }

  /// The last part of an archive that was split does not begin as one.
  @Test func lastPartOfAnArchiveIsRefusedByName() async throws {
    try folder.makePlaces(
      """
      with zipfile.ZipFile(data := io.BytesIO(), 'w') as archive:
          archive.writestr('q.db', os.urandom(3000))
      end = bytearray(data.getvalue()[1000:])
      place = end.rindex(b'PK\\5\\6')
      end[place + 4:place + 8] = struct.pack('<HH', 1, 1)
      os.mkdir('parts')
      for path in ['last.zip', 'parts/last.zip']:
          with open(path, 'wb') as file: file.write(end)
      """)
    for command in ["find", "inspect", "convert"] {
      let outcome = await rehome(
        [command, folder.path("last.zip")]
          + (command == "convert" ? ["-o", folder.path("o.rehome")] : []))
      #expect((outcome.text + outcome.error).contains("one of several parts"), "\(outcome.error)")
      #expect(outcome.code == 65)
    }
    #expect(try await folder.foundStores(in: "parts").stores == ["/last.zip": "unsupported"])
  }

  /// The stores before a cut are here, and nobody says that nothing is.
  @Test func containerThatIsCutIsLeftOutInPart() async throws {
    try folder.makePlaces(
      """
      tar('a.tar', [('a.db', whole(1)), ('b.db', whole(2))])
      with open('a.tar', 'rb') as file: data = file.read().rstrip(b'\\0')
      with open('a.tar', 'wb') as file: file.write(data + bytes(100))
      with open('bad.db', 'wb') as file: file.write(b'SQLite format 3\\0 and no more')
      for name, number in [('a.db', 1), ('b.db', 2)]:
          with open(name, 'wb') as file: file.write(whole(number))
      """)
    let (archive, bad) = (folder.path("a.tar"), folder.path("bad.db"))
    let output = folder.path("all.rehome")
    let refused = await rehome("convert", archive, "-o", output)
    #expect(refused.code == 65 && refused.error.contains("--skip-unreadable"), "\(refused.error)")
    let merged = await rehome(
      "convert", "--json", "--skip-unreadable", archive, bad, "-o", output)
    #expect(merged.code == 2)
    let findings = try #require(try merged.json()["findings"] as? [[String: Any]])
    let told = findings.filter { $0["code"] as? String == "store-left-out" }
      .compactMap { $0["message"] as? String }
    #expect(told.count == 2)
    #expect(told.contains { $0.hasPrefix("\(archive) cannot be read to its end: ") }, "\(told)")
    #expect(told.contains { $0.hasPrefix("\(bad) cannot be read and was left out: ") }, "\(told)")
    // Twins of its stores are as good.
    let once = await rehome(
      "convert", "-f", "--once", "--skip-unreadable", folder.path("a.db"), folder.path("b.db"),
      archive,
      "-o", output)
    #expect(once.error.contains("\(archive) cannot be read to its end: "), "\(once.error)")
    // A path that leads nowhere is misspelled.
    let nowhere = await rehome(
      "convert", folder.path("a.db"), folder.path("nowhere.db"), "-o", folder.path("o.rehome"))
    #expect(nowhere.code != 0 && !nowhere.error.contains("--skip-unreadable"), "\(nowhere.error)")
    // Of one store alone nothing would be left.
    let alone = await rehome("convert", bad, "-o", folder.path("o.rehome"))
    #expect(alone.code == 65 && !alone.error.contains("--skip-unreadable"), "\(alone.error)")
  }

  /// A private folder is no place that a person could name.
  @Test func packedManifestIsToldWhatToDo() async throws {
    let bundle = folder.path("bundle")
    let store = Sample(name: "ios-2016").store()
    #expect(await rehome("export", "-q", store, "--to", "csv", "-o", bundle).code == 0)
    try folder.makePlaces(
      """
      with open('bundle/manifest.json', 'rb') as file: data = gzip.compress(file.read())
      os.remove('bundle/manifest.json')
      with open('bundle/manifest.json.gz', 'wb') as file: file.write(data)
      with zipfile.ZipFile('a.zip', 'w') as archive:
          for name in os.listdir('bundle'): archive.write('bundle/' + name)
      """)
    for place in [folder.path("a.zip"), bundle] {
      let told = await rehome("inspect", place).error
      #expect(told.contains("call it manifest.json, unpacked"), "\(told)")
      #expect(!told.replacing(folder.path, with: "").contains("/rehome-"), "\(told)")
    }
  }
}
