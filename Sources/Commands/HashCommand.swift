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
        + "tokens. The manual page rehome-export(5) defines it.",
      "With --table or --exclude-table the hash is that of the chosen tables and of what waits on them, "
        + "as if the store had no others.",
      "What the hash does not show is reported on standard error: what is lost of a damaged store, "
        + "that a log is missing, that an answer of a service goes on with another page. --json has "
        + "these findings, too.",
    ],
    examples: [
      Command.Example(
        "rehome hash qstodoitem.sqlite items.rehome", "see whether a conversion lost anything")
    ],
    options: CommonOptions.places + StoreRound.options + CommonOptions.tables
      + CommonOptions.reading + CommonOptions.reporting,
    essentials: ["json", "table", "once", "files-from", "salvage"],
    positionals: [CommonOptions.stores()],
    exitStatuses: ExitCode.reading(.completeWithRejects),
    seeAlso: ["rehome-export(5)"])

  /// What was read of one store.
  private struct HashedStore: Sendable {
    let hash: String
    let source: SourceDescription
    let findings: Findings
  }

  /// Hashes every store; one that cannot be read does not keep the others from being hashed.
  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    var round = try StoreRound(session)
    try round.shelf.expectStores()
    return try round.list(
      { (reader, store) throws(StoreError) in
        try store.checkWhole(session)
        let contents = try StoreContents(of: reader, session)
        // A hash is that of the store where nothing of it is missing, whatever else was found.
        var facts = StoreFacts(
          reader.source, bytes: nil, rows: 0, queue: Queue(),
          findings: session.decisive(contents.findings))
        facts.rejects = contents.tables.reduce(0) { $0 + $1.rejected }
        let hash = contents.digest.hexadecimal
        return (HashedStore(hash: hash, source: reader.source, findings: contents.findings), facts)
      },
      found: { ($0.source, $0.findings) },
      json: { store in
        let seen = try? store.result?.get()
        let json: ReportJSON = [
          "name": .string(store.turn.name), "hash": ReportJSON(seen?.hash),
          "device": ReportJSON(store.turn.device), "findings": ReportJSON(seen?.findings ?? []),
        ]
        return json.adding("error", .errorOf(store), if: store.error != nil)
      },
      textHasFormat: true, text: { seen, store in Self.line(seen.hash, store.turn.name) })
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
