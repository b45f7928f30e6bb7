import Foundation
import Testing

/// Where things are: the project's folder, its samples, and the programs that were built.
enum Project {
  /// The folder of `Package.swift`.
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The path of something in the project.
  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// The executable that was built together with these tests.
  static var executable: URL {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("rehome")
  }

  /// Whether golden files are to be written instead of compared.
  static let isUpdatingGoldenFiles =
    ProcessInfo.processInfo.environment["REHOME_UPDATE_GOLDEN"] == "1"

  /// Whether the tests may do what only the system's administrator may.
  static let isRoot = geteuid() == 0
}

/// A store that is shipped, and what it must give.
struct Sample: Sendable, CustomTestStringConvertible {
  let name: String

  static let all = namesInProject("samples").filter {
    FileManager.default.fileExists(atPath: Project.path("samples/\($0)/expected/convert.json"))
  }.map(Sample.init)

  var testDescription: String { name }

  /// What converting it ends with: one sample holds a number that its column's type damaged.
  var code: Int32 { name == "cordova-2017" ? 2 : 0 }

  /// The store's path, or that of a copy of the sample's folder.
  func store(in folder: String? = nil) -> String {
    (folder ?? Project.path("samples/\(name)")) + "/" + storeName
  }

  /// What the device called the store: the only file besides the note and its side files.
  var storeName: String {
    namesInProject("samples/\(name)").first {
      $0 != "README.md" && $0 != "expected" && !$0.hasSuffix("-wal")
    } ?? "missing"
  }

  /// The names of the tables, from the expected exports.
  var tables: [String] {
    namesInProject("samples/\(name)/expected/tables").map { String($0.dropLast(".ndjson".count)) }
  }

  /// The bytes of an expected file.
  func expected(_ file: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: Project.path("samples/\(name)/expected/\(file)")))
  }
}

/// The sorted names in a folder of the project.
private func namesInProject(_ folder: String) -> [String] {
  let found = try? FileManager.default.contentsOfDirectory(atPath: Project.path(folder))
  return (found ?? []).sorted()
}
