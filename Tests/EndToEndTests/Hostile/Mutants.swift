import Foundation
import TestSupport
import Testing

/// Damaged and hostile variants of the samples and their exports, the same for the same seed.
///
/// Python makes them: its own libraries for databases and JSON know what a reader expects.
final class Mutants: Sendable {
  private let folder: TemporaryFolder
  private let bases: [String]

  /// Copies the samples and exports some of them, each into a folder of its own.
  init() async throws {
    folder = try TemporaryFolder()
    let folder = folder
    var bases: [String] = []
    for sample in Sample.all {
      let base = try folder.makeFolder("base-\(sample.name)")
      for ending in ["", "-wal"] {
        let source = sample.store() + ending
        guard FileManager.default.fileExists(atPath: source) else { continue }
        try FileManager.default.copyItem(atPath: source, toPath: base + "/store" + ending)
      }
      bases.append(base)
    }
    for name in ["ios-2016", "toolkit-2025"] {
      let store = Sample(name: name).store()
      for (output, arguments) in Self.exports {
        let base = try folder.makeFolder("base-\(name)-\(output)")
        let path = folder.path("\(name)-\(output)")
        let outcome = await rehome(arguments + ["-q", store, "-o", path])
        try #require(outcome.code == 0, "\(arguments): \(outcome.error)")
        try FileManager.default.moveItem(atPath: path, toPath: base + "/store")
        bases.append(base)
      }
    }
    self.bases = bases
  }

  private static let exports: [(String, [String])] =
    [("canonical", ["convert"]), ("a.xml.gz", ["export", "--to", "xml"])]
    + ["csv", "json", "ndjson", "xml"].map { ("bundle-\($0)", ["export", "--to", $0]) }
    + ["a.json", "a.json.gz", "a.xml"].map { name in
      (name, ["export", "--to", name.contains("xml") ? "xml" : "json"])
    }

  /// The folders of new variants, each with a store called `store`.
  func make(seed: Int, count: Int) throws -> [String] {
    let target = try folder.makeFolder("mutants-\(seed)")
    let outcome = try Program.python.run(
      ["-B", Project.path("Tests/Oracles/mutants.py"), String(seed), String(count), target]
        + bases)
    try #require(outcome.code == 0, "\(outcome.error)")
    return (0..<count).map { target + "/\($0)" }
  }

  /// Every way to use the tool on a store; outputs go into `folder`.
  static func commands(_ store: String, output folder: String) -> [[String]] {
    [
      ["inspect", store], ["inspect", "--json", "--decode-transformables", store],
      ["audit", store], ["audit", "--json", "--html", folder + "/a.html", store],
      ["convert", "--json", store, "-o", folder + "/c"],
      ["seed", store, "-o", folder + "/s", "--into", "canonical"],
      ["hash", store], ["verify", store, store],
      ["ops", "list", "--json", store], ["ops", "show", store, "1"],
      ["ops", "drop", store, "1"],
      ["export", store, "--to", "json"],
      ["export", store, "--to", "csv", "-o", folder + "/b"],
      ["export", store, "--to", "ndjson", "-o", folder + "/n"],
      ["export", store, "--to", "xml", "-o", folder + "/d.xml.gz"],
    ]
  }
}

/// Names, kinds, sizes and times of everything in a folder.
///
/// Cheaper than a fingerprint with hashes, and fit for pipes and endless devices.
struct FolderState: Equatable {
  private var entries: [String: [Int]] = [:]

  init(of folder: String) {
    add(folder, "")
  }

  private mutating func add(_ path: String, _ name: String) {
    var status = stat()
    // The call fills the structure it is given, or fails.
    guard unsafe lstat(path, &status) == 0 else { return }
    entries[name] = [
      Int(status.st_mode), Int(status.st_size), Int(status.st_ino), status.st_mtim.tv_sec,
      status.st_mtim.tv_nsec,
    ]
    guard status.st_mode & S_IFMT == S_IFDIR else { return }
    for entry in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      add(path + "/" + entry, name + "/" + entry)
    }
  }
}
