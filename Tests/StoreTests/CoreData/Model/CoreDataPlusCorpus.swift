import Foundation
import TestSupport

/// Stores and models written on Apple systems, which lie beside the project or not at all.
enum CoreDataPlusCorpus {
  /// The folder of the project that the stores come from.
  static let folder = Corpus.file("CoreDataPlus")

  static let isPresent = Corpus.has("CoreDataPlus")

  /// A file of the corpus by its path in the folder.
  static func file(_ path: String) -> URL { folder.appendingPathComponent(path) }
}
