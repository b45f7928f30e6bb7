import CommandLineKit
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SystemProgram.bash.isInstalled, "bash is not installed"))
struct BashCompletionTests {
  /// What bash offers for a line that it has split as given; the last word is being typed.
  private static func offers(_ words: [String]) throws -> [String] {
    try withScriptFolder(CompletionScript.bash(for: SampleTool.guided)) { folder in
      let program = """
        source ../script
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _kiln
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      let outcome = try SystemProgram.bash.run(
        ["--norc", "-c", program, "bash", "kiln"] + words,
        in: folder.appendingPathComponent("files"))
      #expect(outcome.code == 0)
      return outcome.output.split(separator: "\n").map(String.init).sorted()
    }
  }

  @Test(arguments: [
    ([""], ["compare", "fire", "help", "log", "shells"]),
    (["f"], ["fire"]),
    (["--co"], ["--color"]),
    (["--color", "a"], ["always", "auto"]),
    (["--color", "=", "n"], ["never"]),
    (["--color", "="], ["always", "auto", "never"]),
    (["--color=n"], ["--color=never"]),
    (["--color", "never", "l"], ["log"]),
    (["--color", "=", "never", "l"], ["log"]),
    (["-q", "log", ""], ["help", "list", "show"]),
    (["log", "show", "3", ""], []),
    (["log", "list", "--"], ["--color", "--help", "--quiet", "--verbose"]),
    (["fire", ""], ["bowl.pot", "jug with handle.pot", "shelf"]),
    (["fire", "a", "jug"], ["jug with handle.pot"]),
    (["fire", "-o", ""], ["shelf"]),
    (["fire", "--curve", "bo"], ["bowl.pot"]),
    (["fire", "-k", "d"], [#"don\'t\ know"#]),
    (["fire", "--soak", "=", ""], ["10", "5"]),
    (["fire", "--", "-"], []),
    (["fire", "--", "b"], ["bowl.pot"]),
    (["shells", ""], ["bash", "fish", "zsh"]),
    (["shells", "bash", ""], ["shelf"]),
    (["help", ""], ["bake", "burn", "compare", "curves", "fire", "log", "shells"]),
    (["help", "log", ""], ["list", "show"]),
    (["log", "help", ""], ["list", "show"]),
    (["help", "fire", ""], []),
    (["help", "--"], []),
    (["nonsense", ""], []),
    (["$(touch x)", "$(touch x)"], []),
  ])
  func offersWhatFits(words: [String], expected: [String]) throws {
    #expect(try Self.offers(words) == expected)
  }

  @Test func wordsThatLookLikeCodeAreQuoted() throws {
    let root = Command(
      name: "tool", summary: "x",
      positionals: [
        Positional("X", help: "x", completion: .choices(["$(echo no)", "`echo no`", "it's; no"]))
      ])
    let outcome = try SystemProgram.bash.run(
      ["--norc"],
      input: CompletionScript.bash(for: root)
        + "COMP_WORDS=(tool ''); COMP_CWORD=1; _tool; printf '%s|' \"${COMPREPLY[@]}\"")
    #expect(outcome.output == #"\$\(echo\ no\)|\`echo\ no\`|it\'s\;\ no|"#)
  }
}
