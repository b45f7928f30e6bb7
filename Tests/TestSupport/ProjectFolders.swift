package import Foundation

/// The folders of the project that tests look into.
package enum ProjectFolders {
  /// The package's own folder.
  package static let package: URL = {
    var folder = URL(filePath: #filePath)
    while folder.path != "/", !exists(folder.appending(path: "Package.swift")) {
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  /// The small stores that the project ships.
  package static let samples = package.appending(path: "samples")

  /// The oracles: programs in Python that share no code with the tool.
  package static let oracles = package.appending(path: "Tests/Oracles")

  private static func exists(_ url: URL) -> Bool {
    FileManager.default.fileExists(atPath: url.path)
  }
}

/// Stores from real apps, which lie beside the project, where `REHOME_CORPUS` says, or nowhere.
///
/// Tests that need them are skipped without them: `.enabled(if: Corpus.isPresent, …)`.
package enum Corpus {
  /// The folder, whether it is there or not.
  package static let folder: URL = {
    let given = ProcessInfo.processInfo.environment["REHOME_CORPUS"]
    return given.map { URL(filePath: $0) }
      ?? ProjectFolders.package.appending(path: "../shared/corpus").standardizedFileURL
  }()

  /// A file or folder of the corpus by its path.
  package static func file(_ path: String) -> URL { folder.appending(path: path) }

  /// Whether the corpus has this file or folder.
  package static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: file(path).path)
  }
}
