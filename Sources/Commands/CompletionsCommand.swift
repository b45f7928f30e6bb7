import Bytes
import CommandLineKit
import Records

/// `rehome completions`: the script that teaches a shell the tool's commands and options.
enum CompletionsCommand {
  static let description = Command(
    name: "completions",
    summary: "print the script that makes a shell complete rehome's words",
    discussion: [
      "Prints a script for one shell. It completes commands, options, formats, the codes of "
        + "findings and file names, and is made from the same description as this page, so it "
        + "fits the version that printed it: print it anew after an update.",
      "bash reads it from a folder of completions, zsh from a folder of $fpath, fish from its own; "
        + "the examples show the usual places.",
    ],
    examples: [
      Command.Example("source <(rehome completions bash)", "in this bash only"),
      Command.Example(
        "rehome completions bash > ~/.local/share/bash-completion/completions/rehome",
        "in every bash to come"),
      Command.Example(
        "rehome completions zsh > /usr/local/share/zsh/site-functions/_rehome",
        "in every zsh to come"),
      Command.Example(
        "rehome completions fish > ~/.config/fish/completions/rehome.fish",
        "in every fish to come"),
    ],
    options: [CommonOptions.quiet],
    positionals: [
      Positional(
        "SHELL", help: "the shell", completion: .choices(Shell.allCases.map(\.rawValue)))
    ],
    exitStatuses: ExitCode.list([.complete, .usage]))

  private enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish

    var script: String {
      let root = RehomeCommand.description
      return switch self {
      case .bash: CompletionScript.bash(for: root)
      case .zsh: CompletionScript.zsh(for: root)
      case .fish: CompletionScript.fish(for: root)
      }
    }
  }

  /// Prints the script.
  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    guard let shell = session.arguments.positional("SHELL").flatMap({ Shell(rawValue: $0.text) })
    else { throw StoreError(.usage, "the shell is missing", hint: "bash, zsh or fish") }
    try session.console.print(shell.script)
    return .complete
  }
}
