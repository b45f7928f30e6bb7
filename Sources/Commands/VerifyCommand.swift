import Bytes
import CommandLineKit
import Opening
import Records

/// `rehome verify`: whether two stores hold the same content, and where they differ.
enum VerifyCommand {
  static let description = Command(
    name: "verify",
    summary: "prove that two stores hold the same content",
    discussion: [
      "Compares two stores of any layout by their content hashes. Where these differ, the rows and "
        + "cells that are not the same are shown, up to --limit for each table, and counted beyond it. "
        + "Layout, names of sources and findings are not compared. What was found of a store that may "
        + "matter, such as what is lost of a damaged one or that an answer of a service goes on with "
        + "another page, is reported on standard error.",
      "Where the columns of a table differ, its rows are not compared, and 'totals' of --json is null. "
        + "A value that cannot be read as its column's type counts as NULL in the hash. Where neither "
        + "store could read that of a cell, and nobody has corrected it since, the two are compared as "
        + "they are stored; 'rejected' of --json is how many values that could not be read each store "
        + "has in a table.",
    ],
    sections: [
      Command.Section(
        "Items by id",
        "With --by-id the items are compared as a server knows them. Rows are matched by their id, a "
          + "number or a text, and the columns that both stores have are compared, in whatever order. "
          + "Columns that only one store has are named, and a table of which nothing can be compared is "
          + "never equal. --table and --exclude-table choose among the tables; without --by-id all of "
          + "them are compared.",
        "Values are compared as the wider of their types: numbers by value, times as times, UUIDs in "
          + "any letter case, a number and a text as texts, a reference by the id of the row that it "
          + "points to. A value that could not be read is compared as it is stored where the other store "
          + "could not read that item's either, and as NULL elsewhere.",
        "_pk, positions, version, createdAt, updatedAt (however an SDK spells them) and the queue do "
          + "not count. Items that are marked as deleted count as gone where the other store has no such "
          + "mark, and may be missing there in any case."),
      Command.Section(
        "Changes that still wait",
        "With --pending, differences that the waiting operations of one of the stores explain are "
          + "shown as such and do not count: an item that the server lacks and an insert will bring, one "
          + "that differs and an update will change, one that a delete will remove. A table that only one "
          + "store has is not different where that explains all of its items, or where its SDK never "
          + "sends any of it."),
    ],
    examples: [
      Command.Example(
        "rehome verify qstodoitem.sqlite items.rehome", "prove that a conversion lost nothing"),
      Command.Example(
        "rehome verify --by-id rehearsal.rehome server.rehome",
        "prove that a replay does to the server what its rehearsal did"),
      Command.Example(
        "rehome verify --by-id --pending qstodoitem.sqlite answer.json --rename answer=TodoItem",
        "hold a device's store against the answer of its server"),
    ],
    options: [
      Option(
        "limit", argument: .value(placeholder: "N"),
        help: "how many rows of a table to show at most", group: "Output", defaultText: "20"),
      Option(
        "by-id", help: "compare items by id, without keys, system columns and the queue",
        group: "Comparison"),
      Option(
        "pending", help: "with --by-id: tell what waiting operations explain as that",
        group: "Comparison"),
      Option(
        "ignore-column", argument: .repeatableValue(placeholder: "C|T.C"),
        help: "with --by-id: do not compare this column, or all that match a pattern",
        group: "Comparison"),
    ] + CommonOptions.tables + reading + CommonOptions.reporting,
    essentials: ["by-id", "pending", "table", "ignore-column", "limit", "json"],
    positionals: [
      Positional("A", help: "a store", completion: .file),
      Positional("B", help: "the store to compare it with", completion: .file),
    ],
    exitStatuses: ExitCode.reading(.completeWithRejects, .different),
    seeAlso: ["rehome-export(5)"])

  /// The common options, of which one means more here.
  private static let reading = CommonOptions.reading.map { option in
    guard option.name == "rename" else { return option }
    return Option(
      "rename", argument: .repeatableValue(placeholder: "T=NAME"),
      help: "call table T by another name; with --by-id also T.C=NAME for a column, each in the "
        + "store that has the one name while the other has the other", group: "Corrections")
  }

  /// Compares the stores and reports.
  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    guard let left = session.arguments.positional("A")?.text,
      let right = session.arguments.positional("B")?.text
    else { throw StoreError(.usage, "two stores are needed") }
    let limitText = session.arguments.value("limit")?.text ?? "20"
    guard let limit = Int(limitText), (0...10_000).contains(limit) else {
      throw StoreError(.usage, "--limit takes a number from 0 to 10000, not \(limitText)")
    }
    let isByID = session.arguments.flag("by-id")
    if !isByID { try expectNoOptionsOfItems(session.arguments) }
    let paths = Sides(left, right)
    // Items are matched under other names once both stores are known.
    let corrections = session.corrections()
    let stores = try open(
      paths, isByID ? Corrections(types: corrections.types) : corrections, session)
    try session.formatOptions.checkAllMet()
    let verification = try stores.first.unchanged { () throws(StoreError) in
      try stores.second.unchanged { () throws(StoreError) in
        try isByID
          ? Verification(ofItemsIn: stores, limit: limit, session)
          : Verification(of: stores, limit: limit, session)
      }
    }
    for side in Side.allCases {
      session.sayWarnings(
        verification.findings[side], of: stores[side].source,
        about: escapedAsOneWord(stores[side].source.shownName))
    }
    if session.wantsJSON {
      try session.print(verification.json)
    } else if !session.isQuiet {
      try session.console.show(verification.text)
    }
    guard verification.isEqual else { return .different }
    // What is equal is proved where nothing of the stores is missing, whatever else was found.
    let findings = verification.findings.first + verification.findings.second
    return session.exitCode(findings: session.decisive(findings), rejects: 0)
  }

  /// Opens the stores, each with what a person says of the tables and columns that it has.
  ///
  /// A store that takes no corrections is opened as it is where they are about the other one, too:
  /// it was made with them.
  private static func open(
    _ paths: Sides<String>, _ corrections: Corrections, _ session: Session
  ) throws(StoreError) -> Sides<any StoreReader> {
    let shared = try SharedCorrections(corrections)
    var refusal: StoreError?
    func open(_ path: String) throws(StoreError) -> any StoreReader {
      let store = try session.onlyStore(in: path)
      try store.checkWhole(session)
      do {
        return try shared.open { (own) throws(StoreError) in
          try store.openKeepingNames(session, corrections: own)
        }
      } catch {
        guard error.kind == .usage else { throw error }
        refusal = refusal ?? error
        return try store.openKeepingNames(session, corrections: Corrections())
      }
    }
    let stores = Sides(try open(paths.first), try open(paths.second))
    try shared.checkAllMet(refusal: refusal)
    return stores
  }

  private static func expectNoOptionsOfItems(_ arguments: ParsedArguments) throws(StoreError) {
    for name in ["pending", "ignore-column", "table", "exclude-table"] where arguments.flag(name) {
      throw StoreError(
        .usage, "--\(name) goes with --by-id",
        hint: "without --by-id everything is compared, by its hash")
    }
  }
}
