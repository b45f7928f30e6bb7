import CommandLineKit
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SystemProgram.zsh.isInstalled, "zsh is not installed"))
struct ZshCompletionTests {
  /// Types a line into an interactive zsh, presses Tab, and prints what is offered.
  ///
  /// zsh hands every offered word to `compadd`; the replacement below prints the words instead.
  private static let session = """
    zmodload zsh/zpty
    zpty z zsh -f -i
    zpty -w z 'PROMPT= RPROMPT= PS2='
    zpty -w z 'autoload -Uz compinit && compinit -D -u; source ../script'
    zpty -w z 'compadd() {
      local -a hits
      if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
        builtin compadd -A hits "$@"
        local hit; for hit in "${hits[@]}"; do print -r -- "<<$hit>>"; done
      fi
      builtin compadd "$@"
    }'
    zpty -w z 'bindkey "^I" complete-word; zstyle ":completion:*" completer _complete'
    zpty -w z 'finished() { print "<<""END>>"; zle kill-whole-line }; zle -N finished'
    zpty -w z 'bindkey "^X" finished; print "<<""READY>>"'
    zpty -r z seen '*<<READY>>*'
    for line; do
      zpty -n -w z "$line"$'\\t\\x18'
      zpty -r z seen '*<<END>>*'
      print -r -- "$seen"
    done
    zpty -d z
    """

  private static let expected: KeyValuePairs = [
    "kiln ": ["compare", "fire", "help", "log", "shells"],
    "kiln f": ["fire"],
    "kiln --co": ["--color"],
    "kiln --color a": ["always", "auto"],
    "kiln --color=n": ["never"],
    "kiln --color never l": ["log"],
    "kiln -q log ": ["help", "list", "show"],
    "kiln log show ": [],
    "kiln help ": ["bake", "burn", "compare", "curves", "fire", "log", "shells"],
    "kiln help log ": ["list", "show"],
    "kiln log help ": ["list", "show"],
    "kiln log list --": ["--color", "--help", "--quiet", "--verbose"],
    "kiln fire bo": ["bowl.pot"],
    "kiln fire -o ": ["shelf"],
    "kiln fire --curve bo": ["bowl.pot"],
    "kiln fire -k d": [#"don\'t\ know"#],
    "kiln fire --soak=1": ["10"],
    "kiln shells ": ["bash", "fish", "zsh"],
    "kiln shells bash ": ["shelf"],
  ]

  @Test func offersWhatFits() throws {
    let lines = Self.expected.map(\.key)
    let output = try withScriptFolder(CompletionScript.zsh(for: SampleTool.guided)) { folder in
      // A session that waits for something that never comes must not hold up the tests.
      try SystemProgram(name: "timeout").run(
        ["300", "zsh", "-f", "-c", Self.session, "zsh"] + lines,
        in: folder.appendingPathComponent("files")
      ).output
    }
    let answers = output.components(separatedBy: "<<END>>").map { answer in
      Set(answer.matches(of: /<<([^\r\n]*?)>>/).map { String($0.1) }).subtracting(["READY"])
        .sorted()
    }
    try #require(answers.count == lines.count + 1, "\(output)")
    for (answer, expected) in zip(answers, Self.expected) {
      #expect(answer == expected.value, "\(expected.key)")
    }
  }

  @Test func scriptIsValid() throws {
    let script = CompletionScript.zsh(for: SampleTool.guided)
    #expect(try SystemProgram.zsh.run(["-n"], input: script).output == "")
  }
}
