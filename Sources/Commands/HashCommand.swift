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
    options: CommonOptions.places + StoreRound.options + CommonOptions.reading
      + CommonOptions.reporting,
    essentials: ["json", "once", "files-from", "salvage"],
    positionals: [CommonOptions.stores()],
    exitStatuses: ExitCode.reading(.completeWithRejects),
    seeAlso: ["rehome-export(5)"])

  /// Hashes every store; one that cannot be read does not keep the others from being hashed.
  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    var round = try StoreRound(session)
    try round.shelf.expectStores()
    return try round.list(
      { (reader, store) throws(StoreError) in
        try store.checkWhole(session)
        let contents = try StoreContents(of: reader, session)
        var facts = StoreFacts(
          reader.source, bytes: nil, rows: 0, queue: Queue(), findings: [])
        facts.rejects = contents.tables.reduce(0) { $0 + $1.rejected }
        return (contents.digest.hexadecimal, facts)
      },
      json: { store in
        let json: ReportJSON = [
          "name": .string(store.turn.name), "hash": ReportJSON(try? store.result?.get()),
          "device": ReportJSON(store.turn.device),
        ]
        return json.adding("error", .errorOf(store), if: store.error != nil)
      },
      textHasFormat: true, text: { hash, store in Self.line(hash, store.turn.name) })
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
