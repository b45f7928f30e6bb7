import Bytes
import CommandLineKit
import Records

/// Outputs that are files: `-` means standard output or is refused, and never is a file's name.
enum OutputNames {
  /// The options that name a file to write, but for those that take `-` for standard output.
  private static let files = ["output", "report", "rejects", "journal", "plan"]

  /// Throws where an output that must be a file is `-`.
  static func check(_ arguments: ParsedArguments) throws(StoreError) {
    let command = arguments.path.leaf.name
    for name in files where arguments.describes(option: name) {
      guard arguments.value(name)?.text == "-",
        !(name == "output" && command == ExportCommand.description.name)
      else { continue }
      throw StoreError(
        .usage, "--\(name) takes a file, and - is standard output",
        hint: name == "output" && command == SeedCommand.description.name
          ? "write the store to a file; 'rehome export' writes to standard output"
          : "name a file, or write ./- for one of that name")
    }
  }
}
