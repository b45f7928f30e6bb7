import Foundation
import TestSupport
import Testing

/// A replay into a store that is killed goes on when it is started again.
struct KilledRehearsalTests {
  @Test func killedRunsComeToTheSameEnd() async throws {
    let rehearsal = try await Rehearsal(operations: 900)
    let store = rehearsal.folder.path("own.rehome")
    #expect(await rehome("convert", "-q", rehearsal.device, "-o", store).code == 0)
    let arguments = ["replay", "-q", store, "--to", rehearsal.server, "--jobs", "4"]
    var kills = 0
    for round in 1...5 {
      let outcome = try Program.rehome.run(arguments) { process in
        try waitUntilJournal(of: store, has: round * 150, or: process)
        if process.isRunning {
          kill(process.processIdentifier, SIGKILL)
          kills += 1
        }
      }
      #expect(outcome.code == 9 || outcome.code == 0)
    }
    let outcome = await rehome(arguments + ["--json"])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(kills > 0)
    #expect(try rehearsal.wrongItems() == 0)
    #expect(!rehearsal.folder.names.contains { $0.hasSuffix("-wal") })
    let report = try outcome.json()
    let done = (report["applied"] as? Int ?? 0) + (report["alreadyApplied"] as? Int ?? 0)
    #expect(done == 900)
  }

  /// Waits until the store's side file has grown by so many lines, or the process has ended.
  private func waitUntilJournal(
    of store: String, has lines: Int, or process: ChildProcess
  ) throws {
    let log = store + "-wal"
    while process.isRunning {
      let attributes = try? FileManager.default.attributesOfItem(atPath: log)
      let size = attributes?[.size] as? Int ?? 0
      // Each transaction of a few lines takes at least one page of eight kilobytes.
      if size > lines * 1000 { return }
      usleep(500)
    }
  }
}
