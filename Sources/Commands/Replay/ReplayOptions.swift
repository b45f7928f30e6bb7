import Bytes
import CommandLineKit
import Records

/// What a replay was asked to do, apart from secrets.
struct ReplayOptions {
  /// Where the operations go.
  enum Destination: Equatable {
    case server(String)
    case store(String)
    /// Nowhere yet: only what would be sent is to be seen.
    case open
  }

  let destination: Destination
  let jobs: Int
  /// How many requests a second at most; nil for no limit.
  let rate: Int?
  let timeoutMilliseconds: Int
  let maxFailures: Int?
  let attempts: Int
  let isDryRun: Bool

  static let described: [Option] = [
    Option(
      "to", argument: .value(placeholder: "TARGET", completion: .file),
      help: "the base URL of the server, or a canonical store", group: "Target", isRequired: true,
      waivedBy: "dry-run"),
    Option(
      "dialect",
      argument: .value(
        placeholder: "NAME", completion: .choices(["auto", "v1", "v2", "v3", "toolkit", "parse"])),
      help: "the protocol of the server: Mobile Services, Mobile Apps, Datasync, Community Toolkit "
        + "or the REST interface of Parse", group: "Target",
      defaultText: "auto, as the store's SDK spoke"),
    Option(
      "map", argument: .repeatableValue(placeholder: "TABLE=NAME"),
      help: "send operations on a table to another one; a NAME with a slash is a whole path",
      group: "Target"),
    Option(
      "header-file", argument: .value(placeholder: "FILE", completion: .file),
      help: "send these headers, tokens and keys above all; a pipe will do, - is standard input",
      group: "Target"),
    Option(
      "ca-file", argument: .value(placeholder: "FILE", completion: .file),
      help: "trust only the authorities in this PEM file", group: "Target"),
    Option(
      "allow-http", help: "take a server that is not encrypted; tokens go in the clear",
      group: "Target"),
    Option(
      "dynamic-schema",
      help: "let the store that is the target take new columns and fractions, as servers with a "
        + "dynamic schema do", group: "Target"),
    Option(
      "hard-delete",
      help: "let the store that is the target remove deleted items, as servers without soft "
        + "delete do", group: "Target"),
    Option("dry-run", letter: "n", help: "show the plan and send nothing", group: "Plan"),
    Option(
      "plan", argument: .value(placeholder: "FILE", completion: .file),
      help: "write the plan as JSON, and send nothing", group: "Plan", output: .file),
    Option(
      "from-plan", argument: .value(placeholder: "FILE", completion: .file),
      help: "send only if the plan is still what would be done", group: "Plan"),
    Option(
      "journal", argument: .value(placeholder: "FILE", completion: .file),
      help: "the canonical store that a legacy store is converted into, and that keeps the journal",
      group: "Plan", defaultText: "the store's name with .rehome, in the current folder",
      output: .journal),
    Option(
      "on-conflict",
      argument: .value(
        placeholder: "POLICY",
        completion: .choices(["stop", "skip", "client-wins", "server-wins", "newest"])),
      help: "what to do when the server has another item", group: "Conflicts",
      defaultText: "skip"),
    Option(
      "rules", argument: .value(placeholder: "FILE", completion: .file),
      help: "decide by a CSV file with the head table,operation,situation,decision, and where no "
        + "line fits by --on-conflict", group: "Conflicts"),
    Option(
      "jobs", letter: "j", argument: .value(placeholder: "N"),
      help: "how many requests may be under way at once", group: "Pace",
      defaultText: "4, and 64 for a store, or 1 where a failure ends the run"),
    Option(
      "rate", argument: .value(placeholder: "N"), help: "send at most N requests a second",
      group: "Pace"),
    Option(
      "timeout", argument: .value(placeholder: "SECONDS"),
      help: "how long to wait for an answer", group: "Pace", defaultText: "60"),
    Option(
      "retries", argument: .value(placeholder: "N"),
      help: "how often to repeat a request that failed for now", group: "Pace", defaultText: "5"),
    Option(
      "max-failures", argument: .value(placeholder: "N"),
      help: "stop when more operations than this were refused or given up", group: "Pace"),
    OperationTables.includedOption, OperationTables.excludedOption,
    CommonOptions.force, CommonOptions.report,
  ]

  init(_ arguments: ParsedArguments) throws(StoreError) {
    destination = try Self.destination(arguments)
    // A store answers many at once, with one flush of the disk for all of them.
    let isStore = if case .store = destination { true } else { false }
    jobs = try Self.number("jobs", 1...64, arguments) ?? (isStore ? 64 : 4)
    rate = try Self.number("rate", 1...100_000, arguments)
    timeoutMilliseconds = (try Self.number("timeout", 1...3600, arguments) ?? 60) * 1000
    maxFailures = try Self.number("max-failures", 0...1_000_000_000, arguments)
    attempts = (try Self.number("retries", 0...100, arguments) ?? 5) + 1
    isDryRun = arguments.flag("dry-run") || arguments.flag("plan")
    for name in ["dynamic-schema", "hard-delete"] where arguments.flag(name) {
      guard case .server = destination else { continue }
      throw StoreError(
        .usage, "--\(name) is about a canonical store as the target",
        hint: "leave it away; a server does what it does")
    }
    guard !(isDryRun && arguments.flag("from-plan")) else {
      throw StoreError(.usage, "--from-plan sends, and --dry-run and --plan do not")
    }
  }

  private static func destination(_ arguments: ParsedArguments) throws(StoreError) -> Destination {
    if let target = arguments.value("to")?.text {
      return target.contains("://") ? .server(target) : .store(target)
    }
    // A plan says what it is a plan for.
    guard arguments.flag("dry-run"), !arguments.flag("plan") else {
      let needsOne = arguments.flag("plan") ? "a plan is for one server: " : ""
      throw StoreError(.usage, "a target is needed", hint: needsOne + "--to URL, or --to STORE")
    }
    return .open
  }

  private static func number(
    _ name: String, _ range: ClosedRange<Int>, _ arguments: ParsedArguments
  ) throws(StoreError) -> Int? {
    do {
      return try arguments.integer(name, in: range)
    } catch {
      throw StoreError(.usage, error.message, hint: error.hint)
    }
  }
}
