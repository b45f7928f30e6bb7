import Foundation
import TestSupport
import Testing

/// Stores are found in folders, archives and backups that other programs have made.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct FindTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A place that Python has made, with what must be found in it.
  private struct Place {
    let name: String
    let stores: [String: String]
    let errors: [String: String?]
    let device: String?
  }

  private func makePlaces() throws -> [Place] {
    let outcome = try Program.python.run([
      "-B", Project.path("Tests/Oracles/make_places.py"), Project.path("samples"), folder.path,
    ])
    try #require(outcome.code == 0, "\(outcome.error)")
    let list = try #require(
      try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
    return try list.map { entry in
      Place(
        name: try #require(entry["place"] as? String),
        stores: try #require(entry["stores"] as? [String: String]),
        errors: (entry["errors"] as? [String: Any] ?? [:]).mapValues { $0 as? String },
        device: entry["device"] as? String)
    }
  }

  private func find(_ arguments: String...) async throws -> (Outcome, [[String: Any]]) {
    let outcome = await rehome(["find", "--json"] + arguments)
    return (outcome, try outcome.jsonLines())
  }

  @Test func everyStoreInEveryContainerIsFoundAsItIs() async throws {
    var samples: [String: [String: Any]] = [:]
    for place in try makePlaces() {
      let path = folder.path(place.name)
      let (outcome, lines) = try await find(path)
      var found = Dictionary(
        uniqueKeysWithValues: lines.map { line in
          ((line["store"] as? String ?? "").replacing(path, with: "", maxReplacements: 1), line)
        })
      for (name, sample) in place.stores {
        let line = found.removeValue(forKey: name) ?? [:]
        if samples[sample] == nil {
          samples[sample] = try await find(Project.path("samples/\(sample)")).1.first
        }
        let own = try #require(samples[sample])
        for field in ["layout", "generation", "rows", "queue", "error"] {
          #expect(
            (line[field] as? NSObject) == (own[field] as? NSObject), "\(place.name)\(name)")
        }
        if let device = place.device { #expect(line["device"] as? String == device) }
      }
      for (name, code) in place.errors {
        let error = found.removeValue(forKey: name)?["error"] as? [String: Any]
        #expect(error != nil, "\(place.name)\(name)")
        if let code { #expect(error?["code"] as? String == code, "\(place.name)\(name)") }
      }
      #expect(found.isEmpty, "\(place.name): \(found.keys)")
      let isBad = !place.errors.isEmpty
      #expect(outcome.code == (isBad ? place.stores.isEmpty ? 65 : 2 : 0), "\(place.name)")
    }
  }

  @Test func placesStayAsTheyAre() async throws {
    let places = try makePlaces()
    let before = try fileHashes()
    for place in places { _ = await rehome("find", "-q", folder.path(place.name)) }
    #expect(try fileHashes() == before)
  }

  /// The hash of each file, and the names of all that lies below the folder.
  private func fileHashes() throws -> String {
    try python(
      """
      import hashlib, os, stat, sys
      for root, folders, files in sorted(os.walk(sys.argv[1])):
          for name in sorted(files + folders):
              path = os.path.join(root, name)
              regular = stat.S_ISREG(os.lstat(path).st_mode)
              print(path, regular and hashlib.sha256(open(path, 'rb').read()).hexdigest())
      """, folder.path)
  }

  @Test func listOfPlacesNamesThemInTheirOrder() async throws {
    let stores = ["ios-2016/qstodoitem.sqlite", "dotnet-2019/localstore.db"]
      .map { Project.path("samples/\($0)") }
    let lines = try folder.write(Array((stores.joined(separator: "\r\n") + "\n\n").utf8), to: "l")
    let nuls = try folder.write(Array(stores.joined(separator: "\0").utf8), to: "z")
    let marked = try folder.write(
      Array(("\u{FEFF}" + stores.joined(separator: "\r\n")).utf8), to: "m")
    for arguments in [
      ["--files-from", lines], ["-0", "--files-from", nuls], ["--files-from", marked],
    ] {
      let outcome = await rehome(["find", "--json"] + arguments)
      let names = outcome.text.split(separator: "\n").map { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["store"]
          as? String
      }
      #expect(names == stores)
    }
    let wide = try folder.write([0xFF, 0xFE, 0x61, 0], to: "w")
    let refused = await rehome("find", "--files-from", wide)
    #expect(refused.code == 64 && refused.error.contains("UTF-16"), "\(refused.error)")
  }

  @Test func listOfPlacesComesThroughAPipe() async throws {
    let store = Project.path("samples/ios-2016/qstodoitem.sqlite")
    let piped = try Program.bash.run([
      "-c", #"printf '%s\0' "$1" | "$2" hash -0 --files-from -"#, "bash", store,
      Project.executable.path,
    ])
    #expect(piped.code == 0, "\(piped.error)")
    #expect(piped.text == (await rehome("hash", store)).text)
  }

  @Test func copiesOutOfContainersStayAndAreTheSameStores() async throws {
    for (number, place) in try makePlaces().enumerated() {
      let copies = folder.path("copies-\(number)")
      try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: true)
      let path = folder.path(place.name)
      let (plain, before) = try await find(path)
      let (outcome, lines) = try await find("--copy-to", copies, path)
      #expect(outcome.code == plain.code, "\(place.name)")
      #expect(lines.count == before.count)
      for (line, known) in zip(lines, before) where line["error"] is NSNull {
        let store = try #require(line["path"] as? String)
        #expect(known["path"] is NSNull)
        // What lies in a plain folder can be taken as it is.
        let isPlain = [nil, "folder"].contains(line["containerKind"] as? String)
        #expect(store.hasPrefix((isPlain ? path : copies + "/")), "\(place.name) \(store)")
        let alone = try #require(try await find(store).1.first)
        for field in ["layout", "generation", "rows", "queue"] {
          #expect(
            (alone[field] as? NSObject) == (known[field] as? NSObject), "\(place.name) \(store)")
        }
      }
    }
  }

  @Test func folderForCopiesMustBeThere() async throws {
    let outcome = await rehome(
      "find", "--copy-to", folder.path("nowhere"), Project.path("samples"))
    #expect(outcome.code == 73)
    #expect(!FileManager.default.fileExists(atPath: folder.path("nowhere")))
  }

  @Test func nothingToFindIsToldWithWhatIsThere() async throws {
    let place = folder.path("empty")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    _ = try folder.write(Array("hello".utf8), to: "empty/note.txt")
    let outcome = await rehome("find", place)
    #expect(outcome.code == 0)
    #expect(outcome.error.contains("0 stores"))
    #expect(outcome.error.contains("1 other file"))
  }

  @Test func oneOfAKindIsToldAsOne() async throws {
    let place = try folder.makeFolder("kinds")
    _ = try python(
      """
      import os, struct, sys
      place = sys.argv[1]
      for name, start in [
          ('empty', b''), ('picture', b'GIF89a'), ('list', b'bplist00'), ('.DS_Store', b'\\0\\5\\x16\\7'),
          ('q.db-wal', b'\\x37\\x7f\\6\\x82'), ('realm', b'\\0' * 16 + b'T-DB'), ('note', b'hello')]:
          with open(place + '/' + name, 'wb') as file: file.write(start)
      os.symlink('note', place + '/link')
      os.mkfifo(place + '/pipe')
      os.mkdir(place + '/level')
      for name in ['CURRENT', 'MANIFEST-000001']:
          with open(place + '/level/' + name, 'wb') as file: pass
      """, place)
    let told = await rehome("find", place).error
    #expect(
      told.contains(
        """
        not stores: 1 database of LevelDB or RocksDB, 1 database of Realm, 3 empty files, \
        1 file of macOS, 1 image, 1 link, 1 other file, 1 property list, 1 side file of a database, \
        1 special file

        """), "\(told)")
  }
}
