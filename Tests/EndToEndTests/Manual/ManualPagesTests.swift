import CommandLineKit
import Foundation
import Testing

@testable import Commands

/// The pages in `man/` are those of the command description.
///
/// `REHOME_UPDATE_GOLDEN=1 swift test --filter EndToEndTests` writes them anew.
struct ManualPagesTests {
  static let commands = CommandPath.every(in: RehomeCommand.description)

  @Test(arguments: commands)
  func pageSaysWhatTheHelpSays(of path: CommandPath) throws {
    let page = ManualPage.troff(for: path, date: Tool.date, version: Tool.version)
    let file = Project.path("man/\(path.pageName).1")
    if Project.isUpdatingGoldenFiles {
      try page.write(toFile: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == page)
  }

  @Test func findingsAreThoseOfTheCatalogue() throws {
    let page = FindingsManual.troff(date: Tool.date, version: Tool.version)
    let file = Project.path("man/rehome-findings.7")
    if Project.isUpdatingGoldenFiles {
      try page.write(toFile: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == page)
  }

  @Test func optionsOfManyCommandsAreThoseOfTheTopics() throws {
    let page = TopicsManual.troff(
      for: RehomeCommand.description, date: Tool.date, version: Tool.version)
    let file = Project.path("man/rehome-options.7")
    if Project.isUpdatingGoldenFiles {
      try page.write(toFile: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == page)
  }

  @Test func noPageTellsOfACommandThatIsGone() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Project.path("man"))
    let pages =
      Self.commands.map { "\($0.pageName).1" }
      + [
        "rehome-store.5", "rehome-export.5", "rehome-findings.7", "rehome-options.7",
        "rehome-safety.7", "schemas", "make-site", "make-pictures", "site",
      ]
    #expect(files.sorted() == pages.sorted())
  }

  @Test(.enabled(if: Program.mandoc.isInstalled, "mandoc is not installed"))
  func mandocFindsNothingToComplainAbout() throws {
    let folder = Project.path("man")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder)
    where file.last?.isNumber == true {
      // References to pages that this machine has not installed are no mistake.
      let outcome = try Program.mandoc.run(["-T", "lint", "-W", "warning", file], in: folder)
      #expect(outcome.text == "", "\(file)")
      #expect(outcome.code == 0, "\(file)")
    }
  }

  @Test func everyPageThatIsReferredToExists() throws {
    let known = Set(
      Self.commands.map { "\($0.pageName)(1)" }
        + [
          "rehome-store(5)", "rehome-export(5)", "rehome-findings(7)", "rehome-options(7)",
          "rehome-safety(7)",
        ])
    for path in Self.commands {
      #expect(known.isSuperset(of: path.leaf.seeAlso), "\(path.name)")
    }
  }
}

extension CommandPath: CustomTestStringConvertible {
  package var testDescription: String { name }
}
