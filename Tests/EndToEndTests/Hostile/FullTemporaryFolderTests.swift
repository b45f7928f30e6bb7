import Foundation
import TestSupport
import Testing

/// Trouble with files of our own is told as that: no store is left out for it, and no message names
/// such a file, which is gone when it is read.
struct FullTemporaryFolderTests {
  private let folder: TemporaryFolder
  private let shelf: String
  /// A store that takes a private copy, since it has a log.
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    shelf = try folder.makeFolder("shelf")
    store = shelf + "/a/qstodoitem.sqlite"
    for (name, sample) in [("a", "ios-2015"), ("b", "ios-2016")] {
      _ = try folder.makeFolder("shelf/\(name)")
      let source = Project.path("samples/\(sample)")
      for file in try FileManager.default.contentsOfDirectory(atPath: source)
      where file.hasPrefix("qstodoitem") {
        try FileManager.default.copyItem(
          atPath: source + "/" + file, toPath: "\(shelf)/\(name)/\(file)")
      }
    }
  }

  /// The commands that look at several stores, of which one takes a copy; `OUT` is what is made.
  static let commands = [
    "convert SHELF --skip-unreadable -o OUT", "convert SHELF -o OUT", "audit SHELF", "hash SHELF",
    "find SHELF", "inspect SHELF", "verify STORE STORE", "export STORE --to json -o OUT",
    "seed STORE --dry-run", "replay STORE -n", "ops list STORE",
  ]

  private func words(_ command: String) -> [String] {
    command.split(separator: " ").map {
      String($0).replacing("SHELF", with: shelf).replacing("STORE", with: store)
        .replacing("OUT", with: folder.path("out"))
    }
  }

  @Test(arguments: commands) func missingFolderIsNoFaultOfTheStore(command: String) throws {
    let outcome = try Program.rehome.run(
      words(command), variables: ["TMPDIR": folder.path("none")])
    #expect(outcome.code == 74, "\(outcome.error)")
    let told = outcome.text + outcome.error
    #expect(told.contains(store), "\(told)")
    #expect(told.contains("cannot make a folder in \(folder.path("none")): no such"), "\(told)")
    #expect(told.contains("set TMPDIR to a folder"), "\(told)")
    #expect(!folder.names.contains("out"))
  }

  /// A file system may take no files of that size, and a disk may be broken.
  @Test(arguments: commands) func copyThatMayNotGrowIsNoFaultOfTheStore(command: String) throws {
    let copies = try folder.makeFolder("copies")
    let outcome = try Program.bash.run(
      ["-c", "ulimit -f 8; exec \"$0\" \"$@\"", Project.executable.path] + words(command),
      variables: ["TMPDIR": copies])
    #expect(outcome.code == 74, "\(outcome.error)")
    let told = outcome.text + outcome.error
    #expect(told.contains(store), "\(told)")
    #expect(told.contains("cannot write a private file in \(copies): file too large"), "\(told)")
    #expect(told.contains("set TMPDIR to a folder"), "\(told)")
    #expect(!folder.names.contains("out"))
  }

  /// What is empty names no folder, and the one in which the tool is run is none for copies.
  @Test func emptyNameIsNone() throws {
    let line = #"mkdir gone; cd gone; rmdir ../gone; exec "$0" inspect -q "$1""#
    let outcome = try Program.bash.run(
      ["-c", line, Project.executable.path, store], variables: ["TMPDIR": ""])
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  /// Wherever the disk is full, the run says so and names no private file.
  @Test(.enabled(if: Faults.shared != nil, "needs a C compiler"), arguments: commands)
  func fullDiskIsNoFaultOfTheStore(command: String) async throws {
    let faults = try #require(Faults.shared)
    let copies = try folder.makeFolder("copies")
    let words = words(command) + ["--fail-on", "never"].filter { _ in command.hasPrefix("audit") }
    let calls = try await faults.count(words, copies: copies, calls: Faults.callsForRoom)
    try? FileManager.default.removeItem(atPath: folder.path("out"))
    for call in 1...calls {
      let outcome = try await faults.run(
        words, copies: copies, .noSpace, at: call, calls: Faults.callsForRoom)
      defer { try? FileManager.default.removeItem(atPath: folder.path("out")) }
      guard outcome.code != 0 else { continue }
      #expect(outcome.code == 74, "call \(call): \(outcome.error)")
      #expect(!outcome.error.contains(copies + "/rehome-"), "call \(call): \(outcome.error)")
      #expect(!outcome.text.contains(copies + "/rehome-"), "call \(call): \(outcome.text)")
      if outcome.error.contains(" in \(copies)") {
        #expect(outcome.error.contains("set TMPDIR"), "call \(call): \(outcome.error)")
      }
    }
  }
}
