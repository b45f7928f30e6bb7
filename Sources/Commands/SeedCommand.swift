import Bytes
import CommandLineKit
import Records

/// `rehome seed`: exports and plain files in, a new store out.
enum SeedCommand {
  static let description = Command(
    name: "seed",
    summary: "load a new store from exports",
    discussion: [
      "Loads a canonical store from bundles, documents and plain files of CSV, JSON and NDJSON. "
        + "What an export says comes back exactly: its tables, rows, queue and rejects.",
      "A plain file becomes the table that its name says. A column of it has the type that every "
        + "value in the whole file fits without losing a character, otherwise text; --type says "
        + "better. --dry-run shows the types.",
    ],
    examples: [
      Command.Example("rehome seed items.json -o items.rehome", "load an export"),
      Command.Example(
        "rehome seed TodoItem.csv Place.ndjson --type TodoItem.zip=text -o app.rehome",
        "load two plain files side by side"),
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
      readers: readers, settings: settings, output: output, rejectLimit: limit,
      selection: TableSelection(settings.arguments),
      isReplacing: settings.arguments.flag("force"))
    return try await loading.run().tell(settings)
  }
}
