import Foundation

/// A folder of its own for one test, removed with everything in it.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/rehome-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    // A leftover in the system's temporary folder harms nobody.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a name in the folder.
  func path(_ name: String) -> String { path + "/" + name }

  /// Creates a file in the folder and returns its path.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// Creates a folder in the folder and returns its path.
  func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: false)
    return path(name)
  }

  /// A copy of a sample's store and its side files, in a folder of its own inside this one.
  func copy(of sample: Sample) throws -> String {
    let target = try makeFolder(sample.name)
    let source = Project.path("samples/\(sample.name)")
    for name in try FileManager.default.contentsOfDirectory(atPath: source)
    where name.hasPrefix("qstodoitem") {
      try FileManager.default.copyItem(
        atPath: source + "/" + name, toPath: target + "/" + name)
    }
    return target
  }

  /// The names of everything in the folder, hidden ones included, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

/// Everything about a folder that a program could change: names, bytes and times.
func fingerprint(ofFolder path: String) throws -> [String: String] {
  var found: [String: String] = [:]
  for name in try FileManager.default.contentsOfDirectory(atPath: path) {
    let file = path + "/" + name
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let date = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate
    found[name] = "\(bytes.base64EncodedString()) \(date.debugDescription)"
  }
  let own = try FileManager.default.attributesOfItem(atPath: path)
  found["."] = (own[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate.description
  return found
}
