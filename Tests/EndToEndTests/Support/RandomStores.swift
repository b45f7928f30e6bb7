import Foundation
import TestSupport
import Testing

/// Stores that the makers in `Tests/Oracles` fill at random, the same for the same seed.
enum RandomStores {
  /// The paths of new stores in a folder.
  static func make(
    _ maker: String, seed: Int, count: Int, in folder: TemporaryFolder
  ) throws -> [String] {
    let script = ProjectFolders.oracles.appending(path: maker).path
    _ = try Python.run(file: script, arguments: [folder.path("wild"), "\(seed)", "\(count)"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("wild")).sorted()
    let stores = names.compactMap { name in
      ["qstodoitem.sqlite", "store.db"].map { folder.path("wild/\(name)/\($0)") }
        .first { FileManager.default.fileExists(atPath: $0) }
    }
    #expect(stores.count >= count)
    return stores
  }

  /// What was put into a store.
  static func situations(of store: String) throws -> Set<String> {
    let about = URL(fileURLWithPath: store).deletingLastPathComponent()
      .appendingPathComponent("about.json")
    let facts = try JSONSerialization.jsonObject(with: Data(contentsOf: about)) as? [String: Any]
    return Set(try #require(facts?["situations"] as? [String]))
  }
}
