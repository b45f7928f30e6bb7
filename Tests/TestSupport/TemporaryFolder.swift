package import Foundation

/// A folder of its own for one test, removed with everything in it.
package final class TemporaryFolder: Sendable {
  /// Where the folder is.
  package let path: String

  /// Makes an empty folder below the system's temporary folder.
  package init() throws {
    path = FileManager.default.temporaryDirectory.path + "/rehome-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    // A leftover in the system's temporary folder harms nobody.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The folder as a URL.
  package var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

  /// The path of a name in the folder.
  package func path(_ name: String) -> String {
    path + "/" + name
  }

  /// Creates a file in the folder and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Creates a file of bytes in the folder and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: path(name)))
    return path(name)
  }

  /// Creates a folder in the folder and returns its path.
  @discardableResult
  package func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
    return path(name)
  }

  /// The text of a file in the folder, if there is one.
  package func text(_ name: String) -> String? {
    try? String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// The names of everything in the folder, sorted.
  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
