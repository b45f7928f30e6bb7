import Foundation
import TestSupport
import Testing

/// Names of outputs that other programs would take for something else.
struct OutputNameTests {
  private let folder: TemporaryFolder
  private let store = Sample(name: "ios-2016").store()

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: ["book.xlsx", "book.XLS", "a.ods", "a.html", "a.zip", "a.sqlite", "a.rehome"])
  func exportIsNotCalledAsWhatItIsNot(_ name: String) async throws {
    for arguments in [["json"], ["csv", "--table", "TodoItem"], ["csv"], ["postgresql"]] {
      let outcome = await rehome(
        ["export", "-q", store, "-o", folder.path(name), "--to"] + arguments)
      #expect(outcome.code == 64 && outcome.error.contains("is called as"), "\(outcome.error)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
  }

  /// A folder that is there is one, whatever its name.
  @Test func bundleGoesIntoAFolderOfAnyName() async throws {
    let path = folder.path("a.zip")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let outcome = await rehome("export", "-q", store, "--to", "csv", "-fo", path)
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  @Test(arguments: ["a.json", "a.NDJSON", "a.csv", "a.xml.gz", "a.sql"])
  func storeIsNotCalledAsAnExport(_ name: String) async throws {
    let rows = try folder.write("a,b\n1,2\n", to: "T.csv")
    let target = folder.path("made-" + name)
    for arguments in [["convert", store], ["seed", rows], ["seed", "--dry-run", rows]] {
      let outcome = await rehome(arguments + ["-o", target])
      #expect(outcome.code == 64 && outcome.error.contains("is called as"), "\(outcome.error)")
      #expect(!FileManager.default.fileExists(atPath: target))
    }
  }
}
