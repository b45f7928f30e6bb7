import Foundation
import TestSupport
import Testing

/// The articles name what is there, and say the same as the README.
struct DocumentationTests {
  private static let folder = Project.path("Sources/rehome/rehome.docc")

  private static func articles() throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try Dictionary(
      uniqueKeysWithValues: names.filter { $0.hasSuffix(".md") }.map { name in
        (name, try String(contentsOfFile: folder + "/" + name, encoding: .utf8))
      })
  }

  @Test func everyFileThatIsNamedExists() throws {
    let text = try Self.articles().values.joined()
    let named = text.matches(of: #/\b((?:Sources|Tests|samples|man)/[\w./+-]*\w)/#).map(\.1)
    #expect(named.count > 5)
    for name in named where !name.contains("YourSDK") && !name.contains("YourFormat") {
      #expect(FileManager.default.fileExists(atPath: Project.path(String(name))), "\(name)")
    }
  }

  @Test func changeLogHoldsWhatTheReadmeTells() throws {
    let readme = try String(contentsOfFile: Project.path("README.md"), encoding: .utf8)
    let recent = try #require(readme.range(of: "## Recent changes"))
    let log = try #require(try Self.articles()["ChangeLog.md"])
    let entries = readme[recent.upperBound...].components(separatedBy: "\n- ").dropFirst()
    #expect(!entries.isEmpty)
    for entry in entries {
      let first = try #require(entry.split(separator: "\n").first)
      #expect(log.contains("- \(first)"), "\(first)")
    }
  }

  /// Each command of the walk through runs where those before it have run; there is no server.
  @Test func commandsOfTheWalkThroughRun() throws {
    let text = try #require(try Self.articles()["WalkThrough.md"])
    let folder = try TemporaryFolder()
    let store = try folder.copy(of: Sample(name: "ios-2016"))
    try "X-ZUMO-AUTH: x\n".write(
      toFile: store + "/token.txt", atomically: true, encoding: .utf8)
    let commands = text.split(separator: "\n").filter { $0.hasPrefix("$ rehome ") }
    #expect(commands.count > 6)
    for command in commands {
      let words = command.dropFirst("$ rehome ".count)
        .replacing("https://example.net", with: "https://127.0.0.1:1 --retries 0")
      let outcome = try Program.bash.run(
        ["-c", "\"$0\" " + words, Project.executable.path], in: store)
      // No server answers, and the audit ends as its findings say.
      let code: Int32 = words.contains("https:") ? 69 : words.hasPrefix("audit") ? 2 : 0
      #expect(outcome.code == code, "\(command): \(outcome.error)")
    }
  }

  @Test func everyLayoutHasAnArticle() throws {
    let text = try Self.articles().filter { $0.key != "ChangeLog.md" }.values.joined()
    let tables = [
      "MS_TableOperations", "DatasyncOperationsQueue", "__pulltime", "__incrementalpulldata",
      "__config", "Z_PRIMARYKEY", "databaseInfo", "`httpStatus`",
    ]
    for table in tables { #expect(text.contains(table), "\(table)") }
  }
}
