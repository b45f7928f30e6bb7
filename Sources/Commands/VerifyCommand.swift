import Bytes
import CommandLineKit
import Records

/// `rehome verify`: whether two stores hold the same content, and where they differ.
enum VerifyCommand {
  static let description = Command(
    name: "verify",
    summary: "prove that two stores hold the same content",
    discussion: [
      "Compares two stores of any layout by their content hashes. Where these differ, the rows and "
        + "cells that are not the same are shown, up to a limit for each table. Layout, source "
        + "names and findings are not compared.",
      "With --by-id the items are compared as a server knows them: rows are matched by their id, "
        + "and _pk, references, positions, version, createdAt, updatedAt and the queue do not "
        + "count, nor does the order of columns. So a replay into a store that was seeded from "
        + "the server is held against the server's own export.",
    ],
    examples: [
      Command.Example(
        "rehome verify qstodoitem.sqlite items.rehome", "prove that a conversion lost nothing"),
      Command.Example(
        "rehome verify --by-id rehearsal.rehome server.rehome",
        "prove that a replay does to the server what its rehearsal did"),
    ],
    options: [
      Option(
        "limit", argument: .value(placeholder: "N"),
        help: "how many rows of a table to show at most", group: "Output", defaultText: "20"),
      Option(
        "by-id", help: "compare items by id, without keys, system columns and the queue",
        group: "Comparison"),
    ] + CommonOptions.reading + CommonOptions.reporting,
    positionals: [
      Positional("A", help: "a store", completion: .file),
      Positional("B", help: "the store to compare it with", completion: .file),
    ],
    exitStatuses: ExitCode.list([
      .complete, .different, .usage, .notAStore, .inputMissing, .inputOutput, .temporary,
      .notPermitted, .interrupted,
    ]),
    seeAlso: ["rehome-export(5)"])

  /// Compares the stores and reports.
  static func run(_ settings: RunSettings) throws(StoreError) -> ExitCode {
    guard let left = settings.arguments.positional("A")?.text,
      let right = settings.arguments.positional("B")?.text
    else { throw StoreError(.usage, "two stores are needed") }
    let limitText = settings.arguments.value("limit")?.text ?? "20"
    guard let limit = Int(limitText), (0...10_000).contains(limit) else {
      throw StoreError(.usage, "--limit takes a number from 0 to 10000, not \(limitText)")
    }
    let verification = try Verification(
      try settings.openStore(left), try settings.openStore(right), limit: limit,
      isByID: settings.arguments.flag("by-id"), settings)
    if settings.wantsJSON {
      try settings.console.print(verification.json.prettyText + "\n")
    } else if !settings.isQuiet {
      try settings.console.print(verification.text)
    }
    return verification.isEqual ? .complete : .different
  }
}

extension Verification {
  /// The fields that scripts rely on, and a few more.
  var json: ReportJSON {
    [
      "equal": .boolean(isEqual), "tables": .array(tables.map(\.json)),
      "queue": .array(parts.map(\.json)),
    ]
  }

  /// What a person reads.
  var text: String {
    var lines = (tables + parts).filter { !$0.isEqual }.flatMap(\.lines)
    let rows = tables.reduce(0) { $0 + ($1.left?.rows ?? 0) }
    lines.append(
      isEqual
        ? "equal: \(Quantity.count(tables.count, "table", "tables")), "
          + Quantity.count(rows, "row", "rows") + (isByID ? "" : ", and the queue") : "different")
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Verification.Entry {
  fileprivate var json: ReportJSON {
    [
      "name": .string(name), "left": ReportJSON(left?.rows), "right": ReportJSON(right?.rows),
      "equal": .boolean(isEqual), "leftHash": ReportJSON(left?.digest.hexadecimal),
      "rightHash": ReportJSON(right?.digest.hexadecimal), "differences": difference.json,
    ]
  }

  fileprivate var lines: [String] {
    let title = escapedForTerminal(name)
    guard let left else { return ["\(title): only in the second"] }
    guard let right else { return ["\(title): only in the first"] }
    return ["\(title): \(left.rows) and \(right.rows) rows"] + difference.lines
  }
}
