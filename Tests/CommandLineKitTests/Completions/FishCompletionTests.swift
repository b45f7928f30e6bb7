import CommandLineKit
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SystemProgram.fish.isInstalled, "fish is not installed"))
struct FishCompletionTests {
  /// What fish offers at the end of a line, without the descriptions.
  private static func offers(_ line: String) throws -> [String] {
    try withScriptFolder(CompletionScript.fish(for: SampleTool.guided)) { folder in
      let outcome = try SystemProgram.fish.run(
        ["--no-config", "-c", "source ../script; complete -C \"$argv[1]\"", line],
        in: folder.appendingPathComponent("files"))
      #expect(outcome.code == 0)
      return outcome.output.split(separator: "\n").map { line in
        String(line.prefix { $0 != "\t" })
      }.sorted()
    }
  }

  @Test(arguments: [
    ("kiln ", ["compare", "fire", "help", "log", "shells"]),
    ("kiln f", ["fire"]),
    ("kiln --co", ["--color"]),
    ("kiln --color a", ["always", "auto"]),
    ("kiln --color=n", ["--color=never"]),
    ("kiln --color never l", ["log"]),
    ("kiln -q log ", ["help", "list", "show"]),
    ("kiln log show 3 ", []),
    ("kiln help ", ["bake", "burn", "compare", "curves", "fire", "log", "shells"]),
    ("kiln help log ", ["list", "show"]),
    ("kiln log help ", ["list", "show"]),
    ("kiln help fire ", []),
    ("kiln log list --", ["--color", "--help", "--quiet", "--verbose"]),
    ("kiln fire bo", ["bowl.pot"]),
    ("kiln fire -o ", ["shelf/"]),
    ("kiln fire --curve bo", ["bowl.pot"]),
    ("kiln fire -k d", ["don't know"]),
    ("kiln shells ", ["bash", "fish", "zsh"]),
    ("kiln shells bash ", ["shelf/"]),
  ])
  func offersWhatFits(line: String, expected: [String]) throws {
    #expect(try Self.offers(line) == expected)
  }
}
