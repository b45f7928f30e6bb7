import CommandLineKit
import Records

/// A JSON object with one list, whose elements are printed as they come.
///
/// It reads as if it had been printed at once, and ten thousand elements are never held together.
struct ReportList {
  private let name: String
  private let console: Console
  private var isEmpty = true

  /// A list under a name.
  init(_ name: String, _ console: Console) {
    self.name = name
    self.console = console
  }

  /// Prints the next element.
  ///
  /// - Throws: `StoreError` when the output cannot be written.
  mutating func add(_ element: ReportJSON) throws(StoreError) {
    let lines = element.prettyText.split(separator: "\n", omittingEmptySubsequences: false)
    let indented = lines.map { "    " + $0 }.joined(separator: "\n")
    try console.print((isEmpty ? "{\n  \"\(name)\": [\n" : ",\n") + indented)
    isEmpty = false
  }

  /// Ends the list and the object.
  ///
  /// - Throws: `StoreError` when the output cannot be written.
  func finish() throws(StoreError) {
    try console.print(isEmpty ? "{\n  \"\(name)\": []\n}\n" : "\n  ]\n}\n")
  }
}
