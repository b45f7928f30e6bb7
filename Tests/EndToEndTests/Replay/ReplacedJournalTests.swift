import Foundation
import Glibc
import TestSupport
import Testing

/// A store that a replay works with is replaced by nothing: all of it would be sent again.
struct ReplacedJournalTests {
  @Test(arguments: [["convert", "STORE"], ["seed", "CSV", "--into", "canonical"]])
  func storeOfARunningReplayIsNotReplaced(_ words: [String]) async throws {
    let folder = try TemporaryFolder()
    let table = try folder.write("id,text\na,milk\n", to: "TodoItem.csv")
    let store = Sample(name: "ios-2016").store()
    let journal = folder.path("j.rehome")
    let command =
      words.map { ["STORE": store, "CSV": table][$0] ?? $0 } + ["-o", journal, "-f", "-q"]
    #expect(await rehome("convert", store, "-o", journal, "-q").code == 0)
    let before = try Data(contentsOf: URL(filePath: journal))
    let names = folder.names

    // As a replay locks it.
    let handle = try #require(FileHandle(forReadingAtPath: journal))
    #expect(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    let refused = await rehome(command)
    #expect(refused.code == 75, "\(refused.error)")
    #expect(refused.error.contains("another run is working with it"))
    #expect(try Data(contentsOf: URL(filePath: journal)) == before)
    #expect(folder.names == names)

    try handle.close()
    let outcome = await rehome(command)
    #expect([0, 2].contains(outcome.code), "\(outcome.error)")
    #expect(try Data(contentsOf: URL(filePath: journal)) != before)
  }

  /// What cannot be made is told as for every output.
  @Test(arguments: ["", "/dev/null"])
  func journalIsAFile(_ given: String) async throws {
    let folder = try TemporaryFolder()
    let path = given.isEmpty ? folder.path : given
    let store = Sample(name: "ios-2016").store()
    let outcome = await rehome("replay", store, "--to", "http://127.0.0.1:9", "--journal", path)
    #expect(outcome.code == 73, "\(outcome.error)")
    #expect(outcome.error.contains("the journal must be a file of its own"), "\(outcome.error)")
    #expect(folder.names.isEmpty)
  }
}
