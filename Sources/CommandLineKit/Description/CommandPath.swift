/// A command together with the commands above it.
package struct CommandPath: Sendable, Equatable {
  /// Root first, the command itself last.
  let commands: [Command]
  /// The command itself.
  package let leaf: Command

  /// The path that holds only the root.
  init(root: Command) {
    commands = [root]
    leaf = root
  }

  private init(_ parent: CommandPath, _ child: Command) {
    commands = parent.commands + [child]
    leaf = child
  }

  /// Follows subcommand names down from the root; nil when one does not exist.
  package init?(following names: some Sequence<String>, from root: Command) {
    var path = CommandPath(root: root)
    for name in names {
      guard let next = path.child(named: name) else { return nil }
      path = next
    }
    self = path
  }

  /// The path of every command in the tree, parents before children, in described order.
  package static func every(in root: Command) -> [CommandPath] {
    var found: [CommandPath] = []
    var waiting = [CommandPath(root: root)]
    while let path = waiting.popLast() {
      found.append(path)
      waiting += path.children.reversed()
    }
    return found
  }

  /// The names on the way, as in `["tool", "ops", "list"]`.
  package var names: [String] { commands.map(\.name) }

  /// What a person types to reach the command, as in `tool ops list`.
  package var name: String { names.joined(separator: " ") }

  /// The name of the command's manual page, as in `tool-ops-list`.
  package var pageName: String { names.joined(separator: "-") }

  /// Whether the command is the tool itself.
  var isRoot: Bool { commands.count == 1 }

  /// The paths one level below.
  package var children: [CommandPath] { leaf.subcommands.map { CommandPath(self, $0) } }

  /// The path of the direct subcommand called `name`.
  func child(named name: String) -> CommandPath? {
    leaf.subcommand(named: name).map { CommandPath(self, $0) }
  }

  /// Every option that applies here: the command's own, then inherited ones, then built-in ones.
  ///
  /// Where two have one name, the nearer one counts.
  package var options: [Option] {
    var found: [Option] = []
    for option in commands.reversed().flatMap(\.options) + builtIn
    where !found.contains(where: { $0.name == option.name }) {
      found.append(option)
    }
    return found
  }

  private var builtIn: [Option] { isRoot ? [.helpRequest, .versionRequest] : [.helpRequest] }

  func hasOption(named name: String) -> Bool {
    builtIn.contains { $0.name == name }
      || commands.contains { $0.options.contains { $0.name == name } }
  }

  /// The exit codes of the command, or else of the nearest command above that lists some.
  var exitStatuses: [Command.ExitStatus] {
    commands.last { !$0.exitStatuses.isEmpty }?.exitStatuses ?? []
  }
}
