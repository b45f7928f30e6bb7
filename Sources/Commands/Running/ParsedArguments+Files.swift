import Bytes
import CommandLineKit
import Records

extension ParsedArguments {
  /// The file that an option names, or `-`; nil without it.
  ///
  /// - Throws: `StoreError` for a folder, with a `hint` where something else is to be done than to name
  ///   a file.
  func file(
    of option: String, hint: String = "name a file"
  ) throws(StoreError) -> String? {
    guard let path = value(option)?.text else { return nil }
    guard path == "-" || !Paths.isDirectory(path) else {
      throw StoreError(.usage, path: path, "is a folder, and --\(option) takes a file", hint: hint)
    }
    return path
  }
}
