import Foundation
import TestSupport
import Testing

/// What a store holds is for its owner's eyes, and appears nowhere without being asked for.
@Suite(.serialized)
struct PrivacyTests {
  private static let secret = "Xq7-SECRET-marker"
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func outputsAreForTheOwnerOnly() async throws {
    let store = Sample(name: "ios-2015").store()
    let works: [[String]] = [
      ["convert", "-q", store, "-o", "store"], ["export", "-q", store, "--to", "csv", "-o", "csv"],
      ["export", "-q", store, "--to", "xml", "-o", "a.xml.gz"],
      ["seed", "-q", store, "-o", "seeded", "--into", "canonical"],
      ["audit", "-q", store, "--html", "a.html", "--csv", "a.csv"],
      ["export", "-q", store, "--to", "json", "-o", "b.json", "--report", "report"],
    ]
    let line = #"umask 000; cd "$1"; shift; exec "$@""#
    for work in works {
      let outcome = try await Program.bash.runApart(
        ["-c", line, "bash", folder.path, Project.executable.path] + work)
      #expect(outcome.code == 0, "\(outcome.error)")
    }
    let found = FileManager.default.subpaths(atPath: folder.path) ?? []
    #expect(found.count > 12)
    for name in found {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      let rights = try #require(attributes[.posixPermissions] as? Int)
      #expect(rights == (isFolder ? 0o700 : 0o600), "\(name)")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], 1...4)
  func privateCopiesGoWithEverySignal(_ signal: Int32, _ round: UInt32) async throws {
    let store = try AlteredStore.makeLarge(in: folder, rows: 60_000)
    _ = try python("import sys; open(sys.argv[1] + '-wal', 'wb').write(bytes(64))", store)
    let (output, copies) = (try folder.makeFolder("output"), try folder.makeFolder("copies"))
    let outcome = try await Program.rehome.runApart(
      ["convert", "-q", store, "-o", output + "/out"], variables: ["TMPDIR": copies]
    ) { process in
      while process.isRunning, names(copies).isEmpty { usleep(500) }
      usleep(round * 40_000)
      kill(process.processIdentifier, signal)
    }
    #expect(names(copies) == [])
    #expect(outcome.code == 128 + signal || (outcome.code == 0 && names(output) == ["out"]))
    #expect(outcome.code == 0 || names(output) == [])
  }

  @Test func twoSignalsEndTheRunAtOnceAndCleanUp() async throws {
    let store = try AlteredStore.makeLarge(in: folder, rows: 300_000)
    let (output, copies) = (try folder.makeFolder("output"), try folder.makeFolder("copies"))
    _ = try python("import sys; open(sys.argv[1] + '-wal', 'wb').write(bytes(64))", store)
    let outcome = try await Program.rehome.runApart(
      ["convert", "-q", store, "-o", output + "/out"], variables: ["TMPDIR": copies]
    ) { process in
      while process.isRunning, names(output).isEmpty { usleep(500) }
      for _ in 0..<20 { kill(process.processIdentifier, SIGINT) }
    }
    #expect(outcome.code == 130)
    #expect(names(copies) + names(output) == [])
  }

  @Test(arguments: ["text", "number", "blob", "bytes"])
  func valuesAppearInNoMessage(_ kind: String) async throws {
    let secret = Self.secret
    let store = try AlteredStore.make(in: folder, Self.statements(kind, secret))
    for arguments in Self.runs(store, folder) {
      let outcome = await rehome(arguments)
      #expect(!outcome.error.contains(secret), "\(arguments): \(outcome.error)")
      let hexadecimal = secret.utf8.map { String($0, radix: 16) }.joined()
      #expect(!outcome.error.lowercased().contains(hexadecimal), "\(arguments)")
    }
  }

  @Test(arguments: ["a.csv", "a.json", "a.ndjson", "a.xml"])
  func valuesOfBrokenDocumentsAppearInNoMessage(_ name: String) async throws {
    let secret = Self.secret
    let documents: [String: [String]] = [
      "a.csv": ["id,t\n1,\"\(secret)\"x\n", "id,t\n\(secret)\n", "id,t\n\"\(secret)"],
      "a.json": [
        "[{\"id\":1,\"t\":\"\(secret)\"x}]", "[\"\(secret)\", tru]", "[{\"t\":\"\(secret)",
      ],
      "a.ndjson": [
        "{\"t\":\"\(secret)\"} x\n", "{\"t\":\"\(secret)\\q\"}\n", "{\"t\":\(secret)}\n",
      ],
      "a.xml": ["<rehome><a>\(secret)</b>", "<rehome>\(secret)&x;</rehome>", "<rehome>\(secret)"],
    ]
    for text in documents[name] ?? [] {
      let path = try folder.write(text, to: name)
      for command in [["hash"], ["inspect"], ["audit"]] {
        let outcome = await rehome(command + [path])
        #expect(outcome.code == 65)
        #expect(!outcome.error.contains(secret), "\(command): \(outcome.error)")
      }
    }
  }

  /// Puts the secret where it cannot be read as what it should be.
  private static func statements(_ kind: String, _ secret: String) -> String {
    let value =
      switch kind {
      case "number": "'1e5\(secret)'"
      case "blob": "CAST('\(secret)' AS BLOB)"
      case "bytes": "CAST('\(secret)' || x'ff' AS TEXT)"
      default: "'\(secret)'"
      }
    return """
      UPDATE ZTODOITEM SET ZTEXT = \(value), ZCOMPLETE = \(value) WHERE Z_PK = 1;
      UPDATE ZTODOITEM SET ZID = \(value) WHERE Z_PK = 2;
      UPDATE ZMS_TABLEOPERATIONS SET ZPROPERTIES = \(value), ZITEMID = \(value);
      UPDATE ZMS_TABLEOPERATIONERRORS SET ZPROPERTIES = \(value);
      UPDATE Z_METADATA SET Z_PLIST = \(value);
      """
  }

  private static func runs(_ store: String, _ folder: TemporaryFolder) -> [[String]] {
    [
      ["inspect", "-v", store], ["audit", "-v", store], ["hash", store],
      ["convert", "-v", store, "-o", folder.path("c")],
      ["export", "-v", store, "--to", "csv", "-o", folder.path("b")],
      ["seed", "-v", store, "-o", folder.path("s"), "--into", "canonical"],
      ["ops", "list", store], ["verify", store, Sample(name: "ios-2014").store()],
      ["convert", store, "--max-rejects", "0", "-o", folder.path("r")],
    ]
  }

  private func names(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
