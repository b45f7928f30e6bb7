import Bytes
import CommandLineKit
import Opening
import Places
import Records

/// `rehome convert`: a legacy store in, a canonical store out.
enum ConvertCommand {
  static let description = Command(
    name: "convert",
    summary: "normalise stores into a canonical store",
    discussion: [
      "Reads a store of any layout and writes a canonical store: one SQLite file with the app's "
        + "tables under their true names, the queue, the errors, the tokens, and the raw bytes of "
        + "all that could not be carried over. The source is never changed. The output appears under "
        + "its name only when it is complete and has passed its check."
    ],
    sections: [
      Command.Section(
        "Several stores",
        "Several stores become one. Tables of the same name are united. A column that a store lacks is "
          + "NULL in its rows. One that has several types takes the widest: integer for boolean and "
          + "integer, real or decimal where one of these comes with them, JSON where one is that, text for "
          + "all else; bytes and references stay apart from other values, in a column of their own. A "
          + "column of which a store knows neither type nor value takes that of the others.",
        "Rows get new keys behind those of the store before, at the distances that they had, and "
          + "references follow them; the keys of the first store mostly stay. The column _source says "
          + "which store a row is from.",
        "A canonical store or an export counts as the stores that it was made from, so that stores can "
          + "be merged step by step. If a store cannot be read, nothing is written and all such are "
          + "reported, unless --skip-unreadable leaves them out."),
      Command.Section(
        "The same item in several stores",
        "Two rows are the same item when the bytes of their ids are the same. One is kept: that with "
          + "the newest updatedAt, then with the highest version, then of the first store. A row version "
          + "of SQL Server counts as higher than any other text, and a text as higher than a number. "
          + "The other rows are kept whole as findings, and the books count them as filtered."),
      Command.Section(
        "Operations of several stores",
        "The queue is not merged. It holds the operations of all stores, store by store, with what was "
          + "sent already and what people have decided with 'rehome ops'. Each device's operations are "
          + "folded and sent as that device alone would have sent them, byte for byte, device after "
          + "device; what meets a newer state is a conflict like any other. 'rehome audit' lists items "
          + "that several devices change."),
    ],
    examples: [
      Command.Example("rehome convert qstodoitem.sqlite -o items.rehome", "convert one store"),
      Command.Example(
        "rehome convert --json qstodoitem.sqlite -o items.rehome", "with a report for a program"),
      Command.Example(
        "rehome convert devices/*/qstodoitem.sqlite -o all.rehome",
        "the stores of many devices as one"),
    ],
    options: [
      Option(
        "output", letter: "o", argument: .value(placeholder: "FILE", completion: .file),
        help: "the canonical store to write", group: "Output", isRequired: true, output: .database),
      CommonOptions.force, CommonOptions.maxRejects,
      Option(
        "skip-unreadable", help: "leave out stores that cannot be read, and tell of them",
        group: "Places"),
    ] + CommonOptions.places + StoreRound.options + CommonOptions.tables + CommonOptions.reading
      + CommonOptions.reporting,
    essentials: [
      "output", "force", "table", "skip-unreadable", "device", "salvage", "model", "json",
    ],
    positionals: [CommonOptions.stores()],
    exitStatuses: ExitCode.reading(.completeWithRejects, .tooManyRejects, .cannotCreate),
    seeAlso: ["rehome-store(5)"])

  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    guard let path = session.arguments.value("output")?.text
    else { throw StoreError(.usage, "an output is needed") }
    let output = NewStore(
      path: path, rejectLimit: try RejectLimit(session.arguments),
      selection: TableSelection(session.arguments), isReplacing: session.isReplacing)
    let shelf = try session.openShelf()
    try output.checkName()
    try shelf.expectStores()
    session.sayRemarks(of: shelf)
    return try load(shelf, output, session).tell(session)
  }

  private static func load(
    _ shelf: Shelf, _ output: NewStore, _ session: Session
  ) throws(StoreError) -> LoadReport {
    if let store = shelf.stores.first, shelf.stores.count == 1 {
      let inputs = try OpenInputs(StoreInTurn(store, of: shelf), session)
      try session.formatOptions.checkAllMet()
      return try Loading(inputs: inputs, session: session, output: output).run()
    }
    // Whoever has many stores hears of an output that is in the way before they are looked at.
    try storeErrors { () throws(FileError) in
      try StagedFile.check(output.path, replacing: output.isReplacing)
    }
    return try MergedLoading(
      stores: MergedInputs(shelf, session), session: session, output: output
    ).run()
  }
}
