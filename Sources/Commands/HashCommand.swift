import Bytes
import CommandLineKit
import Records

/// `rehome hash`: the content hash of stores, as `sha256sum` prints it for files.
enum HashCommand {
  static let description = Command(
    name: "hash",
    summary: "print the content hash of stores",
    discussion: [
      "Prints 64 hexadecimal digits, two blanks and the name for each store. Two stores of any "
        + "layout have the same hash when they hold the same tables, rows, operations, errors and "
        + "tokens. The manual page rehome-export(5) defines it."
    ],
    examples: [
      Command.Example(
        "rehome hash qstodoitem.sqlite items.rehome", "see whether a conversion lost anything")
    ],
    options: CommonOptions.reading + CommonOptions.reporting,
    positionals: [
      Positional("STORE", help: "a store", cardinality: .oneOrMore, completion: .file)
    ],
    exitStatuses: ExitCode.list([
      .complete, .usage, .notAStore, .inputMissing, .inputOutput, .temporary, .notPermitted,
      .interrupted,
    ]),
    seeAlso: ["rehome-export(5)"])

  /// Hashes every store; one that cannot be read does not keep the others from being hashed.
  static func run(_ settings: RunSettings) throws(StoreError) -> ExitCode {
    var hashes: [ReportJSON] = []
    var worst = ExitCode.complete
    for path in settings.arguments.positionals("STORE").map(\.text) {
      do {
        let contents = try StoreContents(of: try settings.openStore(path), settings)
        let hash = contents.digest.hexadecimal
        hashes.append(["name": .string(path), "hash": .string(hash)])
        if !settings.wantsJSON { try settings.console.print(line(hash, path)) }
      } catch {
        let error = settings.told(error)
        guard error.kind != .brokenPipe, error.kind != .interrupted else { throw error }
        ErrorMessage(error).write(to: settings.console)
        worst = ExitCode(error.kind)
      }
    }
    if settings.wantsJSON {
      try settings.console.print((["stores": .array(hashes)] as ReportJSON).prettyText + "\n")
    }
    return worst
  }

  /// A line as `sha256sum` writes it: a name with a line break or a backslash is escaped, and the
  /// line then begins with a backslash.
  private static func line(_ hash: String, _ name: String) -> String {
    var escaped = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return (escaped == name ? "" : "\\") + "\(hash)  \(escaped)\n"
  }
}
