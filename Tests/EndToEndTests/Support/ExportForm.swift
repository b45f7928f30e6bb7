import TestSupport
import Testing

/// A form that keeps all of a store: the words behind `--to`, and what the export is called.
struct ExportForm: Sendable {
  let words: String
  let name: String

  static let all = [
    Self("json", "export.json"), Self("xml", "export.xml"), Self("json", "export"),
    Self("ndjson", "export"), Self("xml", "export"), Self("csv", "export"),
    Self("csv --for excel", "export"),
  ]

  init(_ words: String, _ name: String) { (self.words, self.name) = (words, name) }

  /// Writes a store in this form into a folder; gives the path.
  func export(_ store: String, into folder: TemporaryFolder) async throws -> String {
    let path = folder.path(name)
    let words = words.split(separator: " ").map(String.init)
    let outcome = await rehome(["export", "-q", store, "-o", path, "--to"] + words)
    try #require(outcome.code == 0, "\(outcome.error)")
    return path
  }
}
