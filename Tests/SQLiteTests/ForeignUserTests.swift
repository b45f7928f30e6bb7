import Foundation
import SQLite
import TestSupport
import Testing

/// Rights bite only those who are not root, so the built tool runs as nobody here.
@Suite(.enabled(if: ForeignUser.canRun, "needs root, setpriv and the built tool"))
struct ForeignUserTests {
  @Test(arguments: [
    SourceStores.clean, SourceStores.rowsInWAL, SourceStores.hotJournal,
    SourceStores.zeroedJournal, SourceStores.walHeaderAlone,
  ])
  func storeInAFolderThatMayNotBeWrittenIsOpened(script: String) throws {
    let (folder, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    try folder.run(script + "\nfor n in os.listdir('.'): os.chmod(n, 0o444)\nos.chmod('.', 0o555)")
    try temporary.run("os.chmod('.', 0o777)")
    let before = try Fingerprint(of: folder.path)
    let outcome = try ForeignUser.inspect(folder.path("store.sqlite"), temporary: temporary.path)
    #expect(outcome.complaints == "")
    #expect(outcome.code == 0)
    #expect(try Fingerprint(of: folder.path) == before)
    #expect(temporary.names.isEmpty)
  }

  @Test(arguments: [(0o000, "store.sqlite"), (0o600, "store.sqlite"), (0o600, "store.sqlite-wal")])
  func fileThatMayNotBeReadIsToldAsThat(rights: Int, name: String) throws {
    let (folder, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    try folder.run(SourceStores.rowsInWAL + "\nos.chmod('\(name)', \(rights))")
    try temporary.run("os.chmod('.', 0o777)")
    let before = try Fingerprint(of: folder.path)
    let outcome = try ForeignUser.inspect(folder.path("store.sqlite"), temporary: temporary.path)
    #expect(outcome.code == 77)
    #expect(outcome.complaints.contains("permission denied"))
    #expect(try Fingerprint(of: folder.path) == before)
    #expect(temporary.names.isEmpty)
  }

  @Test func folderThatMayNotBeEnteredIsToldAsThat() throws {
    let folder = try TemporaryFolder()
    try folder.run(SourceStores.clean + "\nos.chmod('.', 0o700)")
    let outcome = try ForeignUser.inspect(folder.path("store.sqlite"), temporary: "/tmp")
    #expect(outcome.code == 77)
  }

  @Test func temporaryFolderThatMayNotBeWrittenIsToldAsThat() throws {
    let (folder, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    try folder.run(SourceStores.rowsInWAL)
    try temporary.run("os.chmod('.', 0o555)")
    let before = try Fingerprint(of: folder.path)
    let outcome = try ForeignUser.inspect(folder.path("store.sqlite"), temporary: temporary.path)
    #expect(outcome.code == 74)
    #expect(outcome.complaints.contains("cannot make a folder in \(temporary.path): "))
    #expect(outcome.complaints.contains("TMPDIR"))
    #expect(try Fingerprint(of: folder.path) == before)
  }
}

/// The built tool, run by a user who owns nothing.
private enum ForeignUser {
  static let canRun =
    getuid() == 0 && tool != nil && SystemProgram(name: "setpriv").isInstalled && canStart

  static func inspect(_ store: String, temporary: String) throws -> SystemProgram.Outcome {
    try run(["inspect", store], temporary: temporary)
  }

  private static func run(
    _ arguments: [String], temporary: String
  ) throws -> SystemProgram.Outcome {
    let user = ["--reuid=65534", "--regid=65534", "--clear-groups"]
    return try SystemProgram(name: "setpriv").run(
      user + [tool ?? ""] + arguments, environment: ["TMPDIR": temporary])
  }

  /// Whether nobody may reach the tool and its libraries at all.
  private static let canStart: Bool =
    (try? run(["--version"], temporary: "/tmp"))?.code == 0

  /// The tool that was built beside the tests.
  private static let tool: String? = {
    let folder = Bundle.main.executableURL?.deletingLastPathComponent()
    let beside = ProjectFolders.package.appending(path: ".build/debug/rehome")
    return [folder?.appending(path: "rehome"), beside].compactMap { $0?.path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()
}
