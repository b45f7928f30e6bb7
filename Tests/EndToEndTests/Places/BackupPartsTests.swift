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
      "SELECT message FROM rehome_finding WHERE code = 'wal-missing' AND severity = 'error'")
    #expect(kept.contains(rest == "None" ? "does not have it" : "cannot be had whole"))
    let merged = folder.path("both.rehome")
    let place = folder.path("phone")
    let outcome = await rehome("convert", "--json", place, place + "/../phone", "-o", merged)
    #expect(outcome.code == 2)
    let findings = try outcome.json()["findings"] as? [[String: Any]]
    #expect(findings?.count { $0["severity"] as? String == "error" } == 2)
  }

  @Test func whatIsToldOfAPlaceIsToldByEveryCommand() async throws {
    try folder.makePlaces("backup('phone', [('q.db', whole(1))], state='uploading')")
    for (command, outcome) in await readByAll("phone") {
      let told = outcome.error.components(separatedBy: "incomplete (uploading)").count - 1
      #expect(told == (command == "verify" ? 2 : 1), "\(command): \(outcome.error)")
    }
  }
}
