import Bytes
import CommandLineKit
import Formats
import Records

/// What made a line of a report: a command, with its options that decide what it finds in a store.
///
/// Another command finds other things in the same bytes, and so does the same one with other options.
struct StoreReportMaker {
  private static let salvage = ExactText("--salvage")

  /// The command and the options, as a line tells them.
  let words: [String]

  init(_ arguments: ParsedArguments) {
    words =
      [arguments.path.leaf.name]
      + Self.options(arguments).filter { arguments.flag($0.name) }.flatMap { option in
        let values = arguments.values(option.name)
        return values.isEmpty
          ? ["--\(option.name)"] : values.map { "--\(option.name)=\($0.text)" }
      }
  }

  private static func options(_ arguments: ParsedArguments) -> [Option] {
    CommonOptions.understanding
      + CommonOptions.tables.filter { arguments.describes(option: $0.name) }
  }

  /// Whether a line tells what this would find.
  func hasMade(_ line: JSONObject) -> Bool {
    guard case .array(let items)? = line["by"] else { return false }
    let told = items.compactMap { item in
      if case .string(let word) = item { ExactText(word) } else { nil }
    }
    let own = words.map { ExactText($0) }
    if told == own { return true }
    // What could be read without --salvage is read no otherwise with it.
    guard case .null? = line["error"] else { return false }
    return told == own.filter { $0 != Self.salvage }
  }
}
