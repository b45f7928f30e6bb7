import Bytes
import CommandLineKit
import Exports
import Formats

/// Options that several commands share; described once.
enum CommonOptions {
  /// What is said, where and how, and what a finding does to the exit code.
  static let reporting = saying + [failOn]

  /// The same for commands that look at single operations, which end well unless asked otherwise.
  static let reportingOperations = saying + [failOnIfAsked]

  private static let saying: [Option] = [
    Option("json", help: "write the run report as JSON to standard output", group: "Reporting"),
    quiet,
    Option("verbose", letter: "v", help: "say more about what is done", group: "Reporting"),
    color,
    Option("no-progress", help: "show no progress line", group: "Reporting"),
  ]

  /// Whether nothing is said but the result and errors.
  static let quiet = Option(
    "quiet", letter: "q", help: "say nothing but errors", group: "Reporting")

  /// Whether text is marked with colors.
  static let color = Option(
    "color",
    argument: .value(placeholder: "WHEN", completion: .choices(["auto", "always", "never"])),
    help: "color the output; the variable NO_COLOR is respected", group: "Reporting",
    defaultText: "auto")

  /// From which severity on a finding makes the exit code 2.
  private static let failOn = failOn("a finding", defaultText: "error")
  private static let failOnIfAsked = failOn("a finding that is told", defaultText: "never")

  private static func failOn(_ what: String, defaultText: String) -> Option {
    Option(
      "fail-on",
      argument: .value(
        placeholder: "SEVERITY", completion: .choices(["error", "warning", "never"])),
      help: "exit with code 2 when \(what) is at least this severe", group: "Reporting",
      defaultText: defaultText)
  }

  /// Where the run report of a command goes whose data go to standard output.
  static let report = Option(
    "report", argument: .value(placeholder: "FILE", completion: .file),
    help: "write the run report as JSON to a file", group: "Reporting", output: .file)

  /// Which program CSV is written for; `ending` says what else there is to it.
  static func program(_ ending: String) -> Option {
    Option(
      "for", argument: .value(placeholder: "PROGRAM", completion: .choices(["excel"])),
      help: "write CSV that a spreadsheet opens as it is meant: a byte order mark, times as "
        + "YYYY-MM-DD hh:mm:ss (UTC), long numbers, leading zeros and what looks like a date as text, "
        + "formulas guarded; \(ending)",
      group: "Output")
  }

  /// Where stores are looked for, which every command that takes many has in common.
  static let places: [Option] = [
    Option(
      "files-from", argument: .value(placeholder: "FILE", completion: .file),
      help: "take places from a file, one a line; - is standard input", group: "Places"),
    Option("zero", letter: "0", help: "places of --files-from end with a NUL", group: "Places"),
    device,
  ]

  static let device = Option(
    "device", argument: .value(placeholder: "PATTERN"),
    help: "take the device's name from each store's path, as in 'shelf/{device}/**'; * stands "
      + "for anything within one part of it", group: "Places")

  /// What stores are, as an argument.
  static func stores(_ name: String = "STORE") -> Positional {
    Positional(
      name,
      help: "a store, with its -wal and -journal; or a folder, an archive or a device backup, of "
        + "which every store is taken",
      cardinality: .zeroOrMore, completion: .file)
  }

  static let tables: [Option] = [
    Option(
      "table", argument: .repeatableValue(placeholder: "NAME"),
      help: "only this table, or all that match a pattern such as 'Todo*'", group: "Tables"),
    Option(
      "exclude-table", argument: .repeatableValue(placeholder: "NAME"),
      help: "not this table, or none that match a pattern", group: "Tables"),
  ]

  /// What a person knows better than the store.
  static let corrections: [Option] = [
    Option(
      "type", argument: .repeatableValue(placeholder: "T.C=TYPE"),
      help: "read column C of table T, and of entities that share it, as text, integer, real, "
        + "boolean, timestamp, decimal, uuid, uri, binary or json, or as unix-seconds or "
        + "unix-milliseconds since 1970; of a plain file also as "
        + "excel-date, days of a spreadsheet, day-first (31.12.2024) or month-first (12/31/2024)",
      group: "Corrections"),
    Option(
      "rename", argument: .repeatableValue(placeholder: "T=NAME"),
      help: "call table T, or column C of it as T.C, by another name", group: "Corrections"),
    Option(
      "rows", argument: .repeatableValue(placeholder: "PATH"),
      help: "take the objects at this place of a JSON document as its rows: '$.data.items', "
        + "behind FILE= only in the file of that name", group: "Corrections"),
  ]

  /// How plain files are written, where that is not to be found out.
  static let plainFiles: [Option] = [
    Option(
      "from",
      argument: .value(
        placeholder: "FORMAT",
        completion: .choices(PlainFormat.allCases.map(\.rawValue) + ["copy"])),
      help: "read plain files as this format; copy is text of PostgreSQL's COPY and of MySQL",
      group: "Plain files", defaultText: "what the content tells"),
    Option(
      "separator", argument: .value(placeholder: "CHAR"),
      help: "what stands between fields of CSV: comma, semicolon, tab, bar or a character",
      group: "Plain files", defaultText: "what the first records tell"),
    Option(
      "encoding",
      argument: .value(
        placeholder: "NAME", completion: .choices(TextEncoding.allCases.map(\.rawValue))),
      help: "how CSV writes characters: utf-8, utf-16le, utf-16be, windows-1252 or latin1",
      group: "Plain files", defaultText: "what a byte order mark tells, else utf-8"),
    Option(
      "null", argument: .repeatableValue(placeholder: "TEXT"),
      help: "take a field of CSV without quotes that is this text for no value, and an empty one "
        + "for an empty text", group: "Plain files", defaultText: "the empty field"),
    Option(
      "decimal-comma",
      help: "numbers of CSV have a comma before their fraction, and points between thousands",
      group: "Plain files"),
    Option(
      "no-header", help: "the first record of CSV is a row; columns are called column1, column2, …",
      group: "Plain files"),
    Option(
      "header", help: "the first record of CSV names the columns, whatever it looks like",
      group: "Plain files"),
    Option(
      "exact",
      help: "keep dates and truth words of plain files as text that are not spelled as rehome "
        + "spells them", group: "Plain files"),
    Option(
      "table-name", argument: .value(placeholder: "NAME"),
      help: "call the table of a plain file so",
      group: "Plain files", defaultText: "the name of the file, or rows for standard input"),
  ]

  /// Where names come from that the store itself does not have.
  static let names: [Option] = [
    Option(
      "model", argument: .value(placeholder: "FILE", completion: .file),
      help: "read Core Data stores with this model (.xcdatamodeld, .xcdatamodel, its contents, "
        + ".momd or .mom) instead of the one inside them", group: "Names"),
    Option(
      "decode-transformables",
      help: "give each transformable of a Core Data store a second column that says as JSON what "
        + "its archive holds", group: "Names"),
  ]

  /// What is done about damage.
  private static let damage: [Option] = [
    Option(
      "salvage",
      help: "read what can still be read of a damaged store, and tell what is lost",
      group: "Damage")
  ]

  /// Where the output goes.
  static let force = Option(
    "force", letter: "f", help: "replace an existing output", group: "Output")

  /// How stores are read; every command that opens one has these.
  static let reading = opening + [jobs]

  /// How stores are opened; a command for which jobs are something else has only these.
  static let opening = understanding + limits

  /// What decides what is found in a store.
  static let understanding = plainFiles + names + corrections + damage

  /// How much a store may ask for; a store that asks for more is refused, and the message says so.
  static let limits: [Option] = [
    limit(.valueBytes, "BYTES", "accept values of up to this size", "128M"),
    limit(.depth, "LEVELS", "accept values nested this deeply, 2048 at most", "512, XML 256"),
    limit(.columns, "NUMBER", "accept records of a text file with this many fields", "65536"),
    limit(.pipe, "BYTES", "take up to this much from standard input or a pipe", "64G"),
    limit(.memory, "BYTES", "stop when the run takes more memory", "4G"),
    limit(.seconds, "SECONDS", "stop when one store takes longer", "no bound"),
    limit(.memberBytes, "BYTES", "unpack files of an archive of up to this size", "16G"),
    limit(.ratio, "TIMES", "unpack files above 64M to this many times their packed size", "200"),
    limit(.members, "NUMBER", "accept archives with this many files", "1000000"),
    limit(.nesting, "LEVELS", "open this many archives inside each other, 64 at most", "4"),
  ]

  private static func limit(
    _ limit: InputLimit, _ placeholder: String, _ help: String, _ bound: String
  ) -> Option {
    Option(
      limit.rawValue, argument: .value(placeholder: placeholder), help: help, group: "Limits",
      defaultText: bound)
  }

  /// How many threads there may be.
  static let jobs = Option(
    "jobs", letter: "j", argument: .value(placeholder: "N"),
    help: "work with N threads; the output is the same for any N", group: "Running",
    defaultText: "one for each processor")

  static let maxRejects = Option(
    "max-rejects", argument: .value(placeholder: "N|P%"),
    help:
      "stop, and publish nothing, when more values and rows are rejected, or when a larger share "
      + "of the rows has any that is", group: "Output")
}
