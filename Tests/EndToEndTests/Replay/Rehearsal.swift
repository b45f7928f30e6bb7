import Foundation
import TestSupport
import Testing

/// A device's store and a canonical store of what the server has, in a folder of their own.
struct Rehearsal {
  let folder: TemporaryFolder
  let device: String
  let server: String

  /// Makes both, with so many operations.
  init(operations: Int) async throws {
    folder = try TemporaryFolder()
    device = folder.path("device.db")
    server = folder.path("server.rehome")
    try run("make", folder.path, String(operations))
    let seeding = await rehome("seed", "-q", folder.path("TodoItem.ndjson"), "-o", server)
    try #require(seeding.code == 0, "\(seeding.error)")
  }

  /// How many items of the server's store are not what the operations ask for.
  func wrongItems() throws -> Int? {
    Int(try run("compare", folder.path, server).trimmingCharacters(in: .newlines))
  }

  /// Replays in this process, the journal inside the folder.
  func replay(_ arguments: String...) async -> Outcome { await replay(arguments) }

  func replay(_ arguments: [String]) async -> Outcome {
    await rehome(
      ["replay", "-q", device, "--to", server, "--journal", folder.path("device.rehome")]
        + arguments)
  }

  /// Runs statements on a store with Python's sqlite3.
  func alter(_ store: String, _ statements: String) throws {
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript("PRAGMA synchronous = OFF;" + sys.argv[2])
      """, store, statements)
  }

  @discardableResult
  private func run(_ arguments: String...) throws -> String {
    let script = Project.path("Tests/Oracles/replay_stores.py")
    let outcome = try Program.python.run(["-B", script] + arguments)
    try #require(outcome.code == 0, "\(outcome.error)")
    return outcome.text
  }
}
