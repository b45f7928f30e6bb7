import Bytes
import Canonical
import CommandLineKit
import Records

/// `rehome ops drop` and `rehome ops keep`: decide whether operations may be sent.
enum OpsMarkCommand {
  static func description(_ kind: OperationMark.Kind) -> Command {
    let isDrop = kind == .drop
    return Command(
      name: kind.rawValue,
      summary: isDrop
        ? "mark operations so that they are not sent" : "undo the mark of dropped operations",
      discussion: [
        "Works on canonical stores, which 'rehome convert' makes. The mark is kept with who, when "
          + "and why; the operation itself stays as it is."
      ],
      examples: [
        Command.Example(
          "rehome ops \(kind.rawValue) --why 'see case 4711' items.rehome 7 8",
          isDrop ? "keep two operations from being sent" : "let two operations be sent after all")
      ],
      options: [
        Option(
          "why", argument: .value(placeholder: "TEXT"), help: "the reason, kept with the mark",
          group: "Mark"),
        Option(
          "who", argument: .value(placeholder: "NAME"), help: "who decides, kept with the mark",
          group: "Mark", defaultText: "the user's name"),
        Option(
          "dry-run", letter: "n", help: "see whether the operations are there, and mark none",
          group: "Mark"),
      ] + CommonOptions.reading + CommonOptions.reporting,
      positionals: [
        Positional("STORE", help: "the canonical store to mark", completion: .file),
        Positional(
          "SEQUENCE", help: "an operation's place in push order", cardinality: .oneOrMore),
      ],
      exitStatuses: ExitCode.list([
        .complete, .usage, .notAStore, .inputMissing, .inputOutput, .temporary, .notPermitted,
        .interrupted,
      ]))
  }

  /// Marks the operations, all or none.
  static func run(
    _ kind: OperationMark.Kind, _ settings: RunSettings
  ) throws(StoreError) -> ExitCode {
    let path = try OpsCommand.path(settings)
    try settings.expectFile(path)
    let (sequences, file) = try chosen(settings, inStoreAt: path)
    let who = settings.arguments.value("who")?.text ?? environmentValue("USER")
    let mark = OperationMark(
      kind, at: .now, who: who, why: settings.arguments.value("why")?.text)
    let isDryRun = settings.arguments.flag("dry-run")
    if !isDryRun { try CanonicalMarks.add(mark, to: sequences, inStoreAt: file) }
    try tell(settings, kind, sequences, path)
    return .complete
  }

  private static func tell(
    _ settings: RunSettings, _ kind: OperationMark.Kind, _ sequences: [Int64], _ path: String
  ) throws(StoreError) {
    let isDryRun = settings.arguments.flag("dry-run")
    if settings.wantsJSON {
      let report: ReportJSON = [
        "store": .string(Paths.fileName(of: path)), "mark": .string(kind.rawValue),
        "sequences": .array(sequences.map(ReportJSON.integer)), "dryRun": .boolean(isDryRun),
      ]
      return try settings.console.print(report.prettyText + "\n")
    }
    let done =
      switch kind {
      case .drop: isDryRun ? "would not be sent" : "will not be sent"
      case .keep: isDryRun ? "could be sent" : "may be sent"
      }
    settings.say(
      "\(Quantity.count(sequences.count, "operation", "operations")) of "
        + "\(escapedForTerminal(path)) \(done)")
  }

  /// The operations that the arguments name, all of which are there; the store is closed again.
  private static func chosen(
    _ settings: RunSettings, inStoreAt path: String
  ) throws(StoreError) -> (sequences: [Int64], file: String) {
    let reader = try settings.openStore(path)
    guard reader.source.layout == .rehome else {
      throw StoreError(
        .usage, path: path, "only operations of a canonical store can be marked",
        hint: "make one with 'rehome convert'; the source itself is never changed")
    }
    try settings.expectUndamaged(reader, at: path)
    let known = Set(try reader.readDecodedQueue().operations.map(\.sequence))
    var sequences: [Int64] = []
    for text in settings.arguments.positionals("SEQUENCE").map(\.text) {
      guard let sequence = Int64(text), known.contains(sequence) else {
        throw StoreError(
          .usage, "the store has no operation \(text)", hint: "'rehome ops list' shows them all")
      }
      sequences.append(sequence)
    }
    return (sequences, try settings.ownFile(of: reader, at: path))
  }
}
