import Bytes
import CommandLineKit
import Exports
import Records
import Tables

/// `rehome seed`: exports and plain files in, a new store out.
enum SeedCommand {
  static let description = Command(
    name: "seed",
    summary: "load a new store from exports",
    discussion: [
      "Loads a canonical store from bundles, documents and plain files of CSV, JSON, NDJSON and XML. "
        + "What an export says comes back exactly: its tables, rows, queue and rejects. With --into "
        + "core-data or toolkit the new store is one that an app opens."
    ],
    sections: sections,
    examples: [
      Command.Example("rehome seed items.json -o items.rehome", "load an export"),
      Command.Example(
        "rehome seed TodoItem.csv Place.ndjson --type TodoItem.zip=text -o app.rehome",
        "load two plain files side by side"),
      Command.Example(
        "rehome export old.sqlite --to json | rehome seed - -o app.rehome",
        "load what another run writes"),
      Command.Example(
        "rehome seed Item.csv --type Item.zip=integer --rejects bad.csv -o app.rehome",
        "keep the rows with values that do not fit in a file of their own"),
      Command.Example(
        "rehome seed Item.csv --type Item.zip=integer --corrected bad.csv -f -o app.rehome",
        "seed again with those rows corrected"),
      Command.Example(
        "rehome seed Author.json Post.json --reference Post.authorId=Author -o blog.rehome",
        "tie posts to their authors"),
      Command.Example(
        "rehome seed items.json --into toolkit --template empty.db "
          + "--entity-type TodoItem=MyApp.Data.TodoItem -o app.db",
        "make the database with which a new app starts"),
      Command.Example(
        "rehome seed items.json --into core-data --template empty.sqlite -o qstodoitem.sqlite",
        "make the store with which an iOS app starts"),
    ],
    options: [
      Option(
        "output", letter: "o", argument: .value(placeholder: "FILE", completion: .file),
        help: "the store to write", group: "Output", output: .database),
      Option(
        "into",
        argument: .value(
          placeholder: "KIND", completion: .choices(SeedTarget.Kind.allCases.map(\.rawValue))),
        help: "the kind of store to write", group: "Output", defaultText: "canonical"),
      Option(
        "template", argument: .value(placeholder: "FILE", completion: .file),
        help: "fill a copy of this empty store, which the app itself has made", group: "Output"),
      Option(
        "entity-type", argument: .repeatableValue(placeholder: "TABLE=TYPE"),
        help: "the full name of the .NET type that the app keeps in a table", group: "Output"),
      Option(
        "drop-unknown",
        help: "leave out tables and columns of which the template knows nothing, and tell them",
        group: "Output"),
      Option(
        "dry-run", letter: "n",
        help: "read everything, show the types and what does not fit, and write nothing",
        group: "Output"),
      Option(
        "rejects", argument: .value(placeholder: "FILE", completion: .file),
        help: "write the rows of plain files in which a value was rejected to this file, in the "
          + "format of the input; with several inputs, a folder", group: "Output",
        output: [.file, .contents]),
      Option(
        "corrected", argument: .value(placeholder: "FILE", completion: .file),
        help: "take the rows of this file, or of the files in this folder, in place of those with "
          + "the same _pk", group: "Output"),
      Option(
        "reference", argument: .repeatableValue(placeholder: "T.C=TABLE"),
        help: "column C of table T names rows of TABLE by their id; TABLE.COLUMN says another "
          + "column, and TABLE._pk the key", group: "Corrections"),
      Option(
        "drop", argument: .repeatableValue(placeholder: "T.C"),
        help: "leave out column C of table T of a plain file", group: "Corrections"),
      CommonOptions.force, CommonOptions.maxRejects,
    ] + CommonOptions.tables + CommonOptions.reading + CommonOptions.reporting,
    essentials: ["output", "into", "template", "dry-run", "type", "force"],
    positionals: [
      Positional(
        "INPUT", help: "an export or a plain file; - is standard input",
        cardinality: .oneOrMore, completion: .file)
    ],
    exitStatuses: ExitCode.reading(.completeWithRejects, .tooManyRejects, .cannotCreate),
    seeAlso: ["rehome-export(5)", "rehome-store(5)"])

  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    if mayExpect(session.arguments), let code = try run(session, expecting: true) { return code }
    guard let code = try run(session, expecting: false) else {
      throw StoreError(.internalError, "a file that was read whole is taken for one that was not")
    }
    return code
  }

  /// Whether nothing is asked for that needs the types of all columns before the first row.
  private static func mayExpect(_ arguments: ParsedArguments) -> Bool {
    let asking = ["rejects", "corrected", "reference", "table", "exclude-table", "template"]
    return !arguments.flag("dry-run") && asking.allSatisfy { arguments.values($0).isEmpty }
      && [nil, SeedTarget.Kind.canonical.rawValue].contains(arguments.value("into")?.text)
  }

  /// Seeds; with `expecting`, only parts of long plain files are looked at before they are read.
  ///
  /// - Returns: nil where such a file turns out otherwise, or anything is wrong before it is read:
  ///   what is wrong with the file itself is told first.
  private static func run(
    _ session: Session, expecting: Bool
  ) throws(StoreError) -> ExitCode? {
    guard let inputs = try SeedInputs(session, expecting: expecting) else { return nil }
    let outcome = Result { () throws(StoreError) in try run(session, inputs.readers) }
    let isOpen = inputs.readers.contains { $0.plainFiles?.isExpecting == true }
    if case .failure(let error) = outcome, isOpen, error.kind != .interrupted { return nil }
    if expecting { inputs.sayOpened(session) }
    return try outcome.get()
  }

  private static func run(
    _ session: Session, _ readers: [any StoreReader]
  ) throws(StoreError) -> ExitCode {
    let limit = try RejectLimit(session.arguments)
    let inputs = OpenInputs(readers)
    let target = try SeedTarget(session, readers: readers)
    var selection = TableSelection(session.arguments)
    let fit = try target.fit(inputs, selection)
    selection.unknown = fit?.unknownTables ?? []
    if session.arguments.flag("dry-run") {
      let preview = SeedPreview(readers: readers, fit: fit)
      return try preview.show(session, limit) { () throws(StoreError) in
        try target.check(fit)
        try checkOutputs(session, readers)
        return try trial(inputs, of: target, selection, session)
      }
    }
    try target.check(fit)
    guard let path = session.arguments.value("output")?.text else {
      throw StoreError(.usage, "an output is needed", hint: "-o FILE, or --dry-run")
    }
    let output = NewStore(
      path: path, rejectLimit: limit, selection: selection, isReplacing: session.isReplacing)
    try output.checkName()
    let loading = Loading(
      inputs: inputs, session: session, output: output,
      rejects: try SeedRejects(session, readers: readers))
    return try target.run(loading).tell(session)
  }

  /// Throws where a run could not make what the options name.
  private static func checkOutputs(
    _ session: Session, _ readers: [any StoreReader]
  ) throws(StoreError) {
    _ = try SeedRejects(session, readers: readers)
    guard let output = session.arguments.value("output")?.text else { return }
    try NewStore(path: output, isReplacing: session.isReplacing).checkName()
    try storeErrors { () throws(FileError) in
      _ = try StagedFile(for: output, replacing: session.isReplacing)
    }
  }

  /// Loads everything into a store that nobody keeps.
  private static func trial(
    _ inputs: OpenInputs, of target: SeedTarget, _ selection: TableSelection, _ session: Session
  ) throws(StoreError) -> LoadReport {
    let file = try storeErrors { () throws(FileError) in
      try TemporaryFile(in: session.temporaryFolder)
    }
    var loading = Loading(
      inputs: inputs, session: session,
      output: NewStore(path: file.path, selection: selection, isReplacing: true))
    loading.isTrial = true
    do {
      return try target.run(loading)
    } catch {
      throw error.told(of: file)
    }
  }
}
