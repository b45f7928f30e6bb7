import Bytes
import CommandLineKit
import Places
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
    options: PlaceOptions.all + StoreRound.options + CommonOptions.reading
      + CommonOptions.reporting,
    essentials: ["json", "once", "files-from", "salvage"],
    positionals: [PlaceOptions.positional()],
    exitStatuses: ExitCode.list([
      .complete, .completeWithRejects, .usage, .notAStore, .inputMissing, .inputOutput,
      .temporary, .notPermitted, .interrupted,
    ]),
    seeAlso: ["rehome-export(5)"])

  /// Hashes every store; one that cannot be read does not keep the others from being hashed.
  static func run(_ settings: RunSettings) throws(StoreError) -> ExitCode {
    var round = try StoreRound(settings)
    try round.shelf.expectStores()
    var list = ReportList("stores", settings.console)
    try round.run(
      { (reader, turn) throws(StoreError) in
        let hash = try StoreContents(of: reader, settings).digest.hexadecimal
        return (hash, StoreFacts(reader.source, bytes: nil, rows: 0, queue: Queue(), findings: []))
      },
      { (store) throws(StoreError) in
        let name = store.turn.name
        switch store.result {
        case .success(let hash):
          guard settings.wantsJSON else { return try settings.console.print(line(hash, name)) }
          try list.add([
            "name": .string(name), "hash": .string(hash), "device": ReportJSON(store.turn.device),
          ])
        case .failure(let error):
          ErrorMessage(error).write(to: settings.console)
          guard settings.wantsJSON else { break }
          try list.add([
            "name": .string(name), "hash": .null, "device": ReportJSON(store.turn.device),
            "error": .errorOf(store),
          ])
        case nil: break
        }
      })
    if settings.wantsJSON { try list.finish() }
    round.remarks.forEach(settings.say)
    return round.exitCode
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
