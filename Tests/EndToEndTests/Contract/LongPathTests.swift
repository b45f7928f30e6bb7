import Foundation
import TestSupport
import Testing

/// SQLite opens files whose paths are much shorter than those that the system allows.
struct LongPathTests {
  private let folder: TemporaryFolder
  private let long: String
  private let sample = Sample(name: "ios-2016").store()

  init() throws {
    folder = try TemporaryFolder()
    long = try folder.makeFolder(
      Array(repeating: String(repeating: "p", count: 60), count: 9).joined(separator: "/"))
  }

  /// A name in the folder whose whole path has so many bytes.
  private func name(ofFolderOf length: Int) -> String {
    let path = String(repeating: String(repeating: "f", count: 49) + "/", count: length / 50)
    return String(path.prefix(length - folder.path.utf8.count - 2)) + "f"
  }

  /// Wherever a store lies, it is read, and nothing is left beside it.
  @Test func storeIsReadWhereverItLies() async throws {
    let store = long + "/q.sqlite"
    try FileManager.default.copyItem(atPath: sample, toPath: store)
    let hash = await rehome("hash", sample).text.prefix(64)
    #expect(await rehome("hash", store).text.prefix(64) == hash)
    let lines = try await rehome("find", "--json", folder.path).jsonLines()
    #expect(lines.count == 1 && lines[0]["error"] is NSNull, "\(lines)")
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
    #expect(await rehome("hash", link).text.prefix(64) == hash)
    #expect(try FileManager.default.contentsOfDirectory(atPath: long) == ["q.sqlite"])
  }

  /// What could not be made is refused before anything is read.
  @Test func outputIsRefusedBeforeAnythingIsRead() async throws {
    let output = long + "/o.rehome"
    let nowhere = folder.path("nowhere.sqlite")
    for arguments in [
      ["convert", nowhere, "-o", output], ["seed", nowhere, "-o", output],
      ["replay", nowhere, "--to", nowhere, "--journal", output],
    ] {
      let outcome = await rehome(arguments)
      #expect(outcome.code == 73, "\(arguments[0]): \(outcome.error)")
      #expect(outcome.error.contains("SQLite writes to files with at most 504"), "\(outcome.error)")
    }
    // Until it is complete a file has a longer name.
    for (length, code) in [(470, 73), (460, 0)] as [(Int, Int32)] {
      let place = try folder.makeFolder(name(ofFolderOf: length))
      let outcome = await rehome("convert", "-q", sample, "-o", place + "/o.rehome")
      #expect(outcome.code == code, "\(length): \(outcome.error)")
      #expect(outcome.error.contains("until it is complete") == (code == 73))
    }
    // A journal that is there has its name.
    let journal = try folder.makeFolder(name(ofFolderOf: 470)) + "/o.rehome"
    try FileManager.default.moveItem(
      atPath: folder.path(name(ofFolderOf: 460)) + "/o.rehome", toPath: journal)
    let replay = await rehome("replay", sample, "--to", nowhere, "--journal", journal)
    #expect(!replay.error.contains("SQLite writes"), "\(replay.error)")
    // No other kind of file is kept from anywhere.
    #expect(await rehome("export", sample, "--to", "json", "-o", long + "/o.json").code == 0)
  }

  /// A store that is changed in place cannot be, and that is told.
  @Test func storeThatIsWrittenToIsToldToLieTooDeep() async throws {
    let made = folder.path("o.rehome")
    #expect(await rehome("convert", "-q", sample, "-o", made).code == 0)
    try FileManager.default.moveItem(atPath: made, toPath: long + "/o.rehome")
    let outcome = await rehome("ops", "drop", long + "/o.rehome", "1")
    #expect(outcome.code == 73 && outcome.error.contains("at most 504"), "\(outcome.error)")
    #expect(await rehome("ops", "list", long + "/o.rehome").code == 0)
  }
}
