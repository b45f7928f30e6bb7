import Foundation

/// A folder of its own for one test, removed with everything in it.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/bytes-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    // A leftover in the system's temporary folder harms nobody.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a name in the folder.
  func path(_ name: String) -> String {
    path + "/" + name
  }

  /// Creates a file in the folder and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: path(name), atomically: false, encoding: .utf8)
    return path(name)
  }

  /// The text of a file in the folder, if there is one.
  func text(_ name: String) -> String? {
    try? String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// The names of everything in the folder, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
