import Bytes
import CanonicalStore
import CommandLineKit
import Records

/// `rehome convert`: a legacy store in, a canonical store out.
enum ConvertCommand {
  static let description = Command(
    name: "convert",
    summary: "normalise a store into a canonical store",
    discussion: [
      "Reads a store of any layout and writes a canonical store: one SQLite file with the app's "
        + "tables under their true names, the queue, the errors, the tokens, and the raw bytes of "
        + "all that could not be carried over. The source is never changed.",
      "The output appears under its name only when it is complete and has passed its check.",
    ],
    examples: [
      Command.Example("rehome convert qstodoitem.sqlite -o items.rehome", "convert one store"),
      Command.Example(
        "rehome convert --json qstodoitem.sqlite -o items.rehome", "with a report for a program"),
    ],
    options: [
      Option(
        "output", letter: "o", argument: .value(placeholder: "FILE", completion: .file),
        help: "the canonical store to write", group: "Output", isRequired: true),
      CommonOptions.force, CommonOptions.maxRejects,
    ] + CommonOptions.tables + CommonOptions.reading
      + CommonOptions.reporting,
    positionals: [
      Positional("STORE", help: "the store to convert", completion: .file)
    ],
    exitStatuses: ExitCode.list([
      .complete, .completeWithRejects, .tooManyRejects, .usage, .notAStore, .inputMissing,
      .cannotCreate, .inputOutput, .temporary, .notPermitted, .interrupted,
    ]),
    seeAlso: ["rehome-store(5)"])

  /// Converts the store and reports.
  static func run(_ settings: RunSettings) async throws(StoreError) -> ExitCode {
    guard let path = settings.arguments.positional("STORE")?.text,
      let output = settings.arguments.value("output")?.text
    else { throw StoreError(.usage, "a store and an output are needed") }
    let reader = try settings.openStore(path)
    let loading = Loading(
      readers: [reader], settings: settings, output: output,
      rejectLimit: try RejectLimit(settings.arguments),
      selection: TableSelection(settings.arguments),
      isReplacing: settings.arguments.flag("force"))
    return try await loading.run().tell(settings)
  }
}
