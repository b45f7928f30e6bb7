import Foundation
import TestSupport
import Testing

/// What the printed scripts offer in real shells.
struct CompletionScriptTests {
  private static let lines: [(line: String, expected: [String])] = [
    ("conv", ["convert"]),
    ("hel", ["help"]),
    ("help mer", ["merge"]),
    ("help pl", ["places", "plain-files", "plan"]),
    ("help ops k", ["keep"]),
    ("ops ", ["drop", "help", "keep", "list", "show"]),
    ("export --to x", ["xml"]),
    ("explain error-c", ["error-conflict"]),
    ("ops keep --finding error-c", ["error-conflict"]),
    ("completions ", ["bash", "fish", "zsh"]),
    ("audit --ht", ["--html"]),
    ("inspect old", ["old.sqlite"]),
  ]

  /// The script for a shell beside a file to complete, as a user would store it.
  private func prepare(_ shell: String) async throws -> TemporaryFolder {
    let script = await rehome("completions", shell)
    try #require(script.code == 0)
    let folder = try TemporaryFolder()
    try folder.write(script.text, to: "script")
    try folder.makeFolder("files")
    try folder.write("", to: "files/old.sqlite")
    return folder
  }

  @Test(.enabled(if: SystemProgram.bash.isInstalled, "bash is not installed"))
  func bashOffersWordsOfTheTool() async throws {
    let folder = try await prepare("bash")
    let program = """
      source ../script
      COMP_WORDS=("$@")
      COMP_CWORD=$(($# - 1))
      _rehome
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    for (line, expected) in Self.lines {
      let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let outcome = try SystemProgram.bash.run(
        ["--norc", "-c", program, "bash", "rehome"] + words,
        in: folder.url.appendingPathComponent("files"))
      #expect(outcome.output.split(separator: "\n").map(String.init).sorted() == expected)
    }
  }

  @Test(.enabled(if: SystemProgram.fish.isInstalled, "fish is not installed"))
  func fishOffersWordsOfTheTool() async throws {
    let folder = try await prepare("fish")
    for (line, expected) in Self.lines {
      let outcome = try SystemProgram.fish.run(
        ["--no-config", "-c", "source ../script; complete -C \"$argv[1]\"", "rehome " + line],
        in: folder.url.appendingPathComponent("files"))
      let offered = outcome.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
      #expect(offered.map(String.init).sorted() == expected, "\(line)")
    }
  }

  @Test(.enabled(if: SystemProgram.zsh.isInstalled, "zsh is not installed"))
  func zshTakesTheScript() async throws {
    let script = await rehome("completions", "zsh")
    #expect(try SystemProgram.zsh.run(["-n"], input: script.text).output == "")
    #expect(script.text.hasPrefix("#compdef rehome"))
  }

  @Test func anotherShellIsAUsageError() async throws {
    let outcome = await rehome("completions", "tcsh")
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("bash"))
  }
}
