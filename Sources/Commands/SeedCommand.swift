import Bytes
import CommandLineKit
import Records

/// `rehome seed`: exports and plain files in, a new store out.
enum SeedCommand {
  static let description = Command(
    name: "seed",
    summary: "load a new store from exports",
    discussion: [
      "Loads a canonical store from bundles, documents and plain files of CSV, JSON, NDJSON and "
        + "XML. "
        + "What an export says comes back exactly: its tables, rows, queue and rejects.",
      "A plain file becomes the table that its name says. A column of it has the type that every "
        + "value in the whole file fits without losing a character, otherwise text; --type says "
        + "better. --dry-run shows the types, and which value made each as wide as it is.",
      "A value that does not fit the type given with --type is rejected, and its cell becomes "
        + "NULL. With --rejects, the whole row is written to a file too, with the reason; correct "
        + "it there, leave its _pk as it is, and seed again from the same input with --corrected. "
        + "The file is written even when --max-rejects stops the run.",
    ],
    examples: [
      Command.Example("rehome seed items.json -o items.rehome", "load an export"),
      Command.Example(
        "rehome seed TodoItem.csv Place.ndjson --type TodoItem.zip=text -o app.rehome",
        "load two plain files side by side"),
      Command.Example(
        "rehome seed Item.csv --type Item.zip=integer --rejects bad.csv -o app.rehome",
        "keep the rows with values that do not fit in a file of their own"),
      Command.Example(
        "rehome seed Item.csv --type Item.zip=integer --corrected bad.csv -f -o app.rehome",
        "seed again with those rows corrected"),
    ],
    options: [
      Option(
        "output", letter: "o", argument: .value(placeholder: "FILE", completion: .file),
        help: "the store to write", group: "Output"),
      Option(
        "into", argument: .value(placeholder: "KIND", completion: .choices(["canonical"])),
        help: "the kind of store to write", group: "Output", defaultText: "canonical"),
      Option(
        "dry-run", letter: "n", help: "read everything, show the types, and write nothing",
        group: "Output"),
      Option(
        "rejects", argument: .value(placeholder: "FILE", completion: .file),
        help: "write the rows of plain files in which a value was rejected to this file, in the "
          + "format of the input; with several inputs, a folder", group: "Output"),
      Option(
        "corrected", argument: .value(placeholder: "FILE", completion: .file),
        help: "take the rows of this file, or of the files in this folder, in place of those with "
          + "the same _pk", group: "Output"),
      CommonOptions.force, CommonOptions.maxRejects,
    ] + CommonOptions.tables + CommonOptions.reading + CommonOptions.reporting,
    positionals: [
      Positional(
        "INPUT", help: "an export or a plain file", cardinality: .oneOrMore, completion: .file)
    ],
    exitStatuses: ExitCode.list([
      .complete, .completeWithRejects, .tooManyRejects, .usage, .notAStore, .inputMissing,
      .cannotCreate, .inputOutput, .temporary, .notPermitted, .interrupted,
    ]),
    seeAlso: ["rehome-export(5)", "rehome-store(5)"])

  /// Seeds the store and reports.
  static func run(_ settings: RunSettings) async throws(StoreError) -> ExitCode {
    let readers = try SeedInputs(settings).readers
    let limit = try RejectLimit(settings.arguments)
    if settings.arguments.flag("dry-run") {
      let preview = SeedPreview(readers: readers)
      try settings.console.print(
        settings.wantsJSON ? preview.json.prettyText + "\n" : preview.text(settings.console))
      return .complete
    }
    guard let output = settings.arguments.value("output")?.text else {
      throw StoreError(.usage, "an output is needed", hint: "-o FILE, or --dry-run")
    }
    let loading = Loading(
      inputs: OpenInputs(readers), settings: settings, output: output, rejectLimit: limit,
      selection: TableSelection(settings.arguments),
      isReplacing: settings.arguments.flag("force"),
      rejects: try SeedRejects(settings, readers: readers))
    return try await loading.run().tell(settings)
  }
}
