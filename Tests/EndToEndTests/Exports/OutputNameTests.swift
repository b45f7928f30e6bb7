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

  @Test(arguments: [
    "book.xlsx", "book.XLS", "a.ods", "a.pdf", "a.html", "a.HTM", "a.zip", "a.sqlite", "a.rehome",
  ])
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

  @Test(arguments: [
    "a.json", "a.NDJSON", "a.csv", "a.xml.gz", "a.sql", "a.xlsx", "a.pdf", "a.html", "a.zip",
  ])
  func storeIsNotCalledAsAnExport(_ name: String) async throws {
    let rows = try folder.write("a,b\n1,2\n", to: "T.csv")
    let target = folder.path("made-" + name)
    for arguments in [["convert", store], ["seed", rows], ["seed", "--dry-run", rows]] {
      let outcome = await rehome(arguments + ["-o", target])
      #expect(outcome.code == 64 && outcome.error.contains("is called as"), "\(outcome.error)")
      #expect(!FileManager.default.fileExists(atPath: target))
    }
  }

  @Test(arguments: [
    ("--html a.csv", "--html a.html"), ("--html a.pdf", "--html a.html"),
    ("--html 'a b.json'", "--html 'a b.html'"), ("--csv a.JSON", "--csv a.csv"),
    ("--csv a.csv.gz", "--csv a.csv"), ("--csv a.htm", "--csv a.csv"),
    ("--csv a.xlsx", "--csv a.csv"), ("--report a.csv", "--report a.json"),
  ])
  func optionThatMakesOneKindRefusesNamesOfOthers(_ words: String, _ hint: String) throws {
    let line = #"cd "$1" && exec "$0" audit -q "$2" "# + words
    let outcome = try Program.bash.run(
      ["-c", line, Project.executable.path, folder.path, store])
    #expect(outcome.code == 64 && outcome.error.contains("is called as"), "\(outcome.error)")
    #expect(outcome.error.hasSuffix("  try: \(hint)\n"), "\(outcome.error)")
    #expect(folder.names.isEmpty)
  }

  @Test(arguments: ["--plan a.csv", "--plan a.rehome", "--journal a.json", "--journal a.html"])
  func replayRefusesSuchNames(_ words: String) async throws {
    let (option, name) = (words.prefix { $0 != " " }, words.drop { $0 != " " }.dropFirst())
    let outcome = await rehome(
      "replay", "-n", store, "--to", "https://a.example", String(option), folder.path(String(name)))
    #expect(outcome.code == 64 && outcome.error.contains("is called as"), "\(outcome.error)")
    #expect(folder.names.isEmpty)
  }

  /// A name that says nothing, or nothing else, is taken.
  @Test(arguments: [
    "--html a.html", "--html a.HTM", "--html page", "--html -", "--html a.v2", "--csv a.csv",
    "--csv list", "--csv a.txt", "--csv a.tsv", "--report a.json", "--report a.ndjson",
    "--report a.jsonl", "--report a.log",
  ])
  func otherNamesAreTaken(_ words: String) throws {
    let line = #"cd "$1" && exec "$0" audit -q --fail-on never "$2" "# + words
    let outcome = try Program.bash.run(
      ["-c", line, Project.executable.path, folder.path, store])
    #expect(outcome.code == 0, "\(outcome.error)")
  }
}
